"""Convert Resize and Upsample: describe the resized axes, and resample axis by axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

import numpy as np
from xdsl.dialects.builtin import f32, f64, i1

from ....dialects.dtypes import is_float
from ....dialects.graph import ResampleOp
from ....dialects.shape import Dim, normalize_axis
from ....support.diagnostics import ModelError, UnsupportedOp
from ..builder import Builder, Tensor
from ..node import Node, OpConverter, static
from ..sizes.equal_sizes import check_elements
from .resize_tables import PERIODS, CommonScale, ResizedAxis, Sampling, table_of

MOST_ROWS = 64
"""Largest number of rows in a period; a scale with a larger numerator has been rounded."""


FRACTIONAL_LENGTHS = 19
"""The first opset whose definition of Resize uses results of fractional length."""

SMALL_DENOMINATOR = 40
"""In f32, a fraction with at most this denominator differs from every decimal with four places."""

FAITHFUL_DIGITS = 6
"""Decimal digits that f32 preserves; a scale with at most as many is taken as a decimal."""


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
) -> list[ResizedAxis]:
    x = node[0]
    if len(scales) != len(axes):
        raise ModelError("scales need one number per axis", expected=len(axes), got=list(scales))
    made: list[ResizedAxis] = []
    for axis, number, part in zip(axes, scales, roi, strict=True):
        if number == 1 and part == (0.0, 1.0):
            continue
        if not 0 < number < math.inf:
            raise ModelError("a scale of Resize is no positive number", got=number)
        scale = scale_of(number)
        if x.dims[axis].value is None:
            made.append(_symbolic_axis(x.dims[axis], axis, scale, part, sampling))
            continue
        size = static(x.dims[axis], "Resize")
        out = math.floor(size * scale)
        if out != math.floor(size * number):
            b.disputed.append(f"{node.op_type} at loc({node.name!r})")
        made.append(ResizedAxis(axis, x.dims[axis], Dim.const(out), scale, part))
    return made


def _symbolic_axis(
    dim: Dim, axis: int, scale: Fraction, part: tuple[float, float], sampling: Sampling
) -> ResizedAxis:
    """Describe a resized axis of symbolic size.

    For a rational scale, the tables of indices and weights usually repeat after ``numerator``
    result positions, which read ``denominator`` elements. Then the result covers some periods of
    the tables; else the model computes the tables.
    dim: the size.  scale: the scale.  part: the region that a crop maps to the result.
    """
    rows, step = scale.numerator, scale.denominator
    allowed = _PERIODIC if step == 1 else _PERIODIC - {"half_pixel_symmetric"}
    if scale < 1:
        allowed -= {"pytorch_half_pixel"}  # a result of one element is a special case
    if sampling.coordinates not in allowed or sampling.exclude_outside or rows > MOST_ROWS:
        return ResizedAxis(axis, dim, dim * rows // step, scale, part)
    size, out = Dim.const(step * PERIODS), Dim.const(rows * PERIODS)
    return ResizedAxis(axis, size, out, scale, step=step)


def _to_sizes(
    node: Node,
    x: Tensor,
    axes: Sequence[int],
    roi: Sequence[tuple[float, float]],
    sampling: Sampling,
) -> list[ResizedAxis]:
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
    common = CommonScale(
        "min" if policy == "not_larger" else "max", tuple(zip(wanted, dims, strict=True))
    )
    return [
        ResizedAxis(axis, dim, common.size_of(dim), common.value, part, common)
        for axis, dim, part in zip(axes, dims, roi, strict=True)
    ]


def _to_size(
    x: Tensor, axis: int, wanted: Dim, part: tuple[float, float], sampling: Sampling
) -> ResizedAxis | None:
    dim = x.dims[axis]
    if wanted == dim and part == (0.0, 1.0):
        return None
    if dim.value is None and wanted.terms:
        scale = Fraction(wanted.terms[0][1], dim.terms[0][1])
        if dim * scale.numerator == wanted * scale.denominator:
            return _symbolic_axis(dim, axis, scale, part, sampling)
    known = None if dim.value is None or wanted.value is None else Fraction(wanted.value, dim.value)
    return ResizedAxis(axis, dim, wanted, known, part)


def _resample(
    b: Builder,
    x: Tensor,
    axes: Sequence[ResizedAxis],
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
        table = table_of(b, axis, sampling, f64 if x.dtype == f64 else f32)
        weights = None if table.weights is None else b.ssa(table.weights)
        op = ResampleOp(b.ssa(x), b.ssa(table.indices), weights, axis=axis.axis, step=axis.step)
        x = b.emit(op)
        invalid += [] if table.missing is None else [(axis.axis, table.missing)]
    for axis, missing in invalid:
        shape = [Dim.const(1)] * x.rank
        shape[axis] = x.dims[axis]
        mask = b.broadcast_to(b.reshape(missing, shape), x.dims)
        x = b.select(mask if mask.dtype == i1 else b.cast(mask, i1), outside, x)
    return b.cast(x, dtype)


def _grows(axis: ResizedAxis) -> bool:
    return axis.scale is None or axis.scale >= 1


_PERIODIC = frozenset(
    {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "asymmetric"}
    | {"tf_half_pixel_for_nn"}
)
"""Coordinate modes in which the positions of all periods are equal, apart from a shift."""

CONVERTERS = (
    OpConverter("Resize", resize, since=11),
    OpConverter("Resize", resize_10, since=10, until=10),
    OpConverter("Upsample", resize_10, until=9),
)
