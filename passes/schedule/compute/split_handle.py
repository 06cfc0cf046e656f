"""sched.split_handle: split a handle into two handles."""

from __future__ import annotations

from ..engine.step import Handles, Step


def split_handle(step: Step) -> Handles:
    """Split a handle into a handle of the last ``last`` ops, and a handle of the ops before them.

        %c, %i = sched.tile %c {m = 64, rest = 16}      // leaves of 64, 16, 16 and 1 rows
        %blocks, %single = sched.split_handle %c {last = 1}
    ==>
        %blocks holds the leaves of 64, 16 and 16 rows, %single the leaf of one row

    Before: the handle holds more than ``last`` ops, computes or loops.
    Errors: ScheduleError otherwise.
    """
    ops, last = step.handles[0], step.number("last")
    if not 0 < last < len(ops):
        raise step.error(
            "each part of a handle has an op",
            expected=f"last = 1 to {len(ops) - 1}" if len(ops) > 1 else "a handle of several ops",
            got=last,
        )
    return [ops[:-last], ops[-last:]]
