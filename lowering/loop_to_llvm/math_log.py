"""log, log2, log10, log1p, pow and the inverse hyperbolic functions.

x = 2^e (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2); log(1 + f) = f - f^2/2 + s (f^2/2 + R(s^2)) with
s = f / (2 + f), which keeps the relative error small near x = 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from .math_builder import BIAS, MathBuilder, bit_pattern
from .math_exp import exp
from .math_round import round_even


@dataclass(frozen=True)
class _LogConstants:
    """The constants of the logarithms for one float type.

    ln2_high, ln2_low: ln 2 in two parts, such that e * ln2_high is exact.
    smallest_normal: the smallest normal number of the type.
    scale_bits: a subnormal x is first multiplied by 2^scale_bits.
    series: the coefficients of (2 atanh(s) - 2 s) / s^3 in powers of s^2.
    """

    ln2_high: float
    ln2_low: float
    smallest_normal: float
    scale_bits: int
    series: tuple[float, ...]


_CONSTANTS = {
    32: _LogConstants(
        0.693359375, -0.00021219444170128554, 2.0**-126, 25,
        (0.6666666269302368, 0.4000033736228943, 0.28537216782569885, 0.23584029078483582),
    ),
    64: _LogConstants(
        0.6931471804855391, 7.440617110012397e-11, 2.0**-1022, 54,
        (0.666666666666667, 0.39999999999899033, 0.28571428626190487, 0.22222211099711295,
         0.18182891680439733, 0.15331636699545695, 0.1461749869387011),
    ),
}  # fmt: skip


def _split(m: MathBuilder, x: str) -> tuple[str, str]:
    """Emit the parts e and f of a positive finite x = 2^e (1 + f); x may be subnormal.

    Returns e as a float, then f.
    """
    c = _CONSTANTS[m.bits]
    small = m.compare("olt", x, m.const(c.smallest_normal))
    x = m.select(small, m.mul(x, m.const(2.0**c.scale_bits)), x)
    start = bit_pattern(math.sqrt(0.5), m.bits)
    shifted = m.int_op("add", m.to_bits(x), bit_pattern(1.0, m.bits) - start)
    biased = m.int_op("lshr", shifted, m.mantissa_bits)
    unit = 2.0**m.mantissa_bits
    offset = unit + BIAS[m.bits]
    number = m.from_bits(m.int_op("or", biased, bit_pattern(unit, m.bits)))
    e = m.sub(number, m.select(small, m.const(offset + c.scale_bits), m.const(offset)))
    mantissa = m.int_op("and", shifted, (1 << m.mantissa_bits) - 1)
    f = m.sub(m.from_bits(m.int_op("add", mantissa, start)), m.const(1.0))
    return e, f


def _log_parts(m: MathBuilder, f: str) -> tuple[str, str]:
    """Emit the two terms p and q of log(1 + f) = f - p + q; return p and q.

    p is f^2 / 2, and q is s (f^2 / 2 + R), see the module docstring.
    """
    s = m.div(f, m.add(f, m.const(2.0)))
    z = m.mul(s, s)
    rest = m.mul(z, m.polynomial(z, _CONSTANTS[m.bits].series))
    half_square = m.mul(m.mul(f, f), m.const(0.5))
    return half_square, m.mul(s, m.add(half_square, rest))


def _at_the_edges(m: MathBuilder, x: str, y: str) -> str:
    """Emit y = log x, but the special values at the edges.

    These are -inf for x = 0, NaN for x < 0, and x for infinity and NaN.
    """
    y = m.select(m.compare("olt", x, m.const(math.inf)), y, x)
    zero = m.const(0.0)
    pole = m.select(m.compare("oeq", x, zero), m.const(-math.inf), m.const(math.nan))
    return m.select(m.compare("ole", x, zero), pole, y)


def log(m: MathBuilder, x: str) -> str:
    """Emit the natural logarithm.

    Error: 1 ulp.
    """
    c = _CONSTANTS[m.bits]
    e, f = _split(m, x)
    half_square, product = _log_parts(m, f)
    low = m.fma(e, m.const(c.ln2_low), product)
    inner = m.sub(m.sub(half_square, low), f)
    return _at_the_edges(m, x, m.sub(m.mul(e, m.const(c.ln2_high)), inner))


def log2(m: MathBuilder, x: str) -> str:
    """Emit the logarithm to base 2; exact at powers of 2.

    Error: 2 ulp.
    """
    return _scaled_log(m, x, 1 / math.log(2), 1.0)


def log10(m: MathBuilder, x: str) -> str:
    """Emit the logarithm to base 10.

    Error: 3 ulp.
    """
    return _scaled_log(m, x, 1 / math.log(10), math.log10(2))


def _scaled_log(m: MathBuilder, x: str, per_unit: float, per_octave: float) -> str:
    e, f = _split(m, x)
    half_square, product = _log_parts(m, f)
    natural = m.sub(f, m.sub(half_square, product))
    octaves = e if per_octave == 1.0 else m.mul(e, m.const(per_octave))
    return _at_the_edges(m, x, m.fma(natural, m.const(per_unit), octaves))


def log1p(m: MathBuilder, x: str) -> str:
    """Emit log(1 + x) = log u + (x - (u - 1)) / u with u = 1 + x rounded.

    Error: 2 ulp, including x near 0.
    """
    u = m.add(x, m.const(1.0))
    if not m.text.keeps_sums:
        half_square, product = _log_parts(m, x)
        near = m.sub(x, m.sub(half_square, product))
        return m.select(m.compare("olt", m.abs(x), m.const(0.25)), near, log(m, u))
    lost = m.div(m.sub(x, m.sub(u, m.const(1.0))), u)
    y = log(m, u)
    y = m.select(m.compare("ord", lost, lost), m.add(y, lost), y)
    tiny = m.compare("olt", m.abs(x), m.const(2.0 ** -(m.mantissa_bits + 2)))
    return m.select(tiny, x, y)


def asinh(m: MathBuilder, x: str) -> str:
    """Emit asinh x = log1p(a + a / (1/a + sqrt(1 + 1/a^2))), a = |x|.

    Error: 3.5 ulp; inf for x above half of the largest float.
    """
    a = m.abs(x)
    inverse = m.div(m.const(1.0), a)
    root = m.sqrt(m.fma(inverse, inverse, m.const(1.0)))
    return m.copysign(log1p(m, m.add(a, m.div(a, m.add(inverse, root)))), x)


def acosh(m: MathBuilder, x: str) -> str:
    """Emit acosh x = log1p(t + sqrt(t) sqrt(t + 2)), t = x - 1; NaN for x < 1.

    Error: 3.5 ulp; inf for x above half of the largest float.
    """
    t = m.sub(x, m.const(1.0))
    product = m.mul(m.sqrt(t), m.sqrt(m.add(t, m.const(2.0))))
    return log1p(m, m.add(t, product))


def atanh(m: MathBuilder, x: str) -> str:
    """Emit atanh x = log1p(2 a / (1 - a)) / 2, a = |x|; NaN for a > 1.

    Error: 3.5 ulp.
    """
    a = m.abs(x)
    ratio = m.div(m.add(a, a), m.sub(m.const(1.0), a))
    y = m.copysign(m.mul(log1p(m, ratio), m.const(0.5)), x)
    tiny = m.compare("olt", a, m.const(2.0 ** -(m.mantissa_bits // 2 + 2)))
    return m.select(tiny, x, y)


def pow(m: MathBuilder, x: str, y: str) -> str:
    """Emit x^y with the special cases of IEEE 754's pow.

    Error: f32 1 ulp (computed in f64); f64 2 + 2 |y log x| ulp. Without f64, f32 about
    2 + |y log x| ulp.
    """
    if m.bits == 64 or not m.text.has_f64:
        return _pow_in_type(m, x, y)
    wide = m.widened()
    widened = [m.text.cast("fpext", v, m.type, wide.type) for v in (x, y)]
    return m.text.cast("fptrunc", _pow_in_type(wide, *widened), wide.type, m.type)


def _pow_in_type(m: MathBuilder, x: str, y: str) -> str:
    one, zero = m.const(1.0), m.const(0.0)
    a = m.abs(x)
    size = exp(m, m.mul(y, log(m, a)))
    known = m.compare("ord", y, y)
    unit = m.logic("and", m.compare("oeq", a, one), known)
    size = m.select(m.logic("or", unit, m.compare("oeq", y, zero)), one, size)
    whole = m.compare("oeq", round_even(m, y), y)
    half = m.mul(y, m.const(0.5))
    odd = m.logic("and", whole, m.compare("one", round_even(m, half), half))
    signed = m.select(odd, m.copysign(size, x), size)
    below = m.logic("and", m.compare("olt", x, zero), m.compare("ogt", x, m.const(-math.inf)))
    broken = m.logic("and", below, m.compare("une", round_even(m, y), y))
    signed = m.select(broken, m.const(math.nan), signed)
    return m.select(m.compare("oeq", x, one), one, signed)
