"""graph-dense-to-sparse: multiply only the blocks of a constant matrix that are not all zeros.

    %y = graph.matmul %x, %w : tensor<MxKxT>, tensor<KxNxT>    (%w has few blocks that are not 0)
==>
    %p = graph.reshape %x : tensor<Mx(K/8)x8xT>
    %r = graph.transpose (graph.gather %p, %columns axis 1) perm [1, 0, 2] : tensor<BxMx8xT>
    %b = graph.matmul %blocks, %r transpose_rhs : tensor<Bx16xMxT>
    %s = graph.scatter_nd %zero, %rows, %b "add" : tensor<(N/16)x16xMxT>
    %y = graph.transpose (graph.reshape %s : tensor<NxMxT>) perm [1, 0]

The constants are the B blocks, and the position of each among the rows and columns of the
transposed matrix. No pipeline contains this pass, because models rarely have such matrices.
Before: nothing.  After: no product of an operand of rank 2 has such a matrix.
Exact: each element is the same sum without terms of factor 0, in another order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects.graph import (
    BroadcastOp,
    GatherOp,
    MatmulOp,
    ReshapeOp,
    ScatterNdOp,
    TransposeOp,
)
from ...dialects.shape import dims_of, type_of
from ...support.rewriting import apply_patterns, erase_dead_ops, replace_op, rewrites
from .constant_values import Array
from .inserted_ops import InsertedOps
from .quantized_values import constant_of


@dataclass(frozen=True)
class DenseToSparse(ModulePass):
    """Multiply only the blocks of constant matrices that are not all zeros.

    rows, columns: the sizes of a block along the columns and the rows of the result's matrix.
    most: the largest part of the blocks that may have other elements than 0, in percent.
    """

    name = "graph-dense-to-sparse"

    rows: int = 16
    columns: int = 8
    most: int = 10

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        apply_patterns(op, MultiplyBlocks(self.rows, self.columns, self.most / 100))
        erase_dead_ops(op)


@dataclass
class MultiplyBlocks(RewritePattern):
    """Replace a product with a sparse constant matrix by products of blocks, which are added.

    rows, columns: the sizes of a block of the transposed matrix.  most: the largest part of the
    blocks that may have other elements than 0.
    """

    rows: int
    columns: int
    most: float

    @rewrites(MatmulOp)
    def match_and_rewrite(self, op: MatmulOp, rewriter: PatternRewriter) -> None:
        matrix, x = constant_of(op.rhs), type_of(op.lhs)
        is_plain = matrix is not None and matrix.ndim == 2 and not op.transpose_lhs
        if not is_plain or len(dims_of(x)) != 2 or x.element_type != type_of(op.out).element_type:
            return
        assert matrix is not None, "is_plain"
        matrix = matrix if op.transpose_rhs else matrix.T
        if matrix.shape[0] % self.rows or matrix.shape[1] % self.columns:
            return
        blocks = self._blocks(matrix)
        row, column = np.nonzero(blocks.any((2, 3)))
        if not 0 < len(row) <= self.most * blocks.shape[0] * blocks.shape[1]:
            return
        made = InsertedOps(rewriter, op)
        batch = dims_of(x)[0]
        parts = made.add(ReshapeOp(op.lhs, [batch, blocks.shape[1], self.columns]))
        read = made.add(GatherOp(parts, made.constant(column), 1))
        turned = made.add(TransposeOp(read, [1, 0, 2]))
        kept = made.constant(blocks[row, column])
        products = made.add(MatmulOp(kept, turned, transpose_rhs=True))
        zero = made.constant(np.zeros((), matrix.dtype))
        base = made.add(BroadcastOp(zero, [blocks.shape[0], self.rows, batch], []))
        total = made.add(ScatterNdOp(base, made.constant(row[:, None]), products, "add"))
        flat = made.add(ReshapeOp(total, [matrix.shape[0], batch]))
        replace_op(rewriter, op, TransposeOp(flat, [1, 0]))

    def _blocks(self, matrix: Array) -> Array:
        """Return the blocks of a matrix by row and column, as an array of rank 4."""
        n, k = matrix.shape
        parts = matrix.reshape(n // self.rows, self.rows, k // self.columns, self.columns)
        return parts.transpose(0, 2, 1, 3)
