"""sched.match: the computes of a name."""

from __future__ import annotations

from .placement import computes_in
from .step import Handles, Step


def match(step: Step) -> Handles:
    """Give a handle to all computes of a name, wherever they stand in the kernel.

        %c = sched.match {name = mm}

    Before: nothing.  After: %c holds every te.compute @mm, in program order, also those that
    tiling, splitting and peeling made of one.
    Errors: ScheduleError if there is none; lists the names that are there.
    """
    name = step.word("name")
    computes = computes_in(step.kernel)
    found = [op for op in computes if op.label == name]
    if not found:
        names = dict.fromkeys(op.label for op in computes)
        raise step.error(f"no compute is named {name}", expected=f"one of {', '.join(names)}")
    return [found]
