"""The description of a module that the C code of sessions and executors reads.

In: a module, whose functions are machine code or Python functions. Out: a ``struct tw_model``; see
runtime/native/model.h.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from ctypes import POINTER, Structure, c_char_p, c_int32, c_int64, c_uint32, c_void_p

from ..abi.constants import DTYPES, packed_dtype
from ..errors import error_channel
from ..file.manifest import ANY_RANK
from .states import StatefulCallee, StatePair


class StateRow(Structure):
    """The ctypes layout of ``struct tw_state`` in runtime/native/model.h."""

    _fields_ = (
        ("input", c_int32),
        ("output", c_int32),
        ("axis", c_int32),
        ("appends", c_int32),
        ("capacity", c_int64),
    )

    @classmethod
    def of(cls, state: StatePair) -> StateRow:
        """Return the structure that describes a state."""
        capacity = state.growth.capacity if state.growth else 0
        axis = -1 if state.axis is None else state.axis
        return cls(state.position, state.result, axis, state.appends, capacity)

    def __iter__(self) -> Iterator[int]:
        """Yield the fields."""
        return iter((self.input, self.output, self.axis, self.appends, self.capacity))


class _ArgumentSpec(Structure):
    """The ctypes layout of ``struct tw_spec`` in runtime/native/entry.h."""

    _fields_ = (
        ("name", c_char_p),
        ("text", c_char_p),
        ("shape", POINTER(c_int64)),
        ("bytes", c_int64),
        ("alignment", c_int64),
        ("rank", c_int32),
        ("dtype", c_uint32),
        ("past", c_int32),
        ("stage", c_int32),
    )


class _Expression(Structure):
    """The ctypes layout of ``struct tw_expression`` in runtime/native/entry.h."""

    _fields_ = (
        ("text", c_char_p),
        ("node", c_char_p),
        ("symbols", c_void_p),
        ("count", c_int64),
        ("least", c_int64),
        ("most", c_int64),
        ("stage", c_int32),
    )


class NativeModel(Structure):
    """The ctypes layout of ``struct tw_model`` in runtime/native/model.h."""

    _fields_ = (
        ("name", c_char_p),
        ("signature", c_char_p),
        ("specs", POINTER(_ArgumentSpec)),
        ("expressions", POINTER(_Expression)),
        ("states", POINTER(StateRow)),
        ("threads", POINTER(c_int32)),
        ("run", c_void_p),
        ("run_allocating", c_void_p),
        ("output_shapes", c_void_p),
        ("choose", c_void_p),
        ("report", c_void_p),
        ("inputs", c_int32),
        ("arguments", c_int32),
        ("outputs", c_int32),
        ("state_count", c_int32),
    )


def model_of(
    module: StatefulCallee, states: Sequence[StatePair] = (), **functions: int
) -> NativeModel:
    """Return the description of a module for C code; it keeps the memory it points at alive.

    states: the states of a session; empty for an executor.  functions: the addresses of functions,
    by the names of their fields in struct tw_model.
    """
    manifest = module.manifest
    specs = (*manifest.inputs, *manifest.filled)
    texts = dict.fromkeys(size for s in specs for size in s.shape if isinstance(size, str))
    entries = {text: -1 - number for number, text in enumerate(texts)}
    rows = [
        _ArgumentSpec(
            name=spec.name.encode(),
            text=str(spec).encode(),
            shape=(c_int64 * max(1, len(spec.shape)))(
                *(entries[size] if isinstance(size, str) else size for size in spec.shape)
            ),
            rank=-1 if spec.shape == ANY_RANK else len(spec.shape),
            dtype=packed_dtype(spec.dtype) if spec.dtype in DTYPES else 0,  # 0: no tensor
        )
        for spec in specs
    ]
    expressions = [_Expression(text=text.encode()) for text in texts]
    return NativeModel(
        name=module.name.encode(),
        signature=manifest.signature.encode(),
        specs=(_ArgumentSpec * max(1, len(rows)))(*rows),
        expressions=(_Expression * max(1, len(expressions)))(*expressions),
        states=(StateRow * max(1, len(states)))(*map(StateRow.of, states)),
        threads=ctypes.pointer(c_int32(module.threads)),
        report=error_channel().address,
        inputs=len(manifest.inputs),
        arguments=len(specs),
        outputs=len(manifest.outputs),
        state_count=len(states),
        **functions,
    )
