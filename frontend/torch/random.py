"""Convert random numbers: arithmetic on bits that depend on the key of a call and the node.

Each call of a compiled graph draws a key from torch's default generator, so `torch.manual_seed`
makes calls repeatable.  The numbers differ from those of eager torch.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import f32, f64

from ..onnx.builder import Tensor
from ..onnx.converters.random import normal as normal_numbers
from ..onnx.converters.random import uniform as uniform_numbers
from .aten import AtenBuilder, Converter, Number


def _drawn(b: AtenBuilder, numbers: Any) -> Tensor:
    """Draw numbers in the shape and, for f64, the precision of the node's first result."""
    return numbers(b.random_bits, b, b.out.dims, f64 if b.out.dtype == f64 else f32)


def rand(b: AtenBuilder, *_: Any) -> Tensor:
    """Draw uniform numbers in [0, 1)."""
    return b.cast(_drawn(b, uniform_numbers), b.out.dtype)


def randn(b: AtenBuilder, *_: Any) -> Tensor:
    """Draw normally distributed numbers with mean 0 and standard deviation 1."""
    return b.cast(_drawn(b, normal_numbers), b.out.dtype)


def uniform(b: AtenBuilder, _: Tensor, low: Number = 0.0, high: Number = 1.0) -> Tensor:
    """Draw uniform numbers between two numbers; rounding may return ``high``."""
    scaled = b.apply("mul", _drawn(b, uniform_numbers), high - low)
    return b.cast(b.apply("add", scaled, low), b.out.dtype)


def normal(b: AtenBuilder, _: Tensor, mean: Number = 0.0, deviation: Number = 1.0) -> Tensor:
    """Draw normally distributed numbers with a mean and a standard deviation."""
    scaled = b.apply("mul", _drawn(b, normal_numbers), deviation)
    return b.cast(b.apply("add", scaled, mean), b.out.dtype)


def exponential(b: AtenBuilder, _: Tensor, rate: Number = 1.0) -> Tensor:
    """Draw exponentially distributed numbers, as the negative logarithm of uniform numbers."""
    # 1 - the number is never 0.
    logarithm = b.apply("log", b.apply("sub", 1.0, _drawn(b, uniform_numbers)))
    return b.cast(b.apply("div", logarithm, -rate), b.out.dtype)


def bernoulli(b: AtenBuilder, x: Tensor, share: Number | None = None) -> Tensor:
    """Draw 1 with a probability, else 0.

    share: the probability; by default, each element of x is the probability at its position.
    """
    drawn = _drawn(b, uniform_numbers)
    chance = b.cast(x, drawn.dtype) if share is None else share
    return b.cast(b.apply("lt", drawn, chance), b.out.dtype)


def dropout(
    b: AtenBuilder, x: Tensor, share: float, training: bool | None = None
) -> tuple[Tensor, Tensor]:
    """In training, set random elements to 0 and divide the others by the kept share.

    The second result is a mask of the kept elements, which the backward graph reads.  In inference,
    all elements are kept.
    share: the probability of each element to become 0.
    """
    if not training or not share:
        return x, b.true(x.dims)
    kept = b.apply("le", share, _drawn(b, uniform_numbers))
    scale = 1 / (1 - share) if share < 1 else 0.0
    scaled = b.apply("mul", b.apply("mul", b.widen(x), b.cast(kept, b.widen(x).dtype)), scale)
    return b.cast(scaled, x.dtype), kept


CONVERTERS: dict[str, Converter] = {
    "rand": rand,
    "rand_like": rand,
    "randn": randn,
    "randn_like": randn,
    "uniform": uniform,
    "normal_functional": normal,
    "exponential": exponential,
    "bernoulli": bernoulli,
    "native_dropout": dropout,
}
