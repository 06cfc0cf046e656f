"""Layers and other parts of networks that several families of random graphs share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod, sqrt

import numpy as np

from ..graph_builder import GraphBuilder, GraphTensor

WORK = 4e8
"""Most floating-point operations of a graph, so that it can also be run and timed."""

ACTIVATIONS = (
    "relu", "gelu", "gelu_tanh", "gelu_erf", "tanh", "sigmoid", "silu", "hard_swish", "leaky_relu",
    "relu6",
)  # fmt: skip


def activation(g: GraphBuilder, x: GraphTensor, kind: str | None = None) -> GraphTensor:
    """Apply an activation function: one operator, or several as exporters write it.

    kind: one of `ACTIVATIONS`; None draws one.
    """
    kind = g.draw.one(*ACTIVATIONS) if kind is None else kind
    if kind == "gelu_erf":
        erf = g.op("Erf", g.op("Div", x, g.number(sqrt(2))))
        return g.op("Mul", g.op("Mul", x, g.op("Add", erf, g.number(1.0))), g.number(0.5))
    if kind == "silu":
        return g.op("Mul", x, g.op("Sigmoid", x))
    if kind == "relu6":
        return g.op("Clip", x, g.number(0.0), g.number(6.0))
    if kind == "gelu_tanh":
        return g.op("Gelu", x, approximate="tanh")
    if kind == "leaky_relu":
        return g.op("LeakyRelu", x, alpha=0.1)
    names = {"relu": "Relu", "gelu": "Gelu", "tanh": "Tanh", "hard_swish": "HardSwish"}
    return g.op(names.get(kind, "Sigmoid"), x)


def linear(g: GraphBuilder, x: GraphTensor, columns: int, *, bias: float = 0.7) -> GraphTensor:
    """Multiply the last axis of a value by weights; add a bias with probability ``bias``."""
    y = g.op("MatMul", x, g.weight(x.shape[-1], columns))
    return g.op("Add", y, g.weight(columns)) if g.draw.chance(bias) else y


def layer_norm(g: GraphBuilder, x: GraphTensor) -> GraphTensor:
    """Normalize the last axis by LayerNormalization or by single operators, with scale and bias."""
    n = x.shape[-1]
    if g.draw.chance(0.6):
        return g.op("LayerNormalization", x, g.weight(n, around=1), g.weight(n), axis=-1)
    centered = g.op("Sub", x, g.op("ReduceMean", x, g.ints(-1)))
    variance = g.op("ReduceMean", g.op("Mul", centered, centered), g.ints(-1))
    deviation = g.op("Sqrt", g.op("Add", variance, g.number(1e-5)))
    y = g.op("Mul", g.op("Div", centered, deviation), g.weight(n, around=1))
    return g.op("Add", y, g.weight(n))


def rms_norm(g: GraphBuilder, x: GraphTensor) -> GraphTensor:
    """Divide the last axis by its root mean square, by RMSNormalization or by single operators."""
    scale = g.weight(x.shape[-1], around=1)
    if g.draw.chance(0.4):
        return g.op("RMSNormalization", x, scale, axis=-1)
    square = g.op("Mul", x, x) if g.draw.chance(0.5) else g.op("Pow", x, g.number(2.0))
    mean = g.op("Add", g.op("ReduceMean", square, g.ints(-1)), g.number(1e-6))
    if g.draw.chance(0.5):
        y = g.op("Div", x, g.op("Sqrt", mean))
    else:
        y = g.op("Mul", x, g.op("Reciprocal", g.op("Sqrt", mean)))
    return g.op("Mul", y, scale)


def batch_norm(g: GraphBuilder, x: GraphTensor) -> GraphTensor:
    """Normalize the channels of a value by BatchNormalization with constant statistics."""
    channels = x.shape[1]
    variance = g.constant(g.draw.uniform((channels,), 0.5, 1.5).astype(g.dtype))
    scale, bias, mean = g.weight(channels, around=1), g.weight(channels), g.weight(channels)
    return g.op("BatchNormalization", x, scale, bias, mean, variance)


def conv(
    g: GraphBuilder,
    x: GraphTensor,
    channels: int,
    kernel: int | Sequence[int],
    *,
    stride: int | Sequence[int] = 1,
    dilation: int | Sequence[int] = 1,
    group: int = 1,
    pads: Sequence[int] | None = None,
    is_constant: bool = True,
) -> GraphTensor:
    """Convolve a value with random weights; without pads, a stride of 1 keeps the size.

    channels: the number of output channels.  kernel, stride, dilation: one number per spatial axis,
    or one for all.  group: the number of groups of channels.  is_constant: whether the weights are
    constants and not an input.
    """
    spatial = x.rank - 2
    kernel, stride, dilation = (each_axis(v, spatial) for v in (kernel, stride, dilation))
    if pads is None:
        reach = [(k - 1) * d for k, d in zip(kernel, dilation, strict=True)]
        pads = [r // 2 for r in reach] + [r - r // 2 for r in reach]
    shape = (channels, x.shape[1] // group, *kernel)
    fan_in = prod(shape[1:])
    if is_constant:
        weights = g.weight(*shape, fan_in=fan_in)
    else:
        weights = g.input(*shape, scale=1 / sqrt(fan_in))
    return g.op(
        "Conv",
        x,
        weights,
        *([g.weight(channels)] if g.draw.chance(0.6) else []),
        kernel_shape=kernel,
        strides=stride,
        dilations=dilation,
        group=group,
        pads=list(pads),
    )


def each_axis(value: int | Sequence[int], rank: int) -> list[int]:
    """Return a list with one number per axis.

    value: the list, or one number for all axes.
    """
    return [value] * rank if isinstance(value, int) else list(value)


def conv_work(x: Sequence[int], channels: int, kernel: Sequence[int], group: int = 1) -> float:
    """Return the floating-point operations of a convolution of stride 1 that keeps the size.

    x: the shape of the input.  channels: the number of output channels.  group: the number of
    groups of channels.
    """
    return 2.0 * x[0] * channels * prod(x[2:]) * (x[1] // group) * prod(kernel)


def reshape(g: GraphBuilder, x: GraphTensor, *shape: int) -> GraphTensor:
    """Reshape a value to a shape that is computed from the sizes of ``x``, as exporters write it.

    So the graph stays valid if sizes of the inputs become symbols.  The axes of ``x`` and of the
    result are matched in the smallest groups with equally many elements.  An axis that corresponds
    to the same axis of ``x`` alone has target size 0, which copies the size.  In every other group,
    the largest size is computed: the elements of the group in ``x`` over the other target sizes,
    which are constants.
    """
    assert prod(shape) == x.elements, f"{x.shape} does not reshape to {shape}"
    target: list[GraphTensor] = []
    start = 0
    for old, new in _groups(x.shape, shape):
        sizes = shape[len(target) : len(target) + new]
        largest = max(range(new), key=sizes.__getitem__, default=0) if old else new
        in_place = old == new == 1 and start == len(target)
        known = [0 if in_place else n for n in sizes]
        divisor = prod(sizes[:largest]) * prod(sizes[largest + 1 :])
        target += [
            _elements(g, x, start, old, divisor) if n == largest and not in_place else g.ints(size)
            for n, size in enumerate(known)
        ]
        start += old
    return g.shaped("Reshape", shape, x, g.op("Concat", *target, axis=0))


def reshape_like(g: GraphBuilder, x: GraphTensor, other: GraphTensor) -> GraphTensor:
    """Reshape a value to the shape that ``other`` has at run time."""
    return g.shaped("Reshape", other.shape, x, g.op("Shape", other))


def _groups(source: Sequence[int], shape: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Split the axes of two shapes into the smallest groups with equally many elements.

    Yield the count of axes of each group in ``source``, and in ``shape``.
    """
    left = right = 0
    while left < len(source) or right < len(shape):
        old, new = min(1, len(source) - left), min(1, len(shape) - right)
        while (points := prod(source[left : left + old])) != (
            product := prod(shape[right : right + new])
        ):
            old, new = old + (points < product), new + (points > product)
        yield old, new
        left, right = left + old, right + new


def _elements(g: GraphBuilder, x: GraphTensor, start: int, count: int, divisor: int) -> GraphTensor:
    """Return the product of ``count`` sizes of ``x``, from axis ``start`` on, over ``divisor``."""
    sizes = g.op("Shape", x, start=start, end=start + count)
    size = g.op("ReduceProd", sizes, keepdims=1) if count > 1 else sizes
    return size if divisor == 1 else g.op("Div", size, g.ints(divisor))


def transpose(g: GraphBuilder, x: GraphTensor, *perm: int) -> GraphTensor:
    """Permute the axes of a value."""
    return g.op("Transpose", x, perm=list(perm))


def turned(g: GraphBuilder, x: GraphTensor) -> GraphTensor:
    """Swap the last two axes of a value."""
    return transpose(g, x, *range(x.rank - 2), x.rank - 1, x.rank - 2)


def rolled(g: GraphBuilder, x: GraphTensor, axis: int, by: int) -> GraphTensor:
    """Rotate a value along an axis by ``by`` elements."""
    first = g.op("Slice", x, g.ints(by), g.ints(2**31), g.ints(axis))
    second = g.op("Slice", x, g.ints(0), g.ints(by), g.ints(axis))
    return g.op("Concat", first, second, axis=axis)


def lowest(g: GraphBuilder) -> float:
    """Return the number that represents minus infinity in a mask that is added to scores."""
    if g.dtype.itemsize == 2:
        return -10000.0
    return float(g.draw.one(-np.inf, -1e9, np.finfo(np.float32).min, -10000.0))
