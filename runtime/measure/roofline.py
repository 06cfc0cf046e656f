"""Measured limits of the machine: multiply-adds of a core, and bytes read from memory.

In: two loops in machine code, which targets/cpu/instructions/peak.py makes; a file that was
exported for profiling contains them. Out: a `Roofline`, to which a profile compares GFLOP/s and
GB/s.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Thread
from time import perf_counter
from typing import Any

import numpy as np

from ..abi.constants import SYMBOL_COMPUTE_LOOP, SYMBOL_LOOP_SIZES, SYMBOL_READ_LOOP
from ..abi.library import Library
from ..abi.ndarray import Array

STREAMS = 4
"""The number of memory ranges that the loop reads concurrently."""
VECTORS = 2
"""The number of vectors of each range that an iteration of the loop reads."""
# Each thread reads memory larger than the caches, in loops of about a millisecond: the scheduler
# of a busy machine interrupts longer loops.
_READ_BYTES = 128 << 20
_READS = 8
_ROUNDS = 10
_STEPS = 200_000


@dataclass(frozen=True)
class Roofline:
    """The measured limits of several threads together.

    flops: f32 operations per second; a multiply-add counts as two.  bandwidth: bytes per second
    that are read from memory.
    """

    flops: float
    bandwidth: float

    def least_s(self, flops: float, moved_bytes: float) -> float:
        """Return the seconds that a kernel takes if it runs at the limits of the machine.

        The larger of two times: of the operations, and of the bytes.

        flops: the operations of the kernel.  moved_bytes: the bytes that it reads and writes.
        """
        return max(flops / self.flops, moved_bytes / self.bandwidth)


@dataclass(frozen=True)
class LimitLoops:
    """Two loops in machine code that measure the limits of a machine.

        void compute(float *vector, int64 steps)
        void read(float *vector, const void *data, int64 bytes)

    compute: each step is one multiply-add on each accumulator.  read: adds up the elements of
    STREAMS ranges of ``bytes`` each.  sums: the number of accumulators, which are vectors of
    ``lanes`` floats.  alive: the object that keeps the code of both loops loaded.
    """

    compute: Callable[..., None]
    read: Callable[..., None]
    sums: int
    lanes: int
    alive: object = None

    @staticmethod
    def at(compute: int, read: int, sums: int, lanes: int, alive: object = None) -> LimitLoops:
        """Return the loops whose machine code is at two addresses.

        compute, read: the addresses.  sums, lanes, alive: the fields of the class.
        """
        pointer, count = ctypes.c_void_p, ctypes.c_int64
        return LimitLoops(
            ctypes.CFUNCTYPE(None, pointer, count)(compute),
            ctypes.CFUNCTYPE(None, pointer, pointer, count)(read),
            sums,
            lanes,
            alive,
        )

    @staticmethod
    def of_library(library: Library) -> LimitLoops | None:
        """Return the loops that a library contains for measurements, or None if it has none."""
        if not (sizes := library.find(SYMBOL_LOOP_SIZES)):
            return None
        compute, read = map(library.address, (SYMBOL_COMPUTE_LOOP, SYMBOL_READ_LOOP))
        sums, lanes = (ctypes.c_int32 * 2).from_address(sizes)
        return LimitLoops.at(compute, read, sums, lanes, library)

    def measured(self, threads: int) -> Roofline:
        """Measure the limits of several threads, by the fastest of several rounds of short loops.

        The operations per second are measured for one thread, and multiplied by ``threads``. The
        bandwidth is measured for all threads together, which read separate ranges concurrently.
        """
        parts = [np.ones(_READ_BYTES // 4, np.float32) for _ in range(threads)]
        reads = [[MemoryLoop(self, x) for x in np.array_split(part, _READS)] for part in parts]
        found: list[float] = []
        workers = [Thread(target=lambda own=own: found.append(_bandwidth(own))) for own in reads]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        return Roofline(threads * ComputeLoop(self).peak(_ROUNDS), sum(found))


class ComputeLoop:
    """A loop of multiply-adds in registers, with as many independent accumulators as fit.

    flops: f32 operations of one call; a multiply-add counts as two.
    """

    name = "peak"

    def __init__(self, loops: LimitLoops, *, steps: int = _STEPS) -> None:
        self._loops, self._steps = loops, steps
        self._out = (ctypes.c_float * loops.lanes)()
        self.flops = 2 * loops.sums * loops.lanes * steps

    def __call__(self) -> None:
        """Run the loop once."""
        self._loops.compute(ctypes.addressof(self._out), self._steps)

    def peak(self, rounds: int) -> float:
        """Return the highest number of operations per second in several rounds."""
        return self.flops / min(_time_s(self) for _ in range(rounds))


class MemoryLoop:
    """A loop that only reads memory: the bytes of an array, in several concurrent ranges.

    bytes: the number of bytes that one call reads.  sums: memory to which the loop writes its
    result, so that the reads are not removed.
    """

    name = "read"

    def __init__(self, loops: LimitLoops, array: Array) -> None:
        step_bytes = 4 * loops.lanes * VECTORS
        self._loops, self._array = loops, array
        self._part_bytes = array.nbytes // STREAMS // step_bytes * step_bytes
        self.sums: Any = (ctypes.c_float * loops.lanes)()
        self.bytes = STREAMS * self._part_bytes

    def __call__(self) -> None:
        """Read the array once."""
        out = ctypes.addressof(self.sums)
        self._loops.read(out, self._array.ctypes.data, self._part_bytes)


def _bandwidth(reads: Sequence[MemoryLoop]) -> float:
    """Return the highest rate at which one of several loops reads memory, in bytes per second.

    The loops run by turns, so each evicts the data of the others from the caches.
    """
    return max(read.bytes / _time_s(read) for read in [*reads] * _ROUNDS)


def _time_s(loop: Callable[[], None]) -> float:
    start_s = perf_counter()
    loop()
    return perf_counter() - start_s
