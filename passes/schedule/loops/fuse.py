"""sched.fuse: fuse adjacent loops into one."""

from __future__ import annotations

from dataclasses import replace

from ....dialects.te import ComputeView
from ....dialects.te.loop_nest import Fuse, LoopNest, NestLoop
from ..engine.nest import is_reduced
from ..engine.nest_edit import edit, fusible, one_of, require_cuttable, require_free
from ..engine.step import Handles, Step


def fuse(step: Step) -> Handles:
    """Fuse adjacent loops into one loop over all their combinations, in the pending nest.

        te.compute @add [x: 100, y: 64] ..
        %f = sched.fuse %c {axes = [x, y]}
    ==>
        te.compute @add [x: 100, y: 64] ..
            nest [xy] with (xy = [x, y])

    into: the name of the new loop, by default the joined names.
    Before: the loops are adjacent, in this order, without marks.
    Errors: ScheduleError for loops that do not exist, are not adjacent, scanned or marked, for a
    reduced loop with an independent one, for a loop of symbolic extent that is not the first, and
    for a name in use.
    """
    axes = step.words("axes")
    if len(axes) < 2:
        raise step.error(
            "fuse needs at least two loops", expected="axes = [outer, inner]",
            got=", ".join(axes) or "none",
        )  # fmt: skip
    into = step.word("into") if "into" in step.params else "".join(axes)

    def change(view: ComputeView, nest: LoopNest) -> LoopNest:
        for axis in axes:
            require_cuttable(step, view, axis)
        first = nest.axes.index(axes[0])
        if nest.axes[first : first + len(axes)] != axes:
            raise step.error(
                f"loops {', '.join(axes)} of @{view.name} are not neighbours in this order",
                expected=one_of(fusible(view)),
                got=f"the order {', '.join(nest.axes)}",
                hint="reorder them first",
            )
        if len({is_reduced(view, a) for a in axes}) > 1:
            raise step.error(
                f"a reduced loop of @{view.name} is not fused with an independent one",
                expected=one_of(fusible(view)),
                got=", ".join(axes),
            )
        extents = nest.extents(view.axes)
        if symbolic := [a for a in axes[1:] if not isinstance(extents[a], int)]:
            raise step.error(
                f"loop {symbolic[0]} of @{view.name} has a symbolic extent, {extents[symbolic[0]]}",
                expected="integers as extents of all fused loops but the first",
            )
        require_free(step, view, [into])
        order = [*nest.order[:first], NestLoop(into), *nest.order[first + len(axes) :]]
        relations = (*nest.relations, Fuse(into, tuple(axes)))
        return replace(nest, order=tuple(order), relations=relations)

    return edit(step, change)
