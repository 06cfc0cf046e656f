"""Elementwise operators composed of graph-dialect operators, among them activation functions."""

from __future__ import annotations

from math import inf, log

from ..frontend.te.tensor import Tensor
from .arrangement import split
from .table import Operand, call


def clip(x: Tensor, low: Operand, high: Operand) -> Tensor:
    """Return ``min(max(x, low), high)``."""
    return call("min", call("max", x, low), high)


def log2(x: Tensor) -> Tensor:
    """Return the logarithm of x to the base 2."""
    return call("mul", call("log", x), 1 / log(2))


def log10(x: Tensor) -> Tensor:
    """Return the logarithm of x to the base 10."""
    return call("mul", call("log", x), 1 / log(10))


def trunc(x: Tensor) -> Tensor:
    """Return x rounded to the next integer towards 0."""
    return call("mul", call("sign", x), call("floor", call("abs", x)))


def is_inf(x: Tensor) -> Tensor:
    """Return whether each element is infinite."""
    return call("eq", call("abs", x), inf)


def is_finite(x: Tensor) -> Tensor:
    """Return whether each element is neither infinite nor NaN."""
    return call("lt", call("abs", x), inf)


def leaky_relu(x: Tensor, slope: float = 0.01) -> Tensor:
    """Return x where it is positive, else ``slope * x``."""
    return prelu(x, slope)


def prelu(x: Tensor, slope: Operand) -> Tensor:
    """Return x where it is positive, else ``slope * x``; slope broadcasts to x."""
    return call("select", call("lt", 0, x), x, call("mul", x, slope))


def elu(x: Tensor, alpha: float = 1.0) -> Tensor:
    """Return x where it is positive, else ``alpha * (exp(x) - 1)``."""
    grown = call("mul", call("expm1", call("min", x, 0)), alpha)
    return call("select", call("lt", 0, x), x, grown)


def selu(x: Tensor) -> Tensor:
    """Return ``1.0507 * elu(x, 1.67326)`` with the constants of the SELU paper.

    Source: Klambauer et al., Self-Normalizing Neural Networks, 2017.
    """
    return call("mul", elu(x, 1.6732632423543772), 1.0507009873554805)


def softplus(x: Tensor) -> Tensor:
    """Return ``log(1 + exp(x))``; large elements do not overflow."""
    tail = call("log1p", call("exp", call("neg", call("abs", x))))
    return call("add", call("max", x, 0), tail)


def mish(x: Tensor) -> Tensor:
    """Return ``x * tanh(softplus(x))``."""
    return call("mul", x, call("tanh", softplus(x)))


def hard_sigmoid(x: Tensor) -> Tensor:
    """Return ``clip(x / 6 + 0.5, 0, 1)``."""
    return clip(call("add", call("mul", x, 1 / 6), 0.5), 0, 1)


def hard_swish(x: Tensor) -> Tensor:
    """Return ``x * hard_sigmoid(x)``."""
    return call("mul", x, hard_sigmoid(x))


def glu(x: Tensor, axis: int = -1) -> Tensor:
    """Return the first half of x along an axis, times the sigmoid of the second half."""
    first, second = split(x, 2, axis)
    return call("mul", first, call("sigmoid", second))


def floor_divide(lhs: Tensor, rhs: Operand) -> Tensor:
    """Return the quotient, rounded to the next lower integer."""
    return call("div", call("sub", lhs, call("mod", lhs, rhs)), rhs)


def trunc_divide(lhs: Tensor, rhs: Operand) -> Tensor:
    """Return the quotient, rounded to the next integer towards 0."""
    return call("div", call("sub", lhs, call("fmod", lhs, rhs)), rhs)


__all__ = [
    "clip", "elu", "floor_divide", "glu", "hard_sigmoid", "hard_swish", "is_finite", "is_inf",
    "leaky_relu", "log10", "log2", "mish", "prelu", "selu", "softplus", "trunc", "trunc_divide",
]  # fmt: skip
