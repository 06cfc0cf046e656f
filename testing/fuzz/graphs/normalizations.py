"""Norms, Softmax and its variants, reductions."""

from __future__ import annotations

from math import prod

import numpy as np

from ..graph_builder import GraphBuilder, GraphTensor
from .layers import (
    WORK,
    activation,
    batch_norm,
    conv,
    layer_norm,
    reshape,
    reshape_like,
    rms_norm,
)

_ELEMENTS = WORK / 200


def softmax(g: GraphBuilder) -> None:
    """Draw Softmax, LogSoftmax or Hardmax along any axis."""
    d = g.draw
    shape = d.shape(d.integer(1, 5), _ELEMENTS)
    x = g.input(*shape, scale=3)
    if d.chance(0.3):
        x = g.op("Mul", x, g.input(*(n if d.chance(0.5) else 1 for n in shape)))
    if d.chance(0.15) and x.rank > 2:
        x = reshape(g, x, x.shape[0] * x.shape[1], *x.shape[2:])
    axis = d.integer(-x.rank, x.rank - 1)
    g.output(g.op(d.one("Softmax", "Softmax", "LogSoftmax", "Hardmax"), x, axis=axis))


def norm_rows(g: GraphBuilder) -> None:
    """Draw norms over trailing axes, as an operator or written out."""
    d = g.draw
    shape = d.shape(d.integer(1, 5), _ELEMENTS)
    x = g.input(*shape)
    if d.chance(0.2):
        x = g.op("Add", x, g.input(*shape))
    kind = d.one("layer", "layer", "rms", "written", "written rms", "lp", "variance")
    axis = d.integer(0, len(shape) - 1)
    tail = shape[axis:]
    if kind == "layer":
        bias = [g.weight(*tail)] if d.chance(0.7) else []
        scale = g.weight(*tail, fan_in=30, around=1)
        g.output(g.op("LayerNormalization", x, scale, *bias, axis=axis))
    elif kind == "rms":
        g.output(g.op("RMSNormalization", x, g.weight(*tail, fan_in=30, around=1), axis=axis))
    elif kind == "lp":
        g.output(g.op("LpNormalization", x, axis=axis, p=d.one(1, 2)))
    elif kind == "variance" and shape[axis] > 1:
        g.output(_divided_by_deviation(g, x, [axis]))
    else:
        g.output(layer_norm(g, x) if kind == "written" else rms_norm(g, x))


def norm_channels(g: GraphBuilder) -> None:
    """Draw norms of channels or of groups of channels."""
    d = g.draw
    rank, groups = d.one(3, 4, 4, 5), d.one(1, 2, 4, 8, 32)
    channels = groups * d.integer(1, 20) if d.chance(0.6) else d.size(300)
    groups = groups if channels % groups == 0 else 1
    most = _ELEMENTS / channels
    sizes = d.shape(rank - 2, most)
    x = g.input(1 if prod(sizes) * 2 > most else d.one(1, 2), channels, *sizes)
    if d.chance(0.3) and rank == 4 and prod(x.shape) * channels < WORK / 4:
        x = conv(g, x, channels, 1)
    kind = d.one("instance", "group", "group", "written", "written", "batch", "lrn", "variance")
    scale, bias = g.weight(channels, around=1), g.weight(channels)
    if kind == "instance":
        y = g.op("InstanceNormalization", x, scale, bias)
    elif kind == "group":
        y = g.same("GroupNormalization", x, scale, bias, num_groups=groups)
    elif kind == "written":
        y = _group_norm(g, x, groups)
    elif kind == "batch":
        y = batch_norm(g, x)
    elif kind == "lrn" or x.shape[0] * prod(sizes) == 1:
        y = g.op("LRN", x, size=d.one(1, 3, 5))
    else:
        y = _divided_by_deviation(g, x, [0, *range(2, rank)])
    g.output(activation(g, y, "silu") if d.chance(0.3) else y)


def _divided_by_deviation(g: GraphBuilder, x: GraphTensor, axes: list[int]) -> GraphTensor:
    """Subtract the mean and divide by the standard deviation, over axes with several elements.

    Over a single element the deviation would be 0, for which onnxruntime returns NaN.
    """
    return g.same("MeanVarianceNormalization", x, axes=axes)


def _group_norm(g: GraphBuilder, x: GraphTensor, groups: int) -> GraphTensor:
    """Apply a group norm as torch exports it: groups as channels of an InstanceNormalization."""
    ones = g.constant(np.ones(groups, g.dtype))
    zeros = g.constant(np.zeros(groups, g.dtype))
    grouped = reshape(g, x, x.shape[0], groups, x.elements // x.shape[0] // groups)
    y = g.op("InstanceNormalization", grouped, ones, zeros)
    y = reshape_like(g, y, x)
    shape = (x.shape[1], *[1] * (x.rank - 2))
    y = g.op("Mul", y, g.weight(*shape, fan_in=30, around=1))
    return g.op("Add", y, g.weight(*shape, fan_in=30))


_REDUCTIONS = (
    "ReduceSum", "ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceL1", "ReduceL2",
    "ReduceLogSumExp", "ReduceSumSquare", "ReduceProd",
)  # fmt: skip


def reduce(g: GraphBuilder) -> None:
    """Draw reductions over any axes, of an input or of the elementwise product of two."""
    d = g.draw
    shape = d.shape(d.integer(1, 5), _ELEMENTS)
    kind = d.one(*_REDUCTIONS, "ArgMax", "ArgMin")
    x = g.input(*shape, scale=0.5)
    if kind == "ReduceProd":
        x = g.op("Add", g.op("Mul", x, g.number(0.02)), g.number(1.0))
    elif d.chance(0.3):
        x = g.op("Mul", x, g.input(*(n if d.chance(0.6) else 1 for n in shape)))
    keep = d.integer(0, 1)
    if kind.startswith("Arg"):
        axis, last = d.integer(0, len(shape) - 1), d.integer(0, 1)
        g.output(g.op(kind, x, axis=axis, keepdims=keep, select_last_index=last))
        return
    y = g.op(kind, x, g.ints(*d.some(range(len(shape)))), keepdims=keep)
    g.output(g.op("Mul", y, g.number(0.5)) if d.chance(0.3) else y)


def centered(g: GraphBuilder) -> None:
    """Draw a value combined with its own reductions, such as the variance or the maximum."""
    d = g.draw
    x = g.input(*d.shape(d.integer(2, 5), _ELEMENTS))
    axes = g.ints(*d.some(range(x.rank), 0.4))
    kind = d.one("variance", "maximum", "sum", "two")
    if kind == "variance":
        y = g.op("Sub", x, g.op("ReduceMean", x, axes))
        y = g.op("ReduceMean", g.op("Mul", y, y), axes, keepdims=d.integer(0, 1))
    elif kind == "maximum":
        high = g.op("ReduceMax", g.op("Abs", x), axes)
        y = g.op("Div", x, g.op("Add", high, g.number(1.0)))
    elif kind == "sum":
        e = g.op("Exp", g.op("Sub", x, g.op("ReduceMax", x, axes)))
        y = g.op("Div", e, g.op("ReduceSum", e, axes))
    else:
        g.output(g.op("ReduceMax", x, axes))
        y = g.op("ReduceSumSquare", x, axes)
    g.output(y)
