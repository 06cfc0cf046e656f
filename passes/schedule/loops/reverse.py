"""sched.reverse: let the iterations of a parallel loop run from the last to the first."""

from __future__ import annotations

from ....dialects.loop import ForOp, YieldOp
from ....support.affine import variable
from ..engine.nest import made_loops
from ..engine.step import Handles, Step
from ..engine.substitution import substitute


def reverse(step: Step) -> Handles:
    """Reverse the order of the iterations of a loop that is bound to blocks or threads.

        loop.for bind blockIdx.x %b = 0 to 8 {
          loop.for %k = 0 to %b + 1 { te.compute @sum .. ins(%x[%b * 4 + i, ..]) .. } }
        %r = sched.reverse %sum {axis = b}
    ==>
        loop.for bind blockIdx.x %b = 0 to 8 {
          loop.for %k = 0 to 8 - %b { te.compute @sum .. ins(%x[28 - %b * 4 + i, ..]) .. } }

    A GPU starts blocks in the order of their numbers, so if later iterations take longer, reversing
    them leaves short blocks for the end of the launch.
    Before: the loop exists, is parallel or bound, and goes from 0 to a constant.
    Errors: ScheduleError otherwise.
    Exact: the iterations are independent.
    """
    axis = step.word("axis")
    loops: dict[ForOp, None] = {}
    for op in step.computes():
        known = made_loops(step.kernel, op.label)
        if axis not in known:
            raise step.error(
                f"@{op.label} is in no loop {axis}",
                expected=f"one of {', '.join(known) or 'none'}",
                hint="use compute_at first: it makes the loops",
            )
        loops |= dict.fromkeys(known[axis])
    for loop in loops:
        bounds = loop.static_bounds
        if bounds is None or bounds[0] or not (loop.is_parallel or loop.thread is not None):
            raise step.error(
                f"the order of the iterations of {axis} matters, or their number is not constant",
                expected="a loop from 0 to a constant that is parallel, or bound",
                hint="bind the loop first",
            )
        last = variable(loop.variable) * -1 + (bounds[1] - 1)
        for op in loop.body.block.ops:
            if not isinstance(op, YieldOp):
                substitute(op, {loop.variable: last})
    return [step.computes()]
