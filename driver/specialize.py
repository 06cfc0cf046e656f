"""Shape specialization: compile a model at a call for its sizes and its shape-deciding values.

A model with open sizes (a symbolic batch, an input without rank, a sequence) or with small inputs
whose values decide the shapes of results (the target of a Reshape, the k of a TopK) cannot be
compiled ahead of time. `SpecializingModule` compiles it for the shapes and values of each new kind
of call, keeps the modules, and dispatches each call to its module, without the inputs that became
constants.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from os import PathLike
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from ..dialects.shape import Dim
from ..frontend.onnx.builder import MAX_SIZES
from ..frontend.onnx.signature import (
    Shapes,
    parameters,
    shapes_example,
    spelled_out,
    tensor_parts,
)
from ..runtime.arguments import in_order
from ..runtime.errors import ArgumentError
from ..runtime.packed import PackedFunc
from ..runtime.values import as_array
from ..support.diagnostics import NeedsBinding
from .modules import CompiledModule
from .open_inputs import OpenSpec, open_specs

if TYPE_CHECKING:
    from ..frontend.onnx.definitions import ValueDef
    from ..runtime.module import Result

MAX_SPECIALIZATIONS = 64
"""Most compiled modules of one model; the least recently used is evicted first."""

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Build: TypeAlias = Callable[[Shapes, Mapping[str, Array]], CompiledModule]
_Key: TypeAlias = tuple[tuple[int, ...] | bytes, ...]


@dataclass(frozen=True)
class _Argument:
    """One tensor of a call: its type, its input's position, the given object and its array."""

    spec: OpenSpec
    position: int
    given: object
    array: Array


@dataclass(frozen=True)
class _Call:
    """The tensors of a call, and the number per input; -1 for an absent input."""

    arguments: list[_Argument]
    lengths: list[int]


_LOADED = ["outputs", "threads", "manifest"]
"""Attributes of loaded modules that their class does not define."""


class SpecializingModule:
    """A model that is compiled for the sizes of its calls; called like a `Module`.

    inputs: the declared types.  signature: their text for messages.  modules: the modules compiled
    so far, by shapes and values.  reason: why one module cannot serve all sizes; empty if values
    decide shapes.
    Several threads may call; one compiles at a time.
    Errors: ArgumentError for arguments that do not fit the declared types; the errors of `compile`
    if the model cannot be compiled for the sizes of a call.
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
        reason: str = "",
    ) -> None:
        self.name = name
        shapes = spelled_out(shapes, inputs)
        self.inputs = open_specs(inputs, shapes)
        self._declared = tuple(inputs)
        self._fixed = {v.name: shapes[v.name] for v in inputs if v.name in shapes}
        self.output_names = output_names
        self.reason = reason
        taken = ", ".join(f"{spec.name}: {spec}" for spec in self.inputs)
        self.signature = f"{name}({taken}) -> ({', '.join(output_names)})"
        self.modules: OrderedDict[_Key, CompiledModule] = OrderedDict()
        self._build = build
        self._value_inputs = frozenset(value_inputs)
        self._table_lock = threading.Lock()
        self._compile_lock = threading.Lock()

    def __call__(self, /, *arrays: object, **named: object) -> Result:
        """Run on positional or named inputs; fill outputs that are given after the inputs."""
        inputs, outputs = self._split(arrays, named)
        module, rest = self._specialized(inputs)
        return module(*rest, *outputs)

    def run(
        self, inputs: Mapping[str, object] | Sequence[object], *, threads: int | None = None
    ) -> tuple[Any, ...]:
        """Run on inputs by name or in order; return all results, always as a tuple."""
        by_name = isinstance(inputs, Mapping)
        given = self._split((), inputs)[0] if by_name else self._split(inputs, {})[0]
        module, rest = self._specialized(given)
        return module.run(rest, threads=threads)

    def specialize(self, inputs: Mapping[str, object] | Sequence[object]) -> CompiledModule:
        """Return the module for inputs like the given ones; compile it if needed.

        Its inputs are those that did not become constants.
        """
        by_name = isinstance(inputs, Mapping)
        given = self._split((), inputs)[0] if by_name else self._split(inputs, {})[0]
        return self._specialized(given)[0]

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            """Refuse attributes that only the module of one kind of call has."""
            message = f"SpecializingModule has no attribute {name!r}"
            if not name.startswith("_") and name in dir(CompiledModule) + _LOADED:
                message += (
                    "; a module for the sizes of a call has\n"
                    f"    hint: mod.specialize(inputs).{name} with inputs of these sizes"
                )
            raise AttributeError(message)

    def __getitem__(self, name: str) -> PackedFunc:
        """Return the module as a packed function that fills its outputs: ``main`` or its own name.

        Errors: KeyError for another name.
        """
        names = dict.fromkeys(("main", self.name))
        if name not in names:
            raise KeyError(
                f"module {self.name} has no function {name!r}; it has {', '.join(names)}"
            )
        return PackedFunc.of_python(self._fill, name)

    def _fill(self, *arrays: object) -> None:
        inputs, outputs = self._split(arrays, {})
        if len(outputs) != len(self.output_names):
            expected = f"{len(self.inputs) + len(self.output_names)} (inputs, then outputs to fill)"
            raise self._error("wrong number of arguments", expected=expected, got=len(arrays))
        module, rest = self._specialized(inputs)
        module(*rest, *outputs)

    def get_source(self, kind: str = "ll") -> str:
        """Refuse, because each kind of call has separate source.

        Errors: LookupError, which says how to get it.
        """
        raise LookupError(
            f"module {self.name} is compiled for the sizes of each call\n"
            f'    hint: mod.specialize(inputs).get_source("{kind}") with inputs of these sizes'
        )

    @property
    def value_inputs(self) -> frozenset[str]:
        """Return the names of the inputs whose values decide shapes, as far as known."""
        return self._value_inputs

    def export_library(self, path: str | PathLike[str], *, embed: bool = False) -> list[Path]:
        """Refuse to export a model that is compiled at each new kind of call.

        Errors: NeedsBinding, which names the sizes or values to bind.
        """
        raise self.unbound()

    def unbound(self) -> NeedsBinding:
        """Return the error that names the missing sizes or values for a single module."""
        for spec, value in zip(self.inputs, self._declared, strict=True):
            if not spec.is_tensor and spec.name not in self._fixed:
                return NeedsBinding(
                    f"input {spec.name!r} has no known number of tensors",
                    expected="every size bound",
                    got=str(spec),
                    hint=f"pass e.g. shapes={shapes_example(value)}",
                )
            if spec.is_tensor and spec.is_open and spec.name not in self._value_inputs:
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
    ) -> tuple[Sequence[object], Sequence[object]]:
        """Return the inputs in order, and the outputs to fill."""
        names = [spec.name for spec in self.inputs]
        count = len(names)
        inputs = in_order(names, arrays, named, self.name, self.signature)
        outputs = arrays[count:]
        if outputs and len(outputs) != len(self.output_names):
            expected = f"{count} (inputs) or {count + len(self.output_names)} (with outputs)"
            raise self._error("wrong number of arguments", expected=expected, got=len(arrays))
        return inputs, outputs

    def _specialized(self, inputs: Sequence[object]) -> tuple[CompiledModule, list[object]]:
        """Return the module for a call, and its arguments."""
        call = _Call([], [])
        for position, value in enumerate(inputs):
            self._add(call, position, value)
        module = self._known(self._key(call))
        if module is None:
            self._check_shapes(call)
            module = self._compiled(call)
        return module, [a.given for a in call.arguments if a.spec.name not in self._value_inputs]

    def _add(self, call: _Call, position: int, value: object) -> None:
        """Add the tensors given for an input."""
        spec = self.inputs[position]
        where = f"argument {position} ({spec.name})"
        if spec.is_list and not isinstance(value, (list, tuple, NoneType)):
            got = type(value).__name__
            raise self._error(f"{where} is not a list of arrays", expected=spec, got=got)
        if value is None and not spec.is_optional:
            raise self._error(f"{where} is not given", expected=spec, got=value)
        given = list(cast("Sequence[object]", value) or ()) if spec.is_list else [value]
        given = [] if value is None else given
        specs = (spec,) if spec.is_tensor else self._parts(position, len(given))
        if len(specs) != len(given):
            raise self._error(f"{where} has a wrong length", expected=len(specs), got=len(given))
        call.lengths.append(-1 if value is None else len(given))
        for part, each in zip(specs, given, strict=True):
            array = self._array(part, position, each)
            call.arguments.append(_Argument(part, position, each, array))

    def _parts(self, position: int, length: int) -> tuple[OpenSpec, ...]:
        """Return the types of the arguments for an input of ``length`` tensors."""
        declared = self._declared[position]
        if declared.name in self._fixed:
            (fixed,) = parameters([declared], {declared.name: self._fixed[declared.name]})
            return open_specs(fixed.parts, fixed.shapes)
        return open_specs(tensor_parts(declared, length), {})

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

    def _key(self, call: _Call) -> _Key:
        values = self._value_inputs
        arguments = (
            a.array.tobytes() if a.spec.name in values else a.array.shape for a in call.arguments
        )
        return (tuple(call.lengths), *arguments)

    def _compiled(self, call: _Call) -> CompiledModule:
        """Compile for a call; record inputs whose values turn out to be needed."""
        by_name = {a.spec.name: a.array for a in call.arguments}
        with self._compile_lock:
            while True:
                key = self._key(call)
                known = self._known(key)
                if known is not None:
                    return known
                needed = self._value_inputs & by_name.keys()
                values = {name: self._value(name, by_name[name]) for name in needed}
                try:
                    module = self._build(self._shapes(call, needed), values)
                except NeedsBinding as err:
                    if self._value_inputs.issuperset(err.inputs):
                        raise
                    # Earlier keys lack these values, so no call finds their modules again.
                    self._value_inputs |= frozenset(err.inputs)
                    continue
                self._keep(key, module)
                return module

    def _shapes(self, call: _Call, values: AbstractSet[str]) -> Shapes:
        """Return the sizes of a call by input, except tensors whose values are bound."""
        shapes: dict[str, Sequence[int | str] | Sequence[Sequence[int | str]] | None] = {}
        for position, spec in enumerate(self.inputs):
            given = [a.array.shape for a in call.arguments if a.position == position]
            if spec.is_list:
                shapes[spec.name] = None if call.lengths[position] < 0 else given
            elif not spec.is_tensor or spec.name not in values:
                shapes[spec.name] = given[0] if given else None
        return shapes

    def _value(self, name: str, array: Array) -> Array:
        if array.size > MAX_SIZES:
            raise self._error(
                f"input {name} decides shapes and has too many elements",
                expected=f"at most {MAX_SIZES}",
                got=array.size,
            )
        return np.array(array)

    def _array(self, spec: OpenSpec, index: int, value: object) -> Array:
        """Return an input as an array of the declared dtype; do not copy arrays."""
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

    def _check_shapes(self, call: _Call) -> None:
        """Refuse shapes that contradict the declared ones and their shared names."""
        bound: dict[str, int] = {}
        bound_by: dict[str, str] = {}
        pending: list[tuple[_Argument, Dim, int]] = []
        for argument in call.arguments:
            dims, array = _dims(argument.spec), argument.array
            if dims is None:
                continue
            if len(dims) != array.ndim:
                raise self._wrong_shape(argument)
            for dim, size in zip(dims, array.shape, strict=True):
                if dim.symbols() == frozenset((str(dim),)):
                    bound.setdefault(str(dim), size)
                    bound_by.setdefault(str(dim), argument.spec.name)
                pending.append((argument, dim, size))
        for argument, dim, size in pending:
            if dim.symbols() <= bound.keys() and dim.evaluate(bound) != size:
                names = {n for d in _dims(argument.spec) or () for n in d.symbols()} & bound.keys()
                raise self._wrong_shape(argument, {n: (bound[n], bound_by[n]) for n in names})

    def _wrong_shape(
        self, argument: _Argument, bound: Mapping[str, tuple[int, str]] | None = None
    ) -> ArgumentError:
        rows = sorted((bound or {}).items())
        sizes = ", ".join(f"{name} = {size} (of {source})" for name, (size, source) in rows)
        spec = argument.spec
        return self._error(
            f"argument {argument.position} ({spec.name}) has the wrong shape",
            expected=f"{spec} with {sizes}" if sizes else spec,
            got=argument.array.shape,
        )

    def _error(
        self, rule: str, *, expected: object = None, got: object = None, hint: str = ""
    ) -> ArgumentError:
        return ArgumentError(
            f"{self.name}: {rule}", expected=expected, got=got, hint=hint, signature=self.signature
        )


@lru_cache(1024)
def _dims(spec: OpenSpec) -> tuple[Dim, ...] | None:
    return None if spec.shape is None else tuple(Dim.parse(str(size)) for size in spec.shape)
