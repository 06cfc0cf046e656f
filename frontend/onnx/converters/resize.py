"""Convert Resize and Upsample: compute tables of indices and weights per axis at import."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from xdsl.dialects.builtin import f32, f64, i1

from ....dialects.dtypes import is_float
from ....dialects.graph import ResampleOp
from ....dialects.shape import Dim, normalize_axis
from ....support.diagnostics import ModelError, UnsupportedOp
from ..builder import Builder, Tensor
from ..node import Node, OpConverter, static
from ..sizes.equal_sizes import check_elements
from .dynamic_resize import COORDINATES, MODES, CommonScale, DynamicAxis, Sampling, dynamic_table

Array = np.ndarray[Any, np.dtype[Any]]


PERIODS = 16
"""Number of periods for which the tables are computed if the size of the axis is symbolic."""

MOST_ROWS = 64
"""Largest number of rows in a period; a scale with a larger numerator has been rounded."""


FRACTIONAL_LENGTHS = 19
"""The first opset whose definition of Resize uses results of fractional length."""

SMALL_DENOMINATOR = 40
"""In f32, a fraction with at most this denominator differs from every decimal with four places."""

FAITHFUL_DIGITS = 6
"""Decimal digits that f32 preserves; a scale with at most as many is taken as a decimal."""


@dataclass(frozen=True)
class ResizedAxis:
    """A resized axis of known size, or one period of an axis of symbolic size.

    axis: its number.  size, out: the size before and after resizing.  scale: the ratio that maps
    input positions to result positions.
    length: for ``align_corners`` and crops, the size of the result, which may be fractional.
    roi: the start and the end of the region that tf_crop_and_resize maps to the result, as
    fractions of the axis.
    step: for an axis of symbolic size, whose tables of indices and weights repeat periodically, the
    number of input elements in a period; ``size`` and ``out`` then cover `PERIODS` periods.
    """

    axis: int
    size: int
    out: int
    scale: Fraction
    length: Fraction
    roi: tuple[float, float] = (0.0, 1.0)
    step: int | None = None

    def unscaled(self, j: Array) -> Array:
        """Return ``j / scale`` with one division, so that integer results are exact."""
        return j * self.scale.denominator / self.scale.numerator


def scale_of(number: float) -> Fraction:
    """Return the rational number that an f32 scale approximates: 7/10 for the f32 next to 0.7.

    The result is the fraction with a small denominator that rounds to the f32, if there is one;
    else the shortest decimal that rounds to the f32, if it has few digits; else the first
    convergent of the continued fraction that rounds to the f32.
    """
    scale = np.float32(number)
    found = _first_convergent(scale)
    text = Decimal(str(scale))
    is_short = len(text.as_tuple().digits) <= FAITHFUL_DIGITS
    return Fraction(text) if is_short and found.denominator > SMALL_DENOMINATOR else found


def _first_convergent(scale: np.float32) -> Fraction:
    """Return the first convergent of a number's continued fraction that rounds to the number."""
    rest = exact = Fraction(float(scale))
    last, made = (0, 1), (1, 0)
    while True:
        whole = math.floor(rest)
        last, made = made, (whole * made[0] + last[0], whole * made[1] + last[1])
        found = Fraction(*made)
        if found == exact or np.float32(float(found)) == scale:
            return found
        rest = 1 / (rest - whole)


def resize(node: Node, b: Builder) -> Tensor:
    """Resize by scales or to sizes, with all coordinate modes (opset 11 and later)."""
    x = node[0]
    axes = [normalize_axis(a, x.rank) for a in node.ints("axes", tuple(range(x.rank)))]
    sampling = Sampling(
        mode=node.text("mode", "nearest"),
        coordinates=node.text("coordinate_transformation_mode", "half_pixel"),
        nearest=node.text("nearest_mode", "round_prefer_floor"),
        cubic_a=node.number("cubic_coeff_a", -0.75),
        antialias=bool(node.integer("antialias", 0)),
        exclude_outside=bool(node.integer("exclude_outside", 0)),
        has_whole_lengths=node.opset < FRACTIONAL_LENGTHS or node.producer.startswith("pytorch"),
    )
    crops = sampling.coordinates == "tf_crop_and_resize"
    roi = _roi(node, len(axes)) if crops else [(0.0, 1.0)] * len(axes)
    scales = _numbers(node, 2, "scales of Resize")
    if scales is not None:
        resized = _by_scales(node, b, axes, scales, roi, sampling)
    else:
        resized = _to_sizes(node, x, axes, roi, sampling)
    return _resample(b, x, resized, sampling, node.number("extrapolation_value", 0.0))


def resize_10(node: Node, b: Builder) -> Tensor:
    """Convert Upsample, and Resize of opset 10.

    The scales are given, coordinates are "asymmetric", and the nearest mode rounds down.
    """
    x = node[0]
    if node.has("scales"):
        scales: Sequence[float] | None = node.floats("scales")
    else:
        scales = _numbers(node, 1, f"scales of {node.op_type}")
    if scales is None:
        raise ModelError(f"{node.op_type} needs scales")
    sampling = Sampling(node.text("mode", "nearest"), "asymmetric", "floor")
    axes = list(range(x.rank))
    resized = _by_scales(node, b, axes, scales, [(0.0, 1.0)] * x.rank, sampling)
    return _resample(b, x, resized, sampling, 0.0)


def _numbers(node: Node, index: int, what: str) -> list[float] | None:
    """Return the numbers in an optional input, or None if the input is absent or empty.

    index: the position of the input.  what: a noun for messages that names the numbers.
    """
    x = node.get(index)
    if x is None or x.dims[0].value == 0:
        return None
    values = node.values_at(index, what)
    return None if values is None else [float(v) for v in values]


def _roi(node: Node, count: int) -> list[tuple[float, float]]:
    values = _numbers(node, 1, "roi of Resize")
    if values is None or len(values) != 2 * count:
        raise ModelError(
            "roi needs a start and an end per axis", expected=2 * count, got=values or "none"
        )
    return list(zip(values[:count], values[count:], strict=True))


def _by_scales(
    node: Node,
    b: Builder,
    axes: Sequence[int],
    scales: Sequence[float],
    roi: Sequence[tuple[float, float]],
    sampling: Sampling,
) -> list[ResizedAxis | DynamicAxis]:
    x = node[0]
    if len(scales) != len(axes):
        raise ModelError("scales need one number per axis", expected=len(axes), got=list(scales))
    made: list[ResizedAxis | DynamicAxis] = []
    for axis, number, part in zip(axes, scales, roi, strict=True):
        if number == 1 and part == (0.0, 1.0):
            continue
        if not 0 < number < math.inf:
            raise ModelError("a scale of Resize is no positive number", got=number)
        scale = scale_of(number)
        if x.dims[axis].value is None:
            made.append(_dynamic_axis(x.dims[axis], axis, scale, part, sampling))
            continue
        size = static(x.dims[axis], "Resize")
        out = math.floor(size * scale)
        if out != math.floor(size * number):
            b.disputed.append(f"{node.op_type} at loc({node.name!r})")
        length = Fraction(out) if sampling.has_whole_lengths else size * scale
        made.append(ResizedAxis(axis, size, out, scale, length, part))
    return made


def _dynamic_axis(
    dim: Dim, axis: int, scale: Fraction, part: tuple[float, float], sampling: Sampling
) -> ResizedAxis | DynamicAxis:
    """Describe a resized axis of symbolic size.

    For a rational scale, the tables of indices and weights usually repeat after ``numerator``
    result positions, which read ``denominator`` elements. Then the result is a ResizedAxis that
    covers some periods of the tables; else it is a DynamicAxis, whose tables are computed at run
    time.
    dim: the size.  scale: the scale.  part: the region that a crop maps to the result.
    """
    rows, step = scale.numerator, scale.denominator
    allowed = _PERIODIC if step == 1 else _PERIODIC - {"half_pixel_symmetric"}
    if scale < 1:
        allowed -= {"pytorch_half_pixel"}  # a result of one element is a special case
    if sampling.coordinates not in allowed or sampling.exclude_outside or rows > MOST_ROWS:
        return _computed(DynamicAxis(axis, dim, dim * rows // step, scale, part), sampling)
    size, out = step * PERIODS, rows * PERIODS
    return ResizedAxis(axis, size, out, scale, Fraction(out), step=step)


def _computed(axis: DynamicAxis, sampling: Sampling) -> DynamicAxis:
    if sampling.coordinates not in COORDINATES:
        raise UnsupportedOp("unknown coordinate_transformation_mode", got=sampling.coordinates)
    if sampling.mode not in MODES:
        raise UnsupportedOp("unknown mode of Resize", got=sampling.mode)
    return axis


def _to_sizes(
    node: Node,
    x: Tensor,
    axes: Sequence[int],
    roi: Sequence[tuple[float, float]],
    sampling: Sampling,
) -> list[ResizedAxis | DynamicAxis]:
    wanted = node.sizes_at(3, "sizes of Resize")
    if wanted is None or len(wanted) != len(axes):
        raise ModelError(
            "sizes need one number per axis", expected=len(axes), got=wanted or "neither is given"
        )
    policy = node.text("keep_aspect_ratio_policy", "stretch")
    if policy == "stretch":
        return [
            axis
            for given in zip(axes, wanted, roi, strict=True)
            if (axis := _to_size(x, *given, sampling)) is not None
        ]
    if policy not in ("not_larger", "not_smaller"):
        raise UnsupportedOp("unknown keep_aspect_ratio_policy", got=policy)
    dims = [x.dims[axis] for axis in axes]
    if any(dim.value is None for dim in (*dims, *wanted)):
        common = CommonScale(
            "min" if policy == "not_larger" else "max", tuple(zip(wanted, dims, strict=True))
        )
        return [
            _computed(DynamicAxis(axis, dim, common.size_of(dim), None, part, common), sampling)
            for axis, dim, part in zip(axes, dims, roi, strict=True)
        ]
    sizes = [static(dim, "Resize") for dim in dims]
    ratios = [Fraction(static(w, "Resize"), n) for w, n in zip(wanted, sizes, strict=True)]
    scale = min(ratios) if policy == "not_larger" else max(ratios)
    outs = [math.floor(scale * n + Fraction(1, 2)) for n in sizes]
    parts = zip(axes, sizes, outs, roi, strict=True)
    return [ResizedAxis(axis, n, out, scale, scale * n, part) for axis, n, out, part in parts]


def _to_size(
    x: Tensor, axis: int, wanted: Dim, part: tuple[float, float], sampling: Sampling
) -> ResizedAxis | DynamicAxis | None:
    dim = x.dims[axis]
    if wanted == dim and part == (0.0, 1.0):
        return None
    if dim.value is None and wanted.terms:
        scale = Fraction(wanted.terms[0][1], dim.terms[0][1])
        if dim * scale.numerator == wanted * scale.denominator:
            return _dynamic_axis(dim, axis, scale, part, sampling)
    if dim.value is None or wanted.value is None:
        return _computed(DynamicAxis(axis, dim, wanted, None, part), sampling)
    size, out = static(x.dims[axis], "Resize"), static(wanted, "Resize")
    return ResizedAxis(axis, size, out, Fraction(out, size), Fraction(out), part)


def _resample(
    b: Builder,
    x: Tensor,
    axes: Sequence[ResizedAxis | DynamicAxis],
    sampling: Sampling,
    outside: float,
) -> Tensor:
    """Resample a tensor axis by axis.

    outside: the value of result elements whose position is outside of the input.
    """
    dtype = x.dtype
    weighted = sampling.mode != "nearest"
    if weighted and not is_float(dtype):
        x = b.cast(x, f32)
    # To minimize work, downsample first; then upsample, starting with the innermost axis.
    order = sorted(axes, key=lambda a: (_grows(a), -a.axis if _grows(a) else a.axis))
    invalid: list[tuple[int, Tensor]] = []
    for axis in order:
        check_elements(x.dims[axis.axis], axis.axis, b.facts)
        if isinstance(axis, DynamicAxis):
            x, outer = _resample_dynamic(b, x, axis, sampling)
            invalid += [] if outer is None else [(axis.axis, outer)]
            continue
        indices, weights, missing = resize_table(axis, sampling)
        if axis.step is not None:
            indices, weights = _period(indices, weights, axis.step)
        if missing.any():
            invalid.append((axis.axis, Tensor.of_array(missing)))
        table = None if weights is None else weights.astype("f8" if x.dtype == f64 else "f4")
        op = ResampleOp(
            b.ssa(x),
            b.ssa(Tensor.of_array(indices)),
            None if table is None else b.ssa(Tensor.of_array(table)),
            axis=axis.axis,
            step=axis.step,
        )
        x = b.emit(op)
    for axis, missing in invalid:
        shape = [Dim.const(1)] * x.rank
        shape[axis] = x.dims[axis]
        mask = b.broadcast_to(b.reshape(missing, shape), x.dims)
        x = b.select(mask if mask.dtype == i1 else b.cast(mask, i1), outside, x)
    return b.cast(x, dtype)


def _grows(axis: ResizedAxis | DynamicAxis) -> bool:
    return axis.scale is None or axis.scale >= 1


def _resample_dynamic(
    b: Builder, x: Tensor, axis: DynamicAxis, sampling: Sampling
) -> tuple[Tensor, Tensor | None]:
    """Resample an axis by tables that are computed at run time.

    The second result is a mask of the positions outside of x, or None if there are no such
    positions.
    """
    made = dynamic_table(b, axis, sampling)
    element = f64 if x.dtype == f64 else f32
    table = None if made.weights is None else b.ssa(b.cast(made.weights, element))
    return b.emit(ResampleOp(b.ssa(x), b.ssa(made.indices), table, axis=axis.axis)), made.missing


def _period(indices: Array, weights: Array | None, step: int) -> tuple[Array, Array | None]:
    """Return one period of a resized axis's tables of indices and weights.

    The period is taken from the middle, where no index is clamped to an end of the axis.
    step: the number of input elements in a period.
    """
    rows, middle = len(indices) // PERIODS, PERIODS // 2
    part = slice(middle * rows, (middle + 1) * rows)
    indices = indices[part] - middle * step
    if weights is None:
        return indices, None
    used = (weights[part] != 0).any(axis=0)
    return indices[:, used], weights[part, used]


def resize_table(axis: ResizedAxis, sampling: Sampling) -> tuple[Array, Array | None, Array]:
    """Return the tables of a resized axis: indices, weights, and a mask of positions outside of it.

    Indices and weights have the shape (position, tap), where a tap is an element of the input that
    contributes to a position. Nearest mode has one tap per position, and None in place of weights.
    """
    at = _COORDINATES.get(sampling.coordinates)
    if at is None:
        raise UnsupportedOp("unknown coordinate_transformation_mode", got=sampling.coordinates)
    position = at(axis, np.arange(axis.out, dtype=np.float64))
    missing = np.zeros(axis.out, bool)
    if sampling.coordinates == "tf_crop_and_resize":
        missing = (position < 0) | (position > axis.size - 1)
    if sampling.mode == "nearest":
        rounding = _NEAREST.get(sampling.nearest)
        if rounding is None:
            raise UnsupportedOp("unknown nearest_mode", got=sampling.nearest)
        nearest = rounding(position).clip(0, axis.size - 1)
        return nearest.astype(np.int64)[:, None], None, missing
    indices, weights = _weights(axis, sampling, position)
    return indices, weights, missing


def _weights(axis: ResizedAxis, sampling: Sampling, position: Array) -> tuple[Array, Array]:
    """Return the indices and weights of the input elements that result positions read.

    position: the input position, possibly fractional, of each position of the result.
    The interpolation kernel gives the weights; antialiasing widens the kernel.  Elements beyond the
    ends are clamped to the end, or dropped with exclude_outside.
    """
    if sampling.mode not in ("linear", "cubic"):
        raise UnsupportedOp("unknown mode of Resize", got=sampling.mode)
    narrow = sampling.antialias and axis.scale < 1
    scale = float(axis.scale) if narrow else 1.0
    reach = (1 if sampling.mode == "linear" else 2) / scale
    taps = np.arange(-math.floor(reach), math.floor(reach) + 2)
    indices = np.floor(position)[:, None] + taps
    distance = np.abs(indices - position[:, None]) * scale
    weights = _linear(distance) if sampling.mode == "linear" else _cubic(distance, sampling.cubic_a)
    if sampling.exclude_outside:
        weights = weights * ((indices >= 0) & (indices < axis.size))
    if narrow or sampling.exclude_outside:
        weights = weights / weights.sum(axis=1, keepdims=True)
    used = (weights != 0).any(axis=0)
    indices = indices[:, used].clip(0, axis.size - 1)
    return indices.astype(np.int64), weights[:, used]


def _linear(distance: Array) -> Array:
    return np.clip(1 - distance, 0, None)


def _cubic(distance: Array, a: float) -> Array:
    near = ((a + 2) * distance - (a + 3)) * distance**2 + 1
    far = ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a
    return np.where(distance <= 1, near, np.where(distance < 2, far, 0))


def _half_pixel(axis: ResizedAxis, j: Array) -> Array:
    return axis.unscaled(j + 0.5) - 0.5


def _pytorch_half_pixel(axis: ResizedAxis, j: Array) -> Array:
    return _half_pixel(axis, j) if axis.out > 1 else j * 0


def _half_pixel_symmetric(axis: ResizedAxis, j: Array) -> Array:
    """Return the input positions of result positions ``j`` in mode half_pixel_symmetric.

    In this mode, the result is centered on the input. The size of the result is the scaled size
    rounded down; the fraction that rounding removes is divided equally between both ends.
    """
    rows, step = axis.scale.numerator, axis.scale.denominator
    dropped = axis.size * rows - axis.out * step
    return ((2 * j + 1) * step + dropped) / (2 * rows) - 0.5


def _align_corners(axis: ResizedAxis, j: Array) -> Array:
    steps = axis.length - 1
    return j * 0 if steps == 0 else j * (axis.size - 1) / float(steps)


def _crop(axis: ResizedAxis, j: Array) -> Array:
    (start, end), last, steps = axis.roi, axis.size - 1, axis.length - 1
    if steps == 0:
        return j * 0 + (end - start) * last / 2 + start * last
    return j * (end - start) * last / float(steps) + start * last


_COORDINATES: Mapping[str, Callable[[ResizedAxis, Array], Array]] = {
    "half_pixel": _half_pixel,
    "half_pixel_symmetric": _half_pixel_symmetric,
    "pytorch_half_pixel": _pytorch_half_pixel,
    "align_corners": _align_corners,
    "asymmetric": ResizedAxis.unscaled,
    "tf_half_pixel_for_nn": lambda axis, j: axis.unscaled(j + 0.5),
    "tf_crop_and_resize": _crop,
}
"""Functions that map positions in the result to positions in x, by coordinate mode."""

_PERIODIC = frozenset(
    {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "asymmetric"}
    | {"tf_half_pixel_for_nn"}
)
"""Coordinate modes in which the positions of all periods are equal, apart from a shift."""

_NEAREST: Mapping[str, Callable[[Array], Array]] = {
    "round_prefer_floor": lambda x: np.ceil(x - 0.5),
    "round_prefer_ceil": lambda x: np.floor(x + 0.5),
    "floor": np.floor,
    "ceil": np.ceil,
}

CONVERTERS = (
    OpConverter("Resize", resize, since=11),
    OpConverter("Resize", resize_10, since=10, until=10),
    OpConverter("Upsample", resize_10, until=9),
)
