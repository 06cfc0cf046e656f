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
only the new rows. A state that a call may overwrite (also `Manifest.appends`) has one buffer, too.
Any other state has two buffers: a call reads one and writes the other. A session
runs one call at a time; different sessions of a module are independent. The states are those of a
session of runtime/native/session.c, which runs the module through its packed functions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any

import numpy as np

from ..abi.constants import PackedCFunction
from ..abi.dltensor import as_array
from ..abi.ndarray import Array, NDArray, elements_of, empty
from ..abi.packed import PackedFunc
from ..errors import ArgumentError, error_channel
from ..spelling import SuggestsNames
from .memory import Memory, bytes_of, shapes_in_order
from .output_buffers import ShapeFrame
from .session_model import SessionModel
from .states import StatefulCallee, StatePair


class Session(SuggestsNames):
    """One run of a model with states; made by `Module.session`.

    inputs, outputs: the inputs and outputs of the model that are not states.

    >>> module = tilewright.compile("sum.onnx", state={"total": "sum"})
    >>> session = module.session()
    >>> [float(session.run({"x": np.float32(n)})[0].numpy()) for n in (1, 2, 3)]
    [1.0, 3.0, 6.0]
    """

    def __init__(
        self,
        module: StatefulCallee,
        states: Sequence[StatePair],
        model: SessionModel,
        initial: Mapping[str, object] | None = None,
    ) -> None:
        """Begin a session.

        model: the C functions of sessions for the module.  initial: the first values of some
        states, by the names of their inputs.
        """
        self.module = module
        self._states, self._model = tuple(states), model
        self.inputs, self.outputs = model.manifest.inputs, model.manifest.outputs
        values: list[Array | None] = [None] * len(states)
        for name, value in (initial or {}).items():
            where = f"{module.name}: initial value of {name}"
            array = elements_of(as_array(value, where), where=where)
            values[self._position_of(name)] = np.array(array, order="C")
        self._initial = values
        self._use(self._model.begin(values))

    def _use(self, session: PackedFunc) -> None:
        self._session = session
        self._model.use_threads(self.module.threads)
        self._callee = self.module.with_code(
            self._model, self._model.manifest, session.object_address()
        )

    @property
    def sizes(self) -> dict[str, int]:
        """Return the current size of each growing axis, by its name; 0 before the first call."""
        return {
            state.growth.name: self._model["size"](self._session, number)
            for number, state in enumerate(self._states)
            if state.growth is not None
        }

    def __call__(self, /, *arrays: object, **named: object) -> Any:
        """Run the model on positional or named inputs; return its only output, or a tuple."""
        return self._ready()(*arrays, **named)

    def run(
        self, inputs: Mapping[str, object] | Sequence[object], *, threads: int | None = None
    ) -> tuple[NDArray, ...]:
        """Run the model on inputs by name or in order; return all outputs."""
        return self._ready().run(inputs, threads=threads)

    def _ready(self) -> StatefulCallee:
        """Return the module to call, after an update of its number of threads."""
        if self._callee.threads != self.module.threads:
            self._use(self._session)
        return self._callee

    def state(self, name: str) -> NDArray:
        """Return a copy of the current value of a state, by the name of its input.

        Errors: ArgumentError for an input that is no state, or before the first call.
        """
        position = self._position_of(name)
        spec = self._states[position].spec
        sizes = np.empty(len(spec.shape), np.int64)
        self._model["shape"](self._session, position, sizes)
        value = empty(tuple(sizes.tolist()), spec.dtype)
        self._model["state"](self._session, position, value)
        return value

    def reset(self) -> None:
        """Forget all calls; the next call starts from the initial states, with any sizes."""
        self._model["reset"](self._session)

    def rewind(self, count: int) -> None:
        """Remove the last ``count`` positions of every growing state.

        Errors: ArgumentError for a count of more positions than the states have, and for a session
        with a state that does not grow, because its earlier values are lost.
        """
        self._model["rewind"](self._session, count)

    def fork(self) -> Session:
        """Return a new session with a copy of the states."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._use(self._model["fork"](self._session))
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the data for pickle and copy: the module, its initial and its current states.

        Errors: those of pickle and copy for the module.
        """
        names = [state.spec.name for state in self._states]
        initial = {n: a for n, a in zip(names, self._initial, strict=True) if a is not None}
        own = self.fork()  # which no other thread uses
        values = [own.state(name).numpy() for name in names] if own._has_values() else None
        return _begun, (self.module, initial), values

    def __setstate__(self, values: Sequence[Array]) -> None:
        """Set the current states of a session that pickle or copy has made."""
        self._use(self._model.begin([*self._initial, *values]))

    def memory(
        self, shapes: Mapping[str, Sequence[int]] | Sequence[Sequence[int]] | None = None
    ) -> Memory:
        """Return the memory of the call that fills all growing states to their capacity.

        shapes: the shapes of the inputs that are not states, as for `Module.memory`.

        Errors: ArgumentError.
        """
        called = self._largest(shapes_in_order(self.module, self.inputs, shapes or {}))
        use, made = self.module.memory(called), self.module.output_shapes(called)
        results = {state: bytes_of([state.spec], [made[state.result]]) for state in self._states}
        buffers = sum(n if state.appends else 2 * n for state, n in results.items())
        return replace(use, outputs=use.outputs - sum(results.values()), states=buffers)

    def _has_values(self) -> bool:
        try:
            self.state(self._states[0].spec.name)
        except ArgumentError:
            return False
        return True

    def __repr__(self) -> str:
        sizes = ", ".join(f"{name} = {size}" for name, size in self.sizes.items())
        return f"<Session of {self.module.name}: {sizes or 'states of constant size'}>"

    def _largest(self, inputs: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Return the shapes of all inputs of the model in the call that fills the states.

        The growing sizes reach their capacity in this call.

        inputs: the shapes of the inputs that are not states.
        """
        ranks = [len(spec.shape) for spec in self.module.inputs]
        frame = ShapeFrame(self.inputs, sum(ranks))
        frame.take([*chain.from_iterable(inputs), len(frame.found)])
        call, handle = self._model["largest_inputs"], self._session.object_address()
        status = PackedCFunction(call.code[0])(handle, frame.tensors, len(inputs) + 1, frame.result)
        if status:
            raise error_channel().take(f"{self.module.name} failed with status {status}")
        sizes = iter(list(frame.found))
        return [tuple(islice(sizes, rank)) for rank in ranks]

    def _position_of(self, name: str) -> int:
        names = [state.spec.name for state in self._states]
        if name in names:
            return names.index(name)
        raise ArgumentError(
            f"{self.module.name}: {name} is not a state",
            expected=", ".join(names),
            signature=self.module.manifest.signature,
            hint="pass the name of the input that becomes the state",
        )


def no_states(name: str, signature: str) -> ArgumentError:
    """Return the error for a session of a model without states.

    name, signature: those of the module, for the message.
    """
    return ArgumentError(
        f"{name} has no states",
        hint='compile it with state={"past": "present"}, from inputs to outputs',
        signature=signature,
    )


def _begun(module: Any, initial: Mapping[str, Array]) -> Session:
    return module.session(initial)
