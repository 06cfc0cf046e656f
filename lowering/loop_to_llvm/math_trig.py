"""sin, cos, tan and their inverses.

x = q pi/2 + r with |r| <= pi/4, reduced in f64 for both widths (pi/2 in three parts).  The error
bounds hold for |x| <= 1e6; for larger |x|, the reduction adds an absolute error of about 2e-16 |x|.
Code in a language without f64 reduces in f32, with an absolute error of about 1e-7 for |x| <= 1e4.
"""

from __future__ import annotations

import math

from .math_builder import MathBuilder
from .math_round import round_even

_HALF_PI_PARTS = (1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21)
_HALF_PI_PARTS_IN_F32 = (1.5703125, 0.0004837512969970703, 7.549789948768648e-08)
_ROUNDER = 1.5 * 2.0**52
# (sin(r) - r) / r^3 and (cos(r) - 1 + r^2 / 2) / r^4 in powers of r^2.
_SIN = {
    32: (-0.1666666716337204, 0.008333329111337662, -0.00019839330343529582, 2.718274117796682e-06),
    64: (-0.16666666666666666, 0.008333333333333331, -0.00019841269841265052,
         2.7557319219328634e-06, -2.505210622879051e-08, 1.605853103949209e-10,
         -7.586662967321083e-13),
}  # fmt: skip
_COS = {
    32: (0.0416666679084301, -0.0013888883404433727, 2.4799515813356265e-05,
         -2.7209887321077986e-07),
    64: (0.041666666666666664, -0.0013888888888888887, 2.480158730158464e-05,
         -2.755731922139697e-07, 2.087675578904718e-09, -1.147046056542305e-11,
         4.74585291504536e-14),
}  # fmt: skip
# (atan(t) - t) / t^3 in powers of t^2, |t| <= tan(pi/8).
_ATAN = {
    32: (-0.33333316445350647, 0.1999848335981369, -0.14243736863136292, 0.10595126450061798,
         -0.06081124395132065),
    64: (-0.3333333333333333, 0.1999999999999549, -0.1428571428466014, 0.11111111014741562,
         -0.09090904557214267, 0.0769218270524632, -0.06664504610032648, 0.05858089538610203,
         -0.050851391487066376, 0.03922268882347632, -0.0191659065063043),
}  # fmt: skip


def _reduce(m: MathBuilder, x: str) -> tuple[str, str]:
    """Emit the reduction of the argument: x = q pi/2 + r.

    Returns r, and q as an integer of the same width.
    """
    if not m.text.has_f64:
        return _reduce_in_f32(m, x)
    wide = m.widened()
    d = m.text.cast("fpext", x, m.type, wide.type)
    magic = wide.const(_ROUNDER)
    shifted = wide.fma(d, wide.const(2 / math.pi), magic)
    n = wide.sub(shifted, magic)
    for part in _HALF_PI_PARTS:
        d = wide.fma(n, wide.const(-part), d)
    d = wide.at_least(wide.at_most(d, 0.7854), -0.7854)
    quadrant = m.text.cast("trunc", wide.to_bits(shifted), wide.integer, m.integer)
    return m.text.cast("fptrunc", d, wide.type, m.type), quadrant


def _reduce_in_f32(m: MathBuilder, x: str) -> tuple[str, str]:
    """Emit the reduction of the argument x = q pi/2 + r without f64.

    The product of q and a part of pi/2 is exact for q < 2^13.
    Returns r, and q as an integer.
    """
    n = round_even(m, m.mul(x, m.const(2 / math.pi)))
    for part in _HALF_PI_PARTS_IN_F32:
        x = m.fma(n, m.const(-part), x)
    return m.at_least(m.at_most(x, 0.7854), -0.7854), m.text.cast("fptosi", n, m.type, m.integer)


def _sin_cos(m: MathBuilder, r: str) -> tuple[str, str]:
    """Return the sine and the cosine of the reduced argument r."""
    z = m.mul(r, r)
    sine = m.fma(m.mul(r, z), m.polynomial(z, _SIN[m.bits]), r)
    half = m.fma(z, m.const(-0.5), m.const(1.0))
    return sine, m.fma(m.mul(z, z), m.polynomial(z, _COS[m.bits]), half)


def _turned(m: MathBuilder, sine: str, cosine: str, quadrant: str) -> str:
    """Emit the sine of ``quadrant * pi/2 + r``.

    sine, cosine: the sine and the cosine of r.
    quadrant: an integer, of which the lowest two bits count.
    """
    odd = m.int_compare("ne", m.int_op("and", quadrant, 1), 0)
    y = m.select(odd, cosine, sine)
    sign = m.int_op("shl", m.int_op("and", quadrant, 2), m.bits - 2)
    return m.from_bits(m.int_op("xor", m.to_bits(y), sign))


def sin(m: MathBuilder, x: str) -> str:
    """Emit the sine.

    Error: f32 1.5 ulp, f64 2.5 ulp.
    """
    r, quadrant = _reduce(m, x)
    return _turned(m, *_sin_cos(m, r), quadrant)


def cos(m: MathBuilder, x: str) -> str:
    """Emit the cosine.

    Error: f32 1.5 ulp, f64 2.5 ulp.
    """
    r, quadrant = _reduce(m, x)
    return _turned(m, *_sin_cos(m, r), m.int_op("add", quadrant, 1))


def tan(m: MathBuilder, x: str) -> str:
    """Emit the tangent.

    Error: f32 3.5 ulp, f64 4 ulp.
    """
    r, quadrant = _reduce(m, x)
    sine, cosine = _sin_cos(m, r)
    odd = m.int_compare("ne", m.int_op("and", quadrant, 1), 0)
    return m.div(m.select(odd, m.neg(cosine), sine), m.select(odd, sine, cosine))


def _atan_reduced(m: MathBuilder, numerator: str, denominator: str, base: str, low: str) -> str:
    """Emit base + low + atan(numerator / denominator) for a quotient of at most tan(pi/8).

    base, low: a constant angle in two parts: ``low`` is less than half an ulp of ``base``.
    """
    t = m.div(numerator, denominator)
    z = m.mul(t, t)
    small = m.fma(m.mul(t, z), m.polynomial(z, _ATAN[m.bits]), t)
    return m.add(base, m.add(small, low))


def _half_pi(m: MathBuilder) -> tuple[float, float]:
    """Return pi/2 in two parts: rounded to the float type, and the error of this rounding."""
    if m.bits == 64:
        return math.pi / 2, 6.123233995736766e-17
    return 1.5707963705062866, -4.371139000186241e-08


def atan(m: MathBuilder, x: str) -> str:
    """Emit the arc tangent.

    Error: 2.5 ulp.
    """
    a, one, zero = m.abs(x), m.const(1.0), m.const(0.0)
    high, low = _half_pi(m)
    large = m.compare("ogt", a, m.const(math.tan(3 * math.pi / 8)))
    middle = m.compare("ogt", a, m.const(math.tan(math.pi / 8)))

    def choose(at_large: str, at_middle: str, at_small: str) -> str:
        return m.select(large, at_large, m.select(middle, at_middle, at_small))

    numerator = choose(m.const(-1.0), m.sub(a, one), a)
    denominator = choose(a, m.add(a, one), one)
    base = choose(m.const(high), m.const(high / 2), zero)
    rest = choose(m.const(low), m.const(low / 2), zero)
    return m.copysign(_atan_reduced(m, numerator, denominator, base, rest), x)


def asin(m: MathBuilder, x: str) -> str:
    """Emit asin x = atan(x / sqrt((1 - x) (1 + x))); NaN for |x| > 1.

    Error: 4 ulp.
    """
    one = m.const(1.0)
    return atan(m, m.div(x, m.sqrt(m.mul(m.sub(one, x), m.add(one, x)))))


def acos(m: MathBuilder, x: str) -> str:
    """Emit acos x = 2 atan(sqrt((1 - x) / (1 + x))); NaN for |x| > 1.

    Error: 4 ulp.
    """
    one = m.const(1.0)
    half = atan(m, m.sqrt(m.div(m.sub(one, x), m.add(one, x))))
    return m.add(half, half)


def atan2(m: MathBuilder, y: str, x: str) -> str:
    """Emit the angle of the point (x, y), with the special cases of IEEE 754's atan2.

    Error: 4 ulp.
    """
    ay, ax = m.abs(y), m.abs(x)
    steep = m.compare("ogt", ay, ax)
    small, large = m.select(steep, ax, ay), m.select(steep, ay, ax)
    ratio = m.div(small, large)
    ratio = m.select(m.compare("oeq", small, large), m.const(1.0), ratio)
    ratio = m.select(m.compare("oeq", large, m.const(0.0)), large, ratio)
    angle = atan(m, ratio)
    high, low = _half_pi(m)
    angle = m.select(steep, m.add(m.sub(m.const(high), angle), m.const(low)), angle)
    behind = m.int_compare("slt", m.to_bits(x), 0)
    turned = m.add(m.sub(m.const(2 * high), angle), m.const(2 * low))
    angle = m.copysign(m.select(behind, turned, angle), y)
    return m.select(m.compare("uno", x, y), m.const(math.nan), angle)
