"""The tables of Resize: which input elements each position of a resized axis reads, with weights.

In: the sizes of an axis before and after, as expressions, and the attributes of the node.  Out:
tensors of indices and weights by (position, tap), the operands of `graph.resample`.  A tap is an
element of the input that contributes to a position of the result.

Graph ops compute the tables.  If all sizes are known, the ops are evaluated at import; else they
run with the model.  The tables have as many rows as the result, so computing them costs little
compared with the resampling.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from math import ceil
from typing import Literal

import numpy as np
from xdsl.dialects.builtin import Float32Type, Float64Type, f64, i64
from xdsl.ir import Block, SSAValue

from ....dialects.dtypes import numpy_dtype
from ....dialects.shape import Dim
from ....interp.graph import evaluate_op
from ....support.diagnostics import UnsupportedOp
from ..builder import Builder, Tensor

PERIODS = 16
"""Number of periods for which the tables are computed if the size of the axis is symbolic."""


@dataclass(frozen=True)
class Sampling:
    """The attributes of Resize that map result positions to weights.

    mode: the interpolation.  coordinates: how result positions correspond to input positions.
    nearest: the rounding of mode "nearest".  cubic_a: the coefficient of mode "cubic".
    has_whole_lengths: for a Resize by a scale, whether ``align_corners`` and crops use the length
    of the result rounded down, instead of the fractional length ``size * scale``.
    """

    mode: str
    coordinates: str
    nearest: str = "round_prefer_floor"
    cubic_a: float = -0.75
    antialias: bool = False
    exclude_outside: bool = False
    has_whole_lengths: bool = True

    @property
    def reach(self) -> int:
        """The number of input elements on each side of a position that have a weight, at scale 1.

        It is 1 for linear and 2 for cubic interpolation.
        """
        return 1 if self.mode == "linear" else 2


@dataclass(frozen=True)
class CommonScale:
    """One scale for all axes, which preserves the aspect ratio of the input.

    Each axis has a ratio of wanted size to input size; the scale is the smallest or the largest of
    these ratios.
    function: "min" or "max".  ratios: the wanted size and the input size of each axis.
    """

    function: Literal["min", "max"]
    ratios: tuple[tuple[Dim, Dim], ...]

    def size_of(self, size: Dim) -> Dim:
        """Return the scaled size of an axis, rounded to the nearest integer; ties round up."""
        scaled = [(wanted * size * 2 + old) // (old * 2) for wanted, old in self.ratios]
        return reduce(Dim.min if self.function == "min" else Dim.max, scaled)

    @property
    def value(self) -> Fraction | None:
        """The scale, or None if a size is symbolic."""
        known = [(wanted.value, old.value) for wanted, old in self.ratios]
        if any(wanted is None or old is None for wanted, old in known):
            return None
        ratios = [Fraction(wanted or 0, old or 0) for wanted, old in known]
        return min(ratios) if self.function == "min" else max(ratios)

    def length_of(self, b: Builder, size: Tensor) -> Tensor:
        """Append ops that compute the scaled size of an axis without rounding, in f64."""
        lengths = [
            b.apply("div", b.apply("mul", size, b.size(wanted, f64)), b.size(old, f64))
            for wanted, old in self.ratios
        ]
        return reduce(lambda x, y: b.apply(self.function, x, y), lengths)


@dataclass(frozen=True)
class ResizedAxis:
    """A resized axis, or some periods of an axis of symbolic size.

    axis: its number.  size, out: the size before and after resizing.  scale: None if the scale is
    the ratio of these sizes, or common to all axes and not known.  roi: the start and the end of
    the region that tf_crop_and_resize maps to the result, as fractions of the axis.
    common: the common scale of all axes, if there is one; then ``out`` is rounded.
    step: for an axis of symbolic size, whose tables of indices and weights repeat periodically, the
    number of input elements in a period; ``size`` and ``out`` then cover several periods.
    """

    axis: int
    size: Dim
    out: Dim
    scale: Fraction | None
    roi: tuple[float, float] = (0.0, 1.0)
    common: CommonScale | None = None
    step: int | None = None

    @property
    def is_known(self) -> bool:
        """Whether the size is known before and after resizing."""
        return self.size.value is not None and self.out.value is not None

    @property
    def may_shrink(self) -> bool:
        """Whether the result may have fewer elements than the axis."""
        return self.scale is None or self.scale < 1


@dataclass(frozen=True)
class Table:
    """The input elements that each position of a resized axis reads, and their weights.

    indices, weights: tensors of shape (position, tap); a tap is an input element that contributes
    to a position.  The weights are f64.  In nearest mode, there is one tap and ``weights`` is None.
    missing: for crops, a mask of the positions outside of the input; else None.
    """

    indices: Tensor
    weights: Tensor | None
    missing: Tensor | None


def table_of(
    b: Builder, axis: ResizedAxis, sampling: Sampling, element: Float32Type | Float64Type
) -> Table:
    """Return the tables of indices and weights of an axis.

    The tables are constants if the size of the axis is known before and after resizing; otherwise
    the builder appends ops that compute them.

    element: the type of the weights.

    Errors: UnsupportedOp for an unknown mode, coordinate transformation or rounding.
    """
    if axis.is_known:
        return _evaluated(axis, sampling, element)
    table = _computed(b, axis, sampling)
    weights = None if table.weights is None else b.cast(table.weights, element)
    return replace(table, weights=weights)


def _evaluated(axis: ResizedAxis, sampling: Sampling, element: Float32Type | Float64Type) -> Table:
    """Return the tables of an axis of known size as constants, without taps of weight 0."""
    b = Builder(Block())
    table = _computed(b, axis, sampling)
    parts = [None if x is None else b.ssa(x) for x in (table.indices, table.weights, table.missing)]
    values: dict[SSAValue | None, np.ndarray] = {}
    for op in b.block.ops:
        results = evaluate_op(op, [values[operand] for operand in op.operands])
        values |= zip(op.results, results, strict=True)
    indices, weights, missing = values[parts[0]], values.get(parts[1]), values.get(parts[2])
    if axis.step is not None:
        # The period in the middle, where no index is clamped to an end of the axis.
        rows, middle = len(indices) // PERIODS, PERIODS // 2
        part = slice(middle * rows, (middle + 1) * rows)
        indices = indices[part] - middle * axis.step
        weights = None if weights is None else weights[part]
    if weights is not None:
        used = (weights != 0).any(axis=0)
        indices, weights = indices[:, used], weights[:, used].astype(numpy_dtype(element))
    return Table(
        Tensor.of_array(indices),
        None if weights is None else Tensor.of_array(weights),
        None if missing is None or not missing.any() else Tensor.of_array(missing),
    )


def _computed(b: Builder, axis: ResizedAxis, sampling: Sampling) -> Table:
    for what, value, known in (
        ("coordinate_transformation_mode", sampling.coordinates, COORDINATES),
        ("mode of Resize", sampling.mode, MODES),
        ("nearest_mode", sampling.nearest, _NEAREST),
    ):
        is_used = what != "nearest_mode" or sampling.mode == "nearest"
        if is_used and value not in known:
            raise UnsupportedOp(f"unknown {what}", got=value)
    rows = b.iota((axis.out, Dim.const(1)), 0, i64)
    numbers = _Numbers(b, axis, sampling)
    position = COORDINATES[sampling.coordinates](numbers, b.cast(rows, f64))
    missing = None
    if sampling.coordinates == "tf_crop_and_resize":
        is_above = b.apply("lt", numbers.last, position)
        missing = b.apply("or", b.apply("lt", position, 0.0), is_above)
    if sampling.mode == "nearest":
        nearest = _NEAREST[sampling.nearest](b, position)
        return Table(_index(b, nearest, numbers.last), None, missing)
    indices, weights = _weighted(numbers, axis, position, sampling)
    return Table(_index(b, indices, numbers.last), weights, missing)


def _weighted(
    n: _Numbers, axis: ResizedAxis, position: Tensor, sampling: Sampling
) -> tuple[Tensor, Tensor]:
    b, is_wide = n.b, sampling.antialias and axis.may_shrink
    first = b.apply("floor", position)
    indices = b.apply("add", first, _taps(b, axis, sampling) if is_wide else _near_taps(sampling))
    distance = b.apply("abs", b.apply("sub", indices, position))
    if is_wide:
        ratio = b.apply("div", n.length, n.size)
        distance = b.apply("mul", distance, b.apply("min", ratio, 1.0))
    is_linear = sampling.mode == "linear"
    weights = _linear(b, distance) if is_linear else _cubic(b, distance, sampling.cubic_a)
    if sampling.exclude_outside:
        is_above = b.apply("lt", n.last, indices)
        outside = b.apply("or", b.apply("lt", indices, 0.0), is_above)
        weights = b.select(outside, 0.0, weights)
    if is_wide or sampling.exclude_outside:
        weights = b.apply("div", weights, b.reduce(weights, "sum", (1,)))
    return indices, weights


def _near_taps(sampling: Sampling) -> Tensor:
    taps = np.arange(1 - sampling.reach, 1 + sampling.reach)
    return Tensor.of_array(taps[None, :].astype("f8"))


def _taps(b: Builder, axis: ResizedAxis, sampling: Sampling) -> Tensor:
    """Return the offsets of the input elements that an antialiasing kernel reads around a position.

    The kernel is wider at small scales, so there are more offsets.
    """
    if axis.scale is not None:
        reach = Dim.const(ceil(sampling.reach / axis.scale))
    elif axis.common is not None:
        reach = (axis.size * 2).ceildiv((axis.out * 2 - 1).max(1)).max(1) * sampling.reach
    else:
        reach = axis.size.ceildiv(axis.out).max(1) * sampling.reach
    offsets = b.cast(b.iota((Dim.const(1), reach * 2), 1, i64), f64)
    return b.apply("sub", offsets, b.size(reach - 1, f64))


def _index(b: Builder, position: Tensor, last: Tensor) -> Tensor:
    inside = b.apply("max", b.apply("min", position, last), 0.0)
    return b.cast(inside, i64)


def _linear(b: Builder, distance: Tensor) -> Tensor:
    return b.apply("max", b.apply("sub", b.scalar(1.0, f64), distance), 0.0)


def _cubic(b: Builder, distance: Tensor, a: float) -> Tensor:
    near = _polynomial(b, distance, (a + 2, -(a + 3), 0.0, 1.0))
    far = _polynomial(b, distance, (a, -5 * a, 8 * a, -4 * a))
    outer = b.select(b.apply("lt", distance, 2.0), far, 0.0)
    return b.select(b.apply("lt", distance, 1.0), near, outer)


def _polynomial(b: Builder, x: Tensor, coefficients: Sequence[float]) -> Tensor:
    first, *others = coefficients
    total = b.scalar(first, f64)
    for coefficient in others:
        total = b.apply("add", b.apply("mul", total, x), coefficient)
    return total


class _Numbers:
    """The sizes of an axis as tensors of f64.

    length: the size times the scale.  rows, step: the numerator and the denominator of the scale.
    ends: the length that ``align_corners`` and crops use, which may be rounded down.
    """

    def __init__(self, b: Builder, axis: ResizedAxis, sampling: Sampling) -> None:
        self.b = b
        self.size, self.out = b.size(axis.size, f64), b.size(axis.out, f64)
        self.last, self.roi = b.apply("sub", self.size, 1.0), axis.roi
        self.rows: Tensor | float
        self.step: Tensor | float
        if axis.scale is None:
            common = axis.common
            self.length = self.out if common is None else common.length_of(b, self.size)
            self.rows, self.step = self.length, self.size
        else:
            self.rows, self.step = float(axis.scale.numerator), float(axis.scale.denominator)
            self.length = b.apply("div", b.apply("mul", self.size, self.rows), self.step)
        is_by_scale = axis.scale is not None and axis.common is None
        is_whole = is_by_scale and sampling.has_whole_lengths
        self.ends = self.out if is_whole else self.length

    def has_no_steps(self) -> Tensor:
        return self.b.apply("eq", self.ends, 1.0)

    def unscaled(self, j: Tensor) -> Tensor:
        """Return ``j / scale`` with one division, so that integer results are exact."""
        return self.b.apply("div", self.b.apply("mul", j, self.step), self.rows)


def _half_pixel(n: _Numbers, j: Tensor) -> Tensor:
    return n.b.apply("sub", _half_pixel_for_nearest(n, j), 0.5)


def _half_pixel_for_nearest(n: _Numbers, j: Tensor) -> Tensor:
    return n.unscaled(n.b.apply("add", j, 0.5))


def _pytorch_half_pixel(n: _Numbers, j: Tensor) -> Tensor:
    return n.b.select(n.b.apply("lt", n.out, 2.0), 0.0, _half_pixel(n, j))


def _half_pixel_symmetric(n: _Numbers, j: Tensor) -> Tensor:
    """Return the input positions of result positions ``j`` in mode half_pixel_symmetric.

    In this mode, the result is centered on the input. The size of the result is the scaled size
    rounded down; the fraction that rounding removes is divided equally between both ends.
    n: the sizes of the axis.
    """
    b = n.b
    dropped = b.apply("sub", b.apply("mul", n.size, n.rows), b.apply("mul", n.out, n.step))
    middle = b.apply("mul", b.apply("add", j, 0.5), n.step)
    position = b.apply("div", b.apply("add", middle, b.apply("mul", dropped, 0.5)), n.rows)
    return b.apply("sub", position, 0.5)


def _align_corners(n: _Numbers, j: Tensor) -> Tensor:
    b = n.b
    steps = b.select(n.has_no_steps(), 1.0, b.apply("sub", n.ends, 1.0))
    position = b.apply("div", b.apply("mul", j, b.apply("sub", n.size, 1.0)), steps)
    return b.select(n.has_no_steps(), 0.0, position)


def _crop(n: _Numbers, j: Tensor) -> Tensor:
    b, (start, end) = n.b, n.roi
    width = b.apply("mul", n.last, end - start)
    steps = b.select(n.has_no_steps(), 2.0, b.apply("sub", n.ends, 1.0))
    at = b.select(n.has_no_steps(), 1.0, j)  # a single element is at the middle
    position = b.apply("div", b.apply("mul", at, width), steps)
    return b.apply("add", position, b.apply("mul", n.last, start))


COORDINATES: Mapping[str, Callable[[_Numbers, Tensor], Tensor]] = {
    "half_pixel": _half_pixel,
    "half_pixel_symmetric": _half_pixel_symmetric,
    "pytorch_half_pixel": _pytorch_half_pixel,
    "align_corners": _align_corners,
    "asymmetric": lambda n, j: n.unscaled(j),
    "tf_half_pixel_for_nn": _half_pixel_for_nearest,
    "tf_crop_and_resize": _crop,
}
"""Functions that map positions in the result to positions in x, by coordinate mode."""

MODES = ("nearest", "linear", "cubic")

_NEAREST: Mapping[str, Callable[[Builder, Tensor], Tensor]] = {
    "round_prefer_floor": lambda b, x: b.apply("ceil", b.apply("sub", x, 0.5)),
    "round_prefer_ceil": lambda b, x: b.apply("floor", b.apply("add", x, 0.5)),
    "floor": lambda b, x: b.apply("floor", x),
    "ceil": lambda b, x: b.apply("ceil", x),
}
