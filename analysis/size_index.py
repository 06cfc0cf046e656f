"""Sizes as expressions for the analysis of positions, over products of symbols."""

from __future__ import annotations

from functools import lru_cache

from ..dialects.shape import Call, Dim, Monomial
from ..support.affine import Atom, Index, Key, constant, variable


@lru_cache(maxsize=1 << 14)
def size_index(dim: Dim) -> Index:
    """Return a dimension as an expression over products of symbols, and atoms of such."""
    total = Index()
    for monomial, coefficient in dim.terms:
        total = total + _product_index(monomial) * coefficient
    return total


def _product_index(monomial: Monomial) -> Index:
    """Return a product as an expression: a quotient or remainder by a number is an atom of it."""
    if not monomial:
        return constant(1)
    first = monomial[0]
    if len(monomial) == 1 and isinstance(first, Call) and first.rhs.value is not None:
        kind, inner = first.function, size_index(first.lhs)
        if kind == "floordiv" or kind == "mod":
            return Index({Atom(kind, inner, first.rhs.value): 1})
    return variable(Dim(((monomial, 1),)))


def is_of_sizes(key: Key) -> bool:
    """Return whether a key is a size, or a quotient or remainder of sizes."""
    return type(key) is Dim or (type(key) is Atom and all(map(is_of_sizes, key.operand.terms)))


__all__ = ["is_of_sizes", "size_index"]
