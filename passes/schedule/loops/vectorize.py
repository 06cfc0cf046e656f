"""sched.vectorize: declare the register tile of an innermost compute."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import prod

from ....dialects.te import ComputeView
from ....dialects.te.view import PREFETCH_OPTIONS
from ..buffers.local_buffers import read_of
from ..engine.step import Handles, Step
from .prefetch import check_level


def vectorize(step: Step) -> Handles:
    """Declare the vector axis, unroll factors and prefetches of an innermost compute (leaf).

        %v = sched.vectorize %c {axis = n, lanes = 8, k = 4}
    ==>
        te.compute @mm [m: 6, n: 16, k: 768 red] .. tile(vec = n, lanes = 8, k = 4) ..

    axis: the axis along the lanes, in vectors of ``lanes`` elements (the last one may be partial).
    <reduced axis>: its unroll factor, 0 for all steps. If the vector axis is reduced, its factor is
    the number of partial vectors that are accumulated in parallel.
    together: for a reduced vector axis, the number of results whose lanes are combined in one step.
    They are adjacent along the innermost parallel axis of the leaf, and are stored as one vector.
    The number is a power of 2 up to ``lanes``; a leaf with another number of results combines the
    lanes of each result separately.
    trip: the most vectors that one trip of the unrolled loop computes; larger tiles get smaller
    unroll factors. prefetch_operand, prefetch, prefetch_level: the input to prefetch, the prefetch
    distance in elements, and the cache level, 0 (no reuse) to 3 (all).
    prefetch_spread: 1 if the iterations of the loops right around the leaf that do not index this
    input share its prefetches, so that each iteration fetches another part.
    A symbolic vector axis must be reduced; the vectors after its last full trip are masked. A
    factor need not divide the extent: the lowering peels the remaining steps, or takes a divisor
    near the factor.
    Errors: ScheduleError for unknown axes, for factors of axes that are not reduced, for more
    partial vectors than the axis has, for lanes below 1, and for a number ``together`` that is no
    power of 2 up to ``lanes``.
    """
    axis, lanes, factors = step.word("axis"), step.number("lanes"), step.sizes(minimum=0)
    if lanes < 1:
        raise step.error("a vector has lanes", expected="at least 1", got=lanes)
    together = _together(step, lanes)
    prefetch = {k: step.number(k) for k in PREFETCH_OPTIONS if k in step.params}
    views = [op.view() for op in step.computes()]
    for view in views:
        _check_axis(step, view, axis)
        _check_prefetch(step, view, prefetch)
        for name, factor in factors.items():
            check_factor(step, view, name, factor, lanes if name == axis else None)
    for op, view in zip(step.computes(), views, strict=True):
        tile: dict[str, int | str] = {"vec": axis, "lanes": lanes, **together}
        tile |= prefetch or view.prefetch
        fitting = _fitting(view, axis, lanes, factors, step.number("trip", 0))
        op.update(replace(view, tile=tile, unrolls=fitting))
    return [step.computes()]


def _fitting(
    view: ComputeView, axis: str, lanes: int, factors: Mapping[str, int], most: int
) -> dict[str, int]:
    """Reduce unroll factors so that one trip of the unrolled loop computes few enough vectors.

    axis, lanes: the vector axis, and the number of lanes.
    factors: the unroll factor of each reduced axis.
    most: the largest number of vectors; 0: no limit. Factors are at least 1, even if a trip then
    has more vectors.
    Returns the reduced factors.
    """
    if not most:
        return dict(factors)
    vectors = prod(-(-view.extents[a] // (lanes if a == axis else 1)) for a in view.parallel_axes())
    fitting = {name: min(n, max(1, most // vectors)) for name, n in factors.items()}
    return {name: n for name, n in fitting.items() if n != 1 or name == axis}


def _together(step: Step, lanes: int) -> dict[str, int]:
    """Return the step's option ``together`` as an option of the register tile; {} if it is 1.

    It is the number of results whose lanes are combined in one step.
    Errors: ScheduleError unless the number is a power of 2 up to ``lanes``.
    """
    count = step.number("together", 1)
    if not 1 <= count <= lanes or count & (count - 1):
        raise step.error(
            "results are combined together in a power of 2 of lanes",
            expected=f"1, 2, 4, ... up to {lanes} (lanes)",
            got=count,
        )
    return {"together": count} if count > 1 else {}


def _check_axis(step: Step, view: ComputeView, axis: str) -> None:
    step.require_axis(view, axis)
    if axis not in view.reduced_axes():
        step.extent(view, axis)
    step.require_unscanned(view, axis)


def _check_prefetch(step: Step, view: ComputeView, prefetch: dict[str, int]) -> None:
    if not prefetch:
        return
    if "prefetch_operand" not in prefetch or "prefetch" not in prefetch:
        raise step.error(
            "a prefetch names operand and distance",
            expected="prefetch_operand and prefetch",
            got=", ".join(prefetch),
        )
    read_of(step, view, prefetch["prefetch_operand"], is_input=True)
    check_level(step, prefetch.get("prefetch_level", 3))


def check_factor(
    step: Step,
    view: ComputeView,
    axis: str,
    factor: int,
    lanes: int | None = None,
) -> None:
    """Raise ScheduleError if an axis is not reduced, or has fewer vectors than the unroll factor.

    lanes: the lanes of a vector, if the axis is the vector axis.
    """
    step.require_axis(view, axis)
    reduced = view.reduced_axes()
    if axis not in reduced:
        raise step.error(
            f"unroll factor of axis {axis}, which @{view.name} does not reduce",
            expected=f"one of {', '.join(reduced) or 'none'}",
            hint="tile sets how many positions of a parallel axis the leaf holds",
        )
    extent = view.axes[axis]
    if lanes is None:
        step.extent(view, axis)
    elif isinstance(extent, int):
        vectors = -(-extent // lanes)
        if factor > vectors:
            raise step.error(
                f"axis {axis} of @{view.name} (extent {extent}) has fewer vectors than that",
                expected=f"at most {vectors}",
                got=factor,
            )
