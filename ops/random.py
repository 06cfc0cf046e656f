"""Random numbers as functions of a key: equal keys give equal numbers on every target."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..dialects.graph import RandomBitsOp
from ..dialects.shape import Dim
from ..frontend.onnx.builder import Builder
from ..frontend.onnx.builder import Tensor as Value
from ..frontend.onnx.converters import random as drawn
from ..frontend.te.expr import parse_dtype
from ..frontend.te.tensor import Tensor
from ..support.diagnostics import TypeMismatch
from .converted import built
from .layout import unstack
from .table import TensorLike, call

_ZERO = np.zeros(4, np.uint32)


def random_key(seed: int) -> np.ndarray[Any, Any]:
    """Return the key of a seed: two 32-bit integers."""
    return np.array([seed % 2**32, seed // 2**32 % 2**32], np.uint32)


def random_split(key: TensorLike, count: int = 2) -> tuple[Tensor, ...]:
    """Return independent keys that follow from a key, which then draws no numbers.

    Shapes: key (2) of uint32, as each result.
    """
    # The last word of the counter separates keys from numbers.
    counter = np.array([0, 0, 0, 1], np.uint32)
    bits = call("random_bits", key, counter, [2 * count])
    return unstack(call("reshape", bits, [count, 2]))


def random_uniform(
    key: TensorLike,
    shape: Sequence[int],
    low: float = 0.0,
    high: float = 1.0,
    dtype: str = "float32",
) -> Tensor:
    """Return uniformly distributed numbers from low to high; rounding may give high.

    Shapes: key (2) of uint32.
    """

    def rule(draw: drawn.Bits, b: Builder, x: Sequence[Value]) -> Value:
        return drawn.between(draw, b, list(map(Dim.const, shape)), parse_dtype(dtype), low, high)

    return _drawn("random_uniform", rule, key)


def random_normal(
    key: TensorLike,
    shape: Sequence[int],
    mean: float = 0.0,
    deviation: float = 1.0,
    dtype: str = "float32",
) -> Tensor:
    """Return normally distributed numbers with a mean and a standard deviation.

    Shapes: key (2) of uint32.
    """

    def rule(draw: drawn.Bits, b: Builder, x: Sequence[Value]) -> Value:
        to = parse_dtype(dtype)
        return drawn.around(draw, b, list(map(Dim.const, shape)), to, mean, deviation)

    return _drawn("random_normal", rule, key)


def random_multinomial(key: TensorLike, logits: Tensor, count: int = 1) -> Tensor:
    """Return class numbers, drawn with the probabilities ``softmax(logits)``, as int64.

    Shapes: key (2) of uint32, logits (N, C); the result (N, count).
    """

    def rule(draw: drawn.Bits, b: Builder, x: Sequence[Value]) -> Value:
        return drawn.classes(draw, b, x[0], Dim.const(count))

    return _drawn("random_multinomial", rule, key, logits)


def dropout(key: TensorLike, x: Tensor, rate: float = 0.5) -> Tensor:
    """Return x with random elements set to 0, and the others divided by ``1 - rate``.

    rate: the probability of 0.
    Shapes: key (2) of uint32.
    Errors: TypeMismatch for a rate outside of 0 <= rate < 1.
    """
    if not 0 <= rate < 1:
        raise TypeMismatch("ops.dropout: the rate is no probability below 1", got=rate)
    kept = call("le", rate, random_uniform(key, x.shape))
    return call("select", kept, call("mul", x, 1 / (1 - rate)), 0)


_Rule = Callable[[drawn.Bits, Builder, Sequence[Value]], Value]


def _drawn(name: str, rule: _Rule, key: TensorLike, *operands: Any) -> Tensor:
    def body(b: Builder, values: list[Any]) -> Sequence[Value]:
        def draw(dims: Sequence[Dim]) -> Value:
            counter = Value.of_array(_ZERO)
            return b.emit(RandomBitsOp(b.ssa(values[0]), b.ssa(counter), dims))

        return [rule(draw, b, values[1:])]

    return built(name, body, key, *operands)


__all__ = [
    "dropout", "random_key", "random_multinomial", "random_normal", "random_split",
    "random_uniform",
]  # fmt: skip
