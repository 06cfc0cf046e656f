"""Sessions: runs of a model that remember its states, such as the caches of a decoder.

    session = module.session()
    logits = session(prompt)         takes the inputs and returns the outputs that are not states
    logits = session(token)          reads the states of the previous call
    session.rewind(1)                forgets the last position of all caches
    other = session.fork()           continues from here on its own

A state is an input and the output that becomes this input in the next call. A *growing* state (a
cache) has an axis whose size, named in ``capacity=``, is 0 at first and larger after each call; any
other state keeps its sizes and is 0 at first. A cache to which a call appends rows
(`Manifest.appends`) has one buffer, in which the growing axis is the outermost, and the call writes
only the new rows. Any other state has two buffers: a call reads one and writes the other. A session
runs one call at a time; different sessions of a module are independent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, Protocol, cast

import numpy as np

from ..abi.dltensor import as_array
from ..abi.ndarray import Array, NDArray, numpy_dtype
from ..abi.threads import check_threads
from ..errors import ArgumentError
from ..file.manifest import Manifest, TensorSpec
from ..spelling import SuggestsNames
from .arguments import in_order
from .memory import Memory, bytes_of, shapes_in_order
from .output_buffers import empty_array


class Callee(Protocol):
    """The parts of a `Module` that a session uses."""

    name: str
    threads: int
    manifest: Manifest
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]

    def output_shapes(self, inputs: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Return the shapes of the arrays that a call fills, for inputs of given shapes."""
        ...

    def memory(self, shapes: Sequence[Sequence[int]]) -> Memory:
        """Return the memory of a call with inputs of given shapes."""
        ...

    def fill(self, arrays: Sequence[object], *, threads: int | None = None) -> None:
        """Run the model on inputs and on arrays that it fills."""
        ...

    def valid_parts(self, filled: Sequence[Array | NDArray]) -> tuple[NDArray, ...]:
        """Return the outputs that a call has filled, cut to their actual sizes."""
        ...


@dataclass(frozen=True)
class Growth:
    """A size that grows from call to call.

    name: the name in the model.  capacity: the largest value.  text: its expression in the
    signature.
    """

    name: str
    capacity: int
    text: str


@dataclass(frozen=True)
class State:
    """An input, and the output that replaces it; ``axis`` is the growing axis, or None.

    spec: the input, as in the model.  appends: whether a call appends rows to the state; the
    growing axis is then the outermost axis in memory.
    """

    position: int
    result: int
    spec: TensorSpec
    axis: int | None
    growth: Growth | None
    appends: bool = False

    def rows(self, shape: Sequence[int]) -> int:
        """Return the size of the growing axis in a shape."""
        assert self.axis is not None, f"{self.spec.name} does not grow"
        return shape[self.axis]

    def rows_in_memory(self, shape: Sequence[int]) -> int:
        """Return the size of the growing axis in a shape in memory."""
        return shape[0] if self.appends else self.rows(shape)

    def in_memory(self, value: Array) -> Array:
        """Return a view of a value, with the axes in the order of the memory."""
        return np.moveaxis(value, self.axis, 0) if self.appends and self.axis else value

    def as_in_model(self, value: Array) -> Array:
        """Return a view of a value in memory, with the axes in the order of the model."""
        return np.moveaxis(value, 0, self.axis) if self.appends and self.axis else value


class _Buffers:
    """The memory of a state for the largest shape of a session.

    value: the current value, with its axes in the order in which memory stores them.
    """

    def __init__(self, state: State, value: Array) -> None:
        self._state = state
        largest = list(value.shape)
        if state.growth is not None and state.axis is not None:
            largest[state.axis] = state.growth.capacity
        room, dtype = (prod(largest),), numpy_dtype(state.spec.dtype)
        given = state.in_memory(value)
        self._current = empty_array(room, dtype)
        self._spare = self._current if state.appends else empty_array(room, dtype)
        self.value = self._current[: prod(given.shape)].reshape(given.shape)
        self.value[...] = given

    @property
    def in_model(self) -> Array:
        """Return a view of the current value, with the axes in the order of the model."""
        return self._state.as_in_model(self.value)

    def next(self, shape: Sequence[int]) -> Array:
        """Return an array in which the call writes the next value."""
        return self._spare[: prod(shape)].reshape(shape)

    def replace(self, value: Array) -> None:
        """Make a value that the call has written to `next` the current value."""
        self._current, self._spare = self._spare, self._current
        self.value = value

    def drop(self, count: int) -> None:
        """Drop the last positions of the growing axis."""
        axis, shape = 0 if self._state.appends else self._state.axis, list(self.value.shape)
        assert axis is not None, "checked by rewind"
        shape[axis] -= count
        kept = self.next(shape)
        if not self._state.appends:
            kept[...] = self.value[(slice(None),) * axis + (slice(shape[axis]),)]
        self.replace(kept)


class Session(SuggestsNames):
    """One run of a model with states; made by `Module.session`.

    inputs, outputs: the inputs and outputs of the model that are not states.

    >>> module = tilewright.compile("sum.onnx", state={"total": "sum"})
    >>> session = module.session()
    >>> [float(session.run({"x": np.float32(n)})[0].numpy()) for n in (1, 2, 3)]
    [1.0, 3.0, 6.0]
    """

    def __init__(
        self, module: Callee, states: Sequence[State], initial: Mapping[str, object] | None = None
    ) -> None:
        self.module = module
        self._states = tuple(states)
        taken, made = {s.position for s in states}, {s.result for s in states}
        self.inputs = tuple(s for n, s in enumerate(module.inputs) if n not in taken)
        self.outputs = tuple(s for n, s in enumerate(module.outputs) if n not in made)
        self._is_state = [n in made for n in range(len(module.outputs))]
        self._initial = self._arrays_of(initial or {})
        self._buffers: dict[int, _Buffers] = {}

    @property
    def sizes(self) -> dict[str, int]:
        """Return the current values of the growing sizes by name; 0 before the first call."""
        made: dict[str, int] = {}
        for state in self._states:
            if state.growth is not None:
                made[state.growth.name] = state.rows(self._shape(state))
        return made

    def __call__(self, /, *arrays: object, **named: object) -> Any:
        """Run the model on positional or named inputs; return one output, or a tuple of all."""
        results = self._run(self._in_order(arrays, named), self.module.threads)
        return results[0] if len(results) == 1 else results

    def run(
        self, inputs: Mapping[str, object] | Sequence[object], *, threads: int | None = None
    ) -> tuple[NDArray, ...]:
        """Run the model on inputs by name or in order; return all outputs."""
        check_threads(threads)
        named = inputs if isinstance(inputs, Mapping) else {}
        arrays = () if isinstance(inputs, Mapping) else inputs
        most = self.module.manifest.max_threads
        wanted = self.module.threads if threads is None else min(threads, most)
        return self._run(self._in_order(arrays, named), wanted)

    def state(self, name: str) -> NDArray:
        """Return a copy of the current value of a state, by the name of its input.

        Errors: KeyError for an input that is no state, or before the sizes of the state are known.
        """
        for state in self._states:
            if state.spec.name == name and state.position in self._buffers:
                return NDArray(self._buffers[state.position].in_model.copy())
        raise KeyError(f"session of {self.module.name} has no value of a state {name!r}")

    def reset(self) -> None:
        """Forget all calls; the next call starts from the initial states and may use new sizes."""
        self._buffers.clear()

    def rewind(self, count: int) -> None:
        """Forget the last ``count`` positions of every growing state.

        Errors: ArgumentError for a count of more positions than the states have, or if a state does
        not grow, as its earlier values are lost.
        """
        for state in self._states:
            if state.growth is None:
                raise self._error(
                    "a session cannot rewind a state that is replaced",
                    expected="states that grow",
                    got=f"{state.spec.name}: {state.spec}",
                    hint="fork the session before the calls to undo",
                )
            known = state.rows(self._shape(state)) if self._buffers else 0
            if not 0 <= count <= known:
                raise self._error(
                    "rewind by more positions than there are",
                    expected=f"a count of 0 to {known}",
                    got=count,
                )
        for state in self._states if count else ():
            self._buffers[state.position].drop(count)

    def fork(self) -> Session:
        """Return a new session with a copy of the states."""
        twin = Session(self.module, self._states)
        twin._initial = self._initial
        for state in self._states:
            if state.position in self._buffers:
                value = self._buffers[state.position].in_model
                twin._buffers[state.position] = _Buffers(state, value)
        return twin

    def memory(
        self, shapes: Mapping[str, Sequence[int]] | Sequence[Sequence[int]] | None = None
    ) -> Memory:
        """Return the memory of a call with inputs of these shapes that reaches the capacity.

        shapes: as for `Module.memory`, without the states.  Errors: ArgumentError.
        """
        inputs = shapes_in_order(self.module, self.inputs, shapes or {})
        positions = self._positions_before(inputs)
        called = self._with_states(inputs, positions)
        use = self.module.memory(called)
        made = self.module.output_shapes(called)
        buffers = 0
        for state in self._states:
            outgrown = bytes_of([state.spec], [made[state.result]])
            buffers += outgrown if state.appends else 2 * outgrown
        states = [made[state.result] for state in self._states]
        returned = use.outputs - bytes_of([state.spec for state in self._states], states)
        return replace(use, outputs=returned, states=buffers)

    def __repr__(self) -> str:
        sizes = ", ".join(f"{name} = {size}" for name, size in self.sizes.items())
        return f"<Session of {self.module.name}: {sizes or 'states of constant size'}>"

    def _with_states(
        self, inputs: Sequence[Sequence[int]], positions: Mapping[str, int]
    ) -> list[tuple[int, ...]]:
        """Return the shapes of all inputs of a call; positions: the values of the growing sizes."""
        shapes = [tuple(shape) for shape in inputs]
        for state in self._states:  # in the order of the signature
            known = positions.get(state.growth.name, 0) if state.growth else 0
            shape = np.empty(self._shape_with(state, inputs, known), np.bool_)
            shapes.insert(state.position, state.in_memory(shape).shape)
        return shapes

    def _positions_before(self, inputs: Sequence[Sequence[int]]) -> dict[str, int]:
        """Return the growing sizes before a call that reaches the capacity.

        Errors: ArgumentError if the call alone exceeds the capacity.
        """
        made = self.module.output_shapes(self._with_states(inputs, {}))
        self._check_capacity(made, {})
        growing = [(state, state.growth) for state in self._states if state.growth]
        return {
            growth.name: growth.capacity - state.rows_in_memory(made[state.result])
            for state, growth in growing
        }

    def _run(self, given: Sequence[object], threads: int) -> tuple[NDArray, ...]:
        arrays = [
            as_array(np.asarray(value) if isinstance(value, (bool, int, float, list, tuple))
                     else value, f"{self.module.name}: {spec.name}")
            for value, spec in zip(given, self.inputs, strict=True)
        ]  # fmt: skip
        buffers = self._buffers or {s.position: self._started(s, arrays) for s in self._states}
        for position, each in buffers.items():  # in the order of the signature
            arrays.insert(position, each.value)
        shapes = self.module.output_shapes([array.shape for array in arrays])
        self._check_capacity(shapes, self.sizes)
        filled = self._filled(shapes, buffers)
        self.module.fill([*arrays, *filled], threads=threads)
        # A failed first call leaves the session without sizes.
        self._buffers = buffers
        for state in self._states:
            buffers[state.position].replace(filled[state.result])
        parts = self.module.valid_parts(filled)
        return tuple(p for p, is_state in zip(parts, self._is_state, strict=True) if not is_state)

    def _filled(
        self, shapes: Sequence[tuple[int, ...]], buffers: Mapping[int, _Buffers]
    ) -> list[Array]:
        """Return the arrays that a call fills."""
        owners = {state.result: buffers[state.position] for state in self._states}
        made: list[Array] = []
        for number, (shape, spec) in enumerate(
            zip(shapes, self.module.manifest.filled, strict=True)
        ):
            if number in owners:
                made.append(owners[number].next(shape))
            else:
                made.append(empty_array(shape, numpy_dtype(spec.dtype)))
        return made

    def _check_capacity(
        self, shapes: Sequence[Sequence[int]], positions: Mapping[str, int]
    ) -> None:
        """Raise an error if a call at these positions makes a state exceed its capacity.

        Errors: ArgumentError.
        """
        for state in self._states:
            growth = state.growth
            if growth is None:
                continue
            after, before = (
                state.rows_in_memory(shapes[state.result]),
                positions.get(growth.name, 0),
            )
            if after <= growth.capacity:
                continue
            raise self._error(
                f"the call exceeds the capacity of {growth.name}",
                expected=f"{growth.name} of at most {growth.capacity} after the call",
                got=f"{before} + {after - before} = {after}",
                hint=f'rewind or reset the session, or compile with capacity={{"{growth.name}": '
                f"{max(after, 2 * growth.capacity)}}}",
            )

    def _started(self, state: State, arrays: Sequence[Array]) -> _Buffers:
        """Return buffers with the initial value of a state: the array of the caller, or zeros."""
        initial = self._initial.get(state.spec.name)
        if initial is None:
            shape = self._shape_with(state, [array.shape for array in arrays])
            initial = np.zeros(shape, numpy_dtype(state.spec.dtype))
        return _Buffers(state, initial)

    def _shape_with(
        self, state: State, inputs: Sequence[Sequence[int]], positions: int = 0
    ) -> list[int]:
        """Return the shape of a state with some positions; the inputs give its named sizes.

        Errors: ArgumentError for a name that no input has.
        """
        known: dict[str, int] = {} if state.growth is None else {state.growth.text: positions}
        for spec, given in zip(self.inputs, inputs, strict=True):
            pairs = zip(spec.shape, given, strict=False)
            known |= {size: extent for size, extent in pairs if isinstance(size, str)}
        shape: list[int] = []
        for size in state.spec.shape:
            extent = known.get(size) if isinstance(size, str) else size
            if extent is None:
                raise self._error(
                    f"no input has the size {size} of state {state.spec.name}",
                    expected=f"{state.spec}",
                    hint=f'pass its first value: session({{"{state.spec.name}": array}})',
                )
            shape.append(extent)
        return shape

    def _shape(self, state: State) -> Sequence[int]:
        """Return the current shape of a state; sizes that are not known yet are 0."""
        if state.position in self._buffers:
            return self._buffers[state.position].in_model.shape
        if state.spec.name in self._initial:
            return self._initial[state.spec.name].shape
        return [size if isinstance(size, int) else 0 for size in state.spec.shape]

    def _arrays_of(self, initial: Mapping[str, object]) -> dict[str, Array]:
        """Return the initial values of states.

        Errors: ArgumentError for a name that is no state, a wrong type or rank, or more positions
        than the capacity.
        """
        states = {state.spec.name: state for state in self._states}
        made: dict[str, Array] = {}
        for name, value in initial.items():
            state = states.get(name)
            if state is None:
                raise self._error(f"{name} is not a state", expected=", ".join(states))
            array = as_array(value, f"{self.module.name}: initial value of {name}")
            is_fitting = array.dtype.name == state.spec.dtype and array.ndim == len(
                state.spec.shape
            )
            growth = state.growth
            if not is_fitting or (growth and state.rows(array.shape) > growth.capacity):
                limit = f", {growth.name} of at most {growth.capacity}" if growth else ""
                got = f"{array.dtype.name}{list(array.shape)}"
                raise self._error(f"the initial value of {name} does not fit",
                                  expected=f"{state.spec}{limit}", got=got)  # fmt: skip
            made[name] = array.copy()
        return made

    def _in_order(
        self, arrays: Sequence[object], named: Mapping[str, object]
    ) -> tuple[object, ...]:
        names = [spec.name for spec in self.inputs]
        if len(arrays) > len(names):
            raise self._error(
                "wrong number of arguments",
                expected=f"{len(names)} ({', '.join(names)})",
                got=len(arrays),
                hint="a session keeps the states; pass the other inputs",
            )
        return in_order(names, arrays, named, self.module.name, self.module.manifest.signature)

    def _error(
        self, rule: str, *, expected: object = None, got: object = None, hint: str = ""
    ) -> ArgumentError:
        return ArgumentError(
            f"{self.module.name}: {rule}",
            expected=expected,
            got=got,
            hint=hint,
            signature=self.module.manifest.signature,
        )


def states_of_manifest(rows: Sequence[Mapping[str, Any]]) -> tuple[State, ...]:
    """Return the states from rows of an exported module's manifest, which `asdict` made."""
    return tuple(_state_of(dict(row)) for row in rows)


def _state_of(row: dict[str, Any]) -> State:
    spec, growth = row.pop("spec"), row.pop("growth")
    shape, entries = tuple(spec["shape"]), tuple(spec["entries"])
    return State(
        **row,
        spec=TensorSpec(spec["name"], shape, spec["dtype"], entries),
        growth=None if growth is None else Growth(**growth),
    )


def states_of(
    module: Callee, pairs: Mapping[str, str], growing: Mapping[str, Growth]
) -> tuple[State, ...]:
    """Return the states of a module.

    pairs: from the input of each state to its output.  growing: growing sizes by their expressions
    in the signature.
    Errors: ArgumentError for a name or a type that does not fit.
    """
    inputs = {spec.name: n for n, spec in enumerate(module.inputs)}
    outputs = {spec.name: n for n, spec in enumerate(module.outputs)}
    appended = {argument: axis for argument, _, axis in module.manifest.appends}
    states: list[State] = []
    for taken, made in pairs.items():
        if taken not in inputs or made not in outputs:
            raise _misfit(module, f"state {taken!r}: {made!r} is no input and output of the model")
        outermost = appended.get(inputs[taken], 0)
        spec = _as_in_model(module.inputs[inputs[taken]], outermost)
        result = _as_in_model(module.outputs[outputs[made]], outermost)
        axes = [n for n, size in enumerate(spec.shape) if size in growing]
        axis = axes[0] if axes else None
        same = zip(spec.shape, result.shape, strict=False)
        others = [n for n, (old, new) in enumerate(same) if n != axis and old != new]
        if len(axes) > 1 or others or len(spec.shape) != len(result.shape) or result.is_open():
            raise _misfit(
                module,
                f"output {made!r} cannot become state {taken!r}",
                expected=f"{spec}, apart from one axis whose size is in capacity=",
                got=result,
                hint=_capacity_hint(spec, others),
            )
        if spec.dtype != result.dtype:
            raise _misfit(module, f"output {made!r} has another type than state {taken!r}",
                          expected=spec, got=result)  # fmt: skip
        growth = None if axis is None else growing[cast(str, spec.shape[axis])]
        appends = inputs[taken] in appended
        states.append(State(inputs[taken], outputs[made], spec, axis, growth, appends))
    return tuple(sorted(states, key=lambda state: state.position))


def _as_in_model(spec: TensorSpec, outermost: int) -> TensorSpec:
    """Return the spec of a state with its axes in the order of the model."""
    first, *rest = spec.shape or (0,)
    shape = (*rest[:outermost], first, *rest[outermost:]) if outermost else spec.shape
    return replace(spec, shape=shape)


def _capacity_hint(spec: TensorSpec, axes: Sequence[int]) -> str:
    names = [spec.shape[n] for n in axes if n < len(spec.shape)]
    return f'pass capacity={{"{names[0]}": 2048}}' if len(names) == 1 else ""


def _misfit(
    module: Callee, rule: str, *, expected: object = None, got: object = None, hint: str = ""
) -> ArgumentError:
    return ArgumentError(
        f"{module.name}: {rule}",
        expected=expected,
        got=got,
        hint=hint,
        signature=module.manifest.signature,
    )
