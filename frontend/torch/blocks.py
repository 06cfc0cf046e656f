"""Convert blocks of networks: normalizations, softmax, attention, resizing, recurrent layers.

Operators of the namespace ``tilewright`` are calls that torch would decompose; see whole_calls.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import sqrt
from typing import Any

import numpy as np
from xdsl.dialects.builtin import f32, i1

from ...dialects.graph import NormalizeOp
from ...dialects.shape import Dim, element_count
from ...support.diagnostics import UnsupportedOp
from ..onnx.builder import Tensor
from ..onnx.converters.heads import shared_heads
from ..onnx.converters.matmul import product
from ..onnx.converters.norm import log_softmax as onnx_log_softmax
from ..onnx.converters.norm import softmax as onnx_softmax
from .aten import AtenBuilder, Converter, Number


def _scale_channels(b: AtenBuilder, x: Tensor, scale: Tensor | None, bias: Tensor | None) -> Tensor:
    for name, vector in (("mul", scale), ("add", bias)):
        x = x if vector is None else b.apply(name, x, b.broadcast_to(vector, x.dims, 1))
    return x


def layer_norm(
    b: AtenBuilder,
    x: Tensor,
    shape: Sequence[Any],
    scale: Tensor | None,
    bias: Tensor | None,
    eps: float,
) -> tuple[Tensor, ...]:
    """Normalize the last axes, then scale and shift.

    shape: the sizes of the normalized axes.
    Results: the normalized values, the means, and the reciprocal standard deviations.
    """
    op = NormalizeOp(b.ssa(x), axes=range(x.rank - len(shape), x.rank), eps=eps)
    out, mean, inverse = b.emit_all(op)
    out = out if scale is None else b.apply("mul", out, scale)
    return (out if bias is None else b.apply("add", out, bias)), mean, inverse


def rms_norm(
    b: AtenBuilder, x: Tensor, shape: Sequence[Any], scale: Tensor | None, eps: float | None
) -> tuple[Tensor | None, ...]:
    """Divide elements by the root mean square of the last axes, then scale.

    shape: the sizes of the last axes.  eps: the addend of the mean square; by default, that of f32.
    Results: the normalized values, and the reciprocals of the root mean squares.
    """
    least = float(np.finfo(np.float32).eps) if eps is None else eps
    op = NormalizeOp(b.ssa(x), axes=range(x.rank - len(shape), x.rank), eps=least, center=False)
    out, _, inverse = b.emit_all(op)
    return (out if scale is None else b.apply("mul", out, scale)), inverse


def group_norm(
    b: AtenBuilder,
    x: Tensor,
    scale: Tensor | None,
    bias: Tensor | None,
    _batch: Number,
    channels: Number,
    _plane: Number,
    groups: int,
    eps: float,
) -> tuple[Tensor, ...]:
    """Normalize groups of channels, then scale and shift each channel.

    Results: the normalized values; per image and group, the mean and the reciprocal standard
    deviation.
    """
    count = x.dims[1]
    grouped = b.reshape(x, (x.dims[0], Dim.const(groups), count // groups, *x.dims[2:]))
    axes = range(2, grouped.rank)
    out, mean, inverse = b.emit_all(NormalizeOp(b.ssa(grouped), axes=axes, eps=eps))
    out = _scale_channels(b, b.reshape(out, x.dims), scale, bias)
    pair = x.dims[0], Dim.const(groups)
    return out, b.reshape(mean, pair), b.reshape(inverse, pair)


def batch_norm(
    b: AtenBuilder,
    x: Tensor,
    scale: Tensor | None,
    bias: Tensor | None,
    mean: Tensor,
    variance: Tensor,
    *rest: Any,
) -> tuple[Tensor | None, ...]:
    """Normalize each channel by the given mean and variance.

    The result is x times one factor per channel plus one addend per channel, which later passes
    fold into a convolution.
    rest: further arguments of torch's operator, of which the last is epsilon.
    Results: the normalized values, and None for the two results that no node reads.
    """
    ones, zeros = (b.broadcast_to(b.scalar(n, mean.dtype), mean.dims) for n in (1, 0))
    vectors = (ones if scale is None else scale, zeros if bias is None else bias, mean, variance)
    out = b.onnx("BatchNormalization", x, *vectors, epsilon=float(rest[-1]))[0]
    return out, None, None


def batch_statistics_norm(
    b: AtenBuilder,
    x: Tensor,
    scale: Tensor | None,
    bias: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """Normalize channels by the mean and variance of the batch, then scale and shift them.

    Results: the normalized values; per channel, the mean and the reciprocal standard deviation.
    Errors: UnsupportedOp unless ``training``, because there are no other statistics.
    """
    if not training:
        raise UnsupportedOp("a normalization without statistics", expected="training=True")
    axes = [axis for axis in range(x.rank) if axis != 1]
    out, mean, inverse = b.emit_all(NormalizeOp(b.ssa(x), axes=axes, eps=eps))
    out = _scale_channels(b, out, scale, bias)
    return out, b.reshape(mean, (x.dims[1],)), b.reshape(inverse, (x.dims[1],))


def training_batch_norm(
    b: AtenBuilder,
    x: Tensor,
    scale: Tensor | None,
    bias: Tensor | None,
    mean: Tensor,
    variance: Tensor,
    training: bool,
    momentum: float,
    eps: float,
) -> tuple[Tensor, ...]:
    """Normalize channels by the statistics of the batch, and return updated running statistics.

    mean, variance: the running statistics.  momentum: the weight of the batch's statistics in the
    new running statistics; the old ones have the weight ``1 - momentum``.
    Results: the normalized values, the mean and the reciprocal standard deviation of the batch, the
    new running mean and the new running variance.
    Errors: UnsupportedOp unless ``training``.
    """
    out, found, inverse = batch_statistics_norm(b, x, scale, bias, training, momentum, eps)
    count = b.size(element_count([d for axis, d in enumerate(x.dims) if axis != 1]), mean.dtype)
    spread = b.apply("sub", b.apply("div", 1.0, b.apply("mul", inverse, inverse)), eps)
    spread = b.apply("max", b.cast(spread, mean.dtype), 0.0)
    unbiased = b.apply("div", b.apply("mul", spread, count), b.apply("sub", count, 1.0))
    moved = [
        b.apply("add", b.apply("mul", old, 1 - momentum), b.apply("mul", new, momentum))
        for old, new in ((mean, b.cast(found, mean.dtype)), (variance, unbiased))
    ]
    return out, found, inverse, *moved


def softmax(b: AtenBuilder, x: Tensor, axis: int, *_: Any) -> Tensor:
    """Compute the softmax along an axis."""
    x = b.tensor(x, b.out.dtype)
    return (
        onnx_softmax(b, x, b.axis(axis, x.rank)) if x.rank else b.apply("exp", b.apply("sub", x, x))
    )


def log_softmax(b: AtenBuilder, x: Tensor, axis: int, *_: Any) -> Tensor:
    """Compute the logarithm of the softmax along an axis."""
    x = b.tensor(x, b.out.dtype)
    return onnx_log_softmax(b, x, b.axis(axis, x.rank)) if x.rank else b.apply("sub", x, x)


def attention(
    b: AtenBuilder,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None = None,
    dropout: float = 0.0,
    causal: bool = False,
    scale: float | None = None,
    grouped: bool = False,
) -> Tensor:
    """Compute ``softmax(scale * q kᵀ + mask) v``.

    mask: an addend of the scores, or booleans that are true where a query may read a key.  causal:
    whether a query reads only keys at its own and earlier positions.  scale: by default, one
    divided by the root of the head size.  grouped: whether several query heads may share a key
    head.
    Errors: UnsupportedOp for dropout, and for heads of dynamic size without a scale.
    """
    if dropout:
        raise UnsupportedOp("attention with dropout draws random numbers", got=dropout)
    if grouped:
        k, v = shared_heads(b, k, q), shared_heads(b, v, q)
    size = q.dims[-1].value
    if scale is None:
        if size is None:
            raise UnsupportedOp("attention with heads of dynamic size", hint="pass scale=")
        scale = 1 / sqrt(size)
    scores = b.apply("mul", product(b, q, b.matrix_transpose(k)), scale)
    wide = b.widen(scores)
    hidden: Tensor | None = None
    if causal:
        rows, columns = wide.dims[-2:]
        row, column = b.iota((rows, columns), 0), b.iota((rows, columns), 1)
        seen = b.apply("le", column, row)
        wide = b.select(seen, wide, float("-inf"))
    if mask is not None and mask.dtype == i1:
        wide = b.select(mask, wide, float("-inf"))
        hidden = mask
    elif mask is not None:
        wide = b.apply("add", wide, b.cast(mask, wide.dtype))
    weights = b.cast(onnx_softmax(b, wide, wide.rank - 1), q.dtype)
    if hidden is not None:
        # Torch returns 0 for queries that see no key.
        weights = b.select(_sees_any(b, hidden), weights, 0.0)
    return product(b, weights, v)


def _sees_any(b: AtenBuilder, mask: Tensor) -> Tensor:
    return b.cast(b.reduce(b.cast(mask, f32), "max", [mask.rank - 1]), i1)


def flash_attention(
    b: AtenBuilder,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    dropout: float = 0.0,
    causal: bool = False,
) -> tuple[Tensor | None, ...]:
    """Compute an attention, whose mask and scale are keyword arguments of the node.

    Results: the attention, and None for the sums of exponentials, which no node reads.
    """
    mask, scale = b.options.get("attn_mask"), b.options.get("scale")
    return attention(b, q, k, v, mask, dropout, causal, scale, True), None


def resize(
    b: AtenBuilder,
    x: Tensor,
    sizes: Sequence[Number] | None,
    *arguments: Any,
    mode: str,
) -> Tensor:
    """Resize the spatial axes to the sizes of the node's result.

    arguments: for some operators the option align_corners, then the caller's scales or None.  The
    scales, or else the ratio of the sizes, map positions of the result to positions of x.
    mode: "nearest", "linear" or "cubic" interpolation.
    Errors: UnsupportedOp if the resized axes differ from the shape that torch infers.
    """
    *flags, scales = arguments
    align = bool(flags[0]) if flags else False
    if align:
        scales = None
    coordinates = "pytorch_half_pixel" if scales is None else "half_pixel"
    if mode == "nearest":
        coordinates = "asymmetric"
    elif align:
        coordinates = "align_corners"
    out = b.onnx(
        "Resize",
        x,
        None,
        None if scales is None else Tensor.of_array(np.asarray([1, 1, *scales], np.float32)),
        b.integers(b.out.dims) if scales is None else None,
        mode=mode,
        coordinate_transformation_mode=coordinates,
        nearest_mode="floor",
        cubic_coeff_a=-0.75,
    )[0]
    if out.dims != b.out.dims:
        raise UnsupportedOp("a resized axis", expected=str(b.out.dims), got=str(out.dims))
    return out


def grid_sample(
    b: AtenBuilder, x: Tensor, grid: Tensor, mode: int = 0, padding: int = 0, align: bool = False
) -> Tensor:
    """Sample images at the positions of a grid.

    mode: 0 is linear interpolation, 1 nearest, 2 cubic.  padding: outside of an image are zeros
    (0), the border (1), or the reflected image (2).  align: whether positions -1 and 1 are the
    centers of the corner pixels.
    """
    return b.onnx(
        "GridSample",
        x,
        grid,
        mode=("linear", "nearest", "cubic")[mode],
        padding_mode=("zeros", "border", "reflection")[padding],
        align_corners=int(align),
    )[0]


GATE_ORDERS = {"LSTM": (0, 3, 1, 2), "GRU": (1, 0, 2)}
"""The numbers of torch's gates in ONNX's order: i o f c of i f g o (LSTM), z r h of r z n (GRU)."""


def _recurrent(kind: str) -> Converter:
    def convert(
        b: AtenBuilder,
        x: Tensor,
        states: Any,
        weights: Sequence[Tensor],
        has_biases: bool,
        layers: int,
        dropout: float,
        training: bool,
        bidirectional: bool,
        batch_first: bool,
    ) -> list[Tensor]:
        if dropout and training:
            raise UnsupportedOp("a recurrent layer with dropout draws random numbers")
        states = list(states) if isinstance(states, list | tuple) else [states]
        directions = 2 if bidirectional else 1
        step = 4 if has_biases else 2
        if len(weights) != layers * directions * step:
            raise UnsupportedOp("a recurrent layer with projections")
        out = b.transpose(x, [1, 0, 2]) if batch_first else x
        ends: list[list[Tensor]] = [[] for _ in states]
        for layer in range(layers):
            first = layer * directions
            own = [weights[(first + d) * step : (first + d + 1) * step] for d in range(directions)]
            begun = [b.slice(s, 0, first, directions) for s in states]
            made = _layer(b, kind, out, begun, own)
            # (time, directions, batch, hidden) -> (time, batch, directions * hidden)
            joined = b.transpose(made[0], [0, 2, 1, 3])
            time, batch, _, hidden = joined.dims
            out = b.reshape(joined, (time, batch, hidden * directions))
            for end, state in zip(ends, made[1:], strict=True):
                end.append(state)
        out = b.transpose(out, [1, 0, 2]) if batch_first else out
        return [out, *(b.concat(end, 0) for end in ends)]

    return convert


def _layer(
    b: AtenBuilder,
    kind: str,
    x: Tensor,
    states: Sequence[Tensor],
    weights: Sequence[Sequence[Tensor]],
) -> list[Tensor]:
    """Append one recurrent layer in one or both directions; return the outputs and the last states.

    states: the initial hidden states, and for LSTM the cell states.  weights: for each direction,
    the weights of the input and of the hidden state, then the biases if there are any.
    """
    order = GATE_ORDERS[kind]
    hidden = weights[0][1].dims[1]

    def stacked(numbers: Sequence[int]) -> Tensor:
        each = [b.concat([_in_order(b, own[n], order) for n in numbers], 0) for own in weights]
        return b.concat([b.reshape(w, (Dim.const(1), *w.dims)) for w in each], 0)

    biases = stacked((2, 3)) if len(weights[0]) == 4 else None
    inputs = [x, stacked((0,)), stacked((1,)), biases, None, *states]
    attributes: dict[str, Any] = {"hidden_size": hidden.value or 0}
    attributes["direction"] = "forward" if len(weights) == 1 else "bidirectional"
    if kind == "GRU":
        attributes["linear_before_reset"] = 1
    return b.onnx(kind, *inputs, outputs=1 + len(states), **attributes)


def _in_order(b: AtenBuilder, weight: Tensor, order: Sequence[int]) -> Tensor:
    size = weight.dims[0] // len(order)
    return b.concat([b.slice(weight, 0, size * n, size) for n in order], 0)


CONVERTERS: dict[str, Converter] = {
    "native_layer_norm": layer_norm,
    "_fused_rms_norm": rms_norm,
    "native_group_norm": group_norm,
    "_native_batch_norm_legit_no_training": batch_norm,
    "_native_batch_norm_legit.no_stats": batch_statistics_norm,
    "_native_batch_norm_legit_functional": training_batch_norm,
    "_softmax": softmax,
    "_log_softmax": log_softmax,
    "_scaled_dot_product_flash_attention_for_cpu": flash_attention,
    "grid_sampler_2d": grid_sample,
    "tilewright::attention": attention,
    "tilewright::nearest1d": partial(resize, mode="nearest"),
    "tilewright::nearest2d": partial(resize, mode="nearest"),
    "upsample_nearest2d.vec": partial(resize, mode="nearest"),
    "tilewright::nearest3d": partial(resize, mode="nearest"),
    "tilewright::linear1d": partial(resize, mode="linear"),
    "tilewright::bilinear2d": partial(resize, mode="linear"),
    "upsample_bilinear2d.vec": partial(resize, mode="linear"),
    "tilewright::trilinear3d": partial(resize, mode="linear"),
    "tilewright::bicubic2d": partial(resize, mode="cubic"),
    "tilewright::lstm": _recurrent("LSTM"),
    "tilewright::gru": _recurrent("GRU"),
}
"""Converters by operator name; names of single overloads have the overload's name appended."""
