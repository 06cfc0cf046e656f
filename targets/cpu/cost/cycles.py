"""The cycles of the parts of a kernel, from the numbers of a processor.

Nothing is fitted: the numbers are those of the processor (machines/), and a few fractions, below.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import ceil, gcd

from ....machines.cpu_numbers import LoadCosts, load_costs, numbers_of
from ....machines.target import Target
from .parts import KernelCost

LINE_BYTES, SCALAR_BYTES = 64, 4
"""The size of a cache line, which is the least that an access of a row touches, and of the scalars
that a step reads for a row of a register tile."""
L1_SHARE, L2_SHARE = 0.9, 0.75
"""The parts of the caches that the operands of a loop's body may fill."""
NEAR_OVERLAP, FAR_OVERLAP = 0.9, 0.7
"""The parts of the arithmetic behind which reads of L2, and of L3 and memory, hide."""
EXPOSED = 0.3
"""The part of the reads from beyond L2 that nothing hides; half of it if tiles prefetch them."""
STORE_SHARE = 0.35
"""The part of a tile's stores and loads of sums that arithmetic does not hide."""
ROW_OF_TILE_CYCLES = 2.0
"""The cycles of each row of a register tile: its stores begin in another cache line, often in
another page.  377 x 8 x 352 in tiles of 26 x 1 instead of 6 x 4: 1.075 times as long."""
MISS_SHARE = 0.35
"""The part of the reads of L2 that arithmetic does not hide if each broadcast misses L1."""
ROW_CYCLES, LANES_CYCLES = 4.0, 10.0
"""Cycles that a row without products takes to start, and that a sum over lanes takes."""
OVERLAPPED_LANES_CYCLES = 4.0
"""Cycles that a sum over lanes takes if the sums of several results overlap: 432 results in eight
passes instead of one, 62 -> 65 us (Zen 4)."""
UNFOLLOWED_CYCLES = 0.3
"""The cycles of each cache line from L2 in more streams than the hardware prefetcher follows.  1x1
of 480 channels on 56 x 18 pixels in 30 streams: 1.02 to 1.05 times as long as in two passes of 15
(Zen 4)."""
LINES_OF_MISS = 3.7
"""The cache lines that memory delivers in the time of a single load, because the processor
prefetches the next ones: chains of loads from 1 and from 5 lines side by side take 155 and 210 ns
at random places of 256 MiB (Zen 4)."""
READ_AGAIN = 2.2
"""The bytes of scalars that move into L1, relative to their size, from which on they miss L1 in
each panel.  The loops over whole panels and over the rest of the columns move them once each."""
REREAD = 1.1
"""The bytes moved, relative to those touched, from which on a buffer in L2 is read again from
beyond; partial cache lines at the ends of rows move twice."""
CACHED_SHARE = 3 / 8
"""The part of L2 up to which a computed buffer is still in L2."""


@dataclass(frozen=True)
class CacheSize:
    """The bytes of a cache that operands may fill, and the bytes of one way of it."""

    room: float
    way: int


@dataclass(frozen=True)
class FarTraffic:
    """The bytes of one buffer that a kernel moves from L3 or memory into L2.

    moved: these bytes, counted each time that they move.  once: the different bytes that the kernel
    touches.  reuse: how many times a byte is read from L2 per move into L2.  is_weight: whether the
    buffer holds weights.  is_near: whether the whole buffer fits the part of L2 in which computed
    buffers stay.  burst: the bytes for which arithmetic waits once for memory, such as the pixels
    of a register tile; 0 if a prefetcher brings them earlier.
    """

    moved: float
    once: float
    reuse: float
    is_weight: bool
    is_near: bool
    burst: float = 0.0


def crowding(rows: float, row_bytes: float, pitch_bytes: int, way: int) -> float:
    """Return how many times more of a cache rows fill, because they share sets.

    pitch_bytes: the distance between the rows; 0 if they are adjacent.  way: the bytes of one way
    of the cache.
    """
    if not pitch_bytes or row_bytes >= pitch_bytes:
        return 1.0
    places = way // gcd(pitch_bytes, way)
    if rows <= places:
        return 1.0
    return way / min(way, places * max(LINE_BYTES, row_bytes))


class CycleModel:
    """The cycles of the parts of a kernel, from the numbers of a processor.

    target: the target, with the ports for the vectors of the kernel (`Target.for_vectors`).
    """

    def __init__(self, target: Target) -> None:
        self.numbers = numbers_of(target)
        self.latency, self.fma_ports = target.fma_latency, target.fma_ports
        self.loads, self.broadcasts = target.load_ports, target.broadcast_ports
        self.stores = self.numbers.stores * target.vectors_per_port
        takes_power = self.numbers.loads_take_power
        self.power = load_costs(target, near=True) if takes_power else LoadCosts(0.0)
        self.l3_room = target.l3_bytes / self.numbers.l3_cores
        self.kept_bytes = CACHED_SHARE * target.l2_bytes
        self.caches = (
            CacheSize(L1_SHARE * target.l1_bytes, 2 * self.numbers.l1_set_bytes),
            CacheSize(L2_SHARE * target.l2_bytes, 2 * self.numbers.l2_set_bytes),
        )
        self.l1_way = self.caches[0].way
        self.l1_ways = target.l1_bytes / self.l1_way

    def step(
        self,
        rows: int,
        vectors: int,
        pitch_bytes: int = 0,
        together: int = 1,
        cycles: float = 1.0,
    ) -> float:
        """Return the cycles of one step of a sum, in a register tile of rows x vectors.

        pitch_bytes: the distance between the rows of the scalar operand; 0 if its rows are adjacent
        elements.  together: the rows that one instruction multiplies at once; 1 for a multiply-add.
        If several, one more instruction joins these rows in a register.  cycles: those of the
        instruction, relative to a multiply-add.
        """
        groups = ceil(rows / together)
        loaded, joins = vectors * together, groups if together > 1 else 0
        tile = groups * loaded
        work = (tile * cycles + joins) / self.fma_ports
        loads = loaded / self.loads + rows / self.broadcasts
        issue = (tile * cycles + joins + loaded + rows) / self.numbers.issues
        wait = self.latency if tile < self.latency * self.fma_ports else 0.0
        slower = self.power.of(rows, vectors) + self._conflicts(rows, pitch_bytes)
        return max(work, loads, issue, wait) + slower

    def lanes_step(self, products: int, loads: int, vector_bytes: int) -> float:
        """Return the cycles of one step of sums whose vectors run along the sum.

        products: the results of the register tile, one multiply-add each.  loads: the vectors of
        both operands that a step loads.  vector_bytes: the bytes of a vector.  Rows start anywhere,
        so a vector crosses the end of a cache line in proportion to its size, and is then loaded
        twice.
        """
        lines = loads * (1 + min(1.0, vector_bytes / LINE_BYTES))
        wait = self.latency if products < self.latency * self.fma_ports else 0.0
        issue = (products + loads) / self.numbers.issues
        return max(products / self.fma_ports, lines / self.loads, issue, wait)

    def lanes_tile(self, products: int) -> float:
        """Return the cycles of a tile of sums over lanes in addition to those of its steps.

        products: the results of the tile.
        """
        return self.numbers.start_of_tile + products * OVERLAPPED_LANES_CYCLES

    def _conflicts(self, rows: int, pitch_bytes: int) -> float:
        """Return the cycles of a step in which it waits for elements that L1 cannot hold together.

        The rows of a tile have their elements in the same few sets of L1 if their distance is a
        multiple of a large power of two.
        """
        kept = (
            self.l1_ways * (self.l1_way // gcd(pitch_bytes, self.l1_way)) if pitch_bytes else rows
        )
        if rows <= kept:
            return 0.0
        lost = min(1.0, 2 * (rows - kept) / kept)
        return lost * MISS_SHARE * rows * LINE_BYTES / self.numbers.l2_rate

    def tile(self, rows: int, vectors: int, epilogue: int, *, starts: bool) -> float:
        """Return the cycles of a register tile in addition to those of its steps.

        They are the cycles of its start, of its stores and of its epilogue.  epilogue: the
        instructions of the epilogue per vector.  starts: whether the sums start in the tile;
        otherwise the tile loads partial sums.
        """
        numbers, tile = self.numbers, rows * vectors
        moves = tile / self.stores + (0 if starts else tile)
        starts_of_rows = numbers.start_of_tile + rows * ROW_OF_TILE_CYCLES
        return starts_of_rows + moves * STORE_SHARE + tile * epilogue * 2 / numbers.issues

    def total(
        self,
        compute: float,
        tiles: float,
        near_bytes: float,
        far: Iterable[FarTraffic],
        tasks: int,
        *,
        spreads: bool,
        threads: int,
        weights_rate: float = 0.0,
    ) -> KernelCost:
        """Return the cost of a kernel.

        compute: the cycles of the steps of sums.  tiles: the cycles of starts, stores and epilogues
        of register tiles.  near_bytes: the bytes that move into L1.  far: the traffic of each
        buffer from beyond L2.  tasks: the number of parallel tasks.  spreads: whether register
        tiles prefetch weights. threads: the number of threads that share the tasks.  weights_rate:
        the bytes of weights per cycle that a thread reads from memory; 0: those of the processor.
        """
        numbers, busy = self.numbers, compute + tiles
        near = near_bytes / numbers.l2_rate
        l2 = max(near * (1 - NEAR_OVERLAP), near - busy * NEAR_OVERLAP)
        exposed = streamed = 0.0
        for each in far:
            if each.is_weight or not each.is_near or each.moved > REREAD * each.once:
                rate = weights_rate or numbers.memory_rate
                hidden, first = self._exposed(each, busy, rate, spreads=spreads)
                exposed, streamed = exposed + hidden, streamed + first
        memory = max(0.0, exposed - l2, streamed - busy - l2)
        work = busy + l2 + memory
        start = numbers.start_of_task * tasks
        start += numbers.start_of_region if threads > 1 else 0
        shares = ceil(tasks / threads) / tasks
        return KernelCost(
            compute / threads,
            tiles / threads,
            l2 / threads,
            memory / threads,
            start / threads,
            work * (shares - 1 / threads),
            tasks,
        )

    def weights_rate(self, rows: int, vectors: int, step_bytes: int, prefetched: int) -> float:
        """Return the bytes of weights per cycle that a tile reads while scalars come from L2.

        Loads wait in the load queue, which also holds the loads of scalars, so a tile of many rows
        and few vectors has few lines in flight.  7 x 1 and 4 x 3 vectors of 256 bits read 2.8 and
        5.9 bytes per cycle (Zen 4).  If tiles prefetch weights, scalars take as many of the
        miss buffers as their share of the bytes: 5.0 and 7.8.

        step_bytes: the bytes of weights of a step.  prefetched: the steps ahead of its loads that a
        tile prefetches.
        """
        numbers = self.numbers
        if prefetched:
            return numbers.memory_rate * step_bytes / (step_bytes + rows * SCALAR_BYTES)
        steps = numbers.loads_in_flight / (rows + vectors)
        rate = LINES_OF_MISS * steps * step_bytes / numbers.memory_latency
        return min(max(rate, numbers.cold_rate), numbers.memory_rate)

    def burst_bytes(self, rows: int, vectors: int, line_steps: int) -> float:
        """Return the bytes of an image for which a register tile of pixels waits at once.

        They are a cache line for each row of the tile, and the lines that the load queue holds in
        addition; 0 if pixels share lines.

        line_steps: the steps that read one line of a pixel; 0 if pixels share lines.
        """
        if not line_steps:
            return 0.0
        ahead = self.numbers.loads_in_flight / (rows + vectors) / line_steps
        return rows * LINE_BYTES * (1 + ahead)

    def _exposed(
        self, far: FarTraffic, busy: float, memory_rate: float, *, spreads: bool
    ) -> tuple[float, float]:
        """Return the cycles in which a kernel waits for one buffer, and its time of memory reads.

        The first number counts the waits for L3 and memory that arithmetic does not hide.  The
        second one is the time of the reads from memory alone, hidden or not.

        far: the traffic of the buffer.  busy: the cycles of the arithmetic.  memory_rate: the bytes
        of weights per cycle that come from memory.  spreads: whether register tiles prefetch
        weights.  A stream of reads overlaps only the arithmetic of its first reuse, unless tiles
        prefetch it.  Reads of weights that are used once hide all arithmetic: 768 to 2048 columns
        in tiles of 1 x 8, 1 x 2 and 4 x 4 take 183, 180 and 191 us (Zen 4).  Weights come from
        memory once, and the part of other buffers that L3 does not hold each time that it moves,
        because other cores use as much of L3 as this one.
        """
        numbers, is_ahead = self.numbers, spreads and far.is_weight
        cold = far.once if far.is_weight else far.moved * max(0.0, 1 - self.l3_room / far.once)
        first = cold / (memory_rate if far.is_weight else numbers.memory_rate)
        cycles = first + (far.moved - cold) / numbers.l3_rate
        waits = cold / far.burst * numbers.memory_latency if far.burst else 0.0
        window = busy if is_ahead else busy / far.reuse
        overlap = 1.0 if far.is_weight and far.reuse <= 1 else FAR_OVERLAP
        least = cycles * EXPOSED * (0.5 if is_ahead else 1)
        return max(cycles - window * overlap, least) + waits, first


@cache
def cycle_model(target: Target) -> CycleModel:
    """Return the model of a target's processor."""
    return CycleModel(target)
