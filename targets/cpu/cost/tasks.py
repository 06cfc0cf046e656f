"""Tasks of the least modelled time on several cores.

In: the points of a loop nest that computes elements or rows, and the extents of its axes.  Out: the
sizes of the chunks of each axis, one task each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

from ....machines.cpu_numbers import task_points
from ....machines.target import Target
from ..plan.tiles import time_on_cores

TASK_RANGE = 2
"""A task has at least half, and if possible at most twice, the points of `task_points`."""

MOST_CHUNKS = 32
"""The most sizes of chunks to try along an axis."""

REST_COST = 0.02
"""The relative cost of a last chunk that is smaller, for its code."""


def chunk_sizes(
    extents: Mapping[str, int], least: Mapping[str, int], points: int, target: Target
) -> dict[str, int]:
    """Return the sizes of chunks, by axis, whose modelled time on several cores is least.

    Only the last axis of the result is divided into chunks of more than the least size.
    extents: the extents of the axes of a loop nest.
    least: the least size of a chunk along each axis that may be divided, the outermost first; it
    divides all other sizes.
    points: the points of all computes in the loops.
    """
    sizes: dict[str, int] = {}
    best, found = time_on_cores(1, points, points, target), sizes
    tasks, inside, wanted = 1, points, task_points(target)
    for axis, smallest in least.items():
        extent, first = extents[axis], min(smallest, extents[axis])
        for chunk in _chunks(extent, first, inside, wanted):
            count = tasks * ceil(extent / chunk)
            time = time_on_cores(count, inside / extent * chunk, points, target)
            if extent % chunk:
                time *= 1 + REST_COST
            if time < best:
                best, found = time, sizes | {axis: chunk}
        tasks, inside = tasks * ceil(extent / first), inside // extent * first
        if inside * TASK_RANGE <= wanted:
            break
        if first < extent:
            sizes = sizes | {axis: first}
    return found


def _chunks(extent: int, least: int, points: int, wanted: int) -> Sequence[int]:
    """Return the chunks to try along an axis, of about ``wanted`` points each.

    It is the smallest chunk if that has more points.
    extent: the extent of the axis.
    least: the smallest chunk, which divides all others.
    points: the points of the whole axis.
    """
    first = ceil(points / (wanted * TASK_RANGE))
    last = min(ceil(extent / least), points * TASK_RANGE // wanted)
    step = ceil((last - first + 1) / MOST_CHUNKS)
    counts = range(max(2, min(first, last)), last + 1, max(1, step))
    return sorted({ceil(extent / (least * count)) * least for count in counts})
