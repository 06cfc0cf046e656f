"""sched.unroll: unroll a loop of the nest."""

from __future__ import annotations

from ....dialects.te import ComputeView
from ....dialects.te.loop_nest import UNROLL, LoopNest, NestLoop
from ..engine.nest_edit import mark, require_unscanned
from ..engine.step import Handles, Step
from .nest_marks import mark_step


def unroll(step: Step) -> Handles:
    """Unroll a loop.

        te.compute @mm [m: 6, n: 16, k: 8 red] .. nest [m, n, k] ..
        %u = sched.unroll %c {axis = m}
    ==>
        te.compute @mm [m: 6, n: 16, k: 8 red] .. nest [m unroll, n, k] ..

    copies: the unroll factor (default: all iterations).  In the innermost compute (leaf), an
    unrolled loop is part of the register tile; outside of it, a loop's body is copied at most 16
    times.
    Errors: ScheduleError for a loop that does not exist, is scanned or already marked.
    """
    axis, copies = step.word("axis"), step.number("copies", 0)
    if copies < 0:
        raise step.error("copies are counted", expected="0 (all) or more", got=copies)

    def change(view: ComputeView, nest: LoopNest) -> LoopNest:
        require_unscanned(step, view, axis)
        return mark(step, view, nest, NestLoop(axis, UNROLL, copies))

    return mark_step(step, NestLoop(axis, UNROLL, copies), change)
