"""Random quantized graphs in two forms: with DequantizeLinear and QuantizeLinear, and in integers.

In the first form, the inputs of each op are dequantized, and its result is quantized.  The second
form is what the compiler must compute: contractions are QLinearConv, QLinearMatMul, or ConvInteger
and MatMulInteger followed by float ops; everything else is as in the first form. onnxruntime runs
the second form without optimization, and the results must be equal bit by bit.

The scales are chosen such that many results lie exactly halfway between two bytes.  Wrong formulas
round some of these in the other direction; with random scales they would rarely do so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import prod, sqrt
from typing import Any, TypeAlias

import numpy as np

from .draw import Array, Draw
from .graph_builder import GraphBuilder, GraphTensor

_F32, _I32 = 1, 6


@dataclass(frozen=True)
class Bytes:
    """A tensor of u8 in both forms of a graph, with its scale and zero point.

    pair: the tensor in the form with DequantizeLinear and QuantizeLinear.  integer: the tensor in
    the integer form.
    """

    pair: GraphTensor
    integer: GraphTensor
    scale: np.float32
    zero: np.uint8

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the tensor."""
        return self.pair.shape


class PairBuilder:
    """Both forms of a quantized graph under construction.

    pairs: the form with DequantizeLinear and QuantizeLinear.  integers: the integer form.
    """

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.pairs, self.integers = GraphBuilder(draw), GraphBuilder(draw)

    def input(self, *shape: int) -> Bytes:
        """Declare a random input of u8 in both forms.

        Inputs are declared before all ops, so that they have the same name in both forms.
        """
        array = self.draw.integers(shape, 0, 255).astype(np.uint8)
        values = self.pairs.feed(array), self.integers.feed(array)
        return Bytes(*values, self.step(30), self.zero())

    def output(self, x: Bytes) -> None:
        """Make a u8 tensor an output of both forms of the graph."""
        self.pairs.output(x.pair)
        self.integers.output(x.integer)

    def step(self, most: int) -> np.float32:
        """Draw a scale: 0.001 times an integer from 1 to ``most``."""
        return np.float32(np.float32(0.001) * np.float32(self.draw.integer(1, most)))

    def zero(self) -> np.uint8:
        """Draw a zero point of u8."""
        return np.uint8(self.draw.one(0, 128, 255, self.draw.integer(0, 255)))

    def literal(self, op: str, *xs: Bytes, scale: np.float32, zero: np.uint8, **more: Any) -> Bytes:
        """Add an op between dequantizations and a quantization to both forms; return its result.

        scale, zero: the scale and zero point of the result.  more: attributes of the op, and in
        ``constants`` further operands.
        """
        made: list[GraphTensor] = []
        for form, values in (
            (self.pairs, [x.pair for x in xs]),
            (self.integers, [x.integer for x in xs]),
        ):
            floats = [dequantized(form, v, x) for v, x in zip(values, xs, strict=True)]
            constants = [form.constant(each) for each in more.get("constants", ())]
            attributes = {k: v for k, v in more.items() if k != "constants"}
            made.append(
                quantized(form, form.op(op, *floats, *constants, **attributes), scale, zero)
            )
        return Bytes(made[0], made[1], scale, zero)

    def product_scale(self, x: Bytes, unit: np.float32, count: int) -> np.float32:
        """Draw a scale for the result of a product that puts many sums halfway between two bytes.

        unit: the scale of the weights.  count: the number of products in one sum.
        """
        spread = max(1, int(sqrt(count) * self.draw.integer(20, 120)))
        return np.float32(x.scale * unit * np.float32(2 * spread))


def dequantized(form: GraphBuilder, value: GraphTensor, x: Bytes) -> GraphTensor:
    """Add a DequantizeLinear with the scale and zero point of ``x`` to one form.

    value: the tensor ``x`` in this form.
    """
    given = form.constant(np.array(x.scale)), form.constant(np.array(x.zero))
    return form.op("DequantizeLinear", value, *given)


def quantized(
    form: GraphBuilder, value: GraphTensor, scale: np.float32, zero: np.uint8
) -> GraphTensor:
    """Add a QuantizeLinear to u8 to one form of a graph; return its result.

    value: the tensor to quantize.  scale, zero: its scale and zero point.
    """
    return form.op("QuantizeLinear", value, *_numbers(form, scale, zero))


def _numbers(form: GraphBuilder, *numbers: Any) -> list[GraphTensor]:
    return [form.constant(np.asarray(number)) for number in numbers]


@dataclass(frozen=True)
class Weights:
    """Signed 8-bit weights of a product or convolution.

    array: the weights.  scales: a scale per output channel, or one scale for all.  axis: the axis
    of output channels.
    """

    array: Array
    scales: Array
    axis: int


def _weights(b: PairBuilder, axis: int, *shape: int) -> Weights:
    unit, count = b.step(12), shape[axis]
    array = b.draw.integers(shape, -127, 127).astype(np.int8)
    if b.draw.chance(0.3):
        return Weights(array, np.array(unit), axis)
    factors = b.draw.integers((count,), 1, 3).astype(np.float32)
    return Weights(array, (unit * factors).astype(np.float32), axis)


def _dequantized_weights(form: GraphBuilder, w: Weights) -> GraphTensor:
    zero = np.zeros(w.scales.shape, np.int8)
    return form.op("DequantizeLinear", *_numbers(form, w.array, w.scales, zero), axis=w.axis)


def convolution(b: PairBuilder, x: Bytes) -> Bytes:
    """Add a convolution of bytes to both forms; return its quantized result.

    It has an integer bias, a bias of floats, or is followed by other ops.
    """
    d, channels = b.draw, x.shape[1]
    side = d.one(1, 3) if min(x.shape[2:]) > 2 else 1
    outputs = d.one(4, 8, 17, 32)
    groups = 1
    if d.chance(0.3):
        groups = outputs = channels
    window: Mapping[str, Any] = {
        "kernel_shape": [side, side],
        "pads": [d.integer(0, side - 1) for _ in range(4)],
        "strides": [d.one(1, 1, 2)] * 2,
        "group": groups,
    }
    w = _weights(b, 0, outputs, channels // groups, side, side)
    scale, zero = b.product_scale(x, np.float32(w.scales.min()), prod(w.array.shape[1:])), b.zero()
    products = np.broadcast_to((x.scale * w.scales).astype(np.float32), (outputs,))
    bias = d.integers((outputs,), -20000, 20000).astype(np.int32)
    kind = d.one("integer", "integer", "floats", "activation")
    of_floats = kind == "floats"
    p, n = b.pairs, b.integers
    given = p.constant((bias * products).astype(np.float32)) if of_floats else None
    given = given or p.op("DequantizeLinear", *_numbers(p, bias, products), axis=0)
    y = p.op("Conv", dequantized(p, x.pair, x), _dequantized_weights(p, w), given, **window)
    zeros = np.zeros(w.scales.shape, np.int8)
    saturates = kind == "activation" and zero == 0
    if saturates:
        y = p.op("Relu", y)  # its bound is the smallest byte, so sums are rounded as without it
    if kind == "integer" or saturates:
        of_x, of_w = _numbers(n, x.scale, x.zero), _numbers(n, w.array, w.scales, zeros)
        rest = _numbers(n, scale, zero, bias)
        z = n.op("QLinearConv", x.integer, *of_x, *of_w, *rest, **window)
        return Bytes(quantized(p, y, scale, zero), z, scale, zero)
    total = n.op("ConvInteger", x.integer, *_numbers(n, w.array, x.zero), **window)
    column = (1, outputs, 1, 1)
    if not of_floats:
        total = n.op("Add", total, n.constant(bias.reshape(column)))
    z = n.op("Cast", total, to=_F32)
    z = n.op("Mul", z, n.constant(products.reshape(column)))
    if of_floats:
        z = n.op("Add", z, n.constant((bias * products).astype(np.float32).reshape(column)))
    else:
        y, z = p.op("Relu", y), n.op("Relu", z)
    return Bytes(quantized(p, y, scale, zero), quantized(n, z, scale, zero), scale, zero)


def product(b: PairBuilder, x: Bytes) -> Bytes:
    """Add a product of the last axis with weights to both forms; return its quantized result."""
    d, count = b.draw, x.shape[-1]
    w = _weights(b, 1, count, d.one(1, 7, 16, 33, 64))
    scale, zero = b.product_scale(x, np.float32(w.scales.min()), count), b.zero()
    p, n = b.pairs, b.integers
    y = p.op("MatMul", dequantized(p, x.pair, x), _dequantized_weights(p, w))
    zeros = np.zeros(w.scales.shape, np.int8)
    if d.chance(0.7):
        of_x, of_w = _numbers(n, x.scale, x.zero), _numbers(n, w.array, w.scales, zeros)
        z = n.op("QLinearMatMul", x.integer, *of_x, *of_w, *_numbers(n, scale, zero))
        return Bytes(quantized(p, y, scale, zero), z, scale, zero)
    total = n.op("MatMulInteger", x.integer, *_numbers(n, w.array, x.zero))
    z = n.op("Mul", n.op("Cast", total, to=_F32), n.constant((x.scale * w.scales).astype("f4")))
    y, z = p.op("Abs", y), n.op("Abs", z)
    return Bytes(quantized(p, y, scale, zero), quantized(n, z, scale, zero), scale, zero)


def scores(b: PairBuilder, x: Bytes) -> Bytes:
    """Add a product of bytes with their transpose, as in attention; return its quantized result."""
    order = [*range(len(x.shape) - 2), len(x.shape) - 1, len(x.shape) - 2]
    y = b.literal("Transpose", x, scale=x.scale, zero=x.zero, perm=order)
    scale, zero = b.product_scale(x, y.scale, x.shape[-1]), b.zero()
    p, n = b.pairs, b.integers
    made = p.op("MatMul", dequantized(p, x.pair, x), dequantized(p, y.pair, y))
    of_x, of_y = _numbers(n, x.scale, x.zero), _numbers(n, y.scale, y.zero)
    z = n.op("QLinearMatMul", x.integer, *of_x, y.integer, *of_y, *_numbers(n, scale, zero))
    return Bytes(quantized(p, made, scale, zero), z, scale, zero)


def sum_with_itself(b: PairBuilder, x: Bytes) -> Bytes:
    """Add the quantized sum or product of bytes and their absolute values; return it."""
    y = b.literal("Abs", x, scale=b.step(30), zero=b.zero())
    return b.literal(b.draw.one("Add", "Mul"), x, y, scale=b.step(60), zero=b.zero())


def chain(b: PairBuilder, x: Bytes) -> Bytes:
    """Add elementwise ops, each with a quantization, and return the last result.

    The compiler merges the ops to a lookup table.
    """
    for _ in range(b.draw.integer(1, 4)):
        number = np.array(b.step(900))
        op = b.draw.one("Add", "Mul", "Max", "Sub", "Div")
        x = b.literal(op, x, scale=b.step(40), zero=b.zero(), constants=[number])
    return x


def movement(b: PairBuilder, x: Bytes) -> Bytes:
    """Add an op that moves bytes, between quantizations with equal or different parameters."""
    d, same = b.draw, b.draw.chance(0.7)
    scale, zero = (x.scale, x.zero) if same else (b.step(30), b.zero())
    is_image = len(x.shape) == 4 and min(x.shape[2:]) > 2
    kind = d.one("Transpose", "Reshape", "Concat", "MaxPool" if is_image else "Reshape")
    if kind == "Transpose":
        perm = d.permutation(len(x.shape))
        return b.literal(kind, x, scale=scale, zero=zero, perm=perm)
    if kind == "Reshape":
        shape = np.array([x.shape[0], 1, *x.shape[1:]][-4:], np.int64)
        fits = prod(shape.tolist()) == prod(x.shape)
        shape = shape if fits else np.array(x.shape, np.int64)
        return b.literal(kind, x, scale=scale, zero=zero, constants=[shape])
    if kind == "Concat":
        return b.literal(kind, x, x, scale=scale, zero=zero, axis=d.integer(0, len(x.shape) - 1))
    window = {"kernel_shape": [2, 3], "pads": [1, 1, 0, 1], "strides": [1, 2]}
    return b.literal(kind, x, scale=scale, zero=zero, **window)


Step: TypeAlias = Callable[[PairBuilder, Bytes], Bytes]
_ANYWHERE: tuple[Step, ...] = (product, scores, sum_with_itself, chain, movement)
_MOST_ELEMENTS = 1 << 16


def images(b: PairBuilder) -> None:
    """Draw a network of convolutions on a small image."""
    d = b.draw
    x = b.input(1, d.one(3, 4, 16, 19), d.integer(3, 14), d.integer(3, 14))
    _steps(b, x, (convolution, convolution, sum_with_itself, chain, movement))


def rows(b: PairBuilder) -> None:
    """Draw a network of products on rows."""
    d = b.draw
    leading = [d.integer(1, 3)] if d.chance(0.5) else []
    x = b.input(*leading, d.integer(1, 40), d.one(3, 8, 31, 64, 100))
    _steps(b, x, (product, product, *_ANYWHERE))


def _steps(b: PairBuilder, x: Bytes, kinds: tuple[Step, ...]) -> None:
    for _ in range(b.draw.integer(1, 5)):
        y = b.draw.one(*kinds)(b, x)
        if prod(y.shape) > _MOST_ELEMENTS or len(y.shape) < 2:
            break
        if b.draw.chance(0.15):
            b.output(y)
        x = y
    b.output(x)


PAIRS: Mapping[str, Callable[[PairBuilder], None]] = {
    "pairs.images": images,
    "pairs.rows": rows,
}
"""Families of quantized graphs by name."""


def drawn_pairs(family: str, seed: int) -> PairBuilder:
    """Return both forms of the quantized graph that a family and a seed determine."""
    b = PairBuilder(Draw(f"{family} {seed}"))
    PAIRS[family](b)
    return b
