"""Blocks of convolutional networks."""

from __future__ import annotations

from ..draw import Draw
from ..graph_builder import GraphBuilder, GraphTensor
from .layers import (
    WORK,
    activation,
    batch_norm,
    conv,
    conv_work,
    layer_norm,
    linear,
    reshape,
    reshape_like,
    rolled,
    transpose,
)


def _map(d: Draw, channels: tuple[int, ...], most: int, work: float) -> tuple[int, int, int, int]:
    """Draw the batch, channels, height and width of a feature map.

    channels: the choices; some maps have any other number.  most: the largest height and width to
    draw.  work: the largest number of operations of a convolution of the map with 2x2 filters.
    """

    def make() -> tuple[int, int, int, int]:
        size = d.one(d.size(most, 2), d.one(7, 14, 20, 28, 33, 40, 50, 56, 65, 75, 80, 112))
        height, width = d.one((size, size), (size, d.size(most, 2)))
        count = d.size(130, 3) if d.chance(0.25) else d.one(*channels)
        return d.one(1, 1, 1, 2, 4), count, height, width

    return d.fitting(make, lambda s: conv_work(s, s[1], (2, 2)), work)


def inverted_residual(g: GraphBuilder) -> None:
    """Draw 1x1, depthwise and 1x1 convolutions, with more channels inside, as in MobileNet."""
    d = g.draw
    shape = _map(d, (8, 16, 24, 32, 40, 64, 96, 160, 12, 20, 5), 150, WORK / 8)
    x = g.input(*shape)
    first = x if d.chance(0.5) else activation(g, conv(g, x, shape[1], 1), "relu")
    wide = shape[1] * d.one(1, 2, 3, 4, 6)
    kernel = d.one(3, 3, 5, 7)
    kind = d.one("relu6", "hard_swish", "silu", "relu", "gelu")
    y = activation(g, conv(g, first, wide, 1), kind)
    pads = [0, 1, 1, 0] if kernel == 3 and min(shape[2:]) > 4 and d.chance(0.25) else None
    dilation = d.one(1, 1, 1, 2) if pads is None else 1
    y = conv(g, y, wide, kernel, stride=d.one(1, 1, 2), group=wide, dilation=dilation, pads=pads)
    y = activation(g, y, kind)
    y = _excited(g, y) if d.chance(0.25) else y
    y = conv(g, y, shape[1] if d.chance(0.6) else d.one(16, 24, 40, 17), 1)
    g.output(g.op("Add", y, first) if y.shape == first.shape else y)


def squeeze_excite(g: GraphBuilder) -> None:
    """Draw a feature map whose channels are scaled by a small network of the channels' means."""
    d = g.draw
    channels = (8, 16, 24, 32, 40, 72, 96, 120, 144, 480, 672, 960, 17, 33)
    shape = _map(d, channels, 60, WORK / 4)
    x = y = g.input(*shape)
    if d.chance(0.7):
        y = activation(g, conv(g, x, shape[1], d.one(3, 5), group=shape[1]))
    y = _excited(g, y)
    g.output(conv(g, y, d.one(16, 24, 40, 112, shape[1]), 1) if d.chance(0.7) else y)


def _excited(g: GraphBuilder, y: GraphTensor) -> GraphTensor:
    d, channels = g.draw, y.shape[1]
    mean = g.op("GlobalAveragePool", y)
    if d.chance(0.4):
        mean = g.op("ReduceMean", y, g.ints(2, 3), keepdims=1)
    small = activation(g, conv(g, mean, max(1, channels // d.one(4, 16, 3)), 1))
    return g.op("Mul", y, g.op(d.one("Sigmoid", "HardSigmoid"), conv(g, small, channels, 1)))


def dense_block(g: GraphBuilder) -> None:
    """Draw a chain of convolutions, each of which reads all earlier results, as in DenseNet."""
    d = g.draw
    shape = _map(d, (16, 24, 64, 7, 33), 40, WORK / 16)
    y, grow = g.input(*shape), d.one(8, 12, 16, 32, 5)
    for _ in range(d.integer(2, 5)):
        z = activation(g, batch_norm(g, y), "relu") if d.chance(0.7) else y
        if d.chance(0.5):
            z = activation(g, conv(g, z, 4 * grow, 1), "relu")
        y = g.op("Concat", y, conv(g, z, grow, 3), axis=1)
    if d.chance(0.5) and min(shape[2:]) > 1:
        y = g.op("AveragePool", y, kernel_shape=[2, 2], strides=[2, 2])
    g.output(y)


def bottleneck(g: GraphBuilder) -> None:
    """Draw 1x1, 3x3 and 1x1 convolutions and a residual sum, as in ResNet and ResNeXt."""
    d = g.draw
    shape = _map(d, (32, 64, 96, 128, 256, 48, 60), 60, WORK / 4)
    x = g.input(*shape)
    narrow = max(4, shape[1] // d.one(1, 2, 4) // 4 * 4)
    stride = d.one(1, 1, 1, 2)
    y = activation(g, conv(g, x, narrow, 1), "relu")
    groups = d.one(1, 1, 4, narrow // 4, narrow)
    groups = groups if narrow % groups == 0 else 1
    y = activation(g, conv(g, y, narrow, 3, stride=stride, group=groups), "relu")
    y = batch_norm(g, conv(g, y, shape[1], 1))
    short = x if stride == 1 else conv(g, x, shape[1], 1, stride=stride)
    y = g.op("Add", y, short) if y.shape == short.shape else y
    g.output(activation(g, y, "relu"))


def channels_last(g: GraphBuilder) -> None:
    """Draw a depthwise convolution, a transpose to channels last, a norm and products: ConvNeXt."""
    d = g.draw
    shape = _map(d, (96, 192, 24, 40, 64, 7, 33, 100), 60, WORK / 16)
    x = g.input(*shape)
    y = conv(g, x, shape[1], d.one(3, 5, 7, 7), group=shape[1]) if d.chance(0.7) else x
    y = transpose(g, y, 0, 2, 3, 1)
    y = layer_norm(g, y) if d.chance(0.7) else y
    if d.chance(0.6):
        y = linear(g, activation(g, linear(g, y, shape[1] * d.one(1, 2, 4))), shape[1])
    y = transpose(g, y, 0, 3, 1, 2) if d.chance(0.7) else y
    g.output(g.op("Add", y, x) if y.shape == x.shape and d.chance(0.7) else y)


def concat_conv(g: GraphBuilder) -> None:
    """Draw feature maps that are concatenated along the channels, a convolution and a split."""
    d = g.draw
    batch, most, height, width = _map(d, (64,), 40, WORK / 8)
    parts: list[GraphTensor] = []
    for _ in range(d.integer(2, 4)):
        x = g.input(batch, d.one(8, 16, 24, 32, 12, 7, 48, most, 3), height, width)
        if d.chance(0.7):
            x = conv(g, x, d.one(8, 16, 24, 32, 12, 7, 48, 64), d.one(1, 3))
            x = activation(g, x, "relu")
        parts.append(x)
    y = g.op("Concat", *parts, axis=1)
    y = activation(g, batch_norm(g, y), "relu") if d.chance(0.4) else y
    g.output(conv(g, y, d.one(16, 32, 20, 64, 5), d.one(1, 3, 5), stride=d.one(1, 2)))
    if d.chance(0.3) and y.shape[1] % 2 == 0:
        half, _ = g.ops("Split", y, axis=1, num_outputs=2, count=2)
        g.output(activation(g, half, "relu"))


def upsample(g: GraphBuilder) -> None:
    """Draw an upsampled feature map that is joined with another one and convolved, as in U-Nets."""
    d = g.draw
    shape = _map(d, (16, 32, 64, 24, 7), 33, WORK / 32)
    x = activation(g, conv(g, g.input(*shape), shape[1], d.one(1, 3)))
    kind = d.one("nearest", "linear", "transpose", "shuffle")
    if kind == "transpose":
        weights = g.weight(shape[1], shape[1], 2, 2, fan_in=4 * shape[1])
        y = g.op("ConvTranspose", x, weights, strides=[2, 2])
    elif kind == "shuffle":
        y = g.op("DepthToSpace", conv(g, x, 4 * shape[1], 3), blocksize=2, mode="CRD")
    else:
        sizes = g.ints(shape[0], shape[1], 2 * shape[2], 2 * shape[3])
        y = g.op("Resize", x, None, None, sizes, mode=kind)
    skip = g.input(shape[0], d.one(8, 16, 20), *y.shape[2:])
    y = g.op("Concat", y, skip, axis=1) if d.chance(0.7) else y
    g.output(activation(g, conv(g, y, d.one(16, 24, 8, 3, 1), 3)))


def windows(g: GraphBuilder) -> None:
    """Draw a feature map that is split into windows, processed and joined again, as in Swin."""
    d = g.draw
    window, rows, columns = d.one(2, 4, 7, 8), d.integer(1, 6), d.integer(1, 6)
    batch, channels = d.one(1, 2), d.one(8, 24, 32, 96, 17)
    height, width = window * rows, window * columns
    x = y = g.input(batch, height, width, channels)
    shift = d.integer(0, window // 2)
    if shift:
        y = rolled(g, y, 1, shift)
    y = reshape(g, y, batch, rows, window, columns, window, channels)
    split = transpose(g, y, 0, 1, 3, 2, 4, 5)
    y = reshape(g, split, batch * rows * columns, window * window, channels)
    y = linear(g, layer_norm(g, y), channels)
    y = reshape_like(g, y, split)
    y = reshape(g, transpose(g, y, 0, 1, 3, 2, 4, 5), batch, height, width, channels)
    y = rolled(g, y, 1, height - shift) if shift else y
    g.output(g.op("Add", x, y) if d.chance(0.6) else y)
