"""The C code of sessions (runtime/native/session.c), and the description of a module that it reads.

The code drives a module through its packed functions, whether these are machine code or Python
functions. It is a part of the library that a process loads once.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping, Sequence
from ctypes import POINTER, Structure, c_char_p, c_int32, c_int64, c_uint32, c_void_p
from functools import cache
from types import MappingProxyType
from typing import Any

from ..abi.constants import (
    DTYPES,
    SYMBOL_MAIN,
    SYMBOL_MAIN_ALLOCATING,
    SYMBOL_MAIN_THREADS,
    SYMBOL_OUTPUT_SHAPES,
    SYMBOL_SESSION_FUNCTIONS,
)
from ..abi.library import Library
from ..abi.packed import PackedFunc
from ..errors import error_channel
from .states import Callee, State

_FUNCTIONS = (
    "begin", "call", "call_threads", "call_allocating", "largest_inputs",
    "reset", "rewind", "fork", "size", "shape", "state",
)  # fmt: skip
"""The members of struct tw_session_functions."""
_SYMBOLS = MappingProxyType(
    {
        SYMBOL_MAIN: "call",
        SYMBOL_MAIN_THREADS: "call_threads",
        SYMBOL_MAIN_ALLOCATING: "call_allocating",
    }
)
"""The functions of a session in place of those of a module."""


class StateRow(Structure):
    """struct tw_state."""

    _fields_ = (
        ("input", c_int32),
        ("output", c_int32),
        ("axis", c_int32),
        ("appends", c_int32),
        ("capacity", c_int64),
    )

    @classmethod
    def of(cls, state: State) -> StateRow:
        """Return the row of a state."""
        capacity = state.growth.capacity if state.growth else 0
        axis = -1 if state.axis is None else state.axis
        return cls(state.position, state.result, axis, state.appends, capacity)


class _Spec(Structure):
    """struct tw_spec."""

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
    """struct tw_expression."""

    _fields_ = (
        ("text", c_char_p),
        ("node", c_char_p),
        ("symbols", c_void_p),
        ("count", c_int64),
        ("least", c_int64),
        ("most", c_int64),
        ("stage", c_int32),
    )


class _Model(Structure):
    """struct tw_model."""

    _fields_ = (
        ("name", c_char_p),
        ("specs", POINTER(_Spec)),
        ("expressions", POINTER(_Expression)),
        ("states", POINTER(StateRow)),
        ("threads", POINTER(c_int32)),
        ("run", c_void_p),
        ("run_allocating", c_void_p),
        ("output_shapes", c_void_p),
        ("report", c_void_p),
        ("inputs", c_int32),
        ("arguments", c_int32),
        ("state_count", c_int32),
    )


def _model_of(module: Callee, states: Sequence[State]) -> _Model:
    """Return the description of a module; the structures keep the memory that they point at."""
    manifest = module.manifest
    specs = (*manifest.inputs, *manifest.filled)
    texts = dict.fromkeys(size for s in specs for size in s.shape if isinstance(size, str))
    entries = {text: -1 - number for number, text in enumerate(texts)}
    rows = [
        _Spec(
            name=spec.name.encode(),
            text=str(spec).encode(),
            shape=(c_int64 * max(1, len(spec.shape)))(
                *(entries[size] if isinstance(size, str) else size for size in spec.shape)
            ),
            rank=len(spec.shape),
            dtype=_code(spec.dtype),
        )
        for spec in specs
    ]
    expressions = [_Expression(text=text.encode()) for text in texts]
    return _Model(
        name=module.name.encode(),
        specs=(_Spec * len(rows))(*rows),
        expressions=(_Expression * max(1, len(expressions)))(*expressions),
        states=(StateRow * max(1, len(states)))(*map(StateRow.of, states)),
        threads=ctypes.pointer(c_int32(module.threads)),
        run=module.address(SYMBOL_MAIN_THREADS),
        run_allocating=module.address(SYMBOL_MAIN_ALLOCATING),
        output_shapes=module.address(SYMBOL_OUTPUT_SHAPES),
        report=error_channel().address,
        inputs=len(manifest.inputs),
        arguments=len(specs),
        state_count=len(states),
    )


def _code(dtype: str) -> int:
    code, bits = DTYPES[dtype]
    return code | bits << 8 | 1 << 16


@cache
def _functions(library: Library) -> Mapping[str, PackedFunc]:
    """Return the functions in a library by their names in struct tw_session_functions."""
    table = library.address(SYMBOL_SESSION_FUNCTIONS)
    addresses: Iterator[Any] = iter((c_void_p * len(_FUNCTIONS)).from_address(table))
    return {
        name: PackedFunc(address, f"session.{name}", alive=library)
        for name, address in zip(_FUNCTIONS, addresses, strict=True)
    }


class SessionModel:
    """A module as the C code of sessions sees it; see runtime/native/model.h."""

    def __init__(self, module: Callee, states: Sequence[State]) -> None:
        self._module = module
        self._model = _model_of(module, states)
        self._functions = _functions(module.process_library())

    def begin(self, initial: Sequence[object]) -> PackedFunc:
        """Return a new session; initial: the first value of each state, or None."""
        address, _ = self._functions["begin"].code
        handle = ctypes.addressof(self._model)
        return PackedFunc(address, self._module.name, handle=handle, alive=self)(*initial)

    def __getitem__(self, name: str) -> PackedFunc:
        """Return a function whose first argument is a session."""
        return self._functions[name]

    def address(self, symbol: str) -> int:
        """Return the address of the function in place of one of a module.

        Its first argument is the session.
        """
        return self._functions[_SYMBOLS.get(symbol, symbol)].code[0]

    def text(self, symbol: str) -> str:
        """Return no text: the code reports errors to the channel of the process."""
        return ""
