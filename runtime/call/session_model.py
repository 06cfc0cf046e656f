"""The C code of sessions (runtime/native/session.c), called from Python.

The code drives a module through its packed functions, whether these are machine code or Python
functions. The code is a part of the library of the worker pool, which a process loads once.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping, Sequence
from ctypes import c_void_p
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Any

from ..abi.constants import (
    SYMBOL_MAIN,
    SYMBOL_MAIN_ALLOCATING,
    SYMBOL_MAIN_THREADS,
    SYMBOL_OUTPUT_SHAPES,
    SYMBOL_SESSION_FUNCTIONS,
)
from ..abi.library import Library
from ..abi.packed import PackedFunc
from .model import model_of
from .states import StatefulCallee, StatePair

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


@cache
def _functions(library: Library) -> Mapping[str, PackedFunc]:
    table = library.address(SYMBOL_SESSION_FUNCTIONS)
    addresses: Iterator[Any] = iter((c_void_p * len(_FUNCTIONS)).from_address(table))
    return {
        name: PackedFunc(address, f"session.{name}", alive=library)
        for name, address in zip(_FUNCTIONS, addresses, strict=True)
    }


class SessionModel:
    """The library of functions that run a module with states as a session.

    The functions are those of runtime/native/session.c, in place of the module's own functions,
    which they call. This class implements `Symbols`, so a `Module` can use it as its library.

    manifest: the signature of a session's calls: the module's signature without the states.
    """

    def __init__(self, module: StatefulCallee, states: Sequence[StatePair]) -> None:
        self._name = module.name
        taken, made = {s.position for s in states}, {s.result for s in states}
        self.manifest = replace(
            module.manifest,
            inputs=tuple(s for n, s in enumerate(module.inputs) if n not in taken),
            outputs=tuple(s for n, s in enumerate(module.outputs) if n not in made),
            forms=(),
            appends=(),
            operations=None,
        )
        self._model = model_of(
            module,
            states,
            run=module.address(SYMBOL_MAIN_THREADS),
            run_allocating=module.address(SYMBOL_MAIN_ALLOCATING),
            output_shapes=module.address(SYMBOL_OUTPUT_SHAPES),
        )
        self._functions = _functions(module.process_library(SYMBOL_SESSION_FUNCTIONS))

    def begin(self, initial: Sequence[object]) -> PackedFunc:
        """Make a new session object of the C code, and return it as a packed function.

        initial: the first value of each state, or None for zeros.
        """
        address, _ = self._functions["begin"].code
        handle = ctypes.addressof(self._model)
        return PackedFunc(address, self._name, handle=handle, alive=self)(*initial)

    def use_threads(self, count: int) -> None:
        """Set the number of threads of later calls."""
        self._model.threads[0] = count

    def __getitem__(self, name: str) -> PackedFunc:
        """Return a C function of sessions by name; its first argument is a session object."""
        return self._functions[name]

    def address(self, symbol: str) -> int:
        """Return the address of the session function that replaces a function of the module.

        The first argument of the returned function is the session.

        symbol: the symbol of the module's function.
        """
        return self._functions[_SYMBOLS.get(symbol, symbol)].code[0]

    def text(self, symbol: str) -> str:
        """Return an empty string as the text of the last error.

        The C code of sessions reports its errors to the error channel instead (runtime/errors.py).
        """
        return ""
