"""Shared objects in memory: loading into this process, symbol lookup, unloading."""

from __future__ import annotations

import ctypes
import os
import tempfile
import weakref
from _ctypes import dlclose
from _thread import allocate_lock, start_new_thread
from collections.abc import Callable
from copy import copy
from threading import get_native_id
from typing import Protocol

from ..errors import Error
from .constants import SYMBOL_RELEASE, program_symbol


class LoadError(Error, RuntimeError):
    """A module that is damaged, or does not fit this runtime, processor or process."""


class Symbols(Protocol):
    """The methods of a library that calls use: lookup of addresses and texts by symbol."""

    def address(self, symbol: str) -> int:
        """Return the address of a symbol."""
        ...

    def text(self, symbol: str) -> str:
        """Return the NUL-terminated text at a symbol."""
        ...


class Library:
    """A loaded shared object, which is unloaded when the last reference to it is dropped.

    An object that keeps an address in the library must keep the library, too.

    code: the bytes of the shared object.  number: if this object stands for one program of a
    library with several programs: the number of the program; else None.
    """

    number: int | None = None

    def __init__(self, data: bytes, name: str = "module") -> None:
        self.name, self.code = name, data
        self._held: dict[int, object] = {}
        handle = _open(data, name)
        self._dll = ctypes.CDLL(name, handle=handle)
        self._unload_with(handle)

    def _unload_with(self, *handles: int) -> None:
        """Make the last reference to this object free the memory of the code, and close handles."""
        self._finalizer = weakref.finalize(self, _unload, self.find(SYMBOL_RELEASE), *handles)
        # At exit, other threads may still run the code; the end of the process unloads it anyway.
        self._finalizer.atexit = False

    def permanent(self) -> Library:
        """Return an object of the same loaded code, which is never unloaded from now on.

        The memory that the code keeps from one call to the next is still freed with this object.
        """
        made = copy(self)
        made._held = {}
        self._finalizer.detach()
        self._unload_with()
        return made

    def find(self, symbol: str) -> int:
        """Return the address of an exported symbol, or 0."""
        try:
            return ctypes.addressof(ctypes.c_char.in_dll(self._dll, symbol))
        except ValueError:
            return 0

    def address(self, symbol: str) -> int:
        """Return the address of an exported symbol.

        Errors: LoadError if the library does not export the symbol.
        """
        found = self.find(symbol)
        if not found:
            raise LoadError(
                f"{self.name} does not export {symbol}",
                hint="load a module that tilewright.compile or tilewright.build made",
            )
        return found

    def text(self, symbol: str) -> str:
        """Return the NUL-terminated text at an exported symbol."""
        return ctypes.string_at(self.address(symbol)).decode(errors="replace")

    def store_pointer(self, symbol: str, value: int, *, alive: object = None) -> None:
        """Write a pointer to a slot, an exported variable through which the code finds an object.

        symbol: the symbol of the slot.  value: the pointer.  alive: an object that the library
        keeps alive until the slot is written again.
        """
        slot = self.address(symbol)
        ctypes.c_void_p.from_address(slot).value = value
        self._held[slot] = alive

    def held(self, symbol: str) -> object:
        """Return the ``alive`` object of the last `store_pointer` to a slot, or None."""
        return self._held.get(self.address(symbol))

    def release(self) -> None:
        """Free the memory that the library's code keeps from one call to the next."""
        ctypes.CFUNCTYPE(None)(self.address(SYMBOL_RELEASE))()

    def int32_at(self, symbol: str) -> int:
        """Return the value of an exported 32-bit integer variable."""
        return ctypes.c_int32.from_address(self.address(symbol)).value

    def store_int32(self, symbol: str, value: int) -> None:
        """Set an exported 32-bit integer variable."""
        ctypes.c_int32.from_address(self.address(symbol)).value = value


class PartLibrary(Library):
    """One of several programs in a loaded library, as a library of its own.

    A symbol is first looked up among the symbols of the program (`program_symbol`), then among the
    symbols that all programs share.
    """

    def __init__(self, whole: Library, number: int) -> None:
        self.name, self.code, self._dll = whole.name, whole.code, whole._dll
        self._whole, self._part, self._held = whole, number, whole._held
        self.number = number

    def find(self, symbol: str) -> int:
        """Return the address of a symbol of the program, else of the whole library, else 0."""
        return super().find(program_symbol(symbol, self._part)) or super().find(symbol)


def _open(data: bytes, name: str) -> int:
    try:
        descriptor = os.memfd_create(name)
    except (AttributeError, OSError):
        return _open_file(data, name)
    with open(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        return _in_new_thread(lambda: _dlopen(_unique_path(descriptor), name))


def _in_new_thread(function: Callable[[], int]) -> int:
    """Return the result of a function that a new thread calls, or raise its exception."""
    results: list[int | BaseException] = []
    running = allocate_lock()

    def run() -> None:
        try:
            results.append(function())
        except BaseException as err:  # the caller's thread raises it
            results.append(err)
        finally:
            running.release()

    running.acquire()
    # An object of threading.Thread would take half as long as loading a library.
    start_new_thread(run, ())
    running.acquire()
    (result,) = results
    if isinstance(result, BaseException):
        raise result
    return result


def _unique_path(descriptor: int) -> str:
    """Return a path to the open file ``descriptor`` that no loaded library has.

    The path contains the ID of the calling thread, so it is invalid once the thread has ended.
    Otherwise it would name any file that gets the same descriptor later, and tools that print
    native tracebacks open the paths of all libraries.

    The loader identifies a library by its path. It would return an old library if a thread ID and
    a descriptor were both used again. So the separators of the path encode the inode number of the
    file, one separator per bit: no other file gets this number while the library is loaded.
    """
    bits = f"{os.fstat(descriptor).st_ino:b}"
    separators = "".join("/." if bit == "1" else "/" for bit in bits)
    return f"/proc/self/task/{get_native_id()}/fd{separators}/{descriptor}"


def _open_file(data: bytes, name: str) -> int:
    with tempfile.NamedTemporaryFile(prefix="tilewright-", suffix=".so") as file:
        file.write(data)
        file.flush()
        return _dlopen(file.name, name)


def _dlopen(path: str, name: str) -> int:
    try:
        return ctypes.CDLL(path, mode=os.RTLD_NOW | os.RTLD_LOCAL)._handle
    except OSError as err:
        raise LoadError(
            f"cannot load {name}", got=err, hint="compile the model again, for this machine"
        ) from err


def _unload(release: int, *handles: int) -> None:
    if release:
        ctypes.CFUNCTYPE(None)(release)()
    for handle in handles:
        dlclose(handle)
