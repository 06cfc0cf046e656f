"""Models that are compiled at the first call: for its sizes, and the values that decide sizes.

A model with open sizes (a symbolic batch, an input without rank) or with small inputs whose values
decide the shapes of results (the target of a Reshape, the k of a TopK) cannot be compiled as it
stands. `SpecializingModule` compiles it for the shapes and values of each new kind of call, keeps
the modules, and passes the call on to the right one; inputs that became constants are left out.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ..dialects.dtypes import numpy_dtype
from ..dialects.shape import Dim, dims_of
from ..frontend.onnx.builder import MAX_SIZES
from ..frontend.onnx.signature import argument_types
from ..runtime.errors import ArgumentError
from ..runtime.values import as_array
from ..support.diagnostics import NeedsBinding

if TYPE_CHECKING:
    from ..frontend.onnx.definitions import ValueDef
    from ..runtime.module import Result
    from ..runtime.ndarray import NDArray
    from .compile import CompiledModule

MAX_SPECIALIZATIONS = 64
"""So many compiled modules are kept by one model; the least recently used goes first."""

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Shapes: TypeAlias = Mapping[str, Sequence[int | str]]
Build: TypeAlias = Callable[[Mapping[str, Sequence[int]], Mapping[str, Array]], "CompiledModule"]
_Key: TypeAlias = tuple[tuple[int, ...] | bytes, ...]


@dataclass(frozen=True)
class OpenSpec:
    """Name, sizes (numbers and expressions over names; None: any rank) and dtype of an input."""

    name: str
    shape: tuple[int | str, ...] | None
    dtype: str

    @property
    def is_open(self) -> bool:
        """Tell whether a size is not a number."""
        return self.shape is None or any(isinstance(size, str) for size in self.shape)

    def __str__(self) -> str:
        sizes = "…" if self.shape is None else ", ".join(map(str, self.shape))
        return f"{self.dtype}[{sizes}]"


class SpecializingModule:
    """A model that is compiled for the sizes of its calls; called like a `Module`.

    inputs: their declared types.  modules: what has been compiled so far, by shapes and values.
    Calls may come from several threads; one compiles at a time.
    Errors: ArgumentError for arguments that cannot fit the declared types; what `compile` raises
    where a model cannot be compiled for the sizes of a call.
    """

    def __init__(
        self,
        name: str,
        inputs: Sequence[ValueDef],
        output_names: tuple[str, ...],
        build: Build,
        *,
        shapes: Shapes,
        value_inputs: Sequence[str] = (),
    ) -> None:
        self.name = name
        self.inputs = open_specs(inputs, shapes)
        self.output_names = output_names
        self.modules: OrderedDict[_Key, CompiledModule] = OrderedDict()
        self._build = build
        self._dims = {spec.name: _dims(spec) for spec in self.inputs}
        self._value_inputs = frozenset(value_inputs)
        self._table_lock = threading.Lock()
        self._compile_lock = threading.Lock()

    def __call__(self, /, *arrays: object, **named: object) -> Result:
        """Run on positional or named inputs; given outputs, after the inputs, are filled."""
        inputs, outputs = self._split(arrays, named)
        module, rest = self._specialized(inputs)
        return module(*rest, *outputs)

    def run(
        self, inputs: Mapping[str, object] | Sequence[object], *, threads: int | None = None
    ) -> tuple[NDArray, ...]:
        """Run on inputs by name or in order; return all outputs, always as a tuple."""
        by_name = isinstance(inputs, Mapping)
        given = self._split((), inputs)[0] if by_name else self._split(inputs, {})[0]
        module, rest = self._specialized(given)
        return module.run(rest, threads=threads)

    def specialize(self, inputs: Mapping[str, object] | Sequence[object]) -> CompiledModule:
        """Return the module for inputs like the given ones, compiled now if need be.

        Its inputs are those that did not become constants.
        """
        by_name = isinstance(inputs, Mapping)
        given = self._split((), inputs)[0] if by_name else self._split(inputs, {})[0]
        return self._specialized(given)[0]

    @property
    def value_inputs(self) -> frozenset[str]:
        """Return the names of the inputs whose values decide shapes, as far as known."""
        return self._value_inputs

    @property
    def signature(self) -> str:
        """Return the signature as error messages show it."""
        taken = ", ".join(f"{spec.name}: {spec}" for spec in self.inputs)
        return f"{self.name}({taken}) -> ({', '.join(self.output_names)})"

    def unbound(self) -> NeedsBinding:
        """Return the error that says what `compile` lacks to make one module."""
        for spec in self.inputs:
            if spec.is_open and spec.name not in self._value_inputs:
                sizes = [str(s) if isinstance(s, int) else "1" for s in spec.shape or ()]
                example = ", ".join(sizes) + "," * (len(sizes) == 1)
                return NeedsBinding(
                    f"input {spec.name!r} has a size that is not a number",
                    expected="every size bound",
                    got=str(spec),
                    hint=f'pass e.g. shapes={{"{spec.name}": ({example})}}, '
                    f"or --shapes {spec.name}={'x'.join(sizes)}",
                )
        names = sorted(self._value_inputs)
        return NeedsBinding(
            "values of inputs decide shapes",
            expected=f"values= of {', '.join(names)}",
            got="none",
            hint=f'pass e.g. values={{"{names[0]}": (1, 2)}}, or --values {names[0]}=1,2'
            if names
            else "",
        )

    def __repr__(self) -> str:
        return f"<SpecializingModule {self.signature}: {len(self.modules)} compiled>"

    def _split(
        self, arrays: Sequence[object], named: Mapping[str, object]
    ) -> tuple[list[object], Sequence[object]]:
        """Return the inputs in order, and the outputs to fill."""
        names = [spec.name for spec in self.inputs]
        count = len(names)
        given = dict(zip(names, arrays, strict=False))
        for name in named:
            if name not in names or name in given:
                problem = "is given twice" if name in names else "is not an input"
                raise self._error(f"{name} {problem}")
        given.update(named)
        missing = [name for name in names if name not in given]
        if missing:
            raise self._error("inputs are missing", expected=", ".join(missing))
        outputs = arrays[count:]
        if outputs and len(outputs) != len(self.output_names):
            expected = f"{count} (inputs) or {count + len(self.output_names)} (with outputs)"
            raise self._error("wrong number of arguments", expected=expected, got=len(arrays))
        return [given[name] for name in names], outputs

    def _specialized(self, inputs: Sequence[object]) -> tuple[CompiledModule, list[object]]:
        """Return the module for a call, and the inputs that it takes."""
        arrays = [self._array(i, value) for i, value in enumerate(inputs)]
        self._check_shapes(arrays)
        module = self._known(self._key(arrays)) or self._compiled(arrays)
        rest = [
            value
            for spec, value in zip(self.inputs, inputs, strict=True)
            if spec.name not in self._value_inputs
        ]
        return module, rest

    def _known(self, key: _Key) -> CompiledModule | None:
        with self._table_lock:
            module = self.modules.get(key)
            if module is not None:
                self.modules.move_to_end(key)
            return module

    def _keep(self, key: _Key, module: CompiledModule) -> None:
        with self._table_lock:
            self.modules[key] = module
            if len(self.modules) > MAX_SPECIALIZATIONS:
                self.modules.popitem(last=False)

    def _key(self, arrays: Sequence[Array]) -> _Key:
        return tuple(
            a.tobytes() if spec.name in self._value_inputs else a.shape
            for spec, a in zip(self.inputs, arrays, strict=True)
        )

    def _compiled(self, arrays: Sequence[Array]) -> CompiledModule:
        """Compile for a call; a value that turns out to be needed is asked for from then on."""
        by_name = {spec.name: array for spec, array in zip(self.inputs, arrays, strict=True)}
        with self._compile_lock:
            while True:
                key = self._key(arrays)
                known = self._known(key)
                if known is not None:
                    return known
                values = {name: self._value(name, by_name[name]) for name in self._value_inputs}
                shapes = {n: a.shape for n, a in by_name.items() if n not in values}
                try:
                    module = self._build(shapes, values)
                except NeedsBinding as err:
                    if self._value_inputs.issuperset(err.inputs):
                        raise
                    # Keys made so far lack these values, so no call finds their modules again.
                    self._value_inputs |= frozenset(err.inputs)
                    continue
                self._keep(key, module)
                return module

    def _value(self, name: str, array: Array) -> Array:
        if array.size > MAX_SIZES:
            raise self._error(
                f"input {name} decides shapes and has too many elements",
                expected=f"at most {MAX_SIZES}",
                got=array.size,
            )
        return np.array(array)

    def _array(self, index: int, value: object) -> Array:
        """Return an input as an array of the declared dtype, without a copy if it is one."""
        spec = self.inputs[index]
        where = f"{self.name}: argument {index} ({spec.name})"
        if not isinstance(value, (bool, int, float, list, tuple)):
            array = as_array(value, where)
            if array.dtype.name != spec.dtype:
                hint = f'convert it with .astype("{spec.dtype}")'
                raise self._error(f"argument {index} ({spec.name}) has the wrong dtype",
                                  expected=spec, got=array.dtype, hint=hint)  # fmt: skip
            return array
        try:
            return np.asarray(value, spec.dtype)
        except (ValueError, TypeError, OverflowError) as err:
            problem = f"argument {index} ({spec.name}) does not fit its type"
            raise self._error(problem, expected=spec, got=err) from err

    def _check_shapes(self, arrays: Sequence[Array]) -> None:
        """Refuse shapes that the declared ones, with their shared names, do not allow."""
        bound: dict[str, int] = {}
        pending: list[tuple[OpenSpec, Array, Dim, int]] = []
        for spec, array in zip(self.inputs, arrays, strict=True):
            dims = self._dims[spec.name]
            if dims is None:
                continue
            if len(dims) != array.ndim:
                raise self._wrong_shape(spec, array)
            for dim, size in zip(dims, array.shape, strict=True):
                if dim.symbols() == frozenset((str(dim),)):
                    bound.setdefault(str(dim), size)
                pending.append((spec, array, dim, size))
        for spec, array, dim, size in pending:
            if dim.symbols() <= bound.keys() and dim.evaluate(bound) != size:
                raise self._wrong_shape(spec, array, bound)

    def _wrong_shape(
        self, spec: OpenSpec, array: Array, bound: Mapping[str, int] | None = None
    ) -> ArgumentError:
        sizes = ", ".join(f"{name} = {size}" for name, size in (bound or {}).items())
        return self._error(
            f"argument {self.inputs.index(spec)} ({spec.name}) has the wrong shape",
            expected=f"{spec} with {sizes}" if sizes else spec,
            got=array.shape,
        )

    def _error(
        self, rule: str, *, expected: object = None, got: object = None, hint: str = ""
    ) -> ArgumentError:
        return ArgumentError(
            f"{self.name}: {rule}", expected=expected, got=got, hint=hint, signature=self.signature
        )


def open_specs(inputs: Sequence[ValueDef], shapes: Shapes) -> tuple[OpenSpec, ...]:
    """Return the types of the inputs with the user's sizes put in."""
    ranked = [value for value in inputs if value.shape is not None or value.name in shapes]
    types = dict(zip((v.name for v in ranked), argument_types(ranked, shapes), strict=True))
    return tuple(_open_spec(value, types.get(value.name)) for value in inputs)


def _open_spec(value: ValueDef, type_: Any) -> OpenSpec:
    if type_ is None:
        assert value.dtype is not None, f"not a tensor: {value.name}"
        return OpenSpec(value.name, None, value.dtype.name)
    sizes = tuple(str(d) if d.value is None else d.value for d in dims_of(type_))
    return OpenSpec(value.name, sizes, numpy_dtype(type_.get_element_type()).name)


def _dims(spec: OpenSpec) -> tuple[Dim, ...] | None:
    return None if spec.shape is None else tuple(Dim.parse(str(size)) for size in spec.shape)
