"""Buffers of the loop interpreter, with bounds checks and race detection.

The iterations of a parallel loop must be independent.  While it runs, a record contains, for every
element that the loop accesses, the iteration that wrote it and the iterations that read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation

from ..dialects.dtypes import numpy_dtype
from ..dialects.loop import ALIGNMENT_BYTES
from ..support.diagnostics import TilewrightError

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

_NOBODY, _SEVERAL = -1, -2


def aligned_bytes(size: int) -> Array:
    """Return an array of ``size`` zero bytes whose address is a multiple of ALIGNMENT_BYTES."""
    raw = np.zeros(size + ALIGNMENT_BYTES, np.uint8)
    start = -raw.ctypes.data % ALIGNMENT_BYTES
    return raw[start : start + size]


def fresh_buffer(type_: MemRefType[Any]) -> Array:
    """Return a buffer of NaN or smallest integers, which reveal reads of unwritten elements."""
    return poison(np.empty(type_.get_shape(), numpy_dtype(type_.element_type)))


def start_of(array: Array, shape: Sequence[int]) -> Array:
    """Return the first elements of an array, in row-major order, as an array of ``shape``."""
    return array if array.shape == shape else array.reshape(-1)[: prod(shape)].reshape(shape)


def poison(buffer: Array) -> Array:
    """Fill a buffer with NaN, or the smallest integer, and return it."""
    if buffer.dtype.kind in "iu":
        buffer[...] = np.iinfo(buffer.dtype).min
    elif buffer.dtype.kind == "b":
        buffer[...] = True
    else:
        buffer[...] = np.nan
    return buffer


@dataclass(eq=False)
class Buffer:
    """The buffer of a memref: its elements in row-major order, and its shape.

    name: for errors.  depth: the number of parallel loops around the allocation; each iteration of
    these loops has a buffer of its own, so that only accesses inside deeper loops can race.
    """

    name: str
    elements: Array
    shape: tuple[int, ...]
    depth: int = 0
    strides: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        strides = [1]
        for size in reversed(self.shape[1:]):
            strides.append(strides[-1] * size)
        self.strides = tuple(reversed(strides)) if self.shape else ()

    def inside(self, indices: Sequence[int]) -> bool:
        """Return whether all indices are within bounds."""
        return all(0 <= i < n for i, n in zip(indices, self.shape, strict=True))

    def offset(self, indices: Sequence[int]) -> int:
        """Return the row-major offset of an element."""
        return sum(i * s for i, s in zip(indices, self.strides, strict=True))

    def lane_offsets(self, op: Operation, indices: Sequence[int], lanes: int, stride: int) -> range:
        """Return the row-major offsets of the lanes of a vector access.

        op: the access, for the error.  indices: the position of the first lane.  stride: the
        distance of lanes, in elements.
        Errors: TilewrightError if the first or the last lane is out of bounds.
        """
        first = 0
        for index, size, pitch in zip(indices, self.shape, self.strides, strict=True):
            if not 0 <= index < size:
                raise self._outside(op, indices)
            first += index * pitch
        last = first + (lanes - 1) * stride
        if not 0 <= last < self.elements.size:
            raise self._outside(op, [*indices[:-1], indices[-1] + (lanes - 1) * stride])
        return range(first, last + (1 if stride > 0 else -1), stride)

    def _outside(self, op: Operation, indices: Sequence[int]) -> TilewrightError:
        return TilewrightError(
            f"access outside of {self.name}",
            expected=f"indices below {list(self.shape)}",
            got=list(indices),
            hint="shorten the loop, or guard the access with loop.if",
        ).at(op)


@dataclass(eq=False)
class ParallelRun:
    """One run of a parallel loop: the current iteration, and a record of accesses.

    op: the loop.  writers, readers: per buffer, for each element, the number of the iteration that
    wrote or read it.
    """

    op: Operation
    iteration: int = 0
    writers: dict[Buffer, list[int]] = field(default_factory=dict[Buffer, list[int]])
    readers: dict[Buffer, list[int]] = field(default_factory=dict[Buffer, list[int]])

    def _marks(self, table: dict[Buffer, list[int]], buffer: Buffer) -> list[int]:
        marks = table.get(buffer)
        if marks is None:
            marks = table[buffer] = [_NOBODY] * buffer.elements.size
        return marks

    def read(self, op: Operation, buffer: Buffer, places: Sequence[int]) -> None:
        """Record a read by the current iteration.

        op: the load, for the error.  places: the row-major offsets of the elements in the buffer.
        Errors: TilewrightError if another iteration has written one of the elements.
        """
        writers, readers = self._marks(self.writers, buffer), self._marks(self.readers, buffer)
        for place in places:
            if writers[place] not in (_NOBODY, self.iteration):
                raise self._race(op, buffer, place, "reads", f"{writers[place]} wrote")
            if readers[place] != self.iteration:
                readers[place] = self.iteration if readers[place] == _NOBODY else _SEVERAL

    def write(self, op: Operation, buffer: Buffer, places: Sequence[int]) -> None:
        """Record a write by the current iteration.

        op: the store, for the error.  places: the row-major offsets of the elements in the buffer.
        Errors: TilewrightError if another iteration has read or written one of the elements.
        """
        writers, readers = self._marks(self.writers, buffer), self._marks(self.readers, buffer)
        for place in places:
            if writers[place] not in (_NOBODY, self.iteration):
                raise self._race(op, buffer, place, "writes", f"{writers[place]} wrote")
            if readers[place] not in (_NOBODY, self.iteration):
                other = "another" if readers[place] == _SEVERAL else str(readers[place])
                raise self._race(op, buffer, place, "writes", f"{other} read")
            writers[place] = self.iteration

    def _race(
        self, op: Operation, buffer: Buffer, place: int, does: str, other: str
    ) -> TilewrightError:
        element = [int(i) for i in np.unravel_index(place, buffer.shape or (1,))]
        return TilewrightError(
            "iterations of a parallel loop are not independent",
            expected="one iteration per written element",
            got=f"iteration {self.iteration} {does} {buffer.name}{element}, which {other}",
            hint="make the loop serial, or write each element in one iteration",
        ).at(op)
