"""Schedules of te.scatter and te.sort: tasks of about as many points as elementwise ones have.

A scatter gets vectors along an axis that is stored as it is, contiguous in the base and in every
read, also of rows at computed positions (messages along the edges of a graph); tasks along the
outermost other axis on which no two points meet.  A nest's author says himself what is parallel.
"""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import MemRefType

from ....analysis.sharing import element_bytes
from ....analysis.strides import lane_stride
from ....dialects.te import AtOp, IrregularOp, NestOp, ScatterOp, ScatterView, SortOp
from ....support.target import Target
from .pointwise import TASK_ELEMENTS
from .script import Script

MIN_COLUMNS = 4
"""Shorter rows are scattered element by element."""


def plan_irregular(script: Script, op: IrregularOp, target: Target) -> None:
    """Write the schedule of a scatter or sort that stands alone in its kernel."""
    match op:
        case ScatterOp():
            _plan_scatter(script, op.view(), target)
        case SortOp():
            _plan_sort(script, op)
        case NestOp():
            return


def _plan_scatter(script: Script, view: ScatterView, target: Target) -> None:
    sizes = [element_bytes(a.type) for a in view.inputs if not a.is_index]
    lanes = target.lanes(8 * max([4, element_bytes(view.base.type), *sizes]))
    options: dict[str, int | str] = {}
    vector = _vector_axis(view, lanes)
    if vector is not None:
        options |= {"vector": vector, "lanes": lanes}
    points = prod(view.axes.values())
    free = [a for a in view.independent_axes() if a != vector and view.axes[a] > 1]
    if free and points > TASK_ELEMENTS:
        inside = points // view.axes[free[0]]
        chunk = max(1, TASK_ELEMENTS // inside)
        if chunk < view.axes[free[0]]:
            options |= {"axis": free[0], "chunk": chunk}
    if options:
        script.spread(script.match(view.name), options)


def _vector_axis(view: ScatterView, lanes: int) -> str | None:
    if any(a.pad is not None for a in view.inputs):
        return None
    last = view.rank - 1
    for axis in reversed(view.vector_axes()):
        strides = [lane_stride(view, a, axis, lanes) for a in view.inputs if not a.is_whole]
        if (
            view.verbatim_axes()[axis] == last
            and view.axes[axis] >= MIN_COLUMNS
            and all(s in (0, 1) for s in strides)
            and _gathers_rows(view, axis)
        ):
            return axis
    return None


def _gathers_rows(view: ScatterView, axis: str) -> bool:
    """True if what is read at computed positions is contiguous along an axis, or does not move."""
    gathers = [op for op in view.body.walk() if isinstance(op, AtOp)]
    return not any(axis in view.axes_behind(v) for op in gathers for v in op.indices[:-1])


def _plan_sort(script: Script, op: SortOp) -> None:
    assert isinstance(op.x.type, MemRefType), "scheduled kernels are in buffer form"
    shape = op.x.type.get_shape()
    length = shape[op.axis.data]
    rows, chunk = prod(shape) // length, max(1, TASK_ELEMENTS // length)
    if chunk < rows:
        script.spread(script.match(op.label), {"chunk": chunk})
