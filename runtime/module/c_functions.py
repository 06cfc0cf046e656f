"""Functions of C libraries as global functions, and global functions in C.

In: a shared object of functions in C with runtime/native/tilewright.c, which calls ``tw_register``.
Out: the same functions in the registry of Python. ``tw_find`` of the library also finds the
functions that Python has registered. Errors are passed in both directions: an exception of a Python
function becomes the last error of the C runtime in this thread, and reaches Python callers as the
same exception.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from ctypes import addressof
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any

from ..abi.constants import PackedCFunction, RaiseCFunction
from ..abi.library import LoadError
from ..abi.packed import PackedFunc
from ..abi.registry import get_global_func, register_func
from ..errors import error_channel
from .function_library import FunctionLibrary, function_library


class _CFunction(ctypes.Structure):
    """The ctypes layout of ``struct tw_function`` in runtime/native/tilewright.h."""

    _fields_ = (
        ("name", ctypes.c_char_p), ("call", ctypes.c_void_p), ("handle", ctypes.c_void_p)
    )  # fmt: skip


_Add = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.POINTER(_CFunction), ctypes.c_int32)
_Find = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_char_p, ctypes.POINTER(_CFunction))


class _FunctionHost(ctypes.Structure):
    """The ctypes layout of ``struct tw_host`` in runtime/native/tilewright.h."""

    _fields_ = (("add", _Add), ("find", _Find), ("report", RaiseCFunction))


class _CLibrary:
    """A loaded library with the C runtime, and the Python objects to which its code refers.

    Errors: LoadError for a file that cannot be loaded or has no C runtime.
    """

    def __init__(self, path: str) -> None:
        self.names: list[str] = []
        try:
            self._dll = ctypes.CDLL(path)
            set_host, self._set_error = self._dll.tw_set_host, self._dll.tw_set_error
        except (OSError, AttributeError) as err:
            raise LoadError(
                f"{path} has no functions to register",
                expected="a shared object of functions in C and tilewright.c",
                got=err,
                hint="compile tilewright.c into it, or export functions __tvm_ffi_NAME",
            ) from err
        self._found: list[object] = []
        self._host = _FunctionHost(_Add(self._add), _Find(self._find), RaiseCFunction(_report))
        error_channel().clear()
        if set_host(ctypes.byref(self._host)):
            raise error_channel().take(f"{path}: its functions cannot be registered")

    def _add(self, function: Any, is_override: int) -> int:
        given = function.contents
        name = (given.name or b"").decode(errors="replace")
        made = PackedFunc(given.call or 0, name, handle=given.handle, alive=self)
        try:
            register_func(name, made, override=bool(is_override))
        except ValueError as err:
            error_channel().put(err)
            self._set_error(b"ValueError", str(err).encode())
            return -1
        self.names.append(name)
        return 0

    def _find(self, name: bytes, found: Any) -> int:
        function = get_global_func(name.decode(errors="replace"), allow_missing=True)
        if function is None:
            return -1
        call = PackedCFunction(self._reporting(function))
        text = ctypes.create_string_buffer(name)
        self._found += [call, text]
        made = found.contents
        made.name, made.handle = addressof(text), function.code[1]
        made.call = ctypes.cast(call, ctypes.c_void_p).value
        return 0

    def _reporting(
        self, function: PackedFunc
    ) -> Callable[[int | None, int | None, int, int | None], int]:
        """Return a C function that calls a function, and reports an error to the C runtime, too."""
        call = PackedCFunction(function.code[0])

        def run(handle: int | None, arguments: int | None, count: int, result: int | None) -> int:
            status: int = call(handle, arguments, count, result)
            if status and (error := error_channel().described()):
                self._set_error(*(part.encode() for part in error))
            return status

        return run


class _PlainLibrary:
    """A library without the C runtime, all of whose packed functions become global functions.

    Errors: ValueError for a name that is taken; then no function is registered.
    """

    def __init__(self, library: FunctionLibrary) -> None:
        self.names = sorted(library.functions)
        for name in self.names:
            if get_global_func(name, allow_missing=True) is not None:
                register_func(name, library[name])  # raises the error
        for name in self.names:
            register_func(name, library[name])


def _report(kind: bytes | None, message: bytes | None) -> None:
    """Store an error that C code reports, for the Python caller; a null kind clears the error."""
    if kind:
        error_channel().note(kind, message)
    else:
        error_channel().clear()


@cache
def _libraries() -> dict[str, _CLibrary | _PlainLibrary]:
    """Return the libraries of this process, by path; their code stays loaded."""
    return {}


def load_functions(path: str | PathLike[str]) -> list[str]:
    """Load a library of C functions, and register them as global functions; return their names.

    The library calls ``tw_register``, usually in a constructor; functions that it registers later
    become global functions, too. If a library does not contain the C runtime, all its packed
    functions ``__tvm_ffi_NAME`` are registered. Loading a file again changes nothing.

    Errors: LoadError for a file that cannot be loaded; ValueError for a name that is taken.
    """
    where = os.fspath(Path(path).resolve())
    libraries = _libraries()
    if where not in libraries:
        libraries[where] = _loaded(where)
    return [*libraries[where].names]


def _loaded(path: str) -> _CLibrary | _PlainLibrary:
    try:
        plain = function_library(path)
    except OSError:
        plain = None  # the system's message follows
    return _CLibrary(path) if plain is None else _PlainLibrary(plain)
