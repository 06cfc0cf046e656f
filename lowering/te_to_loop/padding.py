"""Decide how to lower reads that may lie outside their buffer.

A read that is provably inside becomes a plain load.  For a read that is provably outside, the term
is skipped if the padding value makes it neutral; otherwise the padding value is used as a constant.
If a read depends on a reduction loop, the bounds of this loop are clipped.  Every other read
becomes a guarded load.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from ...dialects.te import ComputeView
from ...support.affine import Index, Key, RangeOf, divide
from .access import Verdict, classify, shape_of

_MOST_COPIES = 16
"""Most unrolled taps per tile; other axes of a window stay loops with guarded loads."""


def clip_bounds(
    index: Index, axis: str, size: Index, range_of: RangeOf
) -> tuple[list[Index], list[Index]] | None:
    """Return the bounds of a loop over ``axis`` for which an index is in 0..size-1.

    index: an index expression over ``axis``.
    Returns lower and upper bounds; a list is empty if no bound is needed.  Returns None if bounds
    cannot be computed: the axis occurs inside a floordiv or mod, or with a negative factor, or
    together with axes that are not fixed yet.
    """
    step = index.coefficient(axis)
    rest = index.without(axis)
    if step <= 0 or any(isinstance(k, str) for k in rest.variables()):
        return None
    low, high = index.range(range_of)
    lower = [-divide("floordiv", rest, step, range_of)] if low < 0 else []
    upper: list[Index] = []
    if not size.is_constant or high >= size.const:
        last = size - 1 - rest
        upper = [divide("floordiv", last, step, range_of) + 1]
    return lower, upper


def span_bounds(
    index: Index, axis: str, span: tuple[int, Index], range_of: RangeOf
) -> tuple[list[Index], list[Index]]:
    """Return the bounds of a loop over ``axis`` outside of which no index of the tile is in a span.

    index: the index expression.  Its other axes may be axes of the tile or of inner loops.
    span: the first position of the span, and the position after its last one.
    Returns lower and upper bounds; a list is empty if no bound is needed or known.
    """
    step, rest = index.coefficient(axis), index.without(axis)
    if step <= 0 or any(isinstance(k, str) for a in rest.atoms() for k in a.operand.variables()):
        return [], []
    first, end = span
    cells = Index({k: n for k, n in rest.terms.items() if isinstance(k, str)}, 0)
    nearest, farthest = cells.range(range_of)
    rest -= cells
    low, high = index.range(range_of)
    lower: list[Index] = []
    if low < first:
        lower = [-divide("floordiv", rest + farthest - first, step, range_of)]
    upper: list[Index] = []
    if not end.is_constant or high >= end.const:
        upper = [divide("floordiv", end - 1 - rest - nearest, step, range_of) + 1]
    return lower, upper


def taps_to_unroll(view: ComputeView, tiled: AbstractSet[str], range_of: RangeOf) -> set[str]:
    """Return the reduced axes to unroll, so that each padded read is known to be inside or outside.

    Such an axis occurs in an index together with an axis of the tile, and the index may be out of
    bounds.  Too many copies of the body are avoided, so some axes may be missing.
    tiled: the axes of the tile.
    """
    reduced = {a for a in view.reduced_axes() if view.axes[a] != 1}
    taps: set[str] = set()
    for access in view.inputs:
        if access.pad is None or access.value is None or access.indices is None:
            continue
        for index, size in zip(access.indices, shape_of(access.value), strict=True):
            keys: set[Key] = set(index.variables())
            shared = keys & reduced
            moving = bool(keys & tiled)
            if shared and moving and classify([index], [size], range_of) is Verdict.UNSURE:
                taps |= {str(k) for k in shared}
    return _within_budget(view, taps)


def _within_budget(view: ComputeView, taps: set[str]) -> set[str]:
    """Return the axes that can be unrolled without too many copies; inner axes come first.

    taps: the axes to choose from.
    """
    chosen: set[str] = set()
    copies = 1
    for axis in reversed(list(view.axes)):
        extent = view.axes[axis]
        if axis in taps and isinstance(extent, int) and copies * extent <= _MOST_COPIES:
            copies *= extent
            chosen.add(axis)
    return chosen
