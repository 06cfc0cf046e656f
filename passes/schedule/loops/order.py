"""sched.order: reorder the axes of an innermost compute."""

from __future__ import annotations

from dataclasses import replace

from ..engine.step import Handles, Step


def order(step: Step) -> Handles:
    """Reorder the axes of an innermost compute (leaf); its reduction loops nest in the new order.

        te.compute @conv [oc: 16, ic: 8 red, kh: 3 red] ..
        %o = sched.order %c {axes = [oc, kh, ic]}
    ==>
        te.compute @conv [oc: 16, kh: 3 red, ic: 8 red] ..

    Errors: ScheduleError if the list is not a permutation of the axes.
    """
    axes = step.words("axes")
    for op in step.computes():
        view = op.view()
        if sorted(axes) != sorted(view.axes):
            raise step.error(
                f"the order names every axis of @{view.name} once",
                expected=", ".join(view.axes),
                got=", ".join(axes) or "none",
            )
        op.update(replace(view, axes={a: view.axes[a] for a in axes}))
    return [step.computes()]
