"""Sizes computed in floating point, as older exporters do for Resize.

    Cast(Floor(Cast(h) * 2.0))     2 * h
    Cast(Ceil(Cast(h) / 3.0))      ceildiv(h, 3)

In: a node and its results. Out: the results, in which each element is recorded as a ratio: a size
divided by a number.  A cast to integers turns ratios into sizes, and the ops before it become dead.

A float with a significand of p bits represents ``size / 2**k`` exactly if ``size <= 2**p``.  A
division by another number rounds once.  The floor and the ceiling of the rounded quotient are still
exact if size and number are below ``2**(p - 1)``: a fraction x / y that is no integer differs from
each integer by at least 1 / y, which is more than half a unit in the last place of an integer of
that size.  A call with larger sizes raises an error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import gcd

import numpy as np
from xdsl.dialects.builtin import BFloat16Type, f16, f32, f64
from xdsl.ir import Attribute

from ....dialects.dtypes import bit_width, is_float, is_integer
from ....dialects.shape import Dim
from ..builder import MAX_SIZES, Ratios, Tensor
from ..node import Node
from ..values import Value
from .equal_sizes import SizeFacts, check_largest, is_of_inputs
from .symbolic import MOVES, UnknownSizeError, map_sizes

SIGNIFICAND_BITS: dict[Attribute, int] = {f16: 11, BFloat16Type(): 8, f32: 24, f64: 53}
"""The number of significand bits of each float type, including the hidden bit."""

LEAST_RANGE = 1 << 16
"""Products must be exact up to this size; otherwise, each size gets its own program."""


@dataclass(frozen=True)
class Ratio:
    """The value of a float that is computed from sizes: ``size / divisor``.

    divisor: a positive number.  If it is a power of two, the float is exact, otherwise rounded
    once.
    largest: each size that needs a limit for this to hold, with its largest value.
    """

    size: Dim
    divisor: int = 1
    largest: frozenset[tuple[Dim, int]] = field(default_factory=frozenset)

    @property
    def is_exact(self) -> bool:
        """Whether floats represent this ratio without rounding: its divisor is a power of 2."""
        return self.divisor & (self.divisor - 1) == 0

    def held_in(self, bits: int) -> Ratio:
        """Return this ratio in lowest terms, with a limit up to which a float represents its size.

        bits: the number of significand bits of the float. A float does not represent all larger
        sizes exactly.
        Errors: UnknownSizeError if the limit would exclude sizes up to `LEAST_RANGE`.
        """
        common = gcd(self.divisor, *(factor for _, factor in self.size.terms))
        size = Dim(tuple((monomial, factor // common) for monomial, factor in self.size.terms))
        ratio = Ratio(size, self.divisor // common, self.largest)
        limit = 1 << (bits if ratio.is_exact else bits - 1)
        if not ratio.is_exact and ratio.divisor >= limit:
            raise UnknownSizeError
        if size.value is not None:
            if abs(size.value) > limit:
                raise UnknownSizeError
            return ratio
        least = size.lower_bound()
        if least is None or least < 0:
            raise UnknownSizeError
        if max(abs(factor) for _, factor in size.terms) * LEAST_RANGE > limit:
            raise UnknownSizeError
        return replace(ratio, largest=ratio.largest | {(size, limit)})


def with_ratios(node: Node, results: tuple[Value, ...]) -> tuple[Value, ...]:
    """Record the ratios of sizes that a node computes in floating point.

    node: a converted node.
    results: the results of the node.
    Returns the results; if the first result has float elements, each of its elements is recorded as
    a ratio.
    """
    rule = RULES.get(node.op_type) if not node.definition.domain else None
    made = results[0] if results else None
    if rule is None or not isinstance(made, Tensor) or not is_float(made.dtype) or not _reads(node):
        return results
    try:
        ratios = rule(node, SIGNIFICAND_BITS[made.dtype])
    except (UnknownSizeError, KeyError):
        return results
    if ratios.ndim > 1 or ratios.size > MAX_SIZES:
        return results
    return (replace(made, ratios=ratios), *results[1:])


def whole_sizes(node: Node, facts: SizeFacts) -> tuple[Tensor, ...] | None:
    """Return the sizes that a cast to integers computes from floats that are quotients of sizes.

    Return None for any other node, and for sizes that depend on data or an iteration number,
    because a call could not check their limits.
    Errors: UnequalSizes if floats may not represent the sizes; then the import starts again with a
    limit.
    """
    if node.op_type != "Cast" or node.definition.domain or node[0].ratios is None:
        return None
    dtype = node.dtype("to")
    if not is_integer(dtype) or bit_width(dtype) < 32:
        return None
    largest = {each for ratio in node[0].ratios.reshape(-1) for each in ratio.largest}
    if not all(is_of_inputs(size) for size, _ in largest):
        return None
    for size, limit in sorted(largest, key=str):
        check_largest(size, limit, facts)
    return (Tensor.of_sizes(map_sizes(_truncated, node[0].ratios), dtype),)


def _reads(node: Node) -> bool:
    return any(
        x is not None and (x.ratios is not None or (x.sizes is not None and node.op_type == "Cast"))
        for x in node.inputs
    )


def _truncated(ratio: Ratio) -> Dim:
    value = ratio.size.value
    if value is not None and value < 0:
        return Dim.const(-(-value // ratio.divisor))
    return ratio.size.quotient(ratio.divisor)


def _ratios(x: Tensor | None) -> Ratios:
    if x is None or not is_float(x.dtype):
        raise UnknownSizeError
    if x.ratios is not None:
        return x.ratios
    values = x.values() if x.rank <= 1 else None
    if values is None or values.size > MAX_SIZES or not np.all(np.isfinite(values)):
        raise UnknownSizeError
    return map_sizes(_ratio_of, values.astype(object))


def _ratio_of(value: float) -> Ratio:
    exact = Fraction(float(value))
    return Ratio(Dim.const(exact.numerator), exact.denominator)


def _times(x: Ratio, y: Ratio) -> Ratio:
    return Ratio(x.size * y.size, x.divisor * y.divisor, x.largest | y.largest)


def _over(x: Ratio, y: Ratio) -> Ratio:
    number = y.size.value
    if number is None or number <= 0:
        raise UnknownSizeError
    return Ratio(x.size * y.divisor, x.divisor * number, x.largest | y.largest)


def _plus(x: Ratio, y: Ratio) -> Ratio:
    return Ratio(
        x.size * y.divisor + y.size * x.divisor, x.divisor * y.divisor, x.largest | y.largest
    )


def _minus(x: Ratio, y: Ratio) -> Ratio:
    return _plus(x, replace(y, size=-y.size))


def _floor(x: Ratio) -> Ratio:
    return Ratio(x.size.quotient(x.divisor), 1, x.largest)


def _ceil(x: Ratio) -> Ratio:
    return Ratio((x.size + (x.divisor - 1)).quotient(x.divisor), 1, x.largest)


def _rounding(function: Callable[[Ratio], Ratio]) -> Rule:
    return lambda node, bits: map_sizes(function, _ratios(node[0]))


def _arithmetic(function: Callable[..., Ratio]) -> Rule:
    def rule(node: Node, bits: int) -> Ratios:
        operands = [_ratios(node[i]) for i in range(2)]
        if not all(ratio.is_exact for x in operands for ratio in x.reshape(-1)):
            raise UnknownSizeError
        return map_sizes(lambda *each: function(*each).held_in(bits), *operands)

    return rule


def _cast(node: Node, bits: int) -> Ratios:
    x = node[0]
    if x.sizes is not None:
        return map_sizes(lambda size: Ratio(size).held_in(bits), x.sizes)
    ratios = _ratios(x)
    if not all(ratio.is_exact for ratio in ratios.reshape(-1)):
        raise UnknownSizeError
    return map_sizes(lambda ratio: ratio.held_in(bits), ratios)


def _moved(node: Node, bits: int) -> Ratios:
    inputs = (
        x if x is None or not is_float(x.dtype) else replace(x, sizes=_ratios(x))
        for x in node.inputs
    )
    return MOVES[node.op_type](replace(node, inputs=tuple(inputs)))


Rule = Callable[[Node, int], Ratios]
RULES: dict[str, Rule] = {
    **dict.fromkeys(MOVES, _moved),
    "Cast": _cast,
    "Mul": _arithmetic(_times),
    "Div": _arithmetic(_over),
    "Add": _arithmetic(_plus),
    "Sub": _arithmetic(_minus),
    "Floor": _rounding(_floor),
    "Ceil": _rounding(_ceil),
}
