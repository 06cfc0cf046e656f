"""The modelled time of a scheduled kernel on a CPU, by parts.

In: a kernel after te-apply-schedule, of known sizes, and a target.  Out: cycles by part.  Nothing
is fitted: the numbers are those of the processor (machines/), and a few fractions, below.

The traffic of a cache follows from the loops, as in Timeloop (Parashar and others, 2019) and in the
analytical model of BLIS (Low and others, 2016): outside the outermost loop whose body fits the
cache, each iteration moves its operands again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, prod

from xdsl.ir import SSAValue

from ....dialects.te import KernelOp
from ....machines.cpu_numbers import CpuNumbers, numbers_of
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
CACHED_SHARE = 3 / 8
"""The part of L2 up to which a computed buffer is still in L2."""


@dataclass(frozen=True)
class KernelCost:
    """The cycles of a kernel by part.

    compute: steps of sums.  tiles: starts of register tiles, stores, and epilogues.  l2, memory:
    the transfers from L2, and from L3 and memory, that arithmetic does not hide.  overhead: starts
    of tasks.  imbalance: waiting for the busiest thread.  tasks: their number.
    """

    compute: float
    tiles: float
    l2: float
    memory: float
    overhead: float
    imbalance: float
    tasks: int

    @property
    def cycles(self) -> float:
        """The cycles of the kernel."""
        return sum(self.parts.values())

    @property
    def parts(self) -> dict[str, float]:
        """The cycles of each part by name."""
        names = "compute", "tiles", "l2", "memory", "overhead", "imbalance"
        return {name: getattr(self, name) for name in names}


def kernel_cost(kernel: KernelOp, target: Target, threads: int = 1) -> KernelCost:
    """Return the cost of a scheduled kernel.

    Errors: SymbolicSize for a kernel of symbolic sizes.
    """
    return _Model(kernel, target).cost(threads)


class _Model:
    """The nest of a kernel, and the numbers of its processor."""

    def __init__(self, kernel: KernelOp, target: Target) -> None:
        arguments = kernel.body.block.args
        self.roots: Sequence[Node] = nest_of(kernel.body.block, target)
        self.weights = {arguments[position] for position in kernel.constant_positions}
        self.target, self.numbers = target, numbers_of(target)

    def cost(self, threads: int) -> KernelCost:
        """Return the cost by parts."""
        leaves = [pair for root in self.roots for pair in leaves_of(root)]
        counted = [(leaf, prod(trips.values())) for leaf, trips in leaves]
        compute = sum(n * self._steps(leaf) for leaf, n in counted)
        tiles = sum(n * self._tile(leaf) for leaf, n in counted)
        spreads = any(leaf.spreads for leaf, _ in counted)
        busy, tasks = compute + tiles, max(1, *map(_tasks, self.roots), 1)
        near = sum(n for n, _ in self._traffic(L1_SHARE * self.target.l1_bytes).values())
        near /= self.numbers.l2_rate
        l2 = max(near * (1 - NEAR_OVERLAP), near - busy * NEAR_OVERLAP)
        exposed, streamed = self._far(busy, spreads=spreads)
        memory = max(exposed, streamed - busy - l2)
        work = busy + l2 + memory
        start = self.numbers.start_of_task * tasks
        start += self.numbers.start_of_region if threads > 1 else 0
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

    def _steps(self, leaf: NestLeaf) -> float:
        """Return the cycles of the steps of one execution of a leaf."""
        target, numbers, tile = self.target, self.numbers, leaf.rows * leaf.vectors
        if leaf.operations:
            return self._plain_steps(leaf)
        work = tile / target.fma_ports
        if tile + leaf.vectors + 1 > TIGHT_REGISTERS * target.registers:
            work *= TIGHT_COST
        loads = leaf.vectors / target.load_ports + leaf.rows / target.broadcast_ports
        issue = (tile + leaf.vectors + leaf.rows) / numbers.issues
        busy = target.fma_latency * target.fma_ports
        wait = target.fma_latency if tile < busy else 0.0
        return leaf.steps * max(work, loads, issue, wait)

    def _plain_steps(self, leaf: NestLeaf) -> float:
        target, numbers = self.target, self.numbers
        work = leaf.operations / target.fma_ports
        reads = (len(leaf.accesses) - 1) / target.load_ports
        writes = 1 / numbers.stores if leaf.steps == 1 else 0.0
        each = leaf.steps * max(work, reads, writes) + leaf.epilogue / target.fma_ports
        return leaf.rows * leaf.vectors * (each + (LANES_CYCLES if leaf.sums_lanes else 0.0))

    def _tile(self, leaf: NestLeaf) -> float:
        """Return the cycles of one execution of a leaf besides its steps."""
        numbers, tile = self.numbers, leaf.rows * leaf.vectors
        if leaf.operations:
            return ROW_CYCLES + (self.target.fma_latency if leaf.steps > 1 else 0)
        moves = tile / numbers.stores + (0 if leaf.starts else tile)
        return (
            numbers.start_of_tile + moves * STORE_SHARE + tile * leaf.epilogue * 2 / numbers.issues
        )

    def _traffic(self, room: float) -> dict[SSAValue, tuple[float, int]]:
        """Return the bytes of each buffer that move into a cache, and their reuse there."""
        found: dict[SSAValue, tuple[float, int]] = {}
        for root in self.roots:
            _add(found, self._traffic_of(root, room))
        return found

    def _traffic_of(self, node: Node, room: float) -> dict[SSAValue, tuple[float, int]]:
        if isinstance(node, NestLeaf):
            return {buffer: (size, 1) for buffer, size in footprints([node]).items()}
        if sum(footprints(node.body).values()) <= room:
            return {b: (size, reuse_of(node, b)) for b, size in footprints([node]).items()}
        inner: dict[SSAValue, tuple[float, int]] = {}
        for child in node.body:
            _add(inner, self._traffic_of(child, room))
        return {b: (size * node.trips, reuse) for b, (size, reuse) in inner.items()}

    @cached_property
    def _touched(self) -> dict[SSAValue, int]:
        return footprints(self.roots)

    def _far(self, busy: float, *, spreads: bool) -> tuple[float, float]:
        """Return the exposed cycles of reads from L3 and memory, and the cycles of memory alone.

        A stream hides only behind the arithmetic of its first reuse, unless tiles prefetch it.
        """
        numbers, exposed, streamed = self.numbers, 0.0, 0.0
        for buffer, (moved, reuse) in self._traffic(L2_SHARE * self.target.l2_bytes).items():
            once, is_weight = self._touched[buffer], buffer in self.weights
            is_near = buffer_bytes(buffer) <= CACHED_SHARE * self.target.l2_bytes
            if not is_weight and is_near and moved <= 1.01 * once:
                continue
            cycles, first = _transfer(moved, once, numbers, is_weight=is_weight)
            is_ahead = spreads and is_weight
            window = busy if is_ahead else busy / reuse
            least = cycles * EXPOSED * (0.5 if is_ahead else 1)
            exposed += max(cycles - window * FAR_OVERLAP, least)
            streamed += first
        return exposed, streamed


def _transfer(
    moved: float, once: int, numbers: CpuNumbers, *, is_weight: bool
) -> tuple[float, float]:
    """Return the cycles of moving a buffer into L2, and those of them that memory takes.

    Weights come from memory once; everything else comes from L3.
    """
    first = once / numbers.memory_rate if is_weight else 0.0
    rest = (moved - once if is_weight else moved) / numbers.l3_rate
    return first + rest, first


def _tasks(node: Node) -> int:
    """Return the number of tasks of a root: the iterations of its outer parallel loops."""
    tasks = 1
    while isinstance(node, CountedLoop) and node.is_parallel:
        tasks *= node.trips
        node = node.body[0]
    return tasks


def _add(to: dict[SSAValue, tuple[float, int]], more: dict[SSAValue, tuple[float, int]]) -> None:
    for buffer, (size, reuse) in more.items():
        known, often = to.get(buffer, (0.0, 1))
        to[buffer] = known + size, max(often, reuse)


__all__ = ["KernelCost", "kernel_cost"]
