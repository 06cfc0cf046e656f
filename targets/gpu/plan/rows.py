"""Reductions of rows, softmax and normalizations: the threads of a warp or block share a row.

In: the computes of a kernel.  Out: its schedule with a warp or block per row; None without such
rows.

    most[i] = max X[i, k]    total[i] = sum exp(X[i, k] - most[i])    Y[i, j] = X[i, j] .. total[i]

Thread t of n reduces the elements t, t + n, t + 2 * n, .. of a row, so adjacent threads read
adjacent elements.  A vector of 32 partial results is then reduced in the order of its lanes: by
shuffles of a warp, or from shared memory where the target has no shuffles, with the same bits.  The
order of a sum depends on the length of the row alone.  Values that a kernel computes from one
element are computed again where they are read, because reading a row again is cheaper than storing
it.  Where all accesses allow it, an element of this rule is a vector of up to 16 bytes
(vectors.py): a thread reduces its vectors to a vector, and then that vector to a value.  A row
consists of whole vectors.  In a row of up to 512 elements, no thread has more than 5 / 4 of the
elements that it has without vectors.  A row of up to 512 elements has one warp, 16 loads per
thread, and needs neither shared memory nor a barrier.  Up to four such rows share a block, if they
divide the number of rows: a multiprocessor holds twice as many warps as blocks.  A longer row has a
block of 4 or 8 warps, which exchange one value each in shared memory.  Reductions with another
combiner, such as ArgMax, have one row per block: each thread combines the lanes of its vector, a
few threads combine the results of all threads in shared memory, and then one thread theirs.

A warp per row pays if the row has at least 32 elements and no other row reads it: matrix products
read rows many times.  If adjacent elements belong to adjacent results, threads of
thread_per_point.py read them together already; then a warp per row pays only for few results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import gcd, prod
from typing import TypeAlias

from xdsl.ir import SSAValue

from ....dialects.loop import AllocOp
from ....dialects.shape import Dim, Extent
from ....dialects.simt import WARP
from ....dialects.te import Access, ComputeView
from ....machines.gpu import VECTOR_ACCESS, GpuLimits
from ....machines.gpu_limits import gpu_limits
from ....machines.target import Target
from ....passes.schedule.engine.axes import is_pointwise, sliceable_axes
from ....support.affine import ZERO
from ....support.names import Names
from .script import Script
from .thread_per_point import (
    GRID,
    LEAST_THREADS,
    fused_runs,
    grid_of,
    runs_of,
    with_blocks,
)
from .vectors import aligned_lanes

LEAST_ROW = WARP
"""The fewest elements of a row: one per thread of a warp."""

FEW_RESULTS = 1024
"""Fewer results than this, with a thread for each, leave most of a GPU idle."""

_DYNAMIC_THREADS = 128
_MOST_TURNS, _WARPS, _MOST_LANES = 16, 4, 16
"""The most elements of a row that one thread of a warp reads; and the warps of a block whose warps
each reduce a row: one warp for each scheduler of a multiprocessor."""

_MOST_KEPT = 4
"""The most vectors of a row that a thread keeps in registers between the passes over the row: the
unrolled last pass lets LLVM use their loaded and computed values again."""

ThreadsOf: TypeAlias = Callable[[Extent, int, GpuLimits], int]
"""Returns the threads per row for its length, the elements of a vector, and the limits."""

_TREES = ("add", "mul", "max", "min", "maxnum", "and", "or", "xor")
"""The combiners that loop.reduce supports."""


@dataclass(frozen=True)
class Rows:
    """The rows that a kernel reduces, and how threads share them.

    inlined: the names of elementwise computes whose values are computed where they are read.
    reductions: the other computes except the last, in order, each with the axes that select the
    row.
    last: the compute that writes the results, with the axes that select the row.
    threads: threads per row.
    lanes: the elements of a vector that a thread reads at once.
    together: (index into these axes, number of rows) if a block has several rows, which are
    adjacent along that axis; None if a block has one row.
    in_warps: whether a tree over the lanes of a warp can reduce the partial results.
    """

    inlined: Sequence[str]
    reductions: Sequence[tuple[ComputeView, Sequence[str]]]
    last: tuple[ComputeView, Sequence[str]]
    threads: int
    lanes: int
    together: tuple[int, int] | None
    in_warps: bool

    @property
    def names(self) -> set[str]:
        """The names of the computes."""
        return {*self.inlined, *(view.name for view, _ in (*self.reductions, self.last))}


def rows_of(views: Sequence[ComputeView], target: Target) -> Rows | None:
    """Return how threads share the rows that some computes reduce.

    None if the computes do not share rows, or if a warp or block per row would not pay.
    """
    limits, vectors = gpu_limits(target), target.has(VECTOR_ACCESS)
    reducing = [view for view in views if view.reduced_axes()]
    if not reducing or any(view.scan is not None for view in views):
        return None
    if not all(_is_reduction(view) or is_pointwise(view) for view in views):
        return None
    *before, last = views
    rows = _rows_by_compute(views)
    inlined = [view for view in before if view not in reducing]
    if rows is None or not all(map(_is_worth_a_block, reducing)):
        return None
    if not all(map(_is_local, _outputs(before))):
        return None
    if not all(_is_inlinable(view, views) for view in inlined):
        return None
    if any(_has_columns(view, rows[view.name]) for view in reducing):
        return None
    if len(runs_of([last], rows[last.name])) > len(GRID):
        return None
    reductions = [(view, rows[view.name]) for view in reducing if view is not last]
    in_warps = all(map(_is_tree, reducing)) and limits.threads >= WARP
    threads_of = _warp_threads if in_warps else _block_threads
    lanes = _lanes(views, inlined, rows[last.name], threads_of, limits) if vectors else 1
    threads = max(threads_of(view.axes[_shared_axis(view)], lanes, limits) for view in reducing)
    is_warp = in_warps and threads == WARP
    return Rows(
        [v.name for v in inlined],
        reductions,
        (last, rows[last.name]),
        threads,
        lanes,
        _together(last, rows[last.name], limits) if is_warp else None,
        in_warps,
    )


def _is_reduction(view: ComputeView) -> bool:
    """Return whether all outputs are reduced from an initial value, over the same axes."""
    axes = {frozenset(out.axes()) for out in view.outputs}
    starts = all(out.reduces and out.init is not None for out in view.outputs)
    return bool(view.reduced_axes()) and starts and len(axes) == 1


def _has_columns(view: ComputeView, rows: Sequence[str]) -> bool:
    """Return whether a reduction has several results per row."""
    return _points(view, set(sliceable_axes(view)) - set(rows)) != 1


def _is_worth_a_block(view: ComputeView) -> bool:
    """Return whether the rows of a reduction are worth a warp or block."""
    axis = _shared_axis(view)
    length = view.axes[axis]
    if isinstance(length, int) and length < LEAST_ROW:
        return False
    every = {name for name, extent in view.axes.items() if extent != 1}
    whole = [read for read in view.inputs if read.indices and every <= read.axes()]
    if not whole:
        return False
    if any(axis in read.indices[-1].variables() for read in whole if read.indices):
        return True
    results = _points(view, sliceable_axes(view))
    return results is not None and results < FEW_RESULTS


def _shared_axis(view: ComputeView) -> str:
    """Return the reduction axis whose elements are divided among the threads.

    This is the last axis of at least `LEAST_ROW` elements, or the longest axis if all are shorter.
    An axis of symbolic size counts as long enough.
    """
    lengths = {axis: view.axes[axis] for axis in view.reduced_axes()}
    sizes = {axis: n if isinstance(n, int) else LEAST_ROW for axis, n in lengths.items()}
    long = [axis for axis, size in sizes.items() if size >= LEAST_ROW]
    return long[-1] if long else max(sizes, key=lambda axis: sizes[axis])


def _points(view: ComputeView, axes: Sequence[str] | set[str]) -> int | None:
    extents = [view.axes[axis] for axis in axes]
    sizes = [extent for extent in extents if isinstance(extent, int)]
    return prod(sizes) if len(sizes) == len(extents) else None


def _block_threads(length: Extent, lanes: int, limits: GpuLimits) -> int:
    """Return the threads per row where a block combines partial results in shared memory.

    length: the elements of the row.  lanes: the elements of a vector that a thread reads at once.
    """
    if isinstance(length, Dim):
        return min(_DYNAMIC_THREADS, limits.threads)
    least = max(4, lanes)
    threads = next((n for n in (256, 128) if length >= least * n), LEAST_THREADS)
    return min(threads, limits.threads)


def _is_tree(view: ComputeView) -> bool:
    """Return whether loop.reduce can combine partial results of all outputs, as for add and max."""
    return all(out.combiner in _TREES for out in view.outputs)


def _lanes(
    views: Sequence[ComputeView],
    inlined: Sequence[ComputeView],
    rows: Sequence[str],
    threads_of: ThreadsOf,
    limits: GpuLimits,
) -> int:
    """Return the elements of the vectors that the threads of a row access; 1 for single elements.

    views: the computes that share rows.
    inlined: those of them that are computed where they are read, so that no thread accesses their
    results.
    rows: the axes of the rows of the last compute. A row consists of whole vectors.
    threads_of: returns the threads per row.
    """
    most, lengths, last = _MOST_LANES, list[int](), views[-1]
    skipped = {out.value for view in inlined for out in view.outputs}
    for view in views:
        axis = _vector_axis(view, rows if view is last else ())
        if axis is None or not isinstance(view.axes[axis], int):
            return 1
        lengths.append(view.extents[axis])
        for access in view.accesses():
            if access.value not in skipped:
                most = gcd(most, aligned_lanes(view, access, axis))
    counts = (most >> n for n in range(most.bit_length()))  # ``most`` is a power of 2
    return next(
        (n for n in counts if all(_has_lanes(n, each, threads_of, limits) for each in lengths)), 1
    )


def _has_lanes(count: int, length: int, threads_of: ThreadsOf, limits: GpuLimits) -> bool:
    """Return whether threads access a row by vectors of ``count`` elements.

    In a short row, no thread has more than 5 / 4 of the elements that it has without vectors.  The
    last turn of the threads must not be a single vector, whose loop would have no threads.
    length: the elements of the row.  threads_of: returns the threads per row.
    """
    turn = count * threads_of(length, count, limits)
    if length % count or length % turn == count:
        return False
    is_short = length <= _MOST_TURNS * WARP
    return not is_short or 4 * count * -(-length // turn) <= 5 * -(-length // WARP)


def _vector_axis(view: ComputeView, rows: Sequence[str]) -> str | None:
    """Return the axis along which the threads of a row access vectors; None for no such axis."""
    if view.reduced_axes():
        return _shared_axis(view)
    columns = [axis for axis in view.axes if axis not in rows]
    return columns[-1] if columns else None


def _warp_threads(length: Extent, lanes: int, limits: GpuLimits) -> int:
    """Return the threads per row in whole warps, a power of 2.

    length: the elements of the row.
    """
    most = 1 << (limits.threads.bit_length() - 1)
    if isinstance(length, Dim):
        return min(_DYNAMIC_THREADS, most)
    wanted = next((n for n in (WARP, 128) if length <= _MOST_TURNS * n), 256)
    if lanes > 1 and length < wanted * lanes:
        wanted = WARP
    return min(wanted, most)


def _together(last: ComputeView, axes: Sequence[str], limits: GpuLimits) -> tuple[int, int] | None:
    """Choose whether a block has several rows, which are adjacent along one axis.

    last: the compute that writes the results.
    axes: its axes that select the row.
    Returns the position of the axis in ``axes``, and the number of rows; None for one row per
    block.
    """
    for position, axis in reversed(list(enumerate(axes))):
        extent = last.axes[axis]
        if extent != 1:
            count = gcd(extent, _WARPS) if isinstance(extent, int) else 1
            return (position, count) if 1 < count <= limits.threads // WARP else None
    return None


def _outputs(views: Sequence[ComputeView]) -> list[Access]:
    return [out for view in views for out in view.outputs]


def _is_local(out: Access) -> bool:
    """Return whether an output is a buffer that the kernel allocates, not a kernel result."""
    return out.value is not None and isinstance(out.value.owner, AllocOp)


def _is_inlinable(view: ComputeView, views: Sequence[ComputeView]) -> bool:
    """Return whether all readers of an elementwise compute can compute its values themselves."""
    (out,) = view.outputs
    reads = [read for each in views for read in each.reads if read.value is out.value]
    plain = all(isinstance(index.variable(), str) for index in out.indices or ())
    return (
        plain
        and bool(reads)
        and all(read.indices is not None and read.pad is None for read in reads)
    )


def _rows_by_compute(views: Sequence[ComputeView]) -> dict[str, Sequence[str]] | None:
    """Return the axes of each compute that select the row; None if the computes do not agree.

    These axes index the leading dimensions of each local buffer, in every compute that accesses it.
    A kernel of one compute has no such buffers; its independent axes select the row.
    """
    last = views[-1]
    if len(views) == 1:
        return {last.name: sliceable_axes(last)}
    buffers = {out.value for out in _outputs(views[:-1])}
    found: dict[str, list[list[str | None]]] = {}
    for view in views:
        for access in view.accesses():
            if access.value in buffers:
                found.setdefault(view.name, []).append(_leading_axes(view, access))
    if len(found) < len(views):
        return None
    rank = min(len(axes) for each in found.values() for axes in each)
    rows = {
        name: {tuple(axis for axis in axes[:rank] if axis is not None) for axes in each}
        for name, each in found.items()
    }
    chosen = {name: next(iter(each)) for name, each in rows.items()}
    extents = {_extents(view, chosen[view.name]) for view in views}
    is_same = all(len(each) == 1 for each in rows.values()) and len(extents) == 1
    return {name: list(axes) for name, axes in chosen.items()} if is_same else None


def _extents(view: ComputeView, axes: Sequence[str]) -> tuple[Extent, ...]:
    return tuple(view.axes[axis] for axis in axes)


def _leading_axes(view: ComputeView, access: Access) -> list[str | None]:
    """Return the independent axes that index the first dimensions of a buffer, in order.

    The entry of a dimension of size 1 is None, because this dimension selects no row.
    """
    found: list[str | None] = []
    independent = sliceable_axes(view)
    for index in access.indices or ():
        axis = index.variable()
        if index == ZERO or (isinstance(axis, str) and view.axes[axis] == 1):
            found.append(None)
            continue
        if not isinstance(axis, str) or axis not in independent or axis in found:
            break
        found.append(axis)
    return found


# ---- the schedule


def plan_rows(script: Script, rows: Rows, limits: GpuLimits) -> None:
    """Write the steps of the schedule of computes that share rows."""
    for name in rows.inlined:
        script.inline(name)
    last, axes = rows.last
    handle = script.match(last.name)
    parts: list[_Part] = []
    if last.reduced_axes():
        handle, parts = _reduce(script, handle, last, rows)
    handle, row = _bind_rows(script, handle, rows, limits)
    for part in reversed(parts):
        made, handle = _move(script, part.handle, handle, row)
        _arrange(script, replace(part, handle=made), last, axes, rows)
    for view, own in reversed(rows.reductions):
        reduction, handle = _move(script, script.match(view.name), handle, row)
        final, parts = _reduce(script, reduction, view, rows)
        for part in parts:
            _arrange(script, part, view, own, rows)
        if (shared := _row_axis(rows, own)) is not None:
            final = script.bind(final, {shared: "threadIdx.y"})
        _share(script, final, view)


def _move(
    script: Script, producer: SSAValue, consumer: SSAValue, row: str | None
) -> tuple[SSAValue, SSAValue]:
    """Move a producer into the consumer's loop over the rows of a block; return both handles.

    row: the name of the loop; None if there is no such loop, and nothing moves.
    """
    return (producer, consumer) if row is None else script.compute_at(producer, consumer, row)


def _row_axis(rows: Rows, axes: Sequence[str]) -> str | None:
    return None if rows.together is None else axes[rows.together[0]]


@dataclass(frozen=True)
class _Part:
    """A compute of partial results of a reduction.

    handle: the compute.
    lane: the loop over the partial results, which is bound to threads.
    inner: the loops inside a thread.
    lanes: the number of partial results that a thread computes as a vector.
    guarded: the name of the loop around the threads, if the number of partial results is known only
    at run time; else empty.
    """

    handle: SSAValue
    lane: str
    inner: tuple[str, ...]
    lanes: int = 1
    guarded: str = ""


def _arrange(
    script: Script, part: _Part, view: ComputeView, axes: Sequence[str], rows: Rows
) -> None:
    """Bind the loops of a partial reduction to threads; store single results in shared memory.

    part: the partial reduction.
    view: the original reduction.
    axes: its axes that select the row.
    """
    handle, lanes, vector = part.handle, [part.lane], list[str]()
    if part.lanes > 1:
        names = Names([*view.axes, part.lane, *part.inner])
        lanes, vector = [names.fresh("thread")], [names.fresh("vector")]
        handle = script.split(handle, part.lane, part.lanes, (lanes[0], vector[0]))
        handle = script.vectorize(handle, vector[0], part.lanes)
    if part.guarded:
        inner = Names([*view.axes, part.lane, part.guarded, *part.inner]).fresh("thread")
        handle = script.split(handle, part.lane, rows.threads, (part.guarded, inner), guard=True)
        lanes = [part.guarded, inner]
    row = _row_axis(rows, axes)
    order = [*([] if row is None else [row]), *lanes, *part.inner, *vector]
    if len(order) > 1:
        handle = script.reorder(handle, order)
    if row is not None:
        handle = script.bind(handle, {row: "threadIdx.y"})
    handle = script.bind(handle, {lanes[-1]: "threadIdx.x"})
    if not vector:
        _share(script, handle, view)


def _reduce(
    script: Script, handle: SSAValue, view: ComputeView, rows: Rows
) -> tuple[SSAValue, list[_Part]]:
    """Divide a reduction among threads; return the final reduction, then the partial ones."""
    axis, names, threads = _shared_axis(view), Names(view.axes), rows.threads
    turn, lane, outer, inner, block = (
        names.fresh(n) for n in ("turn", "lane", "again", "few", "part")
    )
    rest = [each for each in view.reduced_axes() if each != axis]
    guarded = block if isinstance(view.axes[axis], Dim) else ""
    if rows.lanes > 1:
        spot, element = names.fresh("spot"), names.fresh("element")
        partial, final = script.rfactor(handle, axis, threads * rows.lanes, (turn, spot))
        own, final = script.rfactor(final, spot, rows.lanes, (lane, element), part="outer")
        own = script.vectorize(own, element, rows.lanes)
        parts = [_Part(partial, spot, (*rest, turn), rows.lanes), _Part(own, lane, ())]
    else:
        partial, final = script.rfactor(handle, axis, threads, (turn, lane))
        parts = [_Part(partial, lane, (*rest, turn), guarded=guarded)]
    if not rows.in_warps:
        second, final = script.rfactor(final, lane, _finishing(threads), (outer, inner))
        return final, [*parts, _Part(second, inner, (outer,))]
    if threads > WARP:
        second, final = script.rfactor(final, lane, WARP, (outer, inner), part="outer")
        second = script.vectorize(second, inner, WARP)
        final = script.vectorize(final, outer, threads // WARP)
        return final, [*parts, _Part(second, outer, ())]
    return script.vectorize(final, lane, threads), parts


def _finishing(threads: int) -> int:
    """Return how many threads of a block combine the partial results of all its threads.

    threads: the number of partial results.  The combining threads divide them; a single thread then
    combines what these threads computed.  About the square root of ``threads`` balances both steps.
    """
    return 1 << (threads.bit_length() // 2)


def _share(script: Script, handle: SSAValue, view: ComputeView) -> SSAValue:
    for out in range(len(view.outputs)):
        handle = script.share(handle, out)
    return handle


def _bind_rows(
    script: Script, handle: SSAValue, rows: Rows, limits: GpuLimits
) -> tuple[SSAValue, str | None]:
    """Bind the axes of rows and columns to blocks and threads.

    Return the compute and the innermost loop over blocks; None if no loop is over blocks.
    """
    last, axes = rows.last
    columns = [] if last.reduced_axes() else [axis for axis in last.axes if axis not in axes]
    if not axes:
        return _bind_columns(script, handle, last, columns, rows), None
    blocks, view, row = list(axes), last, None
    if rows.together is not None:
        names = Names([*last.axes, "turn", "thread", "lane", "again", "few", "points"])
        position, count = rows.together
        axis, row = axes[position], names.fresh("row")
        blocks[position] = names.fresh("block")
        handle = script.split(handle, axis, count, (blocks[position], row))
        extents = {blocks[position] if a == axis else a: n for a, n in last.axes.items()}
        extents[blocks[position]] = last.extents[axis] // count
        view = replace(last, axes=extents)
    order = [*blocks, *columns, *([] if row is None else [row])]
    if [axis for axis in view.axes if axis in order] != order:
        handle = script.reorder(handle, order)
    handle, loops = fused_runs(script, handle, view, blocks)
    counts = [_points(view, run) or 0 for run in reversed(runs_of([view], blocks))]
    handle = script.bind(handle, grid_of(loops[::-1], counts, limits))
    return _bind_columns(script, handle, view, columns, rows, loops, row), loops[-1]


def _bind_columns(
    script: Script,
    handle: SSAValue,
    view: ComputeView,
    columns: Sequence[str],
    rows: Rows,
    blocks: Sequence[str] = (),
    row: str | None = None,
) -> SSAValue:
    """Divide the elements of a row among threads; return the compute.

    columns: the axes of the elements.
    blocks: the loops over blocks, which stay outermost.
    row: the loop over the rows of a block; None if a block has one row.
    """
    bound = {} if row is None else {row: "threadIdx.y"}
    if not columns:
        return script.bind(handle, bound)
    vector: list[str] = []
    if rows.lanes > 1:
        names = Names([*view.axes, *blocks, *bound])
        vectors, vector = names.fresh("vectors"), [names.fresh("vector")]
        handle = script.split(handle, columns[-1], rows.lanes, (vectors, vector[0]))
        handle = script.vectorize(handle, vector[0], rows.lanes)
        view = with_blocks(view, columns[-1], vectors, rows.lanes)
        columns = [*columns[:-1], vectors]
    last = runs_of([view], columns)[-1]
    handle, loops = fused_runs(script, handle, view, columns, [*blocks, *bound, *vector])
    names = Names([*view.axes, *loops, *blocks, *bound, *vector])
    turn, thread = names.fresh("turn"), names.fresh("thread")
    handle = script.split(handle, loops[-1], rows.threads, (turn, thread), guard=True)
    if bound or vector:
        handle = script.reorder(handle, [*loops[:-1], turn, *bound, thread, *vector])
    count = _points(view, last)
    if vector and count is not None and count <= _MOST_KEPT * rows.threads:
        handle = script.unroll(handle, turn)
    return script.bind(handle, {**bound, thread: "threadIdx.x"})
