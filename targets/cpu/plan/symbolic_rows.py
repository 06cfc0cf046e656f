"""Schedules of symbolic rows: sums, norms and softmax along symbolic lengths, elementwise rows.

In: the computes of a kernel, and the outer axes that they share.  Out: the steps of their schedule:
all computes for some rows, then for the next rows.  A sum along a symbolic axis has vectors of
partial sums, and runs for several rows together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from xdsl.ir import SSAValue

from ....analysis.patterns.sharing import Sharing
from ....analysis.strides import lane_stride
from ....dialects.shape import Dim, likely
from ....dialects.te import Access, ComputeView
from ....machines.cpu_numbers import task_points
from ....machines.target import Target
from ....passes.rewrite.sections import sections
from .contraction import LIKELY_ROWS
from .one_compute import lanes_of
from .pointwise import (
    column_block,
    plan_leaf,
    reduction_axis,
    row_vector_axis,
    vector_axis,
)
from .reduction_tile import sum_in_blocks
from .script import Script
from .symbolic_tile import is_alone_along, is_linear_along, tile_of

PARTIALS = 8
"""Vectors that sums along an axis accumulate in parallel."""

SWEPT_ROWS = 4
"""Rows of sums along a symbolic axis that run together: a horizontal reduction takes longer than a
short row."""


def plan_rows(
    script: Script, views: Sequence[ComputeView], sharing: Sharing, target: Target
) -> None:
    """Plan computes that share outer axes: all computes for some rows, then for the next rows.

    sharing: the shared axes, and their names in each compute.  If the last shared axis is
    contiguous in all computes, they run in blocks of that axis, with vectors along it; on a
    symbolic axis the last vector overlaps the one before it.
    """
    shared, root = list(sharing.root_axes), views[-1]
    if len(shared) > 1 and not any(view.reduced_axes() for view in views):
        # Elementwise computes: keep the last axis for vectors.
        last = root.parallel_axes()[-1]
        shared = [a for a in shared if a != last or isinstance(root.axes[a], Dim)]
    if not shared:
        _plan_sums(script, views, target)
        return
    lanes = min(lanes_of(view, target) for view in views)
    rows = dict.fromkeys(shared, 1)
    extent, pairs = root.axes[shared[-1]], list(zip(views, sharing.axis_of, strict=True))
    block = column_block(views, sharing, shared[-1], lanes, target)
    if not all(_is_plain_along(view, own[shared[-1]]) for view, own in pairs):
        block = 0
    if block:
        rows[shared[-1]] = block
    elif any(swept_axis(view, lanes) for view in views):
        rows[shared[-1]] = min(SWEPT_ROWS, extent) if isinstance(extent, int) else SWEPT_ROWS
    elif isinstance(extent, int) and extent % lanes == 0 and _has_blocks(pairs, shared[-1], lanes):
        rows[shared[-1]] = lanes
    rest = lanes if block and isinstance(extent, Dim) else 1
    leaves = [script.match(view.name) for view in views]
    leaves[-1], loops = script.tile(leaves[-1], rows, rest=rest if rest > 1 else 0)
    script.fuse_others(leaves, loops[-1])
    points = sum(points_of(view, {own[a] for a in shared}) for view, own in pairs)
    share(script, loops, rows[shared[-1]] * points, target)
    counts = [run.size for run in sections(extent, rows[shared[-1]], rest=rest)]
    for leaf, (view, own) in zip(leaves, pairs, strict=True):
        for left, count in zip(reversed(range(len(counts))), counts, strict=True):
            part = leaf
            if left:
                part, leaf = script.split_handle(leaf, last=left)
            axes = {own[a]: 1 for a in shared} | {own[shared[-1]]: count}
            row = replace(view, axes={**view.axes, **axes})
            _plan_row(script, part, row, lanes, swept_axis(view, lanes), target)


def _plan_sums(script: Script, views: Sequence[ComputeView], target: Target) -> None:
    for view in views:
        lanes = lanes_of(view, target)
        swept = swept_axis(view, lanes)
        if swept is not None:
            _plan_row(script, script.match(view.name), view, lanes, swept, target)


def _has_blocks(
    pairs: Sequence[tuple[ComputeView, dict[str, str]]], shared: str, lanes: int
) -> bool:
    """Return whether results of some compute are contiguous along the shared axis.

    Examples are channels in blocks.  pairs: each compute, with its name for each shared axis.
    """
    return any(vector_axis(view, lanes, [own[shared]]) for view, own in pairs)


def swept_axis(view: ComputeView, lanes: int) -> str | None:
    """Return the reduction axis along which vectors accumulate; None if there is no suitable axis.

    Each lane then accumulates a partial result.  The compute must have a symbolic reduction. A
    static extent of the axis must hold a whole vector, because a single accumulator would add up
    too many terms.  An axis of symbolic extent is excluded if the compute reads at computed
    positions, because the last vector along the axis could not be masked.
    """
    along = reduction_axis(view, lanes)
    if along is None or not any(isinstance(view.axes[a], Dim) for a in view.reduced_axes()):
        return None
    extent = view.axes[along]
    if isinstance(extent, int):
        return along if extent >= lanes and not reads_anywhere(view) else None
    if any(access.is_whole for access in view.inputs):
        return None
    return along if _is_plain_along(view, along) else None


def _has_long_rows(view: ComputeView, lanes: int) -> bool:
    if swept_axis(view, lanes) is not None:
        return True
    along = reduction_axis(view, lanes)
    extent = 0 if along is None else view.axes[along]
    return isinstance(extent, int) and extent >= 2 * lanes


def _plan_row(
    script: Script,
    leaf: SSAValue,
    row: ComputeView,
    lanes: int,
    swept: str | None,
    target: Target,
) -> None:
    """Vectorize a compute inside the loop over rows, if necessary along a symbolic axis.

    leaf: the handle of the compute.
    row: the view of the compute for one row.
    swept: the reduction axis along which vectors accumulate, as `swept_axis` returns it; None if
    the compute has no such axis.
    """
    free = [a for a in row.parallel_axes() if row.axes[a] != 1 and a != row.scan]
    if not any(isinstance(extent, Dim) for extent in row.axes.values()):
        plan_leaf(script, leaf, row, lanes, free, target)
        return
    legal = [a for a in free if _is_legal_along(row, a)]
    vector = row_vector_axis(row, lanes, legal)
    if vector is None and swept is None:
        vector = gathered_axis(row, lanes, free)
    if vector is not None:
        plan = tile_of(row, vector, lanes, free, target)
        leaf, _ = script.tile(leaf, plan.sizes, even=plan.even, rest=plan.rest)
        script.vectorize(sum_in_blocks(script, leaf, row), vector, lanes, plan.unrolls)
        return
    symbolic = [a for a in free if isinstance(row.axes[a], Dim)]
    if symbolic:
        leaf, _ = script.tile(leaf, dict.fromkeys(symbolic, 1))
        row = replace(row, axes={**row.axes, **dict.fromkeys(symbolic, 1)})
        _plan_row(script, leaf, row, lanes, swept, target)
    elif swept is not None:
        count = prod(row.extents[a] for a in free)
        if count > SWEPT_ROWS:
            leaf, _ = script.tile(leaf, dict.fromkeys(free, 1))
            count = 1
        extent = row.axes[swept]
        vectors = extent // lanes if isinstance(extent, int) else PARTIALS
        partials = max(1, min(PARTIALS // count, vectors))
        leaf = sum_in_blocks(script, leaf, row, swept, partials * lanes)
        script.vectorize(leaf, swept, lanes, {swept: partials})


def points_of(view: ComputeView, outside: set[str]) -> int:
    """Return the likely number of points of a compute at one position of the axes ``outside``."""
    axes = [extent for axis, extent in view.axes.items() if axis not in outside]
    return prod(n if isinstance(n, int) else min(likely(n), LIKELY_ROWS) for n in axes)


def share(script: Script, loops: Sequence[SSAValue], points: int, target: Target) -> None:
    """Run the iterations of nested loops as parallel tasks.

    loops: the loops, the outermost first.
    points: the points that one iteration of the innermost loop computes, which determine the number
    of iterations per task.
    """
    *outer, last = loops
    script.parallel_each(outer)
    script.parallel(last, max(1, task_points(target) // max(points, 1)))


def _is_legal_along(view: ComputeView, axis: str) -> bool:
    if isinstance(view.axes[axis], int):
        return not reads_anywhere(view)
    return is_linear_along(view, axis)


def _is_plain_along(view: ComputeView, axis: str) -> bool:
    """Return whether vectors along a symbolic axis can be proved to stay inside all buffers.

    The last vector of such an axis is moved back, so that it overlaps the vector before it.
    """
    return is_linear_along(view, axis) and is_alone_along(view, axis)


def reads_anywhere(view: ComputeView) -> bool:
    """Return whether a compute reads a buffer of symbolic sizes at computed positions.

    Only single elements can be proved to lie inside such a buffer, so these reads have no vectors.
    """
    return any(access.is_whole and _is_symbolic(access) for access in view.reads)


def _is_symbolic(access: Access) -> bool:
    return any(dim.value is None for dim in access.dims)


def gathered_axis(view: ComputeView, lanes: int, free: Sequence[str]) -> str | None:
    """Return the last free axis if vectors along it are assembled from elements, or None.

    The axis is symbolic, and results are contiguous along it, but not all operands.  Such vectors
    are faster than single elements, but slower than vectors along a reduction axis; hence None if a
    reduction axis is long enough for vectors.
    """
    if not free or not isinstance(view.axes[free[-1]], Dim) or _has_long_rows(view, lanes):
        return None
    is_row = all(lane_stride(view, out, free[-1], lanes) == 1 for out in view.outputs)
    return free[-1] if is_row else None


def packed_axis(view: ComputeView, lanes: int, free: Sequence[str]) -> str | None:
    """Return a static axis along which results are contiguous, but not all operands; or None.

    Vectors of the other operands, such as weights with a symbolic distance between rows, are
    assembled from single elements.
    """
    for axis in [] if reads_anywhere(view) else reversed(free):
        is_row = all(lane_stride(view, out, axis, lanes) == 1 for out in view.outputs)
        if isinstance(view.axes[axis], int) and is_row:
            return axis
    return None
