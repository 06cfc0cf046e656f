"""Convert elementwise ops: arithmetic, comparisons, logic, bits, conversions.

The sum of booleans is a logical or, the product a logical and; comparisons treat booleans as 0 and
1. Where StableHLO leaves the behavior to the implementation, the graph dialect defines it: a
division of integers by 0 returns 0.
Source: StableHLO specification.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, pi

from xdsl.dialects.builtin import IntegerType, Signedness, bf16, f16, f32, f64
from xdsl.ir import Attribute

from ...dialects.dtypes import bit_width, is_bool, is_float, is_unsigned
from ...dialects.graph import BitcastOp
from ...support.diagnostics import ModelError, UnsupportedOp
from ..onnx.builder import Builder, Tensor
from .node import Converter, StablehloNode

# StableHLO op: elementwise graph op with the same operands and meaning.
SAME = {
    "add": "add",
    "and": "and",
    "ceil": "ceil",
    "cosine": "cos",
    "divide": "div",
    "exponential": "exp",
    "exponential_minus_one": "expm1",
    "floor": "floor",
    "log": "log",
    "log_plus_one": "log1p",
    "logistic": "sigmoid",
    "maximum": "max",
    "minimum": "min",
    "multiply": "mul",
    "negate": "neg",
    "not": "not",
    "or": "or",
    "power": "pow",
    "remainder": "fmod",
    "round_nearest_even": "round_even",
    "shift_left": "shl",
    "sine": "sin",
    "sqrt": "sqrt",
    "subtract": "sub",
    "tan": "tan",
    "tanh": "tanh",
    "xor": "xor",
}
_OF_BOOLS = {"add": "or", "mul": "and", "max": "or", "min": "and"}
"""By graph op on numbers, the graph op that has the same meaning on booleans."""

_COMPARISONS: dict[str, Callable[[Builder, Tensor, Tensor], Tensor]] = {
    "EQ": lambda b, x, y: b.apply("eq", x, y),
    "NE": lambda b, x, y: b.apply("not", b.apply("eq", x, y)),
    "LT": lambda b, x, y: b.apply("lt", x, y),
    "LE": lambda b, x, y: b.apply("le", x, y),
    "GT": lambda b, x, y: b.apply("lt", y, x),
    "GE": lambda b, x, y: b.apply("le", y, x),
}
_FORMATS: dict[tuple[int, int], Attribute] = {
    (5, 10): f16,
    (8, 7): bf16,
    (8, 23): f32,
    (11, 52): f64,
}
"""Float types by their numbers of exponent bits and fraction bits."""


def _same(name: str) -> Converter:
    def convert(node: StablehloNode, b: Builder) -> Tensor:
        kind = _OF_BOOLS.get(name, name) if is_bool(node[0].dtype) else name
        return b.apply(kind, *node.inputs)

    return convert


def absolute(node: StablehloNode, b: Builder) -> Tensor:
    """Return the absolute values of elements."""
    return node[0] if is_unsigned(node[0].dtype) else b.apply("abs", node[0])


def sign(node: StablehloNode, b: Builder) -> Tensor:
    """Return -1, 0 or 1 for negative, zero and positive elements."""
    return b.apply("min", node[0], 1) if is_unsigned(node[0].dtype) else b.apply("sign", node[0])


def rsqrt(node: StablehloNode, b: Builder) -> Tensor:
    """Return 1 / sqrt(x)."""
    return b.apply("div", 1.0, b.apply("sqrt", node[0]))


def cbrt(node: StablehloNode, b: Builder) -> Tensor:
    """Return the cube root: a power, refined by one step of Newton's method."""
    x = node[0]
    size = b.apply("abs", x)
    root = b.apply("pow", size, 1 / 3)
    square = b.apply("mul", root, root)
    error = b.apply("sub", b.apply("mul", square, root), size)
    step = b.apply("div", error, b.apply("mul", square, 3.0))
    is_regular = b.apply("lt", b.apply("mul", size, root), inf)
    is_regular = b.apply("and", is_regular, b.apply("lt", 0.0, square))
    root = b.select(is_regular, b.apply("sub", root, step), root)
    return b.apply("mul", b.apply("sign", x), root)


def round_away(node: StablehloNode, b: Builder) -> Tensor:
    """Round to the nearest integer; ties round away from zero."""
    x = node[0]
    size = b.apply("abs", x)
    whole = b.apply("floor", size)
    is_half = b.apply("le", 0.5, b.apply("sub", size, whole))
    rounded = b.apply("add", whole, b.cast(is_half, x.dtype))
    is_rounded = b.apply("lt", size, inf)
    return b.select(is_rounded, b.apply("mul", b.apply("sign", x), rounded), x)


def _is_negative(b: Builder, x: Tensor) -> Tensor:
    """Return a mask of the floats whose sign bit is set."""
    width = bit_width(x.dtype)
    return b.apply("lt", bitcast(b, x, IntegerType(width)), 0)


def atan2(node: StablehloNode, b: Builder) -> Tensor:
    """Return the angle of the point (x, y), computed in one octant and reflected."""
    y, x = node[0], node[1]
    width, height = b.apply("abs", x), b.apply("abs", y)
    small, large = b.apply("min", width, height), b.apply("max", width, height)
    is_even = b.apply("eq", small, large)  # 0 / 0 and inf / inf
    ratio = b.select(
        is_even, b.cast(b.apply("lt", 0.0, large), x.dtype), b.apply("div", small, large)
    )
    angle = b.apply("atan", ratio)
    angle = b.select(b.apply("lt", width, height), b.apply("sub", pi / 2, angle), angle)
    angle = b.select(_is_negative(b, x), b.apply("sub", pi, angle), angle)
    return b.select(_is_negative(b, y), b.apply("neg", angle), angle)


def is_finite(node: StablehloNode, b: Builder) -> Tensor:
    """Return a mask of the elements that are neither infinite nor NaN."""
    return b.apply("lt", b.apply("abs", b.widen(node[0])), inf)


def bitcast(b: Builder, x: Tensor, dtype: Attribute) -> Tensor:
    """Reinterpret the bits of elements as another type of the same width."""
    return x if x.dtype == dtype else b.emit(BitcastOp(b.ssa(x), dtype))


def bitcast_convert(node: StablehloNode, b: Builder) -> Tensor:
    """Reinterpret the bits of elements as another type.

    If this type is narrower, each element is split along a new last axis; if it is wider, the
    elements of the last axis are joined.
    """
    x, dtype = node[0], node.type.dtype
    assert dtype is not None, "the type is checked"
    old, new = bit_width(x.dtype), bit_width(dtype)
    if old < new:
        joined = b.emit(BitcastOp(b.ssa(x), dtype))
        return b.reshape(joined, joined.dims[:-1])
    if old > new:
        return b.emit(BitcastOp(b.ssa(b.reshape(x, (*x.dims, 1))), dtype))
    return bitcast(b, x, dtype)


def _of_sign(signedness: Signedness, name: str) -> Converter:
    def convert(node: StablehloNode, b: Builder) -> Tensor:
        x, amount = node[0], node[1]
        dtype = IntegerType(bit_width(x.dtype), signedness)
        shifted = b.apply(name, bitcast(b, x, dtype), bitcast(b, amount, dtype))
        return bitcast(b, shifted, x.dtype)

    return convert


def _unsigned(b: Builder, x: Tensor) -> Tensor:
    return bitcast(b, x, IntegerType(bit_width(x.dtype), Signedness.UNSIGNED))


def _count_bits(b: Builder, x: Tensor) -> Tensor:
    """Count the 1 bits of unsigned integers by adding adjacent bits, then pairs, then nibbles."""
    width = bit_width(x.dtype)
    whole = (1 << width) - 1
    step = 1
    while step < width:
        mask = b.scalar(whole // ((1 << step) + 1), x.dtype)  # ones of this many bits, alternating
        high = b.apply("and", b.apply("shr", x, step), mask)
        x = b.apply("add", b.apply("and", x, mask), high)
        step *= 2
    return x


def popcount(node: StablehloNode, b: Builder) -> Tensor:
    """Return the number of 1 bits of each element."""
    return bitcast(b, _count_bits(b, _unsigned(b, node[0])), node[0].dtype)


def leading_zeros(node: StablehloNode, b: Builder) -> Tensor:
    """Return the number of zeros before the first 1 bit of each element."""
    x = _unsigned(b, node[0])
    step = 1
    while step < bit_width(x.dtype):
        x = b.apply("or", x, b.apply("shr", x, step))
        step *= 2
    return bitcast(b, _count_bits(b, b.apply("not", x)), node[0].dtype)


def clamp(node: StablehloNode, b: Builder) -> Tensor:
    """Limit x to a range; the bounds may be scalars."""
    low, x, high = node.inputs
    return b.apply("min", b.apply("max", x, low), high)


def select(node: StablehloNode, b: Builder) -> Tensor:
    """Select between two tensors by a condition, which may be a scalar."""
    return b.select(node[0], node[1], node[2])


def compare(node: StablehloNode, b: Builder) -> Tensor:
    """Compare elements; with the compare type TOTALORDER, floats are ordered by their bits."""
    direction = node.word("comparison_direction")
    if direction not in _COMPARISONS:
        raise ModelError("unknown comparison", expected=", ".join(_COMPARISONS), got=direction)
    x, y = node[0], node[1]
    if node.word("compare_type") == "TOTALORDER":
        x, y = total_order(b, x), total_order(b, y)
    if is_bool(x.dtype) and direction not in ("EQ", "NE"):
        x, y = (b.cast(each, IntegerType(8)) for each in (x, y))
    return _COMPARISONS[direction](b, x, y)


def total_order(b: Builder, x: Tensor) -> Tensor:
    """Map floats to integers in their total order: -NaN, -inf, …, -0, 0, …, inf, NaN."""
    if not is_float(x.dtype):
        return x
    width = bit_width(x.dtype)
    bits = bitcast(b, x, IntegerType(width))
    flipped = b.apply("xor", bits, (1 << (width - 1)) - 1)
    return b.select(b.apply("lt", bits, 0), flipped, bits)


def convert(node: StablehloNode, b: Builder) -> Tensor:
    """Convert elements to the element type of the result.

    Conversions of floats to integers truncate and saturate, and return 0 for NaN.
    """
    dtype = node.type.dtype
    assert dtype is not None, "the type is checked"
    return b.cast(node[0], dtype, saturate=False)


def reduce_precision(node: StablehloNode, b: Builder) -> Tensor:
    """Round elements to a float type with fewer bits; they keep their element type."""
    bits = node.integer("exponent_bits"), node.integer("mantissa_bits")
    x = node[0]
    if bits not in _FORMATS:
        raise UnsupportedOp(
            "rounding to this format is not supported",
            expected=", ".join(f"e{e}m{m}" for e, m in _FORMATS),
            got=f"e{bits[0]}m{bits[1]}",
        )
    narrow = _FORMATS[bits]
    if bit_width(narrow) > bit_width(x.dtype):
        return x
    return b.cast(b.cast(x, narrow, saturate=False), x.dtype)


def identity(node: StablehloNode, b: Builder) -> tuple[Tensor, ...]:
    """Return the operands unchanged."""
    del b
    return node.inputs


CONVERTERS: dict[str, Converter] = {
    **{f"stablehlo.{name}": _same(op) for name, op in SAME.items()},
    "stablehlo.abs": absolute,
    "stablehlo.atan2": atan2,
    "stablehlo.bitcast_convert": bitcast_convert,
    "stablehlo.cbrt": cbrt,
    "stablehlo.clamp": clamp,
    "stablehlo.compare": compare,
    "stablehlo.convert": convert,
    "stablehlo.count_leading_zeros": leading_zeros,
    "stablehlo.is_finite": is_finite,
    "stablehlo.optimization_barrier": identity,
    "stablehlo.popcnt": popcount,
    "stablehlo.reduce_precision": reduce_precision,
    "stablehlo.round_nearest_afz": round_away,
    "stablehlo.rsqrt": rsqrt,
    "stablehlo.select": select,
    "stablehlo.shift_right_arithmetic": _of_sign(Signedness.SIGNLESS, "shr"),
    "stablehlo.shift_right_logical": _of_sign(Signedness.UNSIGNED, "shr"),
    "stablehlo.sign": sign,
}
