"""te.sort: a stable sort along one axis, with the original positions.

    %v, %p = te.sort @order %x axis 1 descending
        : tensor<3x9xf32> -> tensor<3x4xf32>, tensor<3x4xi64>

Equal elements stay in the order of their positions, even if descending; NaN is greater than every
number and equal to itself; -0 equals +0; integers are signed (for unsigned integers, flip the sign
bit before).  Results that are shorter than x along the axis contain the first sorted elements;
sizes may be symbolic.  Results of static size are undefined if the axis has fewer elements in a
call.  After bufferization, the op has ``outs(%values, %positions)`` and no results.  Rows along the
axis are independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import (
    DictionaryAttr,
    IntAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    TensorType,
    UnitAttr,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from ..dtypes import is_float
from ..shape import Dim, dims_of, extent_of
from .codec import decode_tile, encode_tile
from .named_op import BufferFormEffects, NamedOp
from .syntax import parse_tile


@irdl_op_definition
class SortOp(NamedOp):
    """Stable sort along an axis: the sorted values, and their original positions.

    NaN is greater than every number. Results that are shorter than x along the axis hold the first
    sorted elements.
    Operands: x; outs (the buffers of values and positions; none on tensors).
    Properties: axis; descending; tile (chunk: rows per task; lanes: rows per vector), set by a
    schedule.
    Errors: TypeMismatch if the axis is outside the rank or results differ in shape or type.
    """

    name = "te.sort"

    x = operand_def(TensorType | MemRefType)
    outs = var_operand_def(MemRefType)
    res = var_result_def(TensorType)
    axis = prop_def(IntAttr)
    descending = opt_prop_def(UnitAttr)
    tile = prop_def(DictionaryAttr)

    traits = traits_def(BufferFormEffects())

    @staticmethod
    def make(
        label: str,
        x: SSAValue,
        axis: int,
        *,
        descending: bool = False,
        results: list[Attribute] | None = None,
        outs: list[SSAValue] | None = None,
        tile: dict[str, int | str] | None = None,
    ) -> SortOp:
        """Return a te.sort: on tensors with result types, on buffers with output buffers.

        label: the name of the op.  results: the types of the sorted values and of their positions,
        on tensors.  outs: the buffers of both, on buffers.  tile: the division of the rows into
        tasks and vectors by a schedule.
        """
        properties: dict[str, Attribute] = {
            "sym_name": StringAttr(label),
            "axis": IntAttr(axis),
            "tile": encode_tile(tile or {}),
        }
        if descending:
            properties["descending"] = UnitAttr()
        return SortOp.create(
            operands=[x, *(outs or [])], result_types=results or [], properties=properties
        )

    @property
    def targets(self) -> list[SSAValue]:
        """Values and positions: the results, or after bufferization the output buffers."""
        return [*self.outs, *self.res]

    @property
    def options(self) -> dict[str, int | str]:
        """The options of the tile by which a schedule divides the rows into tasks and vectors."""
        return decode_tile(self.tile)

    def verify_(self) -> None:
        dims = dims_of(self.x.type)
        axis, element = self.axis.data, _element(self.x.type)
        if not 0 <= axis < len(dims):
            hint = "count the axis from 0, outermost first"
            raise self.error("axis is outside the rank", f"0..{len(dims) - 1}", axis, hint)
        if not (is_float(element) or (isinstance(element, IntegerType) and element != i1)):
            hint = "convert x to one of these before the sort"
            rule = "the element type has no order"
            raise self.error(rule, "a float, or an integer wider than i1", element, hint)
        if len(self.targets) != 2:
            hint = "declare the values, then the positions"
            raise self.error("a sort has values and positions", 2, len(self.targets), hint)
        values, positions = (v.type for v in self.targets)
        given, size = dims_of(values), dims[axis]
        count = given[axis] if len(given) == len(dims) else Dim.const(0)
        wanted = (*dims[:axis], count, *dims[axis + 1 :])
        if not _is_part(count, size) or not (given == dims_of(positions) == wanted):
            raise self.error(
                "results differ from x in more than the length along the axis",
                f"{_shown(dims)} with 1..{size} along axis {axis}",
                f"({_shown(given)}, {_shown(dims_of(positions))})",
                "give both results the shape of x, with 1 or more elements along the axis",
            )
        if _element(values) != element or _element(positions) not in (i32, i64):
            raise self.error(
                "results are values like x's and positions",
                f"{element} and i64 (or i32)",
                f"{_element(values)} and {_element(positions)}",
                "declare the results with these element types",
            )

    def print(self, printer: Printer) -> None:
        printer.print_string(f" @{self.label} ")
        printer.print_ssa_value(self.x)
        printer.print_string(f" axis {self.axis.data}")
        if self.descending is not None:
            printer.print_string(" descending")
        if self.outs:
            printer.print_string(" outs(")
            printer.print_list(self.outs, printer.print_ssa_value)
            printer.print_string(")")
        if self.options:
            options = ", ".join(f"{k} = {v}" for k, v in self.options.items())
            printer.print_string(f" tile({options})")
        printer.print_string(" : ")
        printer.print_attribute(self.x.type)
        printer.print_string(", " if self.outs else " -> ")
        printer.print_list(self.targets, lambda v: printer.print_attribute(v.type))

    @classmethod
    def parse(cls, parser: Parser) -> SortOp:
        label = parser.parse_symbol_name().data
        x = parser.parse_unresolved_operand()
        parser.parse_keyword("axis")
        axis = parser.parse_integer()
        descending = parser.parse_optional_keyword("descending") is not None
        has_outs = parser.parse_optional_keyword("outs") is not None
        names = (
            parser.parse_comma_separated_list(
                parser.Delimiter.PAREN, parser.parse_unresolved_operand
            )
            if has_outs
            else []
        )
        tile = parse_tile(parser)
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        parser.parse_punctuation("," if has_outs else "->")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        outs = parser.resolve_operands(names, types, parser.pos) if has_outs else []
        return cls.make(
            label,
            parser.resolve_operand(x, type_),
            axis,
            descending=descending,
            results=[] if has_outs else list(types),
            outs=list(outs),
            tile=tile,
        )


def _is_part(count: Dim, size: Dim) -> bool:
    """Return whether results of a sort may have ``count`` of ``size`` elements.

    A static count is accepted with a symbolic size: calls with a smaller size are rejected.
    """
    if count.value is None:
        return size.is_at_least(count)
    return count.value >= 1 and (size.value is None or count.value <= size.value)


def _shown(dims: Sequence[Dim]) -> str:
    return str(tuple(map(extent_of, dims)))


def _element(type_: Attribute) -> Attribute:
    return cast("TensorType | MemRefType", type_).get_element_type()
