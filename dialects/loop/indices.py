"""Index expressions as SSA operands and an affine map, and interned attributes.

In a *numbered* expression, integers stand for the variables, so equal maps have equal expressions.
"""

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
"""A hashable Index over numbered variables: constant, (variable or atom, coefficient) pairs."""

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
    """Return the SSA values in index expressions, and the affine map over these values."""
    positions: dict[Key, int] = {}
    for index in indices:
        for key in index.variables():
            if key not in positions:
                positions[key] = len(positions)
    numbered = tuple(number_index(index, positions) for index in indices)
    return cast("list[SSAValue]", list(positions)), numbered_map(numbered, len(positions))


def number_index(index: Index, positions: Mapping[Key, int]) -> Numbered:
    """Return a numbered expression: replace each variable of ``index`` by its number.

    Accesses that differ only in their variables then share one map.
    positions: the number of each variable.
    """
    return index.const, tuple(
        (_numbered_atom(key, positions) if isinstance(key, Atom) else positions[key], coefficient)
        for key, coefficient in index.terms.items()
    )


def _numbered_atom(atom: Atom, positions: Mapping[Key, int]) -> NumberedAtom:
    return atom.kind, number_index(atom.operand, positions), atom.divisor


@cache
def numbered_map(indices: tuple[Numbered, ...], n_dims: int, n_symbols: int = 0) -> AffineMapAttr:
    """Return the interned affine map of numbered index expressions.

    Variables below ``n_dims`` become dimensions of the map, the others symbols.
    """

    def variable_of(key: Key) -> AffineExpr:
        number = cast(int, key)
        is_dim = number < n_dims
        return AffineExpr.dimension(number) if is_dim else AffineExpr.symbol(number - n_dims)

    exprs = tuple(to_affine_expr(_index(i), variable_of) for i in indices)
    return AffineMapAttr(AffineMap(n_dims, n_symbols, exprs))


def _index(numbered: Numbered) -> Index:
    const, terms = numbered
    return Index(
        {k if isinstance(k, int) else Atom(k[0], _index(k[1]), k[2]): c for k, c in terms}, const
    )


@cache
def numbered_indices(map_: AffineMap) -> tuple[Index, ...]:
    """Return the results of a map as numbered index expressions.

    The dimensions of the map are numbered first, then its symbols.
    """
    dims: list[Key] = list(range(map_.num_dims))
    symbols = cast("list[SSAValue]", range(map_.num_dims, map_.num_dims + map_.num_symbols))
    return tuple(from_affine_expr(e, dims, symbols, unknown_range) for e in map_.results)


_RESULTS, _IS_AFFINE, _NAMED = "numbered_indices", "is_affine", "results_over"
"""Names of Python attributes in which a map attribute caches derived facts about itself.

A dictionary keyed by maps would be as slow as decoding a map, because it must hash the map.
"""


def map_results(map_: AffineMapAttr) -> tuple[Index, ...]:
    """Return `numbered_indices` of a map attribute; the attribute caches the answer."""
    kept = vars(map_)
    found = kept.get(_RESULTS)
    if found is None:
        found = kept[_RESULTS] = numbered_indices(map_.data)
    return found


def is_affine(map_: AffineMapAttr) -> bool:
    """Return whether a map has no quotients and remainders; the attribute caches the answer."""
    kept = vars(map_)
    found = kept.get(_IS_AFFINE)
    if found is None:
        atoms = (key for index in map_results(map_) for key in index.terms if type(key) is Atom)
        found = kept[_IS_AFFINE] = not any(True for _ in atoms)
    return found


def results_over(map_: AffineMapAttr, names: tuple[str, ...]) -> tuple[Index, ...]:
    """Return the results of a map as expressions over ``names``, one per dimension of the map.

    The attribute caches the answer for each list of names.
    """
    kept = vars(map_).setdefault(_NAMED, {})
    found = kept.get(names)
    if found is None:
        found = kept[names] = tuple(name_index(index, names) for index in map_results(map_))
    return found


def decode_indices(map_: AffineMapAttr, values: Sequence[SSAValue]) -> list[Index]:
    """Return the results of a map, applied to SSA values, as index expressions.

    values: the value of each dimension of the map.
    """
    if are_distinct(values):
        return [name_index(index, values) for index in map_results(map_)]
    return [from_affine_expr(e, values, (), unknown_range) for e in map_.data.results]


def decode_index(map_: AffineMapAttr, values: Sequence[SSAValue], number: int) -> Index:
    """Return one result of an affine map, applied to SSA values, as an index expression.

    values: the value of each dimension of the map.  number: the position of the result in the map.
    """
    if are_distinct(values):
        return name_index(map_results(map_)[number], values)
    return from_affine_expr(map_.data.results[number], values, (), unknown_range)


def are_distinct(values: Sequence[SSAValue]) -> bool:
    """Return whether no value occurs twice; otherwise terms of an expression must be merged."""
    if len(values) == 2:
        return values[0] is not values[1]
    return len(values) < 2 or len(set(map(id, values))) == len(values)


def name_index(index: Index, keys: Sequence[Key]) -> Index:
    """Replace the numbers in a numbered expression by variables: number n becomes ``keys[n]``."""
    if not index.terms:
        return index
    if len(index.terms) == 1:
        ((key, coefficient),) = index.terms.items()
        if type(key) is int:
            return Index({keys[key]: coefficient}, index.const)
    terms = {
        keys[key] if type(key) is int else _named_atom(cast(Atom, key), keys): coefficient
        for key, coefficient in index.terms.items()
    }
    return Index(terms, index.const)


def _named_atom(atom: Atom, keys: Sequence[Key]) -> Atom:
    return Atom(atom.kind, name_index(atom.operand, keys), atom.divisor)
