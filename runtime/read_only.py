"""Memory that the functions in a call may not write, because the caller passed it as read-only.

A DLTensor has no read-only flag, so a Python function that receives one looks it up here. Each
thread records the memory of the calls that it is in.
"""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterable
from contextlib import contextmanager

from .ndarray import Array, address_reader


class _Ranges(threading.local):
    """First and last address of each protected piece of memory, outer calls first."""

    def __init__(self) -> None:
        self.all: list[tuple[int, int]] = []


_RANGES = _Ranges()


@contextmanager
def read_only_memory(arrays: Iterable[Array]) -> Generator[None]:
    """Protect the memory of read-only arrays until the block exits."""
    ranges = _RANGES.all
    depth = len(ranges)
    ranges += [_extent(array) for array in arrays if array.size and not array.flags.writeable]
    try:
        yield
    finally:
        del ranges[depth:]


def is_read_only(first: int, last: int) -> bool:
    """Return whether any byte from a first to a last address is protected."""
    return any(low <= last and first <= high for low, high in _RANGES.all)


def _extent(array: Array) -> tuple[int, int]:
    start = address_reader()(array)
    reach = [(size - 1) * step for size, step in zip(array.shape, array.strides, strict=True)]
    low, high = sum(min(0, r) for r in reach), sum(max(0, r) for r in reach)
    return start + low, start + high + array.itemsize - 1
