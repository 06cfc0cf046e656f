"""cpu-block-products: multiply weights of few bits as the model stores them, by digits.

    %y = graph.block_matmul %x, %w, %s bits 4 : tensor<1x4096xf32>, tensor<4096x128x16xui8> …
==>
    %d, %u, %t = graph.split_digits %x count 3 blocks 128 bits 4 …
    %y = graph.digit_matmul %d, %u, %t, %w, %s bits 4 …

A digit is a signed byte: an activation is a sum of digits in units of their own. A matrix product
with one row takes the time of reading its weights, so the weights stay compressed. The machine
multiplies bytes four times as fast as f32; three digits are as exact as f32, and one digit is
enough for a product that may round x. Without such an instruction, and for blocks that are not a
multiple of 32, constant weights are dequantized at compile time.

Before: graph ops of main, weights constant.
After: no graph.block_matmul has constant weights.
Error: half a unit of the last digit, and roundings in f32; precision "strict" sums f32 products.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects.dtypes import numpy_dtype
from ...dialects.graph import (
    DIGIT_BLOCK,
    BlockMatmulOp,
    ConstantOp,
    DigitMatmulOp,
    MatmulOp,
    ReshapeOp,
    SplitDigitsOp,
)
from ...dialects.shape import dims_of, element_count, type_of
from ...interp.graph.block_product import weights_of
from ...machines.target_passes import TargetedPass
from ...passes.graph.inserted_ops import InsertedOps
from ...support.precision import Precision, parse_precision
from ...support.rewriting import apply_patterns, erase_dead_ops, replace_op, rewrites
from .instructions.block_intrinsics import FEATURE

EXACT_DIGITS, ROUNDED_DIGITS = 3, 1
"""Digits of an activation: for results as exact as f32, and if the model allows 8 bits."""


@dataclass(frozen=True)
class BlockProducts(TargetedPass):
    """Choose how to multiply weights of few bits: by digits, or as dequantized weights.

    precision: default or strict; "strict" allows no digits.
    """

    name = "cpu-block-products"

    precision: str = "default"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        is_strict = parse_precision(self.precision) is Precision.STRICT
        if self.target.has(FEATURE) and not is_strict:
            apply_patterns(op, SplitActivations())
        apply_patterns(op, DequantizeWeights())
        erase_dead_ops(op)


class SplitActivations(RewritePattern):
    """Replace a product by a split of its activations into digits, and a product of these digits.

    A digit is a signed byte; an activation is a sum of digits in units of their own.  The weights
    stay as the model stores them.
    """

    @rewrites(BlockMatmulOp)
    def match_and_rewrite(self, op: BlockMatmulOp, rewriter: PatternRewriter) -> None:
        if op.block % DIGIT_BLOCK or not isinstance(op.w.owner, ConstantOp):
            return
        ops = InsertedOps(rewriter, op)
        blocks = (dims_of(type_of(op.w))[1] * (op.block // DIGIT_BLOCK)).value
        assert blocks is not None, "weights are static"
        count = ROUNDED_DIGITS if op.rounded else EXACT_DIGITS
        *rows, size = dims_of(type_of(op.x))
        x = op.x if len(rows) == 1 else ops.add(ReshapeOp(op.x, [element_count(rows), size]))
        split = SplitDigitsOp(x, count, blocks, op.bits)
        ops.add(split)
        digits, unit, sums = split.results
        made = ops.add(DigitMatmulOp(digits, unit, sums, op.w, op.scale, op.zero, op.bits))
        made = ops.cast(made, type_of(op.out).element_type)
        replace_op(rewriter, op, ReshapeOp(made, dims_of(type_of(op.out))))


class DequantizeWeights(RewritePattern):
    """Replace the compressed weights of a product by a constant matrix in the type of x."""

    @rewrites(BlockMatmulOp)
    def match_and_rewrite(self, op: BlockMatmulOp, rewriter: PatternRewriter) -> None:
        given = [v for v in (op.w, op.scale, op.zero) if v is not None]
        arrays = [v.owner.array for v in given if isinstance(v.owner, ConstantOp)]
        if len(arrays) != len(given):
            return
        w, scale, *zero = arrays
        matrix = weights_of(w, scale, zero, op.bits)
        size = dims_of(type_of(op.x))[-1].value
        dtype = numpy_dtype(type_of(op.x).element_type)
        made = ConstantOp(np.ascontiguousarray(matrix[:, :size].astype(dtype)))
        _multiply(op, rewriter, made)


def _multiply(op: BlockMatmulOp, rewriter: PatternRewriter, matrix: ConstantOp) -> None:
    """Replace a product by a matrix product with dequantized weights (N, K)."""
    ops = InsertedOps(rewriter, op)
    ops.add(matrix)
    dims = dims_of(type_of(op.x))
    x: SSAValue = op.x if len(dims) != 1 else ops.add(ReshapeOp(op.x, [1, *dims]))
    made = ops.add(MatmulOp(x, matrix.out, transpose_rhs=True))
    replace_op(rewriter, op, ReshapeOp(made, dims_of(type_of(op.out))))
