"""Scalar formulas of elementwise operators, and of clamped read positions.

    FORMULAS["sigmoid"](s, f32, x)      appends the ops that compute sigmoid(x); s: Scalars

The frontend and graph-to-te share them, so both use the same formula for the same operator.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, i64
from xdsl.ir import Attribute, SSAValue

from ..dtypes import is_float, is_integer, is_unsigned
from ..index_syntax import INDEX
from .scalars import Scalars

Formula = Callable[..., SSAValue]
"""A function of a Scalars builder, a graph element type, and one element of each operand."""


def clamped(s: Scalars, index: SSAValue, element: Attribute, size: int | SSAValue) -> SSAValue:
    """Return an integer as a position, clamped to 0..size-1; ``size`` may be an SSA value.

    element: the graph element type of the integer.
    """
    row = s.cast(index, element, INDEX)
    last = s.like(size - 1, row) if isinstance(size, int) else s.sub(size, s.like(1, row))
    return s.max(s.min(row, last), s.like(0, row))


def _math(name: str, s: Scalars, _type: Attribute, *operands: SSAValue) -> SSAValue:
    return s.math(name, *operands)


def _abs(s: Scalars, type_: Attribute, x: SSAValue) -> SSAValue:
    return x if is_unsigned(type_) else s.abs(x)


def _sign(s: Scalars, type_: Attribute, x: SSAValue) -> SSAValue:
    zero, one = s.like(0, x), s.like(1, x)
    if is_unsigned(type_):
        return s.select(s.compare("ne", x, zero), one, zero)
    negative = s.select(s.compare("lt", x, zero), s.like(-1, x), x)
    return s.select(s.compare("gt", x, zero), one, negative)


def _sigmoid(s: Scalars, _type: Attribute, x: SSAValue) -> SSAValue:
    one = s.like(1, x)
    return s.div(one, s.add(one, s.exp_of_normals(s.neg(x))))


def _fmod(s: Scalars, type_: Attribute, x: SSAValue, y: SSAValue) -> SSAValue:
    return s.rem(x, y, unsigned=is_unsigned(type_))


def _mod(s: Scalars, type_: Attribute, x: SSAValue, y: SSAValue) -> SSAValue:
    rest = _fmod(s, type_, x, y)
    if is_unsigned(type_):
        return rest
    zero, is_negative = s.like(0, x), s.compare("lt", y, s.like(0, x))
    differ = s.bit_xor(s.compare("lt", rest, zero), is_negative)
    wrong = s.bit_and(s.compare("ne", rest, zero), differ)
    moved = s.select(wrong, s.add(rest, y), rest)
    if is_integer(type_):
        return moved
    # A remainder of 0 has the sign of y.
    signed = s.select(is_negative, s.like(-0.0, x), zero)
    return s.select(s.compare("eq", rest, zero), signed, moved)


def _pow(s: Scalars, type_: Attribute, x: SSAValue, y: SSAValue) -> SSAValue:
    if is_float(type_):
        return s.math("powf", x, y)
    if not is_unsigned(type_):
        return s.math("ipowi", x, y)
    # ipowi takes a signed exponent: i64 represents every narrower unsigned value.
    return s.cast(s.math("ipowi", s.cast(x, type_, i64), s.cast(y, type_, i64)), i64, type_)


def _shift_left(s: Scalars, _type: Attribute, x: SSAValue, y: SSAValue) -> SSAValue:
    return s.emit(arith.ShLIOp, [x, y], x.type)


def _shift_right(s: Scalars, type_: Attribute, x: SSAValue, y: SSAValue) -> SSAValue:
    return s.emit(arith.ShRUIOp if is_unsigned(type_) else arith.ShRSIOp, [x, y], x.type)


def _compare(name: str, s: Scalars, type_: Attribute, x: SSAValue, y: SSAValue) -> SSAValue:
    return s.compare(name, x, y, unsigned=is_unsigned(type_) or type_ == IntegerType(1))


_MATH = (
    "sqrt", "exp", "expm1", "log", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh",
    "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "ceil", "floor",
)  # fmt: skip

FORMULAS: dict[str, Formula] = {
    **{name: partial(_math, name) for name in _MATH},
    "round_even": partial(_math, "roundeven"),
    "abs": _abs,
    "neg": lambda s, _, x: s.neg(x),
    "sign": _sign,
    "sigmoid": _sigmoid,
    "not": lambda s, _, x: s.bit_not(x),
    "is_nan": lambda s, _, x: s.is_nan(x),
    "add": lambda s, _, x, y: s.add(x, y),
    "sub": lambda s, _, x, y: s.sub(x, y),
    "mul": lambda s, _, x, y: s.mul(x, y),
    "div": lambda s, t, x, y: s.div(x, y, unsigned=is_unsigned(t)),
    "mod": _mod,
    "fmod": _fmod,
    "pow": _pow,
    "max": lambda s, t, x, y: s.max(x, y, unsigned=is_unsigned(t)),
    "min": lambda s, t, x, y: s.min(x, y, unsigned=is_unsigned(t)),
    "and": lambda s, _, x, y: s.bit_and(x, y),
    "or": lambda s, _, x, y: s.bit_or(x, y),
    "xor": lambda s, _, x, y: s.bit_xor(x, y),
    "shl": _shift_left,
    "shr": _shift_right,
    "eq": partial(_compare, "eq"),
    "lt": partial(_compare, "lt"),
    "le": partial(_compare, "le"),
}
"""The scalar formula of every elementwise operator of the graph dialect, by mnemonic."""
