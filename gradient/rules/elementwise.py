"""Gradient rules of elementwise ops with short derivatives; other ops use their te definition."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from xdsl.ir import Operation, SSAValue

from ...dialects.graph import (
    ELEMENTWISE,
    CastOp,
    SelectOp,
)
from ...dialects.shape import type_of
from ..builder import GradientBuilder
from ..rule import Cotangents, Gradient, only

Slope = Callable[[GradientBuilder, SSAValue, SSAValue, SSAValue], SSAValue]
"""Takes a builder, the cotangent, the result and the operand; returns the operand's cotangent."""

_UNARY: dict[str, Slope] = {
    "neg": lambda b, g, y, x: b.elementwise("neg", g),
    "exp": lambda b, g, y, x: b.mul(g, y),
    "expm1": lambda b, g, y, x: b.mul(g, b.add(y, 1.0)),
    "log": lambda b, g, y, x: b.div(g, x),
    "log1p": lambda b, g, y, x: b.div(g, b.add(x, 1.0)),
    "sqrt": lambda b, g, y, x: b.div(b.mul(g, 0.5), y),
    "tanh": lambda b, g, y, x: b.mul(g, b.sub(1.0, b.mul(y, y))),
    "sigmoid": lambda b, g, y, x: b.mul(g, b.mul(y, b.sub(1.0, y))),
    "sin": lambda b, g, y, x: b.mul(g, b.elementwise("cos", x)),
    "cos": lambda b, g, y, x: b.elementwise("neg", b.mul(g, b.elementwise("sin", x))),
    "abs": lambda b, g, y, x: b.mul(g, b.elementwise("sign", x)),
    "erf": lambda b, g, y, x: b.mul(
        b.mul(g, 2 / math.sqrt(math.pi)),
        b.elementwise("exp", b.elementwise("neg", b.mul(x, x))),
    ),
}


def _unary(slope: Slope) -> Gradient:
    def rule(op: Operation, gs: Cotangents, b: GradientBuilder) -> Sequence[SSAValue]:
        return [slope(b, only(gs), op.results[0], op.operands[0])]

    return rule


def _binary(
    slope: Callable[[GradientBuilder, SSAValue, SSAValue, SSAValue, SSAValue], Sequence[SSAValue]],
) -> Gradient:
    def rule(op: Operation, gs: Cotangents, b: GradientBuilder) -> Sequence[SSAValue]:
        return slope(b, only(gs), op.results[0], op.operands[0], op.operands[1])

    return rule


def _quotient(
    b: GradientBuilder, g: SSAValue, y: SSAValue, _x: SSAValue, z: SSAValue
) -> Sequence[SSAValue]:
    part = b.div(g, z)
    return [part, b.elementwise("neg", b.mul(part, y))]


def _larger(
    b: GradientBuilder, g: SSAValue, _y: SSAValue, x: SSAValue, z: SSAValue
) -> Sequence[SSAValue]:
    """Return the cotangents of both operands of a maximum; equal operands share the cotangent."""
    tied = b.select(b.elementwise("eq", x, z), b.mul(g, 0.5), b.zeros(g))
    return [
        b.select(b.elementwise("lt", z, x), g, tied),
        b.select(b.elementwise("lt", x, z), g, tied),
    ]


def select(op: SelectOp, gs: Cotangents, b: GradientBuilder) -> Cotangents:
    """Return the cotangents of both values: the result's where a value is selected, elsewhere 0.

    The condition has no cotangent.
    gs: the cotangents of the results of ``op``.
    b: appends the ops that compute the cotangents.
    """
    g = only(gs)
    zero = b.zeros(g)
    return [None, b.select(op.condition, g, zero), b.select(op.condition, zero, g)]


def cast(op: CastOp, gs: Cotangents, b: GradientBuilder) -> Cotangents:
    """Return the cotangent of the operand: the result's cotangent, cast to the operand's type.

    gs: the cotangents of the results of ``op``.
    b: appends the ops that compute the cotangents.
    """
    return [b.value(CastOp(only(gs), type_of(op.x).element_type))]


GRADIENTS: dict[type, Gradient] = {
    **{ELEMENTWISE[name]: _unary(slope) for name, slope in _UNARY.items()},
    ELEMENTWISE["add"]: _binary(lambda b, g, y, x, z: [g, g]),
    ELEMENTWISE["sub"]: _binary(lambda b, g, y, x, z: [g, b.elementwise("neg", g)]),
    ELEMENTWISE["mul"]: _binary(lambda b, g, y, x, z: [b.mul(g, z), b.mul(g, x)]),
    ELEMENTWISE["div"]: _binary(_quotient),
    ELEMENTWISE["max"]: _binary(_larger),
    ELEMENTWISE["min"]: _binary(lambda b, g, y, x, z: _larger(b, g, y, x, z)[::-1]),
    SelectOp: select,
    CastOp: cast,
}
"""The gradients of elementwise ops, by class."""
