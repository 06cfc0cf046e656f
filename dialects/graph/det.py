"""Determinants of square matrices."""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure

from ...support.diagnostics import TypeMismatch
from ..dtypes import is_float
from ..shape import Tensor, dims_of, tensor_type
from .base import GraphOp, check_element


@irdl_op_definition
class DetOp(GraphOp):
    """Determinant of the matrices in the last two axes.

    Shapes: x has the shape B + (n, n) with any batch shape B; out has the shape B.
    Errors: TypeMismatch if the last two sizes differ or x is not a float tensor.
    Source: ONNX Det-22.
    """

    name = "graph.det"

    x = operand_def(TensorType)
    out = result_def(TensorType)

    traits = traits_def(Pure())
    assembly_format = "$x attr-dict `:` type($x) `->` type($out)"

    def __init__(self, x: SSAValue) -> None:
        self.initialize((x,))

    @staticmethod
    def infer(x: Tensor) -> Tensor:
        """Return the type of the determinants."""
        dims = dims_of(x)
        check_element("a determinant", x, is_float(x.element_type), "a float type")
        if len(dims) < 2 or dims[-1] != dims[-2]:
            raise TypeMismatch(
                "matrices are not square",
                expected="(…, n, n)",
                got=x,
                hint="slice or pad the last two axes",
            )
        return tensor_type(x.element_type, dims[:-2])
