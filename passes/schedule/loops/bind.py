"""sched.bind: map a loop of the nest to a block or thread index of a GPU."""

from __future__ import annotations

from ....dialects.loop import THREADS
from ....dialects.te import ComputeView
from ....dialects.te.loop_nest import BIND, LoopNest, NestLoop
from ..engine.nest_edit import mark, one_of, require_independent
from ..engine.step import Handles, Step
from .nest_marks import mark_step


def bind(step: Step) -> Handles:
    """Bind a loop to a block or thread index.

        te.compute @add [x: 4096] .. nest [xo, xi] with (x = xo * 256 + xi)
        %b = sched.bind %c {axis = xo, thread = blockIdx.x}
    ==>
        te.compute @add [x: 4096] .. nest [xo bind blockIdx.x, xi] with (x = xo * 256 + xi)

    The loop becomes ``loop.for bind blockIdx.x``; only code for a device can have it.
    axis: the loop.
    thread: the block or thread index, such as blockIdx.x.
    Before: neither the loop nor a loop of the compute around it is reduced.
    Errors: ScheduleError otherwise; for a loop that does not exist, is scanned or already marked;
    for an unknown thread index; for a thread index to which another loop is bound.
    """
    entry = NestLoop(step.word("axis"), BIND, thread=step.word("thread"))
    if entry.thread not in THREADS:
        raise step.error("no such thread", expected=one_of(THREADS), got=entry.thread)

    def change(view: ComputeView, nest: LoopNest) -> LoopNest:
        require_independent(step, view, entry.axis, "threads")
        used = {e.thread: e.axis for e in nest.order if e.thread and e.axis != entry.axis}
        if entry.thread in used:
            raise step.error(
                f"loop {used[entry.thread]} of @{view.name} is bound to {entry.thread} already",
                expected=one_of([t for t in THREADS if t not in used]),
            )
        return mark(step, view, nest, entry)

    return mark_step(step, entry, change)
