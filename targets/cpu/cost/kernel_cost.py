"""The modelled time of a scheduled kernel on a CPU, by parts.

In: a kernel after te-apply-schedule, of known sizes, and a target.  Out: cycles by part.

The traffic of a cache follows from the loops, as in Timeloop (Parashar and others, 2019) and in the
analytical model of BLIS (Low and others, 2016): outside the outermost loop whose body fits the
cache, each iteration moves its operands again.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.ir import SSAValue

from ....dialects.te import KernelOp
from ....machines.target import Target
from .cycles import LANES_CYCLES, ROW_CYCLES, CycleModel, FarTraffic, cycle_model
from .footprint import buffer_bytes
from .nest import (
    CountedLoop,
    NestLeaf,
    Node,
    footprints,
    leaves_of,
    nest_of,
    reuse_of,
)
from .parts import KernelCost


def kernel_cost(kernel: KernelOp, target: Target, threads: int = 1) -> KernelCost:
    """Return the cost of a scheduled kernel.

    Errors: SymbolicSize for a kernel of symbolic sizes.
    """
    model, arguments = cycle_model(target), kernel.body.block.args
    roots: Sequence[Node] = nest_of(kernel.body.block, target)
    weights = {arguments[position] for position in kernel.constant_positions}
    leaves = [(leaf, prod(trips.values())) for root in roots for leaf, trips in leaves_of(root)]
    near = sum(size for size, _ in _traffic(roots, model.l1_room, model.l1_way).values())
    touched = footprints(roots)
    return model.total(
        sum(n * _steps(leaf, cycle_model(target.for_vectors(leaf.bits))) for leaf, n in leaves),
        sum(n * _tile(leaf, cycle_model(target.for_vectors(leaf.bits))) for leaf, n in leaves),
        near,
        [
            FarTraffic(
                moved,
                touched[buffer],
                reuse,
                buffer in weights,
                buffer_bytes(buffer) <= model.kept_bytes,
            )
            for buffer, (moved, reuse) in _traffic(roots, model.l2_room, model.l2_way).items()
        ],
        _tasks(roots),
        spreads=any(leaf.spreads for leaf, _ in leaves),
        threads=threads,
        weights_rate=_weights_rate(leaves, model),
    )


def _weights_rate(leaves: Sequence[tuple[NestLeaf, int]], model: CycleModel) -> float:
    """Return the rate of weights from memory in the register tiles with the most work.

    leaves: the innermost computes, and how often each one runs.  0: the processor's rate, because
    no compute adds products, or because tiles prefetch parts of the next weights.
    """
    work = {n * leaf.rows * leaf.vectors: leaf for leaf, n in leaves if not leaf.operations}
    if not work or any(leaf.spreads for leaf in work.values()):
        return 0.0
    most = work[max(work)]
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


def _traffic(roots: Sequence[Node], room: float, way: int) -> dict[SSAValue, tuple[float, int]]:
    """Return the traffic between a cache and the memory behind it, by buffer.

    roots: the loop nests of the kernel.  room: the bytes that fit the cache.  way: the bytes of one
    way of it.  For each buffer, the result is a pair: the bytes that move into the cache, and how
    many times each of them is read there.
    """
    found: dict[SSAValue, tuple[float, int]] = {}
    for root in roots:
        _add(found, _traffic_of(root, room, way))
    return found


def _traffic_of(node: Node, room: float, way: int) -> dict[SSAValue, tuple[float, int]]:
    if isinstance(node, NestLeaf):
        return {buffer: (size, 1) for buffer, size in footprints([node]).items()}
    if sum(footprints(node.body, way).values()) <= room:
        return {b: (size, reuse_of(node, b)) for b, size in footprints([node]).items()}
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
    tasks = 1
    while isinstance(node, CountedLoop) and node.is_parallel:
        tasks *= node.trips
        if len(node.body) != 1:
            break
        node = node.body[0]
    return tasks


def _add(to: dict[SSAValue, tuple[float, int]], more: dict[SSAValue, tuple[float, int]]) -> None:
    for buffer, (size, reuse) in more.items():
        known, often = to.get(buffer, (0.0, 1))
        to[buffer] = known + size, max(often, reuse)
