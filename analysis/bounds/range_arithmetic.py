"""Ranges of integer operations from the ranges of their two operands.

In: the smallest and largest value of each operand.  Out: the range of the result; None if the
operation may overflow, or has no rule for such operands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ...support.affine import Range

PairRule: TypeAlias = Callable[[Range, Range], Range | None]
INDEX_BITS = 64


def product(x: Range, y: Range) -> Range:
    """Return the range of a product."""
    corners = [a * b for a in x for b in y]
    return min(corners), max(corners)


def quotient(x: Range, y: Range) -> Range | None:
    """Return the range of a division of x by y, if x is at least 0 and y positive; else None."""
    return (x[0] // y[1], x[1] // y[0]) if x[0] >= 0 and y[0] > 0 else None


def floor_quotient(x: Range, y: Range) -> Range | None:
    """Return the range of a division that rounds down; None if the divisor may be 0 or less."""
    if y[0] <= 0:
        return None
    corners = [a // b for a in x for b in y]
    return min(corners), max(corners)


def remainder(x: Range, y: Range) -> Range | None:
    """Return the range of a remainder with the sign of x; None if the divisor may be 0 or less."""
    if y[0] <= 0:
        return None
    most = y[1] - 1
    return max(-most, min(0, x[0])), max(0, min(most, x[1]))


def unsigned(rule: PairRule) -> PairRule:
    """Return a rule for an unsigned op, which applies the signed rule to non-negative operands."""
    return lambda x, y: rule(x, y) if x[0] >= 0 and y[0] >= 0 else None


def unsigned_remainder(x: Range, y: Range) -> Range | None:
    """Return the range of an unsigned remainder; None if the divisor may be 0."""
    if y[0] <= 0:
        return None
    return (0, min(x[1], y[1] - 1)) if x[0] >= 0 else (0, y[1] - 1)


def unsigned_min(x: Range, y: Range) -> Range | None:
    """Return the range of an unsigned minimum.

    A negative operand counts as larger than any other; None if both operands may be negative.
    """
    if x[0] >= 0 and y[0] >= 0:
        return min(x[0], y[0]), min(x[1], y[1])
    tops = [r[1] for r in (x, y) if r[0] >= 0]
    return (0, min(tops)) if tops else None


def bit_and(x: Range, y: Range) -> Range | None:
    """Return the range of a bitwise and; None if both operands may be negative."""
    tops = [r[1] for r in (x, y) if r[0] >= 0]
    return (0, min(tops)) if tops else None


def bit_or(x: Range, y: Range) -> Range | None:
    """Return the range of a bitwise or, or exclusive or; None if an operand may be negative."""
    if x[0] < 0 or y[0] < 0:
        return None
    return 0, (1 << max(x[1].bit_length(), y[1].bit_length())) - 1


def shifted_left(x: Range, y: Range) -> Range | None:
    """Return the range of a left shift; None if the amount may be out of range."""
    return product(x, (1 << y[0], 1 << y[1])) if y[0] >= 0 and y[1] < INDEX_BITS else None


def shifted_right(x: Range, y: Range) -> Range | None:
    """Return the range of an arithmetic right shift; None if the amount may be out of range."""
    if y[0] < 0 or y[1] >= INDEX_BITS:
        return None
    corners = [a >> b for a in x for b in y]
    return min(corners), max(corners)
