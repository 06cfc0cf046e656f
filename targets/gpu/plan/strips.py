"""Sums along columns: a block per strip of adjacent columns, its warps along the sum.

In: the view of a compute.  Out: the steps of its schedule; None for any other compute.

    Y[j] = sum X[k, j]                 sums of columns
    Y[m, j] = sum A[m, k] * B[k, j]    few rows times a matrix whose rows are contiguous

A block has ``lanes`` x ``groups`` threads.  A thread loads ``vector`` adjacent columns at once, up
to 16 bytes, of every ``groups``-th element of the sum, and keeps the sums of its columns in
registers.  Then the block adds the sums of its groups in their order, from shared memory.  Rows
that share the columns' elements (m) are computed by the same thread, which loads each element of
the matrix once, as long as its sums stay in registers; more rows are divided among blocks.  A
compute may have several sums (gpu-join-sums), and any combiner, such as that of ArgMax.  The rule
applies if one thread per result (thread_per_point.py) would not fill the GPU.  The sizes and the
number of parts have the least time of the model in streams.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from xdsl.ir import SSAValue

from ....dialects.dtypes import storage_bytes
from ....dialects.simt import WARP
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

_MOST_SUMS = 16
"""The most sums of a thread: half of its registers, if a multiprocessor has its most threads.  More
registers leave too few threads, and so too few loads in flight: a product of 8 x 4096 x 14336 in
f16 takes 135 us with 64 sums of a thread on an H100, 75 us with 32, and 69 us with 16.  The loop
over more rows is not unrolled, so their sums would be in shared memory."""

_MOST_LOADS, _MOST_LOADED_BYTES = 16, 128
"""The most loads, and the most bytes, that a thread has in flight: the assembler unrolls the loop
over the sum, and half of the registers hold loaded elements."""


@dataclass(frozen=True)
class Strips:
    """The axes of sums along columns, and how threads share them.

    along: the reduction axis, which groups of threads share.
    column: the axis of the columns.
    copies: the axes of the rows whose sums one thread computes, and how many rows along each.
    lanes: the threads of a block along the columns.
    vector: the adjacent columns of a thread.
    groups: the threads of a block along the reduction axis.
    parts: the number of parts into which the sum is divided; a second launch adds them if there are
    several.
    seconds: the modelled time.
    group_stride: the distance between the sums of two groups in shared memory, in elements.
    """

    along: str
    column: str
    copies: Mapping[str, int]
    lanes: int
    vector: int
    groups: int
    parts: int = 1
    seconds: float = 0
    group_stride: int = 0

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
    if any(each.init is None for each in view.outputs):
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
    results = prod(view.extents[a] for a in sliceable_axes(view))
    if results >= numbers.multiprocessors * numbers.threads:
        return None
    found = [
        choice
        for copies in _copies(view, streams)
        for choice in _choices(view, streams, along, column, copies, limits, numbers)
    ]
    if not found:
        return None
    timed = [
        (stream.seconds(numbers, parts), -strips.width, n, strips, parts)
        for n, (strips, stream) in enumerate(found)
        for parts in ([1] if is_whole else parts_of(view.extents[along], _LEAST_TERMS, _MOST_PARTS))
    ]
    seconds, *_, best, parts = min(timed, key=lambda each: each[:3])
    size, results = _bytes_of_sums(view), len(view.outputs)
    banks = numbers.shared_read_bytes // size
    most = limits.shared_bytes // (best.groups * results * size)
    strides = [n for n in _strides(best) if n <= most]
    stride = min(strides, key=lambda n: (_most_in_bank(best, n, banks), n))
    return replace(best, parts=parts, seconds=seconds, group_stride=stride)


def _strides(strips: Strips) -> list[int]:
    """Return the possible distances between the sums of two groups: without and with padding.

    Padding adds at most as many sums as there are.
    """
    rows, *others = [*strips.copies.values(), 1]
    return [(rows + added) * prod(others) * strips.width for added in range(rows)]


def _most_in_bank(strips: Strips, stride: int, banks: int) -> int:
    """Return how many elements of one bank a warp stores at once, if it stores a row of sums."""
    threads = (divmod(thread, strips.lanes) for thread in range(WARP // strips.vector))
    starts = (group * stride + lane * strips.vector for group, lane in threads)
    stored = Counter((start + n) % banks for start in starts for n in range(strips.vector))
    return max(stored.values())


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


def _copies(view: ComputeView, streams: Sequence[Access]) -> Iterator[Mapping[str, int]]:
    """Yield the choices of rows whose sums a thread computes, by axis, the most rows first.

    streams: the operands whose elements the rows share.
    """
    shared = {axis for access in streams for axis in access.axes()}
    axes = [a for a in sliceable_axes(view) if view.extents[a] > 1 and a not in shared]
    before, most = None, _MOST_SUMS // len(view.outputs)
    while most:
        copies: dict[str, int] = {}
        for axis in reversed(axes):
            left, rows = most // prod(copies.values()), view.extents[axis]
            copies[axis] = next(n for n in range(left, 0, -1) if rows % n == 0)
            if copies[axis] < rows:
                break
        if copies != before:
            yield {axis: rows for axis, rows in reversed(copies.items()) if rows > 1}
        before, most = copies, most // 2


def _sums(view: ComputeView, copies: Mapping[str, int]) -> int:
    """Return how many sums a thread has for each column."""
    return len(view.outputs) * prod(copies.values())


def _bytes_of_sums(view: ComputeView) -> int:
    return max(storage_bytes(accumulator_type(out)) for out in view.outputs)


def _outer(view: ComputeView, column: str, copies: Mapping[str, int]) -> list[str]:
    """Return the axes of which a block computes one position, or one part of the rows."""
    whole = {column, *(axis for axis, rows in copies.items() if rows == view.extents[axis])}
    return [axis for axis in sliceable_axes(view) if axis not in whole]


def _choices(
    view: ComputeView,
    streams: Sequence[Access],
    along: str,
    column: str,
    copies: Mapping[str, int],
    limits: GpuLimits,
    numbers: GpuNumbers,
) -> Iterator[tuple[Strips, Stream]]:
    size = max(storage_bytes(a.element_type) for a in streams)
    sums, total = _sums(view, copies), _bytes_of_sums(view)
    results = len(view.outputs) * prod(view.extents[a] for a in sliceable_axes(view))
    batch, terms = (
        results // sums // view.extents[column],
        prod(view.extents[a] for a in view.reduced_axes()),
    )
    read = sum(storage_bytes(a.element_type) for a in streams)
    others = [a for a in view.inputs if a not in streams and along in a.axes()]
    lines = sum(prod(n for axis, n in copies.items() if axis in a.axes()) for a in others)
    for lanes, vector, threads in _sizes(view.extents[column], VECTOR_BYTES // size, sums):
        groups = _groups(threads // lanes, vector * sums)
        strips = Strips(along, column, copies, lanes, vector, groups)
        shared = groups * sums * strips.width * total
        loads = lines + WARP * vector * read / numbers.shared_read_bytes
        clocks = max(loads, WARP * vector * sums / numbers.lanes)
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
                    result_bytes=results * total,
                    busy_clocks=-(-lanes * groups // WARP) * terms / groups * clocks,
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
    dims = [axis for axis in view.axes if axis in view.outputs[0].axes()]
    inner = [0, *(1 + dims.index(axis) for axis in (*strips.copies, column))]
    for out in range(len(view.outputs)):
        final = script.store_innermost(final, out, 1 + len(dims), *inner)
    final = _combine(script, final, view, strips, made, limits)
    sums, final = script.compute_at(sums, final, made.strip)
    outer = _outer(view, column, strips.copies)
    rest = [a for a in view.reduced_axes() if a != strips.along]
    sums = script.split(sums, column, strips.vector, (made.lane, made.near))
    outer = [axis for axis in outer if axis not in strips.copies]
    order = [made.group, *outer, made.lane, made.turn, *rest, *strips.copies, made.near]
    sums = script.reorder(sums, order)
    sums = script.bind(sums, {made.group: "threadIdx.y", made.lane: "threadIdx.x"})
    for axis in strips.copies:
        sums = script.unroll(sums, axis)
    # Sums are in registers only if all loops inside of the sum are unrolled or vectors.
    if strips.vector > 1:
        sums = script.vectorize(sums, made.near, strips.vector)
    else:
        sums = script.unroll(sums, made.near)
    for out in range(len(view.outputs)):
        sums = script.share(sums, out)
        if strips.copies:
            sums = script.storage_align(sums, made.group, strips.group_stride, out=out)


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
    blocks, own: the parts of the rows, one per block, and the rows of a part.
    batch: all other axes, fused.
    """

    turn: str
    group: str
    strip: str
    cell: str
    lane: str
    near: str
    blocks: str
    own: str
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
    outer = _outer(view, column, strips.copies)
    for axis in {*outer} & {*copies}:
        final = script.split(final, axis, strips.copies[axis], (made.blocks, made.own))
        outer[outer.index(axis)], copies[copies.index(axis)] = made.blocks, made.own
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
        count = strips.vector * prod(strips.copies.values())
        if count > strips.groups:
            final = script.split(final, row, strips.groups, (made.again, made.y))
            row = made.y
        threads |= {row: "threadIdx.y"}
    loops = [made.strip]
    if outer:
        loops.insert(0, made.batch if len(outer) > 1 else outer[0])
        final = script.fuse(final, outer, made.batch) if len(outer) > 1 else final
    columns, rows_of_thread = view.extents[column] // strips.width, prod(strips.copies.values())
    results = prod(view.extents[a] for a in sliceable_axes(view))
    counts = [columns, results // view.extents[column] // rows_of_thread]
    grid = grid_of(loops[::-1], counts[: len(loops)], limits)
    return script.bind(final, {**grid, **threads})
