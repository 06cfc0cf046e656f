"""One thread per point of the parallel axes: the rule of every compute that no other rule takes.

In: the view of a compute.  Out: its parallel loops, fused and split into blocks and threads.

G1  All parallel axes are one loop, in their order, so that neighboring threads have neighboring
    points of the last axis: their accesses coalesce.  Reduced and scanned axes stay serial inside a
    thread, so results do not depend on the number of threads.  No loop divides by a size that is
    known only at run time, so each axis of such a size begins a loop of its own: a dimension of the
    grid.
G2  A block has the largest number of threads that divides the points, if one of at least 64 does.
    Else it has 256, and the last block is guarded; 64 along a single axis of an open size, which
    may be short.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.ir import SSAValue

from ....dialects.shape import Dim
from ....dialects.te import ComputeView
from ....passes.schedule.engine.axes import sliceable_axes
from ....support.gpu_limits import GpuLimits
from ....support.names import Names
from .script import Script

BLOCK_THREADS = 256
"""Threads of a block without reuse: 8 warps hide the latency of memory on all devices."""

LEAST_THREADS = 64
"""The fewest threads of a block: two warps, or one of the wide waves of AMD."""

GRID = ("blockIdx.x", "blockIdx.y", "blockIdx.z")


def spread(script: Script, views: Sequence[ComputeView], limits: GpuLimits) -> None:
    """Bind the parallel axes of the computes of one name to blocks and threads.

    Computes of one name have one handle: borders of several buffers, for example.  Without a common
    parallel axis they stay as they are.
    """
    view = views[0]
    axes = sliceable_axes(view)
    if any(list(v.axes) != list(view.axes) or sliceable_axes(v) != axes for v in views):
        return
    *around, last = runs_of(views, axes) or [[]]
    points = _points(views, last)
    if not last or (not around and points == 1):
        return
    handle, names = script.match(view.name), Names(view.axes)
    outer, inner = around[-2:], around[:-2]
    serial = [axis for axis in view.axes if axis not in axes]
    order = [axis for run in (*outer, last, *inner) for axis in run] + serial
    if list(view.axes) != order:
        handle = script.reorder(handle, order)
    loops: list[str] = []
    for run in (*outer, last):
        loops.append(run[0] if len(run) == 1 else names.fresh("points"))
        if len(run) > 1:
            handle = script.fuse(handle, run, loops[-1])
    block, thread = names.fresh("block"), names.fresh("thread")
    threads = threads_of(points, limits) if points else _threads_of_open(last, limits)
    handle = script.split(
        handle, loops[-1], threads, (block, thread), guard=not points or points % threads != 0
    )
    grid = dict(zip([block, *reversed(loops[:-1])], GRID, strict=False))
    script.bind(handle, {**grid, thread: "threadIdx.x"})


def fused_runs(
    script: Script, handle: SSAValue, view: ComputeView, axes: Sequence[str]
) -> tuple[SSAValue, list[str]]:
    """Fuse each run of adjacent axes into a loop; return the loops."""
    names, loops = Names([*view.axes, *axes]), list[str]()
    for run in runs_of([view], axes):
        loops.append(run[0] if len(run) == 1 else names.fresh("points"))
        if len(run) > 1:
            handle = script.fuse(handle, run, loops[-1])
    return handle, loops


def runs_of(views: Sequence[ComputeView], axes: Sequence[str]) -> list[list[str]]:
    """Return the axes in runs, each of which begins with the only axis of an open size in it."""
    runs: list[list[str]] = []
    for axis in axes:
        if not runs or any(isinstance(v.axes[axis], Dim) for v in views):
            runs.append([])
        runs[-1].append(axis)
    return runs


def _points(views: Sequence[ComputeView], run: Sequence[str]) -> int:
    """Return the most points of a run of axes, 0 if they are known only at run time."""
    if any(isinstance(v.axes[axis], Dim) for v in views for axis in run):
        return 0
    return max(prod(v.extents[axis] for axis in run) for v in views)


def _threads_of_open(run: Sequence[str], limits: GpuLimits) -> int:
    return min(BLOCK_THREADS if len(run) > 1 else LEAST_THREADS, limits.threads)


def threads_of(points: int, limits: GpuLimits) -> int:
    """Return the number of threads of a block for a number of points."""
    most = min(BLOCK_THREADS, limits.threads)
    if points <= most:
        return points
    even = (n for n in range(most, LEAST_THREADS - 1, -1) if points % n == 0)
    return next(even, most)
