"""Mark a loop in the pending nest, or a loop.for that was made from the nest."""

from __future__ import annotations

from collections.abc import Callable

from ....analysis.bounds.independence import find_clash
from ....dialects.te import ComputeView
from ....dialects.te.loop_nest import BIND, PARALLEL, LoopNest, NestLoop
from ..engine.nest import loops_around, mark_loop
from ..engine.nest_edit import edit, require_loop
from ..engine.step import Handles, Step
from .parallel import dependent


def mark_step(
    step: Step, entry: NestLoop, change: Callable[[ComputeView, LoopNest], LoopNest]
) -> Handles:
    """Mark a loop of the computes of a step's handle, whether it is pending or exists already.

    entry: the loop with its new mark, such as parallel.
    change: returns the new nest of a compute, from its view and its present nest; called if the
    loop is pending. Otherwise, the loop.for ops that were made from the loop get the mark.
    """
    computes = step.computes()
    loops = loops_around(step.kernel, computes, entry.axis)
    if not loops:

        def checked(view: ComputeView, nest: LoopNest) -> LoopNest:
            require_loop(step, view, entry.axis)
            return change(view, nest)

        return edit(step, checked)
    for loop in loops:
        if entry.mark in (PARALLEL, BIND) and (clash := find_clash(loop)):
            raise dependent(clash, step.where, hint=f"{step.name} of a loop over independent axes")
        mark_loop(loop, entry)
    return [computes]
