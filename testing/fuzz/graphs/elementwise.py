"""Chains of elementwise operators with broadcasts; integers; other floats."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..graph_builder import GraphBuilder, GraphTensor
from .layers import WORK

UNARY = (
    "Tanh", "Sigmoid", "Exp", "Relu", "Abs", "Erf", "Softplus", "Sin", "Cos", "Neg", "Floor",
    "Round", "Mish", "Elu", "Softsign", "Selu", "HardSwish", "HardSigmoid", "Celu",
    "ThresholdedRelu", "Ceil", "Sign", "Gelu", "Atan", "Reciprocal", "Sqrt", "Log",
)  # fmt: skip
_POSITIVE = frozenset({"Reciprocal", "Sqrt", "Log"})
BINARY = ("Add", "Mul", "Sub", "Max", "Min", "Div", "PRelu", "Mod", "Pow")
_ELEMENTS = WORK / 400


def elementwise(g: GraphBuilder) -> None:
    """Draw two to eight operators on values of one shape, with operands that broadcast."""
    d = g.draw
    shape = d.shape(d.integer(1, 5), _ELEMENTS)
    values = [g.input(*shape)]
    for _ in range(d.integer(2, 8)):
        values.append(step(g, d.one(*values), values))
    g.output(values[-1])
    if d.chance(0.3):
        g.output(g.op("ReduceSum", values[-2], g.ints(-1)))


def step(g: GraphBuilder, x: GraphTensor, others: list[GraphTensor]) -> GraphTensor:
    """Apply one operator to a value, alone or together with another value that broadcasts.

    others: the values to choose from.
    """
    d = g.draw
    kind = d.integer(0, 3)
    if kind == 0:
        return unary(g, x, d.one(*UNARY))
    if kind == 3:
        other = d.one(*(v for v in others if v.shape == x.shape))
        return g.op("Where", g.op("Greater", x, g.number(0.1)), x, other)
    fitting = [v for v in others if v.shape == x.shape]
    if d.chance(0.4):
        return binary(g, d.one(*BINARY), x, d.one(*fitting))
    shape = [n if d.chance(0.6) else 1 for n in x.shape]
    shape = shape[d.integer(0, len(shape)) if d.chance(0.3) else 0 :]
    return binary(g, d.one(*BINARY), x, g.operand(*shape))


def unary(g: GraphBuilder, x: GraphTensor, kind: str) -> GraphTensor:
    """Apply a unary function to a value, limited so that neither result nor slope is large.

    kind: the operator, one of `UNARY`.
    """
    if kind in _POSITIVE:
        return g.op(kind, g.op("Add", g.op("Abs", x), g.number(0.5)))
    return g.op(kind, g.op("Clip", x, g.number(-4.0), g.number(4.0)))


def binary(g: GraphBuilder, kind: str, x: GraphTensor, other: GraphTensor) -> GraphTensor:
    """Combine two values; divisors and bases of powers are not near 0.

    kind: the operator, one of `BINARY`.
    """
    if kind == "PRelu":
        is_slope = other.rank <= x.rank and other.elements <= x.elements
        return g.op(kind if is_slope else "Mul", x, other)
    if kind in ("Div", "Mod"):
        divisor = g.op("Add", g.op("Abs", other), g.number(0.5))
        return g.op("Div", x, divisor) if kind == "Div" else g.op("Mod", x, divisor, fmod=1)
    if kind == "Pow":
        return g.op("Pow", g.op("Add", g.op("Abs", x), g.number(0.5)), g.number(g.draw.one(2, 0.5)))
    return g.op(kind, x, other)


def integers(g: GraphBuilder) -> None:
    """Draw products, chains, reductions and data movement of integers."""
    d = g.draw
    dtype = np.dtype(d.one("int32", "int64", "int64", "int8", "uint8"))
    low = 0 if dtype.kind == "u" else -9

    def numbers(*shape: int) -> GraphTensor:
        return g.feed(d.integers(shape, low, 9).astype(dtype))

    def constant(value: int) -> GraphTensor:
        return g.constant(np.array(value, dtype))

    def chain() -> GraphTensor:
        y = g.op("Add", g.op("Mul", x, constant(3)), numbers(shape[-1]))
        other = g.op("Mod", x, constant(5))
        return g.op("Where", g.op("Greater", y, constant(2)), y, other)

    shape = d.shape(d.integer(1, 5), _ELEMENTS / 2)
    x, axis = numbers(*shape), d.integer(0, len(shape) - 1)
    last = x.shape[-1]
    makers: list[Callable[[], GraphTensor]] = [
        lambda: g.op("Transpose", x, perm=d.permutation(x.rank)),
        lambda: g.op("Cast", g.op("Tanh", g.op("Cast", x, to=1)), to=1),
        lambda: g.op("Max", x, numbers(*shape)),
        lambda: g.op("Cast", g.op("Cast", x, to=11), to=7),
    ]
    if dtype.itemsize > 1:
        makers += [
            chain,
            chain,
            lambda: g.op(d.one("ReduceSum", "ReduceMax", "ReduceMin"), x, g.ints(axis)),
            lambda: g.op("CumSum", x, g.index(axis)),
            lambda: g.op("MatMul", x, numbers(last, min(40, 4_000_000 // max(1, x.elements) + 1))),
            lambda: g.op("BitwiseXor", x, numbers(last)),
        ]
    g.output(d.one(*makers)())
