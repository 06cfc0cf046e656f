"""Depthwise convolutions and pools: a block computes planes from a copy in shared memory.

    Y[n, c, h, w] = sum X[n, c, h * s + r - p, w * s + q - p] * W[c, r, q]

In: the view of a compute.  Out: its schedule with planes in shared memory; None for others.

Where each result is a reduction of a window of one plane of an operand, a block copies planes with
their border to shared memory, and computes all results of the planes: several small planes, or a
band of rows of a large one.  A thread has a vector of adjacent results of up to 16 bytes, so that
it computes positions once for all of them, and reads each element of its windows once.  It also
copies vectors, which are entirely inside or outside of the plane.  Without the copy, a thread would
test for the border, and compute positions, for each element.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import prod

from xdsl.ir import SSAValue

from ....dialects.dtypes import bit_width
from ....dialects.te import Access, ComputeView
from ....machines.gpu import GpuLimits
from .script import Script
from .thread_per_point import (
    GRID,
    LEAST_BLOCKS,
    LEAST_THREADS,
    fused_runs,
    grid_of,
    points_of,
    runs_of,
    threads_of,
    with_blocks,
)
from .transpose import gather_of, plan_gather, plan_transpose, transpose_of
from .vectors import LANE_COUNTS, VECTOR_BYTES, aligned_lanes

_MOST_WINDOW = 64
"""The most elements of a window: its loops are unrolled."""
_MOST_BYTES = 16 << 10
"""The most bytes of a copy: six blocks of 256 threads then fit in the 100 KiB of shared memory of
the smallest multiprocessor.  Source: CUDA C++ Programming Guide, table of compute capabilities."""
_FEW_THREADS = 128
"""The threads of a block that computes several planes, at least."""
_MOST_OVERLAP = 1.5
"""The most times that the bands of a plane copy each of its rows."""


@dataclass(frozen=True)
class Windows:
    """A compute that reduces windows of planes, and the planes that a block computes.

    operand: the number of the input with the planes.
    plane: the two axes of a plane of results, the outer one first.
    lanes: the number of adjacent results that a thread computes.
    part: how many adjacent elements a thread copies at once.
    planes, band: the planes of a block, and the rows of results of each.
    copied: the rows and columns of the copy of a plane.
    """

    operand: int
    plane: tuple[str, str]
    lanes: int
    part: int
    planes: int
    band: int
    copied: tuple[int, int]

    @property
    def elements(self) -> int:
        """The number of elements that a block copies."""
        return self.planes * prod(self.copied)

    def results(self, view: ComputeView) -> int:
        """Return the number of results that a block computes."""
        return self.planes * self.band * view.extents[self.plane[1]]


def plan_shared(script: Script, view: ComputeView, limits: GpuLimits) -> bool:
    """Plan a transpose, or windows of planes, with copies in shared memory; else return False."""
    if (transpose := transpose_of(view)) is not None:
        plan_transpose(script, view, transpose, limits)
        return True
    if (gather := gather_of(view)) is not None:
        plan_gather(script, view, gather, limits)
        return True
    if (windows := windows_of(view, limits)) is not None:
        plan_windows(script, view, windows, limits)
        return True
    return False


def windows_of(view: ComputeView, limits: GpuLimits) -> Windows | None:
    """Return how a compute reduces windows of planes; None for other computes."""
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
    lanes = min(aligned_lanes(view, access, plane[1]) for access in (out, *others))
    lanes = next(n for n in (*LANE_COUNTS, 1) if lanes % n == 0 and columns % n == 0)
    width = operand.shape[-1]
    part = next(n for n in (*LANE_COUNTS, 1) if n * size <= VECTOR_BYTES and width % n == 0)
    if size == 0 or len(runs_of([view], axes_around(view, plane))) > len(GRID):
        return None
    most = min(limits.shared_bytes, _MOST_BYTES) // size
    shapes = [
        Windows(found[0], plane, lanes, part, planes, band, _copied(view, operand, band, part))
        for planes, band in _shapes(view, operand, plane)
    ]
    fitting = [w for w in shapes if w.elements <= most and w.results(view) >= LEAST_THREADS]
    best = max(fitting, key=lambda each: _preference(view, each), default=None)
    if best is None:
        return None
    while lanes > 1 and best.results(view) // lanes < LEAST_THREADS:
        lanes //= 2
    return replace(best, lanes=lanes)


def _shapes(
    view: ComputeView, operand: Access, plane: tuple[str, str]
) -> Iterator[tuple[int, int]]:
    """Yield pairs (planes of a block, rows of each plane in it) that divide the results.

    operand: the access to the operand.
    plane: the two axes of a plane of results.
    """
    rows, points = view.extents[plane[0]], prod(view.extents[axis] for axis in plane)
    if points >= LEAST_THREADS:
        for band in (n for n in range(1, rows + 1) if rows % n == 0):
            copied = _copied(view, operand, band, 1)[0]
            if copied * rows <= band * _MOST_OVERLAP * operand.shape[-2]:
                yield 1, band
        return
    axis = _axis_of_planes(operand)
    count = view.extents[axis] if axis is not None else 1
    enough = (n for n in range(1, count + 1) if count % n == 0 and n * points >= _FEW_THREADS)
    yield next(enough, count), rows


def _axis_of_planes(operand: Access) -> str | None:
    axis = list(operand.indices or ())[-3].variable()
    return axis if isinstance(axis, str) else None


def _copied(view: ComputeView, operand: Access, band: int, part: int) -> tuple[int, int]:
    """Return the rows and columns of an operand that a band of results reads.

    operand: the access to it.
    band: the rows of results.
    part: the elements of a vector; the columns are whole vectors.
    """
    rows, columns = (index.range(view.range_of) for index in list(operand.indices or ())[-2:])
    (axis,) = (a for a in list(operand.indices or ())[-2].terms if a in view.parallel_axes())
    stride = list(operand.indices or ())[-2].terms[axis]
    held = rows[1] - rows[0] + 1 - stride * (view.extents[str(axis)] - band)
    first, end = columns[0] // part, -(-(columns[1] + 1) // part)
    return held, (end - first) * part


def _preference(view: ComputeView, each: Windows) -> tuple[bool, int, int]:
    points, results = prod(view.extents[a] for a in view.parallel_axes()), each.results(view)
    has_threads = results // each.lanes >= LEAST_THREADS
    return has_threads, min(points // results, LEAST_BLOCKS), each.band


def axes_around(view: ComputeView, plane: tuple[str, str]) -> list[str]:
    """Return the axes of the results except those of the plane; each of their points is a plane."""
    return [axis for axis in view.parallel_axes() if axis not in plane]


def _is_windowed(
    view: ComputeView, read: Access, plane: tuple[str, str], reduced: list[str]
) -> bool:
    """Return whether each result of a plane reads a window of an operand's plane.

    read: the access to the operand.
    plane: the two axes of a plane of results.
    reduced: the axes of the window, in the same order. Different planes of the result must read
    different planes of the operand.
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
    around, inside = axes_around(view, found.plane), [rows, "columns"]
    handle = script.match(view.name)
    vectors = found.planes * found.band * view.extents[columns] // found.lanes
    threads, blocks = threads_of(vectors, limits), view
    if found.band < view.extents[rows]:
        handle = script.split(handle, rows, found.band, ("bands", "row"))
        blocks = with_blocks(blocks, rows, "bands", found.band)
        around, inside[0] = [*around, "bands"], "row"
    axis = _axis_of_planes(view.inputs[found.operand])
    if found.planes > 1 and axis is not None:
        handle = script.split(handle, axis, found.planes, ("planes", "plane"))
        blocks = with_blocks(blocks, axis, "planes", found.planes)
        around = ["planes" if each == axis else each for each in around]
        inside = ["plane", *inside]
    handle = script.split(handle, columns, found.lanes, ("columns", "lane"))
    handle = script.reorder(handle, [*around, *inside, "lane", *reduced])
    handle, loops = fused_runs(script, handle, blocks, around, [*inside, "lane"])
    counts = [points_of([blocks], run) for run in reversed(runs_of([blocks], around))]
    handle = script.bind(handle, grid_of(loops[::-1], counts, limits))
    copied = [f"c{n}" for n in range(len(view.inputs[found.operand].dims))]
    copy, handle = script.copy_window(
        handle, found.operand, copied, multiple=found.part, scope="shared"
    )
    copy, handle = script.compute_at(copy, handle, loops[-1], whole=copied[-1:])
    copy = script.split(copy, copied[-1], found.part, ("vectors", "part"))
    copy = script.fuse(copy, (*copied[-3:-1], "vectors"), "element")
    copy = _divide(script, copy, "element", found.elements // found.part, threads, ["part"])
    if found.part > 1:
        script.vectorize(copy, "part", found.part)
    handle = script.fuse(handle, inside, "point")
    handle = _divide(script, handle, "point", vectors, threads, ["lane", *reduced])
    if found.lanes > 1:
        script.vectorize(handle, "lane", found.lanes)


def _divide(
    script: Script, handle: SSAValue, axis: str, count: int, threads: int, inner: list[str]
) -> SSAValue:
    """Divide a loop among the threads of a block.

    count: the iterations.
    inner: the loops inside of this loop.
    """
    names = f"{axis}_turn", f"{axis}_thread"
    even = next((n for n in range(min(threads, count), 0, -1) if count % n == 0), 0)
    if 2 * even < threads:
        handle = script.split(handle, axis, threads, names, guard=True)
    else:
        handle = script.split(handle, axis, even, names)
        handle = script.reorder(handle, [names[1], names[0], *inner])
    return script.bind(handle, {names[1]: "threadIdx.x"})
