"""Shape specialization: compile programs of a model for its calls, where one cannot serve all.

In: a call of a `CompiledModule` whose model needs facts that only a call has.  Out: the program
that runs the call (a `CompiledModule` for itself) and its arguments.  A program belongs to a *kind*
of call: the lengths of sequences, the presence of optionals, the number of dimensions of inputs
without a declared rank, and the values of inputs that decide shapes (the target of a Reshape, the k
of a TopK), which become constants.  Other sizes stay symbolic, so that a kind needs one program.
If some operator has no plan for them, or the sizes of a call do not fit this program (a size of 0,
or a 1 that broadcasts), a program for the sizes of this call is compiled.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import NoneType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar, cast

import numpy as np

from ..dialects.shape import Dim
from ..frontend.onnx.builder import MAX_SIZES
from ..frontend.onnx.signature import (
    Shapes,
    given_ranges,
    identifier,
    parameters,
    shapes_example,
    spelled_out,
    tensor_parts,
    without_inputs,
)
from ..runtime.abi import SYMBOL_MAIN
from ..runtime.arguments import Argument, arguments_of, wrong_count
from ..runtime.errors import ArgumentError
from ..runtime.host import available_threads
from ..runtime.loading import LoadedCode, PythonLibrary
from ..runtime.manifest import ANY_RANK, Manifest, TensorSpec
from ..runtime.ndarray import numpy_dtype
from ..support.diagnostics import NeedsBinding, TilewrightError
from .declared import DeclaredSpec, declared_inputs, declared_outputs
from .settings import Settings
from .store import Open

if TYPE_CHECKING:
    from ..frontend.onnx.input_values import Values

MAX_PROGRAMS = 64
"""Most programs of one model; the least recently used is evicted first."""

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
_Kind: TypeAlias = tuple[object, ...]
_Key: TypeAlias = tuple[_Kind, tuple[tuple[int, ...], ...] | None]
"""A kind of call, and the shapes of a program for one combination of sizes."""


class Program(Protocol):
    """The parts of a `CompiledModule` that choose and check the program of a call."""

    manifest: Manifest

    def accepts(self, inputs: Sequence[Array]) -> bool:
        """Return whether the signature allows inputs of the shapes of these arrays."""
        ...

    def fill(self, arrays: Sequence[object]) -> None:
        """Run on inputs and the arrays that a call fills."""
        ...


ProgramT = TypeVar("ProgramT", bound=Program)
ProgramT_co = TypeVar("ProgramT_co", bound=Program, covariant=True)


class Compiler(Protocol[ProgramT_co]):
    """Compiles a model for shapes and values."""

    def compile_open(self, shapes: Shapes, values: Values) -> ProgramT_co | Open:
        """Return the model for all sizes, or say what else it needs."""
        ...

    def compile_closed(self, shapes: Shapes, values: Values) -> ProgramT_co:
        """Return the model for numbers; NeedsBinding names values that it needs."""
        ...


class _Tensor(NamedTuple):
    """One tensor of a call: its argument and its array."""

    argument: Argument
    array: Array

    @property
    def name(self) -> str:
        return self.argument.spec.name


@dataclass(frozen=True)
class _Call:
    """The tensors of a call, and their number per input; -1 for an absent one.

    constants: names of the tensors whose values are constants of the program.
    """

    tensors: Sequence[_Tensor]
    lengths: tuple[int, ...]
    constants: frozenset[str]

    def kind(self) -> _Kind:
        """Return the facts that a program for all sizes depends on."""
        constants = self.constants
        facts = [
            (x.shape, x.tobytes()) if argument.spec.name in constants else x.ndim
            for argument, x in self.tensors
        ]
        return (self.lengths, *facts)

    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """Return the shapes of all tensors."""
        return tuple([array.shape for _, array in self.tensors])

    def arrays(self) -> list[Array]:
        """Return the arguments of a program: the tensors that are not constants."""
        return [x for argument, x in self.tensors if argument.spec.name not in self.constants]


class Specializer(Generic[ProgramT]):
    """The programs of a model that is compiled at its calls.

    manifest: the declared signature.  inputs: its inputs, the user's sizes filled in.
    Several threads may call; one compiles at a time.
    """

    def __init__(
        self,
        model: Open,
        shapes: Shapes,
        values: Values,
        compiler: Compiler[ProgramT],
        settings: Settings,
    ) -> None:
        self._model, self._values, self._compiler = model, values, compiler
        self._shapes, self._by_input = shapes, spelled_out(shapes, model.inputs)
        self.inputs = declared_inputs(model.inputs, shapes)
        self.manifest = Manifest(
            model.name,
            self.inputs,
            declared_outputs(model.outputs),
            sizes=0,
            arena_bytes=0,
            weights_bytes=0,
            max_threads=settings.max_threads,
            target=str(settings.target),
        )
        self._arguments = arguments_of(self.manifest)[: len(self.inputs)]
        self._value_inputs = frozenset(model.value_inputs)
        self._parts: dict[tuple[int, int], Sequence[Argument]] = {}
        self._programs: OrderedDict[_Key, ProgramT | None] = OrderedDict()
        self._table_lock = threading.Lock()
        self._compile_lock = threading.Lock()
        self._reason = model.reason

    @property
    def value_inputs(self) -> frozenset[str]:
        """Return the names of the tensors whose values decide shapes, as far as known."""
        return self._value_inputs

    @property
    def reason(self) -> str:
        """Return why one program cannot serve all calls."""
        return self._reason or self.unbound().rule

    @property
    def programs(self) -> tuple[ProgramT, ...]:
        """Return the programs compiled so far, the last used at the end."""
        with self._table_lock:
            return tuple(program for program in self._programs.values() if program is not None)

    def loaded(self, threads: int | None) -> LoadedCode:
        """Return the code of a module whose calls compile programs; threads: default of a call."""
        library = PythonLibrary(self.manifest.name, {SYMBOL_MAIN: self.fill})
        wanted = min(threads or available_threads(), self.manifest.max_threads)
        return LoadedCode(library, self.manifest, wanted)

    def fill(self, *arrays: object) -> None:
        """Run a call that passes all inputs and outputs."""
        if len(arrays) != len(self.inputs) + len(self.manifest.filled):
            raise wrong_count(self.manifest, len(arrays))
        program, rest = self.program_for(arrays)
        program.fill(rest)

    def program_for(self, arrays: Sequence[object]) -> tuple[ProgramT, list[object]]:
        """Return the program for a call with inputs, maybe outputs, and its arguments.

        Errors: ArgumentError for arguments that do not fit the signature; the errors of `compile`.
        """
        count = len(self.inputs)
        if len(arrays) < count:
            raise wrong_count(self.manifest, len(arrays))
        call = self._call(arrays[:count])
        program = self._known(call)
        if program is None:
            self._check_shapes(call)
            program, call = self._compiled(call)
        outputs, filled = arrays[count:], len(program.manifest.filled)
        if outputs and len(outputs) != filled:
            raise wrong_count(self.manifest, len(arrays), filled)
        return program, [*call.arrays(), *outputs]

    def program_with(self, values: Values) -> ProgramT:
        """Return the program for bound values, for all sizes that are open then.

        Errors: NeedsBinding if it needs more; the errors of `compile`.
        """
        made = self._compiler.compile_open(self._shapes, {**self._values, **values})
        if not isinstance(made, Open):
            return made
        more = [name for name in made.value_inputs if name not in values]
        raise _unbound_values(more) if more else self.unbound()

    def accepts(self, inputs: Sequence[object]) -> bool:
        """Return whether the shapes of inputs fit the declared ones."""
        try:
            self._check_shapes(self._call(inputs))
        except ArgumentError:
            return False
        return True

    def unbound(self) -> NeedsBinding:
        """Return the error that names the missing sizes or values for one program."""
        for spec, value in zip(self.inputs, self._model.inputs, strict=True):
            if not spec.is_tensor and spec.name not in self._by_input:
                return NeedsBinding(
                    f"input {spec.name!r} has no known number of tensors",
                    expected="every size bound",
                    got=str(spec),
                    hint=f"pass e.g. shapes={shapes_example(value)}",
                )
        tensors = [s for s in self.inputs if s.is_tensor and s.name not in self._value_inputs]
        for spec in tensors:
            is_needed = spec.shape == ANY_RANK or not self._value_inputs
            if is_needed and spec.is_symbolic():
                return _unbound_size(spec)
        if self._value_inputs:
            return _unbound_values(self._value_inputs)
        return NeedsBinding("a step needs numbers", expected="every size bound", got=self._reason)

    def _call(self, inputs: Sequence[object]) -> _Call:
        tensors: list[_Tensor] = []
        lengths: list[int] = []
        for argument, spec, value in zip(self._arguments, self.inputs, inputs, strict=True):
            if spec.is_tensor:
                tensors.append(_Tensor(argument, _array(argument, value)))
                lengths.append(1)
                continue
            given = _items(argument, spec, value)
            lengths.append(-1 if value is None else len(given))
            pairs = zip(self._parts_of(argument, len(given)), given, strict=True)
            tensors += [_Tensor(part, _array(part, item)) for part, item in pairs]
        return _Call(tensors, tuple(lengths), self._value_inputs)

    def _parts_of(self, argument: Argument, length: int) -> Sequence[Argument]:
        """Return the arguments for an input that is no tensor; keep them for later calls."""
        key = argument.position, length
        parts = self._parts.get(key)
        if parts is None:
            parts = self._new_parts(argument, length)
            with self._table_lock:
                self._parts[key] = parts
                if len(self._parts) > MAX_PROGRAMS:
                    self._parts.pop(next(iter(self._parts)))
        return parts

    def _new_parts(self, argument: Argument, length: int) -> Sequence[Argument]:
        """Return the arguments for an input that is no tensor.

        Errors: ArgumentError for another number of tensors than the user gave.
        """
        declared = self._model.inputs[argument.position]
        values, shapes = tensor_parts(declared, length), {}
        if declared.name in self._by_input:
            (fixed,) = parameters([declared], {declared.name: self._by_input[declared.name]})
            values, shapes = fixed.parts, fixed.shapes
        if len(values) != length:
            raise argument.refused("has a wrong length", length, expected=len(values))
        return [replace(argument, spec=spec) for spec in declared_inputs(values, shapes)]

    def _known(self, call: _Call) -> ProgramT | None:
        """Return the program for a call, if it has been compiled."""
        kind = call.kind()
        for_sizes = self._used((kind, call.shapes()))
        if for_sizes is not None:
            return for_sizes
        for_all = self._used((kind, None))
        return for_all if for_all is not None and for_all.accepts(call.arrays()) else None

    def _used(self, key: _Key) -> ProgramT | None:
        with self._table_lock:
            if key in self._programs:
                self._programs.move_to_end(key)
            return self._programs.get(key)

    def _keep(self, key: _Key, program: ProgramT | None) -> None:
        with self._table_lock:
            self._programs[key] = program
            if len(self._programs) > MAX_PROGRAMS:
                self._programs.popitem(last=False)

    def _compiled(self, call: _Call) -> tuple[ProgramT, _Call]:
        """Compile for a call; record inputs whose values turn out to be needed."""
        with self._compile_lock:
            while True:
                # Earlier kinds lack values that are needed now, so no call finds their programs.
                call = replace(call, constants=self._value_inputs)
                program = self._known(call) or self._new(call)
                if program is not None:
                    return program, call

    def _new(self, call: _Call) -> ProgramT | None:
        """Compile a program for a call; None if more inputs have to become constants."""
        kind = call.kind()
        if (kind, None) not in self._programs and not self._needs_numbers(call):
            made = self._for_all_sizes(call)
            if isinstance(made, Open) and self._take_values_of(made.value_inputs):
                return None
            program = None if isinstance(made, Open) else made
            self._keep((kind, None), program)
            if program is not None and program.accepts(call.arrays()):
                return program
        try:
            program = self._compiler.compile_closed(self._sizes_of(call), self._values_of(call))
        except NeedsBinding as err:
            if self._take_values_of(err.inputs):
                return None
            raise
        self._keep((kind, call.shapes()), program)
        return program

    def _needs_numbers(self, call: _Call) -> bool:
        """Return whether a program for all sizes of a kind is known to be impossible."""
        is_only_kind = all(spec.is_tensor and spec.shape != ANY_RANK for spec in self.inputs)
        return bool(self._model.reason) and is_only_kind and not call.constants

    def _for_all_sizes(self, call: _Call) -> ProgramT | Open:
        """Compile for a kind of call; if an operator has no plan, note its reason."""
        try:
            made = self._compiler.compile_open(self._symbols_of(call), self._values_of(call))
        except TilewrightError as err:  # if numbers do not help, the next compilation raises it
            made = replace(self._model, value_inputs=(), reason=str(err))
        if isinstance(made, Open) and made.reason:
            self._reason = made.reason
        return made

    def _take_values_of(self, names: Iterable[str]) -> bool:
        """Make more inputs constants of programs; return whether there are any."""
        more = frozenset(names) - self._value_inputs
        self._value_inputs |= more
        return bool(more)

    def _values_of(self, call: _Call) -> Values:
        """Return the values of the model's inputs that are constants, as arrays of their own.

        Errors: ArgumentError for a tensor with too many elements.
        """
        constants = [each for each in call.tensors if each.name in call.constants]
        return {**self._values, **{each.name: _value(each) for each in constants}}

    def _symbols_of(self, call: _Call) -> Shapes:
        """Return the shapes of a kind of call, with names for open sizes."""
        shapes = dict(without_inputs(self._shapes, self._model.inputs, call.constants))
        open_inputs = (s.name for s in self.inputs if not s.is_tensor or s.shape == ANY_RANK)
        named = self._shapes_by_input(call, _symbols)
        return {**{name: named[name] for name in open_inputs if name in named}, **shapes}

    def _sizes_of(self, call: _Call) -> Shapes:
        """Return the sizes of a call, except of tensors that are constants."""
        return self._shapes_by_input(call, lambda tensor: tensor.array.shape)

    def _shapes_by_input(
        self, call: _Call, shape_of: Callable[[_Tensor], Sequence[int | str]]
    ) -> dict[str, Sequence[int | str] | Sequence[Sequence[int | str]] | None]:
        shapes: dict[str, Sequence[int | str] | Sequence[Sequence[int | str]] | None] = {}
        for position, spec in enumerate(self.inputs):
            given = [shape_of(t) for t in call.tensors if t.argument.position == position]
            if spec.is_list:
                shapes[spec.name] = None if call.lengths[position] < 0 else given
            elif spec.name not in call.constants:
                shapes[spec.name] = given[0] if given else None
        return shapes

    def _check_shapes(self, call: _Call) -> None:
        """Refuse shapes that contradict the declared ones, their shared names or their ranges.

        Errors: ArgumentError.
        """
        ranges = given_ranges(self._shapes)
        bound: dict[str, int] = {}
        bound_by: dict[str, str] = {}
        pending: list[tuple[_Tensor, Dim, int]] = []
        for tensor in call.tensors:
            dims = _dims(tensor.argument.spec)
            if dims is None:
                continue
            if len(dims) != tensor.array.ndim:
                raise _wrong_shape(tensor)
            for dim, size in zip(dims, tensor.array.shape, strict=True):
                if dim.symbols() == frozenset((str(dim),)):
                    bound.setdefault(str(dim), size)
                    bound_by.setdefault(str(dim), tensor.name)
                    if size not in ranges.get(str(dim), (size,)):
                        raise _outside(tensor, str(dim), ranges[str(dim)])
                pending.append((tensor, dim, size))
        for tensor, dim, size in pending:
            if dim.symbols() <= bound.keys() and dim.evaluate(bound) != size:
                dims = _dims(tensor.argument.spec) or ()
                names = sorted({n for d in dims for n in d.symbols()} & bound.keys())
                known = ", ".join(f"{n} = {bound[n]} (of {bound_by[n]})" for n in names)
                raise _wrong_shape(tensor, known)


def _array(argument: Argument, value: object) -> Array:
    """Return an input as an array of the declared dtype; copy only what has swapped bytes."""
    dtype = numpy_dtype(argument.spec.dtype)
    array = argument.typed(value, dtype)
    return array if array.dtype == dtype else array.astype(dtype)


def _items(argument: Argument, spec: DeclaredSpec, value: object) -> Sequence[object]:
    """Return the tensors given for an input that is a sequence or optional.

    Errors: ArgumentError.
    """
    if spec.is_list and not isinstance(value, (list, tuple, NoneType)):
        raise argument.refused("is not a list of arrays", type(value).__name__)
    if value is None and not spec.is_optional:
        raise argument.refused("is not given", "None")
    if value is None:
        return ()
    return cast("Sequence[object]", value) if spec.is_list else (value,)


def _value(tensor: _Tensor) -> Array:
    """Return a tensor as an array of its own."""
    argument, array = tensor
    if array.size > MAX_SIZES:
        raise argument.refused(
            "decides shapes and has too many elements",
            array.size,
            expected=f"at most {MAX_SIZES}",
        )
    return np.array(array)


def _symbols(tensor: _Tensor) -> Sequence[int | str]:
    """Return the sizes of a tensor by name, as far as they are not declared."""
    spec = tensor.argument.spec
    if spec.shape != ANY_RANK:
        return spec.shape
    return [identifier(f"{spec.name}_{axis}") for axis in range(tensor.array.ndim)]


def _unbound_size(spec: DeclaredSpec) -> NeedsBinding:
    sizes = [] if spec.shape == ANY_RANK else [s if isinstance(s, int) else 1 for s in spec.shape]
    example, text = ", ".join(map(str, sizes)) + "," * (len(sizes) == 1), "x".join(map(str, sizes))
    return NeedsBinding(
        f"input {spec.name!r} has a size that is not a number",
        expected="every size bound",
        got=str(spec),
        hint=f'pass e.g. shapes={{"{spec.name}": ({example})}}, or --shapes {spec.name}={text}',
    )


def _unbound_values(inputs: Iterable[str]) -> NeedsBinding:
    names = sorted(inputs)
    return NeedsBinding(
        "values of inputs decide shapes",
        expected=f"values= of {', '.join(names)}",
        got="none",
        hint=f'pass e.g. values={{"{names[0]}": (1, 2)}}, or --values {names[0]}=1,2',
    )


def _wrong_shape(tensor: _Tensor, known: str = "") -> ArgumentError:
    spec = tensor.argument.spec
    expected = f"{spec} with {known}" if known else spec
    return tensor.argument.refused("has the wrong shape", tensor.array.shape, expected=expected)


def _outside(tensor: _Tensor, name: str, sizes: range) -> ArgumentError:
    expected = f"{name} in {sizes.start}..{sizes.stop - 1}"
    return tensor.argument.refused("has the wrong shape", tensor.array.shape, expected=expected)


@lru_cache(1024)
def _dims(spec: TensorSpec) -> tuple[Dim, ...] | None:
    return None if spec.shape == ANY_RANK else tuple(Dim.parse(str(size)) for size in spec.shape)
