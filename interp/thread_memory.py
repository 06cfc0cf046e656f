"""Buffers of the simt interpreter: elements, and the threads that touched them since a barrier.

An access is one array of places, one row per active thread.  Each buffer of a block or of global
memory has a shadow: for every element the last writer and reader with the *epoch* in which they
touched it; a barrier begins a new epoch.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from xdsl.ir import Operation

from ..support.diagnostics import TilewrightError
from .memory import Array

_NOBODY, _SEVERAL = -1, -2


class Race(TilewrightError):
    """Threads access one element, at least one of them writes, and no barrier is between."""


@dataclass(eq=False)
class _Marks:
    """Who touched each element last, and in which epoch."""

    who: Array
    epoch: Array

    @staticmethod
    def of(size: int) -> _Marks:
        return _Marks(np.full(size, _NOBODY, np.int64), np.full(size, -1, np.int64))

    def by_others(self, places: Array, who: Array, epoch: int) -> Array:
        """Return whether another one touched the places in an epoch."""
        return (self.epoch[places] == epoch) & (self.who[places] != who)

    def set_readers(self, places: Array, who: Array, epoch: int) -> None:
        """Record readers; an element of several readers belongs to no one of them."""
        others = self.by_others(places, who, epoch)
        self.who[places], self.epoch[places] = np.where(others, _SEVERAL, who), epoch
        lost = self.who[places] != np.where(others, _SEVERAL, who)
        self.who[places[lost]] = _SEVERAL


@dataclass(eq=False)
class SharedBuffer:
    """A buffer of several threads: of a block, or of all blocks.

    is_written: which elements have a value, None for arguments.  groups: the group of the copy that
    an element waits for, -1 for none.
    """

    name: str
    elements: Array
    shape: tuple[int, ...]
    is_written: Array | None = None
    groups: Array | None = None
    writers: _Marks = field(init=False)
    readers: _Marks = field(init=False)

    def __post_init__(self) -> None:
        self.writers, self.readers = _Marks.of(self.elements.size), _Marks.of(self.elements.size)

    def read(self, op: Operation, places: Array, threads: Array, epoch: int) -> None:
        """Record that threads read places, one row per thread.

        Errors: Race, or TilewrightError for an element without a value.
        """
        flat, who = _flat(places, threads)
        if self.is_written is not None and not self.is_written[flat].all():
            missing = int(flat[~self.is_written[flat]][0])
            raise TilewrightError(
                "a thread reads an element without a value",
                expected="a store before the load",
                got=f"{self.name}{self.element(missing)}",
                hint="store the whole tile, or load less",
            ).at(op)
        self._refuse_copied(op, flat)
        self._refuse(op, flat, who, self.writers.by_others(flat, who, epoch), "reads", "wrote")
        self.readers.set_readers(flat, who, epoch)

    def write(self, op: Operation, places: Array, threads: Array, epoch: int) -> None:
        """Record that threads write places, one row per thread.

        Errors: Race.
        """
        flat, who = _flat(places, threads)
        self._refuse_copied(op, flat)
        self._refuse(op, flat, who, self.writers.by_others(flat, who, epoch), "writes", "wrote")
        self._refuse(op, flat, who, self.readers.by_others(flat, who, epoch), "writes", "read")
        self.writers.who[flat], self.writers.epoch[flat] = who, epoch
        self._refuse(op, flat, who, self.writers.who[flat] != who, "writes", "writes too")
        if self.is_written is not None:
            self.is_written[flat] = True

    def start_copy(self, places: Array, group: int) -> None:
        """Record that a copy to places is in flight."""
        if self.groups is None:
            self.groups = np.full(self.elements.size, -1, np.int64)
        self.groups[places.reshape(-1)] = group

    def end_copies(self, first: int, epoch: int) -> None:
        """Let the copies of all groups before one arrive: their threads write now."""
        if self.groups is not None:
            done = (self.groups >= 0) & (self.groups < first)
            self.writers.epoch[done], self.groups[done] = epoch, -1

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
        """Return the indices of a place."""
        return [int(i) for i in np.unravel_index(place, self.shape or (1,))]

    def _refuse(
        self, op: Operation, places: Array, who: Array, bad: Array, does: str, other: str
    ) -> None:
        if not bad.any():
            return
        first = int(np.flatnonzero(bad)[0])
        place = int(places[first])
        raise Race(
            "threads exchange data without a barrier",
            expected="a barrier between two accesses of one element",
            got=f"thread {who[first]} {does} {self.name}{self.element(place)}, "
            f"which another one {other}",
            hint="insert a barrier, or let one thread do both",
        ).at(op)


@dataclass(eq=False)
class LocalBuffer:
    """A buffer of each thread: one row of elements per thread."""

    name: str
    elements: Array
    shape: tuple[int, ...]
    is_written: Array

    def check_read(self, op: Operation, rows: Array, places: Array) -> None:
        """Refuse reads of elements without a value."""
        if not self.is_written[rows, places].all():
            raise TilewrightError(
                "a thread reads an element without a value",
                expected="a store before the load",
                got=f"an element of {self.name}",
                hint="store the whole tile, or load less",
            ).at(op)


def _flat(places: Array, threads: Array) -> tuple[Array, Array]:
    """Return places and their threads as flat arrays of one length."""
    return places.reshape(-1), np.repeat(threads, places.shape[1])


__all__ = ["LocalBuffer", "Race", "SharedBuffer"]
