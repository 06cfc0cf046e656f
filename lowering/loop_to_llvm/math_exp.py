"""exp, exp2, expm1: argument reduction by ln 2, a polynomial, exact scaling by 2^n.

x = n ln 2 + r with |r| <= ln 2 / 2.  Adding 1.5 * 2^23 (f64: 2^52) to x / ln 2 rounds it to the
integer n and leaves n in the low bits of the sum, so neither a rounding instruction nor a
conversion is needed.  In a language whose compiler may simplify the sum (`LaneCode.keeps_sums`),
the code has both instructions instead.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from .math_builder import BIAS, MathBuilder
from .math_round import round_even


@dataclass(frozen=True)
class _ExpConstants:
    """The constants of the exponential functions for one float type.

    ln2_high, ln2_low: ln 2 in two parts, such that n * ln2_high is exact.
    lowest, highest: the range to which x is clamped.
    tiny: if |x| is below it, e^x - 1 rounds to x.
    quotient: the coefficients of (e^r - 1 - r) / r^2 in powers of r.
    """

    ln2_high: float
    ln2_low: float
    lowest: float
    highest: float
    tiny: float
    quotient: tuple[float, ...]


_LOG2E = 1.4426950408889634
_LOG2E_LOW = 1.9259629911266175e-08
"""The difference between log2 e and its f32."""
_CONSTANTS = {
    32: _ExpConstants(
        0.693359375, -0.00021219444170128554, -104.0, 89.0, 2.0**-25,
        (0.4999999403953552, 0.1666652113199234, 0.04166838899254799, 0.0083687175065279,
         0.0013814589474350214),
    ),
    64: _ExpConstants(
        0.6931471804855391, 7.440617110012397e-11, -746.0, 710.0, 2.0**-54,
        (0.5, 0.1666666666666667, 0.04166666666666667, 0.00833333333332612,
         0.0013888888888883737, 0.00019841269874873975, 2.480158732558584e-05,
         2.755725533255441e-06, 2.7557273594799413e-07, 2.510524515390137e-08,
         2.0914707069612355e-09),
    ),
}  # fmt: skip


def _rounder(m: MathBuilder, bias: int) -> float:
    """Return a constant whose sum with x / ln 2 has n + bias in the low bits of its mantissa.

    n is x / ln 2, rounded to an integer (see the module docstring).
    """
    return 1.5 * 2.0**m.mantissa_bits + bias


def _reduce(m: MathBuilder, x: str, bias: int) -> tuple[str, str]:
    """Emit the reduction of the argument: x = n ln 2 + r.

    Returns r, and a bit pattern with n + bias in its low bits.
    """
    c = _CONSTANTS[m.bits]
    if m.text.keeps_sums:
        magic = m.const(_rounder(m, bias))
        shifted = m.fma(x, m.const(_LOG2E), magic)
        n = m.sub(shifted, magic)
    else:
        shifted = n = round_even(m, m.mul(x, m.const(_LOG2E)))
    r = m.fma(n, m.const(-c.ln2_high), x)
    return m.fma(n, m.const(-c.ln2_low), r), _biased(m, shifted, bias)


def _biased(m: MathBuilder, shifted: str, bias: int) -> str:
    """Emit a bit pattern with n + bias in its low bits.

    shifted: a float with n + bias in the low bits of its mantissa.  In a language whose compiler
    may simplify sums (see `LaneCode.keeps_sums`), it is n instead.
    """
    if m.text.keeps_sums:
        return m.to_bits(shifted)
    return m.int_op("add", m.text.cast("fptosi", shifted, m.type, m.integer), bias)


def _minus_one(m: MathBuilder, r: str) -> str:
    """Return e^r - 1 for the reduced argument r."""
    quotient = m.polynomial(r, _CONSTANTS[m.bits].quotient)
    return m.fma(m.mul(r, r), quotient, r)


def _scale(m: MathBuilder, y: str, shifted: str) -> str:
    """Emit y * 2^n as two products with powers of 2.

    No intermediate result overflows, and only a subnormal result is rounded, once.
    shifted: a bit pattern whose low bits are N = n + 2 * bias. The biased exponents of the factors
    are floor(N / 2) and N - floor(N / 2).
    """
    width = m.mantissa_bits
    exponent_mask = ((1 << (m.bits - 1 - width)) - 1) << width
    first = m.int_op("and", m.int_op("shl", shifted, width - 1), exponent_mask)
    second = m.int_op("sub", m.int_op("shl", shifted, width), first)
    return m.mul(m.mul(y, m.from_bits(first)), m.from_bits(second))


def exp(m: MathBuilder, x: str, *, halvings: int = 0) -> str:
    """Emit e^x * 2^-halvings.

    Error: 1.5 ulp; subnormal results are rounded once.  With approximate instructions: 4 ulp.
    Cost: 19 instructions with FMA.
    """
    if m.approximates and not halvings:
        return _approximated(m, x, "exp2")
    c = _CONSTANTS[m.bits]
    x = m.at_least(m.at_most(x, c.highest + halvings), c.lowest)
    r, shifted = _reduce(m, x, 2 * BIAS[m.bits] - halvings)
    return _scale(m, m.add(_minus_one(m, r), m.const(1.0)), shifted)


def exp_of_normals(m: MathBuilder, x: str) -> str:
    """Emit e^x; results below twice the smallest normal float may become 0.

    e^x is 2 e^r times the single factor 2^(n - 1), where n is clamped so that the exponent field of
    the factor is at least 0; with 0, the factor is 0.
    Error: 1.5 ulp for larger results; with approximate instructions, 4 ulp.
    Cost: 15 instructions with FMA.
    """
    if m.approximates:
        return _approximated(m, x, "exp2_of_normals")
    c, bias = _CONSTANTS[m.bits], BIAS[m.bits]
    smallest = (1 - bias) / _LOG2E
    x = m.at_least(m.at_most(x, c.highest), smallest)
    r, shifted = _reduce(m, x, bias - 1)
    doubled = m.fma(_minus_one(m, r), m.const(2.0), m.const(2.0))
    return m.mul(doubled, m.from_bits(m.int_op("shl", shifted, m.mantissa_bits)))


def _approximated(m: MathBuilder, x: str, function: str) -> str:
    """Emit e^x with an approximate instruction for powers of 2.

    e^x = 2^p (1 + d ln 2), where p is x / ln 2 rounded to a float, and d is the rounding error of
    p. The clamps keep d finite where e^x is 0 or infinite.
    function: the instruction, as `LaneCode.approximate` names it.
    """
    c = _CONSTANTS[m.bits]
    x = m.at_least(m.at_most(x, c.highest), c.lowest)
    power = m.mul(x, m.const(_LOG2E))
    rest = m.fma(x, m.const(_LOG2E), m.neg(power))
    rest = m.fma(x, m.const(_LOG2E_LOW), rest)
    factor = m.fma(rest, m.const(math.log(2)), m.const(1.0))
    return m.mul(m.text.approximate(function, m.type, power), factor)


def exp2_of_normals(m: MathBuilder, x: str) -> str:
    """Emit 2^x, or 0 if 2^x is below the smallest normal number.

    Error: 1.5 ulp for larger results; with approximate instructions, 2 ulp.
    """
    if m.approximates:
        return m.text.approximate("exp2_of_normals", m.type, x)
    return exp2(m, x)


def exp2(m: MathBuilder, x: str) -> str:
    """Emit 2^x.

    Error: 1.5 ulp; with approximate instructions, 2 ulp.
    """
    if m.approximates:
        return m.text.approximate("exp2", m.type, x)
    c = _CONSTANTS[m.bits]
    x = m.at_least(m.at_most(x, c.highest * _LOG2E), c.lowest * _LOG2E)
    bias = 2 * BIAS[m.bits]
    if m.text.keeps_sums:
        magic = m.const(_rounder(m, bias))
        shifted = m.add(x, magic)
        n = m.sub(shifted, magic)
    else:
        shifted = n = round_even(m, x)
    r = m.mul(m.sub(x, n), m.const(math.log(2)))
    return _scale(m, m.add(_minus_one(m, r), m.const(1.0)), _biased(m, shifted, bias))


def scaled_expm1(m: MathBuilder, x: str, halvings: int) -> str:
    """Emit (e^x - 1) * 2^-halvings with a small relative error near x = 0.

    halvings: 1 or 2.
    The caller makes sure that e^x * 2^-halvings does not overflow; this function clamps x from
    below.
    """
    lowest = -18.0 if m.bits == 32 else -38.0
    r, shifted = _reduce(m, m.at_least(x, lowest), BIAS[m.bits] - halvings)
    power = m.from_bits(m.int_op("shl", shifted, m.mantissa_bits))
    return m.fma(power, _minus_one(m, r), m.sub(power, m.const(2.0**-halvings)))


def expm1(m: MathBuilder, x: str) -> str:
    """Emit e^x - 1.

    Error: 2.5 ulp, including x near 0.
    """
    c = _CONSTANTS[m.bits]
    y = scaled_expm1(m, m.at_most(x, c.highest), 1)
    return _keep_tiny(m, x, m.add(y, y))


def tanh(m: MathBuilder, x: str) -> str:
    """Emit tanh x = e / (e + 2) with e = e^(2|x|) - 1.

    Error: 3 ulp, including x near 0 and subnormal x.
    """
    a = m.at_most(m.abs(x), 9.2 if m.bits == 32 else 19.5)
    half = scaled_expm1(m, m.add(a, a), 1)
    return m.copysign(m.div(half, m.add(half, m.const(1.0))), x)


def sinh(m: MathBuilder, x: str) -> str:
    """Emit sinh x = (e + e / (e + 1)) / 2 with e = e^|x| - 1.

    Error: 3 ulp, including x near 0.
    """
    c = _CONSTANTS[m.bits]
    quarter = scaled_expm1(m, m.at_most(m.abs(x), c.highest + 0.5), 2)
    rest = m.div(quarter, m.fma(quarter, m.const(4.0), m.const(1.0)))
    y = m.add(quarter, rest)
    return _keep_tiny(m, x, m.copysign(m.add(y, y), x))


def cosh(m: MathBuilder, x: str) -> str:
    """Emit cosh x = h + 1 / (4 h) with h = e^|x| / 2.

    Error: 2.5 ulp.
    """
    half = exp(m, m.abs(x), halvings=1)
    return m.add(half, m.div(m.const(0.25), half))


def _keep_tiny(m: MathBuilder, x: str, y: str) -> str:
    """Emit y = f(x), but x where f(x) rounds to x, so that subnormal x and -0 are exact."""
    tiny = m.compare("olt", m.abs(x), m.const(_CONSTANTS[m.bits].tiny))
    return m.select(tiny, x, y)
