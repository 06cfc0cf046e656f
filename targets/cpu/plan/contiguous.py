"""Axes that every access walks through one after the other in memory: they can be one axis.

A tensor of 40 x 8 elements per map is walked by vectors of 16 only if the 320 are one axis: rows of
8 would leave half of each vector empty, and rows of 7 do in every layout.  R25: axes are merged
where that saves vectors or the loops around short rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, prod

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue

from ....analysis.strides import axis_stride, flat_address, row_major_strides
from ....dialects.te import Access, AtOp, ComputeView
from .script import Script

ROW_COST = 0.25
"""What starting a row costs, in vectors."""

WORTH = 1.08
"""Axes are merged where separate rows cost so many times as much: 32 elements and less with vectors
of 16, and rows that fill their last vector to less than 90 %."""


def contiguous_run(view: ComputeView, axes: Sequence[str]) -> list[str]:
    """Return the last of some axes with all before it that every access continues.

    axes: in loop order, none of extent 1.
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
    """Return reduced axes, whose order is free, with those last that reads take short steps along.

    A layout with channels in blocks holds them behind the pixels: n c h w becomes n, h, w, c.
    """
    steps = {axis: max(axis_stride(view, a, axis) or 0 for a in view.inputs) for axis in axes}
    return sorted(axes, key=lambda axis: -steps[axis])


def points_along(view: ComputeView, axis: str) -> int:
    """Return the length of what vectors along an independent axis can run through in one axis."""
    free = [a for a in view.parallel_axes() if view.axes[a] > 1 and a != view.scan]
    run = contiguous_run(view, free)
    return prod(view.axes[a] for a in run) if run[-1:] == [axis] else view.axes[axis]


def continues(view: ComputeView, access: Access, outer: str, inner: str) -> bool:
    """True if a step along the outer axis is as far as all steps along the inner one.

    Numbers of axes, which have no place in memory, are for the gathers that take them.
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
    return address.coefficient(outer) == address.coefficient(inner) * view.axes[inner]


def _gathers_continue(view: ComputeView, outer: str, inner: str) -> bool:
    """True if numbers of two axes are only positions of gathers, where they are one in memory."""
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
    """True if a gather steps along the outer axis as far as in all steps along the inner one."""
    assert isinstance(op.x.type, MemRefType), "plans are written for buffers"
    steps = {True: 0, False: 0}
    for index, stride in zip(op.indices, row_major_strides(op.x.type.get_shape()), strict=True):
        if index in numbers:
            steps[numbers[index] == inner] += stride
    return steps[False] == steps[True] * view.axes[inner]


def rows_cost(view: ComputeView, run: Sequence[str], lanes: int) -> float:
    """Return the cost, in vectors, of walking through a run row by row of its last axis."""
    rows = prod(view.axes[a] for a in run[:-1])
    return rows * (ceil(view.axes[run[-1]] / lanes) + ROW_COST)


def is_worth_merging(view: ComputeView, run: Sequence[str], lanes: int) -> bool:
    """R25: True if one axis takes fewer vectors and rows than the axes of a run."""
    if len(run) < 2:
        return False
    merged = ceil(prod(view.axes[a] for a in run) / lanes) + ROW_COST
    return rows_cost(view, run, lanes) > WORTH * merged


def merge_run(
    script: Script, leaf: SSAValue, view: ComputeView, run: Sequence[str]
) -> tuple[SSAValue, ComputeView, str]:
    """Make one axis of a run: the leaf, its view and the axis."""
    into = "".join(run)
    while into in view.axes:
        into += "_"
    return script.merge_axes(leaf, run, into), view.fuse(run, into), into
