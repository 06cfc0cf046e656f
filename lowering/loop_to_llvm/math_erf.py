"""erf: a rational function in f32; in f64 a polynomial below 1 and an exponential above."""

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
    1.1283791670955126, -0.3761263890318173, 0.11283791670897589, -0.026866170638209855,
    0.0052239775796464665, -0.0008548325096732661, 0.00012055277768045797,
    -1.4924536175796444e-05, 1.6446145162371674e-06, -1.6205746251524505e-07,
    1.373206408968952e-08, -7.85341611435005e-10,
)  # fmt: skip
# log(erfc(x)) + x^2 in powers of (x - 3.5) / 2.5, 1 <= x <= 6.
_TAIL = (
    -1.8624374019334735, -0.6652489683938244, 0.20779338888854343, -0.0816513446441769,
    0.03412566190261544, -0.014392460570495036, 0.005946996694232456, -0.0023510802938705943,
    0.0009677485466653193, -0.00023850200680207044, 4.4787085772594136e-05,
    -0.00017857562865651578, -0.00011812189047155766, 3.1253895459420224e-05,
    8.662166481029382e-05, 5.276015781862982e-05, 7.891623508849456e-06,
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
    u = m.mul(m.sub(a, m.const(3.5)), m.const(0.4))
    exponent = m.fma(m.neg(a), a, m.polynomial(u, _TAIL))
    large = m.sub(m.const(1.0), exp(m, exponent))
    return m.copysign(m.select(m.compare("olt", a, m.const(1.0)), small, large), x)
