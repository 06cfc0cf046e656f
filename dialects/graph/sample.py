"""Reading tensors between their elements: resizing along an axis, grids, regions of interest.

Coordinates of resizing are computed at import: a table says which elements each result is a
weighted sum of. Grids and regions are data, so their coordinates are computed where they are read.
"""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType, f32, f64, i64
from xdsl.ir import SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from ...support.diagnostics import TypeMismatch
from ..dtypes import is_float
from ..shape import Tensor, dims_of, tensor_type, type_of
from .base import INT, GraphOp, check_axes, check_element, int_attr, integer


@irdl_op_definition
class ResampleOp(GraphOp):
    """Weighted elements along one axis: ``out[a, j, b] = sum over t of x[a, indices[j, t], b] *
    weights[j, t]``; without weights one element each, unchanged.

    Shapes: x S; indices (J, T) of i64, within the axis; weights (J, T) of f64 if x is, else f32;
        out S with J at the axis.
    Errors: TypeMismatch if the tables differ in shape, or weights are given for integers.
    Cost: 2*size(out)*T flop.
    Source: ONNX Resize-19: coordinates, modes and antialiasing are resolved at import.
    """

    name = "graph.resample"

    x = operand_def(TensorType)
    indices = operand_def(TensorType)
    weights = opt_operand_def(TensorType)
    out = result_def(TensorType)
    axis_attr = prop_def(INT, prop_name="axis")

    traits = traits_def(Pure())
    assembly_format = (
        "$x `,` $indices (`weights` $weights^ `:` type($weights))? `axis` $axis attr-dict `:` "
        "type($x) `,` type($indices) `->` type($out)"
    )

    axis = integer("axis")

    def __init__(
        self, x: SSAValue, indices: SSAValue, weights: SSAValue | None = None, *, axis: int
    ) -> None:
        given = None if weights is None else type_of(weights)
        super().__init__(
            operands=(x, indices, weights),
            result_types=(self.infer(type_of(x), type_of(indices), given, axis),),
            properties={"axis": int_attr(axis)},
        )

    @staticmethod
    def infer(x: Tensor, indices: Tensor, weights: Tensor | None, axis: int) -> Tensor:
        """Return the type of the resampled tensor."""
        dims, table = dims_of(x), dims_of(indices)
        check_axes((axis,), len(dims))
        if indices.element_type != i64 or len(table) != 2:
            raise TypeMismatch("wrong indices", expected="a table (J, T) of i64", got=indices)
        if weights is None:
            if table[1].value != 1:
                raise TypeMismatch("several taps need weights", expected="(J, 1)", got=indices)
        else:
            check_element("a weighted sum", x, is_float(x.element_type), "a float type")
            wanted = tensor_type(f64 if x.element_type == f64 else f32, table)
            if weights != wanted:
                raise TypeMismatch("wrong weights", expected=wanted, got=weights)
        return tensor_type(x.element_type, (*dims[:axis], table[0], *dims[axis + 1 :]))

    def inferred_types(self) -> tuple[Tensor]:
        weights = None if self.weights is None else type_of(self.weights)
        return (self.infer(type_of(self.x), type_of(self.indices), weights, self.axis),)
