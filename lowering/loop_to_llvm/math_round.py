"""Rounding of floats to integral floats, without libm calls on any target.

Exact.
"""

from __future__ import annotations

from .math_builder import MathBuilder


def round_even(m: MathBuilder, x: str) -> str:
    """Emit x rounded to the nearest integer, ties to even."""
    if m.text.has_rounding:
        return m.text.intrinsic("roundeven", m.type, x)
    return m.copysign(_unsigned_round(m, m.abs(x)), x)


def _unsigned_round(m: MathBuilder, a: str) -> str:
    """Emit the rounding of a non-negative float, by adding and subtracting 2^23 (f64: 2^52)."""
    unit = m.const(2.0**m.mantissa_bits)
    rounded = m.sub(m.add(a, unit), unit)
    return m.select(m.compare("olt", a, unit), rounded, a)


def floor(m: MathBuilder, x: str) -> str:
    """Emit the largest integer not above x."""
    if m.text.has_rounding:
        return m.text.intrinsic("floor", m.type, x)
    nearest = round_even(m, x)
    lower = m.sub(nearest, m.const(1.0))
    return m.select(m.compare("ogt", nearest, x), lower, nearest)


def ceil(m: MathBuilder, x: str) -> str:
    """Emit the smallest integer not below x."""
    if m.text.has_rounding:
        return m.text.intrinsic("ceil", m.type, x)
    return m.neg(floor(m, m.neg(x)))


def trunc(m: MathBuilder, x: str) -> str:
    """Emit x rounded toward zero."""
    if m.text.has_rounding:
        return m.text.intrinsic("trunc", m.type, x)
    return m.copysign(floor(m, m.abs(x)), x)


def round_away(m: MathBuilder, x: str) -> str:
    """Emit x rounded to the nearest integer, ties away from zero."""
    below_half = 0.5 - 2.0 ** -(m.mantissa_bits + 2)
    return trunc(m, m.add(x, m.copysign(m.const(below_half), x)))
