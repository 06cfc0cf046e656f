"""Range analysis for integer tensors at the graph level.

In: a value.  Out: its least and largest possible element.  The sources of ranges are constants,
positions (iota, arg reduction, sort, nonzero), clipping, remainders and arithmetic without
overflow.  The values of symbolic sizes and of arguments are unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import IntegerType, Signedness
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from ...dialects.graph import (
    AddOp,
    AndOp,
    ArgReduceOp,
    BinaryOp,
    BroadcastOp,
    CastOp,
    ConcatOp,
    ConstantOp,
    GatherElementsOp,
    GatherNdOp,
    GatherOp,
    IotaOp,
    MaxOp,
    MaxPoolIndicesOp,
    MinOp,
    ModOp,
    MulOp,
    NonZeroOp,
    ReduceOp,
    ReshapeOp,
    SelectOp,
    SizeOp,
    SliceOp,
    SubOp,
    TopKOp,
    TransposeOp,
    UniqueOp,
)
from ...dialects.shape import Dim, dims_of, type_of
from ...support.affine import Range
from .range_arithmetic import bit_and, product
from .value_ranges import joined

Find: TypeAlias = Callable[[SSAValue], Range | None]
"""A function that returns the range of an operand."""

MAX_DEPTH = 64
"""Longest chain of ops that the analysis follows."""


class Ranges:
    """The ranges of the values of one program; each range is computed once."""

    def __init__(self) -> None:
        self._known: dict[SSAValue, Range | None] = {}
        self._depth = 0

    def of(self, value: SSAValue) -> Range | None:
        """Return the least and the largest possible element of an integer tensor, or None."""
        if value not in self._known and self._depth < MAX_DEPTH:
            self._depth += 1
            self._known[value] = self._find(value)
            self._depth -= 1
        return self._known.get(value)

    def _find(self, value: SSAValue) -> Range | None:
        limits = _limits(type_of(value).element_type)
        if limits == (0, 1) or limits is None:
            return limits
        if not isinstance(value, OpResult):
            return None
        rule = _RULES.get(type(value.op))
        found = None if rule is None else rule(value.op, value.index, self.of)
        if found is None or found[0] < limits[0] or found[1] > limits[1]:
            return None  # unknown, or arithmetic may overflow
        return found


def _limits(element: Attribute) -> Range | None:
    if not isinstance(element, IntegerType):
        return None
    bits = element.width.data
    if bits == 1 or element.signedness.data == Signedness.UNSIGNED:
        return 0, 2**bits - 1
    return -(2 ** (bits - 1)), 2 ** (bits - 1) - 1


def _below(size: Dim | int | None) -> Range | None:
    """Return the range of positions on an axis of this size; None if the size is symbolic or 0."""
    number = size.value if isinstance(size, Dim) else size
    return None if not number else (0, number - 1)


def _joined(spans: list[Range | None]) -> Range | None:
    known = [span for span in spans if span is not None]
    if not known or len(known) < len(spans):
        return None
    return joined(*known)


def _constant(op: ConstantOp, _: int, find: Find) -> Range | None:
    array = op.array
    return (int(array.min()), int(array.max())) if array.size else None


def _non_zero(op: NonZeroOp, _: int, find: Find) -> Range | None:
    sizes = [dim.value for dim in dims_of(type_of(op.x))]
    return _below(max((n for n in sizes if n), default=None)) if None not in sizes else None


def _unique(op: UniqueOp, result: int, find: Find) -> Range | None:
    if result == 0:
        return find(op.x)
    positions = _elements(op.x)
    is_count = result == 3
    return positions and (positions[0], positions[1] + is_count)


def _top_k(op: TopKOp, result: int, find: Find) -> Range | None:
    return find(op.x) if result == 0 else _below(dims_of(type_of(op.x))[op.axis])


def _pooled(op: MaxPoolIndicesOp, result: int, find: Find) -> Range | None:
    return _elements(op.x, 2 if op.in_channel else 0) if result else find(op.x)


def _elements(x: SSAValue, first: int = 0) -> Range | None:
    sizes = [dim.value for dim in dims_of(type_of(x))[first:]]
    return None if None in sizes else _below(prod(size or 0 for size in sizes))


def _sizes(op: SizeOp, _: int, find: Find) -> Range | None:
    return _joined([None if d.value is None else (d.value, d.value) for d in op.dims])


def _reduced(op: ReduceOp, _: int, find: Find) -> Range | None:
    return find(op.x) if op.kind in ("max", "min") else None


def _binary(op: BinaryOp, _: int, find: Find) -> Range | None:
    lhs, rhs = find(op.lhs), find(op.rhs)
    if isinstance(op, ModOp):
        return _below(rhs[1]) if rhs is not None and rhs[0] > 0 else None
    if isinstance(op, AndOp):
        return bit_and(lhs or (-1, -1), rhs or (-1, -1))  # an unknown operand may be negative
    if isinstance(op, MinOp | MaxOp):
        limits = _limits(type_of(op.out).element_type) or (0, 0)
        pick = min if isinstance(op, MinOp) else max
        return cast(Range, tuple(map(pick, lhs or limits, rhs or limits)))
    if lhs is None or rhs is None:
        return None
    if isinstance(op, AddOp):
        return lhs[0] + rhs[0], lhs[1] + rhs[1]
    if isinstance(op, SubOp):
        return lhs[0] - rhs[1], lhs[1] - rhs[0]
    return product(lhs, rhs)


_Rule: TypeAlias = Callable[[Any, int, Find], Range | None]

_RULES: Mapping[type[Operation], _Rule] = {
    ConstantOp: _constant,
    IotaOp: lambda op, _, find: _below(dims_of(type_of(op.out))[op.axis]),
    ArgReduceOp: lambda op, _, find: _below(dims_of(type_of(op.x))[op.axis]),
    NonZeroOp: _non_zero,
    UniqueOp: _unique,
    TopKOp: _top_k,
    MaxPoolIndicesOp: _pooled,
    SizeOp: _sizes,
    ReduceOp: _reduced,
    SelectOp: lambda op, _, find: _joined([find(op.lhs), find(op.rhs)]),
    ConcatOp: lambda op, _, find: _joined([find(x) for x in op.xs]),
    **dict.fromkeys((AddOp, SubOp, MulOp, MinOp, MaxOp, ModOp, AndOp), _binary),
    **dict.fromkeys(
        (
            BroadcastOp,
            CastOp,
            GatherElementsOp,
            GatherNdOp,
            GatherOp,
            ReshapeOp,
            SliceOp,
            TransposeOp,
        ),
        lambda op, _, find: find(op.x),
    ),
}
