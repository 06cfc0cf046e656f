"""Reads at computed positions. Indices are i32 or i64 and count from the front."""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType, i32, i64
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def, traits_def
from xdsl.traits import Pure

from ..shape import Tensor, dims_of, tensor_type, type_of
from .base import INT, GraphOp, check_axes, check_element, int_attr, integer


@irdl_op_definition
class GatherOp(GraphOp):
    """Slices of x by number: ``out[a…, i…, b…] = x[a…, indices[i…], b…]``.

    An index outside 0..size-1 is an error of the run; negative ones are made positive at import.
    Shapes: x S; indices I; out S[:axis] + I + S[axis+1:].
    Errors: TypeMismatch if the axis is outside the rank or indices are not i32 or i64.
    Source: ONNX Gather-13.
    """

    name = "graph.gather"

    x = operand_def(TensorType)
    indices = operand_def(TensorType)
    out = result_def(TensorType)
    axis_attr = prop_def(INT, prop_name="axis")

    traits = traits_def(Pure())
    assembly_format = (
        "$x `,` $indices `axis` $axis attr-dict `:` type($x) `,` type($indices) `->` type($out)"
    )

    axis = integer("axis")

    def __init__(self, x: SSAValue, indices: SSAValue, axis: int) -> None:
        super().__init__(
            operands=(x, indices),
            result_types=(self.infer(type_of(x), type_of(indices), axis),),
            properties={"axis": int_attr(axis)},
        )

    @staticmethod
    def infer(x: Tensor, indices: Tensor, axis: int) -> Tensor:
        """Return the type of the gathered slices."""
        dims = dims_of(x)
        check_axes((axis,), len(dims))
        check_element("an index", indices, indices.element_type in (i32, i64), "i32 or i64")
        return tensor_type(x.element_type, (*dims[:axis], *dims_of(indices), *dims[axis + 1 :]))

    def inferred_types(self) -> tuple[Tensor]:
        return (self.infer(type_of(self.x), type_of(self.indices), self.axis),)
