"""sched.reorder: reorder the loops of a compute."""

from __future__ import annotations

from ....dialects.te import ComputeView
from ....dialects.te.loop_nest import LoopNest
from ..engine.nest_edit import edit, require_loop
from ..engine.step import Handles, Step


def reorder(step: Step) -> Handles:
    """Reorder some loops of the pending nest; other loops keep their positions.

        te.compute @mm [m: 20, n: 32, k: 8 red] ..
        %r = sched.reorder %c {axes = [k, m]}
    ==>
        te.compute @mm [m: 20, n: 32, k: 8 red] ..
            nest [k, n, m]

    Before: the order puts no parallel loop inside of a reduced one.
    Errors: ScheduleError otherwise, for a loop that does not exist or is named twice, and for a
    reduction whose accumulator would leave the registers although its type is not the stored type.
    """
    axes = step.words("axes")
    if len(axes) < 2 or len(set(axes)) < len(axes):
        raise step.error(
            "an order names two or more loops, each once",
            expected="axes = [outermost, .., innermost]",
            got=", ".join(axes) or "none",
        )

    def change(view: ComputeView, nest: LoopNest) -> LoopNest:
        for axis in axes:
            require_loop(step, view, axis)
        moved = iter(axes)
        return nest.with_entries(
            nest.entry(next(moved)) if e.axis in axes else e for e in nest.order
        )

    return edit(step, change)
