"""Shape specialization: compile several programs of a model in its calls, if one is not enough.

In: a call of a `CompiledModule` whose compilation needs facts that only a call has.  Out: the
program that runs the call (another `CompiledModule`) and its arguments.  A program belongs to a
*kind* of call: the lengths of sequences, the presence of optionals, the number of dimensions of
inputs without a declared rank, and the values of inputs that decide shapes (the target shape of a
Reshape, the k of a TopK), which become constants.  Other sizes stay symbolic, so usually a kind
needs one program. But if some operator has no plan for symbolic sizes, or the sizes of a call do
not fit this program (a size of 0, or a 1 that broadcasts), a program for the sizes of this call is
compiled.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import NoneType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

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
from ..runtime.abi.ndarray import numpy_dtype
from ..runtime.call.arguments import Argument, arguments_of, wrong_count
from ..runtime.errors import ArgumentError
from ..runtime.file.manifest import ANY_RANK, Manifest, TensorSpec
from ..support.diagnostics import NeedsBinding, TilewrightError
from .declared import DeclaredSpec, declared_inputs, declared_outputs
from .module.compiled_module import CompiledModule, compiled
from .request import Request
from .store import ModelSignature

if TYPE_CHECKING:
    from ..frontend.onnx.input_values import Values

MAX_PROGRAMS = 64
"""Largest number of programs of one model; the least recently used program is evicted first."""

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
_Kind: TypeAlias = tuple[object, ...]
_Key: TypeAlias = tuple[_Kind, tuple[tuple[int, ...], ...] | None]
"""The key of a program: the kind of call and, if it is for one combination of sizes, all shapes."""


class _Tensor(NamedTuple):
    """One input tensor of a call: its declared argument, and its array."""

    argument: Argument
    array: Array

    @property
    def name(self) -> str:
        return self.argument.spec.name


@dataclass(frozen=True)
class _CallTensors:
    """The input tensors of a call.

    lengths: the number of tensors of each input; -1 for an absent optional sequence.
    constants: the names of the tensors whose values are constants of the program.
    """

    tensors: Sequence[_Tensor]
    lengths: tuple[int, ...]
    constants: frozenset[str]

    def kind(self) -> _Kind:
        """Return a key that is equal for calls that one program, compiled for all sizes, can run.

        The key consists of the number of tensors of each input, the rank of each tensor, and the
        shape and bytes of the tensors whose values are constants of the program.
        """
        facts = [
            (x.array.shape, x.array.tobytes()) if x.name in self.constants else x.array.ndim
            for x in self.tensors
        ]
        return (self.lengths, *facts)

    def shapes(self) -> tuple[tuple[int, ...], ...]:
        return tuple([array.shape for _, array in self.tensors])

    def arrays(self) -> list[Array]:
        return [x.array for x in self.tensors if x.name not in self.constants]


class Specializer:
    """A compiler of programs for the calls of a model, which stores the programs for later calls.

    model: the declared signature of the model, which no single program can run for all calls.
    request: the request of the user.
    manifest: the signature as callers see it.  inputs: the declared inputs, with the user's sizes
    substituted.
    Several threads may call at the same time; only one thread at a time compiles.
    """

    def __init__(self, model: ModelSignature, request: Request) -> None:
        self._model, self._request = model, request
        self._by_input = spelled_out(request.shapes, model.inputs)
        self.inputs = declared_inputs(model.inputs, request.shapes)
        self.manifest = Manifest(
            model.name,
            self.inputs,
            declared_outputs(model.outputs),
            sizes=0,
            arena_bytes=0,
            weights_bytes=0,
            max_threads=request.settings.max_threads,
            target=str(request.settings.target),
        )
        self._arguments = arguments_of(self.manifest)[: len(self.inputs)]
        self._value_inputs = frozenset(model.value_inputs)
        self._parts: dict[tuple[int, int], Sequence[Argument]] = {}
        self._programs: OrderedDict[_Key, CompiledModule | None] = OrderedDict()
        self._table_lock = threading.Lock()
        self._compile_lock = threading.Lock()
        self._reason = model.reason

    @property
    def value_inputs(self) -> frozenset[str]:
        """Return the names of the tensors whose values are known to determine shapes."""
        return self._value_inputs

    @property
    def reason(self) -> str:
        """Return why one program cannot run all calls."""
        return self._reason or self.unbound().rule

    @property
    def programs(self) -> tuple[CompiledModule, ...]:
        """Return the programs compiled so far, the most recently used one last."""
        with self._table_lock:
            return tuple(program for program in self._programs.values() if program is not None)

    def fill(self, *arrays: object) -> None:
        """Run a call and write its results to arrays.

        arrays: all inputs, then all arrays that the call fills.
        """
        if len(arrays) != len(self.inputs) + len(self.manifest.filled):
            raise wrong_count(self.manifest, len(arrays))
        program, rest = self.program_for(arrays)
        program.fill(rest)

    def program_for(self, arrays: Sequence[object]) -> tuple[CompiledModule, list[object]]:
        """Return the program for a call, compiled if necessary, and the program's arguments.

        arrays: the inputs of the call, and optionally the arrays that the call fills.
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

    def program_with(self, values: Values) -> CompiledModule:
        """Compile a program for these bound values; the remaining symbolic sizes stay symbolic.

        Errors: NeedsBinding if the program needs more values or sizes; the errors of `compile`.
        """
        made = compiled(replace(self._request, values={**self._request.values, **values}))
        if not isinstance(made, ModelSignature):
            return made
        more = [name for name in made.value_inputs if name not in values]
        raise _unbound_values(more) if more else self.unbound()

    def accepts(self, inputs: Sequence[object]) -> bool:
        """Return whether the shapes of inputs fit the declared shapes."""
        try:
            self._check_shapes(self._call(inputs))
        except ArgumentError:
            return False
        return True

    def unbound(self) -> NeedsBinding:
        """Return an error that names the sizes or values to bind so that one program is enough."""
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

    def _call(self, inputs: Sequence[object]) -> _CallTensors:
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
        return _CallTensors(tensors, tuple(lengths), self._value_inputs)

    def _parts_of(self, argument: Argument, length: int) -> Sequence[Argument]:
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
        """Create one argument per tensor of an input that is a sequence or optional.

        length: the number of tensors that the call passes.

        Errors: ArgumentError if the user's shapes fix another number of tensors.
        """
        declared = self._model.inputs[argument.position]
        values, shapes = tensor_parts(declared, length), {}
        if declared.name in self._by_input:
            (fixed,) = parameters([declared], {declared.name: self._by_input[declared.name]})
            values, shapes = fixed.parts, fixed.shapes
        if len(values) != length:
            raise argument.refused("has a wrong length", length, expected=len(values))
        return [replace(argument, spec=spec) for spec in declared_inputs(values, shapes)]

    def _known(self, call: _CallTensors) -> CompiledModule | None:
        kind = call.kind()
        for_sizes = self._used((kind, call.shapes()))
        if for_sizes is not None:
            return for_sizes
        for_all = self._used((kind, None))
        return for_all if for_all is not None and for_all.accepts(call.arrays()) else None

    def _used(self, key: _Key) -> CompiledModule | None:
        with self._table_lock:
            if key in self._programs:
                self._programs.move_to_end(key)
            return self._programs.get(key)

    def _keep(self, key: _Key, program: CompiledModule | None) -> None:
        with self._table_lock:
            self._programs[key] = program
            if len(self._programs) > MAX_PROGRAMS:
                self._programs.popitem(last=False)

    def _compiled(self, call: _CallTensors) -> tuple[CompiledModule, _CallTensors]:
        with self._compile_lock:
            while True:
                # After an input became a constant, its values are part of each kind, so calls
                # do not find programs that were compiled before.
                call = replace(call, constants=self._value_inputs)
                program = self._known(call) or self._new(call)
                if program is not None:
                    return program, call

    def _new(self, call: _CallTensors) -> CompiledModule | None:
        """Compile a program for a call, and store it for later calls.

        Return None if the compilation shows that more inputs have to become constants; then the
        kind of the call changes.
        """
        for key, request in self._requests(call):
            try:
                made = compiled(request)
            except TilewrightError as err:
                if request.is_fully_bound:
                    if isinstance(err, NeedsBinding) and self._take_values_of(err.inputs):
                        return None
                    raise
                made = replace(self._model, value_inputs=(), reason=str(err))
            if isinstance(made, ModelSignature):
                self._reason = made.reason or self._reason
                if self._take_values_of(made.value_inputs):
                    return None
                made = None
            self._keep(key, made)
            if made is not None and (request.is_fully_bound or made.accepts(call.arrays())):
                return made
        raise AssertionError("a closed request gives a program")

    def _requests(self, call: _CallTensors) -> Iterator[tuple[_Key, Request]]:
        """Yield one or two requests to compile a program for a call, with the keys of the programs.

        The first request is for all sizes that calls of this kind may have; it is left out if it is
        known to fail.  The second request binds the sizes of the call; if it fails too, its error
        is raised in the call.
        """
        kind, given = call.kind(), replace(self._request, values=self._values_of(call))
        is_only_kind = all(spec.is_tensor and spec.shape != ANY_RANK for spec in self.inputs)
        needs_numbers = self._model.reason and is_only_kind and not call.constants
        if (kind, None) not in self._programs and not needs_numbers:
            yield (kind, None), replace(given, shapes=self._symbols_of(call))
        shapes = self._shapes_by_input(call, lambda tensor: tensor.array.shape)
        yield (kind, call.shapes()), replace(given, shapes=shapes, is_fully_bound=True)

    def _take_values_of(self, names: Iterable[str]) -> bool:
        """Bind the values of inputs as constants in later programs; return whether any is new.

        names: the inputs whose values a compilation needs.
        """
        more = frozenset(names) - self._value_inputs
        self._value_inputs |= more
        return bool(more)

    def _values_of(self, call: _CallTensors) -> Values:
        """Return the values bound by the user, and copies of tensors that become constants.

        Errors: ArgumentError for a tensor with too many elements.
        """
        constants = [each for each in call.tensors if each.name in call.constants]
        return {**self._request.values, **{each.name: _value(each) for each in constants}}

    def _symbols_of(self, call: _CallTensors) -> Shapes:
        """Return the shapes to request for a program that runs all calls of the same kind.

        They are the user's shapes, and a symbolic size for each dynamic dimension of sequences, of
        optionals and of inputs without a declared rank.
        """
        shapes = dict(without_inputs(self._request.shapes, self._model.inputs, call.constants))
        dynamic_inputs = (s.name for s in self.inputs if not s.is_tensor or s.shape == ANY_RANK)
        named = self._shapes_by_input(call, _symbols)
        return {**{name: named[name] for name in dynamic_inputs if name in named}, **shapes}

    def _shapes_by_input(
        self, call: _CallTensors, shape_of: Callable[[_Tensor], Sequence[int | str]]
    ) -> dict[str, Sequence[int | str] | Sequence[Sequence[int | str]] | None]:
        shapes: dict[str, Sequence[int | str] | Sequence[Sequence[int | str]] | None] = {}
        for position, spec in enumerate(self.inputs):
            given = [shape_of(t) for t in call.tensors if t.argument.position == position]
            if spec.is_list:
                shapes[spec.name] = None if call.lengths[position] < 0 else given
            elif spec.name not in call.constants:
                shapes[spec.name] = given[0] if given else None
        return shapes

    def _check_shapes(self, call: _CallTensors) -> None:
        """Check that the shapes of a call agree with the declared shapes, size names and ranges.

        Errors: ArgumentError if they do not.
        """
        ranges = given_ranges(self._request.shapes)
        bound: dict[str, int] = {}
        bound_by: dict[str, str] = {}
        pending: list[tuple[_Tensor, Dim, int]] = []
        for tensor in call.tensors:
            dims = _dims(tensor.argument.spec)
            if dims is None:
                continue
            if len(dims) != tensor.array.ndim:
                raise _wrong_shape(tensor, tensor.argument.spec)
            for dim, size in zip(dims, tensor.array.shape, strict=True):
                if dim.symbols() == frozenset((str(dim),)):
                    bound.setdefault(str(dim), size)
                    bound_by.setdefault(str(dim), tensor.name)
                    if size not in ranges.get(str(dim), (size,)):
                        sizes = ranges[str(dim)]
                        raise _wrong_shape(tensor, f"{dim} in {sizes.start}..{sizes.stop - 1}")
                pending.append((tensor, dim, size))
        for tensor, dim, size in pending:
            if dim.symbols() <= bound.keys() and dim.evaluate(bound) != size:
                spec = tensor.argument.spec
                dims = _dims(spec) or ()
                names = sorted({n for d in dims for n in d.symbols()} & bound.keys())
                known = ", ".join(f"{n} = {bound[n]} (of {bound_by[n]})" for n in names)
                raise _wrong_shape(tensor, f"{spec} with {known}" if known else spec)


def _array(argument: Argument, value: object) -> Array:
    """Convert an input to an array of the declared dtype.

    The data is copied only if the dtype of the array differs, for example in byte order.
    """
    dtype = numpy_dtype(argument.spec.dtype)
    array = argument.typed(value, dtype)
    return array if array.dtype == dtype else array.astype(dtype)


def _items(argument: Argument, spec: DeclaredSpec, value: object) -> Sequence[object]:
    """Return the tensors that a call passes for an input that is a sequence or optional.

    Errors: ArgumentError for an argument of the wrong kind, or a required input that is absent.
    """
    if spec.is_list and not isinstance(value, (list, tuple, NoneType)):
        raise argument.refused("is not a list of arrays", type(value).__name__)
    if value is None and not spec.is_optional:
        raise argument.refused("is not given", "None")
    if value is None:
        return ()
    return cast("Sequence[object]", value) if spec.is_list else (value,)


def _value(tensor: _Tensor) -> Array:
    """Return a copy of a tensor whose values become constants of a program.

    Errors: ArgumentError for a tensor with too many elements.
    """
    argument, array = tensor
    if array.size > MAX_SIZES:
        raise argument.refused(
            "decides shapes and has too many elements",
            array.size,
            expected=f"at most {MAX_SIZES}",
        )
    return np.array(array)


def _symbols(tensor: _Tensor) -> Sequence[int | str]:
    """Return the declared sizes of a tensor; without a declared rank, one name per dimension."""
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


def _wrong_shape(tensor: _Tensor, expected: object) -> ArgumentError:
    return tensor.argument.refused("has the wrong shape", tensor.array.shape, expected=expected)


@lru_cache(1024)
def _dims(spec: TensorSpec) -> tuple[Dim, ...] | None:
    return None if spec.shape == ANY_RANK else tuple(Dim.parse(str(size)) for size in spec.shape)
