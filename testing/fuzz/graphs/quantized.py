"""Integer products and convolutions, and quantized weights."""

from __future__ import annotations

import numpy as np

from ..graph_builder import GraphBuilder, GraphTensor

_F32 = 1


def quantized_product(g: GraphBuilder) -> None:
    """Draw a product of integers, or of quantized values."""
    d = g.draw
    m, k, n = d.size(300), d.size(600), d.size(600)
    kind = d.one("integer", "linear", "dynamic", "pairs", "weights", "blocks")
    if kind == "integer":
        zero = [_i8(g, 0)] if d.chance(0.5) else []
        g.output(g.op("MatMulInteger", _bytes(g, m, k), _weights(g, k, n), _u8(g, 128), *zero))
    elif kind == "linear":
        scaled = (_f32(g, 0.01), _i8(g, 0), _f32(g, 0.4), _u8(g, 128))
        x, at = _bytes(g, m, k), _u8(g, 120)
        g.output(g.op("QLinearMatMul", x, _f32(g, 0.02), at, _weights(g, k, n), *scaled))
    elif kind == "dynamic":
        x, scale, zero = g.ops("DynamicQuantizeLinear", g.input(m, k), count=3)
        y = g.op("MatMulInteger", x, _weights(g, k, n), zero)
        y = g.op("Cast", y, to=_F32)
        g.output(g.op("Mul", y, g.op("Mul", scale, _f32(g, 0.01))))
    elif kind == "blocks":
        size = d.one(16, 32)
        blocks = d.integer(1, 12)
        scales = g.constant(d.uniform((blocks, n), 0.001, 0.02))
        weights = _weights(g, blocks * size, n)
        weights = g.op("DequantizeLinear", weights, scales, axis=0, block_size=size)
        g.output(g.op("MatMul", g.input(m, blocks * size), weights))
    else:
        scales = g.constant(d.uniform((n,), 0.001, 0.02))
        weights = g.op("DequantizeLinear", _weights(g, k, n), scales, axis=1)
        x = g.input(m, k)
        g.output(g.op("MatMul", _rounded(g, x, 0.02) if kind == "pairs" else x, weights))


def quantized_conv(g: GraphBuilder) -> None:
    """Draw a convolution of integers, or of quantized values."""
    d = g.draw
    into, channels = d.one(3, 8, 16, 32, 7, 64), d.one(8, 16, 32, 5, 64)
    height, width, side = d.size(40, 3), d.size(40, 3), d.one(1, 3)
    group = 1
    if d.chance(0.3):
        group = channels = into
    more = {
        "pads": [side // 2] * 4,
        "kernel_shape": [side, side],
        "group": group,
        "strides": [d.one(1, 2)] * 2,
    }
    kind = d.one("integer", "linear", "pairs")
    weights = _weights(g, channels, into // group, side, side)
    if kind == "integer":
        raw = d.integers((channels, into // group, side, side), 0, 255).astype(np.uint8)
        x = _bytes(g, 1, into, height, width)
        g.output(g.op("ConvInteger", x, g.constant(raw), _u8(g, 3), _u8(g, 128), **more))
        return
    scales = g.constant(d.uniform((channels,), 0.001, 0.02))
    zeros = g.constant(np.zeros(channels, np.int8))
    if kind == "linear":
        bias = g.constant(d.integers((channels,), -999, 999).astype(np.int32))
        x, at = _bytes(g, 1, into, height, width), (_f32(g, 0.02), _u8(g, 120))
        out = (_f32(g, 0.3), _u8(g, 128))
        g.output(g.op("QLinearConv", x, *at, weights, scales, zeros, *out, bias, **more))
        return
    x = _rounded(g, g.input(1, into, height, width), 0.02)
    y = g.op("Conv", x, g.op("DequantizeLinear", weights, scales, zeros, axis=0), **more)
    g.output(_rounded(g, g.op("Relu", y), 0.05))


def quantized_blocks(g: GraphBuilder) -> None:
    """Draw a network of quantized convolutions of any channels, with other ops between them.

    Images have one or two dimensions.
    """
    d = g.draw
    rank, channels, side = d.one(1, 2), d.one(3, 4, d.size(120)), d.one(7, 10, 14, 20, 28)
    size = [side] * rank if rank == 2 else [side * side]
    if d.chance(0.5):
        x = _bytes(g, 1, channels, *size)
    else:
        x = g.op("QuantizeLinear", g.input(1, channels, *size), *_scale(g))
    for _ in range(d.integer(2, 4)):
        more = d.size(120, 3)
        kind = d.one("narrow", "wide", "depthwise", "sum", "pool", "concat", *_BETWEEN, "dynamic")
        if kind in ("narrow", "wide"):
            side = 1 if kind == "narrow" else 3
            x, channels = _quantized_conv(g, x, (channels, more), [side] * rank), more
        elif kind == "depthwise":
            x = _quantized_conv(g, x, (channels, channels), [3] * rank, channels)
        elif kind == "sum":
            both = [x, _quantized_conv(g, x, (channels, channels), [3] * rank)]
            pair = [g.op("DequantizeLinear", each, *_scale(g)) for each in both]
            x = g.op("QuantizeLinear", g.op("Add", *pair), *_scale(g))
        elif kind == "pool":
            x = g.op("MaxPool", x, kernel_shape=[3] * rank, pads=[1] * 2 * rank)
        elif kind in _BETWEEN:
            x = _between(g, x, kind, channels)
        elif kind == "dynamic":
            x, channels = _dynamic_conv(g, x, (channels, more), [3] * rank), more
        else:
            counts = more, d.size(120, 3)
            parts = [_quantized_conv(g, x, (channels, n), [d.one(1, 3)] * rank) for n in counts]
            x, channels = g.op("Concat", *parts, axis=1), sum(counts)
    g.output(_quantized_conv(g, x, (channels, d.size(120, 3)), [1] * rank))


_BETWEEN = ("LeakyRelu", "HardSwish", "InstanceNormalization")


def _between(g: GraphBuilder, x: GraphTensor, op: str, channels: int) -> GraphTensor:
    """Append a dequantization, an op of floats, and a quantization."""
    y = g.op("DequantizeLinear", x, *_scale(g))
    ranges = ((0.5, 1.5), (-1, 1)) if op == "InstanceNormalization" else ()
    vectors = [g.constant(g.draw.uniform((channels,), *limits)) for limits in ranges]
    return g.op("QuantizeLinear", g.op(op, y, *vectors), *_scale(g))


def _dynamic_conv(
    g: GraphBuilder, x: GraphTensor, channels: tuple[int, int], window: list[int]
) -> GraphTensor:
    """Append a convolution whose operand is quantized by the range of its values."""
    y = g.op("DequantizeLinear", x, *_scale(g))
    y, scale, zero = g.ops("DynamicQuantizeLinear", y, count=3)
    weights = _weights(g, *channels[::-1], *window)
    y = g.op("ConvInteger", y, weights, zero, pads=[side // 2 for side in window] * 2)
    y = g.op("Mul", g.op("Cast", y, to=_F32), g.op("Mul", scale, _f32(g, 0.01)))
    return g.op("QuantizeLinear", y, *_scale(g))


def _quantized_conv(
    g: GraphBuilder, x: GraphTensor, channels: tuple[int, int], window: list[int], group: int = 1
) -> GraphTensor:
    """Append a QLinearConv.

    channels: those of the operand and of the result.  window: the sizes of the kernel.
    """
    into, count = channels
    weights = _weights(g, count, into // group, *window)
    bias = g.constant(g.draw.integers((count,), -999, 999).astype(np.int32))
    scaled = (*_scale(g), weights, _f32(g, 0.01), _i8(g, 0), *_scale(g), bias)
    return g.op("QLinearConv", x, *scaled, pads=[side // 2 for side in window] * 2, group=group)


def _scale(g: GraphBuilder) -> tuple[GraphTensor, GraphTensor]:
    return _f32(g, 0.3), _u8(g, 110)


def _rounded(g: GraphBuilder, x: GraphTensor, scale: float) -> GraphTensor:
    q = g.op("QuantizeLinear", x, _f32(g, scale), _i8(g, 0))
    return g.op("DequantizeLinear", q, _f32(g, scale), _i8(g, 0))


def _bytes(g: GraphBuilder, *shape: int) -> GraphTensor:
    return g.feed(g.draw.integers(shape, 0, 255).astype(np.uint8))


def _weights(g: GraphBuilder, *shape: int) -> GraphTensor:
    return g.constant(g.draw.integers(shape, -127, 127).astype(np.int8))


def _f32(g: GraphBuilder, value: float) -> GraphTensor:
    return g.constant(np.array(value, np.float32))


def _u8(g: GraphBuilder, value: int) -> GraphTensor:
    return g.constant(np.array(value, np.uint8))


def _i8(g: GraphBuilder, value: int) -> GraphTensor:
    return g.constant(np.array(value, np.int8))
