"""The modelled time of a scheduled kernel on a CPU, by parts.

In: a kernel after te-apply-schedule, of known sizes, and a target.  Out: cycles by part, and the
number of instructions.

The traffic of a cache follows from the loops, as in Timeloop (Parashar and others, 2019) and in the
analytical model of BLIS (Low and others, 2016): outside the outermost loop whose body fits the
cache, each iteration moves its operands again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from math import prod
from typing import TypeAlias

from xdsl.ir import SSAValue

from ....dialects.te import KernelOp
from ....machines.target import Target
from .cycles import LANES_CYCLES, READ_AGAIN, ROW_CYCLES, CycleModel, FarTraffic, cycle_model
from .footprint import buffer_bytes
from .instructions import counted_instructions
from .nest import (
    CountedLoop,
    NestLeaf,
    Node,
    footprints,
    leaves_of,
    nest_of,
    reads_of,
)
from .parts import KernelCost

Traffic: TypeAlias = dict[SSAValue, tuple[float, float]]
"""By buffer, the bytes that move into a cache, and how many times each of them is read there."""


def kernel_cost(kernel: KernelOp, target: Target, threads: int = 1) -> KernelCost:
    """Return the cost of a scheduled kernel.

    Errors: SymbolicSize for a kernel of symbolic sizes.
    """
    model, arguments = cycle_model(target), kernel.body.block.args
    roots: Sequence[Node] = nest_of(kernel.body.block, target)
    weights = {arguments[position] for position in kernel.constant_positions}
    leaves = [(leaf, prod(trips.values())) for root in roots for leaf, trips in leaves_of(root)]
    near, moves = (_traffic(roots, cache.room, cache.way) for cache in model.caches)
    touched = footprints(roots)
    most = _most_work(leaves)
    bursts = _bursts(most, weights, model)
    cost = model.total(
        sum(n * _steps(leaf, cycle_model(target.for_vectors(leaf.bits))) for leaf, n in leaves),
        sum(n * _tile(leaf, cycle_model(target.for_vectors(leaf.bits))) for leaf, n in leaves),
        sum(size for size, _ in near.values()),
        [
            FarTraffic(
                moved,
                touched[buffer],
                reuse,
                buffer in weights,
                buffer_bytes(buffer) <= model.kept_bytes,
                bursts.get(buffer, 0.0) if reuse > 1 or buffer not in weights else 0.0,
            )
            for buffer, (moved, reuse) in moves.items()
        ],
        _tasks(roots),
        spreads=any(leaf.spreads for leaf, _ in leaves),
        threads=threads,
        weights_rate=_weights_rate(most, leaves, near, model),
    )
    return replace(cost, instructions=counted_instructions(roots, target))


def _most_work(leaves: Sequence[tuple[NestLeaf, int]]) -> NestLeaf | None:
    """Return the register tile with the most work; None if no compute adds products.

    leaves: the innermost computes, and how often each one runs.
    """
    work = {n * leaf.rows * leaf.vectors: leaf for leaf, n in leaves if not leaf.operations}
    return work[max(work)] if work else None


def _bursts(
    most: NestLeaf | None, weights: Collection[SSAValue], model: CycleModel
) -> Mapping[SSAValue, float]:
    """Return the bytes for which a register tile waits once for memory, by buffer.

    They are the pixels of images, and weights that several tiles use and none prefetches.
    most: the tile with the most work.  weights: the buffers of weights.
    """
    if most is None:
        return {}
    is_ahead, found = most.spreads or most.prefetched > 0, dict[SSAValue, float]()
    if not is_ahead:
        found = {b: size for b, size in footprints([most]).items() if b in weights}
    if most.scalars is not None:
        found[most.scalars] = model.burst_bytes(most.rows, most.vectors, most.line_steps)
    return found


def _weights_rate(
    most: NestLeaf | None,
    leaves: Sequence[tuple[NestLeaf, int]],
    near: Traffic,
    model: CycleModel,
) -> float:
    """Return the rate of weights from memory in a register tile; 0: the processor's rate.

    It is the processor's rate if tiles prefetch parts of the next weights, or if L1 holds the
    scalars.
    most: the tile with the most work.  leaves: the innermost computes, and how often each one runs.
    near: the traffic into L1, by buffer.
    """
    if most is None or most.scalars is None or any(leaf.spreads for leaf, _ in leaves):
        return 0.0
    if near[most.scalars][0] <= READ_AGAIN * buffer_bytes(most.scalars):
        return 0.0
    step_bytes = most.vectors * most.bits // 8
    return model.weights_rate(most.rows, most.vectors, step_bytes, most.prefetched)


def _steps(leaf: NestLeaf, model: CycleModel) -> float:
    if leaf.operations:
        return _plain_steps(leaf, model)
    if leaf.sums_lanes:
        return leaf.steps * model.lanes_step(leaf.rows, leaf.loads, leaf.bits // 8)
    return leaf.steps * model.step(leaf.rows, leaf.vectors, leaf.pitch_bytes)


def _plain_steps(leaf: NestLeaf, model: CycleModel) -> float:
    """Return the cycles of one execution of an innermost compute without multiply-adds.

    Examples are elementwise computes, copies, and sums of single elements.
    """
    work = leaf.operations / model.fma_ports
    reads = (len(leaf.accesses) - 1) / model.loads
    writes = 1 / model.stores if leaf.steps == 1 else 0.0
    each = leaf.steps * max(work, reads, writes) + leaf.epilogue / model.fma_ports
    return leaf.rows * leaf.vectors * (each + (LANES_CYCLES if leaf.sums_lanes else 0.0))


def _tile(leaf: NestLeaf, model: CycleModel) -> float:
    if leaf.operations:
        return ROW_CYCLES + (model.latency if leaf.steps > 1 else 0)
    if leaf.sums_lanes:
        return model.lanes_tile(leaf.rows)
    return model.tile(leaf.rows, leaf.vectors, leaf.epilogue, starts=leaf.starts)


def _traffic(roots: Sequence[Node], room: float, way: int) -> Traffic:
    """Return the traffic between a cache and the memory behind it, by buffer.

    roots: the loop nests of the kernel.  room: the bytes that fit the cache.  way: the bytes of one
    way of it.  For each buffer, the result is a pair: the bytes that move into the cache, and how
    many times each of them is read there.
    """
    found: Traffic = {}
    for root in roots:
        _add(found, _traffic_of(root, room, way))
    return found


def _traffic_of(node: Node, room: float, way: int) -> Traffic:
    if isinstance(node, NestLeaf):
        return {buffer: (size, 1.0) for buffer, size in footprints([node]).items()}
    if sum(footprints(node.body, way).values()) <= room:
        reads = reads_of(node)
        return {b: (size, reads[b] / size) for b, size in footprints([node]).items()}
    inner = _traffic(node.body, room, way)
    return {b: (size * node.trips, reuse) for b, (size, reuse) in inner.items()}


def _tasks(roots: Sequence[Node]) -> int:
    """Return the parallel tasks: the largest number for one buffer that the loop nests write."""
    tasks: dict[SSAValue, int] = {}
    if not any(isinstance(root, CountedLoop) and root.is_parallel for root in roots):
        return 1
    for root in roots:
        *_, (leaf, _) = leaves_of(root)
        if len(leaf.accesses) == 1:
            continue  # the other tasks share the fills of borders
        written = leaf.accesses[-1].buffer
        tasks[written] = tasks.get(written, 0) + _tasks_of(root)
    return max(tasks.values(), default=1)


def _tasks_of(node: Node) -> int:
    """Return the tasks of a nest.

    An iteration has the tasks of its statements, if one of them is a parallel loop and none reads
    what another one writes.
    """
    if not isinstance(node, CountedLoop) or not node.is_parallel:
        return 1
    if not any(isinstance(each, CountedLoop) and each.is_parallel for each in node.body):
        return node.trips
    leaves = [[leaf for leaf, _ in leaves_of(each)] for each in node.body]
    written = [{leaf.accesses[-1].buffer for leaf in found} for found in leaves]
    # Sums that do not start here read what they write.
    read = [
        {access.buffer for leaf in found for access in leaf.accesses[: -1 if leaf.starts else None]}
        for found in leaves
    ]
    pairs = permutations(range(len(node.body)), 2)
    if any(written[a] & read[b] for a, b in pairs):
        return node.trips
    return node.trips * sum(map(_tasks_of, node.body))


def _add(
    to: dict[SSAValue, tuple[float, float]], more: dict[SSAValue, tuple[float, float]]
) -> None:
    for buffer, (size, reuse) in more.items():
        known, often = to.get(buffer, (0.0, 1.0))
        to[buffer] = known + size, max(often, reuse)
