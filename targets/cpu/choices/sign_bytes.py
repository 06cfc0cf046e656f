"""cpu-sign-bytes: make the left operand of byte products signed where the machine requires that.

    %s = graph.matmul %x, %w : tensor<24x64xui8>, tensor<64x64xi8> -> tensor<24x64xi32>
==>
    %v = i8(%x xor 128)
    %s = graph.matmul %v, %w + broadcast(128 * sum of %w over k)

AArch64 with dot products of bytes, but without FEAT_I8MM, has ``sdot`` and ``udot``, and no
instruction for unsigned by signed bytes.  The xor fuses with the quantization that rounds %x; the
sums of constant weights become part of the bias; a convolution's pad value decreases by 128, too.

Before: graph-quantize, so that zero points are outside of products; weights are not packed.
After: on such a target no product in i32 has unsigned bytes on the left and signed ones on the
right, if its sums are whole steps of the instruction, or cpu-pad-sums pads them; other targets:
unchanged.
Exact: sums of integers wrap.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, i8, i32
from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ....dialects.dtypes import is_unsigned
from ....dialects.graph import BitcastOp, ConvOp, MatmulOp
from ....dialects.shape import dims_of, type_of
from ....machines.target import Target
from ....machines.target_passes import TargetedPass
from ....passes.graph.inserted_ops import InsertedOps
from ....passes.graph.quantized_values import is_byte
from ....passes.graph.simplify import replace_by_value
from ....support.passes import ExactPass
from ....support.rewriting import apply_patterns, replace_op, rewrites
from ..plan.instruction import fewest_terms, unsigned_bytes
from .pad_sums import added_terms

SIGN_BIT = 128


@dataclass(frozen=True)
class SignBytes(TargetedPass, ExactPass):
    """Flip the highest bit of the unsigned bytes that products read, and correct the sums."""

    name = "cpu-sign-bytes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        products = (each for each in op.walk() if isinstance(each, MatmulOp | ConvOp))
        if not any(_mixes_signs(each, *each.operands[:2]) for each in products):
            return
        counts = unsigned_bytes(self.target)
        if 0 in counts and 1 not in counts:
            step = fewest_terms(self.target, [i8, i8])
            apply_patterns(op, SignedProduct(self.target, step), SignedConvolution(step))


@dataclass(frozen=True)
class SignedProduct(RewritePattern):
    """``matmul(x, y) -> matmul(x xor 128, y) + 128 * (sums of the columns of y)``.

    step: the number of products that the instruction adds.  Sums that have no whole steps, and that
    cpu-pad-sums does not pad, are left alone.
    """

    target: Target
    step: int

    @rewrites(MatmulOp)
    def match_and_rewrite(self, op: MatmulOp, rewriter: PatternRewriter) -> None:
        left, right = dims_of(type_of(op.lhs)), dims_of(type_of(op.rhs))
        count = left[-2 if op.transpose_lhs else -1].value
        if not _mixes_signs(op, op.lhs, op.rhs) or not count:
            return
        if (count + added_terms(op, self.target)) % self.step:
            return
        ops = InsertedOps(rewriter, op)
        made = ops.add(op.with_operands(_flipped(op.lhs, ops), op.rhs))
        sums = _times_bit(ops.sum(op.rhs, [len(right) - (1 if op.transpose_rhs else 2)]), ops)
        dims = dims_of(type_of(op.out))
        spread = ops.spread(sums, dims, [*range(len(right) - 2), len(dims) - 1])
        replace_by_value(rewriter, op, ops.apply("add", made, spread))


@dataclass(frozen=True)
class SignedConvolution(RewritePattern):
    """``conv(x, w, b) -> conv(x xor 128, w, b + 128 * sum of w per channel)``.

    step: the number of products that the instruction adds.
    """

    step: int

    @rewrites(ConvOp)
    def match_and_rewrite(self, op: ConvOp, rewriter: PatternRewriter) -> None:
        weights = dims_of(type_of(op.w))
        if not _mixes_signs(op, op.x, op.w) or any(dim.value == 0 for dim in weights):
            return
        if op.groups != 1 and (weights[1].value or 1) % self.step:
            return
        ops = InsertedOps(rewriter, op)
        bias = _times_bit(ops.sum(op.w, range(1, len(weights))), ops)
        total = bias if op.b is None else ops.apply("add", op.b, bias)
        x, pad_value = _flipped(op.x, ops), op.pad_value - SIGN_BIT
        replace_op(rewriter, op, op.with_operands(x, op.w, total, pad_value=pad_value))


def _mixes_signs(op: MatmulOp | ConvOp, left: SSAValue, right: SSAValue) -> bool:
    return (
        type_of(op.out).element_type == i32
        and is_byte(left)
        and is_unsigned(type_of(left).element_type)
        and type_of(right).element_type == i8
    )


def _flipped(x: SSAValue, ops: InsertedOps) -> SSAValue:
    return ops.add(BitcastOp(ops.apply("xor", x, ops.constant(np.uint8(SIGN_BIT))), i8))


def _times_bit(sums: SSAValue, ops: InsertedOps) -> SSAValue:
    return ops.apply("mul", sums, ops.constant(np.int32(SIGN_BIT)))
