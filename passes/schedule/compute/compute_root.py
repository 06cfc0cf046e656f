"""sched.compute_root: assert that a compute is computed as a whole, in no other compute's loop."""

from __future__ import annotations

from ..engine.placement import block_of
from ..engine.step import Handles, Step


def compute_root(step: Step) -> Handles:
    """Assert that a compute is outside of all other computes' loops; change nothing.

        %r = sched.compute_root %c

    Before: no step has moved the compute into a loop.
    Errors: ScheduleError otherwise, because a compute inside a loop computes only a part.
    """
    for op in step.computes():
        if block_of(op) is not step.kernel.body.block:
            raise step.error(
                f"@{op.label} is already inside a loop",
                expected="a compute that no step has moved",
                hint="leave out compute_at",
            )
    return [step.computes()]
