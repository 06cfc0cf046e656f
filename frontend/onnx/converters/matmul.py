"""Convert products of matrices and determinants: MatMul, Gemm, MatMulInteger, Det."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import i16, i32

from ....dialects.dtypes import bit_width
from ....dialects.equal_shapes import broadcast_dims
from ....dialects.graph import DetOp, MatmulOp
from ....dialects.shape import Dim, tensor_type
from ..builder import Builder, Tensor
from ..node import Node, OpConverter

ONE = Dim.const(1)


def matmul(node: Node, b: Builder) -> Tensor:
    """Multiply with numpy's rules: a vector is a row or a column, leading axes are broadcast."""
    return product(b, node[0], node[1])


def product(b: Builder, lhs: Tensor, rhs: Tensor) -> Tensor:
    """Multiply matrices with numpy's rules: vectors are rows or columns, batches are broadcast.

    If rhs is a single matrix, one product multiplies it with all rows of lhs.
    """
    rows, columns = lhs.dims[-2:-1], rhs.dims[-1:] if rhs.rank > 1 else ()
    left = lhs if lhs.rank > 1 else b.reshape(lhs, (ONE, *lhs.dims))
    right = rhs if rhs.rank > 1 else b.reshape(rhs, (*rhs.dims, ONE))
    # Check the inner sizes first: they must be equal, whereas batch sizes may be broadcast.
    matrices = [tensor_type(x.dtype, x.dims[-2:]) for x in (left, right)]
    MatmulOp.infer(*matrices, transpose_lhs=False, transpose_rhs=False, acc=None)
    batch = tuple(broadcast_dims(left.dims[:-2], right.dims[:-2]))
    if all(dim == ONE for dim in right.dims[:-2]):
        left = b.reshape(left, (*batch, *left.dims[-2:]))
        right = b.reshape(right, right.dims[-2:])
    else:
        left, right = _batched(b, left, batch), _batched(b, right, batch)
    out = b.emit(MatmulOp(b.ssa(left), b.ssa(right)))
    return b.reshape(out, (*batch, *rows, *columns))


def _batched(b: Builder, x: Tensor, batch: Sequence[Dim]) -> Tensor:
    return b.broadcast_to(x, (*batch, *x.dims[-2:]))


def gemm(node: Node, b: Builder) -> Tensor:
    """Compute ``alpha * op(A) op(B) + beta * C``, where op may transpose."""
    op = MatmulOp(
        b.ssa(node[0]),
        b.ssa(node[1]),
        transpose_lhs=bool(node.integer("transA", 0)),
        transpose_rhs=bool(node.integer("transB", 0)),
    )
    out = _scaled(b, b.emit(op), node.number("alpha", 1.0))
    addend = node.get(2)
    if addend is None:
        return out
    return b.apply("add", out, _scaled(b, addend, node.number("beta", 1.0)))


def _scaled(b: Builder, x: Tensor, factor: float) -> Tensor:
    return x if factor == 1.0 else b.apply("mul", x, factor)


def matmul_integer(node: Node, b: Builder) -> Tensor:
    """Multiply 8-bit integers minus their zero points, accumulating in i32."""
    lhs = without_zero_point(b, node[0], node.get(2), -2)
    return product(b, lhs, without_zero_point(b, node[1], node.get(3), -1))


def without_zero_point(b: Builder, x: Tensor, zero: Tensor | None, axis: int) -> Tensor:
    """Subtract a zero point, which is one number or a vector along an axis, in i16 or i32.

    If the zero point is absent or 0, return x unchanged, because products widen their operands.
    """
    values = None if zero is None else zero.values()
    if zero is None or (values is not None and not np.any(values)):
        return x
    wide = i32 if bit_width(x.dtype) > 8 else i16
    x, zero = b.cast(x, wide), b.cast(zero, wide)
    if zero.rank == 1 and x.rank > 1:
        zero = b.broadcast_to(zero, x.dims, axis % x.rank)
    return b.apply("sub", x, zero)


def det(node: Node, b: Builder) -> Tensor:
    """Compute the determinants of the matrices in the last two axes."""
    return b.emit(DetOp(b.ssa(node[0])))


CONVERTERS = (
    OpConverter("MatMul", matmul),
    OpConverter("Gemm", gemm),
    OpConverter("MatMulInteger", matmul_integer, since=10),
    OpConverter("Det", det, since=11),
)
