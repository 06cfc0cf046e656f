"""Vectors of the loop level: lanes, horizontal reductions, casts, comparisons, selection."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import ClassVar, cast

from xdsl.dialects.builtin import (
    IntAttr,
    StringAttr,
    VectorType,
    i1,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    BaseAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    Pure,
)

from ...support.diagnostics import TypeMismatch
from .indices import int_attr, str_attr


@irdl_custom_directive
class Number(CustomDirective):
    """Assembly directive that prints an integer attribute as a plain number."""

    attribute: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        self.attribute.set(state, int_attr(parser.parse_integer()))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        state.print_whitespace(printer)
        printer.print_string(str(cast(IntAttr, self.attribute.get(op)).data))


@irdl_op_definition
class BroadcastOp(IRDLOperation):
    """A vector with a scalar in every lane."""

    name = "loop.broadcast"
    value = operand_def()
    res = result_def(VectorType)
    traits = traits_def(Pure())
    assembly_format = "$value attr-dict `:` type($value) `to` type($res)"


@irdl_op_definition
class ReduceOp(IRDLOperation):
    """Reduction of the lanes of a vector in the order of a fixed tree.

    The first half of the lanes is combined with the second half, then the first quarter with the
    second quarter, and so on.
    kind: add mul max min maxnum and or xor.
    """

    name = "loop.reduce"
    value = operand_def(VectorType)
    res = result_def()
    kind = prop_def(StringAttr)
    traits = traits_def(Pure())
    assembly_format = "$kind $value attr-dict `:` type($value) `to` type($res)"


@irdl_op_definition
class ReduceRowsOp(IRDLOperation):
    """Reduction of the lanes of several vectors: lane i of the result is loop.reduce of vector i.

    The number of vectors is a power of 2, at most the number of their lanes.
    """

    name = "loop.reduce_rows"
    T: ClassVar = VarConstraint("T", BaseAttr(VectorType))

    rows = var_operand_def(T)
    res = result_def(VectorType)
    kind = prop_def(StringAttr)
    traits = traits_def(Pure())
    assembly_format = "$kind $rows attr-dict `:` type($rows) `to` type($res)"

    @classmethod
    def make(cls, kind: str, rows: Sequence[SSAValue]) -> ReduceRowsOp:
        """Return a reduction of each vector in ``rows``; ``kind`` is a kind of loop.reduce."""
        return cls(
            operands=[list(rows)],
            result_types=[vector_type(len(rows), lane_type(rows[0].type))],
            properties={"kind": str_attr(kind)},
        )

    def verify_(self) -> None:
        first, count = self.rows[0].type if self.rows else None, len(self.rows)
        lanes = first.get_shape()[0] if isinstance(first, VectorType) else 0
        wanted = vector_type(count, lane_type(first)) if first else None
        if not 1 < count <= lanes or count & (count - 1) or self.res.type != wanted:
            raise TypeMismatch(
                "loop.reduce_rows does not give one lane per vector",
                expected="a power of 2 of vectors, 2 to the number of their lanes, and as many "
                "lanes of the result",
                got=f"{count} x {first} to {self.res.type}",
                hint="pad the vectors to a power of 2",
            ).at(self)


@irdl_op_definition
class KeepLanesOp(IRDLOperation):
    """A vector with the first ``lanes`` lanes of ``value`` and all other lanes of ``other``."""

    name = "loop.keep_lanes"
    T: ClassVar = VarConstraint("T", BaseAttr(VectorType))

    value = operand_def(T)
    other = operand_def(T)
    res = result_def(T)
    lanes = prop_def(IntAttr)
    traits = traits_def(Pure())
    custom_directives = (Number,)
    assembly_format = "custom<Number>($lanes) `of` $value `else` $other attr-dict `:` type($res)"


@irdl_op_definition
class ExtractOp(IRDLOperation):
    """One lane of a vector."""

    name = "loop.extract"
    T: ClassVar = VarConstraint("T", AnyAttr())

    value = operand_def(VectorType.constr(T))
    res = result_def(T)
    lane = prop_def(IntAttr)
    traits = traits_def(Pure())
    custom_directives = (Number,)
    assembly_format = "$value custom<Number>($lane) attr-dict `:` type($value)"

    @staticmethod
    def make(vector: SSAValue, lane: int) -> ExtractOp:
        """Return the extraction of one lane of a vector."""
        assert isinstance(vector.type, VectorType), f"not a vector: {vector.type}"
        return ExtractOp.create(
            operands=[vector],
            result_types=[vector.type.element_type],
            properties={"lane": int_attr(lane)},
        )


@irdl_op_definition
class PackOp(IRDLOperation):
    """A vector of scalars, for accesses that no vector load or store can express."""

    name = "loop.pack"
    values = var_operand_def()
    res = result_def(VectorType)
    traits = traits_def(Pure())
    assembly_format = "$values attr-dict `:` type($values) `to` type($res)"

    @staticmethod
    def make(values: Sequence[SSAValue]) -> PackOp:
        """Return a vector of scalars of one type."""
        type_ = VectorType(values[0].type, [len(values)])
        return PackOp.create(operands=values, result_types=[type_])

    def verify_(self) -> None:
        assert isinstance(self.res.type, VectorType)
        lanes, element = self.res.type.get_shape()[0], self.res.type.element_type
        if [v.type for v in self.values] != [element] * lanes:
            raise TypeMismatch(
                "the operands of loop.pack are not one scalar per lane",
                expected=f"{lanes} x {element}",
                got=", ".join(str(v.type) for v in self.values),
                hint="give one scalar per lane, all of the element type",
            ).at(self)


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """Transpose of n vectors of n lanes: lane j of vector i becomes lane i of vector j."""

    name = "loop.transpose"
    values = var_operand_def(VectorType)
    rows = var_result_def(VectorType)
    traits = traits_def(Pure())

    @classmethod
    def make(cls, values: Sequence[SSAValue]) -> TransposeOp:
        """Return a transpose of n vectors of n lanes each, all of one type."""
        return cls(operands=[list(values)], result_types=[[v.type for v in values]])

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.values, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_attribute(self.values[0].type)

    @classmethod
    def parse(cls, parser: Parser) -> TransposeOp:
        values = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        return cls.make([parser.resolve_operand(v, type_) for v in values])

    def verify_(self) -> None:
        types = [v.type for v in (*self.values, *self.rows)]
        first = types[0] if types else None
        lanes = first.get_shape()[0] if isinstance(first, VectorType) else 0
        if len(self.values) != lanes or types != [first] * (2 * lanes) or lanes & (lanes - 1):
            raise TypeMismatch(
                "the operands of loop.transpose are not a square block of a power of 2",
                expected="as many vectors of one type as each has lanes",
                got=", ".join(map(str, types[: len(self.values)])) or "nothing",
                hint="pad the vectors to a square block",
            ).at(self)


CASTS = ("extsi", "extui", "fptosi", "fptoui", "index_cast", "sitofp", "trunci", "uitofp")
"""Conversions of loop.cast: the arith conversions that xDSL defines for scalars only."""


@irdl_op_definition
class CastOp(IRDLOperation):
    """Lane-wise conversion of a vector; kind is the name of the arith op that converts scalars."""

    name = "loop.cast"
    value = operand_def(VectorType)
    res = result_def(VectorType)
    kind = prop_def(StringAttr)
    traits = traits_def(Pure())
    assembly_format = "$kind $value attr-dict `:` type($value) `to` type($res)"

    def verify_(self) -> None:
        if self.kind.data not in CASTS:
            raise TypeMismatch(
                "unknown conversion",
                expected=", ".join(CASTS),
                got=self.kind.data,
                hint="write the name of the arith conversion without its dialect",
            ).at(self)


FLOAT_PREDICATES = (
    "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
    "ueq", "ugt", "uge", "ult", "ule", "une", "uno",
)  # fmt: skip
INTEGER_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


@irdl_op_definition
class CompareOp(IRDLOperation):
    """Lane-wise comparison with the predicates of LLVM's fcmp and icmp."""

    name = "loop.cmp"
    lhs = operand_def()
    rhs = operand_def()
    res = result_def()
    predicate = prop_def(StringAttr)
    traits = traits_def(Pure())
    assembly_format = (
        "$predicate $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `,` type($res)"
    )

    @staticmethod
    def make(predicate: str, lhs: SSAValue, rhs: SSAValue) -> CompareOp:
        """Return a comparison; its result is i1, or a vector of i1 if the operands are vectors.

        predicate: a predicate of LLVM's fcmp or icmp, such as ``olt`` or ``slt``.
        """
        return CompareOp.create(
            operands=[lhs, rhs],
            result_types=[like(lhs.type, i1)],
            properties={"predicate": str_attr(predicate)},
        )


@irdl_op_definition
class SelectOp(IRDLOperation):
    """Lane-wise selection: ``lhs`` where ``condition`` is true, else ``rhs``."""

    name = "loop.select"
    condition = operand_def()
    lhs = operand_def()
    rhs = operand_def()
    res = result_def()
    traits = traits_def(Pure())
    assembly_format = (
        "$condition `,` $lhs `,` $rhs attr-dict "
        "`:` type($condition) `,` type($lhs) `,` type($rhs) `,` type($res)"
    )


def like(type_: Attribute, element: Attribute) -> Attribute:
    """Return ``element``; if ``type_`` is a vector, a vector of ``element`` with as many lanes."""
    if isinstance(type_, VectorType):
        return vector_type(type_.get_shape()[0], element)
    return element


def lanes_of(type_: Attribute) -> int:
    """Return the number of lanes of a vector; 1 for a scalar."""
    return type_.get_shape()[0] if isinstance(type_, VectorType) else 1


def lane_type(type_: Attribute) -> Attribute:
    """Return the element type of a vector, or the scalar type itself."""
    return type_.element_type if isinstance(type_, VectorType) else type_


@cache
def vector_type(lanes: int, element: Attribute) -> Attribute:
    """Return a vector type of ``lanes`` elements, or the element type itself if ``lanes`` is 1."""
    return element if lanes == 1 else VectorType(element, [lanes])
