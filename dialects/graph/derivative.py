"""Ops that decide how a program is differentiated; they compute nothing of their own.

    %y = graph.stop_gradient %x          the elements of %x; no gradient flows back to %x
    %y = graph.hold %x                   the elements of %x; CSE merges no users of %x and %y
    %y = graph.checkpoint %x {           its gradient computes the region again
    ^bb0(%a: T): …  graph.yield %b : T
    } : T -> T
    %y = graph.custom_gradient %x {      its gradient is the second region
    ^bb0(%a: T): …  graph.yield %b : T
    } backward {
    ^bb0(%a: T, %b: T, %g: T): …  graph.yield %d : T
    } : T -> T

The regions use their arguments only.  graph-simplify replaces a graph.stop_gradient by its operand,
and an op with regions by the ops of its first region; graph-to-te does the same to graph.hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    BaseAttr,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsolatedFromAbove, Pure

from ..dtypes import is_float
from ..equal_shapes import check_type_lists
from ..shape import type_of
from .base import GraphOp
from .control import check_region_arguments, yielded_types


class SameOp(GraphOp):
    """Base of the ops whose result has the elements of the operand."""

    T: ClassVar = VarConstraint("T", BaseAttr(TensorType))

    x = operand_def(T)
    out = result_def(T)

    traits = traits_def(Pure())
    assembly_format = "$x attr-dict `:` type($x)"

    def __init__(self, x: SSAValue) -> None:
        super().__init__(operands=[x], result_types=[x.type])

    def inferred_types(self) -> Sequence[Attribute]:
        return [self.x.type]


@irdl_op_definition
class StopGradientOp(SameOp):
    """The elements of x, as constants for differentiation: the gradient of x is 0."""

    name = "graph.stop_gradient"


@irdl_op_definition
class HoldOp(SameOp):
    """A copy of x that common subexpression elimination (CSE) keeps apart from x.

    CSE merges neither the copy with x, nor an op on the copy with an equal op on x. The gradient of
    a graph.checkpoint computes its region again on such copies of the operands. If it used the
    operands, CSE would replace the second computation by the values of the first one, which would
    then stay in memory.
    """

    name = "graph.hold"


class RegionOp(GraphOp):
    """Base of the ops whose first region computes the results from the operands."""

    traits = traits_def(Pure(), IsolatedFromAbove())

    @property
    def forward(self) -> Region:
        """The region that computes the results."""
        return self.regions[0]

    def inferred_types(self) -> Sequence[Attribute]:
        check_region_arguments(self.forward, [x.type for x in self.operands])
        return yielded_types(self.forward)


@irdl_op_definition
class CheckpointOp(RegionOp):
    """Tensors that a region computes; the gradient computes the region again.

    So no value of the region stays in memory until the gradient needs it.
    Region: takes the operands, and yields the results.
    Errors: TypeMismatch unless the region takes the types of the operands.
    """

    name = "graph.checkpoint"

    xs = var_operand_def(TensorType)
    out = var_result_def(TensorType)
    body = region_def("single_block")

    assembly_format = "$xs $body attr-dict `:` type($xs) `->` type($out)"

    def __init__(self, xs: Sequence[SSAValue], body: Region) -> None:
        types = [yielded_types(body)]
        super().__init__(operands=[list(xs)], result_types=types, regions=[body])


@irdl_op_definition
class CustomGradientOp(RegionOp):
    """Tensors that a region computes, with a second region for their gradient.

    xs: the differentiated operands.  others: operands that the regions read, too; their gradient
    is not defined.
    Regions: the first takes xs and others, and yields the results.  The second takes xs, others,
    the results, and the cotangents of the results; it yields the cotangents of the floats in xs.
    Errors: TypeMismatch for a region that takes or yields other types.
    """

    name = "graph.custom_gradient"

    xs = var_operand_def(TensorType)
    others = var_operand_def(TensorType)
    out = var_result_def(TensorType)
    body = region_def("single_block")
    backward = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "$xs (`given` $others^ `:` type($others))? $body `backward` $backward attr-dict "
        "`:` type($xs) `->` type($out)"
    )

    def __init__(
        self, xs: Sequence[SSAValue], others: Sequence[SSAValue], body: Region, backward: Region
    ) -> None:
        types = [yielded_types(body)]
        super().__init__(
            operands=[list(xs), list(others)], result_types=types, regions=[body, backward]
        )

    def inferred_types(self) -> Sequence[Attribute]:
        types = super().inferred_types()
        check_region_arguments(self.backward, [*(x.type for x in self.operands), *types, *types])
        expected = [x.type for x in self.xs if is_float(type_of(x).element_type)]
        found = yielded_types(self.backward)
        check_type_lists(
            "the backward region yields other cotangents than the operands have",
            expected,
            found,
            hint="yield one cotangent per float operand, with its type",
        )
        return types
