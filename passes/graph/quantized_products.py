"""Matrix products and convolutions of dequantized bytes become sums of integer products.

    %x = graph.dequantize %qx, %sx zero %zx        %w = graph.dequantize %qw, %sw
    %y = graph.conv %x, %w, bias (graph.dequantize %qb, %sb)
    %q = graph.quantize %y, %sy zero %zy
==>
    %s = graph.conv (%qx - %zx), %qw, bias %qb                  in i32
    %q = graph.quantize (f32(%s) * %f), 1 zero %zy              with  f = f32(sx * sw) / sy

The bias is added in integers if its scale is ``f32(sx * sw)`` and its zero point 0. Any other bias
is added in f32 to ``f32(sum) * f32(sx * sw)``. A contraction that no quantization follows is scaled
to f32 in the same way. The arithmetic is that of ONNX's QLinearConv and QLinearMatMul as
onnxruntime computes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from xdsl.dialects.builtin import f32, i16, i32
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects.dtypes import bit_width, is_integer
from ...dialects.graph import AddOp, BroadcastOp, ConvOp, DequantizeOp, MatmulOp, QuantizeOp
from ...dialects.shape import dims_of, type_of
from ...support.rewriting import rewrites
from .constant_values import known_array
from .inserted_ops import InsertedOps
from .quantized_values import dequantized, is_zero, scalar_of, scale_of
from .simplify import erase_if_unused, replace_by_value

MOST_PRODUCTS = 65793
"""Sums of more products of u8 and s8 may exceed i32: 255 * 128 * 65793 < 2^31."""


@dataclass(frozen=True)
class QuantizedProduct:
    """A matrix product or convolution whose operands are both dequantized bytes.

    op: the product or convolution.
    lhs, rhs: the ops that dequantize its operands.
    scales: the scale of lhs, one value, and the scale of rhs, one value or one per channel.
    channel: the axis of the result along which the scales of rhs run.
    """

    op: MatmulOp | ConvOp
    lhs: DequantizeOp
    rhs: DequantizeOp
    scales: tuple[SSAValue, SSAValue]
    channel: int


def match_product(op: MatmulOp | ConvOp) -> QuantizedProduct | None:
    """Match a contraction of dequantized operands whose sums fit in i32, else return None."""
    lhs, rhs = (dequantized(operand) for operand in op.operands[:2])
    if lhs is None or rhs is None or type_of(op.out).element_type != f32:
        return None
    if any(type_of(d.scale).element_type != f32 for d in (lhs, rhs)):
        return None
    count, channels = _summed(op), _channel_axis(op)
    left, right = scalar_of(lhs.scale), scale_of(rhs.scale, channels)
    zero = lhs.zero
    if left is None or right is None or not 0 < (count or 0) <= MOST_PRODUCTS:
        return None
    if zero is not None and scalar_of(zero) is None:
        return None
    channel = 1 if isinstance(op, ConvOp) else len(dims_of(type_of(op.out))) - 1
    return QuantizedProduct(op, lhs, rhs, (left, right), channel)


def _summed(op: MatmulOp | ConvOp) -> int | None:
    """Return how many products are added for an element of a contraction; None if symbolic."""
    if isinstance(op, ConvOp):
        sizes = [dim.value for dim in dims_of(type_of(op.w))[1:]]
    else:
        sizes = [dims_of(type_of(op.lhs))[-2 if op.transpose_lhs else -1].value]
    return None if None in sizes else prod(n or 0 for n in sizes)


def _channel_axis(op: MatmulOp | ConvOp) -> int:
    """Return the axis of the right operand that becomes the channels of the result."""
    if isinstance(op, ConvOp):
        return 0
    return len(dims_of(type_of(op.rhs))) - (2 if op.transpose_rhs else 1)


class SumIntegers(RewritePattern):
    """Compute ``quantize(contract(dequantize(x), dequantize(w)))`` in integers, then round once."""

    @rewrites(MatmulOp, ConvOp)
    def match_and_rewrite(self, op: MatmulOp | ConvOp, rewriter: PatternRewriter) -> None:
        product = match_product(op)
        if product is None:
            return
        last, bias = _with_integer_bias(product)
        addend = op.b if isinstance(op, ConvOp) and bias is None else None
        quantize = _quantizing_user(last) if addend is None else None
        replaced = last if quantize is None else quantize
        ops = InsertedOps(rewriter, replaced)
        total = ops.cast(_integer_sum(product, bias, ops), f32)
        left, right = map(ops.flat, product.scales)
        factor = ops.apply("mul", left, right)
        if quantize is None:
            made = _scaled(ops, total, factor, product)
            if addend is not None:
                made = ops.apply("add", made, ops.along(addend, made, 1))
        else:
            scale = scalar_of(quantize.scale)
            assert scale is not None, "checked by _quantizing_user"
            scaled = _scaled(ops, total, ops.apply("div", factor, ops.flat(scale)), product)
            one = ops.spread(ops.constant(np.float32(1)), dims_of(type_of(scaled)), ())
            made = ops.add(QuantizeOp(scaled, one, quantize.zero, quantize.to))
        _replace_all(rewriter, [op, last, replaced], made)


def _scaled(
    ops: InsertedOps, total: SSAValue, factor: SSAValue, product: QuantizedProduct
) -> SSAValue:
    return ops.apply("mul", total, ops.along(factor, total, product.channel))


def _replace_all(rewriter: PatternRewriter, chain: Sequence[Operation], made: SSAValue) -> None:
    """Replace the last op of a chain by ``made``; erase the ops before it that become unused."""
    last = chain[-1]
    made.name_hint = last.results[0].name_hint
    others = [op for op in dict.fromkeys(chain) if op is not last]
    replace_by_value(rewriter, last, made)
    for op in reversed(others):
        erase_if_unused(rewriter, op)


def _with_integer_bias(product: QuantizedProduct) -> tuple[Operation, SSAValue | None]:
    """Return the op that adds the bias of a contraction, and the bias as an i32 tensor.

    For a convolution, the op is the convolution itself; for a matrix product, the addition after
    it. If no bias has the scale of the sums, the result is the contraction and None.
    product: the contraction and its dequantized operands.
    """
    op = product.op
    if isinstance(op, ConvOp):
        return op, None if op.b is None else _integer_bias(op.b, product)
    user = _only_user(op)
    if not isinstance(user, AddOp):
        return op, None
    addend = (user.rhs if user.lhs is op.out else user.lhs).owner
    if not isinstance(addend, BroadcastOp) or tuple(addend.axes) != (product.channel,):
        return op, None
    bias = _integer_bias(addend.x, product)
    return (op, None) if bias is None else (user, bias)


def _integer_bias(bias: SSAValue, product: QuantizedProduct) -> SSAValue | None:
    """Return the stored integers of a bias that has the scale of the sums, else None."""
    op = bias.owner
    if not isinstance(op, DequantizeOp) or type_of(op.x).element_type != i32:
        return None
    scale, (left, right) = known_array(op.scale), map(known_array, product.scales)
    if scale is None or left is None or right is None or not is_zero(op.zero):
        return None
    wanted = left.reshape(-1) * right.reshape(-1)
    is_same = np.array_equal(scale, np.broadcast_to(wanted, scale.shape))
    channels = dims_of(type_of(product.op.out))[product.channel]
    return op.x if is_same and dims_of(type_of(op.x)) == (channels,) else None


def _only_user(op: Operation) -> Operation | None:
    user = op.results[0].get_user_of_unique_use()
    return user if user is not None and user.parent is op.parent else None


def _quantizing_user(op: Operation) -> QuantizeOp | None:
    user = _only_user(op)
    if not isinstance(user, QuantizeOp) or user.x is not op.results[0]:
        return None
    is_fit = is_integer(user.to) and bit_width(user.to) == 8
    return user if is_fit and scalar_of(user.scale) is not None else None


def _integer_sum(product: QuantizedProduct, bias: SSAValue | None, ops: InsertedOps) -> SSAValue:
    """Return a contraction of the stored integers minus their zero points, in i32.

    product: the contraction of dequantized operands that it replaces.
    bias: an i32 tensor to add per channel, or None.
    ops: inserts the ops.
    """
    op = product.op
    lhs, rhs = (_difference(ops, each) for each in (product.lhs, product.rhs))
    if isinstance(op, ConvOp):
        return ops.add(op.with_operands(lhs, rhs, bias))
    total = ops.add(
        MatmulOp(lhs, rhs, transpose_lhs=op.transpose_lhs, transpose_rhs=op.transpose_rhs)
    )
    if bias is None:
        return total
    return ops.apply("add", total, ops.along(bias, total, product.channel))


def _difference(ops: InsertedOps, op: DequantizeOp) -> SSAValue:
    """Return the stored integers of a dequantized operand minus its zero point.

    The difference has the type i16. If the zero point is 0, the integers are returned unchanged.
    """
    if op.zero is None or is_zero(op.zero):
        return op.x
    scalar = scalar_of(op.zero)
    zero = ops.cast(op.zero if scalar is None else ops.flat(scalar), i16)
    return ops.apply("sub", ops.cast(op.x, i16), zero)
