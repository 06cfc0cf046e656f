"""sched.merge_axes: merge several axes of a compute into one, without making a loop."""

from __future__ import annotations

from typing import cast

from ....dialects.te import ComputeView, ScatterOp, ScatterView
from ..engine.step import Handles, Step


def merge_axes(step: Step) -> Handles:
    """Replace axes by one axis over all their combinations, without making a loop.

        te.compute @sum [i: 8, h: 7 red, w: 9 red] ins(%X[i, h, w] : ..) ..
        %m = sched.merge_axes %c {axes = [h, w]}
    ==>
        te.compute @sum [i: 8, hw: 63 red] ins(%X[i, hw floordiv 9, hw mod 9] : ..) ..

    The last of the axes varies fastest.  If the axes are contiguous in memory, vectors can extend
    over the ends of short rows.  into: the name of the new axis, by default the joined names.  Axes
    of a te.scatter must be adjacent, so that its points keep their order.
    Before: the axes are all reduced or all independent; the register tile is not declared.
    Errors: ScheduleError otherwise; for a scanned axis; for a name in use.
    Error: if another reduced axis is between the merged axes, the summation order changes.
    """
    axes = step.words("axes")
    into = step.word("into", "".join(axes))
    ops = step.handles[0]
    scatters = [op for op in ops if isinstance(op, ScatterOp)]
    computes = step.computes() if len(scatters) < len(ops) else []
    for scatter in scatters:
        points = scatter.view()
        _check(step, points, axes, into)
        _check_adjacent(step, points, axes)
        scatter.update(cast(ScatterView, points.fuse(axes, into)))
    for op in computes:
        view = op.view()
        _check(step, view, axes, into)
        op.update(view.fuse(axes, into))
    return [ops]


def _check_adjacent(step: Step, view: ScatterView, axes: list[str]) -> None:
    """Check that the merged axes of a scatter are adjacent, so that its points keep their order.

    The order matters, because the last write to an element determines its value.
    """
    order = [a for a, n in view.extents.items() if n > 1 or a in axes]
    first = order.index(axes[0])
    if order[first : first + len(axes)] != axes:
        raise step.error(
            f"the points of @{view.name} are in another order along the merged axis",
            expected=f"neighbours among {', '.join(order)}",
            got=", ".join(axes),
        )


def _check(step: Step, view: ComputeView, axes: list[str], into: str) -> None:
    if len(set(axes)) < 2 or len(set(axes)) < len(axes):
        raise step.error(
            "at least two different axes are merged",
            expected="axes = [outer, inner]",
            got=", ".join(axes) or "none",
        )
    for axis in axes:
        step.extent(view, axis)
        step.require_unscanned(view, axis)
    if into in view.extents and into not in axes:
        raise step.error(
            f"@{view.name} has an axis of the new name",
            expected="another name, or that of a merged axis",
            got=into,
        )
    reduced = set(view.reduced_axes())
    if len({a in reduced for a in axes}) > 1:
        raise step.error(
            f"a reduced axis of @{view.name} is not merged with an independent one",
            expected=f"some of {', '.join(a for a in view.axes if a in reduced)}, or of the others",
            got=", ".join(axes),
        )
    step.require_no_register_tile(view)
