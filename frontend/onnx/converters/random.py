"""Convert random number operators; runs are repeatable, because the bits depend only on the seed.

The seed of a node is its attribute ``seed``, or else a hash of the node's name, so that different
nodes draw different numbers and a model draws the same numbers in every process.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import pi
from typing import TypeAlias
from zlib import crc32

import numpy as np
from xdsl.dialects.builtin import IntegerType, Signedness, f32, f64, i64
from xdsl.ir import Attribute

from ....dialects.graph import CumulativeOp, RandomBitsOp, SoftmaxOp
from ....dialects.shape import Dim
from ....support.diagnostics import ModelError
from ..builder import Builder, Tensor
from ..node import Converter, Node, OpConverter
from ..sizes.equal_sizes import check_elements

WIDE = IntegerType(64, Signedness.UNSIGNED)
FLOAT = 1  # the standard's code of f32
Bits: TypeAlias = Callable[[Sequence[Dim]], Tensor]
"""A source of random bits: returns independent uniform 32-bit integers of a shape."""


def key_of(node: Node) -> Tensor:
    """Return the key of a node's random number generator: two integers.

    If the node has the attribute seed, they are the bits of the seed and 0; else, a hash of the
    node's name and 1.
    """
    if node.has("seed") and node.op_type == "Dropout":  # an integer there, a float elsewhere
        words = (node.integer("seed") % 2**32, 0)
    elif node.has("seed"):
        words = (int(np.float32(node.number("seed")).view(np.uint32)), 0)
    else:
        words = (crc32(node.name.encode()), 1)
    return Tensor.of_array(np.array(words, np.uint32))


def bits_of(node: Node, b: Builder) -> Bits:
    """Return the source of random bits of a node, which depend only on its key."""

    def draw(dims: Sequence[Dim]) -> Tensor:
        counter = Tensor.of_array(np.zeros(4, np.uint32))
        return b.emit(RandomBitsOp(b.ssa(key_of(node)), b.ssa(counter), dims))

    return draw


def uniform(draw: Bits, b: Builder, dims: Sequence[Dim], dtype: Attribute = f32) -> Tensor:
    """Draw numbers in [0, 1): multiples of 2**-24 in f32, or of 2**-53 in f64."""
    if dtype != f64:
        return _fraction(b, draw(dims), f32, 8, 2.0**-24)
    words = b.cast(draw((Dim.const(2), *dims)), WIDE)
    low, high = (b.reshape(b.slice(words, 0, n, 1), dims) for n in range(2))
    return _fraction(b, b.apply("or", b.apply("shl", high, 32), low), f64, 11, 2.0**-53)


def _fraction(b: Builder, bits: Tensor, dtype: Attribute, drop: int, unit: float) -> Tensor:
    return b.apply("mul", b.cast(b.apply("shr", bits, drop), dtype), unit)


def normal(draw: Bits, b: Builder, dims: Sequence[Dim], dtype: Attribute) -> Tensor:
    """Draw normally distributed numbers with mean 0 and standard deviation 1, by Box-Muller."""
    both = uniform(draw, b, (Dim.const(2), *dims), dtype)
    first, second = (b.reshape(b.slice(both, 0, n, 1), dims) for n in range(2))
    # 1 - first is never 0.
    radius = b.apply("sqrt", b.apply("mul", b.apply("log", b.apply("sub", 1.0, first)), -2.0))
    return b.apply("mul", radius, b.apply("cos", b.apply("mul", second, 2 * pi)))


def between(
    draw: Bits, b: Builder, dims: Sequence[Dim], dtype: Attribute, low: float, high: float
) -> Tensor:
    """Draw numbers between ``low`` and ``high``; rounding may return ``high``."""
    wide = f64 if dtype == f64 else f32
    scaled = b.apply("mul", uniform(draw, b, dims, wide), high - low)
    return b.cast(b.apply("add", scaled, low), dtype)


def around(
    draw: Bits, b: Builder, dims: Sequence[Dim], dtype: Attribute, mean: float, scale: float
) -> Tensor:
    """Draw normally distributed numbers with a mean and a standard deviation ``scale``."""
    wide = f64 if dtype == f64 else f32
    scaled = b.apply("mul", normal(draw, b, dims, wide), scale)
    return b.cast(b.apply("add", scaled, mean), dtype)


def random_uniform(node: Node, b: Builder, dims: Sequence[Dim], dtype: Attribute) -> Tensor:
    """Draw numbers between the attributes ``low`` and ``high``."""
    limits = node.number("low", 0.0), node.number("high", 1.0)
    return between(bits_of(node, b), b, dims, dtype, *limits)


def random_normal(node: Node, b: Builder, dims: Sequence[Dim], dtype: Attribute) -> Tensor:
    """Draw normally distributed numbers with the mean and deviation of the node's attributes."""
    moments = node.number("mean", 0.0), node.number("scale", 1.0)
    return around(bits_of(node, b), b, dims, dtype, *moments)


Rule: TypeAlias = Callable[[Node, Builder, Sequence[Dim], Attribute], Tensor]


def _of_shape(rule: Rule) -> Converter:
    def convert(node: Node, b: Builder) -> Tensor:
        dims = [Dim.const(size) for size in node.ints("shape")]
        return rule(node, b, dims, node.dtype("dtype", FLOAT))

    return convert


def _like(rule: Rule) -> Converter:
    def convert(node: Node, b: Builder) -> Tensor:
        dtype = node.dtype("dtype") if node.has("dtype") else node[0].dtype
        return rule(node, b, node[0].dims, dtype)

    return convert


def bernoulli(node: Node, b: Builder) -> Tensor:
    """Draw 1 with the probability that the input element gives, else 0."""
    x = b.widen(node[0])
    dtype = node.dtype("dtype") if node.has("dtype") else node[0].dtype
    return b.cast(b.apply("lt", uniform(bits_of(node, b), b, x.dims, x.dtype), x), dtype)


def multinomial(node: Node, b: Builder) -> Tensor:
    """Draw classes by unnormalized log-probabilities, several for each row of the input."""
    samples = Dim.const(node.integer("sample_size", 1))
    return b.cast(classes(bits_of(node, b), b, node[0], samples), node.dtype("dtype", 6))


def classes(draw: Bits, b: Builder, x: Tensor, samples: Dim) -> Tensor:
    """Draw ``samples`` classes, as i64, for each row of unnormalized log-probabilities.

    A class is drawn where the running sum of probabilities exceeds a uniform random number.
    """
    x = b.widen(x)
    if x.rank != 2:
        raise ModelError("Multinomial needs one row of classes per batch", got=x.rank)
    batch, count = x.dims
    check_elements(count, 1, b.facts)
    chances = b.emit(SoftmaxOp(b.ssa(x), 1))
    running = b.emit(CumulativeOp(b.ssa(chances), kind="sum", axis=1))
    total = b.slice(running, 1, count - 1, 1)
    drawn = b.apply("mul", uniform(draw, b, (batch, samples), x.dtype), total)
    passed = b.apply(
        "le",
        b.reshape(running, (batch, 1, count)),
        b.reshape(drawn, (batch, samples, 1)),
    )
    found = b.reduce(b.cast(passed, i64), "sum", [2], keep=False)
    return b.apply("min", found, b.apply("sub", b.size(count), 1))


def dropout(node: Node, b: Builder) -> tuple[Tensor, Tensor]:
    """In inference, return the input; in training, set random elements to 0.

    In training, the other elements are multiplied by ``1 / (1 - ratio)``. The second result is a
    mask of the elements that are not set to 0.
    """
    x, training = node[0], node.values_at(2, "training_mode")
    if training is None or not training.any():
        return x, b.true(x.dims)
    ratio = node.number_at(1, "ratio") if node.get(1) is not None else 0.5
    if not 0 <= ratio < 1:
        raise ModelError("ratio is outside its range", expected="0 <= ratio < 1", got=ratio)
    if ratio == 0:
        return x, b.true(x.dims)
    kept = b.apply("le", ratio, uniform(bits_of(node, b), b, x.dims))
    scaled = b.cast(b.apply("mul", b.widen(x), 1 / (1 - ratio)), x.dtype)
    return b.select(kept, scaled, 0.0), kept


CONVERTERS = (
    OpConverter("RandomUniform", _of_shape(random_uniform)),
    OpConverter("RandomNormal", _of_shape(random_normal)),
    OpConverter("RandomUniformLike", _like(random_uniform)),
    OpConverter("RandomNormalLike", _like(random_normal)),
    OpConverter("Bernoulli", bernoulli, since=15),
    OpConverter("Multinomial", multinomial),
    OpConverter("Dropout", dropout),
)
