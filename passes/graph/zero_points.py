"""Move zero points out of the operands of integer contractions, so that operands stay bytes.

    %y = graph.matmul (i16(%x) - %zx), %w
==>
    %y = graph.matmul %x, %w - broadcast(%zx * sum of %w over k)

In a convolution, the zero point becomes the pad value, and the correction becomes part of the bias.
A zero point that is computed is no pad value: then the floats get a border of 0.0 before they are
quantized.
If both operands are computed, the right operand may become signed: ``b - zero`` is ``i8(b xor 128)
- (zero - 128)``.
Exact: sums of integers wrap, so that any order gives the same i32.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import i8, i16, i32
from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects.dtypes import is_unsigned
from ...dialects.graph import BitcastOp, CastOp, ConvOp, MatmulOp, PadOp, QuantizeOp
from ...dialects.shape import dims_of, type_of
from ...support.rewriting import replace_op, rewrites
from .constant_values import uniform_value
from .inserted_ops import InsertedOps
from .quantized_values import (
    Centered,
    centered,
    constant_of,
    is_byte,
    same_numbers,
    scalar_of,
)
from .simplify import replace_by_value

_SIGN_BIT = 128


class NarrowWeights(RewritePattern):
    """Store constant weights minus their zero points as i8 if all of the differences fit."""

    @rewrites(MatmulOp, ConvOp)
    def match_and_rewrite(self, op: MatmulOp | ConvOp, rewriter: PatternRewriter) -> None:
        weights = op.operands[1]
        if not is_byte(centered(op.operands[0]).x) or _excess(weights) != 0:
            return
        narrow = InsertedOps(rewriter, op).constant(constant_of(weights).astype(np.int8))
        op.operands[1] = narrow
        rewriter.notify_op_modified(op)


def _excess(weights: SSAValue) -> int | None:
    """Return the number to subtract from constant weights so that they fit in i8.

    0 if they fit already. None for a value that is no constant of type u8 or i16, and for weights
    whose range is wider than that of i8.
    """
    values = constant_of(weights)
    if values is None or values.dtype not in (np.int16, np.uint8) or not values.size:
        return None
    low, high = int(values.min()), int(values.max())
    if high - low >= 2 * _SIGN_BIT:
        return None
    return max(high - _SIGN_BIT + 1, 0) or min(low + _SIGN_BIT, 0)


def _narrowed(y: Centered, ops: InsertedOps) -> Centered:
    """Return constant weights as equal i8 weights with another zero point.

    Values that are not constant, and constants of a wider range, are returned unchanged.
    """
    excess = _excess(y.x)
    if excess is None:
        return y
    values = constant_of(y.x).astype(np.int16) - excess
    zero = ops.constant(np.int16(-excess)) if excess else None
    return Centered(ops.constant(values.astype(np.int8)), zero)


@dataclass(frozen=True)
class ProductOfBytes(RewritePattern):
    """Move the zero points of both operands out of a matrix product.

    ``matmul(x - zx, y - zy)`` becomes ``matmul(x, y) - zx * columns(y) - zy * rows(x) + k * zx *
    zy``. columns(y) and rows(x) are sums over the contracted axis, and k is its size.
    has_signed_right: whether a y that is not constant is converted from unsigned to signed bytes.
    """

    has_signed_right: bool

    @rewrites(MatmulOp)
    def match_and_rewrite(self, op: MatmulOp, rewriter: PatternRewriter) -> None:
        x, y = centered(op.lhs), centered(op.rhs)
        count = dims_of(type_of(op.lhs))[-2 if op.transpose_lhs else -1].value
        if type_of(op.out).element_type != i32 or not is_byte(x.x) or not count:
            return
        ops = InsertedOps(rewriter, op)
        is_wrong = self.has_signed_right and _is_computed_u8(y.x)
        y = _signed(y, ops) if is_wrong else _narrowed(y, ops)
        if x.x is op.lhs and y.x is op.rhs:
            return
        total = ops.add(op.with_operands(x.x, y.x))
        zeros = [None if z is None else ops.cast(ops.flat(z), i32) for z in (x.zero, y.zero)]
        if zeros[0] is not None:
            total = ops.apply("add", total, _column_terms(op, y.x, zeros[0], zeros[1], count, ops))
        if zeros[1] is not None:
            total = ops.apply("sub", total, _row_terms(op, x.x, zeros[1], ops))
        replace_by_value(rewriter, op, total)


def _is_computed_u8(x: SSAValue) -> bool:
    return is_byte(x) and is_unsigned(type_of(x).element_type) and constant_of(x) is None


def _signed(y: Centered, ops: InsertedOps) -> Centered:
    """Return u8 values ``y`` as i8 values, with a zero point that is smaller by 128."""
    flipped = ops.apply("xor", y.x, ops.constant(np.uint8(_SIGN_BIT)))
    zero = ops.constant(np.int16(0)) if y.zero is None else ops.cast(ops.flat(y.zero), i16)
    moved = ops.apply("sub", zero, ops.constant(np.int16(_SIGN_BIT)))
    known = None if y.zero is None else uniform_value(y.zero)
    return Centered(ops.add(BitcastOp(flipped, i8)), None if known == _SIGN_BIT else moved)


def _column_terms(
    op: MatmulOp, y: SSAValue, left: SSAValue, right: SSAValue | None, count: int, ops: InsertedOps
) -> SSAValue:
    """Return ``-zx * (sum of y over k - k * zy)``, broadcast over the rows.

    left: zx.  right: zy, or None for 0.  count: k, the size of the contracted axis.
    """
    rank, of_result = len(dims_of(type_of(y))), len(dims_of(type_of(op.out)))
    sums = ops.sum(y, [rank - (1 if op.transpose_rhs else 2)])
    if right is not None:
        all_zeros = ops.apply("mul", right, ops.constant(np.int32(count)))
        sums = ops.apply("sub", sums, all_zeros)
    minus = ops.apply("sub", ops.constant(np.int32(0)), left)
    axes = [*range(rank - 2), of_result - 1]
    return ops.spread(ops.apply("mul", sums, minus), dims_of(type_of(op.out)), axes)


def _row_terms(op: MatmulOp, x: SSAValue, zero: SSAValue, ops: InsertedOps) -> SSAValue:
    """Return ``zy * sum of x over k``, broadcast over the columns; ``zero`` is zy."""
    rank = len(dims_of(type_of(x)))
    sums = ops.sum(x, [rank - (2 if op.transpose_lhs else 1)])
    return ops.spread(ops.apply("mul", sums, zero), dims_of(type_of(op.out)), range(rank - 1))


class ConvolutionOfBytes(RewritePattern):
    """Move the zero point of the image out of a convolution.

    ``conv(x - zx, w, b)`` becomes ``conv(x, w, b - zx * sum of w)``, where the sum is computed per
    channel, and the padding is zx instead of 0.  If zx is computed, x must be a quantization, of
    which 0.0 yields zx.
    """

    @rewrites(ConvOp)
    def match_and_rewrite(self, op: ConvOp, rewriter: PatternRewriter) -> None:
        x = centered(op.x)
        if type_of(op.out).element_type != i32 or x.x is op.x or not _has_elements(op):
            return
        pad = 0 if x.zero is None else uniform_value(x.zero)
        ops = InsertedOps(rewriter, op)
        image, pads, bias = x.x, op.pads, op.b
        if pad is None and any(pads):
            if not _is_quantized_with(x):
                return
            image, pads = _with_border(image.owner, pads, ops), [0] * len(pads)
        if x.zero is not None:
            sums = ops.sum(op.w, range(1, len(dims_of(type_of(op.w)))))
            terms = ops.apply("mul", sums, ops.cast(ops.flat(x.zero), i32))
            bias = ops.constant(np.int32(0)) if bias is None else bias
            bias = ops.apply("sub", bias, terms)
        made = op.with_operands(image, op.w, bias, pads=pads, pad_value=int(pad or 0))
        replace_op(rewriter, op, made)


def _is_quantized_with(x: Centered) -> bool:
    """Return whether bytes result from a quantization with one scale and their zero point."""
    op, zero = x.x.owner, x.zero
    if zero is not None and isinstance(zero.owner, CastOp):
        zero = zero.owner.x
    return (
        isinstance(op, QuantizeOp)
        and scalar_of(op.scale) is not None
        and same_numbers(op.zero, zero)
    )


def _with_border(op: Any, pads: Sequence[int], ops: InsertedOps) -> SSAValue:
    """Return the quantized values with a border of their zero point.

    op: the quantization of an image.  pads: the widths of the border at the start of each spatial
    dimension, then at the end.
    """
    half = len(pads) // 2
    low, high = [0, 0, *pads[:half]], [0, 0, *pads[half:]]
    x = ops.add(PadOp(op.x, low, high, value=0.0))
    scale, zero = (
        ops.spread(ops.flat(scalar), dims_of(type_of(x)), ())
        for scalar in map(scalar_of, (op.scale, op.zero))
        if scalar is not None
    )
    return ops.add(QuantizeOp(x, scale, zero, op.to))


def _has_elements(op: ConvOp) -> bool:
    return all(dim.value != 0 for x in (op.x, op.w) for dim in dims_of(type_of(x)))
