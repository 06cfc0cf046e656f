"""Lower interpolation at data-dependent positions to bodies that read by te.at.

Positions are clamped, or reads outside of x give 0, so reads stay in bounds for any data.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from math import prod

from xdsl.dialects.builtin import i64
from xdsl.ir import Attribute, SSAValue

from ...dialects.graph import DeformColumnsOp, GridSampleOp, RoiAlignOp, RoiPoolOp
from ...dialects.index_syntax import INDEX
from ...dialects.shape import Dim, Extent, dims_of, extent_of, likely, type_of
from ...dialects.te.build import BodyFunction, ComputeResult, position, read, whole
from ...dialects.te.formulas import clamped
from ...dialects.te.scalars import Scalars, signless, wide_type
from ...dialects.te.view import axis_ranges
from ...support.affine import ZERO, divide, variable
from .builder import Rule, TeBuilder, axes_of, element_of, is_empty, numbers_of, sizes_of
from .data.data_rules import Sizes, size_like

LEAST_CHANNELS = 4
"""Deformed windows with fewer channels vectorize along the row (4: equal, 17: 5x faster)."""

_TAPS = {"nearest": (0,), "linear": (0, 1), "cubic": (-1, 0, 1, 2)}


def size_plus(s: Scalars, size: int | SSAValue, number: float, x: SSAValue) -> SSAValue:
    """Return ``size + number`` as a value of the float type of x."""
    if isinstance(size, int):
        return s.like(size + number, x)
    made = size_like(s, size, x)
    return s.add(made, s.like(number, x)) if number else made


# ---------------------------------------------------------------- grids


def lower_grid_sample(op: GridSampleOp, builder: TeBuilder) -> SSAValue:
    """Lower to a sum over taps: the element of x at a tap, times the weights of the tap."""
    if is_empty(op.x):
        return builder.full(op.inferred_types()[0], 0)
    axes, sizes = axes_of(op.out), Sizes(dims_of(type_of(op.x))[2:], builder)
    batch, channel, *spatial = axes
    rank, source, target = len(spatial), element_of(op.grid), element_of(op.x)
    taps = _TAPS[op.mode]
    tap_axes = [f"t{i}" for i in range(rank)] if len(taps) > 1 else []
    wide, grid_wide = wide_type(target), wide_type(source)

    def body(s: Scalars, x: SSAValue, *arguments: SSAValue) -> SSAValue:
        n, c, *rest = arguments
        grid, tap = rest[:rank], rest[rank : rank + len(tap_axes)]
        at: list[SSAValue] = [n, c]
        weight: SSAValue | None = None
        for i, size in enumerate(sizes.numbers(s, rest[rank + len(tap_axes) :])):
            dimension = _GridDimension(s, op, size)
            where = s.add(tap[i], s.like(taps[0], tap[i])) if tap else None
            index, w = dimension.tap(s.cast(grid[i], source, grid_wide), where)
            at.append(index)
            if w is not None:
                weight = w if weight is None else s.mul(weight, w)
        value = s.cast(s.at(x, at, 0), target, wide)
        if weight is None:
            return s.cast(value, wide, target)
        return s.mul(value, s.cast(weight, grid_wide, wide))

    grid = builder.value(op.grid)
    inputs = [whole(builder.value(op.x)), position(batch), position(channel)]
    inputs += [read(grid, [batch, *spatial, rank - 1 - i]) for i in range(rank)]
    inputs += [*(position(t) for t in tap_axes), *sizes.inputs]
    if not tap_axes:
        return builder.pointwise("grid_sample", axes, inputs, target, body)
    all_axes = {**axes, **dict.fromkeys(tap_axes, len(taps))}
    result = ComputeResult(tuple(axes), signless(target), "add", 0, wide)
    return builder.compute("grid_sample", all_axes, inputs, result, body)


@dataclass(frozen=True)
class _GridDimension:
    """A dimension of x along which a grid_sample interpolates.

    s: the builder of the compute's body.  size: the size of the dimension.
    """

    s: Scalars
    op: GridSampleOp
    size: int | SSAValue

    def low(self, at: SSAValue) -> SSAValue:
        """Return the lower border at which positions are reflected, in the type of ``at``."""
        return self.s.like(0.0 if self.op.align else -0.5, at)

    def high(self, at: SSAValue) -> SSAValue:
        """Return the upper border at which positions are reflected, in the type of ``at``."""
        return size_plus(self.s, self.size, -1.0 if self.op.align else -0.5, at)

    def tap(self, grid: SSAValue, tap: SSAValue | None) -> tuple[SSAValue, SSAValue | None]:
        """Return the index of a tap in x, and the weight of the tap; None as a weight means 1.

        grid: the coordinate in the grid.  tap: the distance of the tap from the element at or below
        the sampled position; None if the op reads only the nearest element.
        """
        s, at = self.s, self._position(grid)
        floor = s.math("floor", at)
        if tap is None:
            return s.cast(self._moved(at), at.type, INDEX), None
        moved = s.cast(tap, INDEX, at.type)
        distance = s.abs(s.sub(moved, s.sub(at, floor)))
        index = s.cast(self._moved(s.add(floor, moved)), at.type, INDEX)
        one = s.like(1.0, at)
        if self.op.mode == "linear":
            return index, s.sub(one, distance)
        return index, _cubic_weight(s, distance)

    def _position(self, grid: SSAValue) -> SSAValue:
        s = self.s
        start = s.add(grid, s.like(1.0, grid))
        half = s.like(0.5, grid)
        if self.op.align:
            at = s.mul(s.mul(start, half), size_plus(s, self.size, -1.0, grid))
        else:
            whole_size = size_plus(s, self.size, 0.0, grid)
            at = s.mul(s.sub(s.mul(start, whole_size), s.like(1.0, grid)), half)
        if self.op.mode == "nearest":
            at = s.math("roundeven", at)
        if self.op.padding == "zeros" or self.op.mode == "cubic":
            return at
        below, above = (
            s.compare("lt", at, self.low(at)),
            s.compare("gt", at, self.high(at)),
        )
        return s.select(s.bit_or(below, above), self._moved(at), at)

    def _moved(self, at: SSAValue) -> SSAValue:
        """Return a position moved into x: clamped or reflected, as the op's padding requires."""
        s = self.s
        if self.op.padding == "zeros":
            return at
        if self.op.padding == "reflection":
            at = self._reflected(at)
            if not self.op.align:
                return at
        return s.max(s.min(at, size_plus(s, self.size, -1.0, at)), s.like(0.0, at))

    def _reflected(self, at: SSAValue) -> SSAValue:
        s, less = self.s, -1.0 if self.op.align else 0.0
        if isinstance(self.size, int) and self.size + less == 0:
            return s.like(0.0, at)
        span = size_plus(s, self.size, less, at)
        distance = s.abs(s.sub(at, self.low(at)))
        turns = s.math("floor", s.div(distance, span))
        rest = s.sub(distance, s.mul(turns, span))
        half = s.mul(turns, s.like(0.5, at))
        even = s.compare("eq", s.math("floor", half), half)
        moved = s.select(even, s.add(self.low(at), rest), s.sub(self.high(at), rest))
        if isinstance(self.size, int) or not less:
            return moved
        return s.select(s.compare("eq", span, s.like(0.0, at)), s.like(0.0, at), moved)


def _cubic_weight(s: Scalars, distance: SSAValue) -> SSAValue:
    """Return the weight of a tap at a distance, by Keys' cubic interpolation with a = -0.75."""

    def polynomial(*coefficients: float) -> SSAValue:
        total = s.like(coefficients[0], distance)
        for c in coefficients[1:]:
            total = s.add(s.mul(total, distance), s.like(c, distance))
        return total

    near = polynomial(1.25, -2.25, 0.0, 1.0)
    far = polynomial(-0.75, 3.75, -6.0, 3.0)
    return s.select(s.compare("le", distance, s.like(1.0, distance)), near, far)


# ---------------------------------------------------------------- deformed windows


def lower_deform_columns(op: DeformColumnsOp, builder: TeBuilder) -> SSAValue:
    """Lower to interpolations of x between the four neighbors of computed positions.

    A position is ``p * stride + k * dilation - low + offset``; neighbors outside of x are 0. All
    channels of a group share positions and weights. If the channels are innermost in x and in the
    samples, positions and weights are computed once, and each neighbor is a row of channels.
    """
    n, column, row, col = axes = axes_of(op.out)
    taps, channels = prod(op.kernel), _channels_of_offset(op)
    last = likely(channels) >= LEAST_CHANNELS
    samples = _deformed_samples(op, builder, channels, channels_last=last)
    range_of = axis_ranges(axes)
    tap = divide("mod", variable(column), taps, range_of)
    channel = divide("floordiv", variable(column), taps, range_of)
    parts = [ZERO, channel]
    if isinstance(channels, int):
        parts = [divide(kind, channel, channels, range_of) for kind in ("floordiv", "mod")]
    positions = [row, col, tap, *parts] if last else [*parts, tap, row, col]
    source = read(samples, [n, *positions])
    return builder.pointwise("deform_columns", axes, [source], element_of(op.out), lambda _, x: x)


def _channels_of_offset(op: DeformColumnsOp) -> Extent:
    """Return the number of channels per offset group, the channels that share positions.

    It must be static if there are several groups.
    """
    channels = sizes_of(op.x)[1]
    if op.offset_groups == 1:
        return channels
    (inputs,) = numbers_of([channels], "channels of deformed windows in groups")
    return inputs // op.offset_groups


def _deformed_samples(
    op: DeformColumnsOp, builder: TeBuilder, channels: Extent, *, channels_last: bool
) -> SSAValue:
    """Append a compute of the interpolated samples; return its result.

    channels: the number of channels per offset group.
    channels_last: whether the shape of the result is (N, OH, OW, taps, offset groups, channels per
    group); otherwise, it is (N, offset groups, channels per group, taps, OH, OW).
    """
    element, across = element_of(op.x), op.kernel[1]
    wide, sizes = wide_type(element), axes_of(op.out)
    n, _, row, col = sizes
    space = {a: sizes[a] for a in (row, col)}
    parts: dict[str, Extent] = {"group": op.offset_groups, "channel": channels}
    taps, tap = prod(op.kernel), dict[str, Extent](tap=prod(op.kernel))
    axes = {n: sizes[n]} | (space | tap | parts if channels_last else parts | tap | space)
    range_of = axis_ranges(axes)
    places = (divide(kind, variable("tap"), across, range_of) for kind in ("floordiv", "mod"))
    bases = [
        variable(axis) * op.strides[i] + place * op.dilations[i] - op.pads[i]
        for i, (axis, place) in enumerate(zip((row, col), places, strict=True))
    ]
    offset, number = builder.value(op.offset), variable("group") * taps + variable("tap")
    group = variable("group") * channels if isinstance(channels, int) else ZERO
    inputs = [
        whole(_channels_last(op.x, builder) if channels_last else builder.value(op.x)),
        position(n),
        position(group + variable("channel")),
        *(position(base) for base in bases),
        *(read(offset, [n, number * 2 + i, row, col]) for i in range(2)),
    ]
    if op.mask is not None:
        inputs.append(read(builder.value(op.mask), [n, number, row, col]))

    def body(s: Scalars, x: SSAValue, n: SSAValue, c: SSAValue, *rest: SSAValue) -> SSAValue:
        at = [
            s.add(s.cast(base, INDEX, wide), s.cast(moved, element, wide))
            for base, moved in zip(rest[:2], rest[2:4], strict=True)
        ]
        floors = [s.math("floor", p) for p in at]
        masks = [s.cast(mask, element, wide) for mask in rest[4:]]
        total: SSAValue | None = None
        for corner in product((0, 1), repeat=2):
            index: list[SSAValue] = []
            weights = list(masks)
            for step, p, floor in zip(corner, at, floors, strict=True):
                fraction = s.sub(p, floor)
                weights.append(fraction if step else s.sub(s.like(1.0, p), fraction))
                index.append(s.cast(s.add(floor, s.like(float(step), p)), wide, INDEX))
            place = [n, *index, c] if channels_last else [n, c, *index]
            value = s.cast(s.at(x, place, 0), element, wide)
            term = s.mul(value, reduce(s.mul, weights))
            total = term if total is None else s.add(total, term)
        assert total is not None, "there are corners"
        return s.cast(total, wide, element)

    return builder.pointwise("deform_samples", axes, inputs, element, body)


def _channels_last(x: SSAValue, builder: TeBuilder) -> SSAValue:
    """Return a copy of x with the channel dimension innermost."""
    n, channel, *spatial = axes_of(x)
    sizes, order = axes_of(x), (n, *spatial, channel)
    axes = {axis: sizes[axis] for axis in order}
    source = read(builder.value(x), [n, channel, *spatial])
    return builder.pointwise("channels_last", axes, [source], element_of(x), lambda _, v: v)


# ---------------------------------------------------------------- regions


@dataclass(frozen=True)
class _Bins:
    """The bins along one dimension into which each region of a map is divided.

    size: the size of the map along the dimension.  count: the number of bins of a region.
    """

    op: RoiAlignOp
    size: Dim
    count: int

    @property
    def taps(self) -> Extent:
        """The number of samples per bin; if it varies, the largest in any region of the map."""
        return self.op.sampling or extent_of(self.size.ceildiv(self.count))

    def start_and_width(
        self, s: Scalars, low: SSAValue, high: SSAValue
    ) -> tuple[SSAValue, SSAValue]:
        scale, shift = s.like(self.op.scale, low), s.like(0.5 if self.op.half_pixel else 0.0, low)
        start, end = (s.sub(s.mul(v, scale), shift) for v in (low, high))
        length = s.sub(end, start)
        if not self.op.half_pixel:
            length = s.max(length, s.like(1.0, length))
        return start, s.div(length, s.like(float(self.count), length))

    def samples(self, s: Scalars, width: SSAValue, taps: int | SSAValue) -> SSAValue:
        """Return the number of samples per bin of one region, as a float.

        width: the width of a bin of the region.  taps: the largest number of samples per bin.
        """
        if self.op.sampling:
            return s.like(float(self.op.sampling), width)
        return s.min(s.math("ceil", width), size_plus(s, taps, 0.0, width))


def lower_roi_align(op: RoiAlignOp, builder: TeBuilder) -> SSAValue:
    """Lower to the mean or maximum of a bin's samples, which interpolate between four neighbors."""
    if is_empty(op.x):
        return builder.full(op.inferred_types()[0], 0)
    axes, element = axes_of(op.out), element_of(op.x)
    region, channel, row, column = axes
    wide, dims = wide_type(element), dims_of(type_of(op.x))
    bins = [_Bins(op, dims[2 + i], op.size[i]) for i in range(2)]
    taps = Sizes([along.taps for along in bins], builder)
    sizes = Sizes([dims[0], *dims[2:]], builder)

    def body(s: Scalars, x: SSAValue, batch: SSAValue, *rest: SSAValue) -> SSAValue:
        corners = [s.cast(v, element, wide) for v in rest[:4]]
        c, *places = rest[4:9]
        number, *spatial = sizes.numbers(s, rest[9:])
        most = taps.numbers(s, rest[9 + len(sizes.inputs) :])
        found = [
            _sample(
                s, bins[i], (corners[1 - i], corners[3 - i]), places[i], places[2 + i],
                spatial[i], most[i],
            )
            for i in range(2)
        ]  # fmt: skip
        n = clamped(s, batch, i64, number)
        terms: list[SSAValue] = []
        for (y, wy), (z, wz) in product(found[0].neighbours, found[1].neighbours):
            value = s.cast(s.at(x, [n, c, y, z], 0), element, wide)
            terms.append(s.mul(value, s.mul(wy, wz)))
        join = s.max if op.mode == "max" else s.add
        total = join(join(terms[0], terms[1]), join(terms[2], terms[3]))
        outside = s.bit_or(found[0].outside, found[1].outside)
        total = s.select(outside, s.like(0.0, total), total)
        counts = s.bit_and(found[0].counts, found[1].counts)
        neutral = -math.inf if op.mode == "max" else 0.0
        return s.select(counts, total, s.like(neutral, total))

    rois = builder.value(op.rois)
    corners = [read(rois, [region, j]) for j in range(4)]
    inputs = [whole(builder.value(op.x)), read(builder.value(op.batch), [region]), *corners]
    inputs += [position(a) for a in (channel, row, column, "p", "q")]
    inputs += [*sizes.inputs, *taps.inputs]
    init = -math.inf if op.mode == "max" else 0
    combiner = "max" if op.mode == "max" else "add"
    result = ComputeResult(tuple(axes), signless(element), combiner, init, wide)
    all_axes = {**axes, "p": bins[0].taps, "q": bins[1].taps}
    then = _finish_regions(op, bins, taps, element)
    post = [*corners, *taps.inputs]
    return builder.compute("roi_align", all_axes, inputs, result, body, post=post, then=then)


@dataclass(frozen=True)
class _Sample:
    """A sample along one dimension, which interpolates between two neighbors.

    neighbours: the position and the weight of each neighbor.
    outside: whether the sample is outside of the map.
    counts: whether the sample belongs to its bin. Loops run over the largest number of samples of a
    bin, so smaller bins have samples that do not count.
    """

    neighbours: tuple[tuple[SSAValue, SSAValue], tuple[SSAValue, SSAValue]]
    outside: SSAValue
    counts: SSAValue


def _sample(
    s: Scalars,
    bins: _Bins,
    corners: tuple[SSAValue, SSAValue],
    place: SSAValue,
    tap: SSAValue,
    size: int | SSAValue,
    most: int | SSAValue,
) -> _Sample:
    start, width = bins.start_and_width(s, *corners)
    number, samples = s.cast(tap, INDEX, width.type), bins.samples(s, width, most)
    into = s.mul(s.cast(place, INDEX, width.type), width)
    step = s.div(s.mul(s.add(number, s.like(0.5, width)), width), samples)
    at = s.add(s.add(start, into), step)
    zero, one, last = s.like(0.0, at), s.like(1.0, at), size_plus(s, size, -1.0, at)
    outside = s.bit_or(
        s.compare("lt", at, s.like(-1.0, at)), s.compare("gt", at, size_plus(s, size, 0.0, at))
    )
    at = s.max(at, zero)
    low = s.min(s.math("floor", at), last)
    high = s.min(s.add(low, one), last)
    fraction = s.select(s.compare("ge", low, last), zero, s.sub(at, low))
    neighbours = (
        (s.cast(low, at.type, INDEX), s.sub(one, fraction)),
        (s.cast(high, at.type, INDEX), fraction),
    )
    return _Sample(neighbours, outside, s.compare("lt", number, samples))


def _finish_regions(
    op: RoiAlignOp, bins: Sequence[_Bins], taps: Sizes, element: Attribute
) -> BodyFunction:
    wide = wide_type(element)

    def then(s: Scalars, total: SSAValue, *rest: SSAValue) -> SSAValue:
        values, most = [s.cast(v, element, wide) for v in rest[:4]], taps.numbers(s, rest[4:])
        counts: list[SSAValue] = []
        for i, along in enumerate(bins):
            _, width = along.start_and_width(s, values[1 - i], values[3 - i])
            counts.append(along.samples(s, width, most[i]))
        if op.mode == "avg":
            one = s.like(1.0, total)
            count = s.mul(*(s.max(c, one) for c in counts))
            return s.cast(s.div(total, count), wide, element)
        zero = s.like(0.0, total)
        some = s.bit_and(*(s.compare("gt", c, zero) for c in counts))
        return s.cast(s.select(some, total, zero), wide, element)

    return then


def lower_roi_pool(op: RoiPoolOp, builder: TeBuilder) -> SSAValue:
    """Lower to the maximum of the elements in a bin; elements outside of the bin are -inf."""
    if is_empty(op.x):
        return builder.full(op.inferred_types()[0], 0)
    axes, element = axes_of(op.out), element_of(op.x)
    region, channel, row, column = axes
    wide, shape = wide_type(element), sizes_of(op.x)
    batches = Sizes(dims_of(type_of(op.x))[:1], builder)

    def corner(s: Scalars, x: SSAValue) -> SSAValue:
        x = s.cast(x, element, wide)
        scaled = s.mul(x, s.like(op.scale, x))
        half = s.math("floor", s.add(s.abs(scaled), s.like(0.5, scaled)))
        negative = s.compare("lt", scaled, s.like(0.0, scaled))
        return s.cast(s.select(negative, s.neg(half), half), wide, i64)

    def inside(
        s: Scalars, ends: tuple[SSAValue, SSAValue], place: SSAValue, at: SSAValue, count: int
    ) -> SSAValue:
        start, end = (corner(s, e) for e in ends)
        one, parts = s.like(1, start), s.like(count, start)
        length = s.max(s.add(s.sub(end, start), one), one)
        number, moved = s.cast(place, INDEX, i64), s.sub(s.cast(at, INDEX, i64), start)
        first = s.div(s.mul(number, length), parts)
        up_to = s.mul(s.add(number, one), length)
        last = s.div(s.add(up_to, s.like(count - 1, start)), parts)
        return s.bit_and(s.compare("ge", moved, first), s.compare("lt", moved, last))

    def body(s: Scalars, x: SSAValue, batch: SSAValue, *rest: SSAValue) -> SSAValue:
        x1, y1, x2, y2, c, i, j, h, w = rest[:9]
        (size,) = batches.numbers(s, rest[9:])
        n = clamped(s, s.cast(s.cast(batch, element, wide), wide, i64), i64, size)
        value = s.cast(s.at(x, [n, c, h, w], 0), element, wide)
        rows = inside(s, (y1, y2), i, h, op.size[0])
        columns = inside(s, (x1, x2), j, w, op.size[1])
        return s.select(s.bit_and(rows, columns), value, s.like(-math.inf, value))

    def then(s: Scalars, best: SSAValue) -> SSAValue:
        empty = s.compare("eq", best, s.like(-math.inf, best))
        return s.cast(s.select(empty, s.like(0.0, best), best), wide, element)

    rois = builder.value(op.rois)
    inputs = [whole(builder.value(op.x)), *(read(rois, [region, k]) for k in range(5))]
    inputs += [*(position(a) for a in (channel, row, column, "y", "z")), *batches.inputs]
    result = ComputeResult(tuple(axes), signless(element), "max", -math.inf, wide)
    all_axes = {**axes, "y": shape[2], "z": shape[3]}
    return builder.compute("roi_pool", all_axes, inputs, result, body, then=then)


RULES: dict[type, Rule] = {
    GridSampleOp: lower_grid_sample,
    DeformColumnsOp: lower_deform_columns,
    RoiAlignOp: lower_roi_align,
    RoiPoolOp: lower_roi_pool,
}
