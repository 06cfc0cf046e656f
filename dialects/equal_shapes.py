"""Checks that types or shapes are equal or broadcast; errors name the types or the sizes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.ir import Attribute

from ..support.diagnostics import TypeMismatch, UnequalSizes
from .shape import Dim, Tensor, dims_of


def check_type_lists(
    rule: str, expected: Sequence[Attribute], got: Sequence[Attribute], *, hint: str
) -> None:
    """Raise TypeMismatch if two lists of types differ.

    rule: the violated rule, the first line of the error.
    """
    if list(expected) != list(got):
        raise TypeMismatch(rule, expected=type_list(expected), got=type_list(got), hint=hint)


def type_list(types: Iterable[Attribute]) -> str:
    """Return types as a text for errors: separated by commas, or "nothing"."""
    return ", ".join(map(str, types)) or "nothing"


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
