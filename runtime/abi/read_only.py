"""The memory of running calls of a thread, for Python functions that these calls call.

A DLTensor has neither a read-only flag nor an owner. So when a Python function receives a DLTensor,
this module returns whether the caller passed the memory as read-only, and which objects keep the
memory alive.
"""

from __future__ import annotations

import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager

from .ndarray import Array, address_reader


class _Ranges(threading.local):
    """The memory that the running calls of a thread use; outer calls come before inner calls.

    all: the first and the last address of each read-only range of bytes.  owners: for each call, an
    object that owns memory of the call.
    """

    def __init__(self) -> None:
        self.all: list[tuple[int, int]] = []
        self.owners: list[object] = []


_RANGES = _Ranges()


@contextmanager
def memory_of_call(arrays: Sequence[Array], alive: object = None) -> Generator[None]:
    """Treat the memory of read-only arrays as read-only until the block exits.

    arrays: the arguments of a call.  alive: the owner of other memory that the call uses.
    """
    ranges, depth = _RANGES.all, len(_RANGES.all)
    ranges += [_extent(array) for array in arrays if array.size and not array.flags.writeable]
    _RANGES.owners.append((arrays, alive))
    try:
        yield
    finally:
        _RANGES.owners.pop()
        del ranges[depth:]


def owners() -> tuple[object, ...]:
    """Return the owners of the memory of all running calls of this thread."""
    return tuple(_RANGES.owners)


def is_read_only(first: int, last: int) -> bool:
    """Return whether any byte from address ``first`` to ``last``, inclusive, is read-only."""
    return any(low <= last and first <= high for low, high in _RANGES.all)


def _extent(array: Array) -> tuple[int, int]:
    start = address_reader()(array)
    reach = [(size - 1) * step for size, step in zip(array.shape, array.strides, strict=True)]
    low, high = sum(min(0, r) for r in reach), sum(max(0, r) for r in reach)
    return start + low, start + high + array.itemsize - 1
