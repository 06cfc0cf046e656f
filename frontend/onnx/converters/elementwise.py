"""Convert elementwise operators: arithmetic, comparisons, logic, activations, casts."""

from __future__ import annotations

from functools import reduce
from math import pi, sqrt

from xdsl.dialects.builtin import Float8E8M0FNUType, IntegerType, Signedness, f32, i1, i32
from xdsl.ir import Attribute

from ....dialects.dtypes import bit_width, is_float, is_integer
from ....dialects.graph import BitcastOp
from ....support.diagnostics import UnsupportedOp
from ..builder import Builder, Tensor
from ..node import Converter, Node, OpConverter

SAME = """
Abs Neg Sign Ceil Floor Sqrt Exp Log Sin Cos Tan Asin Acos Atan Sinh Cosh Tanh Asinh Acosh Atanh Erf
Sigmoid Not Add Sub Mul Div And Or Xor
"""
"""The operators that have, in lower case, the name and the meaning of an elementwise graph op."""
# Other ONNX operator: elementwise graph op with the same operands and meaning.
RENAMED = {
    "Round": "round_even",
    "BitwiseNot": "not",
    "IsNaN": "is_nan",
    "BitwiseAnd": "and",
    "BitwiseOr": "or",
    "BitwiseXor": "xor",
    "Equal": "eq",
    "Less": "lt",
    "LessOrEqual": "le",
}
# ONNX operator: graph op with swapped operands.
SWAPPED = {"Greater": "lt", "GreaterOrEqual": "le"}
# Operators on any number of tensors.
VARIADIC = {"Sum": "add", "Max": "max", "Min": "min"}


def _same(name: str) -> Converter:
    return lambda node, b: b.apply(name, *node.present())


def _swapped(name: str) -> Converter:
    return lambda node, b: b.apply(name, node[1], node[0])


def _variadic(name: str) -> Converter:
    return lambda node, b: reduce(lambda x, y: b.apply(name, x, y), node.present())


def mean(node: Node, b: Builder) -> Tensor:
    """Compute the mean of n tensors."""
    total = reduce(lambda x, y: b.apply("add", x, y), node.present())
    return b.apply("div", total, float(len(node.inputs)))


def mod(node: Node, b: Builder) -> Tensor:
    """Compute the remainder, with the sign of the divisor or, with ``fmod``, of the dividend."""
    return b.apply("fmod" if node.integer("fmod", 0) else "mod", node[0], node[1])


def power(node: Node, b: Builder) -> Tensor:
    """Compute ``x ** y``; the result has the dtype of x.

    For an integer x and a float y, the power is computed in the dtype of y.
    """
    x, y = node[0], node[1]
    if is_integer(x.dtype) and is_float(y.dtype):
        return b.cast(b.apply("pow", b.cast(x, y.dtype), y), x.dtype)
    return b.apply("pow", x, b.cast(y, x.dtype))


def bit_shift(node: Node, b: Builder) -> Tensor:
    """Shift left or right; a shift amount of at least the bit width gives 0."""
    name = {"LEFT": "shl", "RIGHT": "shr"}.get(node.text("direction"))
    if name is None:
        raise UnsupportedOp(
            "unknown direction", expected="LEFT or RIGHT", got=node.text("direction")
        )
    return b.apply(name, node[0], node[1])


def is_inf(node: Node, b: Builder) -> Tensor:
    """Test whether elements are infinite, with the signs that the attributes select."""
    x, wide = node[0], b.widen(node[0])
    positive, negative = node.integer("detect_positive", 1), node.integer("detect_negative", 1)
    if positive and negative:
        return b.apply("eq", b.apply("abs", wide), float("inf"))
    if not positive and not negative:
        return b.broadcast_to(b.scalar(0, i1), x.dims)
    return b.apply("eq", wide, float("inf") if positive else float("-inf"))


def reciprocal(node: Node, b: Builder) -> Tensor:
    """Compute ``1 / x``."""
    return b.apply("div", 1.0, node[0])


def where(node: Node, b: Builder) -> Tensor:
    """Select ``x`` where the condition holds, else ``y``."""
    return b.select(node[0], node[1], node[2])


def clip_attributes(node: Node, b: Builder) -> Tensor:
    """Clip to bounds that are attributes (opset < 11)."""
    x = node[0]
    low = b.apply("max", x, node.number("min")) if node.has("min") else x
    return b.apply("min", low, node.number("max")) if node.has("max") else low


def clip(node: Node, b: Builder) -> Tensor:
    """Compute ``min(max(x, low), high)``, where both bounds are optional; a NaN stays NaN."""
    x, low, high = node[0], node.get(1), node.get(2)
    x = x if low is None else b.apply("max", x, low)
    return x if high is None else b.apply("min", x, high)


def cast(node: Node, b: Builder) -> Tensor:
    """Convert to the dtype that the attribute ``to`` specifies."""
    return _converted(node, b, node.dtype("to"))


def cast_like(node: Node, b: Builder) -> Tensor:
    """Convert to the dtype of the second input."""
    return _converted(node, b, node[1].dtype)


def _converted(node: Node, b: Builder, dtype: Attribute) -> Tensor:
    x = node[0]
    if isinstance(dtype, Float8E8M0FNUType) and x.dtype != dtype:
        return _power_of_two(node, b, b.cast(x, f32))
    if is_float(x.dtype) and is_integer(dtype) and bit_width(dtype) < 8:
        x = b.cast(x, i32)  # ONNX keeps the low bits of out-of-range values
    return b.cast(x, dtype, saturate=bool(node.integer("saturate", 1)))


def _power_of_two(node: Node, b: Builder, x: Tensor) -> Tensor:
    """Convert an f32 to float8e8m0: its exponent, plus 1 where the rounding mode rounds up."""
    mode, saturate = node.text("round_mode", "up"), node.integer("saturate", 1)
    unsigned, byte = (IntegerType(n, Signedness.UNSIGNED) for n in (32, 8))
    bits = b.emit(BitcastOp(b.ssa(x), unsigned))
    exponent = b.apply("and", b.apply("shr", bits, 23), 0xFF)
    fraction = b.apply("and", bits, 0x7FFFFF)
    # The smallest fraction that rounds up.
    least = {"up": 1, "nearest": 1 << 22, "down": 1 << 23}.get(mode)
    if least is None:
        raise UnsupportedOp("unknown round_mode", expected="up, down or nearest", got=mode)
    rises = b.apply("le", b.scalar(least, unsigned), fraction)
    if mode == "nearest":
        # The tie below the smallest power rounds down.
        tie = b.apply("eq", b.apply("or", exponent, fraction), least)
        rises = b.apply("and", rises, b.apply("not", tie))
    # 255 (NaN and inf) is unchanged; the largest power is 254.
    rises = b.apply("and", rises, b.apply("lt", exponent, 254 if saturate else 255))
    code = b.apply("add", exponent, b.cast(rises, unsigned))
    return b.emit(BitcastOp(b.ssa(b.cast(code, byte)), Float8E8M0FNUType()))


def bit_cast(node: Node, b: Builder) -> Tensor:
    """Reinterpret the bits as another dtype; a bool is one byte."""
    dtype, byte = node.dtype("to"), IntegerType(8, Signedness.UNSIGNED)
    x = b.cast(node[0], byte) if node[0].dtype == i1 else node[0]
    return b.cast(b.emit(BitcastOp(b.ssa(x), byte if dtype == i1 else dtype)), dtype)


def relu(node: Node, b: Builder) -> Tensor:
    """Compute ``max(x, 0)``; a NaN stays NaN."""
    return b.apply("max", node[0], 0)


def leaky_relu(node: Node, b: Builder) -> Tensor:
    """Compute ``x``, or ``alpha * x`` where x is negative."""
    x = node[0]
    scaled = b.apply("mul", x, node.number("alpha", 0.01))
    return b.select(b.apply("lt", x, 0.0), scaled, x)


def prelu(node: Node, b: Builder) -> Tensor:
    """Compute ``x``, or ``slope * x`` where x is negative."""
    x, slope = node[0], node[1]
    return b.select(b.apply("lt", x, 0), b.apply("mul", x, slope), x)


def elu(node: Node, b: Builder) -> Tensor:
    """Compute ``x``, or ``alpha * (e**x - 1)`` where x is negative; accurate near 0."""
    x = node[0]
    curve = b.apply("mul", b.apply("expm1", x), node.number("alpha", 1.0))
    return b.select(b.apply("lt", x, 0.0), curve, x)


def selu(node: Node, b: Builder) -> Tensor:
    """Compute ``gamma * elu(x)``."""
    x, gamma = node[0], node.number("gamma", 1.0507009873554805)
    alpha = node.number("alpha", 1.6732632423543772)
    curve = b.apply("mul", b.apply("expm1", x), alpha)
    return b.apply("mul", b.select(b.apply("lt", x, 0.0), curve, x), gamma)


def celu(node: Node, b: Builder) -> Tensor:
    """Compute ``x``, or ``alpha * (e**(x / alpha) - 1)`` where x is negative."""
    x, alpha = node[0], node.number("alpha", 1.0)
    curve = b.apply("mul", b.apply("expm1", b.apply("div", x, alpha)), alpha)
    return b.select(b.apply("lt", x, 0.0), curve, x)


def hard_sigmoid(node: Node, b: Builder) -> Tensor:
    """Compute ``alpha * x + beta``, clamped to 0..1."""
    x = b.apply("mul", node[0], node.number("alpha", 0.2))
    return _unit(b, b.apply("add", x, node.number("beta", 0.5)))


def hard_swish(node: Node, b: Builder) -> Tensor:
    """Compute ``x`` times ``x / 6 + 1 / 2`` clamped to 0..1."""
    gate = _unit(b, b.apply("add", b.apply("mul", node[0], 1 / 6), 0.5))
    return b.apply("mul", node[0], gate)


def _unit(b: Builder, x: Tensor) -> Tensor:
    return b.apply("min", b.apply("max", x, 0.0), 1.0)


def softplus(node: Node, b: Builder) -> Tensor:
    """Compute ``log(1 + e**x)`` as ``max(x, 0) + log1p(e**-|x|)``, which does not overflow."""
    return _softplus(b, node[0])


def _softplus(b: Builder, x: Tensor) -> Tensor:
    tail = b.apply("log1p", b.apply("exp", b.apply("neg", b.apply("abs", x))))
    return b.apply("add", b.apply("max", x, 0.0), tail)


def mish(node: Node, b: Builder) -> Tensor:
    """Compute ``x * tanh(softplus(x))``."""
    return b.apply("mul", node[0], b.apply("tanh", _softplus(b, node[0])))


def softsign(node: Node, b: Builder) -> Tensor:
    """Compute ``x / (1 + |x|)``."""
    return b.apply("div", node[0], b.apply("add", b.apply("abs", node[0]), 1.0))


def thresholded_relu(node: Node, b: Builder) -> Tensor:
    """Return ``x`` where it is above ``alpha``, else 0."""
    above = b.apply("lt", b.scalar(node.number("alpha", 1.0), node[0].dtype), node[0])
    return b.select(above, node[0], 0.0)


def shrink(node: Node, b: Builder) -> Tensor:
    """Move ``x`` by ``bias`` toward 0 if its magnitude is above ``lambd``; else return 0."""
    x, bias = node[0], node.number("bias", 0.0)
    edge = b.scalar(node.number("lambd", 0.5), b.widen(x).dtype)
    wide = b.widen(x)
    above = b.select(b.apply("lt", edge, wide), b.apply("sub", wide, bias), 0.0)
    below = b.apply("lt", wide, b.apply("neg", edge))
    return b.cast(b.select(below, b.apply("add", wide, bias), above), x.dtype)


def swish(node: Node, b: Builder, *, default: float = 1.0) -> Tensor:
    """Compute ``x * sigmoid(alpha * x)``; ``default`` is used if the node sets no alpha."""
    x, alpha = node[0], node.number("alpha", default)
    scaled = x if alpha == 1.0 else b.apply("mul", x, alpha)
    return b.apply("mul", x, b.apply("sigmoid", scaled))


def gelu(node: Node, b: Builder) -> Tensor:
    """Compute ``x * Φ(x)``, where Φ is the normal distribution function.

    The attribute ``approximate`` selects how Φ is computed: with erf, or approximately with tanh.
    """
    x, mode = node[0], node.text("approximate", "none")
    if mode not in ("none", "tanh"):
        raise UnsupportedOp("unknown approximation", expected="none or tanh", got=mode)
    return gelu_of(b, x, by_tanh=mode == "tanh")


def gelu_of(b: Builder, x: Tensor, *, by_tanh: bool = False) -> Tensor:
    """Compute ``x * Φ(x)`` with erf or, approximately, with tanh."""
    if by_tanh:
        cube = b.apply("mul", b.apply("mul", b.apply("mul", x, x), x), 0.044715)
        inner = b.apply("tanh", b.apply("mul", b.apply("add", x, cube), sqrt(2 / pi)))
    else:
        inner = b.apply("erf", b.apply("mul", x, sqrt(0.5)))
    return b.apply("mul", b.apply("mul", x, 0.5), b.apply("add", inner, 1.0))


CONVERTERS = (
    *(OpConverter(op, _same(op.lower())) for op in SAME.split()),
    *(OpConverter(op, _same(name)) for op, name in RENAMED.items()),
    *(OpConverter(op, _swapped(name)) for op, name in SWAPPED.items()),
    *(OpConverter(op, _variadic(name)) for op, name in VARIADIC.items()),
    OpConverter("Mean", mean),
    OpConverter("Mod", mod),
    OpConverter("Pow", power),
    OpConverter("BitShift", bit_shift),
    OpConverter("IsInf", is_inf),
    OpConverter("Reciprocal", reciprocal),
    OpConverter("Where", where),
    OpConverter("Clip", clip_attributes, until=10),
    OpConverter("Clip", clip, since=11),
    OpConverter("Cast", cast),
    OpConverter("CastLike", cast_like),
    OpConverter("BitCast", bit_cast),
    OpConverter("Relu", relu),
    OpConverter("LeakyRelu", leaky_relu),
    OpConverter("PRelu", prelu),
    OpConverter("Elu", elu),
    OpConverter("Selu", selu),
    OpConverter("Celu", celu),
    OpConverter("HardSigmoid", hard_sigmoid),
    OpConverter("HardSwish", hard_swish),
    OpConverter("Softplus", softplus),
    OpConverter("Mish", mish),
    OpConverter("Softsign", softsign),
    OpConverter("ThresholdedRelu", thresholded_relu),
    OpConverter("Shrink", shrink),
    OpConverter("Swish", swish),
    OpConverter("Gelu", gelu),
)
