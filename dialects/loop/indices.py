"""Accesses as SSA values plus one affine map over them, and interned attributes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    IntAttr,
    StringAttr,
)
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from ...support.affine import (
    Index,
    Key,
    from_affine_expr,
    to_affine_expr,
    unknown_range,
    variable,
)


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
            positions.setdefault(key, len(positions))
    numbered = tuple(_number(index, positions) for index in indices)
    return cast("list[SSAValue]", list(positions)), _map_attr(numbered, len(positions))


def _number(index: Index, positions: dict[Key, int]) -> Index:
    """Name variables by position, so that equal accesses share one map attribute."""
    if not index.terms:
        return index
    values = {key: variable(position) for key, position in positions.items()}
    return index.substitute(values, unknown_range)


@cache
def _map_attr(indices: tuple[Index, ...], n_dims: int) -> AffineMapAttr:
    exprs = tuple(to_affine_expr(i, lambda k: AffineExpr.dimension(cast(int, k))) for i in indices)
    return AffineMapAttr(AffineMap(n_dims, 0, exprs))


@cache
def numbered_indices(map_: AffineMap) -> tuple[Index, ...]:
    """Return a map's results as expressions whose keys are the dimension numbers."""
    dims: list[Key] = list(range(map_.num_dims))
    return tuple(from_affine_expr(e, dims, (), unknown_range) for e in map_.results)


def decode_indices(map_: AffineMapAttr, values: Sequence[SSAValue]) -> list[Index]:
    """Return a map's results over the given SSA values."""
    named: dict[Key, Index] = {i: variable(v) for i, v in enumerate(values)}
    return [e.substitute(named, unknown_range) for e in numbered_indices(map_.data)]
