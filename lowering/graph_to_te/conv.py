"""Lower convolutions to one compute ``[n, o, h, w, i red, r red, s red]`` with padded reads of x.

A reduced axis of extent 1 is omitted (1×1 windows, depthwise channels), unless all have extent 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import prod

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Attribute, SSAValue

from ...dialects.graph import ConvOp, ConvTransposeOp
from ...dialects.packed import ConstantOp
from ...dialects.shape import Dim, Extent, dims_of, likely, static_shape, type_of
from ...dialects.te.build import ComputeResult, Position, as_index, read
from ...dialects.te.scalars import Scalars, signless, wide_type
from ...dialects.te.view import Access
from ...dialects.weights import WeightAttr
from ...support.affine import Index, divide, variable
from .builder import Rule, TeBuilder, axes_of, element_of, is_empty, numbers_of, sizes_of
from .data.data_rules import Fixed, all_axes, over_numbers
from .move import concatenate

MOST_IDLE = 0.25
"""Up to this share of taps that read only padding, a convolution is not divided into bands."""

LEAST_SAVED = 2**20
"""Fewest products that a band must save: they take a core longer than launching a kernel."""

MOST_BANDS = 5
"""Most bands of a dimension of a convolution: the number for three taps."""

_SPATIAL = {1: ("w",), 2: ("h", "w"), 3: ("d", "h", "w")}
_KERNEL = {1: ("s",), 2: ("r", "s"), 3: ("q", "r", "s")}


def spatial_names(rank: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the axis names of a window op with ``rank`` spatial dimensions.

    Returns the names of the axes over window positions, then the names of the axes over the taps of
    the window.
    """
    if rank in _SPATIAL:
        return _SPATIAL[rank], _KERNEL[rank]
    return tuple(f"y{n}" for n in range(rank)), tuple(f"k{n}" for n in range(rank))


def window_positions(
    outer: Sequence[Position],
    inner: Sequence[Position],
    strides: Sequence[int],
    dilations: Sequence[int],
    low: Sequence[int],
) -> list[Index]:
    """Return the position in x of a tap of a window, per spatial dimension.

    It is ``outer * stride + inner * dilation - low``.
    outer: the position of the window.  inner: the tap.  low: the padding before x.
    """
    return [
        as_index(y) * stride + as_index(k) * dilation - pad
        for y, k, stride, dilation, pad in zip(outer, inner, strides, dilations, low, strict=False)
    ]


@dataclass(frozen=True)
class TeConvolution:
    """A convolution of te values, with the parameters of a graph.conv.

    shape: the shape of the result.
    low: the padding before x per spatial dimension, which may be negative.
    elements: the graph element types of x, w and the result.
    layout: the layout of the result; None for row-major.
    pad_value: the value that x has outside of its sizes.
    """

    x: SSAValue
    w: SSAValue
    b: SSAValue | None
    shape: tuple[Extent, ...]
    strides: Sequence[int]
    dilations: Sequence[int]
    low: Sequence[int]
    groups: int
    elements: tuple[Attribute, Attribute, Attribute]
    layout: AffineMapAttr | None = None
    pad_value: int = 0


def lower_conv(op: ConvOp, builder: TeBuilder) -> SSAValue:
    """Lower to a sum of products of x and w over input channels and taps, plus the bias.

    ``out[n, o, p] = b[o] + sum over i, k of x[n, g(o) + i, p * stride + k * dilation - low] * w[o,
    i, k]``, where g(o) is the first channel of o's group.
    """
    if is_empty(op.x) or is_empty(op.w):
        return lower_empty_sum(op, builder)
    convolution = TeConvolution(
        x=builder.value(op.x),
        w=builder.value(op.w),
        b=None if op.b is None else builder.value(op.b),
        shape=sizes_of(op.out),
        strides=op.strides,
        dilations=op.dilations,
        low=op.pads[: len(op.strides)],
        groups=op.groups,
        elements=(element_of(op.x), element_of(op.w), element_of(op.out)),
        pad_value=op.pad_value,
    )
    return convolve(convolution, builder)


def lower_empty_sum(op: ConvOp | ConvTransposeOp, builder: TeBuilder) -> SSAValue:
    """Append the result of a convolution whose sums have no terms; return it.

    It has the bias of each channel, or 0 if the op has no bias.
    """
    if op.b is None or is_empty(op.out):
        return builder.full(op.inferred_types()[0], 0)
    axes = axes_of(op.out)
    _, channel, *_ = axes
    inputs = [read(builder.value(op.b), [channel])]
    return builder.pointwise("bias", axes, inputs, element_of(op.out), lambda _, b: b)


def convolve(c: TeConvolution, builder: TeBuilder) -> SSAValue:
    """Append the compute of a convolution; return the result.

    If many taps of the window read only padding, the result is divided into bands (`_bands`), with
    one compute per band.
    """
    c = _without_idle_taps(c, builder)
    for d in range(len(c.strides)):
        bands = _bands(c, d)
        if len(bands) > 1:
            parts = [convolve(_band(c, d, *band), builder) for band in bands]
            return concatenate(parts, 2 + d, builder, c.layout)
    weights = sizes_of(c.w)
    outer, inner = spatial_names(len(c.shape) - 2)
    stored = dict(zip(("n", "o", *outer), c.shape, strict=True))
    reduced = dict(zip(("i", *inner), weights[1:], strict=True))
    kept: dict[str, Extent] = {a: n for a, n in reduced.items() if n != 1} or {"i": 1}
    axes = {**stored, **kept}
    taps = [a if a in kept else 0 for a in reduced]
    channel = _channel(c.groups, weights, taps[0])
    window = window_positions(outer, taps[1:], c.strides, c.dilations, c.low)
    leaves = window_leaves(
        dims_of(type_of(c.x))[2:], c.shape[2:], weights[2:], c.strides, c.dilations, c.low
    )
    inputs = [
        read(c.x, ("n", channel, *window), c.pad_value if leaves else None),
        read(c.w, ("o", *taps)),
    ]
    return _accumulate(c, builder, axes, inputs, tuple(stored))


def _without_idle_taps(c: TeConvolution, builder: TeBuilder) -> TeConvolution:
    """Remove the first and last taps of the window if they read only padding.

    A dilation of at least the size of x leaves one tap per dimension. Only constant weights are
    trimmed, and only if taps on padding add 0.
    Returns the convolution with fewer taps.
    """
    if c.pad_value or not isinstance(c.w.owner, ConstantOp):
        return c
    kernel = static_shape(type_of(c.w))[2:]
    spans = [
        _busy_taps(n, taps, outputs, *window)
        if isinstance(n, int) and isinstance(outputs, int)
        else (0, taps)
        for n, taps, outputs, *window in zip(
            sizes_of(c.x)[2:], kernel, c.shape[2:], c.strides, c.dilations, c.low, strict=False
        )
    ]
    if spans == [(0, taps) for taps in kernel]:
        return c
    weight = c.w.owner.value
    starts = (0, 0, *(first for first, _ in spans))
    ends = (*weight.stored.shape[:2], *(end for _, end in spans))
    low = [
        pad - first * dilation
        for pad, (first, _), dilation in zip(c.low, spans, c.dilations, strict=False)
    ]
    return replace(
        c, w=builder.constant(WeightAttr.derived("slice", [weight], starts, ends)), low=low
    )


def _bands(c: TeConvolution, d: int) -> list[tuple[int, int]]:
    """Divide the result along spatial dimension d into bands, whose windows use the same taps.

    If the dilation is a large part of the size of x, only one tap is inside x at most positions.
    Returns the first position and the end of each band.  If few taps are idle, the bands would cost
    more than they save, because each band needs a kernel and a copy of its weights: the list then
    has fewer than two bands, and the caller does not divide the dimension.
    """
    size, count = sizes_of(c.x)[2 + d], c.shape[2 + d]
    stride, dilation, low = c.strides[d], c.dilations[d], c.low[d]
    if dilation == 1 or c.pad_value or not isinstance(c.w.owner, ConstantOp):
        return []
    if not isinstance(size, int) or not isinstance(count, int):
        return []
    taps = static_shape(type_of(c.w))[2 + d]
    busy = [_busy_taps(size, taps, 1, stride, dilation, low - y * stride) for y in range(count)]
    starts = [y for y in range(1, count) if busy[y] != busy[y - 1]]
    bands = list(pairwise([0, *starts, count]))
    whole = taps * count
    idle = whole - sum(end - first for first, end in busy)
    saved = prod(map(likely, c.shape)) * prod(static_shape(type_of(c.w))[1:]) * idle // whole
    is_worth = idle > MOST_IDLE * whole and saved > LEAST_SAVED * len(bands)
    return bands if is_worth and len(bands) <= MOST_BANDS else []


def _band(c: TeConvolution, d: int, first: int, end: int) -> TeConvolution:
    """Return a convolution of the positions first to end - 1 of spatial dimension d only."""
    shape, low = [*c.shape], [*c.low]
    shape[2 + d] = end - first
    low[d] -= first * c.strides[d]
    return replace(c, shape=tuple(shape), low=low)


def _busy_taps(
    size: int, taps: int, outputs: int, stride: int, dilation: int, low: int
) -> tuple[int, int]:
    """Return the range of taps that read x in some window: the first tap and the end.

    The range is not empty.  All parameters belong to one spatial dimension.
    size: the size of x.  taps: the number of taps of the window.  outputs: the number of window
    positions.
    low: the padding before x.
    """
    first = [k * dilation - low for k in range(taps)]
    busy = [
        k
        for k, start in enumerate(first)
        if max(0, -(start // stride)) <= min(outputs - 1, (size - 1 - start) // stride)
    ]
    return (busy[0], busy[-1] + 1) if busy else (0, 1)


def window_leaves(
    sizes: Sequence[Dim],
    counts: Sequence[Extent],
    kernel: Sequence[Extent],
    strides: Sequence[int],
    dilations: Sequence[int],
    low: Sequence[int],
) -> bool:
    """Return whether some window may reach outside of x.

    sizes, counts: the sizes of x and of the result.  kernel: the taps of the window.  low: the
    padding before x.  All parameters are per spatial dimension.
    """
    for size, count, taps, stride, dilation, pad in zip(
        sizes, counts, kernel, strides, dilations, low, strict=False
    ):
        last = (Dim.of(count) - 1) * stride + (Dim.of(taps) - 1) * dilation - pad
        if pad > 0 or not size.is_at_least(last + 1):
            return True
    return False


def _channel(groups: int, weights: tuple[Extent, ...], tap: Position) -> Index:
    """Return the channel of x that filter ``o`` reads for the input channel ``tap`` of its group.

    The result is an index expression over the axis ``o`` and ``tap``.
    groups: the number of groups.  weights: the shape of the weights.
    """
    if groups == 1:
        return as_index(tap)
    n_out, n_in = numbers_of(weights[:2], "channels of a convolution in groups")

    def range_of(_: object) -> tuple[int, int]:
        return 0, n_out - 1

    group = divide("floordiv", variable("o"), n_out // groups, range_of)
    return group * n_in + as_index(tap)


def _accumulate(
    c: TeConvolution, builder: TeBuilder, axes: Mapping[str, Extent], inputs: Sequence[Access],
    stored: tuple[str, ...],
) -> SSAValue:  # fmt: skip
    left, right, target = c.elements
    accumulator = wide_type(target)

    def body(s: Scalars, x: SSAValue, y: SSAValue) -> SSAValue:
        return s.mul(s.cast(x, left, accumulator), s.cast(y, right, accumulator))

    def add_bias(s: Scalars, total: SSAValue, bias: SSAValue) -> SSAValue:
        return s.cast(s.add(total, s.cast(bias, target, accumulator)), accumulator, target)

    result = ComputeResult(stored, signless(target), "add", 0, accumulator, c.layout)
    if c.b is None:
        return builder.compute("conv", axes, inputs, result, body)
    post = [read(c.b, ("o",))]
    return builder.compute("conv", axes, inputs, result, body, post=post, then=add_bias)


def _conv_operands(op: ConvOp) -> list[Fixed]:
    rest = [op.w] if op.b is None else [op.w, op.b]
    return [all_axes(op.x, 1), *map(all_axes, rest)]


RULES: dict[type, Rule] = {ConvOp: lower_conv}

DATA_RULES: dict[type, Rule] = {ConvOp: over_numbers(lower_conv, _conv_operands)}
"""The lowering of ops with a data-dependent size in an operand or result."""
