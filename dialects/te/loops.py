"""te.loops: explicit loops over buffers, for computations that no other te op expresses.

    %sums = te.loops @row_sums (%x : tensor<4x8xf32>) -> tensor<4xf32> {
    ^bb0(%rows: memref<4x8xf32>, %out: memref<4xf32>):
      loop.for %i = 0 to 4 { .. loop.store %sum, %out[%i] : memref<4xf32>, f32 }
    }

The region contains ops of the loop level; it reads the operands and fills one new, uninitialized
buffer per result.  On tensors, operands and results are tensors.  After bufferization, the op has
``outs(%a, ..)`` and no results.  Schedules do not change the loops: the outer loops that are
written as parallel become tasks.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, StringAttr, TensorType
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, NoTerminator

from ..loop import StoreOp
from ..operand_syntax import parse_typed, print_typed
from ..shape import dims_of, memref_type
from .named_op import BufferFormEffects, NamedOp

_DIALECTS = ("loop", "arith", "math")


@irdl_op_definition
class LoopsOp(NamedOp):
    """Computation by explicit loops, which the region contains as ops of the loop level.

    On tensors, operands and results are tensors; after bufferization, results are output buffers.
    Region: takes the operands and the results as buffers, reads the operands, and fills the
    results.
    Errors: TypeMismatch if the region's arguments are not the operands and results as buffers, or
    if the region writes an operand or contains an op of another level.
    """

    name = "te.loops"

    ins = var_operand_def(TensorType | MemRefType)
    outs = var_operand_def(MemRefType)
    res = var_result_def(TensorType)
    body = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(IsolatedFromAbove(), NoTerminator(), BufferFormEffects())

    def __init__(
        self,
        label: str,
        ins: Sequence[SSAValue],
        body: Region,
        *,
        results: Sequence[Attribute] = (),
        outs: Sequence[SSAValue] = (),
    ) -> None:
        super().__init__(
            operands=[list(ins), list(outs)],
            result_types=[list(results)],
            properties={"sym_name": StringAttr(label)},
            regions=[body],
        )

    @property
    def targets(self) -> list[SSAValue]:
        """The results, or after bufferization the output buffers."""
        return [*self.outs, *self.res]

    def verify_(self) -> None:
        block = self.body.block
        expected = [buffer_type(v.type) for v in (*self.ins, *self.targets)]
        got = [a.type for a in block.args]
        if got != expected:
            raise self.error(
                "region arguments are the operands and results as buffers",
                ", ".join(map(str, expected)),
                ", ".join(map(str, got)),
                "declare one memref argument per operand, then one per result",
            )
        read_only = set(block.args[: len(self.ins)])
        for op in self.body.walk():
            if op.name.split(".")[0] not in _DIALECTS:
                rule, hint = "only loop-level ops are allowed", "write the op in these dialects"
                raise self.error(rule, ", ".join(_DIALECTS), op.name, hint)
            if isinstance(op, StoreOp) and op.mem in read_only:
                number = list(block.args).index(op.mem)  # pyright: ignore[reportArgumentType]
                rule, hint = "the op only reads its operands", "store to a result instead"
                got = f"a loop.store to operand {number}"
                raise self.error(rule, "stores to results", got, hint)

    def print(self, printer: Printer) -> None:
        printer.print_string(f" @{self.label} (")
        printer.print_list(self.ins, lambda v: print_typed(printer, v))
        printer.print_string(")")
        if self.outs:
            printer.print_string(" outs(")
            printer.print_list(self.outs, lambda v: print_typed(printer, v))
            printer.print_string(")")
        if self.res:
            printer.print_string(" -> ")
            printer.print_list(self.res, lambda v: printer.print_attribute(v.type))
        printer.print_string(" ")
        printer.print_region(self.body)

    @classmethod
    def parse(cls, parser: Parser) -> LoopsOp:
        paren = parser.Delimiter.PAREN
        label = parser.parse_symbol_name().data
        ins = parser.parse_comma_separated_list(paren, lambda: parse_typed(parser))
        outs: list[SSAValue] = []
        if parser.parse_optional_keyword("outs"):
            outs = parser.parse_comma_separated_list(paren, lambda: parse_typed(parser))
        results: list[Attribute] = []
        if parser.parse_optional_punctuation("->"):
            none = parser.Delimiter.NONE
            results = list(parser.parse_comma_separated_list(none, parser.parse_type))
        return cls(label, ins, parser.parse_region(), results=results, outs=outs)


@lru_cache(maxsize=4096)
def buffer_type(type_: Attribute) -> MemRefType:
    """Return the row-major buffer type of a tensor type; return a buffer type unchanged."""
    if isinstance(type_, MemRefType):
        return cast("MemRefType", type_)
    assert isinstance(type_, TensorType), f"not a tensor: {type_}"
    if DYNAMIC_INDEX not in type_.get_shape():
        return MemRefType(type_.get_element_type(), type_.get_shape())
    return memref_type(type_.get_element_type(), dims_of(type_))
