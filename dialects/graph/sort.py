"""Sorting along an axis."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import TensorType, i64
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure

from ...support.diagnostics import TypeMismatch
from ..dtypes import is_number
from ..shape import Dim, Tensor, dims_of, tensor_type, type_of
from .base import GraphOp, check_axes, check_element, flag, integer
from .move import Size


@irdl_op_definition
class TopKOp(GraphOp):
    """The first k elements of each row along an axis, sorted up, or down with ``largest``.

    Equal elements stay in the order of their positions; NaN is greater than every number.
    Shapes: x S; values and positions (i64) S with k at the axis; k may be symbolic.
    Errors: TypeMismatch if the axis is outside the rank, or if k is negative or exceeds its size.
    Source: ONNX TopK-24.
    """

    name = "graph.top_k"
    INFERS_FROM_OPERANDS: ClassVar[bool] = False

    x = operand_def(TensorType)
    values = result_def(TensorType)
    positions = result_def(TensorType)
    axis = integer("axis")
    largest = flag("largest")

    traits = traits_def(Pure())
    assembly_format = (
        "$x `axis` $axis (`largest` $largest^)? attr-dict "
        "`:` type($x) `->` type($values) `,` type($positions)"
    )

    def __init__(self, x: SSAValue, k: Size, axis: int, *, largest: bool = True) -> None:
        self.initialize((x,), k=k, axis=axis, largest=largest)

    @staticmethod
    def infer(x: Tensor, k: Size, axis: int) -> tuple[Tensor, Tensor]:
        """Return the types of the values and the positions."""
        dims = dims_of(x)
        check_axes((axis,), len(dims))
        check_element("an order", x, is_number(x.element_type), "a float or integer type")
        count, most = Dim.of(k), dims[axis]
        if Dim.const(0).exceeds(count) or (count - most).is_at_least(1):
            raise TypeMismatch(
                "k exceeds the axis",
                expected=f"0..{most}",
                got=k,
                hint="choose a smaller k, or pad the axis",
            )
        taken = (*dims[:axis], count, *dims[axis + 1 :])
        return tensor_type(x.element_type, taken), tensor_type(i64, taken)

    @property
    def k(self) -> Dim:
        """The size of the results along the axis."""
        return dims_of(type_of(self.values))[self.axis]

    def inferred_types(self) -> tuple[Tensor, Tensor]:
        check_axes((self.axis,), len(dims_of(type_of(self.values))))
        return self.infer(type_of(self.x), self.k, self.axis)
