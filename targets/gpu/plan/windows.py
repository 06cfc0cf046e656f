"""Depthwise convolutions and pools: a block computes one plane from a copy in shared memory.

    Y[n, c, h, w] = sum X[n, c, h * s + r - p, w * s + q - p] * W[c, r, q]

In: the view of a compute.  Out: its schedule with a plane in shared memory; None for others.

Rule of gpu-plan:
G20  Where each result is a reduction of a window of one plane of an operand, a block copies the
     plane with its border to shared memory, and computes all results of the plane.  A thread has a
     vector of adjacent results of up to 16 bytes, so that it computes positions once for all of
     them, and reads each element of its windows once.  Without the copy, a thread would test for
     the border, and compute positions, for each element.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.ir import SSAValue

from ....dialects.dtypes import bit_width
from ....dialects.te import Access, ComputeView
from ....machines.gpu import GpuLimits
from .script import Script
from .thread_per_point import (
    GRID,
    LEAST_THREADS,
    VECTOR_BYTES,
    aligned_lanes,
    fused_runs,
    grid_of,
    points_of,
    runs_of,
    threads_of,
)

_MOST_WINDOW = 64
"""The most elements of a window: its loops are unrolled."""
_MOST_BYTES = 16 << 10
"""The most bytes of a plane: six blocks of 256 threads then fit in the 100 KiB of shared memory of
the smallest multiprocessor.  Source: CUDA C++ Programming Guide, table of compute capabilities."""


@dataclass(frozen=True)
class Windows:
    """A compute that reduces windows of planes.

    operand: the number of the input with the planes.  plane: the two axes of a plane of results,
    the outer one first.  lanes: the number of adjacent results that a thread computes.  copied: how
    many adjacent elements a thread copies at once, and how many elements a plane has without its
    border.
    """

    operand: int
    plane: tuple[str, str]
    lanes: int
    copied: tuple[int, int]


def windows_of(view: ComputeView, limits: GpuLimits) -> Windows | None:
    """Return the windows that a compute reduces; None for other computes."""
    reduced = view.reduced_axes()
    if len(view.outputs) != 1 or view.scan is not None or len(reduced) != 2:
        return None
    (out,), inputs = view.outputs, view.inputs
    axes = [index.variable() for index in out.indices or ()]
    if len(axes) < 3 or axes != list(view.axes)[: len(axes)] or out.init is None:
        return None
    if not all(isinstance(extent, int) for extent in view.axes.values()):
        return None
    if prod(view.extents[axis] for axis in reduced) > _MOST_WINDOW:
        return None
    plane = str(axes[-2]), str(axes[-1])
    found = [n for n, read in enumerate(inputs) if _is_windowed(view, read, plane, reduced)]
    if len(found) != 1:
        return None
    operand = inputs[found[0]]
    others = [read for read in (*inputs, *view.post) if read is not operand]
    if any(read.indices is None or read.pad is not None for read in others):
        return None
    columns, size = view.extents[plane[1]], bit_width(operand.element_type) // 8
    lanes = min(aligned_lanes(access, plane[1]) for access in (out, *others))
    lanes = next(n for n in (16, 8, 4, 2, 1) if lanes % n == 0 and columns % n == 0)
    rows, width = operand.shape[-2:]
    copied = next(n for n in (16, 8, 4, 2, 1) if n * size <= VECTOR_BYTES and width % n == 0)
    held = [rows + view.extents[reduced[0]], width + view.extents[reduced[1]]]
    most = min(limits.shared_bytes, _MOST_BYTES)
    points = view.extents[plane[0]] * columns
    while lanes > 1 and points // lanes < LEAST_THREADS:
        lanes //= 2
    if size == 0 or prod(held) * size > most or points < LEAST_THREADS:
        return None
    if len(runs_of([view], axes_around(view, plane))) > len(GRID):
        return None
    return Windows(found[0], plane, lanes, (copied, rows * width))


def axes_around(view: ComputeView, plane: tuple[str, str]) -> list[str]:
    """Return the axes of the results except those of the plane; each of their points is a plane."""
    return [axis for axis in view.parallel_axes() if axis not in plane]


def _is_windowed(
    view: ComputeView, read: Access, plane: tuple[str, str], reduced: list[str]
) -> bool:
    """Return whether each result of a plane reads a window of an operand's plane.

    Different planes of the result must read different planes of the operand.
    """
    indices = read.indices or []
    if read.is_index or len(indices) != len(view.parallel_axes()):
        return False
    around = [index.variable() for index in indices[:-2] if not index.is_constant]
    if around != [axis for axis in axes_around(view, plane) if view.axes[axis] != 1]:
        return False
    pairs = zip(indices[-2:], plane, reduced, strict=True)
    return all({*index.terms} == {axis, step} for index, axis, step in pairs)


def plan_windows(script: Script, view: ComputeView, found: Windows, limits: GpuLimits) -> None:
    """Write the steps of the schedule of windows."""
    (rows, columns), reduced = found.plane, view.reduced_axes()
    around = axes_around(view, found.plane)
    handle = script.match(view.name)
    vectors = view.extents[rows] * view.extents[columns] // found.lanes
    threads = threads_of(vectors, limits)
    handle = script.split(handle, columns, found.lanes, ("columns", "lane"))
    handle = script.reorder(handle, [*around, rows, "columns", "lane", *reduced])
    handle, loops = fused_runs(script, handle, view, around, ["columns", "lane"])
    counts = [points_of([view], run) for run in reversed(runs_of([view], around))]
    handle = script.bind(handle, grid_of(loops[::-1], counts, limits))
    copied = [f"c{n}" for n in range(len(around) + 2)]
    copy, handle = script.cache_read(handle, found.operand, copied)
    copy, handle = script.compute_at(copy, handle, loops[-1])
    if _has_border(view, view.inputs[found.operand]):
        border = script.match(f"{view.name}_in{found.operand}_fill")
        border = script.fuse(border, [f"f{n}" for n in range(len(copied))], "cell")
        _divide(script, border, "cell", 0, threads, [])
    copy = script.split(copy, copied[-1], found.copied[0], ("vectors", "part"))
    copy = script.fuse(copy, (copied[-2], "vectors"), "element")
    count = found.copied[1] // found.copied[0]
    copy = _divide(script, copy, "element", count, threads, ["part"])
    if found.copied[0] > 1:
        script.vectorize(copy, "part", found.copied[0])
    handle = script.fuse(handle, (rows, "columns"), "points_of_plane")
    handle = _divide(script, handle, "points_of_plane", vectors, threads, ["lane", *reduced])
    if found.lanes > 1:
        script.vectorize(handle, "lane", found.lanes)


def _has_border(view: ComputeView, read: Access) -> bool:
    """Return whether a window may extend beyond the operand."""
    ranges = [index.range(view.range_of) for index in read.indices or ()]
    sizes = zip(ranges, read.shape, strict=True)
    return any(low < 0 or high >= size for (low, high), size in sizes)


def _divide(
    script: Script, handle: SSAValue, axis: str, count: int, threads: int, inner: list[str]
) -> SSAValue:
    """Divide a loop among the threads of a block.

    count: the iterations; 0 if computes of one handle have different numbers.  inner: the loops
    inside of this loop.
    """
    names = f"{axis}_turn", f"{axis}_thread"
    even = next((n for n in range(min(threads, count), 0, -1) if count % n == 0), 0)
    if 2 * even < threads:
        handle = script.split(handle, axis, threads, names, guard=True)
    else:
        handle = script.split(handle, axis, even, names)
        handle = script.reorder(handle, [names[1], names[0], *inner])
    return script.bind(handle, {names[1]: "threadIdx.x"})


__all__ = ["Windows", "plan_windows", "windows_of"]
