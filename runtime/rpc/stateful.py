"""Sessions of models with states in another process: the states stay in its memory.

    session = remote_module.session()
    logits = session(prompt)         sends the inputs, and receives the outputs that are not states

Each call makes new memory for the states, so a fork can share the present memory.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, Self

import numpy as np

from ..abi.device import Device
from ..abi.dltensor import as_array
from ..abi.ndarray import Array, DeviceArray, NDArray, numpy_dtype
from ..call.session import no_states
from ..call.states import StatePair
from ..errors import ArgumentError
from ..file.manifest import Manifest, TensorSpec
from ..spelling import SuggestsNames


class CalledThere(Protocol):
    """A module in another process: the fields and the method that a session of it uses.

    states: the states of the model.
    """

    name: str
    manifest: Manifest
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    states: tuple[StatePair, ...]

    def run(self, inputs: Sequence[object]) -> tuple[Any, ...]:
        """Run the module on inputs; return all results, on the device of the inputs."""
        ...


class StatefulRemote(SuggestsNames):
    """One run of a model with states in another process; made by `RemoteModule.session`.

    inputs, outputs: the inputs and outputs of the model that are not states.
    """

    def __init__(
        self, module: CalledThere, device: Device, initial: Mapping[str, object] | None = None
    ) -> None:
        """Begin a session.

        device: the device of the session that holds the states.  initial: the first values of some
        states, by the names of their inputs.

        Errors: ArgumentError for a model without states, and for a name that is no state.
        """
        if not module.states:
            raise no_states(module.name, module.manifest.signature)
        self.module, self._device = module, device
        self._pairs = {state.position: state for state in module.states}
        results = {state.result for state in module.states}
        self.inputs = tuple(s for n, s in enumerate(module.inputs) if n not in self._pairs)
        self.outputs = tuple(s for n, s in enumerate(module.outputs) if n not in results)
        self._initial = {
            self._position_of(name): as_array(value, f"{module.name}: initial value of {name}")
            for name, value in (initial or {}).items()
        }
        self._values: dict[int, NDArray] = {}

    @property
    def sizes(self) -> dict[str, int]:
        """Return the current size of each growing axis, by its name; 0 before the first call."""
        return {
            state.growth.name: 0 if value is None else value.shape[_stored_axis(state)]
            for at, state in self._pairs.items()
            if state.growth is not None
            for value in [self._values.get(at)]
        }

    def __call__(self, /, *arrays: object, **named: object) -> Any:
        """Run the model on positional or named inputs; return its only output, or a tuple."""
        names = [spec.name for spec in self.inputs]
        results = self.run({**dict(zip(names, arrays, strict=False)), **named})
        return results[0] if len(results) == 1 else results

    def run(self, inputs: Mapping[str, object] | Sequence[object]) -> tuple[Any, ...]:
        """Run the model on inputs by name or in order; return all outputs, in this process.

        Errors: ArgumentError for a missing or an unknown input; the errors of a call.
        """
        names = [spec.name for spec in self.inputs]
        given = inputs if isinstance(inputs, Mapping) else dict(zip(names, inputs, strict=True))
        if {*given} != {*names}:
            raise ArgumentError(
                f"a session of {self.module.name} takes other inputs",
                expected=", ".join(names),
                got=", ".join(map(str, given)),
                hint="pass the inputs that are not states",
            )
        arrays = {name: as_array(each, f"input {name}") for name, each in given.items()}
        values = self._values or self._first_values(arrays)
        results = self.module.run(
            [values.get(at, arrays.get(s.name)) for at, s in enumerate(self.module.inputs)]
        )
        self._values = {at: results[state.result] for at, state in self._pairs.items()}
        kept = {state.result for state in self._pairs.values()}
        return tuple(
            NDArray(each.numpy()) if isinstance(each, DeviceArray) else each
            for at, each in enumerate(results)
            if at not in kept
        )

    def state(self, name: str) -> NDArray:
        """Return a copy of the current value of a state, by the name of its input.

        Errors: ArgumentError for an input that is no state, or before the first call.
        """
        at = self._position_of(name)
        if at not in self._values:
            raise ArgumentError(f"{name} has no value yet", hint="call the session first")
        return NDArray(_moved(self._pairs[at], self._values[at].numpy(), to_model=True))

    def reset(self) -> None:
        """Forget all calls; the next call starts from the initial states, with any sizes."""
        self._values = {}

    def rewind(self, count: int) -> None:
        """Remove the last ``count`` positions of every growing state.

        Errors: ArgumentError for a count of more positions than the states have, and for a session
        with a state that does not grow, because its earlier values are lost.
        """
        shortened: dict[int, NDArray] = {}
        for at, state in self._pairs.items():
            value = self._values.get(at)
            axis = None if state.growth is None else _stored_axis(state)
            if value is None or axis is None or not 0 <= count <= value.shape[axis]:
                raise ArgumentError(
                    f"a session of {self.module.name} cannot forget {count} positions",
                    expected="states that grow, and at most the positions that they have",
                    hint="begin again with reset()",
                )
            kept = range(value.shape[axis] - count)
            shortened[at] = self._placed(np.take(value.numpy(), kept, axis))
        self._values = shortened

    def fork(self) -> Self:
        """Return a new session that continues from the current states."""
        return copy.copy(self)

    def _first_values(self, arrays: Mapping[str, Array]) -> dict[int, NDArray]:
        sizes = {
            side: size
            for spec in self.inputs
            for side, size in zip(spec.shape, arrays[spec.name].shape, strict=False)
            if isinstance(side, str)
        }
        return {
            at: self._placed(_moved(state, self._first(state, sizes), to_model=False))
            for at, state in self._pairs.items()
        }

    def _first(self, state: StatePair, sizes: Mapping[str, int]) -> Array:
        """Return the first value of a state, with its axes in the order of the model.

        sizes: the values of symbolic sizes, by name.
        """
        if state.position in self._initial:
            return self._initial[state.position]
        shape = [
            0 if axis == state.axis else sizes.get(side, side) if isinstance(side, str) else side
            for axis, side in enumerate(state.spec.shape)
        ]
        if unknown := [side for side in shape if isinstance(side, str)]:
            raise ArgumentError(
                f"the first value of the state {state.spec.name} has unknown sizes",
                got=", ".join(unknown),
                hint="pass initial= to session of the module",
            )
        return np.zeros(tuple(map(int, shape)), numpy_dtype(state.spec.dtype))

    def _placed(self, array: Array) -> NDArray:
        made = DeviceArray(array.shape, array.dtype, self._device)
        return made.copyfrom(array)

    def _position_of(self, name: str) -> int:
        names = {state.spec.name: at for at, state in self._pairs.items()}
        if name not in names:
            raise ArgumentError(
                f"{self.module.name}: {name} is not a state",
                expected=", ".join(names),
                hint="pass the name of the input that becomes the state",
            )
        return names[name]


def _stored_axis(state: StatePair) -> int:
    """Return the growing axis of a state in the arrays that calls take and return.

    The result is 0 if calls append to the state, else its position in the model.
    """
    assert state.axis is not None, "the state grows"
    return 0 if state.appends else state.axis


def _moved(state: StatePair, array: Array, *, to_model: bool) -> Array:
    """Return a state with its axes in the order of the model, or in the order of calls.

    In calls, the growing axis is outermost if calls append to the state.
    """
    if not state.appends or state.axis is None:
        return array
    axes = (0, state.axis) if to_model else (state.axis, 0)
    return np.ascontiguousarray(np.moveaxis(array, *axes))
