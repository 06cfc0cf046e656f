"""Heap objects of the packed-function ABI: creation, references and release.

An object that Python passes to compiled code lives in a table until its last reference is dropped;
one that Python receives is released together with its Python wrapper.
"""

from __future__ import annotations

import ctypes
import threading
from functools import cache
from typing import TypeAlias

from .abi import BytesObject, DeleterCFunction, FunctionObject, Object, TensorObject, TypeIndex

AnyObject: TypeAlias = BytesObject | FunctionObject | TensorObject

_ONE_STRONG, _ONE_WEAK = 1, 1 << 32
_STRONG_MASK = (1 << 32) - 1
_FREE_MEMORY = 2


class ObjectTable:
    """The objects that Python created and that are still referenced."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[object, ...]] = {}
        self._delete = DeleterCFunction(self._drop)
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def make(self, made: AnyObject, type_index: TypeIndex, *alive: object) -> int:
        """Initialize an object's header with one reference; return the address.

        alive: objects that must live as long as this one.
        """
        header = made.header
        header.references = _ONE_STRONG + _ONE_WEAK
        header.type_index = type_index
        header.deleter = ctypes.cast(self._delete, ctypes.c_void_p).value
        address = ctypes.addressof(made)
        self._kept[address] = (made, *alive)
        return address

    def _drop(self, address: int, flags: int) -> None:
        if flags & _FREE_MEMORY:
            self._kept.pop(address, None)

    def retain(self, address: int) -> None:
        """Add a reference to an object."""
        with self._lock:
            Object.from_address(address).references += _ONE_STRONG

    def release(self, address: int) -> None:
        """Drop a reference to an object; the last one deletes it."""
        header = Object.from_address(address)
        with self._lock:
            header.references -= _ONE_STRONG
            left = header.references
        if left & _STRONG_MASK or not header.deleter:
            return
        only = left == _ONE_WEAK
        delete = DeleterCFunction(header.deleter)
        delete(address, 1 | _FREE_MEMORY if only else 1)
        if not only:
            header.references -= _ONE_WEAK


@cache
def object_table() -> ObjectTable:
    """Return this process's table."""
    return ObjectTable()
