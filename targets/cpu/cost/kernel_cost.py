"""The modelled time of a scheduled kernel on a CPU, by parts.

In: a kernel after te-apply-schedule, of known sizes, and a target.  Out: cycles by part.  Nothing
is fitted: the numbers are those of the processor (machines/), and a few fractions, below.

The traffic of a cache follows from the loops, as in Timeloop (Parashar and others, 2019) and in the
analytical model of BLIS (Low and others, 2016): outside the outermost loop whose body fits the
cache, each iteration moves its operands again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil, prod

from xdsl.ir import SSAValue

from ....dialects.te import KernelOp
from ....machines.cpu_numbers import numbers_of
from ....machines.target import Target
from .nest import (
    CountedLoop,
    NestLeaf,
    Node,
    buffer_bytes,
    footprints,
    leaves_of,
    nest_of,
    reuse_of,
)
from .parts import KernelCost

L1_SHARE, L2_SHARE = 0.9, 0.75
"""The parts of the caches that the operands of a loop's body may fill."""
NEAR_OVERLAP, FAR_OVERLAP = 0.9, 0.7
"""The parts of the arithmetic behind which reads of L2, and of L3 and memory, hide."""
EXPOSED = 0.3
"""The part of the reads from beyond L2 that nothing hides; half of it if tiles prefetch them."""
STORE_SHARE = 0.35
"""The part of a tile's stores and loads of sums that arithmetic does not hide."""
TIGHT_REGISTERS, TIGHT_COST = 28 / 32, 1.05
"""The part of the registers from which on a step moves registers, and its cost."""
ROW_CYCLES, LANES_CYCLES = 4.0, 10.0
"""Cycles that a row without products takes to start, and that a sum over lanes takes."""
REREAD = 1.1
"""The bytes moved, relative to those touched, from which on a buffer in L2 is read again from
beyond; partial cache lines at the ends of rows move twice."""
CACHED_SHARE = 3 / 8
"""The part of L2 up to which a computed buffer is still in L2."""


@dataclass(frozen=True)
class FarTraffic:
    """The bytes of one buffer that a kernel moves from L3 or memory into L2.

    moved: these bytes, counted each time that they move.  once: the different bytes that the kernel
    touches.  reuse: how many times a byte is read from L2 per move into L2.  is_weight: whether the
    buffer holds weights.  is_near: whether the whole buffer fits the part of L2 in which computed
    buffers stay.
    """

    moved: float
    once: float
    reuse: float
    is_weight: bool
    is_near: bool


class CycleModel:
    """The cycles of the parts of a kernel, from the numbers of a processor."""

    def __init__(self, target: Target) -> None:
        self.numbers = numbers_of(target)
        self.latency, self.fma_ports = target.fma_latency, target.fma_ports
        self.loads, self.broadcasts = target.load_ports, target.broadcast_ports
        self.registers = TIGHT_REGISTERS * target.registers
        self.l1_room, self.l2_room = L1_SHARE * target.l1_bytes, L2_SHARE * target.l2_bytes
        self.kept_bytes = CACHED_SHARE * target.l2_bytes

    def step(self, rows: int, vectors: int) -> float:
        """Return the cycles of one step of a sum, in a register tile of rows x vectors."""
        tile = rows * vectors
        work = tile / self.fma_ports
        if tile + vectors + 1 > self.registers:
            work *= TIGHT_COST
        loads = vectors / self.loads + rows / self.broadcasts
        issue = (tile + vectors + rows) / self.numbers.issues
        wait = self.latency if tile < self.latency * self.fma_ports else 0.0
        return max(work, loads, issue, wait)

    def tile(self, rows: int, vectors: int, epilogue: int, *, starts: bool) -> float:
        """Return the cycles of a register tile in addition to those of its steps.

        They are the cycles of its start, of its stores and of its epilogue.  epilogue: the
        instructions of the epilogue per vector.  starts: whether the sums start in the tile;
        otherwise the tile loads partial sums.
        """
        numbers, tile = self.numbers, rows * vectors
        moves = tile / numbers.stores + (0 if starts else tile)
        return numbers.start_of_tile + moves * STORE_SHARE + tile * epilogue * 2 / numbers.issues

    def plain_steps(self, leaf: NestLeaf) -> float:
        """Return the cycles of one execution of an innermost compute without multiply-adds.

        Examples are elementwise computes, copies, and sums of single elements.
        """
        work = leaf.operations / self.fma_ports
        reads = (len(leaf.accesses) - 1) / self.loads
        writes = 1 / self.numbers.stores if leaf.steps == 1 else 0.0
        each = leaf.steps * max(work, reads, writes) + leaf.epilogue / self.fma_ports
        return leaf.rows * leaf.vectors * (each + (LANES_CYCLES if leaf.sums_lanes else 0.0))

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
    ) -> KernelCost:
        """Return the cost of a kernel.

        compute: the cycles of the steps of sums.  tiles: the cycles of starts, stores and epilogues
        of register tiles.  near_bytes: the bytes that move into L1.  far: the traffic of each
        buffer from beyond L2.  tasks: the number of parallel tasks.  spreads: whether register
        tiles prefetch weights. threads: the number of threads that share the tasks.
        """
        numbers, busy = self.numbers, compute + tiles
        near = near_bytes / numbers.l2_rate
        l2 = max(near * (1 - NEAR_OVERLAP), near - busy * NEAR_OVERLAP)
        exposed = streamed = 0.0
        for each in far:
            if each.is_weight or not each.is_near or each.moved > REREAD * each.once:
                hidden, first = self._exposed(each, busy, spreads=spreads)
                exposed, streamed = exposed + hidden, streamed + first
        memory = max(exposed, streamed - busy - l2)
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

    def _exposed(self, far: FarTraffic, busy: float, *, spreads: bool) -> tuple[float, float]:
        """Return the cycles in which a kernel waits for one buffer, and its time of memory reads.

        The first number counts the waits for L3 and memory that arithmetic does not hide.  The
        second one is the time of the reads from memory alone, hidden or not.

        far: the traffic of the buffer.  busy: the cycles of the arithmetic.  spreads: whether
        register tiles prefetch weights.  A stream of reads overlaps only the arithmetic of its
        first reuse, unless tiles prefetch it.  Weights come from memory once; everything else comes
        from L3.
        """
        numbers, is_ahead = self.numbers, spreads and far.is_weight
        first = far.once / numbers.memory_rate if far.is_weight else 0.0
        rest = far.moved - far.once if far.is_weight else far.moved
        cycles = first + rest / numbers.l3_rate
        window = busy if is_ahead else busy / far.reuse
        least = cycles * EXPOSED * (0.5 if is_ahead else 1)
        return max(cycles - window * FAR_OVERLAP, least), first


@cache
def cycle_model(target: Target) -> CycleModel:
    """Return the model of a target's processor."""
    return CycleModel(target)


def kernel_cost(kernel: KernelOp, target: Target, threads: int = 1) -> KernelCost:
    """Return the cost of a scheduled kernel.

    Errors: SymbolicSize for a kernel of symbolic sizes.
    """
    model, arguments = cycle_model(target), kernel.body.block.args
    roots: Sequence[Node] = nest_of(kernel.body.block, target)
    weights = {arguments[position] for position in kernel.constant_positions}
    leaves = [(leaf, prod(trips.values())) for root in roots for leaf, trips in leaves_of(root)]
    near = sum(size for size, _ in _traffic(roots, model.l1_room).values())
    touched = footprints(roots)
    return model.total(
        sum(n * _steps(leaf, model) for leaf, n in leaves),
        sum(n * _tile(leaf, model) for leaf, n in leaves),
        near,
        [
            FarTraffic(
                moved,
                touched[buffer],
                reuse,
                buffer in weights,
                buffer_bytes(buffer) <= model.kept_bytes,
            )
            for buffer, (moved, reuse) in _traffic(roots, model.l2_room).items()
        ],
        max(1, *map(_tasks, roots), 1),
        spreads=any(leaf.spreads for leaf, _ in leaves),
        threads=threads,
    )


def _steps(leaf: NestLeaf, model: CycleModel) -> float:
    if leaf.operations:
        return model.plain_steps(leaf)
    return leaf.steps * model.step(leaf.rows, leaf.vectors)


def _tile(leaf: NestLeaf, model: CycleModel) -> float:
    if leaf.operations:
        return ROW_CYCLES + (model.latency if leaf.steps > 1 else 0)
    return model.tile(leaf.rows, leaf.vectors, leaf.epilogue, starts=leaf.starts)


def _traffic(roots: Sequence[Node], room: float) -> dict[SSAValue, tuple[float, int]]:
    """Return the traffic between a cache and the memory behind it, by buffer.

    roots: the loop nests of the kernel.  room: the bytes that fit the cache.  For each buffer, the
    result is a pair: the bytes that move into the cache, and how many times each of them is read
    there.
    """
    found: dict[SSAValue, tuple[float, int]] = {}
    for root in roots:
        _add(found, _traffic_of(root, room))
    return found


def _traffic_of(node: Node, room: float) -> dict[SSAValue, tuple[float, int]]:
    if isinstance(node, NestLeaf):
        return {buffer: (size, 1) for buffer, size in footprints([node]).items()}
    if sum(footprints(node.body).values()) <= room:
        return {b: (size, reuse_of(node, b)) for b, size in footprints([node]).items()}
    inner = _traffic(node.body, room)
    return {b: (size * node.trips, reuse) for b, (size, reuse) in inner.items()}


def _tasks(node: Node) -> int:
    tasks = 1
    while isinstance(node, CountedLoop) and node.is_parallel:
        tasks *= node.trips
        node = node.body[0]
    return tasks


def _add(to: dict[SSAValue, tuple[float, int]], more: dict[SSAValue, tuple[float, int]]) -> None:
    for buffer, (size, reuse) in more.items():
        known, often = to.get(buffer, (0.0, 1))
        to[buffer] = known + size, max(often, reuse)
