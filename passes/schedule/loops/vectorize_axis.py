"""sched.vectorize_axis: vectorize a loop of the nest."""

from __future__ import annotations

from ....dialects.te import ComputeView
from ....dialects.te.loop_nest import VECTOR, LoopNest, NestLoop
from ..engine.nest_edit import edit, mark, require_loop, require_unscanned
from ..engine.step import Handles, Step


def vectorize_axis(step: Step) -> Handles:
    """Vectorize a loop: run its iterations along the lanes of vectors.

        te.compute @add [x: 100, y: 64] .. nest [x, yo, yi] ..
        %v = sched.vectorize_axis %c {axis = yi, lanes = 16}
    ==>
        te.compute @add [x: 100, y: 64] .. nest [x, yo, yi vector 16] ..

    The vector is part of the innermost compute (leaf), wherever its loop is in the order. If the
    lanes do not divide the extent, the last vector is partial; for a long extent, there is a loop
    over groups of vectors. If the loop is reduced, each lane accumulates separately, and the lanes
    are combined at the end.  If the loop is scanned, only its reads, stores and elementwise ops are
    vectors; the lanes are combined in order, so the results do not change.
    Errors: ScheduleError for a loop that does not exist or is already marked, for lanes below 1,
    for a second vector, and for a scanned loop whose number of iterations is symbolic, or whose
    compute stores values without a combiner or continues earlier results.
    """
    axis, lanes = step.word("axis"), step.number("lanes")
    if lanes < 1:
        raise step.error("a vector has lanes", expected="at least 1", got=lanes)

    def change(view: ComputeView, nest: LoopNest) -> LoopNest:
        require_loop(step, view, axis)
        if axis == view.scan:
            _require_vector_scan(step, view)
        else:
            require_unscanned(step, view, axis)
        others = [e.axis for e in nest.order if e.mark == VECTOR and e.axis != axis]
        if others:
            raise step.error(
                f"loop {others[0]} of @{view.name} is already its vector",
                expected="one vector per compute",
                hint=f"unroll {axis}",
            )
        return mark(step, view, nest, NestLoop(axis, VECTOR, lanes))

    return edit(step, change)


def _require_vector_scan(step: Step, view: ComputeView) -> None:
    """Raise ScheduleError unless a scan has a static extent and starts from constants."""
    assert view.scan is not None, "the axis is scanned"
    if not isinstance(view.axes[view.scan], int):
        raise step.error(
            f"the scanned axis {view.scan} of @{view.name} has a symbolic size",
            expected="a constant size",
            got=view.axes[view.scan],
        )
    if not all(out.reduces and out.init is not None for out in view.outputs):
        raise step.error(
            f"@{view.name} has an output that its scan does not start from a constant",
            expected="an initial value and a combiner for each output",
            hint="vectorize another axis",
        )
