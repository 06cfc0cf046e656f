"""Sums along columns: a block per strip of adjacent columns, its warps along the sum.

In: the view of a compute.  Out: the steps of its schedule; None for any other compute.

    Y[j] = sum X[k, j]                 sums of columns
    Y[m, j] = sum A[m, k] * B[k, j]    few rows times a matrix whose rows are contiguous

A block has ``lanes`` x ``groups`` threads.  A thread loads ``vector`` adjacent columns at once, up
to 16 bytes, of every ``groups``-th element of the sum, and keeps the sums of its columns in
registers.  Then the block adds the sums of its groups in their order, from shared memory.  Rows
that share the columns' elements (m) are computed by the same thread, which loads each element of
the matrix once.  A compute may have several sums (gpu-join-sums).  The rule applies if one thread
per result (thread_per_point.py) would not fill the GPU.  The sizes and the number of parts
have the least time of the model in streams.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod

from xdsl.ir import SSAValue

from ....dialects.dtypes import storage_bytes
from ....dialects.te import Access, ComputeView
from ....dialects.te.verifier import accumulator_type
from ....machines.gpu import GpuLimits
from ....machines.gpu_numbers import GpuNumbers
from ....passes.schedule.engine.axes import sliceable_axes
from ....support.names import Names
from .script import Script
from .streams import Stream, parts_of
from .thread_per_point import grid_of
from .vectors import LANE_COUNTS, VECTOR_BYTES

_MOST_LANES, _LEAST_LANES = 64, 4
"""The most and fewest threads along the columns of a strip.  Strips divide the columns."""

_THREADS = (512, 256, 128, 64)
"""The choices of threads of a block."""

_LEAST_TERMS = 32
"""The fewest terms of a sum whose division among threads is worth its combination."""

_MOST_PARTS = 64
"""The most parts of a sum: the thread that adds them has as many dependent additions."""

_MOST_ROWS, _MOST_SUMS = 64, 16
"""The most rows whose sums a thread has, and the most sums if it loads several columns at once:
half of its registers, if a multiprocessor has its most threads.  More registers leave too few
threads, and so too few loads in flight: a product of 8 x 4096 x 14336 in f16 takes 135 us with 64
sums of a thread on an H100, 75 us with 32, and 69 us with 16."""

_MOST_LOADS, _MOST_LOADED_BYTES = 16, 128
"""The most loads, and the most bytes, that a thread has in flight: the assembler unrolls the loop
over the sum, and half of the registers hold loaded elements."""


@dataclass(frozen=True)
class Strips:
    """The axes of sums along columns, and how threads share them.

    along: the reduction axis, which groups of threads share.
    column: the axis of the columns.
    copies: the axes of the rows whose sums one thread computes.
    lanes: the threads of a block along the columns.
    vector: the adjacent columns of a thread.
    groups: the threads of a block along the reduction axis.
    parts: the number of parts into which the sum is divided; a second launch adds them if there are
    several.
    """

    along: str
    column: str
    copies: tuple[str, ...]
    lanes: int
    vector: int
    groups: int
    parts: int = 1

    @property
    def width(self) -> int:
        """The columns of a strip."""
        return self.lanes * self.vector


def strips_of(
    view: ComputeView, limits: GpuLimits, numbers: GpuNumbers, *, is_whole: bool = False
) -> Strips | None:
    """Choose the strips of sums along columns; None for other computes.

    None also if one thread per result fills the GPU.  is_whole: whether the sum must not be divided
    into parts.
    """
    if view.scan is not None or not view.reduced_axes():
        return None
    if not all(isinstance(extent, int) and extent > 0 for extent in view.axes.values()):
        return None
    out = view.outputs[0]
    if any(each.combiner == "by" or each.init is None for each in view.outputs):
        return None
    if not out.indices or any(each.indices != out.indices for each in view.outputs):
        return None
    column, along = out.indices[-1].variable(), _longest(view, view.reduced_axes())
    if not isinstance(column, str) or view.extents[along] < _LEAST_TERMS:
        return None
    reads = [a for a in view.reads if column in a.axes()]
    if not all(_ends_with(access, column) for access in (*reads, out)):
        return None
    streams = [
        a for a in view.inputs if not a.is_index and column in a.axes() and along in a.axes()
    ]
    if not streams or view.extents[column] == 1:
        return None
    shared = {axis for access in streams for axis in access.axes()}
    parallel = [a for a in sliceable_axes(view) if view.extents[a] > 1]
    copies = tuple(a for a in parallel if a not in shared)
    results = prod(view.extents[a] for a in parallel)
    if results >= numbers.multiprocessors * numbers.threads or _sums(view, copies) > _MOST_ROWS:
        return None
    found = list(_choices(view, streams, along, column, copies, limits))
    if not found:
        return None
    timed = [
        (stream.seconds(numbers, parts), -strips.width, n, strips, parts)
        for n, (strips, stream) in enumerate(found)
        for parts in ([1] if is_whole else parts_of(view.extents[along], _LEAST_TERMS, _MOST_PARTS))
    ]
    *_, best, parts = min(timed, key=lambda each: each[:3])
    return replace(best, parts=parts)


def _longest(view: ComputeView, axes: Sequence[str]) -> str:
    return max(axes, key=lambda axis: view.extents[axis])


def _ends_with(access: Access, column: str) -> bool:
    """Return whether adjacent columns are adjacent elements of an operand."""
    indices = access.indices or []
    inner = [index for index in indices if column in index.variables()]
    return (
        access.pad is None
        and access.clip is None
        and inner == indices[-1:]
        and (indices[-1].variable() == column)
    )


def _sums(view: ComputeView, copies: Sequence[str]) -> int:
    """Return how many sums a thread has for each column."""
    return len(view.outputs) * prod(view.extents[axis] for axis in copies)


def _choices(
    view: ComputeView,
    streams: Sequence[Access],
    along: str,
    column: str,
    copies: tuple[str, ...],
    limits: GpuLimits,
) -> Iterator[tuple[Strips, Stream]]:
    size = max(storage_bytes(a.element_type) for a in streams)
    sums, total = _sums(view, copies), max(storage_bytes(accumulator_type(o)) for o in view.outputs)
    outer = [a for a in sliceable_axes(view) if a not in (column, *copies)]
    batch, terms = (
        prod(view.extents[a] for a in outer),
        prod(view.extents[a] for a in view.reduced_axes()),
    )
    read = sum(storage_bytes(a.element_type) for a in streams)
    for lanes, vector, threads in _sizes(view.extents[column], VECTOR_BYTES // size, sums):
        groups = _groups(threads // lanes, vector * sums)
        strips = Strips(along, column, copies, lanes, vector, groups)
        shared = groups * sums * strips.width * total
        if threads > limits.threads or shared > limits.shared_bytes:
            continue
        if 1 < groups <= view.extents[along]:
            yield (
                strips,
                Stream(
                    blocks=batch * view.extents[column] // strips.width,
                    block_bytes=terms * strips.width * read,
                    threads=lanes * groups,
                    thread_bytes=min(_MOST_LOADED_BYTES, vector * read * _MOST_LOADS),
                    result_bytes=batch * view.extents[column] * sums * total,
                    combined=groups,
                    segment_bytes=strips.width * size,
                ),
            )


def _sizes(columns: int, most: int, sums: int) -> Iterator[tuple[int, int, int]]:
    """Yield choices of (threads along the columns, columns of a thread, threads of a block).

    most: the largest number of columns of a thread.  sums: the accumulators of a thread for each
    column.
    """
    vectors = [n for n in (*LANE_COUNTS, 1) if n == 1 or (n <= most and n * sums <= _MOST_SUMS)]
    for vector in vectors:
        for lanes in _widths(columns, vector):
            for threads in _THREADS:
                yield lanes, vector, threads


def _groups(most: int, sums: int) -> int:
    """Return how many groups of threads add up the partial sums of a block.

    most: the largest number of groups.
    sums: the number of sums, which are divided among the groups. The result divides ``sums``, or is
    at least ``sums``, so that each sum has a group of its own. Without such a number, one group
    adds up all sums.
    """
    return next((n for n in range(most, 1, -1) if n >= sums or sums % n == 0), 1)


def _widths(columns: int, vector: int) -> list[int]:
    """Return the numbers of threads along a row that divide its vectors evenly, largest first.

    vector: the columns of a vector.  Empty if vectors do not divide the columns.
    """
    vectors, rest = divmod(columns, vector)
    least = min(_LEAST_LANES, vectors)
    return [] if rest else [n for n in range(_MOST_LANES, least - 1, -1) if vectors % n == 0]


# ---- the schedule


def plan_strips(script: Script, view: ComputeView, strips: Strips, limits: GpuLimits) -> None:
    """Write the steps of the schedule of sums along columns."""
    made, column = _Loops.of(view), strips.column
    sums, final = script.rfactor(
        script.match(view.name), strips.along, strips.groups, (made.turn, made.group)
    )
    final = _combine(script, final, view, strips, made, limits)
    sums, final = script.compute_at(sums, final, made.strip)
    outer = [a for a in sliceable_axes(view) if a not in (column, *strips.copies)]
    rest = [a for a in view.reduced_axes() if a != strips.along]
    sums = script.split(sums, column, strips.vector, (made.lane, made.near))
    order = [made.group, *outer, made.lane, made.turn, *rest, *strips.copies, made.near]
    sums = script.reorder(sums, order)
    sums = script.bind(sums, {made.group: "threadIdx.y", made.lane: "threadIdx.x"})
    for axis in strips.copies:
        sums = script.unroll(sums, axis)
    if strips.vector > 1:
        sums = script.vectorize(sums, made.near, strips.vector)
    for out in range(len(view.outputs)):
        sums = script.share(sums, out)


@dataclass(frozen=True)
class _Loops:
    """The names of the loops that a schedule of strips makes.

    Loops over partial sums.
    turn: the steps of a thread along the reduction.
    group: the groups of threads along the reduction.
    lane: the threads along the columns.
    near: the adjacent columns of a thread.

    Loops over results.
    strip: the strips of columns, one per block.
    cell: the columns of a strip.
    row: the rows and adjacent columns of a thread, fused.
    again, y: the two parts of that loop if it is longer than the number of groups.
    batch: all other axes, fused.
    """

    turn: str
    group: str
    strip: str
    cell: str
    lane: str
    near: str
    batch: str
    again: str
    row: str
    y: str

    @staticmethod
    def of(view: ComputeView) -> _Loops:
        names = Names(view.axes)
        return _Loops(*(names.fresh(name) for name in _Loops.__dataclass_fields__))


def _combine(
    script: Script,
    final: SSAValue,
    view: ComputeView,
    strips: Strips,
    made: _Loops,
    limits: GpuLimits,
) -> SSAValue:
    """Divide the results of a strip among the threads of its block, and bind the grid.

    final: the compute that adds the sums of the groups; the handle after the steps is returned.
    made: the names of new loops.
    """
    column, copies = strips.column, list(strips.copies)
    outer = [a for a in sliceable_axes(view) if a not in (column, *copies)]
    final = script.split(final, column, strips.width, (made.strip, made.cell))
    final = script.reorder(final, [*outer, made.strip, *copies, made.cell, made.group])
    lane, rows = made.cell, copies
    if strips.vector > 1:
        final = script.split(final, made.cell, strips.lanes, (made.near, made.lane))
        lane, rows = made.lane, [*copies, made.near]
    threads = {lane: "threadIdx.x"}
    if rows:
        final = script.fuse(final, rows, made.row) if len(rows) > 1 else final
        row = made.row if len(rows) > 1 else rows[0]
        count = strips.vector * prod(view.extents[a] for a in copies)
        if count > strips.groups:
            final = script.split(final, row, strips.groups, (made.again, made.y))
            row = made.y
        threads |= {row: "threadIdx.y"}
    loops = [made.strip]
    if outer:
        loops.insert(0, made.batch if len(outer) > 1 else outer[0])
        final = script.fuse(final, outer, made.batch) if len(outer) > 1 else final
    counts = [view.extents[column] // strips.width, prod(view.extents[a] for a in outer)]
    grid = grid_of(loops[::-1], counts[: len(loops)], limits)
    return script.bind(final, {**grid, **threads})
