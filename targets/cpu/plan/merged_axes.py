"""Merging of axes that are contiguous in memory for every access.

An image of 40 x 8 elements fills vectors of 16 lanes only if its 320 elements are one axis: rows of
8 leave half of each vector empty.  Rows of 7 waste lanes in every layout.  Axes are
merged if that saves vectors, or loops around short rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, prod

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue

from ....analysis.strides import axis_stride, flat_address, row_major_strides
from ....dialects.te import Access, AtOp, ComputeView
from ....machines.cpu_numbers import numbers_of
from ....machines.target import Target
from .script import Script
from .tiles import time_on_cores

ROW_COST = 0.25
"""Cost of starting a row, in vectors."""

WORTH = 1.08
"""Axes are merged if separate rows cost more than this ratio: with vectors of 16, rows of 32
elements and less, and rows that fill their last vector by less than 90 %."""


def contiguous_run(view: ComputeView, axes: Sequence[str]) -> list[str]:
    """Return the longest suffix of some axes that is contiguous in every access of a compute.

    axes: the axes in loop order, none of extent 1.
    """
    run = list(axes[-1:])
    for outer in reversed(axes[:-1]):
        if not all(continues(view, access, outer, run[0]) for access in view.accesses()):
            break
        if not _gathers_continue(view, outer, run[0]):
            break
        run.insert(0, outer)
    return run


def in_memory_order(view: ComputeView, axes: Sequence[str]) -> list[str]:
    """Return reduction axes, whose order is free, sorted by decreasing stride of the reads.

    A layout with blocked channels stores the channels after the pixels: n c h w becomes n, h, w, c.
    """
    steps = {axis: max(axis_stride(a, axis) or 0 for a in view.inputs) for axis in axes}
    return sorted(axes, key=lambda axis: -steps[axis])


def written_in_order(view: ComputeView, axes: Sequence[str]) -> list[str]:
    """Return parallel axes, whose order is free, sorted by decreasing stride of the writes.

    Axes of buffers whose sizes are known only at run time keep their order.
    """
    if any(access.has_symbolic_sizes for access in view.outputs):
        return list(axes)
    steps = {axis: max(axis_stride(a, axis) or 0 for a in view.outputs) for axis in axes}
    return sorted(axes, key=lambda axis: -steps[axis])


def points_along(view: ComputeView, axis: str) -> int:
    """Return the number of contiguous elements along a parallel axis.

    Axes that can be merged with the axis count, too.
    """
    free = [a for a in view.parallel_axes() if view.extents[a] > 1 and a != view.scan]
    run = contiguous_run(view, free)
    return prod(view.extents[a] for a in run) if run[-1:] == [axis] else view.extents[axis]


def continues(view: ComputeView, access: Access, outer: str, inner: str) -> bool:
    """Return whether an access allows to merge two axes: they are contiguous in its memory.

    They are if one step along ``outer`` moves as far in memory as all steps along ``inner``, or if
    the access depends on neither axis.  Also True for index values and operands of gathers, because
    `_gathers_continue` checks these.
    """
    if access.indices is None or access.is_index:
        return True
    mentioned = access.axes()
    if outer not in mentioned and inner not in mentioned:
        return True
    if access.pad is not None or access.clip is not None:
        return False
    address = flat_address(access.indices, access.shape)
    if {outer, inner} & {k for atom in address.atoms() for k in atom.operand.variables()}:
        return False
    return address.coefficient(outer) == address.coefficient(inner) * view.extents[inner]


def _gathers_continue(view: ComputeView, outer: str, inner: str) -> bool:
    """Return whether gathers stay contiguous if the axes ``outer`` and ``inner`` are merged.

    Only gathers may use the axes' index values as operands.
    """
    if any(access.is_index and access.axes() & {outer, inner} for access in view.post):
        return False
    numbers: dict[SSAValue, str] = {}
    for argument, access in zip(view.body.block.args, view.inputs, strict=True):
        if access.is_index and access.axes() & {outer, inner}:
            axis = access.indices[0].variable() if access.indices else None
            if not isinstance(axis, str):
                return False
            numbers[argument] = axis
    readers = {use.operation for argument in numbers for use in argument.uses}
    return all(isinstance(op, AtOp) and _continues_in(view, op, numbers, inner) for op in readers)


def _continues_in(view: ComputeView, op: AtOp, numbers: Mapping[SSAValue, str], inner: str) -> bool:
    """Return whether two axes are contiguous in the operand of a gather.

    op: the gather.
    numbers: for each index value of the gather, the axis whose position it holds.
    inner: the inner axis.
    """
    assert isinstance(op.x.type, MemRefType), "plans are written for buffers"
    steps = {True: 0, False: 0}
    for index, stride in zip(op.indices, row_major_strides(op.x.type.get_shape()), strict=True):
        if index in numbers:
            steps[numbers[index] == inner] += stride
    return steps[False] == steps[True] * view.extents[inner]


def rows_cost(view: ComputeView, run: Sequence[str], lanes: int) -> float:
    """Return the time of computing results row by row, in vector operations.

    run: the axes of the results, outermost first; the elements of a row are along the last one.
    lanes: the lanes of a vector.
    """
    rows = prod(view.extents[a] for a in run[:-1])
    return rows * (ceil(view.extents[run[-1]] / lanes) + ROW_COST)


def is_worth_merging(view: ComputeView, run: Sequence[str], lanes: int) -> bool:
    """Return whether results are computed faster along one merged axis than row by row.

    run: the axes to merge, outermost first; the elements of a row are along the last one.
    lanes: the lanes of a vector.
    """
    if len(run) < 2:
        return False
    merged = ceil(prod(view.extents[a] for a in run) / lanes) + ROW_COST
    return rows_cost(view, run, lanes) > WORTH * merged


def is_faster_merged(
    views: Sequence[ComputeView], shared: Sequence[str], first: int, lanes: int, target: Target
) -> bool:
    """Return whether full vectors of merged columns make up for having fewer tasks.

    views: computes that run in shared loops.  shared: the axes of the last one that become these
    loops.  first: the number of the first of them to merge; all axes behind it are merged, too.
    lanes: the lanes of a vector.
    """
    extents, run = views[-1].extents, shared[first:]
    if not is_worth_merging(views[-1], run, lanes):
        return False
    points = sum(prod(view.extents.values()) for view in views)
    columns = prod(extents[a] for a in run)
    rows = points / columns * rows_cost(views[-1], run, lanes)
    whole = points / columns * (ceil(columns / lanes) + ROW_COST)
    most = max(1, points // numbers_of(target).task_cycles)
    tasks = min(most, prod(extents[a] for a in shared[:first]))
    row_tasks = min(most, prod(extents[a] for a in shared[:-1]))
    alone = time_on_cores(row_tasks, rows / row_tasks, rows, target)
    return time_on_cores(tasks, whole / tasks, whole, target) < alone


def merge_run(
    script: Script, leaf: SSAValue, view: ComputeView, run: Sequence[str]
) -> tuple[SSAValue, ComputeView, str]:
    """Merge the axes ``run`` of a compute into one.

    Return the compute's handle and view after the step, and the name of the merged axis.
    """
    into = "".join(run)
    while into in view.extents:
        into += "_"
    return script.merge_axes(leaf, run, into), view.fuse(run, into), into
