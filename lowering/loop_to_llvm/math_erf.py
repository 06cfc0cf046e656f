"""erf: a rational function in f32; in f64 a polynomial below 1, above it 1 - e^(-x^2) P(x)."""

from __future__ import annotations

from .math_builder import MathBuilder
from .math_exp import exp

_NUMERATOR = (
    1.1283791065216064, 0.18567125499248505, 0.04872924089431763, 0.003141694935038686,
    0.00013240771659184247, -2.0225450043653836e-06, 2.211809402297149e-08,
)  # fmt: skip
_DENOMINATOR = (
    1.0, 0.49787917733192444, 0.10915050655603409, 0.01317726168781519, 0.00083307916065678,
)  # fmt: skip
# erf(x) / x in powers of x^2, |x| <= 1.
_SMALL = (
    1.1283791670955126, -0.37612638903183543, 0.11283791670945006, -0.02686617064323777,
    0.0052239776071164225, -0.0008548325975389692, 0.00012055294904839707,
    -1.492473690741966e-05, 1.6447424703317362e-06, -1.6208483801871705e-07,
    1.3720064546777686e-08, -7.795898827002142e-10,
)  # fmt: skip
# erfc(x) e^(x^2) in powers of (x - 3) / (x + 3), 1 <= x <= 6.
_TAIL = (
    0.17900115118138907, -0.32623356004299003, 0.24560380171289325, -0.1501159365078385,
    0.07166583713850745, -0.02439249905225781, 0.004269138643318906, 0.0007077436205791401,
    -0.0005971019299440755, 4.523670628663236e-05, 6.436074396760298e-05,
    -1.2383892608514314e-05, -8.668536150153646e-06,
)  # fmt: skip


def erf(m: MathBuilder, x: str) -> str:
    """Emit the error function.

    Error: f32 5 ulp with FMA, 6 without, also near 0 and for subnormal x; f64 4 ulp.
    """
    if m.bits == 64:
        return _erf_f64(m, x)
    x = m.at_least(m.at_most(x, 3.75), -3.75)
    z = m.mul(x, x)
    numerator = m.mul(x, m.polynomial(z, _NUMERATOR))
    return m.div(numerator, m.polynomial(z, _DENOMINATOR))


def _erf_f64(m: MathBuilder, x: str) -> str:
    a = m.at_most(m.abs(x), 6.0)
    small = m.mul(a, m.polynomial(m.mul(a, a), _SMALL))
    three = m.const(3.0)
    t = m.div(m.sub(a, three), m.add(a, three))
    tail = m.mul(exp(m, m.neg(m.mul(a, a))), m.polynomial(t, _TAIL))
    large = m.sub(m.const(1.0), tail)
    return m.copysign(m.select(m.compare("olt", a, m.const(1.0)), small, large), x)
