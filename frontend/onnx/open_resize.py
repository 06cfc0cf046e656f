"""Tables of Resize along an axis of symbolic size, computed at run time.

In: the sizes of an axis before and after, as expressions, and the attributes of the resize.  Out:
tensors of indices and weights by (position, tap), as `graph.resample` takes them.  They have as
many rows as the result, so they cost little compared with the resampling.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from xdsl.dialects.builtin import f64, i64

from ...dialects.shape import Dim
from .builder import Builder, Tensor


@dataclass(frozen=True)
class OpenAxis:
    """A resized axis; scale: None if it is the ratio of the sizes."""

    axis: int
    size: Dim
    out: Dim
    scale: Fraction | None


def open_table(
    b: Builder, axis: OpenAxis, mode: str, coordinates: str, rounding: str, cubic_a: float
) -> tuple[Tensor, Tensor | None]:
    """Return indices and f64 weights; nearest mode has one index per position and no weights.

    Before: the tables of the coordinates are known, see ``COORDINATES``; no antialiasing.
    """
    rows = b.iota((axis.out, Dim.const(1)), 0, i64)
    size = b.size(axis.size, f64)
    position = COORDINATES[coordinates](_Numbers(b, axis), b.cast(rows, f64))
    last = b.apply("sub", size, 1.0)
    if mode == "nearest":
        nearest = _NEAREST[rounding](b, position)
        return _index(b, nearest, last), None
    first = b.apply("floor", position)
    taps = np.arange(0, 2) if mode == "linear" else np.arange(-1, 3)
    indices = b.apply("add", first, Tensor.of_array(taps[None, :].astype("f8")))
    distance = b.apply("abs", b.apply("sub", indices, position))
    weights = _linear(b, distance) if mode == "linear" else _cubic(b, distance, cubic_a)
    return _index(b, indices, last), weights


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
    """Return the value of a polynomial, whose highest coefficient comes first (Horner)."""
    first, *others = coefficients
    total = b.scalar(first, f64)
    for coefficient in others:
        total = b.apply("add", b.apply("mul", total, x), coefficient)
    return total


class _Numbers:
    """The sizes of an axis as tensors of f64; length: the size times the scale."""

    def __init__(self, b: Builder, axis: OpenAxis) -> None:
        self.b = b
        self.size, self.out = b.size(axis.size, f64), b.size(axis.out, f64)
        if axis.scale is None:
            self.length = self.out
        else:
            self.length = b.apply("mul", self.size, float(axis.scale))

    def is_one(self) -> Tensor:
        """Return whether the scaled axis has a single element."""
        return self.b.apply("eq", self.length, 1.0)

    def unscaled(self, j: Tensor) -> Tensor:
        """Return ``j / scale``; a ratio of sizes divides once, so that whole results are exact."""
        return self.b.apply("div", self.b.apply("mul", j, self.size), self.length)


def _half_pixel(n: _Numbers, j: Tensor) -> Tensor:
    return n.b.apply("sub", _half_pixel_for_nearest(n, j), 0.5)


def _half_pixel_for_nearest(n: _Numbers, j: Tensor) -> Tensor:
    return n.unscaled(n.b.apply("add", j, 0.5))


def _pytorch_half_pixel(n: _Numbers, j: Tensor) -> Tensor:
    return n.b.select(n.is_one(), -0.5, _half_pixel(n, j))


def _half_pixel_symmetric(n: _Numbers, j: Tensor) -> Tensor:
    b = n.b
    adjustment = b.apply("div", n.out, n.length)
    half = b.apply("mul", n.size, 0.5)
    offset = b.apply("mul", half, b.apply("sub", b.scalar(1.0, f64), adjustment))
    return b.apply("add", offset, _half_pixel(n, j))


def _align_corners(n: _Numbers, j: Tensor) -> Tensor:
    b = n.b
    steps = b.select(n.is_one(), 1.0, b.apply("sub", n.length, 1.0))
    position = b.apply("div", b.apply("mul", j, b.apply("sub", n.size, 1.0)), steps)
    return b.select(n.is_one(), 0.0, position)


COORDINATES: Mapping[str, Callable[[_Numbers, Tensor], Tensor]] = {
    "half_pixel": _half_pixel,
    "half_pixel_symmetric": _half_pixel_symmetric,
    "pytorch_half_pixel": _pytorch_half_pixel,
    "align_corners": _align_corners,
    "asymmetric": lambda n, j: n.unscaled(j),
    "tf_half_pixel_for_nn": _half_pixel_for_nearest,
}
"""Functions from positions in the result to positions in x; crops have none."""

_NEAREST: Mapping[str, Callable[[Builder, Tensor], Tensor]] = {
    "round_prefer_floor": lambda b, x: b.apply("ceil", b.apply("sub", x, 0.5)),
    "round_prefer_ceil": lambda b, x: b.apply("floor", b.apply("add", x, 0.5)),
    "floor": lambda b, x: b.apply("floor", x),
    "ceil": lambda b, x: b.apply("ceil", x),
}
