"""Checks that shapes are equal or broadcast: the common shape, and errors that name the sizes."""

from __future__ import annotations

from collections.abc import Sequence

from ..support.diagnostics import TypeMismatch, UnequalSizes
from .shape import Dim, Tensor, dims_of


def unlike(rule: str, expected: Tensor, got: Tensor, *, hint: str) -> TypeMismatch:
    """Return the error for a tensor whose type differs from the expected type.

    rule, hint: the first and the last line of the error: the violated rule, and what to do.
    If only sizes differ, the error is UnequalSizes, because the sizes of a later call may make them
    equal.
    """
    wanted, given = dims_of(expected), dims_of(got)
    if got.element_type != expected.element_type or len(given) != len(wanted):
        return TypeMismatch(rule, expected=expected, got=got, hint=hint)
    pairs = zip(given, wanted, strict=True)
    return UnequalSizes(rule, expected=expected, got=got, hint=hint, sizes=pairs)


def broadcast_dims(lhs: Sequence[Dim], rhs: Sequence[Dim]) -> tuple[Dim, ...]:
    """Return the common shape of two shapes that are broadcast as in numpy, aligned at the end.

    Errors: TypeMismatch if two sizes differ and neither is 1.
    """
    rank, one = max(len(lhs), len(rhs)), Dim.const(1)
    left = (*(one,) * (rank - len(lhs)), *lhs)
    right = (*(one,) * (rank - len(rhs)), *rhs)
    for a, b in zip(left, right, strict=True):
        if one not in (a, b) and a != b:
            raise UnequalSizes(
                "sizes do not broadcast",
                expected=f"{a} or 1",
                got=b,
                hint="make the sizes equal, or one of them 1",
                sizes=[(a, b)],
                broadcasts=True,
            )
    return tuple(b if a == one else a for a, b in zip(left, right, strict=True))
