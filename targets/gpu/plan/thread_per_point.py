"""One thread per point of the parallel axes: the rule for every compute without another rule.

In: the view of a compute.  Out: its parallel loops, fused and split into blocks and threads.

All parallel axes are one loop, in their order, so that adjacent threads have adjacent points of the
last axis: their accesses coalesce.  If the result and an operand have another last axis, the order
is that of the result's dimensions.  Reduction and scan axes stay serial inside a thread, so results
do not depend on the number of threads.  No loop divides by a size that is known only at run time,
so each axis of such a size begins a loop of its own: a dimension of the grid.

Where a reduction reads one operand for all points of an axis, and adjacent threads read adjacent
elements of it, a thread has 4 points of that axis: it loads the element once.  The filters of a
convolution are such an axis, and the rows of a thin product.  The rule applies only if 4096 threads
remain: fewer would leave most of a GPU idle.  If the sums have another type than the result, a
thread has one point, with its accumulators in registers.

A block has the largest number of threads that divides the points, if a number of at least 64 does.
Otherwise it has 256, and the last block is guarded; 64 for a single axis of dynamic (symbolic)
size, which may be short, and for few scans, whose threads run longest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from xdsl.ir import SSAValue

from ....dialects.shape import Dim, Extent
from ....dialects.te import ComputeView
from ....dialects.te.verifier import stores_accumulator
from ....machines.gpu import BLOCK_INDICES, GpuLimits
from ....passes.schedule.engine.axes import sliceable_axes
from ....support.names import Names
from .script import Script
from .vectors import is_constant, scanned_lanes, taps_of, vector_lanes

BLOCK_THREADS = 256
"""Threads of a block without reuse: 8 warps hide the latency of memory on all devices."""

LEAST_THREADS = 64
"""The fewest threads of a block: two warps, or one of the wide waves of AMD."""

_POINTS = 4
USEFUL_THREADS = 4096
"""Fewer threads leave most of a GPU idle."""

LEAST_BLOCKS = 128
"""The multiprocessors of a large GPU: 108 of an A100, 132 of an H100."""

GRID = BLOCK_INDICES


def grid_of(loops: Sequence[str], blocks: Sequence[int], limits: GpuLimits) -> dict[str, str]:
    """Return a dimension of the grid for each loop: x for the first loop, then y and z.

    blocks: the number of blocks of each loop; 0 if it is known only at run time.  If a loop has
    more blocks than its dimension allows, it takes x instead, and the first loop gets that
    dimension.
    """
    names = list(GRID[: len(loops)])
    for position, count in enumerate(blocks):
        if count > limits.most(names[position]):
            names[0], names[position] = names[position], names[0]
            break
    return dict(zip(loops, names, strict=True))


def spread(
    script: Script, views: Sequence[ComputeView], limits: GpuLimits, *, vectors: bool = False
) -> None:
    """Bind the parallel axes of computes with one name to blocks and threads.

    views: the computes, which one handle matches because they have the same name, such as the
    borders of several buffers.  If they have no parallel axis in common, nothing is bound.
    vectors: whether a thread may access vectors.
    """
    view, *others = views
    axes = sliceable_axes(view)
    if any(list(v.axes) != list(view.axes) or sliceable_axes(v) != axes for v in views):
        return
    if not axes or (points_of(views, axes) == 1):
        return
    axes = _in_stored_order(views, axes)
    handle, names = script.match(view.name), Names(view.axes)
    loops, copies = list(view.axes), list[str]()
    lanes = vector_lanes(views, axes[-1]) if vectors else 1
    lanes = with_enough_threads(lanes, points_of(views, axes))
    if (reused := _reused_axis(views, axes, lanes)) is not None:
        blocks, copy = names.fresh(f"{reused}_blocks"), names.fresh("copy")
        handle = script.split(handle, reused, _POINTS, (blocks, copy))
        views = [with_blocks(view, reused, blocks, _POINTS)]
        axes = [blocks if axis == reused else axis for axis in axes]
        loops, copies = list(views[0].axes), [copy]
    taps = taps_of(view, axes[-1], lanes)
    if lanes > 1:
        blocks, lane = names.fresh(f"{axes[-1]}_vectors"), names.fresh("lane")
        handle = script.split(handle, axes[-1], lanes, (blocks, lane))
        views = [with_blocks(v, axes[-1], blocks, lanes) for v in views]
        axes = [*axes[:-1], blocks]
        loops, copies = list(views[0].axes), [*copies, lane]
    *around, last = runs_of(views, axes)
    points = points_of(views, last)
    outer, inner = around[-2:], around[:-2]
    serial = [axis for axis in loops if axis not in axes]
    own = [*copies, *serial] if lanes > 1 else [*serial, *copies]
    order = [*(axis for run in (*outer, last, *inner) for axis in run), *own]
    if loops != order:
        handle = script.reorder(handle, order)
    along = scanned_lanes(view) if vectors and lanes == 1 and not others else 1
    if view.scan is not None and along > 1:
        handle = script.vectorize(handle, view.scan, along)
    for axis in (*taps, *copies):
        is_vector = lanes > 1 and axis == copies[-1]
        handle = script.vectorize(handle, axis, lanes) if is_vector else script.unroll(handle, axis)
    counts = [points_of(views, run) for run in reversed(outer)]
    handle, loops = _fused(script, handle, (*outer, last), names)
    block, thread = names.fresh("block"), names.fresh("thread")
    if view.scan is not None and points < LEAST_BLOCKS * BLOCK_THREADS:
        limits = replace(limits, threads=min(limits.threads, LEAST_THREADS))
    threads = threads_of(points, limits) if points else _threads_of_dynamic(last, limits)
    handle = script.split(
        handle, loops[-1], threads, (block, thread), guard=not points or points % threads != 0
    )
    grid = grid_of([block, *reversed(loops[:-1])], [-(-points // threads), *counts], limits)
    script.bind(handle, {**grid, thread: "threadIdx.x"})


def _in_stored_order(views: Sequence[ComputeView], axes: list[str]) -> list[str]:
    """Return the axes in the order of the result's dimensions, if that makes accesses coalesce.

    That is so if an operand and the result have the same last axis: adjacent threads then access
    adjacent elements of both. Otherwise the axes keep their order.
    """
    (view, *others) = views
    if others or len(view.outputs) != 1:
        return axes
    stored = [e.variable() for e in view.outputs[0].indices or () if not e.is_constant]
    lasts = [list(read.indices or ())[-1:] for read in view.inputs]
    long = [axis for axis in stored if isinstance(axis, str) and view.axes.get(axis) != 1]
    is_same = any(index.variable() == long[-1] for last in lasts for index in last if long)
    return [str(axis) for axis in stored] if is_same and {*stored} == {*axes} else axes


def fused_runs(
    script: Script,
    handle: SSAValue,
    view: ComputeView,
    axes: Sequence[str],
    others: Sequence[str] = (),
) -> tuple[SSAValue, list[str]]:
    """Fuse each run of adjacent axes into a loop; return the compute and the names of the loops.

    others: names that the new loops must not have, because they are in use.
    """
    return _fused(script, handle, runs_of([view], axes), Names([*view.axes, *axes, *others]))


def _fused(
    script: Script, handle: SSAValue, runs: Sequence[Sequence[str]], names: Names
) -> tuple[SSAValue, list[str]]:
    loops: list[str] = []
    for run in runs:
        loops.append(run[0] if len(run) == 1 else names.fresh("points"))
        if len(run) > 1:
            handle = script.fuse(handle, run, loops[-1])
    return handle, loops


def _reused_axis(views: Sequence[ComputeView], axes: Sequence[str], lanes: int = 1) -> str | None:
    """Return the axis of whose points a thread has several, because they share an operand.

    lanes: the points of a vector along the last axis; accumulators of vectors are in registers.
    """
    (view, *others), last = views, axes[-1]
    points = points_of(views, axes) // lanes
    is_small = points != 0 and points < _POINTS * USEFUL_THREADS
    if others or is_small or not view.reduced_axes() or view.scan is not None:
        return None
    sums = [output for output in view.outputs if output.reduces]
    if lanes == 1 and not all(map(stores_accumulator, sums)):
        return None
    reads = [read for read in view.inputs if not read.is_index and not read.is_whole]
    varying = [read for read in reads if last in read.axes()]
    if len(varying) == len(reads):
        return None
    whole = [
        a for a in axes[:-1] if isinstance(view.axes[a], int) and view.extents[a] % _POINTS == 0
    ]
    same = (a for a in whole if all(is_constant(view, read, a, _POINTS) for read in varying))
    return next(same, None)


def points_of_thread(view: ComputeView) -> int:
    """Return the number of results that a thread computes in the plan of one thread per result.

    It exceeds 1 if the results share a loaded element.
    """
    return 1 if _reused_axis([view], sliceable_axes(view)) is None else _POINTS


def with_enough_threads(lanes: int, points: int) -> int:
    """Reduce a number of lanes until each multiprocessor of a large GPU has a block.

    points: the points of the compute, of which a thread takes as many as the vector has lanes.
    """
    while lanes > 1 and points // lanes < LEAST_BLOCKS * BLOCK_THREADS:
        lanes //= 2
    return lanes


def with_blocks(view: ComputeView, axis: str, blocks: str, factor: int) -> ComputeView:
    """Return the view of a compute after an axis over blocks of points replaces an axis.

    axis: the axis to replace.
    blocks: the name of the new axis.
    factor: the points of a block.
    """
    axes: dict[str, Extent] = {}
    for name, extent in view.axes.items():
        axes |= {blocks: view.extents[axis] // factor} if name == axis else {name: extent}
    return replace(view, axes=axes)


def runs_of(views: Sequence[ComputeView], axes: Sequence[str]) -> list[list[str]]:
    """Split axes into runs to fuse; only the first axis of a run may have a symbolic size.

    views: the computes that have the axes.
    """
    runs: list[list[str]] = []
    for axis in axes:
        if not runs or any(isinstance(v.axes[axis], Dim) for v in views):
            runs.append([])
        runs[-1].append(axis)
    return runs


def points_of(views: Sequence[ComputeView], run: Sequence[str]) -> int:
    """Return the number of points of a run of axes; for several computes, the largest number.

    0 if it is known only at run time.
    """
    if any(isinstance(v.axes[axis], Dim) for v in views for axis in run):
        return 0
    return max(prod(v.extents[axis] for axis in run) for v in views)


def _threads_of_dynamic(run: Sequence[str], limits: GpuLimits) -> int:
    return min(BLOCK_THREADS if len(run) > 1 else LEAST_THREADS, limits.threads)


def threads_of(points: int, limits: GpuLimits) -> int:
    """Return the number of threads per block for a number of points, each of which has a thread."""
    most = min(BLOCK_THREADS, limits.threads)
    if points <= most:
        return points
    even = (n for n in range(most, LEAST_THREADS - 1, -1) if points % n == 0)
    return next(even, most)
