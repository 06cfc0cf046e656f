"""sched.prefetch: prefetch an input of an innermost compute."""

from __future__ import annotations

from math import prod

from ....dialects.te import Access, ComputeView
from ....dialects.te.codec import encode_tile
from ..buffers.local_buffers import read_of
from ..engine.step import Handles, Step


def prefetch(step: Step) -> Handles:
    """Prefetch an input ahead of the loads of an innermost compute (leaf).

        te.compute @mm [m: 6, n: 16, k: 768 red] ins(%A[m, k] : .., %B[k, n] : memref<768x16xf32>)
        %p = sched.prefetch %c {operand = 1, axis = k, offset = 8, level = 3}
    ==>
        te.compute @mm .. tile(prefetch_operand = 1, prefetch = 128, prefetch_level = 3)

    The step may come before or after ``vectorize``; each leaf prefetches one input.
    operand: the number of the input.
    axis, offset: the prefetch distance is ``offset`` steps of ``axis``.
    distance: in place of both, the prefetch distance in elements.
    level: the cache level, 0 (no reuse) to 3 (all).
    spread: 1 if the iterations of the loops right around the leaf that do not index the input share
    its prefetches.
    Before: the operand is an input in a buffer; the axis indexes it.
    Errors: ScheduleError otherwise; unless the distance is given in exactly one way.
    """
    operand, level = step.number("operand"), step.number("level", 3)
    check_level(step, level)
    for op in step.computes():
        view = op.view()
        access = read_of(step, view, operand, is_input=True)
        fetch: dict[str, int | str] = {
            "prefetch_operand": operand,
            "prefetch": _distance(step, view, access),
            "prefetch_level": level,
        }
        if step.number("spread", 0):
            fetch["prefetch_spread"] = 1
        op.properties["tile"] = encode_tile({**view.register_tile, **fetch})
    return [step.computes()]


def check_level(step: Step, level: int) -> None:
    """Raise ScheduleError unless ``level`` is a cache level, 0 to 3."""
    if not 0 <= level <= 3:
        raise step.error("no such prefetch level", expected="0..3", got=level)


def _distance(step: Step, view: ComputeView, access: Access) -> int:
    """Return the prefetch distance in elements, as the step's options give it.

    access: the read that is prefetched.
    Errors: ScheduleError if the distance is given in no way or in two, or if the axis does not
    index the input.
    """
    if ("distance" in step.params) == ("axis" in step.params):
        given = [k for k in ("distance", "axis", "offset") if k in step.params]
        raise step.error(
            "a distance is given once",
            expected="distance, or axis and offset",
            got=", ".join(given) or "none",
        )
    if "distance" in step.params:
        return step.number("distance")
    axis, offset = step.word("axis"), step.number("offset", 1)
    step.extent(view, axis)
    shape, indices = access.shape, access.indices or []
    stride = sum(e.coefficient(axis) * prod(shape[d + 1 :]) for d, e in enumerate(indices))
    if stride == 0:
        moving = [a for a in view.extents if any(e.coefficient(a) for e in indices)]
        raise step.error(
            f"axis {axis} does not move through input {step.number('operand')} of @{view.name}",
            expected=f"one of {', '.join(moving) or 'none'}",
        )
    return stride * offset
