"""The time of kernels that stream memory, by the number of their blocks and loads in flight.

In: the accesses of a kernel's blocks, and the numbers of a GPU.  Out: seconds, and the numbers of
parts into which a sum can be divided.

A sum whose blocks cannot use the memory bandwidth is divided into equal parts.  A first launch
computes the sums of the parts into a buffer (sched.rfactor), a second one adds them in their order.
So the order of a sum depends on its shape, its type and the target alone.  The number of parts is
that with the least modelled time: of the busiest multiprocessor, whose bandwidth is limited by its
loads in flight (Little's law), of the whole memory, and of the second launch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ....machines.gpu_numbers import GpuNumbers

LAUNCH_SECONDS = 1.8e-6
"""The time of a small dependent kernel in a CUDA graph, measured on an H100: a product of 128 x 768
x 768 in f16 takes 7.8 us as one kernel, and 7.6 us in parts."""

_LINE_BYTES, _SHORT_LINE = 128, 0.25
"""The bytes of a cache line, and the additional time per missing line of shorter segments.

Measured on an H100: sums of columns of 16384 x 4096 in f32 take 116 us with segments of 64 bytes,
and 92 us with 512 bytes; a product of one row takes the same time with 128 and 512 bytes."""

_TAIL = 0.125
"""The share of a turn of blocks in which multiprocessors wait for the last blocks."""

QUEUE = 2
"""The latency of a load under load, as a multiple of that of a single load."""

_OVERDRAFT = 1.5
"""The bandwidth that a multiprocessor gets while others are idle, as a multiple of its share."""

_ADD_CLOCKS = 8
"""The clocks of a dependent addition of an element of shared memory."""


@dataclass(frozen=True)
class Stream:
    """The memory accesses of a kernel that reads its operands once.

    blocks: the number of blocks.
    block_bytes: the bytes that a block reads.
    threads: the threads of a block.
    thread_bytes: the bytes that a thread has in flight.
    result_bytes: the bytes of all results in the type of the accumulators.
    combined: the partial sums that a block adds for each result.
    segment_bytes: the bytes that are contiguous in memory.
    busy_clocks: the clocks of a multiprocessor for the multiply-adds of a block, or for its loads
    from the L1 cache.
    """

    blocks: int
    block_bytes: int
    threads: int
    thread_bytes: int
    result_bytes: int
    combined: int = 1
    segment_bytes: int = _LINE_BYTES
    busy_clocks: float = 0

    def seconds(self, numbers: GpuNumbers, parts: int = 1) -> float:
        """Return the modelled time of the kernel in seconds.

        parts: how many parts its sum is divided into.
        """
        blocks = self.blocks * parts
        missing = max(0, _LINE_BYTES / self.segment_bytes - 1)
        block_bytes = self.block_bytes * (1 + _SHORT_LINE * missing) / parts
        busiest = -(-blocks // numbers.multiprocessors)
        resident = min(busiest, max(1, numbers.threads // 2 // self.threads))
        flight = min(resident * self.threads * self.thread_bytes, block_bytes * resident)
        share = numbers.memory_bandwidth / numbers.multiprocessors / numbers.clock_hz
        rate = min(_OVERDRAFT * share, flight / (QUEUE * numbers.latency_clocks))
        serial = -(-busiest // resident)
        latency = QUEUE * numbers.latency_clocks + self.combined * _ADD_CLOCKS
        clocks = max(block_bytes / rate, self.busy_clocks / parts)
        busy = (busiest * clocks + serial * latency) / numbers.clock_hz
        turns = blocks / numbers.multiprocessors
        used = min(1, turns) / (1 + _TAIL / max(1, turns))
        memory = blocks * block_bytes / (numbers.memory_bandwidth * used)
        if parts == 1:
            return max(busy, memory)
        return max(busy, memory) + second_launch(numbers, self.result_bytes, parts)


def second_launch(numbers: GpuNumbers, result_bytes: int, parts: int) -> float:
    """Return the seconds of storing the parts of sums, and of the launch that adds them.

    Parts that fit into the L2 cache stay there until the second launch.
    result_bytes: the bytes of all results.
    parts: the parts of each sum.
    """
    rate, stored = numbers.memory_bandwidth, parts * result_bytes
    if stored <= numbers.cache_bytes:
        rate = max(rate, numbers.l2_bytes * numbers.multiprocessors * numbers.clock_hz)
    moved = 2 * stored / rate
    adds = (QUEUE * numbers.latency_clocks + parts * _ADD_CLOCKS) / numbers.clock_hz
    return LAUNCH_SECONDS + moved + adds


def parts_of(extent: int, least: int, most: int) -> Sequence[int]:
    """Return the numbers of equal parts into which a sum can be divided.

    extent: the terms of the sum.
    least: the fewest terms of a part.
    most: the most parts.
    """
    last = min(extent // least, most)
    return [n for n in range(1, last + 1) if extent % n == 0] or [1]
