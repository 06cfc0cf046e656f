"""sched.parallel: run the iterations of a loop as independent tasks."""

from __future__ import annotations

from ....analysis.bounds.independence import Clash, find_clash, is_concurrent
from ....dialects.loop import ForOp, str_attr
from ....dialects.te import KernelOp
from ....support.affine import Index, constant, divide, unknown_range
from ....support.diagnostics import ScheduleError
from ...rewrite.loops import set_bounds
from ..engine.placement import append_to, insert_loop, loops_in
from ..engine.step import Handles, Step


def parallel(step: Step) -> Handles:
    """Run the iterations of a loop as independent tasks.

        loop.for %i = 0 to 8 { .. }
        %p = sched.parallel %i
    ==>
        loop.for parallel %i = 0 to 8 { .. }

    For a loop with symbolic bounds, the option ``chunk`` gives the number of iterations per task.
    The returned handle then holds a new outer loop over tasks:

        loop.for %i = 0 to %n { .. }
        %p = sched.parallel %i {chunk = 16}
    ==>
        loop.for parallel %c = 0 to (%n + 15) floordiv 16 {
          loop.for %i = %c * 16 to min(%n, %c * 16 + 16) { .. } }
    Before: the iterations are independent (analysis/bounds/independence.py).
    Errors: ScheduleError that names the loop, the buffer and both accesses, for example for a loop
    that split_reduction made.
    """
    chunk = step.number("chunk", 1)
    loops = [_in_chunks(loop, chunk) if chunk > 1 else loop for loop in step.loops()]
    for loop in loops:
        if clash := find_clash(loop):
            raise dependent(clash, step.where, hint="parallelize a loop that tile made")
        loop.properties["kind"] = str_attr("parallel")
    return [loops]


def _in_chunks(loop: ForOp, chunk: int) -> ForOp:
    """Split a loop from 0 to a symbolic end into chunks; return the loop over the chunks.

    Other loops are returned unchanged.
    chunk: the number of iterations per chunk.
    """
    lows, highs = loop.bounds()
    if loop.is_static or lows != [constant(0)]:
        return loop
    counts = [divide("floordiv", high + (chunk - 1), chunk, unknown_range) for high in highs]
    outer = insert_loop(loop, lows, counts)
    append_to(outer, loop)
    first = Index({outer.variable: chunk})
    set_bounds(loop, [first], [*highs, first + chunk])
    return outer


def check_parallel_loops(kernel: KernelOp, where: str = "") -> None:
    """Raise ScheduleError if the iterations of a parallel or bound loop depend on each other.

    where: the location of the step that made the loop, if known.
    """
    for loop in loops_in(kernel):
        if is_concurrent(loop) and (clash := find_clash(loop)):
            hint = "keep what other loops read out of the parallel loop, or make it serial"
            raise dependent(clash, where or f"@{kernel.label}", hint=hint)


def dependent(clash: Clash, where: str, *, hint: str = "") -> ScheduleError:
    """Return the error for a loop whose iterations depend on each other.

    clash: the two accesses in conflict.  where: the location that the message names.
    """
    return ScheduleError(
        clash.rule,
        expected="each written element is touched by one iteration only",
        got=clash.accesses,
        hint=hint,
        where=where,
    )
