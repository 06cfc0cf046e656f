"""loop.size: a symbolic size as an index value.

    %n = loop.size b * s + 1

The op refers to size parameters of the enclosing kernel or function by name, so it needs no operand
and is valid in every kernel or function at te and loop level.  Two ops with the same expression
have equal values; expressions are canonical (dialects/shape.py).
"""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, OpResult
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from ...support.affine import Index, constant, variable
from ..shape import Dim, DimsAttr, Extent, parse_dim


@irdl_op_definition
class SizeOp(IRDLOperation):
    """The value of a size expression over the size parameters of the enclosing function."""

    name = "loop.size"
    size = prop_def(DimsAttr)
    res = result_def(IndexType)
    traits = traits_def(Pure())

    def __init__(self, dim: Dim) -> None:
        super().__init__(properties={"size": DimsAttr((dim,))}, result_types=[IndexType()])

    @property
    def dim(self) -> Dim:
        """The size expression."""
        return self.size.data[0]

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.dim}")

    @classmethod
    def parse(cls, parser: Parser) -> SizeOp:
        return cls(parse_dim(parser))


def size_at_start(block: Block, extent: Extent) -> Index:
    """Return an extent as an index expression.

    A symbolic extent becomes the result of a loop.size, which is inserted at the start of ``block``
    unless the block contains one.
    """
    if isinstance(extent, int):
        return constant(extent)
    for known in block.ops:
        if isinstance(known, SizeOp) and known.dim == extent:
            return variable(known.res)
    size, first = SizeOp(extent), block.first_op
    assert first is not None, "the block of a kernel ends with te.return"
    block.insert_op_before(size, first)
    return variable(size.res)


def size_of_index(index: Index) -> Dim | None:
    """Return an index expression over results of loop.size as a size.

    None for other expressions.
    """
    sizes = {
        key: key.op.dim
        for key in index.variables()
        if isinstance(key, OpResult) and isinstance(key.op, SizeOp)
    }
    if not all(key in sizes for key in index.variables()):
        return None
    return Dim.const(0) + index.evaluate(sizes.__getitem__)
