"""Lower resampling along an axis to reads by an affine index map, or else by a table of positions.

The tables of a resize are affine: all elements of x that row j of the table uses are in a window
that starts at ``(j * step + offset) floordiv divisor``. The read is then an index map, which plans
can tile and vectorize. Outside of x, both the weights and the elements that a window reads are 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.graph import ConstantOp, ResampleOp
from ...dialects.te.build import ComputeResult, Position, read
from ...dialects.te.scalars import Scalars, signless, wide_type
from ...dialects.te.view import Access, axis_ranges
from ...support.affine import Index, divide, variable
from .builder import Rule, TeBuilder, axes_of, element_of, numbers_of, sizes_of
from .resample_periods import lower_periods, resample_by_table

Table = np.ndarray[Any, np.dtype[Any]]

_MOST_SLACK = 1
"""Most taps of a window in addition to the taps that the table's rows need."""

_LARGEST_DENOMINATOR = 64


@dataclass(frozen=True, eq=False)
class AffineWindow:
    """A window that moves linearly: result j is a weighted sum of ``taps`` adjacent elements of x.

    The first of these elements is element ``(j * step + offset) floordiv divisor``.
    weights: the weight of each element, by j and the position in the window; None if each result
    copies one element.
    """

    step: int
    offset: int
    divisor: int
    taps: int
    weights: Table | None


def window_of(op: ResampleOp) -> AffineWindow | None:
    """Return the affine window of an op; None if its tables are not constant or not affine."""
    indices, size = op.indices.owner, sizes_of(op.x)[op.axis]
    if not isinstance(indices, ConstantOp) or not indices.array.size or not isinstance(size, int):
        return None
    if op.step is not None:
        return None
    if op.weights is None:
        return fit_window(indices.array, None, size)
    weights = op.weights.owner
    return (
        fit_window(indices.array, weights.array, size) if isinstance(weights, ConstantOp) else None
    )


def fit_window(indices: Table, weights: Table | None, size: int) -> AffineWindow | None:
    """Return the narrowest affine window that contains the elements of x that each row uses.

    indices: the position in x by row and tap.  weights: the weight of each of these elements; None
    if each row copies one element.  size: the size of x.
    Returns None if every affine window is much wider than the elements that a row uses, or, without
    weights, if no window has exactly one element.
    """
    used = np.ones(indices.shape, bool) if weights is None else weights != 0
    used[:, 0] |= ~used.any(axis=1)
    first = np.where(used, indices, size).min(axis=1)
    last = np.where(used, indices, -1).max(axis=1)
    rows = np.arange(len(indices))
    best: AffineWindow | None = None
    for step, divisor in _lines(indices, weights, size):
        offset = int((divisor * (first + 1) - 1 - step * rows).min())
        start = (step * rows + offset) // divisor
        taps = int((last - start).max()) + 1
        if best is None or (taps, divisor) < (best.taps, best.divisor):
            best = AffineWindow(step, offset, divisor, taps, None)
    narrowest = int((last - first).max()) + 1
    if best is None or best.taps > narrowest + _MOST_SLACK:
        return None
    if weights is None:
        return best if best.taps == 1 else None
    start = (best.step * rows + best.offset) // best.divisor
    placed = np.zeros((len(rows), best.taps), weights.dtype)
    for column, weight in zip(indices.T, np.where(used, weights, 0).T, strict=True):
        place = np.clip(column - start, 0, best.taps - 1)
        np.add.at(placed, (rows, place), weight)
    return AffineWindow(best.step, best.offset, best.divisor, best.taps, placed)


def _lines(indices: Table, weights: Table | None, size: int) -> Iterator[tuple[int, int]]:
    """Yield candidates for the slope of the window's start: the pair (step, divisor).

    The start of row j is then ``(j * step + offset) floordiv divisor``.  See `fit_window` for the
    parameters.
    """
    count = len(indices)
    slopes = {Fraction(size, count)}
    if count > 1:
        slopes.add(Fraction(size - 1, count - 1))
        middle = indices.mean(axis=1) if weights is None else (indices * weights).sum(axis=1)
        low, high = count // 4, count - 1 - count // 4
        if high > low:
            slope = float(middle[high] - middle[low]) / (high - low)
            slopes.add(Fraction(slope).limit_denominator(_LARGEST_DENOMINATOR))
    for slope in sorted(slopes):
        for fine in (1, 2):
            yield slope.numerator * fine, slope.denominator * fine


def lower_resample(op: ResampleOp, builder: TeBuilder) -> SSAValue:
    """Lower to ``out[a, j, b] = sum over t of x[a, start(j) + t, b] * weights[j, t]``."""
    if op.step is not None:
        return lower_periods(op, op.step, builder)
    window = window_of(op)
    if window is None:
        return resample_by_table(op, builder)
    axes = axes_of(op.out)
    along = list(axes)[op.axis]
    range_of = axis_ranges({**axes, "t": window.taps})
    line = variable(along) * window.step + window.offset
    start = divide("floordiv", line, window.divisor, range_of)
    x = builder.value(op.x)
    if window.weights is None:
        positions: list[Position] = [start if a == along else a for a in axes]
        return builder.pointwise(
            "resample", axes, [read(x, positions)], element_of(op.out), lambda _, x: x
        )
    at: Index = start + variable("t") if window.taps > 1 else start
    low, high = at.range(range_of)
    (size,) = numbers_of(sizes_of(op.x)[op.axis : op.axis + 1], "size of the axis")
    pad = 0 if low < 0 or high >= size else None
    tap = "t" if window.taps > 1 else 0
    reads = [
        read(x, [at if a == along else a for a in axes], pad),
        read(builder.constant(window.weights), [along, tap]),
    ]
    return _weighted(op, builder, reads, window.taps)


def _weighted(op: ResampleOp, builder: TeBuilder, reads: list[Access], taps: int) -> SSAValue:
    axes, element = axes_of(op.out), element_of(op.out)
    wide = wide_type(element)

    def body(s: Scalars, x: SSAValue, weight: SSAValue) -> SSAValue:
        return s.mul(s.cast(x, element, wide), weight)

    if taps > 1:
        result = ComputeResult(tuple(axes), signless(element), "add", 0, wide)
        return builder.compute("resample", {**axes, "t": taps}, reads, result, body)

    def once(s: Scalars, x: SSAValue, weight: SSAValue) -> SSAValue:
        return s.cast(body(s, x, weight), wide, element)

    return builder.pointwise("resample", axes, reads, element, once)


RULES: dict[type, Rule] = {ResampleOp: lower_resample}
