"""sched.split: split one loop into two."""

from __future__ import annotations

from dataclasses import replace

from ....dialects.te import ComputeView
from ....dialects.te.loop_nest import LoopNest, NestLoop, Split
from ....support.names import Names
from ..engine.nest import made_loops
from ..engine.nest_edit import edit, require_cuttable, require_free, require_independent
from ..engine.step import Handles, Step


def split(step: Step) -> Handles:
    """Split a loop into an outer and an inner loop, in the pending nest.

        te.compute @add [x: 100, y: 64] ..
        %s = sched.split %c {axis = x, factor = 32}
    ==>
        te.compute @add [x: 100, y: 64] ..
            nest [xo, xi, y] with (x = xo * 32 + xi)

    factor: the trip count of the inner loop.  If it does not divide the extent, the last block is
    smaller; for a symbolic extent, the remainder is computed at single positions, or if the inner
    loop is a vector, first in full vectors.
    nparts: in place of ``factor``, the trip count of the outer loop; the factor is then the extent
    divided by nparts, rounded up.
    into: the names of both loops, by default ``xo`` and ``xi``.
    guard: 1 if the outer loop runs over all blocks, and the inner loop ends where the axis ends, as
    blocks of threads need: ``loop.for %xi = 0 to min(32, 100 - %xo * 32)``.
    Before: the loop has no mark.  A guarded loop is independent; its parts are neither split,
    fused, unrolled nor vectors, and the outer one stays outside.
    Errors: ScheduleError for a loop that does not exist, is scanned or marked, for both or neither
    of factor and nparts, for nparts of a symbolic extent, and for names in use.
    """
    axis = step.word("axis")
    both = "factor" in step.params and "nparts" in step.params
    if both or not ("factor" in step.params or "nparts" in step.params):
        raise step.error(
            "a split has a factor or a number of parts",
            expected="factor = .. or nparts = ..",
            got="both" if both else "neither",
        )
    number = step.number("factor" if "factor" in step.params else "nparts")
    if number < 1:
        raise step.error(
            "the factor or nparts of a split is positive", expected="at least 1", got=number
        )
    given = step.words("into")
    if len(given) not in (0, 2):
        raise step.error(
            "a loop is split into two", expected="into = [outer, inner]", got=", ".join(given)
        )

    def change(view: ComputeView, nest: LoopNest) -> LoopNest:
        require_cuttable(step, view, axis)
        guarded = bool(step.number("guard", 0))
        if guarded:
            require_independent(step, view, axis, "guarded")
        fresh = Names([*nest.names(view.axes), *made_loops(step.kernel, view.name)])
        names = given or [fresh.fresh(f"{axis}o"), fresh.fresh(f"{axis}i")]
        require_free(step, view, names)
        extent = nest.extents(view.axes)[axis]
        if isinstance(extent, int):
            factor = number if "factor" in step.params else -(-extent // number)
            factor = min(factor, extent)
            ragged = guarded and extent % factor != 0
            relation = Split(axis, names[0], names[1], factor, ragged)
        elif "factor" in step.params:
            relation = Split(axis, names[0], names[1], number, guarded)
        else:
            raise step.error(
                f"loop {axis} of @{view.name} has a symbolic extent, {extent}",
                expected="factor = ..",
                got="nparts",
            )
        order: list[NestLoop] = []
        for entry in nest.order:
            order += [NestLoop(n) for n in names] if entry.axis == axis else [entry]
        return replace(nest, order=tuple(order), relations=(*nest.relations, relation))

    return edit(step, change)
