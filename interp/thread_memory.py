"""Buffers of the simt interpreter: elements, and records of accesses that reveal races.

An access is an array of element offsets (the arguments ``places``), with one row per active thread.
Each buffer of a block or of global memory records, for every element, the last writer and the last
reader with the *epoch* of their access; a barrier starts a new epoch.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from xdsl.ir import Operation

from ..support.diagnostics import TilewrightError
from .memory import Array

_NOBODY, _SEVERAL = -1, -2
_MOST_READS = 256


class Race(TilewrightError):
    """The error for two accesses to an element, one a write, without a barrier between them."""


class JointWrite(Race):
    """The error for one store by which several threads write an element; no barrier mends it."""


_JOINTLY = "writes too"


@dataclass(eq=False)
class _Marks:
    # For each element, the thread or block that accessed it last, and the epoch of this access.
    who: Array
    epoch: Array

    @staticmethod
    def of(size: int) -> _Marks:
        return _Marks(np.full(size, _NOBODY, np.int64), np.full(size, -1, np.int64))

    def by_others(self, places: Array, who: Array, epoch: int) -> Array:
        return (self.epoch[places] == epoch) & (self.who[places] != who)

    def set_readers(self, places: Array, who: Array, epoch: int) -> None:
        others = self.by_others(places, who, epoch)
        self.who[places], self.epoch[places] = np.where(others, _SEVERAL, who), epoch
        lost = self.who[places] != np.where(others, _SEVERAL, who)
        self.who[places[lost]] = _SEVERAL


@dataclass(eq=False)
class SharedBuffer:
    """A buffer that several threads access: the threads of a block, or of all blocks.

    name, shape: the name and the shape of the buffer.  elements: the elements in row-major order.
    is_written: for each element, whether it has a value; None for arguments, which all have one.
    groups: for each element, the group of the asynchronous copy that writes it; -1 if no copy is in
    flight.
    is_visible: for each element, whether warpgroup products see its value; None if no element is
    visible.
    in_use: for each element, the number of products in flight that read it; None if none has read
    any.
    last_write: the epoch of the last write to any element.
    writers, readers: for each element, its last writer and its last reader, with their epochs.
    """

    name: str
    elements: Array
    shape: tuple[int, ...]
    is_written: Array | None = None
    groups: Array | None = None
    is_visible: Array | None = None
    in_use: Array | None = None
    last_write: int = -1
    writers: _Marks = field(init=False)
    readers: _Marks = field(init=False)

    def __post_init__(self) -> None:
        self.writers, self.readers = _Marks.of(self.elements.size), _Marks.of(self.elements.size)
        self._reads: list[tuple[Array, Array]] = []
        self._reads_epoch = -1

    def read(self, op: Operation, places: Array, threads: Array, epoch: int) -> None:
        """Record that threads read elements.

        op: the load, for errors.  places: the offsets of the elements, with one row per thread.
        threads: the number of the thread of each row.  epoch: the current epoch.
        Errors: Race, or TilewrightError for an uninitialized element.
        """
        flat, who = _flat(places, threads)
        self.check_written(op, flat)
        self._refuse_copied(op, flat)
        if self.last_write == epoch:
            self._refuse(op, flat, who, self.writers.by_others(flat, who, epoch), "reads", "wrote")
        if self._reads_epoch != epoch:
            self._reads.clear()
            self._reads_epoch = epoch
        self._reads.append((flat, who))
        if len(self._reads) > _MOST_READS:
            self._mark_reads()

    def _mark_reads(self) -> None:
        # Few epochs have both reads and writes of a buffer, so readers are marked before a write.
        for flat, who in self._reads:
            self.readers.set_readers(flat, who, self._reads_epoch)
        self._reads.clear()

    def check_written(self, op: Operation, places: Array) -> None:
        """Raise TilewrightError if one of some elements has no value.

        op: the load, for the error.  places: the offsets of the elements.
        """
        if self.is_written is None or self.is_written[places].all():
            return
        missing = int(places[~self.is_written[places]][0])
        raise TilewrightError(
            "a thread reads an element without a value",
            expected="a store before the load",
            got=f"{self.name}{self.element(missing)}",
            hint="store the whole tile, or load less",
        ).at(op)

    def write(self, op: Operation, places: Array, threads: Array, epoch: int) -> None:
        """Record that threads write elements.

        op: the store, for errors.  places: the offsets of the elements, with one row per thread.
        threads: the number of the thread of each row.  epoch: the current epoch.
        Errors: Race.
        """
        flat, who = _flat(places, threads)
        self._refuse_copied(op, flat)
        if self._reads_epoch == epoch:
            self._mark_reads()
        self.last_write = epoch
        self._refuse(op, flat, who, self.writers.by_others(flat, who, epoch), "writes", "wrote")
        self._refuse(op, flat, who, self.readers.by_others(flat, who, epoch), "writes", "read")
        self.writers.who[flat], self.writers.epoch[flat] = who, epoch
        self._refuse(op, flat, who, self.writers.who[flat] != who, "writes", _JOINTLY)
        self._refuse_in_use(op, flat)
        if self.is_written is not None:
            self.is_written[flat] = True
        if self.is_visible is not None:
            self.is_visible[flat] = False

    def show(self) -> None:
        """Make all elements visible to warpgroup products, except those being copied."""
        self.is_visible = (
            np.ones(self.elements.size, bool) if self.groups is None else (self.groups < 0)
        )

    def check_visible(self, op: Operation, places: Array) -> None:
        """Raise Race if one of some elements is not visible to warpgroup products.

        op: the product, for the error.  places: the offsets of the elements.
        """
        shown = np.zeros(places.shape, bool) if self.is_visible is None else self.is_visible[places]
        if not shown.all():
            raise Race(
                "a warpgroup reads an element that may not be visible to it",
                expected="simt.barrier async between the store and the product",
                got=f"{self.name}{self.element(int(places[~shown][0]))}",
                hint="wait for copies, then insert the barrier",
            ).at(op)

    def reserve(self, places: Array, change: int) -> None:
        """Add ``change`` to the number of products in flight that read each of some elements.

        A product adds 1 when it starts, and -1 when it has finished.
        places: the offsets of the elements.
        """
        if self.in_use is None:
            self.in_use = np.zeros(self.elements.size, np.int64)
        np.add.at(self.in_use, places.reshape(-1), change)

    def _refuse_in_use(self, op: Operation, places: Array) -> None:
        if self.in_use is None or not self.in_use[places].any():
            return
        place = int(places[self.in_use[places] > 0][0])
        raise Race(
            "a thread writes an element that a product in flight reads",
            expected="simt.warpgroup_wait and a barrier before the write",
            got=f"{self.name}{self.element(place)}",
            hint="wait for the product, or write another tile",
        ).at(op)

    def start_copy(self, places: Array, group: int) -> None:
        """Record that an asynchronous copy is writing elements.

        places: the offsets of the elements.  group: the number of the copy's group
        (simt.async_commit).
        """
        if self.groups is None:
            self.groups = np.full(self.elements.size, -1, np.int64)
        self.groups[places.reshape(-1)] = group

    def end_copies(self, first: int, epoch: int) -> None:
        """Complete the copies of all groups with numbers below ``first``.

        The elements that they copied count as written in epoch ``epoch``.
        """
        if self.groups is not None:
            done = (self.groups >= 0) & (self.groups < first)
            self.writers.epoch[done], self.groups[done] = epoch, -1
            self.last_write = epoch

    def _refuse_copied(self, op: Operation, places: Array) -> None:
        if self.groups is None or (self.groups[places] < 0).all():
            return
        place = int(places[self.groups[places] >= 0][0])
        raise Race(
            "a thread accesses an element that is being copied",
            expected="a wait for the group of the copy before the access",
            got=f"{self.name}{self.element(place)}",
            hint="insert simt.async_wait, and a barrier for other threads",
        ).at(op)

    def element(self, place: int) -> list[int]:
        """Return the indices of the element at offset ``place`` in the buffer."""
        return [int(i) for i in np.unravel_index(place, self.shape or (1,))]

    def _refuse(
        self, op: Operation, places: Array, who: Array, bad: Array, does: str, other: str
    ) -> None:
        if not bad.any():
            return
        first = int(np.flatnonzero(bad)[0])
        place = int(places[first])
        raise (JointWrite if other == _JOINTLY else Race)(
            "threads exchange data without a barrier",
            expected="a barrier between two accesses of one element",
            got=f"thread {who[first]} {does} {self.name}{self.element(place)}, "
            f"which another one {other}",
            hint="insert a barrier, or let one thread do both",
        ).at(op)


@dataclass(eq=False)
class LocalBuffer:
    """A thread-private buffer.

    elements: an array (threads, elements in row-major order).  is_written: for each of them,
    whether it has a value.
    """

    name: str
    elements: Array
    shape: tuple[int, ...]
    is_written: Array

    def check_read(self, op: Operation, rows: Array, places: Array) -> None:
        """Raise an error if a thread reads an uninitialized element.

        op: the load, for the error.  rows: the threads, which number the rows of the buffer.
        places: the offsets of the elements.
        """
        if not self.is_written[rows, places].all():
            raise TilewrightError(
                "a thread reads an element without a value",
                expected="a store before the load",
                got=f"an element of {self.name}",
                hint="store the whole tile, or load less",
            ).at(op)


Memory: TypeAlias = SharedBuffer | LocalBuffer
Value: TypeAlias = Array | Memory


def _flat(places: Array, threads: Array) -> tuple[Array, Array]:
    """Return element offsets and their threads as flat arrays of equal length."""
    return places.reshape(-1), np.broadcast_to(threads[:, None], places.shape).reshape(-1)
