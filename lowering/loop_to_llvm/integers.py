"""Emit integer division, shifts and float-to-integer conversion that are defined for all inputs.

Each function appends instructions and returns the printed operand of the result.

x / 0 and x % 0 are 0; the smallest integer divided by -1 wraps; shift amounts beyond the width give
0, or the sign for ashr; powers wrap; floats out of range saturate, and NaN becomes 0.  Exact.
"""

from __future__ import annotations

from .lane_code import LaneCode
from .types import LlvmType

# Truncated quotients of iN are exact in this float type: the float's rounding error is less than
# 1 / divisor, the least distance of an inexact quotient from an integer.
_DIVISION_FLOAT = {8: "f32", 16: "f32", 32: "f64"}


def divide(text: LaneCode, type_: LlvmType, a: str, b: str, *, signed: bool) -> str:
    """Append the quotient a / b, truncated toward 0; return it.

    signed: whether a and b are signed integers.
    """
    zero = text.binary("icmp eq", type_, b, type_.const(0))
    safe = text.select(zero, type_, type_.const(1), b)
    if not signed:
        return text.select(zero, type_, type_.const(0), _quotient(text, type_, a, safe, "u"))
    minus = text.binary("icmp eq", type_, b, type_.const(-1))
    safe = text.select(minus, type_, type_.const(1), safe)
    quotient = _quotient(text, type_, a, safe, "s")
    quotient = text.select(minus, type_, text.binary("sub", type_, type_.const(0), a), quotient)
    return text.select(zero, type_, type_.const(0), quotient)


def remainder(text: LaneCode, type_: LlvmType, a: str, b: str, *, signed: bool) -> str:
    """Append the remainder of the truncated division a / b; return it.

    signed: whether a and b are signed integers.
    """
    unit = text.binary("icmp eq", type_, b, type_.const(0))
    if signed:
        minus = text.binary("icmp eq", type_, b, type_.const(-1))
        unit = text.binary("or", type_.mask, unit, minus)
    safe = text.select(unit, type_, type_.const(1), b)
    letter = "s" if signed else "u"
    if not _divides_as_float(type_):
        return text.binary(f"{letter}rem", type_, a, safe)
    quotient = _quotient(text, type_, a, safe, letter)
    return text.binary("sub", type_, a, text.binary("mul", type_, quotient, safe))


def floor_divide(text: LaneCode, type_: LlvmType, a: str, b: str) -> str:
    """Append the signed quotient a / b, rounded down; return it."""
    quotient = divide(text, type_, a, b, signed=True)
    rest = text.binary("sub", type_, a, text.binary("mul", type_, quotient, b))
    zero = type_.const(0)
    differ = text.binary("icmp slt", type_, text.binary("xor", type_, rest, b), zero)
    broken = text.binary("icmp ne", type_, rest, zero)
    nonzero = text.binary("icmp ne", type_, b, zero)
    lower = text.binary("and", type_.mask, text.binary("and", type_.mask, differ, broken), nonzero)
    return text.binary("add", type_, quotient, text.cast("sext", lower, type_.mask, type_))


def divide_constant(text: LaneCode, type_: LlvmType, opcode: str, a: str, divisor: int) -> str:
    """Append the quotient or remainder of a and a constant, which LLVM turns into multiplications.

    opcode: ``sdiv``, ``udiv``, ``srem`` or ``urem``.
    Returns the result.
    """
    if divisor == 0:
        return type_.const(0)
    if divisor == -1 and opcode[0] == "s":
        is_quotient = opcode == "sdiv"
        return text.binary("sub", type_, type_.const(0), a) if is_quotient else type_.const(0)
    return text.binary(opcode, type_, a, type_.const(divisor))


def _divides_as_float(type_: LlvmType) -> bool:
    return type_.lanes > 1 and type_.bits in _DIVISION_FLOAT


def _quotient(text: LaneCode, type_: LlvmType, a: str, b: str, letter: str) -> str:
    """Append the quotient of a and b; return it.

    The hardware must neither trap nor overflow for b.
    letter: ``s`` for signed integers, ``u`` for unsigned ones.
    """
    if not _divides_as_float(type_):
        return text.binary(f"{letter}div", type_, a, b)
    wide = type_.of(_DIVISION_FLOAT[type_.bits])
    x, y = (text.cast(f"{letter}itofp", v, type_, wide) for v in (a, b))
    quotient = text.binary("fdiv", wide, x, y)
    if type_.bits == 32:
        return text.cast(f"fpto{letter}i", quotient, wide, type_)
    middle = type_.of("i32")
    return text.cast("trunc", text.cast("fptosi", quotient, wide, middle), middle, type_)


def shift(text: LaneCode, type_: LlvmType, opcode: str, a: str, amount: str) -> str:
    """Append a shift of a by any amount; return it.

    opcode: shl, lshr or ashr.
    """
    top = type_.const(type_.bits - 1)
    inside = text.binary("icmp ult", type_, amount, type_.const(type_.bits))
    if opcode == "ashr":
        return text.binary("ashr", type_, a, text.select(inside, type_, amount, top))
    masked = text.binary("and", type_, amount, top)
    return text.select(inside, type_, text.binary(opcode, type_, a, masked), type_.const(0))


def power(text: LaneCode, type_: LlvmType, base: str, exponent: str) -> str:
    """Append a signed power, computed by squaring; return it.

    A negative exponent gives the inverse of base 1 or -1, and 0 for any other base.  Cost: bits - 1
    steps of two products for any exponent.
    """
    zero, one = type_.const(0), type_.const(1)
    out, square = one, base
    for bit in range(type_.bits - 1):
        mask = text.binary("and", type_, exponent, type_.const(1 << bit))
        used = text.binary("icmp ne", type_, mask, zero)
        out = text.select(used, type_, text.binary("mul", type_, out, square), out)
        square = text.binary("mul", type_, square, square)
    odd = text.binary("icmp ne", type_, text.binary("and", type_, exponent, one), zero)
    # base + 1 is 0 or 2 for the two numbers that have an inverse.
    next_ = text.binary("add", type_, base, one)
    rest = text.binary("and", type_, next_, type_.const(~2))
    unit = text.binary("icmp eq", type_, rest, zero)
    inverse = text.select(unit, type_, text.select(odd, type_, base, one), zero)
    negative = text.binary("icmp slt", type_, exponent, zero)
    return text.select(negative, type_, inverse, out)


def from_float(text: LaneCode, x: str, source: LlvmType, target: LlvmType, *, signed: bool) -> str:
    """Append the conversion of a float x to an integer, truncated and saturated; return it.

    NaN becomes 0. For i1, the result is ``x != 0``.
    signed: whether the integer is signed.
    """
    if target.bits == 1:
        return text.binary("fcmp une", source, x, source.const(0.0))
    lowest, highest = limits(target, signed=signed)
    if target.bits <= 16:
        x = clamped(text, x, source, (lowest, highest), nan=0)
        middle = target.of("i32")
        return text.cast("trunc", text.cast("fptosi", x, source, middle), middle, target)
    above = text.binary("fcmp oge", source, x, source.const(lowest))
    below = text.binary("fcmp olt", source, x, source.const(highest + 1))
    inside = text.binary("and", source.mask, above, below)
    safe = text.select(inside, source, x, source.const(0.0))
    out = text.cast("fptosi" if signed else "fptoui", safe, source, target)
    # LLVM types have no sign: the largest unsigned value is printed as all ones.
    largest = target.const(highest if signed else -1)
    limit = text.select(above, target, largest, target.const(lowest))
    known = text.binary("fcmp ord", source, x, x)
    limit = text.select(known, target, limit, target.const(0))
    return text.select(inside, target, out, limit)


def limits(target: LlvmType, *, signed: bool) -> tuple[int, int]:
    """Return the lowest and the highest value of an integer type.

    signed: whether the integers are signed, which the types of LLVM do not state.
    """
    lowest = -(1 << (target.bits - 1)) if signed else 0
    return lowest, (1 << (target.bits - int(signed))) - 1


def clamped(text: LaneCode, x: str, source: LlvmType, limits: tuple[int, int], *, nan: int) -> str:
    """Append a float x, clamped to two limits; return it.

    source: the type of x, which must represent the limits exactly.
    nan: the result for NaN.
    """
    low, high = (source.const(limit) for limit in limits)
    if nan != limits[0]:
        known = text.binary("fcmp ord", source, x, x)
        x = text.select(known, source, x, source.const(nan))
    # NaN is not above the lower limit, so the result is this limit.
    x = text.select(text.binary("fcmp ogt", source, x, low), source, x, low)
    return text.select(text.binary("fcmp olt", source, high, x), source, high, x)
