"""sched.parallel_axis: run the iterations of a loop of the nest as independent tasks."""

from __future__ import annotations

from ....dialects.te import ComputeView
from ....dialects.te.loop_nest import PARALLEL, LoopNest, NestLoop
from ..engine.nest_edit import mark, require_independent
from ..engine.step import Handles, Step
from .nest_marks import mark_step


def parallel_axis(step: Step) -> Handles:
    """Run the iterations of a loop as independent tasks.

        te.compute @mm [m: 64, n: 16, k: 8 red] .. nest [mo, mi, n, k] ..
        %p = sched.parallel_axis %c {axis = mo}
    ==>
        te.compute @mm [m: 64, n: 16, k: 8 red] .. nest [mo parallel, mi, n, k] ..

    Before: neither the loop nor a loop of the compute around it is reduced.
    Errors: ScheduleError otherwise, and for a loop that does not exist, is scanned or already
    marked.
    """
    entry = NestLoop(step.word("axis"), PARALLEL)

    def change(view: ComputeView, nest: LoopNest) -> LoopNest:
        require_independent(step, view, entry.axis, "independent tasks")
        return mark(step, view, nest, entry)

    return mark_step(step, entry, change)
