"""graph-quantize: matrix products of dequantized bytes become products of integers.

    %x = graph.dequantize %qx, %sx zero %zx
    %w = graph.dequantize %qw, %sw                     (constant)
    %y = graph.matmul %x, %w
    %q = graph.quantize %y, %sy zero %zy
==>
    %s = graph.matmul %qx, %qw + %b                    with  b[n] = -zx * sum of %qw[:, n]
    %q = graph.quantize f32(%s) * %f, 1 zero %zy       with  f = sx * sw / sy

Input: a graph of QuantizeLinear and DequantizeLinear, or of integer products, as imported. The
rules are in these modules of passes/graph:

move_bytes          movement between a DequantizeLinear and a QuantizeLinear moves bytes
saturated_bounds    ReLU and other bounds where a QuantizeLinear saturates
quantized_products  a contraction of dequantized operands, and the rounding after it
zero_points         zero points leave the operands of integer contractions
byte_tables         a chain of elementwise ops from bytes to bytes becomes a table of 256 bytes

Output: contractions of u8 by s8 in i32, and elementwise ops, which later fuse with them. Everything
between two contractions stays the literal chain of f32 ops.

Before: weights are not dequantized: graph-fold-constants did not run.
After: no contraction of f32 has two operands that are dequantized bytes with one scale and zero
point on the left, and one scale, or one per channel, on the right; no integer contraction of static
reduction size has a left operand of bytes minus a zero point, except a padded convolution whose
zero point is computed.
Error: ``precision=strict`` keeps all f32 sums. By default the sum is exact, and it is multiplied
by ``f32(f32(sx * sw) / sy)`` before it is rounded. That is the arithmetic of QLinearConv and
QLinearMatMul in onnxruntime, bit by bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, i32
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...dialects.graph import ConvOp, DequantizeOp, MatmulOp, QuantizeOp
from ...dialects.shape import type_of
from ...support.precision import Precision, parse_precision
from ...support.rewriting import apply_patterns, erase_dead_ops
from .byte_tables import LookUpBytes
from .fold_constants import EvaluateConstant
from .move_bytes import ConcatBytes, DropRoundTrip, MoveBeforeDequantize
from .quantized_products import SumIntegers
from .saturated_bounds import DropSaturatedBounds
from .zero_points import ConvolutionOfBytes, NarrowWeights, ProductOfBytes


@dataclass(frozen=True)
class Quantize(ModulePass):
    """Turn quantized matrix products and convolutions into integer products and convolutions.

    precision: default or strict; strict keeps f32 sums. has_signed_right: whether unsigned bytes of
    the right operand become signed bytes, if neither operand of a product is constant.
    """

    name = "graph-quantize"
    has_signed_right: ClassVar[bool] = True

    precision: str = "default"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not any(map(_is_quantized, op.walk())):
            return
        fold = EvaluateConstant(kept=(DequantizeOp,))
        moves = (DropRoundTrip(), MoveBeforeDequantize(), ConcatBytes())
        apply_patterns(op, fold, DropSaturatedBounds(), *moves)
        apply_patterns(op, LookUpBytes())
        if parse_precision(self.precision) is not Precision.STRICT:
            apply_patterns(op, SumIntegers())
        products = ProductOfBytes(has_signed_right=self.has_signed_right)
        apply_patterns(op, fold, NarrowWeights(), products, ConvolutionOfBytes())
        erase_dead_ops(op)


def _is_quantized(op: Operation) -> bool:
    if isinstance(op, MatmulOp | ConvOp):
        return type_of(op.out).element_type == i32
    return isinstance(op, QuantizeOp | DequantizeOp)
