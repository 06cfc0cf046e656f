"""Detection of changed constants: whether tensors still have the values that a program packed.

In: the tensors of a call. Out: the positions of the tensors that were written since a program
packed them. `TensorBytes` detects every kind of write: Linux records the first write to each page
of large tensors, and a call compares all other bytes with copies.  `TensorStamps` compares
addresses and version counters. Torch increments a version counter for each write of an operator,
but not for writes to ``tensor.data``, to an array that shares the memory, and to tensors of
inference mode.
"""

from __future__ import annotations

import ctypes
import mmap
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Any, Protocol

from .page_writes import Watch, own_pages

LEAST_WATCHED_BYTES = 1 << 13
"""Smaller ranges are compared byte by byte, which is faster than asking the kernel."""
MOST_ALARMS = 3
"""After this many writes that changed only neighbors of tensors, a page is not watched."""


class PackedValues(Protocol):
    """A record of tensors' values at the time when a program packed them."""

    def changed(self, tensors: Sequence[Any]) -> list[int]:
        """Return the positions of the tensors whose values have changed."""
        ...


def is_dense(value: Any) -> bool:
    """Return whether a value is a tensor whose elements fill a contiguous range of addresses."""
    if not hasattr(value, "dtype"):
        return False
    count = 1
    for stride, size in sorted(zip(value.stride(), value.shape, strict=True)):
        if size != 1 and stride != count:
            return False
        count *= size
    return True


@dataclass(frozen=True)
class _SampledBytes:
    """A copy of some bytes of a tensor, with which later values are compared.

    tensor: the position of the tensor among all tensors.  at: the offset in bytes from the tensor's
    start.  page: the address of the page that contains all bytes of the copy, if one does; else 0.
    """

    tensor: int
    at: int
    copy: bytes
    page: int = 0

    def differs(self, addresses: Sequence[int]) -> bool:
        """Return whether the tensor now has other bytes than the copy.

        addresses: the present address of each tensor.
        """
        place = addresses[self.tensor] + self.at
        return _compare_bytes()(place, self.copy, len(self.copy)) != 0


class TensorBytes:
    """Change detection for dense tensors: large ones by watched pages, all other bytes by copies.

    _watches: the watched ranges of pages.
    _whole: ranges of watched pages that contain bytes of only one tensor: (start, stop, position of
    the tensor).
    _edges: copies of the bytes in other watched pages. Writes to neighbors of a tensor mark these
    pages, too, so the bytes in written pages are compared with the copies.
    _compared: copies of the bytes that each call compares.
    """

    def __init__(self, tensors: Sequence[Any]) -> None:
        self._addresses = [tensor.data_ptr() for tensor in tensors]
        ranges = [(a, a + _count_bytes(t)) for a, t in zip(self._addresses, tensors, strict=True)]
        self._lock, self._alarms = Lock(), Counter[int]()
        # Devices write to pinned memory without the notice of the kernel.
        spans = _spans([each for each, t in zip(ranges, tensors, strict=True) if not t.is_pinned()])
        # The copies are made after the watches begin, so that no write is between.
        self._watches = [watch for watch in _begun(spans) if watch is not None]
        self._whole: list[tuple[int, int, int]] = []
        self._edges: list[_SampledBytes] = []
        self._compared: list[_SampledBytes] = []
        for n, (start, stop) in enumerate(ranges):
            if not any(w.start <= start and stop <= w.stop for w in self._watches):
                self._compared.append(_SampledBytes(n, 0, ctypes.string_at(start, stop - start)))
                continue
            first, last = _page(start + mmap.PAGESIZE - 1), _page(stop)
            self._whole += [(first, last, n)] if first < last else []
            for a, b in [(start, first), (last, stop)] if first <= last else [(start, stop)]:
                copy = ctypes.string_at(a, b - a)
                self._edges += [_SampledBytes(n, a - start, copy, _page(a))] if copy else []

    def changed(self, tensors: Sequence[Any]) -> list[int]:
        """Return the positions of the tensors whose bytes may have changed.

        Before: sizes, strides and element types are unchanged; dynamo guards them.
        """
        addresses = [tensor.data_ptr() for tensor in tensors]
        is_moved = addresses != self._addresses
        if not is_moved and not any(watch.written() for watch in self._watches):
            return sorted({p.tensor for p in self._compared if p.differs(addresses)})
        with self._lock:
            found = {n for n, a in enumerate(addresses) if a != self._addresses[n]}
            found |= self._written(addresses)
            found |= {p.tensor for p in self._compared if p.differs(addresses)}
        return sorted(found)

    def _written(self, addresses: Sequence[int]) -> set[int]:
        """Return the positions of tensors that may have changed in watched pages.

        If no tensor has changed, only bytes next to tensors were written: watch these pages again,
        or compare their bytes in each call if such writes are frequent.

        addresses: the present address of each tensor.
        """
        touched = [(watch, watch.written()) for watch in self._watches if watch.written()]
        regions = [region for _, each in touched for region in each]
        edges = [p for p in self._edges if any(a <= p.page < b for a, b in regions)]
        self._alarms.update({part.page for part in edges})
        noisy = {part.page for part in edges if self._alarms[part.page] > MOST_ALARMS}
        pieces = [piece for watch, _ in touched for piece in _without(watch, noisy)]
        # The new watches begin before the comparison, so that no write is between.
        begun = [watch for watch in _begun(pieces) if watch is not None]
        found = {n for first, last, n in self._whole for a, b in regions if first < b and a < last}
        found |= {part.tensor for part in edges if part.differs(addresses)}
        if len(begun) < len(pieces):
            return set(range(len(addresses)))
        if not found:
            kept = [w for w in self._watches if not any(w is watch for watch, _ in touched)]
            self._compared = [*self._compared, *(p for p in self._edges if p.page in noisy)]
            self._edges = [part for part in self._edges if part.page not in noisy]
            self._watches = [*kept, *begun]
        return found


def _count_bytes(tensor: Any) -> int:
    return tensor.numel() * tensor.element_size()


def _page(address: int) -> int:
    return address & -mmap.PAGESIZE


def _spans(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the page ranges that contain enough tensor bytes to be worth watching.

    ranges: the first address (inclusive) and the last address (exclusive) of each tensor.  Ranges
    of tensors that share a page, or touch, are merged.
    """
    joined: list[list[int]] = []
    for start, stop in sorted(ranges):
        first, last = _page(start), _page(stop + mmap.PAGESIZE - 1)
        if joined and first <= joined[-1][1]:
            joined[-1][1] = max(last, joined[-1][1])
            joined[-1][2] += stop - start
        else:
            joined.append([first, last, stop - start])
    return [(first, last) for first, last, count in joined if count >= LEAST_WATCHED_BYTES]


def _begun(ranges: Sequence[tuple[int, int]]) -> list[Watch | None]:
    """Begin to watch ranges of pages; return a watch for each range.

    The result has None in place of a range that cannot be watched.
    """
    pages = own_pages()
    return [None if pages is None else pages.watch(start, stop) for start, stop in ranges]


def _without(watch: Watch, pages: set[int]) -> list[tuple[int, int]]:
    """Return the address ranges that remain of a watched range if some pages are no longer watched.

    pages: the addresses of these pages.
    """
    cuts = sorted(page for page in pages if watch.start <= page < watch.stop)
    starts = [watch.start, *(page + mmap.PAGESIZE for page in cuts)]
    return [(a, b) for a, b in zip(starts, [*cuts, watch.stop], strict=True) if a < b]


class TensorStamps:
    """Change detection by addresses and version counters of tensors.

    The object holds aliases of the tensors, so that their memory is not reused for other tensors.
    """

    def __init__(self, tensors: Sequence[Any]) -> None:
        self._stamps = [_stamp(tensor) for tensor in tensors]
        self._aliases = [tensor.detach() for tensor in tensors]

    def changed(self, tensors: Sequence[Any]) -> list[int]:
        """Return the positions of the tensors whose address or version has changed."""
        pairs = zip(tensors, self._stamps, strict=True)
        return [n for n, (tensor, stamp) in enumerate(pairs) if _stamp(tensor) != stamp]


def _stamp(tensor: Any) -> tuple[int, int]:
    """Return the address and the version of a tensor; a tensor of inference mode has no version."""
    return tensor.data_ptr(), -1 if tensor.is_inference() else tensor._version


@cache
def _compare_bytes() -> Any:
    """Return memcmp of the C library: (address, bytes, count) -> 0 if all bytes are equal."""
    compare = ctypes.CDLL(None).memcmp
    compare.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
    return compare
