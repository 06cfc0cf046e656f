"""Matrix products of two batches of matrices, or of a batch with one matrix.

Leading dimensions are a batch, equal on both sides. A right operand of rank 2 is one matrix for the
whole batch: the product maps the last axis of the left operand and leaves all other axes unchanged.
Not representable: a batch that only the right operand has; other broadcasts of a batch.
"""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, result_def, traits_def
from xdsl.traits import Pure

from ...support.diagnostics import TypeMismatch, UnequalSizes
from ..dtypes import accumulator_type, bit_width, is_integer, is_number
from ..shape import Tensor, dims_of, tensor_type
from .base import GraphOp, check_element, flag


def product_type(lhs: Tensor, rhs: Tensor) -> Attribute:
    """Return the default element type of the product of two matrices.

    It is i32 for integers below 32 bits, else the element type of both operands.
    Errors: TypeMismatch if the element types differ; integers below 32 bits may differ in
    signedness and width.
    """
    left, right = lhs.element_type, rhs.element_type
    check_element("a product", lhs, is_number(left), "a float or integer type")
    if left == right:
        return accumulator_type(left)
    if is_integer(left) and is_integer(right) and max(bit_width(left), bit_width(right)) < 32:
        return accumulator_type(left)
    raise TypeMismatch("element types differ", expected=lhs, got=rhs, hint="insert graph.cast")


@irdl_op_definition
class MatmulOp(GraphOp):
    """Batched matrix product ``out[*b, m, n] = sum over k of lhs[*b, m, k] * rhs[*b, k, n]``.

    Shapes: lhs (*B, M, K), or (*B, K, M) if ``transpose_lhs``; rhs (*B, K, N) or (K, N), or
        (*B, N, K) or (N, K) if ``transpose_rhs``; out (*B, M, N) with elements of type ``acc``, by
        default i32 for integers below 32 bits, else the type of the operands.
    Errors: TypeMismatch if a rank is below 2, if rhs has neither rank 2 nor the rank of lhs, or if
        B or K differ.
    Cost: 2*B*M*N*K flop.
    Source: ONNX MatMul-13, MatMulInteger-10; their broadcast of B is made explicit by the importer.
    """

    name = "graph.matmul"

    lhs = operand_def(TensorType)
    rhs = operand_def(TensorType)
    out = result_def(TensorType)
    transpose_lhs = flag("transpose_lhs")
    transpose_rhs = flag("transpose_rhs")
    acc = opt_prop_def(Attribute)

    traits = traits_def(Pure())
    assembly_format = (
        "$lhs `,` $rhs (`transpose_lhs` $transpose_lhs^)? (`transpose_rhs` $transpose_rhs^)? "
        "(`acc` $acc^)? attr-dict `:` type($lhs) `,` type($rhs) `->` type($out)"
    )

    def __init__(
        self,
        lhs: SSAValue,
        rhs: SSAValue,
        *,
        transpose_lhs: bool = False,
        transpose_rhs: bool = False,
        acc: Attribute | None = None,
    ) -> None:
        self.initialize(
            (lhs, rhs), transpose_lhs=transpose_lhs, transpose_rhs=transpose_rhs, acc=acc
        )

    def with_operands(self, lhs: SSAValue, rhs: SSAValue) -> MatmulOp:
        """Return a product of other operands with the same transpositions and accumulator type."""
        flags = {"transpose_lhs": self.transpose_lhs, "transpose_rhs": self.transpose_rhs}
        return MatmulOp(lhs, rhs, **flags, acc=self.acc)

    @staticmethod
    def infer(
        lhs: Tensor, rhs: Tensor, transpose_lhs: bool, transpose_rhs: bool, acc: Attribute | None
    ) -> Tensor:
        """Return the type of the product."""
        a, b = dims_of(lhs), dims_of(rhs)
        left, right = len(a), len(b)
        if left < 2 or right not in (2, left):
            raise TypeMismatch(
                "the right operand has neither rank 2 nor the rank of the left one",
                expected="rank(lhs) >= 2, rank(rhs) == 2 or rank(rhs) == rank(lhs)",
                got=f"{left} ({lhs}) and {right} ({rhs})",
                hint="insert graph.reshape or graph.broadcast",
            )
        if right > 2 and a[:-2] != b[:-2]:
            raise UnequalSizes(
                "batch dimensions differ",
                expected=lhs,
                got=rhs,
                hint="broadcast the operands",
                sizes=zip(a[:-2], b[:-2], strict=True),
            )
        m, k = (a[-1], a[-2]) if transpose_lhs else (a[-2], a[-1])
        other_k, n = (b[-1], b[-2]) if transpose_rhs else (b[-2], b[-1])
        if k != other_k:
            raise UnequalSizes(
                "contraction sizes differ",
                expected=f"{k} ({'first' if transpose_lhs else 'last'} of lhs, {lhs})",
                got=f"{other_k} (rhs, {rhs})",
                hint="set transpose_rhs if rhs is stored (N, K)" if k == n else "",
                sizes=[(k, other_k)],
            )
        return tensor_type(acc or product_type(lhs, rhs), (*a[:-2], m, n))
