"""Derivatives of the scalar ops of te bodies, by op name.

    DERIVATIVES["math.exp"](s, g, y, x)      appends the ops of g * exp(x); returns [g * y]

Every scalar op on floats has a derivative, is constant between its steps (``STEPS``), or is refused
with a reason (``REFUSED``).  Ops on integers, positions and i1 carry no cotangent.
"""

from __future__ import annotations

import math as numbers
from collections.abc import Callable, Sequence
from typing import TypeAlias

from xdsl.ir import Operation, SSAValue

from ...support.diagnostics import NoGradient
from .scalars import Scalars

Derivative: TypeAlias = Callable[..., Sequence[SSAValue | None]]
"""A function of a Scalars, the cotangent of the result, the result, and the operands of an op.

It returns the cotangent of each operand, or None for an operand without a derivative.
"""

_Slope: TypeAlias = Callable[[Scalars, SSAValue, SSAValue], SSAValue]
"""A function of a Scalars, the result and the operand of an op that returns dy/dx."""


def derivative(
    s: Scalars, op: Operation, g: SSAValue, y: SSAValue, operands: Sequence[SSAValue]
) -> Sequence[SSAValue | None]:
    """Append the cotangents of the operands of a scalar op, and return them.

    s: the builder of the block that computes the gradient.  g: the cotangent of the result.  y,
    operands: the result and the operands of the op, as values in that block.
    Errors: NoGradient for an op without a derivative.
    """
    if op.name in STEPS:
        return [None] * len(operands)
    rule = DERIVATIVES.get(op.name)
    if rule is None:
        raise NoGradient(
            f"{op.name} has no derivative",
            got=REFUSED.get(op.name, "an op that the table of derivatives lacks"),
            hint="add a rule to dialects/te/derivatives.py, or leave the op out of the loss",
        )
    return rule(s, g, y, *operands)


def _scaled(slope: _Slope) -> Derivative:
    return lambda s, g, y, x: [s.mul(g, slope(s, y, x))]


def _one(s: Scalars, x: SSAValue) -> SSAValue:
    return s.like(1, x)


def _square(s: Scalars, x: SSAValue) -> SSAValue:
    return s.mul(x, x)


def _power(s: Scalars, g: SSAValue, y: SSAValue, a: SSAValue, b: SSAValue) -> list[SSAValue]:
    """Return the cotangents of a and b of ``a ** b``.

    The derivative by a is 0 for b = 0, even at a = 0. The derivative by b is a real number only for
    a > 0; for a <= 0 it is defined as 0 here.
    """
    zero = s.like(0, a)
    by_base = s.mul(b, s.math("powf", a, s.sub(b, _one(s, b))))
    positive = s.compare("gt", a, zero)
    logarithm = s.math("log", s.select(positive, a, _one(s, a)))
    by_exponent = s.select(positive, s.mul(y, logarithm), zero)
    is_constant = s.compare("eq", b, s.like(0, b))
    return [s.mul(g, s.select(is_constant, zero, by_base)), s.mul(g, by_exponent)]


def _extremum(comparison: str, *, ignores_nan: bool = False) -> Derivative:
    """Return the derivative of max or min; equal operands get half of the cotangent each.

    comparison: "gt" for max, "lt" for min. ignores_nan: whether the op returns the other operand if
    one is NaN.
    """

    def rule(s: Scalars, g: SSAValue, _: SSAValue, a: SSAValue, b: SSAValue) -> list[SSAValue]:
        equal, first = s.compare("eq", a, b), s.compare(comparison, a, b)
        if ignores_nan:
            first = s.bit_or(first, s.is_nan(b))
        half, zero = s.mul(g, s.like(0.5, g)), s.like(0, g)
        parts = (s.select(first, g, zero), s.select(first, zero, g))
        return [s.select(equal, half, part) for part in parts]

    return rule


def _select(
    s: Scalars, g: SSAValue, _: SSAValue, condition: SSAValue, *_values: SSAValue
) -> list[SSAValue | None]:
    zero = s.like(0, g)
    return [None, s.select(condition, g, zero), s.select(condition, zero, g)]


def _quotient(s: Scalars, g: SSAValue, y: SSAValue, _: SSAValue, b: SSAValue) -> list[SSAValue]:
    part = s.div(g, b)
    return [part, s.neg(s.mul(part, y))]


def _remainder(s: Scalars, g: SSAValue, _: SSAValue, a: SSAValue, b: SSAValue) -> list[SSAValue]:
    """Return the cotangents of ``a - trunc(a / b) * b``."""
    return [g, s.neg(s.mul(g, s.math("trunc", s.div(a, b))))]


def _converted(s: Scalars, g: SSAValue, _: SSAValue, x: SSAValue) -> list[SSAValue]:
    return [s.cast(g, g.type, x.type)]


def _angle(s: Scalars, g: SSAValue, _: SSAValue, a: SSAValue, b: SSAValue) -> list[SSAValue]:
    """Return the cotangents of a and b of the angle ``atan2(a, b)``."""
    part = s.div(g, s.add(_square(s, a), _square(s, b)))
    return [s.mul(part, b), s.neg(s.mul(part, a))]


def _signed(
    s: Scalars, g: SSAValue, _: SSAValue, a: SSAValue, b: SSAValue
) -> list[SSAValue | None]:
    """Return the cotangents of a and b of ``copysign(a, b)``: the result is a or -a."""
    signs = [s.math("copysign", _one(s, x), x) for x in (a, b)]
    return [s.mul(g, s.mul(*signs)), None]


def _sign(s: Scalars, _: SSAValue, x: SSAValue) -> SSAValue:
    zero = s.like(0, x)
    negative = s.select(s.compare("lt", x, zero), s.like(-1, x), zero)
    return s.select(s.compare("gt", x, zero), _one(s, x), negative)


def _arc(s: Scalars, x: SSAValue) -> SSAValue:
    """Return 1 / sqrt(1 - x²)."""
    return s.div(_one(s, x), s.math("sqrt", s.sub(_one(s, x), _square(s, x))))


def _area(s: Scalars, x: SSAValue, sign: int) -> SSAValue:
    """Return 1 / sqrt(x² + sign)."""
    return s.div(_one(s, x), s.math("sqrt", s.add(_square(s, x), s.like(sign, x))))


DERIVATIVES: dict[str, Derivative] = {
    "arith.addf": lambda _s, g, *_: [g, g],
    "arith.subf": lambda s, g, *_: [g, s.neg(g)],
    "arith.mulf": lambda s, g, _y, a, b: [s.mul(g, b), s.mul(g, a)],
    "arith.divf": _quotient,
    "arith.remf": _remainder,
    "arith.negf": lambda s, g, *_: [s.neg(g)],
    "arith.maximumf": _extremum("gt"),
    "arith.minimumf": _extremum("lt"),
    "arith.maxnumf": _extremum("gt", ignores_nan=True),
    "arith.minnumf": _extremum("lt", ignores_nan=True),
    "arith.select": _select,
    "arith.extf": _converted,
    "arith.truncf": _converted,
    "math.fma": lambda s, g, _y, a, b, _c: [s.mul(g, b), s.mul(g, a), g],
    "math.absf": _scaled(_sign),
    "math.powf": _power,
    "math.sqrt": lambda s, g, y, _x: [s.div(s.mul(g, s.like(0.5, g)), y)],
    "math.exp": _scaled(lambda _s, y, _x: y),
    "math.exp2": _scaled(lambda s, y, _x: s.mul(y, s.like(numbers.log(2), y))),
    "math.expm1": _scaled(lambda s, y, _x: s.add(y, _one(s, y))),
    "math.log": lambda s, g, _y, x: [s.div(g, x)],
    "math.log2": lambda s, g, _y, x: [s.div(g, s.mul(x, s.like(numbers.log(2), x)))],
    "math.log10": lambda s, g, _y, x: [s.div(g, s.mul(x, s.like(numbers.log(10), x)))],
    "math.rsqrt": _scaled(lambda s, y, _x: s.mul(s.like(-0.5, y), s.mul(y, _square(s, y)))),
    "math.atan2": _angle,
    "math.copysign": _signed,
    "math.log1p": lambda s, g, _y, x: [s.div(g, s.add(x, _one(s, x)))],
    "math.sin": _scaled(lambda s, _y, x: s.math("cos", x)),
    "math.cos": _scaled(lambda s, _y, x: s.neg(s.math("sin", x))),
    "math.tan": _scaled(lambda s, y, _x: s.add(_one(s, y), _square(s, y))),
    "math.sinh": _scaled(lambda s, _y, x: s.math("cosh", x)),
    "math.cosh": _scaled(lambda s, _y, x: s.math("sinh", x)),
    "math.tanh": _scaled(lambda s, y, _x: s.sub(_one(s, y), _square(s, y))),
    "math.asin": _scaled(lambda s, _y, x: _arc(s, x)),
    "math.acos": _scaled(lambda s, _y, x: s.neg(_arc(s, x))),
    "math.atan": _scaled(lambda s, _y, x: s.div(_one(s, x), s.add(_one(s, x), _square(s, x)))),
    "math.asinh": _scaled(lambda s, _y, x: _area(s, x, 1)),
    "math.acosh": _scaled(lambda s, _y, x: _area(s, x, -1)),
    "math.atanh": _scaled(lambda s, _y, x: s.div(_one(s, x), s.sub(_one(s, x), _square(s, x)))),
    "math.erf": _scaled(
        lambda s, _y, x: s.mul(
            s.like(2 / numbers.sqrt(numbers.pi), x), s.math("exp", s.neg(_square(s, x)))
        )
    ),
}
"""The derivative of each scalar op, by op name."""

STEPS = frozenset(
    {
        "arith.constant", "arith.cmpf", "arith.fptosi", "arith.fptoui", "arith.sitofp",
        "arith.uitofp", "math.ceil", "math.floor", "math.round", "math.roundeven", "math.trunc",
    }
)  # fmt: skip
"""Scalar ops whose derivative is 0 wherever it exists."""

REFUSED = {
    "arith.bitcast": "the bits of a float are no differentiable function of it",
}
"""Scalar ops on floats without a derivative, with the reason."""

BILINEAR = frozenset(
    {
        "arith.addf", "arith.constant", "arith.extf", "arith.index_cast", "arith.mulf",
        "arith.negf", "arith.subf", "arith.truncf", "math.fma", "te.yield",
    }
)  # fmt: skip
"""Scalar ops whose derivatives are products of the cotangent and finite operands."""
