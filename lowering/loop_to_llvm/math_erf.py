"""erf: a polynomial in x for small x, formulas with erfc for larger x.

For larger x, f32 computes 1 - P(x)^-16, or 1 - 2^P(x) where an instruction computes powers of 2;
f64 computes 1 - e^(-x^2) P(t).  P is a polynomial.
"""

from __future__ import annotations

from .math_builder import MathBuilder
from .math_exp import exp

# f32: erf(x) / x - 1 in powers of x^2, |x| <= 1.1.
_SMALL_F32 = (
    0.12837916221280976, -0.3761260051942482, 0.11283291761275817, -0.026841442375689573,
    0.005164863844952463, -0.0007805796545874594, 7.188008240903009e-05,
)  # fmt: skip
# f32: erfc(x)^(-1/16) in powers of x, 1.1 <= x <= 4; the form is from Abramowitz and Stegun,
# 7.1.28, the coefficients are minimax in the error of erf.
_TAIL_F32 = (
    0.9998333263514636, 0.07134340208857975, 0.040532317905964566, 0.01138942120536606,
    -0.001436591314105195, 0.0010155955028519693, -0.0001527734040823042, 2.2432150049067902e-05,
)  # fmt: skip
# f32: log2 erfc(x) in powers of x, 1.05 <= x <= 4, minimax in the error of erf.
_LOG_TAIL_F32 = (
    -0.004538479662251442, -1.6098620397849905, -0.9471592744194596, -0.1260104458966274,
    0.020741694562080186, -0.0015893484832740271,
)  # fmt: skip
# f64: erf(x) / x in powers of x^2, |x| <= 1.
_SMALL = (
    1.1283791670955126, -0.37612638903183543, 0.11283791670945006, -0.02686617064323777,
    0.0052239776071164225, -0.0008548325975389692, 0.00012055294904839707,
    -1.492473690741966e-05, 1.6447424703317362e-06, -1.6208483801871705e-07,
    1.3720064546777686e-08, -7.795898827002142e-10,
)  # fmt: skip
# f64: erfc(x) e^(x^2) in powers of (x - 3) / (x + 3), 1 <= x <= 6.
_TAIL = (
    0.17900115118138907, -0.32623356004299003, 0.24560380171289325, -0.1501159365078385,
    0.07166583713850745, -0.02439249905225781, 0.004269138643318906, 0.0007077436205791401,
    -0.0005971019299440755, 4.523670628663236e-05, 6.436074396760298e-05,
    -1.2383892608514314e-05, -8.668536150153646e-06,
)  # fmt: skip


def erf(m: MathBuilder, x: str) -> str:
    """Emit the error function.

    Error: f32 3 ulp, including x near 0 and subnormal x; f64 4 ulp.
    """
    if m.bits == 64:
        return _erf_f64(m, x)
    a = m.at_most(m.abs(x), 4.0)
    small = m.fma(a, m.polynomial(m.mul(a, a), _SMALL_F32), a)
    large = m.sub(m.const(1.0), _erfc_f32(m, a))
    return m.copysign(m.select(m.compare("olt", a, m.const(1.1)), small, large), x)


def _erfc_f32(m: MathBuilder, a: str) -> str:
    """Return erfc a = 1 - erf a for 1.1 <= a <= 4."""
    if m.approximates:
        return m.text.approximate("exp2_of_normals", m.type, m.polynomial(a, _LOG_TAIL_F32))
    power = m.polynomial(a, _TAIL_F32)
    for _ in range(4):
        power = m.mul(power, power)
    return m.div(m.const(1.0), power)


def _erf_f64(m: MathBuilder, x: str) -> str:
    a = m.at_most(m.abs(x), 6.0)
    small = m.mul(a, m.polynomial(m.mul(a, a), _SMALL))
    three = m.const(3.0)
    t = m.div(m.sub(a, three), m.add(a, three))
    tail = m.mul(exp(m, m.neg(m.mul(a, a))), m.polynomial(t, _TAIL))
    large = m.sub(m.const(1.0), tail)
    return m.copysign(m.select(m.compare("olt", a, m.const(1.0)), small, large), x)
