"""Arrays between inaccessible pages: an access out of bounds ends the process, never passes.

Use them for the inputs and outputs of generated kernels, in a worker process (testing/worker.py).
"""

from __future__ import annotations

import ctypes
import mmap
import weakref
from functools import cache
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, Any]

_NO_ACCESS = 0
_READ_WRITE = mmap.PROT_READ | mmap.PROT_WRITE
_FAILED = ctypes.c_void_p(-1).value


@cache
def _libc() -> ctypes.CDLL:
    """Return the C library with the signatures of the functions used here."""
    libc = ctypes.CDLL(None, use_errno=True)
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    libc.mmap.restype = pointer
    libc.mmap.argtypes = [pointer, size, *[ctypes.c_int] * 3, ctypes.c_long]
    libc.munmap.argtypes = [pointer, size]
    libc.mprotect.argtypes = [pointer, size, ctypes.c_int]
    return libc


def guarded_empty(
    shape: tuple[int, ...], dtype: np.dtype[Any] | type | str, *, at_start: bool = False
) -> Array:
    """Return an uninitialized array that touches an inaccessible page.

    at_start: whether the page is before the start of the array; otherwise it is after its end. The
    other side has an inaccessible page too, less than a page away.
    Errors: OSError if the system has no memory left.
    """
    element = np.dtype(dtype)
    size = element.itemsize
    for extent in shape:
        size *= extent
    page = mmap.PAGESIZE
    inner = max(1, -(-size // page)) * page
    libc = _libc()
    base: int = libc.mmap(None, inner + 2 * page, _READ_WRITE, _private_anonymous(), -1, 0)
    if base == _FAILED:
        raise OSError(ctypes.get_errno(), "mmap failed")
    for guard in (base, base + page + inner):
        if libc.mprotect(guard, page, _NO_ACCESS):
            raise OSError(ctypes.get_errno(), "mprotect failed")
    start = base + page if at_start else base + page + inner - size
    memory = (ctypes.c_char * size).from_address(start)
    weakref.finalize(memory, libc.munmap, base, inner + 2 * page)
    return np.ndarray(shape, element, memoryview(memory))


def guarded(array: Array, *, at_start: bool = False) -> Array:
    """Return a copy of an array that touches an inaccessible page.

    at_start: whether the page is before the start of the array; otherwise it is after its end.
    """
    copy = guarded_empty(array.shape, array.dtype, at_start=at_start)
    copy[...] = array
    return copy


def _private_anonymous() -> int:
    return mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
