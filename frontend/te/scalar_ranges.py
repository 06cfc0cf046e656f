"""Infer ranges of integers in the function of a compute, to prove that positions are in bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import SSAValue

from ...dialects.shape import Dim, Extent

Span: TypeAlias = tuple[Dim | None, Dim | None]
"""The smallest and the largest value of an integer; an unknown bound is None."""

BoundsOf: TypeAlias = Callable[[SSAValue], tuple[Dim, Dim] | None]
"""A function that returns the smallest and largest value of a position, else None."""


def is_within(value: SSAValue, size: Extent, bounds_of: BoundsOf) -> bool:
    """Return whether an integer is provably in the range 0 to size - 1.

    bounds_of: returns the smallest and the largest value of a position, or None for another value.
    """
    return _Spans(bounds_of).is_within(value, Dim.of(size))


class _Spans:
    def __init__(self, bounds_of: BoundsOf) -> None:
        self._bounds_of = bounds_of

    def is_within(self, value: SSAValue, size: Dim) -> bool:
        if (parts := _quotient(value)) is not None:
            low, high = self.of(parts[0])
            divisor, most = self.of(parts[1])
            # x // d < s if x < s * d; this needs a divisor whose value is known.
            if divisor is None or divisor != most or not divisor.is_at_least(1):
                return False
            return _is_inside(low, high, size * divisor)
        return _is_inside(*self.of(value), size)

    def of(self, value: SSAValue) -> Span:
        if (bounds := self._bounds_of(value)) is not None:
            return bounds
        op = value.owner
        match op:
            case arith.ConstantOp() if isinstance(op.value, IntegerAttr):
                number = Dim.const(int(op.value.value.data))
                return number, number
            case arith.IndexCastOp():
                return self.of(op.input)
            case arith.MinSIOp():
                lows, highs = zip(self.of(op.lhs), self.of(op.rhs), strict=True)
                return _all(Dim.min, lows), _known(Dim.min, highs)
            case arith.MaxSIOp():
                lows, highs = zip(self.of(op.lhs), self.of(op.rhs), strict=True)
                return _known(Dim.max, lows), _all(Dim.max, highs)
            case arith.RemUIOp() if divisor := self._divisor(op.rhs):
                return Dim.const(0), divisor - 1
            case arith.RemSIOp() if divisor := self._divisor(op.rhs):
                return 1 - divisor, divisor - 1
            case arith.SelectOp() if divisor := self._floor_divisor(op):
                return Dim.const(0), divisor - 1
            case _:
                return None, None

    def _divisor(self, value: SSAValue) -> Dim | None:
        """Return the largest value of a divisor, or None if the divisor may be less than 1."""
        low, high = self.of(value)
        return high if low is not None and low.is_at_least(1) else None

    def _floor_divisor(self, op: arith.SelectOp) -> Dim | None:
        """Return the largest value of c if a select computes the remainder ``x % c``, else None.

        The pattern is a truncated remainder, to which a select adds c if it is not 0 and has
        another sign than c.
        """
        rest, added = op.rhs.owner, op.lhs.owner
        if not isinstance(rest, arith.RemSIOp) or not isinstance(added, arith.AddiOp):
            return None
        if (added.lhs, added.rhs) != (op.rhs, rest.rhs) or not _is_sign_test(op.cond, op.rhs):
            return None
        return self._divisor(rest.rhs)


def _quotient(value: SSAValue) -> tuple[SSAValue, SSAValue] | None:
    """Return dividend and divisor of the floor division whose result is ``value``; else None.

    The pattern is the te IR for ``x // c``: a truncated quotient, from which a select subtracts 1
    if the remainder is not 0 and has another sign than the divisor.
    """
    op = value.owner
    if not isinstance(op, arith.SelectOp) or not isinstance(op.rhs.owner, arith.DivSIOp):
        return None
    quotient, less = op.rhs.owner, op.lhs.owner
    if not isinstance(less, arith.SubiOp) or less.lhs is not op.rhs:
        return None
    return quotient.lhs, quotient.rhs


def _is_sign_test(value: SSAValue, rest: SSAValue) -> bool:
    """Return whether a condition tests if the remainder ``rest`` and the divisor differ in sign."""
    both = value.owner
    signs = both.rhs.owner if isinstance(both, arith.AndIOp) else None
    first = signs.lhs.owner if isinstance(signs, arith.XOrIOp) else None
    return isinstance(first, arith.CmpiOp) and first.lhs is rest


def _is_inside(low: Dim | None, high: Dim | None, size: Dim) -> bool:
    if low is None or high is None:
        return False
    return low.is_at_least(0) and (size - 1).is_at_least(high)


def _known(choose: Callable[[Dim, Dim], Dim], ends: Iterable[Dim | None]) -> Dim | None:
    known = [end for end in ends if end is not None]
    return choose(*known) if len(known) == 2 else next(iter(known), None)


def _all(choose: Callable[[Dim, Dim], Dim], ends: Iterable[Dim | None]) -> Dim | None:
    known = [end for end in ends if end is not None]
    return choose(*known) if len(known) == 2 else None
