"""Reductions of rows, softmax and normalizations: all threads of a block share a row.

In: the computes of a kernel.  Out: its schedule with one block per row, None without such rows.

    most[i] = max X[i, k]    total[i] = sum exp(X[i, k] - most[i])    Y[i, j] = X[i, j] .. total[i]

G5  Thread t of n reduces the elements t, t + n, t + 2 * n, .. of a row, so neighboring threads read
    neighboring elements; then a few threads combine the partial results in shared memory, at last
    one thread.  The order of a sum follows from the length of the row alone.  What a kernel
    computes from one element is computed again where it is read: reading a row again is cheaper
    than to keep it.
G6  A row is worth a block if it has at least 64 elements and nothing else reads it: products read
    rows many times.  If neighboring elements belong to neighboring results, threads of G1 read
    them together already, so few results only are worth a block each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue

from ....dialects.dtypes import buffer_bytes
from ....dialects.loop import AllocOp
from ....dialects.shape import Dim, Extent, symbols_of
from ....dialects.te import Access, ComputeView
from ....passes.schedule.engine.axes import is_pointwise, sliceable_axes
from ....support.gpu_limits import GpuLimits
from ....support.names import Names
from .script import Script
from .spread import GRID, fused_runs, grid_of, runs_of

LEAST_ROW = 64
"""The fewest elements of a row: two per thread of a warp."""

FEW_RESULTS = 1024
"""Results that a few blocks of one thread per result compute, which leave most of a GPU idle."""

_OPEN_THREADS = 128
_MOST_OWN_BYTES = 4096
"""The largest buffer of unused results, such as the maxima of ArgMax, that a block has."""


@dataclass(frozen=True)
class Rows:
    """The rows of a kernel.

    inlined: computes whose readers compute their values.  reductions: the others but the last one,
    in order, each with its rows.  last: the compute that writes the results, with its rows.
    threads: their number per block.
    """

    inlined: Sequence[str]
    reductions: Sequence[tuple[ComputeView, Sequence[str]]]
    last: tuple[ComputeView, Sequence[str]]
    threads: int


def rows_of(views: Sequence[ComputeView], limits: GpuLimits) -> Rows | None:
    """Return the rows that a kernel reduces, None if it has no rows worth a block."""
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
    if not all(_is_small(out, last) for out in last.outputs):
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
    threads = min(max(map(_threads, reducing)), limits.threads)
    return Rows([v.name for v in inlined], reductions, (last, rows[last.name]), threads)


def _is_reduction(view: ComputeView) -> bool:
    """Return whether all outputs are reduced from their start, over the same axes."""
    axes = {frozenset(out.axes()) for out in view.outputs}
    starts = all(out.reduces and out.init is not None for out in view.outputs)
    return bool(view.reduced_axes()) and starts and len(axes) == 1


def _has_columns(view: ComputeView, rows: Sequence[str]) -> bool:
    """Return whether a reduction has several results per row."""
    return _points(view, set(sliceable_axes(view)) - set(rows)) != 1


def _is_worth_a_block(view: ComputeView) -> bool:
    """Decide G6 for a reduction."""
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
    """Return the reduced axis whose elements the threads share: the last long one, or the longest.

    An axis of an open size counts as long.
    """
    lengths = {axis: view.axes[axis] for axis in view.reduced_axes()}
    sizes = {axis: n if isinstance(n, int) else LEAST_ROW for axis, n in lengths.items()}
    long = [axis for axis, size in sizes.items() if size >= LEAST_ROW]
    return long[-1] if long else max(sizes, key=lambda axis: sizes[axis])


def _points(view: ComputeView, axes: Sequence[str] | set[str]) -> int | None:
    """Return the number of points of axes, None if it is known only at run time."""
    extents = [view.axes[axis] for axis in axes]
    sizes = [extent for extent in extents if isinstance(extent, int)]
    return prod(sizes) if len(sizes) == len(extents) else None


def _threads(view: ComputeView) -> int:
    length = view.axes[_shared_axis(view)]
    if isinstance(length, Dim):
        return _OPEN_THREADS
    return next((n for n in (256, 128) if length >= 4 * n), LEAST_ROW)


def _outputs(views: Sequence[ComputeView]) -> list[Access]:
    return [out for view in views for out in view.outputs]


def _is_local(out: Access) -> bool:
    """Return whether an output is a buffer of the kernel."""
    return out.value is not None and isinstance(out.value.owner, AllocOp)


def _is_small(out: Access, last: ComputeView) -> bool:
    """Return whether an output is a result, or a buffer of which each block may have its own."""
    if not _is_local(out):
        return True
    assert isinstance(out.type, MemRefType), "kernels are in buffer form"
    is_static = bool(last.reduced_axes()) and not symbols_of(out.type)
    return is_static and buffer_bytes(out.type) <= _MOST_OWN_BYTES


def _is_inlinable(view: ComputeView, views: Sequence[ComputeView]) -> bool:
    """Return whether all readers of an elementwise compute can compute its values."""
    (out,) = view.outputs
    reads = [read for each in views for read in each.reads if read.value is out.value]
    plain = all(isinstance(index.variable(), str) for index in out.indices or ())
    return (
        plain
        and bool(reads)
        and all(read.indices is not None and read.pad is None for read in reads)
    )


def _rows_by_compute(views: Sequence[ComputeView]) -> dict[str, Sequence[str]] | None:
    """Return the axes of each compute that select the row: the same dimensions of all buffers.

    A kernel of one compute has no buffers; its independent axes select the row.
    """
    last = views[-1]
    if len(views) == 1:
        return {last.name: sliceable_axes(last)}
    buffers = {out.value for out in _outputs(views[:-1])}
    found: dict[str, list[list[str]]] = {}
    for view in views:
        for access in view.accesses():
            if access.value in buffers:
                found.setdefault(view.name, []).append(_leading_axes(view, access))
    if len(found) < len(views):
        return None
    rank = min(len(axes) for each in found.values() for axes in each)
    rows = {name: {tuple(axes[:rank]) for axes in each} for name, each in found.items()}
    chosen = {name: next(iter(each)) for name, each in rows.items()}
    extents = {_extents(view, chosen[view.name]) for view in views}
    is_same = all(len(each) == 1 for each in rows.values()) and len(extents) == 1
    return {name: list(axes) for name, axes in chosen.items()} if is_same else None


def _extents(view: ComputeView, axes: Sequence[str]) -> tuple[Extent, ...]:
    return tuple(view.axes[axis] for axis in axes)


def _leading_axes(view: ComputeView, access: Access) -> list[str]:
    """Return the independent axes that index the first dimensions of a buffer."""
    found: list[str] = []
    independent = sliceable_axes(view)
    for index in access.indices or ():
        axis = index.variable()
        if not isinstance(axis, str) or axis not in independent or axis in found:
            break
        found.append(axis)
    return found


# ---- the schedule


def plan_rows(script: Script, rows: Rows, limits: GpuLimits) -> None:
    """Write the steps of a kernel of rows."""
    for name in rows.inlined:
        script.inline(name)
    last, axes = rows.last
    handle = script.match(last.name)
    parts: list[SSAValue] = []
    if last.reduced_axes():
        handle, parts = _reduce(script, handle, last, rows.threads)
        for number, out in enumerate(last.outputs):
            handle = script.share(handle, number) if _is_local(out) else handle
    handle, row = _bind_rows(script, handle, rows, limits)
    if not last.reduced_axes():
        columns = [axis for axis in last.axes if axis not in axes]
        handle = _bind_columns(script, handle, last, columns, rows.threads)
    for part in reversed(parts):
        handle = _move(script, part, handle, row)[1]
    for view, _ in reversed(rows.reductions):
        reduction, handle = _move(script, script.match(view.name), handle, row)
        final, _ = _reduce(script, reduction, view, rows.threads)
        _share(script, final, view)


def _move(
    script: Script, producer: SSAValue, consumer: SSAValue, row: str | None
) -> tuple[SSAValue, SSAValue]:
    """Move a producer into the loop over rows, if there are any."""
    return (producer, consumer) if row is None else script.compute_at(producer, consumer, row)


def _reduce(
    script: Script, handle: SSAValue, view: ComputeView, threads: int
) -> tuple[SSAValue, list[SSAValue]]:
    """Divide a reduction among threads; return the final one, and the partial ones in order."""
    axis, names = _shared_axis(view), Names(view.axes)
    turn, lane, again, few, block = (
        names.fresh(n) for n in ("turn", "lane", "again", "few", "part")
    )
    partial, final = script.rfactor(handle, axis, threads, (turn, lane))
    rest = [each for each in view.reduced_axes() if each != axis]
    if isinstance(view.axes[axis], Dim):
        inner = names.fresh("thread")
        partial = script.split(partial, lane, threads, (block, inner), guard=True)
        lanes = [block, inner]
    else:
        lanes = [lane]
    partial = script.reorder(partial, [*lanes, *rest, turn])
    partial = script.bind(partial, {lanes[-1]: "threadIdx.x"})
    partial = _share(script, partial, view)
    second, final = script.rfactor(final, lane, _finishing(threads), (again, few))
    second = script.reorder(second, [few, again])
    second = script.bind(second, {few: "threadIdx.x"})
    return final, [partial, _share(script, second, view)]


def _finishing(threads: int) -> int:
    """Return how many threads combine the partial results: about as many as each of them reads."""
    return 1 << (threads.bit_length() // 2)


def _share(script: Script, handle: SSAValue, view: ComputeView) -> SSAValue:
    for out in range(len(view.outputs)):
        handle = script.share(handle, out)
    return handle


def _bind_rows(
    script: Script, handle: SSAValue, rows: Rows, limits: GpuLimits
) -> tuple[SSAValue, str | None]:
    """Bind the rows to the grid; return the handle and the innermost loop, None without rows."""
    last, axes = rows.last
    if not axes:
        return handle, None
    if list(last.axes)[: len(axes)] != list(axes):
        handle = script.reorder(handle, [*axes, *(a for a in last.axes if a not in axes)])
    handle, loops = fused_runs(script, handle, last, axes)
    reduced = [] if last.reduced_axes() else [a for a in last.axes if a not in axes]
    if len(loops) + len(reduced) > 1:
        handle = script.reorder(handle, [*loops, *reduced])
    counts = [_points(last, run) or 0 for run in reversed(runs_of([last], axes))]
    return script.bind(handle, grid_of(loops[::-1], counts, limits)), loops[-1]


def _bind_columns(
    script: Script, handle: SSAValue, view: ComputeView, columns: Sequence[str], threads: int
) -> SSAValue:
    """Let the threads of the block share the elements of a row."""
    if not columns:
        return handle
    handle, loops = fused_runs(script, handle, view, columns)
    names = Names([*view.axes, *loops])
    turn, thread = names.fresh("turn"), names.fresh("thread")
    handle = script.split(handle, loops[-1], threads, (turn, thread), guard=True)
    return script.bind(handle, {thread: "threadIdx.x"})
