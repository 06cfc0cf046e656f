"""Ranges of the results of integer ops, from the ranges of their operands: one rule per op.

Loops, loads, selects and index expressions need more than the ranges of operands: their rules are
in analysis/bounds/loop_ranges.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, VectorType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from ...dialects import loop, simt
from ...dialects.shape import MOST
from ...support.affine import Range
from .range_arithmetic import (
    INDEX_BITS,
    PairRule,
    bit_and,
    bit_or,
    floor_quotient,
    product,
    quotient,
    remainder,
    shifted_left,
    shifted_right,
    unsigned,
    unsigned_min,
    unsigned_remainder,
)


class KnownRanges(Protocol):
    """The interface through which the rule of an op queries the ranges of its operands."""

    def of(self, value: SSAValue) -> Range:
        """Return the range of an integer or index value; of a vector, the range of all lanes."""
        ...


def limits(type_: Attribute) -> Range:
    """Return the range of an integer type: iN is signed, i1 is 0 or 1."""
    element = type_.element_type if isinstance(type_, VectorType) else type_
    if isinstance(element, IntegerType):
        bits = element.width.data
        return (0, 1) if bits == 1 else (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    return -(1 << (INDEX_BITS - 1)), (1 << (INDEX_BITS - 1)) - 1


def is_integer(type_: Attribute) -> bool:
    """Return whether a type is an integer, an index, or a vector of these."""
    element = type_.element_type if isinstance(type_, VectorType) else type_
    return isinstance(element, IntegerType | IndexType)


def number_of(op: arith.ConstantOp) -> int:
    """Return the value of an integer constant."""
    return cast("IntegerAttr[Any]", op.value).value.data


def joined(*ranges: Range) -> Range:
    """Return the smallest range that contains all the given ranges."""
    return min(low for low, _ in ranges), max(high for _, high in ranges)


_Rule: TypeAlias = Callable[[KnownRanges, OpResult], Range | None]


def _of_pair(rule: PairRule) -> _Rule:
    def apply(ranges: KnownRanges, value: OpResult) -> Range | None:
        lhs, rhs = value.op.operands
        return rule(ranges.of(lhs), ranges.of(rhs))

    return apply


def _of_all(ranges: KnownRanges, value: OpResult) -> Range:
    """Return the union of the operands' ranges, for ops that only move lanes of operands."""
    return joined(*(ranges.of(v) for v in value.op.operands))


def _of_first(ranges: KnownRanges, value: OpResult) -> Range:
    return ranges.of(value.op.operands[0])


def _constant_range(_ranges: KnownRanges, value: OpResult) -> Range | None:
    op = value.op
    assert isinstance(op, arith.ConstantOp), "a constant"
    if isinstance(op.value, IntegerAttr):
        number = number_of(op)
        return (number & 1, number & 1) if limits(value.type) == (0, 1) else (number, number)
    elements = getattr(op.value, "get_values", None)
    if elements is None or not is_integer(value.type):
        return None
    numbers = [int(n) for n in elements()]
    return min(numbers), max(numbers)


def _zero_extended(ranges: KnownRanges, value: OpResult) -> Range:
    (x,) = value.op.operands
    low, high = ranges.of(x)
    return (low, high) if low >= 0 else (0, 2 * limits(x.type)[1] + 1)


def _sign_extended(ranges: KnownRanges, value: OpResult) -> Range:
    (x,) = value.op.operands
    return (-1, 0) if limits(x.type) == (0, 1) else ranges.of(x)


_CONVERSIONS: Mapping[str, _Rule] = {
    "extsi": _sign_extended,
    "extui": _zero_extended,
    "index_cast": _of_first,
    "trunci": _of_first,
}


def _converted(ranges: KnownRanges, value: OpResult) -> Range | None:
    assert isinstance(value.op, loop.CastOp), "loop.cast"
    rule = _CONVERSIONS.get(value.op.kind.data)
    return None if rule is None else rule(ranges, value)


def _below_bound(_ranges: KnownRanges, value: OpResult) -> Range:
    """Return the range of a thread or block index, 0 to its bound minus 1.

    A symbolic bound counts as the largest possible size.
    """
    assert isinstance(value.op, simt.IdOp), "simt.thread_id or simt.block_id"
    bound = value.op.bound.value
    return 0, MOST if bound is None else bound - 1


def _reduced(ranges: KnownRanges, value: OpResult) -> Range | None:
    assert isinstance(value.op, loop.ReduceOp), "loop.reduce"
    return ranges.of(value.op.value) if value.op.kind.data in ("max", "min") else None


VALUE_RULES: Mapping[type[Operation], _Rule] = {
    arith.ConstantOp: _constant_range,
    arith.AddiOp: _of_pair(lambda x, y: (x[0] + y[0], x[1] + y[1])),
    arith.SubiOp: _of_pair(lambda x, y: (x[0] - y[1], x[1] - y[0])),
    arith.MuliOp: _of_pair(product),
    arith.DivSIOp: _of_pair(quotient),
    arith.DivUIOp: _of_pair(quotient),
    arith.FloorDivSIOp: _of_pair(floor_quotient),
    arith.RemSIOp: _of_pair(remainder),
    arith.RemUIOp: _of_pair(unsigned_remainder),
    arith.MinSIOp: _of_pair(lambda x, y: (min(x[0], y[0]), min(x[1], y[1]))),
    arith.MaxSIOp: _of_pair(lambda x, y: (max(x[0], y[0]), max(x[1], y[1]))),
    arith.MinUIOp: _of_pair(unsigned_min),
    arith.MaxUIOp: _of_pair(unsigned(lambda x, y: (max(x[0], y[0]), max(x[1], y[1])))),
    arith.AndIOp: _of_pair(bit_and),
    arith.OrIOp: _of_pair(bit_or),
    arith.XOrIOp: _of_pair(bit_or),
    arith.ShLIOp: _of_pair(shifted_left),
    arith.ShRSIOp: _of_pair(shifted_right),
    arith.ShRUIOp: _of_pair(unsigned(shifted_right)),
    arith.ExtSIOp: _sign_extended,
    arith.ExtUIOp: _zero_extended,
    arith.TruncIOp: _of_first,
    arith.IndexCastOp: _of_first,
    loop.CastOp: _converted,
    loop.BroadcastOp: _of_first,
    loop.RepeatOp: _of_first,
    loop.SliceOp: _of_first,
    loop.ExtractOp: _of_first,
    loop.ReduceOp: _reduced,
    **dict.fromkeys((loop.KeepLanesOp, loop.JoinOp, loop.PackOp, loop.TransposeOp), _of_all),
    loop.CompareOp: lambda _ranges, _value: (0, 1),
    simt.ThreadIdOp: _below_bound,
    simt.BlockIdOp: _below_bound,
}
