"""Schedules of te.scatter and te.sort, with tasks as large as those of elementwise computes.

Vectors of a scatter run along an axis that is contiguous in the base and in every read, including
rows at computed positions (messages along the edges of a graph).  Tasks run along the outermost
other axis on which no two points write the same element.  A te.loops is not planned: its author
marks the parallel loops.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import cast

from xdsl.ir import SSAValue

from ....analysis.patterns.sharing import element_bytes
from ....analysis.strides import axis_stride, lane_stride
from ....dialects.shape import dims_of, extent_of, likely
from ....dialects.te import Access, AtOp, IrregularOp, LoopsOp, ScatterOp, ScatterView, SortOp
from ....machines.cpu_numbers import rows_of_sort, task_points
from ....machines.target import Target
from ....support.affine import constant
from .merged_axes import continues, is_worth_merging
from .script import Script

MIN_COLUMNS = 4
"""Rows with fewer elements are scattered element by element."""

LONG_ROW_VECTORS = 8
"""Rows of a large scatter that are at least this long are not merged further, because the remaining
axes are divided into tasks."""


def plan_irregular(script: Script, op: IrregularOp, target: Target) -> None:
    """Write the schedule of a scatter or sort that is the only op of its kernel."""
    match op:
        case ScatterOp():
            _plan_scatter(script, op.view(), target)
        case SortOp():
            _plan_sort(script, op, target)
        case LoopsOp():
            return


def _plan_scatter(script: Script, view: ScatterView, target: Target) -> None:
    leaf, view = _merge_slice(script, script.match(view.name), view, target)
    points = prod(view.extents.values())
    options: dict[str, int | str] = {}
    vector = _vector_axis(view, target)
    if vector is not None:
        options |= {"vector": vector, "lanes": _lanes(view, vector, target)}
    free = [a for a in view.independent_axes() if a != vector and view.extents[a] > 1]
    most = task_points(target)
    if free and points > most:
        inside = points // view.extents[free[0]]
        chunk = max(1, most // inside)
        if chunk < view.extents[free[0]]:
            options |= {"axis": free[0], "chunk": chunk}
    if options:
        script.tile_irregular(leaf, options)


def _lanes(view: ScatterView, axis: str, target: Target) -> int:
    """Return the lanes of a vector of the widest type that a scatter accesses along an axis.

    Inputs that do not depend on the axis are scalar, and do not count.
    """
    moved = [a for a in view.inputs if not a.is_index and (a.is_whole or axis in a.axes())]
    sizes = [element_bytes(a.type) for a in moved]
    return target.lanes(8 * max([4, element_bytes(view.base.type), *sizes]))


def _merge_slice(
    script: Script, leaf: SSAValue, view: ScatterView, target: Target
) -> tuple[SSAValue, ScatterView]:
    """Merge the last axes of a scatter if they are contiguous, for vectors over short rows.

    Return the scatter's handle and view.  In a large scatter, whose other axes become tasks,
    merging stops when the rows are long.
    """
    points = prod(view.extents.values())
    run: list[str] = []
    for axis in reversed([a for a, n in view.extents.items() if n > 1]):
        length = prod(view.extents[a] for a in run)
        if points > task_points(target) and length >= LONG_ROW_VECTORS * target.lanes(32):
            break
        if not _continues_slice(view, axis, run):
            break
        run.insert(0, axis)
    if len(run) < 2:
        return leaf, view
    into = "".join(run)
    while into in view.extents:
        into += "_"
    merged = cast(ScatterView, view.fuse(run, into))
    lanes = _lanes(merged, into, target)
    if _vector_axis(merged, target) != into or not is_worth_merging(view, run, lanes):
        return leaf, view
    return script.merge_axes(leaf, run, into), merged


def _continues_slice(view: ScatterView, axis: str, run: Sequence[str]) -> bool:
    if axis not in view.own_positions() or view.unique or any(a.is_whole for a in view.inputs):
        return False
    if axis_stride(_base_access(view, axis), axis) != prod(view.extents[a] for a in run):
        return False
    reads = [a for a in view.inputs if not a.is_index]
    return all(continues(view, access, axis, inner) for access in reads for inner in run[:1])


def _base_access(view: ScatterView, axis: str) -> Access:
    """Return how the positions in a scatter's base (the buffer that it changes) follow one axis.

    Dimensions that the axis does not index get the constant index 0.
    """
    own = view.own_positions()[axis]
    return Access(view.base, [own.get(d, constant(0)) for d in range(view.rank)])


def _vector_axis(view: ScatterView, target: Target) -> str | None:
    if any(a.pad is not None for a in view.inputs):
        return None
    for axis in reversed(view.vector_axes()):
        lanes = _lanes(view, axis, target)
        strides = [lane_stride(view, a, axis, lanes) for a in view.inputs if not a.is_whole]
        if (
            lane_stride(view, _base_access(view, axis), axis, lanes) == 1
            and view.extents[axis] >= MIN_COLUMNS
            and all(s in (0, 1) for s in strides)
            and _gathers_rows(view, axis)
        ):
            return axis
    return None


def _gathers_rows(view: ScatterView, axis: str) -> bool:
    """Return whether reads at computed positions are contiguous or invariant along an axis."""
    gathers = [op for op in view.body.walk() if isinstance(op, AtOp)]
    return not any(axis in view.axes_behind(v) for op in gathers for v in op.indices[:-1])


def _plan_sort(script: Script, op: SortOp, target: Target) -> None:
    """Divide the rows of a sort into tasks, and allow it to sort several rows at once, in i64.

    With symbolic sizes, tasks run along the last axis that is not sorted.
    """
    sizes = [extent_of(dim) for dim in dims_of(op.x.type)]
    length = sizes.pop(op.axis.data)
    options: dict[str, int | str] = {}
    chunk = max(1, task_points(target) // max(1, likely(length)))
    rows = [size for size in sizes if isinstance(size, int)]
    if len(rows) < len(sizes) or chunk < prod(rows):
        options["chunk"] = chunk
    if prod(rows) > 1 and rows_of_sort(target) > 1:
        options["lanes"] = rows_of_sort(target)
    if options:
        script.tile_irregular(script.match(op.label), options)
