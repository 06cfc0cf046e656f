"""loop-narrow-indices: integers that are made of positions get 32 bits where their ranges fit.

    %p = loop.index [%i * 4] step 1 : vector<4xindex>
    %a = loop.cast "index_cast" %p : vector<4xindex> to vector<4xi64>
    %b = arith.addi %a, %four : vector<4xi64>
    %c = loop.cmp "slt" %b, %limit : vector<4xi64>, vector<4xi64>, vector<4xi1>
==>
    %a = loop.cast "index_cast" %p : vector<4xindex> to vector<4xi32>
    %b = arith.addi %a, %four : vector<4xi32>
    %c = loop.cmp "slt" %b, %limit : vector<4xi32>, vector<4xi32>, vector<4xi1>

A 64-bit value is narrow if it is a converted position, a constant, or a sign-extended integer that
fits 32 bits, or arithmetic of narrow values whose result fits.  Comparisons and conversions of
narrow values read 32 bits; for all other users, the narrow result is extended.

The printers of C for GPUs choose ``int`` for positions by the same test of the range
(lowering/simt_to_c/emitter.py), and the emitter of LLVM IR for the masks of padded loads.

Before: loop programs.  After: no comparison or conversion of narrow values reads 64 bits.
Exact: the same integers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    IndexType,
    IntegerAttr,
    ModuleOp,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.bounds.checked_data import checked_ranges
from ...analysis.bounds.loop_ranges import LoopRanges
from ...dialects.loop import CastOp, CompareOp, SelectOp, str_attr
from ...support.affine import fits_i32
from ...support.entry import defined_functions
from ...support.passes import ExactPass


@dataclass(frozen=True)
class NarrowIndices(ExactPass):
    """Compute integers of positions in 32 bits where their ranges allow it."""

    name = "loop-narrow-indices"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        checked = checked_ranges(op)
        for function in defined_functions(op):
            _IndexNarrowing(LoopRanges(checked)).run(function.body.block)


class _IndexNarrowing:
    """The rewrite of one function to 32-bit integers, where they fit.

    ranges: the ranges of its values.  narrow: the 32-bit value of each 64-bit value that has one.
    made: the new ops that compute 32-bit values, each with the 64-bit op that it may replace.
    """

    def __init__(self, ranges: LoopRanges) -> None:
        self.ranges = ranges
        self.narrow: dict[SSAValue, SSAValue] = {}
        self.made: list[tuple[Operation, Operation]] = []

    def run(self, block: Block) -> None:
        """Narrow the values of a function, then erase the ops that nothing uses any more."""
        for op in list(block.walk()):
            rule = _RULES.get(_kind(op))
            if rule is not None:
                rule(self, op)
        for narrow, wide in reversed(self.made):
            self._finish(narrow, wide)

    # ---- narrow values

    def position(self, op: Operation) -> None:
        """Record the narrow form of a position that is converted to 64 bits."""
        (x,) = op.operands
        if _element(x.type) == IndexType() and self._fits(op.results[0]):
            self._make(op, _convert(op, "index_cast", x, _narrow_type(op.results[0].type)))

    def extended(self, op: Operation) -> None:
        """Record the operand of a sign extension from 32 bits as the narrow form of the result."""
        (x,) = op.operands
        if _element(x.type) == i32 and _element(op.results[0].type) == i64:
            self.narrow[op.results[0]] = x

    def constant(self, op: Operation) -> None:
        """Record the narrow form of a 64-bit constant."""
        assert isinstance(op, arith.ConstantOp), "arith.constant"
        if isinstance(op.value, IntegerAttr) and self._fits(op.result):
            self._make(op, arith.ConstantOp(IntegerAttr(op.value.value.data, 32)))

    def arithmetic(self, op: Operation) -> None:
        """Record the narrow form of arithmetic on narrow values, if the result fits."""
        (result,) = op.results
        operands = [self.narrow.get(v) for v in op.operands]
        if isinstance(op, SelectOp):
            operands[0] = op.operands[0]
        if None not in operands and self._fits(result):
            new = type(op).create(
                operands=cast("list[SSAValue]", operands),
                result_types=[_narrow_type(result.type)],
                properties=op.properties.copy(),
            )
            self._make(op, new)

    def _fits(self, value: SSAValue) -> bool:
        return _element(value.type) == i64 and fits_i32(self.ranges.of(value))

    def _make(self, op: Operation, new: Operation) -> None:
        Rewriter.insert_op(new, InsertPoint.after(op))
        new.results[0].name_hint = op.results[0].name_hint
        self.narrow[op.results[0]] = new.results[0]
        self.made.append((new, op))

    # ---- readers of narrow values

    def compare(self, op: Operation) -> None:
        """Let a signed comparison read the 32-bit values of its operands, if both have one."""
        assert isinstance(op, CompareOp), "loop.cmp"
        pair = [self.narrow.get(v) for v in op.operands]
        if None not in pair and not op.predicate.data.startswith("u"):
            op.operands = cast("list[SSAValue]", pair)

    def convert(self, op: Operation) -> None:
        """Let a conversion read the 32-bit value of its 64-bit operand, if there is one.

        A truncation to 32 bits is replaced by this value.
        """
        (x,) = op.operands
        narrow, result = self.narrow.get(x), op.results[0]
        if narrow is None:
            return
        if _kind(op) == "trunci" and _element(result.type) == i32:
            result.replace_all_uses_with(narrow)
            Rewriter.erase_op(op)
        else:
            op.operands = [narrow]

    # ---- the end

    def _finish(self, narrow: Operation, wide: Operation) -> None:
        """Erase what is not needed of two ops that compute the same integer, in 32 and in 64 bits.

        An op without users is erased. If both results have users, an extension of the 32-bit result
        replaces the 64-bit op, unless that op is a position or a constant: then both stay.
        """
        if not narrow.results[0].uses:
            Rewriter.erase_op(narrow)
        elif not wide.results[0].uses:
            Rewriter.erase_op(wide)
        elif _kind(wide) in _ARITHMETIC:
            extension = _convert(wide, "extsi", narrow.results[0], wide.results[0].type)
            Rewriter.insert_op(extension, InsertPoint.after(narrow))
            wide.results[0].replace_all_uses_with(extension.results[0])
            Rewriter.erase_op(wide)


_ARITHMETIC = ("addi", "subi", "muli", "minsi", "maxsi", "broadcast", "select")

_RULES: Mapping[str, Callable[[_IndexNarrowing, Operation], None]] = {
    "index_cast": _IndexNarrowing.position,
    "extsi": _IndexNarrowing.extended,
    "constant": _IndexNarrowing.constant,
    **dict.fromkeys(_ARITHMETIC, _IndexNarrowing.arithmetic),
    "cmp": _IndexNarrowing.compare,
    "trunci": _IndexNarrowing.convert,
    "sitofp": _IndexNarrowing.convert,
}


def _kind(op: Operation) -> str:
    """Return the name of the scalar operation that an op computes, such as ``addi``.

    This is the kind of a loop.cast, and otherwise the op's name without the dialect; empty for ops
    of other dialects than arith and loop.
    """
    if isinstance(op, CastOp):
        return op.kind.data
    return op.name.partition(".")[2] if op.name.startswith(("arith.", "loop.")) else ""


def _element(type_: Attribute) -> Attribute:
    return type_.element_type if isinstance(type_, VectorType) else type_


def _narrow_type(type_: Attribute) -> Attribute:
    return VectorType(i32, type_.get_shape()) if isinstance(type_, VectorType) else i32


def _convert(like: Operation, kind: str, value: SSAValue, type_: Attribute) -> Operation:
    """Return a conversion of a scalar or vector to ``type_``.

    like: the op whose location the conversion gets.  kind: the name of the conversion in arith.
    """
    if isinstance(type_, VectorType):
        made: Operation = CastOp.create(
            operands=[value], result_types=[type_], properties={"kind": str_attr(kind)}
        )
    else:
        made = _SCALAR[kind].create(operands=[value], result_types=[type_])
    made.location = like.location
    return made


_SCALAR: Mapping[str, type[Operation]] = {
    "index_cast": arith.IndexCastOp,
    "extsi": arith.ExtSIOp,
}
