"""Heap objects of the packed-function ABI: creation, references and release.

An object that Python passes to compiled code lives in a table until its last reference is dropped;
an object that Python receives is released together with its Python wrapper. The table records the
Python object for which each ABI object was made, so that Python code that receives a function or an
array gets the original Python object.
"""

from __future__ import annotations

import ctypes
import threading
import weakref
from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from .constants import (
    OBJECT_KINDS,
    BytesObject,
    ByteSpan,
    DeleterCFunction,
    FunctionObject,
    Object,
    OpaqueObject,
    SequenceObject,
    ShapeObject,
    TensorObject,
    TypeIndex,
    Value,
)

AnyObject: TypeAlias = (
    BytesObject | FunctionObject | OpaqueObject | SequenceObject | ShapeObject | TensorObject
)

_ONE_STRONG, _ONE_WEAK = 1, 1 << 32
_STRONG_MASK = (1 << 32) - 1
_FREE_MEMORY = 2


class ObjectTable:
    """The ABI objects that Python created and that are still referenced, by their addresses."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[object, ...]] = {}
        self._origins: dict[int, Callable[[], object]] = {}
        self._delete = DeleterCFunction(self._drop)
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def make(
        self,
        made: AnyObject,
        type_index: TypeIndex,
        *alive: object,
        origin: Callable[[], object] | None = None,
    ) -> int:
        """Register a new ABI object with a reference count of one; return its address.

        The table keeps the object alive until its last reference is dropped.

        made: the structure of the object; this method fills its header.  alive: objects that must
        live as long as the ABI object.  origin: returns the Python object for which the ABI object
        was made, or None if this Python object no longer exists.
        """
        header = made.header
        header.references = _ONE_STRONG + _ONE_WEAK
        header.type_index = type_index
        header.deleter = ctypes.cast(self._delete, ctypes.c_void_p).value
        address = ctypes.addressof(made)
        self._kept[address] = (made, *alive)
        if origin is not None:
            self._origins[address] = origin
        return address

    def adopt(self, address: int, wrapper: object) -> None:
        """Let a Python wrapper own one reference to an object, which is dropped with the wrapper.

        address: the address of the object, to which the caller has a reference.
        """
        self._origins[address] = weakref.ref(wrapper)
        weakref.finalize(wrapper, self._abandon, address).atexit = False

    def _abandon(self, address: int) -> None:
        self._origins.pop(address, None)
        self.release(address)

    def origin(self, address: int) -> object:
        """Return the Python object for which an ABI object was made, or None."""
        found = self._origins.get(address)
        return None if found is None else found()

    def _drop(self, address: int, flags: int) -> None:
        if flags & _FREE_MEMORY and (kept := self._kept.pop(address, None)):
            self._origins.pop(address, None)
            if isinstance(kept[0], SequenceObject):
                self._drop_elements(kept[0])

    def _drop_elements(self, sequence: SequenceObject) -> None:
        """Drop the references that a sequence holds to its elements, and free its memory for them.

        The elements are those at the end of its life: the owner of a list may have changed them.
        """
        for value in (Value * sequence.size).from_address(sequence.data):
            self.release_value(value)
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(sequence.data_deleter)(sequence.data)

    def retain(self, address: int) -> None:
        """Add a reference to an object."""
        with self._lock:
            Object.from_address(address).references += _ONE_STRONG

    def release_value(self, value: Value) -> None:
        """Drop the reference of a value, if the value refers to an object."""
        if value.type_index in OBJECT_KINDS:
            self.release(value.payload.pointer)

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


def new_sequence(capacity: int) -> SequenceObject:
    """Return an empty sequence with zeroed memory for ``capacity`` elements.

    Its elements are in memory of C's allocator, because the owner of a list may replace this
    memory, and deleting the list frees it with C's ``free``.
    """
    allocate, free = _c_memory()
    data = allocate(max(1, capacity), ctypes.sizeof(Value))
    return SequenceObject(data=data, capacity=capacity, data_deleter=free)


@cache
def _c_memory() -> tuple[Callable[[int, int], int], int]:
    library = ctypes.CDLL(None)
    allocate = library.calloc
    allocate.restype, allocate.argtypes = ctypes.c_void_p, [ctypes.c_size_t, ctypes.c_size_t]
    return allocate, ctypes.cast(library.free, ctypes.c_void_p).value or 0


def span_bytes(span: ByteSpan | BytesObject) -> bytes:
    """Return a copy of the bytes of a span or of a string object."""
    return ctypes.string_at(span.data or 0, span.size)


@cache
def object_table() -> ObjectTable:
    """Return the one table of objects of this process."""
    return ObjectTable()
