"""Convert elementwise operators of ATen; most become one graph op, or one ONNX operator."""

from __future__ import annotations

from math import log, pi
from typing import Any

from xdsl.dialects.builtin import i1, i8

from ...dialects.dtypes import is_float
from ..onnx.builder import Tensor
from .aten import AtenBuilder, Converter, Number, Scalar, is_of_floats

SAME = """
abs neg sign sqrt exp expm1 log log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh
erf sigmoid
"""
"""The torch operators of one operand that have the name and the meaning of a graph op."""

ROUNDING = {"ceil": "ceil", "floor": "floor", "round.default": "round_even"}
"""Operators that leave integers unchanged."""

RENAMED = {
    "sgn": "sign",
    "bitwise_not": "not",
    "logical_not": "not",
    "mul": "mul",
    "maximum": "max",
    "minimum": "min",
    "fmod": "fmod",
    "remainder": "mod",
    "bitwise_and": "and",
    "bitwise_or": "or",
    "bitwise_xor": "xor",
    "logical_and": "and",
    "logical_or": "or",
    "logical_xor": "xor",
    "bitwise_left_shift": "shl",
}
"""The graph op for each other torch operator that needs only this op."""

COMPARISONS = {
    "eq": ("eq", False, False),
    "ne": ("eq", False, True),
    "lt": ("lt", False, False),
    "le": ("le", False, False),
    "gt": ("lt", True, False),
    "ge": ("le", True, False),
}
"""By comparison: the graph op, whether to swap its operands, whether to negate its result."""

OF_ONNX: dict[str, str] = {
    "hardsigmoid": "HardSigmoid",
    "hardswish": "HardSwish",
    "mish": "Mish",
    "isinf": "IsInf",
}
"""The equivalent ONNX operator for each of these torch operators of one operand."""


def _mapped(name: str) -> Converter:
    return lambda b, *operands: b.map(name, *operands)


def _rounding(name: str) -> Converter:
    return lambda b, x: b.map(name, x) if is_of_floats(x) else x


def _comparison(name: str, *, swaps: bool, negates: bool) -> Converter:
    def convert(b: AtenBuilder, x: Scalar, y: Scalar) -> Tensor:
        dtype = b.promoted(0, 1)
        if dtype == i1 and name != "eq":
            dtype = i8
        out = b.map(name, *((y, x) if swaps else (x, y)), dtype=dtype)
        return b.apply("not", out) if negates else out

    return convert


def _of_onnx(op_type: str) -> Converter:
    def convert(b: AtenBuilder, x: Tensor) -> Tensor:
        attributes: dict[str, Any] = {"alpha": 1 / 6} if op_type == "HardSigmoid" else {}
        return b.onnx(op_type, x, **attributes)[0]

    return convert


def _scaled_sum(name: str) -> Converter:
    def convert(b: AtenBuilder, x: Scalar, y: Scalar, alpha: Number = 1) -> Tensor:
        alpha = b.options.get("alpha", alpha)
        return b.map(name, x, y if alpha == 1 else b.map("mul", y, alpha))

    return convert


def reversed_difference(b: AtenBuilder, x: Scalar, y: Scalar, alpha: Number = 1) -> Tensor:
    """Compute ``y - alpha * x``."""
    return b.map("sub", y, x if alpha == 1 else b.map("mul", x, alpha))


def divide(b: AtenBuilder, x: Scalar, y: Scalar) -> Tensor:
    """Divide x by y.

    The keyword argument rounding_mode rounds the quotient toward 0 or minus infinity.
    """
    rounding, dtype = b.options.get("rounding_mode"), b.out.dtype
    if rounding is None or (rounding == "trunc" and not is_float(dtype)):
        return b.map("div", x, y)
    if rounding == "trunc":
        return truncate(b, b.map("div", x, y))
    return floor_divide(b, x, y)


def floor_divide(b: AtenBuilder, x: Scalar, y: Scalar) -> Tensor:
    """Divide, and round the quotient toward minus infinity."""
    if is_float(b.out.dtype):
        return b.map("floor", b.map("div", x, y))
    return b.map("div", b.map("sub", x, b.map("mod", x, y)), y)


def truncate(b: AtenBuilder, x: Tensor) -> Tensor:
    """Round elements toward zero."""
    if not is_of_floats(x):
        return x
    return b.select(b.apply("lt", x, 0), b.apply("ceil", x), b.apply("floor", x))


def power(b: AtenBuilder, x: Scalar, y: Scalar) -> Tensor:
    """Raise x to the power y; the exponents 1, 2, 3, 0.5 and -0.5 have cheaper formulas."""
    if isinstance(x, Tensor) and y in (1, 2, 3):
        x = b.tensor(x, b.out.dtype)
        square = x if y == 1 else b.apply("mul", x, x)
        return b.apply("mul", square, x) if y == 3 else square
    if y in (0.5, -0.5):
        root = b.map("sqrt", x)
        return root if y == 0.5 else b.map("div", 1, root)
    return b.map("pow", x, y)


def reciprocal_root(b: AtenBuilder, x: Tensor) -> Tensor:
    """Compute ``1 / sqrt(x)``."""
    return b.map("div", 1, b.map("sqrt", x))


def shift_right(b: AtenBuilder, x: Scalar, y: Scalar) -> Tensor:
    """Shift the bits of x to the right by y positions; signed numbers keep their sign."""
    if str(b.out.dtype).startswith("u"):
        return b.map("shr", x, y)
    return floor_divide(b, x, b.map("shl", 1, y))


def clamp(b: AtenBuilder, x: Tensor, low: Any = None, high: Any = None) -> Tensor:
    """Limit elements to a range; the bounds are numbers or tensors."""
    out = b.tensor(x, b.out.dtype)
    out = out if low is None else b.map("max", out, low)
    return out if high is None else b.map("min", out, high)


def leaky_relu(b: AtenBuilder, x: Tensor, slope: float = 0.01) -> Tensor:
    """Return x, or ``slope * x`` where x is negative."""
    return b.onnx("LeakyRelu", x, alpha=float(slope))[0]


def elu(b: AtenBuilder, x: Tensor, alpha: float = 1, scale: float = 1, inner: float = 1) -> Tensor:
    """Return ``scale * x``, or ``scale * alpha * (exp(inner * x) - 1)`` where x is negative."""
    scaled = x if inner == 1 else b.apply("mul", x, float(inner))
    below = b.apply("mul", b.apply("expm1", scaled), float(alpha))
    out = b.select(b.apply("lt", x, 0), below, x)
    return out if scale == 1 else b.apply("mul", out, float(scale))


def gelu(b: AtenBuilder, x: Tensor) -> Tensor:
    """Compute GELU with erf, or with tanh if the keyword argument ``approximate`` is "tanh"."""
    return b.onnx("Gelu", x, approximate=b.options.get("approximate", "none"))[0]


def softplus(b: AtenBuilder, x: Tensor, beta: float = 1, threshold: float = 20) -> Tensor:
    """Compute ``log(1 + exp(beta * x)) / beta``, or x if ``beta * x`` exceeds the threshold."""
    scaled = b.apply("mul", x, float(beta))
    soft = b.apply("log1p", b.apply("exp", b.apply("min", scaled, float(threshold))))
    is_soft = b.apply("le", scaled, float(threshold))
    return b.select(is_soft, b.apply("div", soft, float(beta)), x)


def where(b: AtenBuilder, condition: Tensor, x: Scalar, y: Scalar) -> Tensor:
    """Select the elements of x where the condition is true, and those of y elsewhere."""
    dtype = b.out.dtype
    return b.select(b.cast(condition, i1), b.tensor(x, dtype), b.tensor(y, dtype))


def is_finite(b: AtenBuilder, x: Tensor) -> Tensor:
    """Return whether elements are neither infinite nor NaN."""
    if not is_of_floats(x):
        return b.true(x.dims)
    return b.apply("lt", b.apply("abs", x), float("inf"))


def is_nan(b: AtenBuilder, x: Tensor) -> Tensor:
    """Return whether elements are NaN."""
    return b.apply("is_nan", x) if is_of_floats(x) else b.apply("not", b.true(x.dims))


def _logarithm(factor: float) -> Converter:
    return lambda b, x: b.map("mul", b.map("log", x), factor)


def exponential_of_two(b: AtenBuilder, x: Tensor) -> Tensor:
    """Compute ``2 ** x``."""
    return b.map("pow", 2.0, x)


def arc_tangent(b: AtenBuilder, y: Tensor, x: Tensor) -> Tensor:
    """Return the angle of the point (x, y)."""
    y, x = b.tensor(y, b.out.dtype), b.tensor(x, b.out.dtype)
    angle = b.apply("atan", b.apply("div", y, x))
    half = b.select(b.apply("lt", y, 0.0), b.scalar(-pi, y.dtype), pi)
    turned = b.select(b.apply("lt", x, 0.0), b.apply("add", angle, half), angle)
    upright = b.apply("mul", b.apply("sign", y), pi / 2)
    return b.select(b.apply("eq", x, 0.0), upright, turned)


def convert_type(b: AtenBuilder, x: Tensor, *_: Any) -> Tensor:
    """Convert the elements to the type of the result; floats are truncated to integers."""
    return b.cast(x, b.out.dtype)


def linear_step(b: AtenBuilder, x: Tensor, y: Tensor, weight: Scalar) -> Tensor:
    """Compute ``x + weight * (y - x)``."""
    return b.map("add", x, b.map("mul", weight, b.map("sub", y, x)))


CONVERTERS: dict[str, Converter] = {
    **{name: _mapped(name) for name in SAME.split()},
    **{name: _mapped(op) for name, op in RENAMED.items()},
    **{name: _rounding(op) for name, op in ROUNDING.items()},
    **{name: _comparison(op, swaps=s, negates=n) for name, (op, s, n) in COMPARISONS.items()},
    **{name: _of_onnx(op_type) for name, op_type in OF_ONNX.items()},
    "add": _scaled_sum("add"),
    "sub": _scaled_sum("sub"),
    "rsub": reversed_difference,
    "div": divide,
    "true_divide": divide,
    "floor_divide": floor_divide,
    "trunc": truncate,
    "pow": power,
    "square": lambda b, x: b.map("mul", x, x),
    "rsqrt": reciprocal_root,
    "reciprocal": lambda b, x: b.map("div", 1, x),
    "bitwise_right_shift": shift_right,
    "relu": lambda b, x: b.map("max", x, 0),
    "silu": lambda b, x: b.apply("mul", x, b.apply("sigmoid", x)),
    "clamp": clamp,
    "clamp_min": clamp,
    "clamp_max": lambda b, x, high: clamp(b, x, None, high),
    "hardtanh": lambda b, x, low=-1, high=1: clamp(b, x, low, high),
    "leaky_relu": leaky_relu,
    "elu": elu,
    "gelu": gelu,
    "softplus": softplus,
    "where": where,
    "masked_fill": lambda b, x, mask, value: where(b, mask, value, x),
    "isfinite": is_finite,
    "isnan": is_nan,
    "log2": _logarithm(1 / log(2)),
    "log10": _logarithm(1 / log(10)),
    "exp2": exponential_of_two,
    "atan2": arc_tangent,
    "lerp": linear_step,
    "_to_copy": convert_type,
    "convert_element_type": convert_type,
}
"""Converters by the name of the torch operator, or by operator and overload: ``op.overload``."""
