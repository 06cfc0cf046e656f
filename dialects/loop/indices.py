"""Encoding of accesses as SSA values plus one affine map over them; interned attributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TypeAlias, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    IntAttr,
    StringAttr,
)
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from ...support.affine import (
    Atom,
    AtomKind,
    Index,
    Key,
    from_affine_expr,
    to_affine_expr,
    unknown_range,
)

Numbered: TypeAlias = "tuple[int, tuple[tuple[int | NumberedAtom, int], ...]]"
"""An Index over numbered variables: the constant, and (variable or atom, coefficient) pairs."""

NumberedAtom: TypeAlias = tuple[AtomKind, Numbered, int]


@cache
def int_attr(value: int) -> IntAttr:
    """Return an interned integer attribute."""
    return IntAttr(value)


@cache
def str_attr(value: str) -> StringAttr:
    """Return an interned string attribute."""
    return StringAttr(value)


def encode_indices(indices: Sequence[Index]) -> tuple[list[SSAValue], AffineMapAttr]:
    """Return the SSA values used and the map over them (dims) for some index expressions."""
    positions: dict[Key, int] = {}
    for index in indices:
        for key in index.variables():
            if key not in positions:
                positions[key] = len(positions)
    numbered = tuple(_numbered(index, positions) for index in indices)
    return cast("list[SSAValue]", list(positions)), numbered_map(numbered, len(positions))


def _numbered(index: Index, positions: Mapping[Key, int]) -> Numbered:
    """Name variables by position, so that equal accesses share one map attribute."""
    return index.const, tuple(
        (_numbered_atom(key, positions) if isinstance(key, Atom) else positions[key], coefficient)
        for key, coefficient in index.terms.items()
    )


def _numbered_atom(atom: Atom, positions: Mapping[Key, int]) -> NumberedAtom:
    return atom.kind, _numbered(atom.operand, positions), atom.divisor


@cache
def numbered_map(indices: tuple[Numbered, ...], n_dims: int) -> AffineMapAttr:
    """Return the interned map of some expressions over numbered dimensions."""
    exprs = tuple(
        to_affine_expr(_index(i), lambda k: AffineExpr.dimension(cast(int, k))) for i in indices
    )
    return AffineMapAttr(AffineMap(n_dims, 0, exprs))


def _index(numbered: Numbered) -> Index:
    const, terms = numbered
    return Index(
        {k if isinstance(k, int) else Atom(k[0], _index(k[1]), k[2]): c for k, c in terms}, const
    )


@cache
def numbered_indices(map_: AffineMap) -> tuple[Index, ...]:
    """Return a map's results as expressions whose keys are the dimension numbers."""
    dims: list[Key] = list(range(map_.num_dims))
    return tuple(from_affine_expr(e, dims, (), unknown_range) for e in map_.results)


def decode_indices(map_: AffineMapAttr, values: Sequence[SSAValue]) -> list[Index]:
    """Return a map's results over the given SSA values."""
    return [from_affine_expr(e, values, (), unknown_range) for e in map_.data.results]
