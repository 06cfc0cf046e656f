"""Infer ranges of integers in the function of a compute from bounds, remainders and constants."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import SSAValue

Span: TypeAlias = tuple[int | None, int | None]
"""The smallest and the largest number; None where unknown."""


def is_within(value: SSAValue, size: int) -> bool:
    """Return whether an integer is provably 0..size-1."""
    low, high = _span(value)
    return low is not None and high is not None and low >= 0 and high < size


def _span(value: SSAValue) -> Span:
    if (number := _number(value)) is not None:
        return number, number
    op = value.owner
    match op:
        case arith.MinSIOp():
            lows, highs = zip(_span(op.lhs), _span(op.rhs), strict=True)
            return _all(min, lows), min(_known(highs), default=None)
        case arith.MaxSIOp():
            lows, highs = zip(_span(op.lhs), _span(op.rhs), strict=True)
            return max(_known(lows), default=None), _all(max, highs)
        case arith.RemUIOp() if (divisor := _number(op.rhs) or 0) > 0:
            return 0, divisor - 1
        case arith.RemSIOp() if (divisor := _number(op.rhs) or 0) > 0:
            return 1 - divisor, divisor - 1
        case arith.SelectOp() if (divisor := _floor_divisor(op)) > 0:
            return 0, divisor - 1
        case _:
            return None, None


def _number(value: SSAValue) -> int | None:
    op = value.owner
    if isinstance(op, arith.ConstantOp) and isinstance(op.value, IntegerAttr):
        return int(op.value.value.data)
    return None


def _known(numbers: Iterable[int | None]) -> list[int]:
    return [number for number in numbers if number is not None]


def _all(choose: Callable[[Iterable[int]], int], numbers: Iterable[int | None]) -> int | None:
    known = [*numbers]
    return None if None in known else choose(_known(known))


def _floor_divisor(op: arith.SelectOp) -> int:
    """Return the divisor if a select is the remainder of a floor division, else 0.

    The pattern is that of ``x % c``: add c if the remainder is not 0 and has another sign.
    """
    rest, added, both = op.rhs.owner, op.lhs.owner, op.cond.owner
    if not isinstance(rest, arith.RemSIOp) or not isinstance(added, arith.AddiOp):
        return 0
    if (added.lhs, added.rhs) != (op.rhs, rest.rhs) or not isinstance(both, arith.AndIOp):
        return 0
    signs = both.rhs.owner
    if not isinstance(signs, arith.XOrIOp) or not isinstance(signs.lhs.owner, arith.CmpiOp):
        return 0
    if signs.lhs.owner.lhs is not op.rhs:
        return 0
    return _number(rest.rhs) or 0
