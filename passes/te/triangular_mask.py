"""Rewrite a triangular mask that depends only on positions as one comparison.

    then(%s: f32, %w: f32) { %t = arith.addf %s, %w … }         %w[m, n] a constant: 0 for n <= m
==>
    then(%s: f32, %m: index, %n: index) {
      %c = arith.cmpi sle, %n, %m : index
      %w = arith.select %c, 0.0, -inf …    %t = arith.addf %s, %w … }

A mask is an addend of the scores or an operand of a select that depends only on constants and
positions.  The module evaluates the mask for all queries and keys. If it has one value for keys up
to a distance from the query and another value beyond, a comparison replaces it. The comparison
reads no memory and lets analysis/patterns/attention.py find the hidden keys.  Exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects import arith
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...dialects.dtypes import is_bool
from ...dialects.packed import ConstantOp
from ...dialects.shape import Dim
from ...dialects.te import Access, ComputeView
from ...dialects.te.scalars import Scalars
from ...interp.body import evaluate
from ...support.affine import Key, variable
from ...support.blocks import returned
from ..rewrite.compose import copy_body, finish_body

MOST_POINTS = 1 << 24
"""Larger masks are not rewritten: 4096 queries of 4096 keys take half a second."""

_STRIP = 1 << 18
"""The number of points evaluated at once."""

_Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
TriangularMask: TypeAlias = tuple[Any, Any, int]
"""A triangular mask: the value for keys n <= m + distance, the value beyond, the distance."""


def with_conditions(view: ComputeView, query: str, key: str) -> ComputeView | None:
    """Return scores whose triangular masks are comparisons of positions; None without such masks.

    query, key: the axes of the scores over queries and keys.
    """
    sizes = view.axes[query], view.axes[key]
    if not view.then.blocks or any(isinstance(size, Dim) for size in sizes):
        return None
    if view.extents[query] * view.extents[key] > MOST_POINTS:
        return None
    table = _PositionValues(view, query, key)
    found: dict[tuple[Operation, int], TriangularMask] = {}
    for op, position in _masks(view, table):
        mask = table.triangular_mask(op.operands[position])
        if mask is not None:
            found[op, position] = mask
    return _rewrite(view, query, key, found) if found else None


def _masks(view: ComputeView, table: _PositionValues) -> list[tuple[Operation, int]]:
    """Return the masks among the operands of the additions and selects that compute the scores.

    A mask is an operand that depends only on constants and positions, and is not itself a constant.
    It is returned as (op, operand number).
    table: the values that depend only on constants and positions.
    """
    found: list[tuple[Operation, int]] = []
    pending = [returned(view.then.block)[0]]
    while pending:
        owner = pending.pop().owner
        if not isinstance(owner, arith.AddfOp | arith.SelectOp):
            continue
        for position, value in enumerate(owner.operands):
            if table.is_known(value):
                if not isinstance(value.owner, arith.ConstantOp):
                    found.append((owner, position))
            else:
                pending.append(value)
    return found


class _PositionValues:
    """The values of ``then`` that depend only on constants and positions, for all queries and keys.

    view: the compute of the scores.
    query, key: its axes over queries and keys.
    sources: the arguments of ``then`` with such values, and their accesses.
    known: all such values.
    """

    def __init__(self, view: ComputeView, query: str, key: str) -> None:
        self.view, self.query, self.key = view, query, key
        units = {a for a, n in view.axes.items() if n == 1}
        block = view.then.block
        values = len(block.args) - len(view.post)
        self.sources: dict[SSAValue, Access] = {
            argument: access
            for argument, access in zip(block.args[values:], view.post, strict=True)
            if _is_fixed(access) and access.axes() <= {query, key} | units
        }
        self.known: set[SSAValue] = set(self.sources)
        for op in block.ops:
            if op.results and all(v in self.known for v in op.operands):
                self.known.update(op.results)

    def is_known(self, value: SSAValue) -> bool:
        """Return whether a value depends only on constants and positions."""
        return value in self.known

    def triangular_mask(self, value: SSAValue) -> TriangularMask | None:
        """Return a triangular mask as (value, other value, distance); None for any other value.

        For query m, the mask is ``value`` at the keys 0 to m + distance, and ``other value`` at all
        later keys.
        """
        rows, columns = self.view.extents[self.query], self.view.extents[self.key]
        first, last = (self._at(value, m, m + 1) for m in (0, rows - 1))
        seen, hidden = last[0, 0], first[0, -1]
        if _same(seen, hidden).all():
            return None
        counts: list[_Array] = []
        step = max(1, _STRIP // columns)
        for low in range(0, rows, step):
            part = self._at(value, low, min(low + step, rows))
            visible = _same(part, seen)
            count = visible.sum(1)
            expected = np.arange(columns)[None, :] < count[:, None]
            if not (visible == expected).all() or not _same(part[~visible], hidden).all():
                return None
            counts.append(count)
        ends = np.concatenate(counts)
        inside = np.flatnonzero((ends > 0) & (ends < columns))
        if not inside.size:
            return None
        distance = int(ends[inside[0]] - 1 - inside[0])
        if (np.clip(np.arange(rows) + distance + 1, 0, columns) != ends).any():
            return None
        return seen.item(), hidden.item(), distance

    def _at(self, value: SSAValue, low: int, high: int) -> _Array:
        """Return the elements of a value, as an array [query, key], for some queries and all keys.

        low, high: the first query, and the end of the queries.
        """
        columns = self.view.extents[self.key]
        points: dict[Key, _Array] = dict.fromkeys(self.view.extents, np.zeros((1, 1), np.int64))
        points[self.query] = np.arange(low, high)[:, None]
        points[self.key] = np.arange(columns)[None, :]
        values = {v: _read(access, points) for v, access in self.sources.items()}
        for op in self.view.then.block.ops:
            if op.results and all(v in values for v in op.operands):
                operands = [values[v] for v in op.operands]
                values[op.results[0]] = evaluate(op, operands, f"@{self.view.name}")
        return np.broadcast_to(values[value], (high - low, columns))


def _is_fixed(access: Access) -> bool:
    """Return whether an access reads a position, or an unpadded element of a constant."""
    if access.is_index:
        return True
    fixed = access.value is not None and isinstance(access.value.owner, ConstantOp)
    return fixed and access.indices is not None and access.pad is None


def _read(access: Access, points: Mapping[Key, _Array]) -> _Array:
    places = [
        np.zeros((1, 1), np.int64) + e.evaluate(points.__getitem__) for e in access.indices or ()
    ]
    if access.value is None:
        return places[0]
    owner = access.value.owner
    assert isinstance(owner, ConstantOp), "only constants are known"
    return owner.value.array.reshape(access.shape)[tuple(places)]


def _same(values: _Array, other: Any) -> _Array:
    """Return for each element of an array whether it equals ``other``.

    NaN equals NaN here, and zeros of different sign differ.
    """
    other = np.asarray(other, values.dtype)
    is_real = other.dtype.kind == "f"
    equal = (values == other) & (np.signbit(values) == np.signbit(other) if is_real else True)
    return equal | ((values != values) & (other != other))


def _rewrite(
    view: ComputeView, query: str, key: str, found: Mapping[tuple[Operation, int], TriangularMask]
) -> ComputeView:
    """Replace masks in ``then`` by comparisons of positions; drop post operands that become unused.

    query, key: the axes over queries and keys.  found: the masks by op and operand number.
    """
    old = view.then.block
    places = [Access(None, [variable(axis)]) for axis in (query, key)]
    post = [*view.post, *(a for a in places if a not in view.post)]
    values = len(old.args) - len(view.post)
    types = [a.type for a in old.args[:values]] + [a.argument_type for a in post]
    block = Block(arg_types=types)
    at = [block.args[values + post.index(place)] for place in places]
    mapping: dict[SSAValue, SSAValue] = dict(zip(old.args, block.args, strict=False))
    for op in old.ops:
        if not op.results:
            continue
        operands = {n: v for (o, n), v in found.items() if o is op}
        made = op.clone(mapping)
        scalars = Scalars(block)
        for number, mask in operands.items():
            made.operands[number] = _formula(scalars, at, mask, op.operands[number].type)
        block.add_op(made)
    finish_body(block, [mapping.get(v, v) for v in returned(old)])
    return _without_unused(replace(view, post=post, then=Region(block)), values)


def _formula(
    s: Scalars, at: Sequence[SSAValue], mask: TriangularMask, element_type: Attribute
) -> SSAValue:
    seen, hidden, distance = mask
    reach = at[0] if distance == 0 else s.add(at[0], s.like(distance, at[0]))
    if not is_bool(element_type):
        values = (s.constant(v, element_type) for v in (seen, hidden))
        return s.select(s.compare("le", at[1], reach), *values)
    return s.compare("le" if seen else "gt", at[1], reach)


def _without_unused(view: ComputeView, values: int) -> ComputeView:
    """Drop post operands that ``then`` does not use.

    values: the number of accumulators among the first arguments of ``then``.
    """
    old = view.then.block
    used = [bool(tuple(a.uses)) for a in old.args[values:]]
    post = [a for a, is_used in zip(view.post, used, strict=True) if is_used]
    kept = [a for n, a in enumerate(old.args) if n < values or used[n - values]]
    block = Block(arg_types=[a.type for a in kept])
    new = dict(zip(kept, block.args, strict=True))
    # The other arguments are unused, so any value may replace them.
    finish_body(block, copy_body(block, old, [new.get(a, block.args[0]) for a in old.args]))
    return replace(view, post=post, then=Region(block))
