"""The remainder of float division, exact for all operands."""

from __future__ import annotations

from math import inf, nan

from .math_builder import MathBuilder
from .math_round import trunc

_SPARE_BITS = 5
"""Bits of a float's precision that the quotient of one step does not use, because of its error."""

_SUBTRACTIONS = 8
"""Subtractions of one step without fused products: one per bit of the quotient."""


def remainder(m: MathBuilder, x: str, y: str) -> str:
    """Emit x - trunc(x / y) * y, which has the sign of x.

    If the quotient is small, one step computes the remainder. A long division in several steps runs
    only if some lane has a larger quotient.
    Exact: for all operands, unless the target flushes subnormals to 0.
    """
    magnitude, divisor = m.abs(x), m.abs(y)
    limit = _shifted(m, divisor)
    is_small, is_finite = (m.compare("olt", magnitude, end) for end in (limit, m.const(inf)))
    # A target that flushes subnormal numbers takes such a divisor for 0.
    has_remainder = m.logic("and", is_finite, m.compare("ogt", limit, m.const(0.0)))
    is_large = m.logic("xor", is_small, m.type.mask.const(1))
    is_long = m.logic("and", has_remainder, is_large)
    rest = m.select(is_small, _step(m, magnitude, divisor), m.const(nan))
    rest = m.select(is_long, _long_division(m, is_long, magnitude, divisor), rest)
    return m.copysign(rest, x)


def _step_bits(m: MathBuilder) -> int:
    """Return the largest number of bits that the quotient of one `_step` may have."""
    return m.mantissa_bits - _SPARE_BITS if m.text.fuses_products else _SUBTRACTIONS


def _shifted(m: MathBuilder, y: str) -> str:
    """Emit y * 2^b, where b is the number of bits that one `_step` divides (`_step_bits`)."""
    return m.mul(y, m.const(2.0 ** _step_bits(m)))


def _step(m: MathBuilder, x: str, y: str) -> str:
    """Emit the remainder of x by y, two magnitudes whose quotient has at most `_step_bits` bits.

    Without a fused multiply-add, each bit of the quotient takes a subtraction. With it, the
    computed quotient is increased by more than its error, so its integral part is exact or one too
    large; the fused multiply-add then gives a difference of at most the divisor, which is exact.
    """
    if not m.text.fuses_products:
        for bit in reversed(range(_SUBTRACTIONS)):
            part = m.mul(y, m.const(2.0**bit))
            x = m.select(m.compare("oge", x, part), m.sub(x, part), x)
        return x
    raised = m.mul(m.div(x, y), m.const(1 + 2.0 ** -(_step_bits(m) + 3)))
    difference = m.fma(m.neg(trunc(m, raised)), y, x)
    is_negative = m.compare("olt", difference, m.const(0.0))
    rest = m.select(is_negative, m.add(difference, y), difference)
    # A value below its divisor is also the remainder, even if the divisor is infinite.
    return m.select(m.compare("olt", x, y), x, rest)


def _long_division(m: MathBuilder, active: str, x: str, y: str) -> str:
    """Emit the remainders of x by y by long division, for large quotients.

    Each step takes the remainder of the previous step by y times a power of two; the powers
    decrease to 1. The powers and remainders are exact.
    active: the mask of the lanes in which the result is needed.
    """
    rest = m.select(active, x, m.const(0.0))
    first, last = m.select(active, y, m.const(1.0)), m.select(active, y, m.const(2.0))

    def may_grow(values: list[str]) -> str:
        return m.compare("ole", _shifted(m, values[0]), rest)

    def grow(values: list[str]) -> list[str]:
        return [m.select(may_grow(values), _shifted(m, values[0]), values[0])]

    def is_left(values: list[str]) -> str:
        return m.compare("oge", values[1], last)

    def reduce(values: list[str]) -> list[str]:
        left, divisor = values
        reduced = m.select(is_left(values), _step(m, left, divisor), left)
        return [reduced, m.mul(divisor, m.const(2.0 ** -_step_bits(m)))]

    (largest,) = m.text.repeat(m.type, [first], may_grow, grow)
    return m.text.repeat(m.type, [rest, largest], is_left, reduce)[0]
