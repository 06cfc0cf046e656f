"""One thread per point of the parallel axes: the rule of every compute that is no product.

In: the view of a compute.  Out: its parallel loops, fused and split into blocks and threads.

G1  All parallel axes are one loop, in their order, so that neighboring threads have neighboring
    points of the last axis: their accesses coalesce.  Reduced and scanned axes stay serial inside a
    thread, so results do not depend on the number of threads.
G2  A block has the largest number of threads that divides the points, if one of at least 64 does:
    without a remainder there is no second launch.  Else it has 256, and a second launch has the
    rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ....dialects.te import ComputeView
from ....passes.schedule.engine.axes import sliceable_axes
from ....support.gpu_limits import GpuLimits
from ....support.names import Names
from .script import Script

BLOCK_THREADS = 256
"""Threads of a block without reuse: 8 warps hide the latency of memory on all devices."""

LEAST_THREADS = 64
"""The fewest threads of a block: two warps, or one of the wide waves of AMD."""


def spread(script: Script, views: Sequence[ComputeView], limits: GpuLimits) -> None:
    """Bind the parallel axes of the computes of one name to blocks and threads.

    Computes of one name have one handle: borders of several buffers, for example.  Without a common
    parallel axis they stay as they are.
    """
    view = views[0]
    axes = sliceable_axes(view)
    if any(list(v.axes) != list(view.axes) or sliceable_axes(v) != axes for v in views):
        return
    points = max(prod(v.extents[axis] for axis in axes) for v in views)
    if not axes or points < 2:
        return
    handle, names = script.match(view.name), Names(view.axes)
    serial = [axis for axis in view.axes if axis not in axes]
    if list(view.axes) != [*axes, *serial]:
        handle = script.reorder(handle, [*axes, *serial])
    loop = axes[0]
    if len(axes) > 1:
        loop = names.fresh("points")
        handle = script.fuse(handle, axes, loop)
    block, thread = names.fresh("block"), names.fresh("thread")
    handle = script.split(handle, loop, threads_of(points, limits), (block, thread))
    script.bind(handle, {block: "blockIdx.x", thread: "threadIdx.x"})


def threads_of(points: int, limits: GpuLimits) -> int:
    """Return the number of threads of a block for a number of points."""
    most = min(BLOCK_THREADS, limits.threads)
    if points <= most:
        return points
    even = (n for n in range(most, LEAST_THREADS - 1, -1) if points % n == 0)
    return next(even, most)
