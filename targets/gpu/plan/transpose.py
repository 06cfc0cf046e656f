"""Transposes: a block moves a tile through shared memory, so that reads and writes are contiguous.

    Y[n, i, j] = f(X[n, j, i], ..)

In: the view of an elementwise compute.  Out: its schedule with a tile in shared memory; None if the
compute does not transpose.

Where an elementwise compute reads one operand contiguously along another axis than it writes, a
thread of thread_per_point.py would read elements that are a row apart.  Instead, a block copies a
tile of the operand to shared memory along the rows of the operand, and reads the tile along the
rows of the result.  Each side of the tile has 128 bytes, the line of a cache, or 64 or 32 bytes, if
only these divide the extent.  Global memory is accessed in vectors of 16 bytes.  The rows of the
tile are one word longer than their elements, so that the vectors of a warp fall into different
banks of shared memory.  If no tile divides the extents, a thread has some adjacent vectors of the
operand, and stores their elements by vectors of the result; simt-align-loads makes the loads.  The
pixels of blocks in a space-to-depth are such a transpose, too.  Without such vectors, or with few
results, a thread loads the elements of one vector of the result.  Adjacent threads have adjacent
elements of the operand.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from xdsl.ir import SSAValue

from ....dialects.dtypes import bit_width
from ....dialects.shape import Dim
from ....dialects.te import Access, ComputeView
from ....machines.gpu import GpuLimits
from ....passes.schedule.engine.axes import is_pointwise
from ....support.affine import Index
from ....support.names import Names
from .script import Script
from .thread_per_point import (
    BLOCK_THREADS,
    GRID,
    fused_runs,
    grid_of,
    points_of,
    runs_of,
    threads_of,
    with_blocks,
    with_enough_threads,
)
from .vectors import VECTOR_BYTES, Turn, aligned_lanes, turn_of

_SIDES_BYTES = (128, 64, 32)
_BANK_BYTES = 4


@dataclass(frozen=True)
class Transpose:
    """A compute that transposes an operand, and the tile that a block transposes at once.

    operand: the number of the operand.
    inner: the contiguous axis of the result, and the extent of a tile along it.
    outer: the contiguous axis of the operand, and the extent of a tile along it.
    lanes: the elements of a vector.
    """

    operand: int
    inner: tuple[str, int]
    outer: tuple[str, int]
    lanes: int

    @property
    def vectors(self) -> int:
        """The number of vectors in a tile."""
        return self.inner[1] * self.outer[1] // self.lanes


def transpose_of(view: ComputeView) -> Transpose | None:
    """Return how an elementwise compute transposes an operand; None for other computes."""
    if not is_pointwise(view) or view.post:
        return None
    (out,) = view.outputs
    inner = _contiguous_axis(view, out)
    turned = [n for n, read in enumerate(view.inputs) if _is_turned(view, read, inner)]
    if inner is None or len(turned) != 1 or len(runs_of([view], list(view.axes))) > len(GRID):
        return None
    operand = view.inputs[turned[0]]
    outer, size = _contiguous_axis(view, operand), bit_width(operand.element_type) // 8
    if outer is None or size == 0 or bit_width(out.element_type) != bit_width(operand.element_type):
        return None
    lanes = VECTOR_BYTES // size
    if lanes < 2 or any(aligned_lanes(view, a, inner) < lanes for a in _others(view, operand)):
        return None
    if aligned_lanes(view, operand, outer) < lanes:
        return None
    sides = [_side(view, axis, size) for axis in (inner, outer)]
    if 0 in sides:
        return None
    return Transpose(turned[0], (inner, sides[0]), (outer, sides[1]), lanes)


def _others(view: ComputeView, operand: Access) -> list[Access]:
    return [access for access in view.accesses() if access is not operand]


def _contiguous_axis(view: ComputeView, access: Access) -> str | None:
    axis = access.indices[-1].variable() if access.indices else None
    return axis if isinstance(axis, str) and view.axes.get(axis) != 1 else None


def _is_turned(view: ComputeView, read: Access, inner: str | None) -> bool:
    """Return whether an operand is read transposed, so that ``inner`` is not its last dimension.

    inner: the contiguous axis of the result. All indices of the read must be distinct axes.
    """
    if read.is_index or read.pad is not None or inner not in read.axes():
        return False
    axes = [index.variable() for index in read.indices or ()]
    return len({*axes}) == len(axes) and None not in axes and axes[-1] != inner


def _side(view: ComputeView, axis: str, size: int) -> int:
    """Return the elements of a tile along an axis; 0 if no legal tile divides the axis.

    size: the bytes of an element.
    """
    extent = view.axes[axis]
    sides = (side // size for side in _SIDES_BYTES)
    return next((n for n in sides if isinstance(extent, int) and extent % n == 0), 0)


def plan_transpose(script: Script, view: ComputeView, found: Transpose, limits: GpuLimits) -> None:
    """Write the steps of the schedule of a transpose."""
    names, (inner, columns), (outer, rows) = Names(view.axes), found.inner, found.outer
    threads = min(BLOCK_THREADS, limits.threads, found.vectors)
    tiles, parts = (dict(zip((inner, outer), map(names.fresh, pair), strict=True))
                    for pair in (("column_tile", "row_tile"), ("column", "row")))  # fmt: skip
    handle = script.match(view.name)
    for axis, size in (found.inner, found.outer):
        handle = script.split(handle, axis, size, (tiles[axis], parts[axis]))
    around = [tiles.get(axis, axis) for axis in view.axes]
    handle = script.reorder(handle, [*around, parts[outer], parts[inner]])
    blocks = with_blocks(with_blocks(view, inner, tiles[inner], columns), outer, tiles[outer], rows)
    handle, loops = fused_runs(script, handle, blocks, around, list(parts.values()))
    counts = [points_of([blocks], run) for run in reversed(runs_of([blocks], around))]
    handle = script.bind(handle, grid_of(loops[::-1], counts, limits))
    copied = [names.fresh(f"c{n}") for n in range(len(view.inputs[found.operand].indices or ()))]
    copy, handle = script.cache_read(handle, found.operand, copied)
    copy, handle = script.compute_at(copy, handle, loops[-1])
    padding = max(1, _BANK_BYTES * 8 // bit_width(view.outputs[0].element_type))
    copy = script.storage_align(copy, copied[-2], rows, padding)
    axes = [index.variable() for index in view.inputs[found.operand].indices or ()]
    own = copied[axes.index(inner)], copied[-1]
    copy = script.reorder(copy, [*(c for c in copied if c not in own), *own])
    _share(script, copy, own, found, threads, names)
    _share(script, handle, (parts[outer], parts[inner]), found, threads, names)


def _share(
    script: Script,
    handle: SSAValue,
    axes: tuple[str, str],
    found: Transpose,
    threads: int,
    names: Names,
) -> None:
    """Divide the elements of a tile among threads.

    axes: the axis of the tile's rows, and the contiguous axis.
    threads: the threads of a block.
    """
    vectors, lane, element, turn, thread = (
        names.fresh(n) for n in ("vectors", "lane", "element", "turn", "thread")
    )
    handle = script.split(handle, axes[1], found.lanes, (vectors, lane))
    handle = script.fuse(handle, (axes[0], vectors), element)
    handle = script.split(handle, element, threads, (turn, thread))
    handle = script.reorder(handle, [thread, turn, lane])
    handle = script.unroll(script.bind(handle, {thread: "threadIdx.x"}), turn)
    script.vectorize(handle, lane, found.lanes)


@dataclass(frozen=True)
class Gather:
    """A compute that transposes an operand without shared memory: in the registers of a thread.

    inner: the contiguous axis of the result, of which a thread has a vector.
    lanes: the elements of the vector.
    turn: the points of which a thread has a vector each, because they read adjacent elements of the
    operand.  Adjacent threads have adjacent points of the axis if its count is 1.
    """

    inner: str
    lanes: int
    turn: Turn


def gather_of(view: ComputeView) -> Gather | None:
    """Return how threads gather vectors of a transposed operand; None for other computes."""
    if not is_pointwise(view) or view.post:
        return None
    if any(isinstance(extent, Dim) for extent in list(view.axes.values())[1:]):
        return None
    (out,) = view.outputs
    inner = _contiguous_axis(view, out)
    if inner is None or any(read.is_index or read.is_whole for read in view.inputs):
        return None
    extent = view.axes[inner]
    lanes = gcd(aligned_lanes(view, out, inner), extent) if isinstance(extent, int) else 1
    turned = [read for read in view.inputs if aligned_lanes(view, read, inner) < lanes]
    if lanes < 2 or not turned:
        return None
    most = with_enough_threads(VECTOR_BYTES, points_of([view], list(view.axes)) // lanes)
    first, *others = (turn_of(view, read, (inner, lanes), most) for read in turned)
    if first is not None and all(other == first for other in others):
        return Gather(inner, lanes, first)
    lasts = [_last(read) for read in turned]
    outer = {axis for last in lasts for axis, n in last.terms.items() if n == 1}
    if len(outer) != 1 or any(last.coefficient(inner) for last in lasts):
        return None
    (axis,) = outer
    is_static = isinstance(view.axes.get(str(axis)), int)
    return Gather(inner, lanes, Turn(str(axis), 1, 1)) if is_static else None


def _last(access: Access) -> Index:
    return list(access.indices or ())[-1]


def plan_gather(script: Script, view: ComputeView, found: Gather, limits: GpuLimits) -> None:
    """Write the steps of a schedule in which threads gather vectors of the result."""
    names, turn = Names(view.axes), found.turn
    vectors, lane = names.fresh("vectors"), names.fresh("lane")
    handle = script.split(script.match(view.name), found.inner, found.lanes, (vectors, lane))
    blocks = with_blocks(view, found.inner, vectors, found.lanes)
    last, parts, copies = turn.axis, list[str](), list[str]()
    if turn.count > 1:
        axis, step = (vectors, 1) if turn.axis == found.inner else (turn.axis, turn.step)
        last, copy = names.fresh("tile"), names.fresh("copy")
        inside = copy if step == 1 else names.fresh("inside")
        handle = script.split(handle, axis, step * turn.count, (last, inside))
        blocks, copies = with_blocks(blocks, axis, last, step * turn.count), [copy]
        if step > 1:
            # Tiles of points at a distance: adjacent threads have adjacent vectors of the result.
            part, last = names.fresh("part"), vectors
            handle, parts = script.split(handle, inside, step, (copy, part)), [part]
    around = [*parts, *(axis for axis in blocks.axes if axis != last), last]
    handle = script.reorder(handle, [*around, *copies, lane])
    handle = script.vectorize(handle, lane, found.lanes)
    handle = script.unroll(handle, copies[0]) if copies else handle
    points, loop = points_of([view], list(view.axes)), names.fresh("points")
    points //= found.lanes * turn.count
    handle = script.fuse(handle, around, loop)
    threads = threads_of(points, limits) if points else min(BLOCK_THREADS, limits.threads)
    block, thread = names.fresh("block"), names.fresh("thread")
    is_whole = points > 0 and points % threads == 0
    handle = script.split(handle, loop, threads, (block, thread), guard=not is_whole)
    grid = grid_of([block], [-(-points // threads)], limits)
    script.bind(handle, {**grid, thread: "threadIdx.x"})
