"""Bounds before a quantization leave where the quantization saturates there.

    %r = graph.max %x, 0.0
    %c = graph.min %r, 6.0
    %q = graph.quantize %c, %s zero %z        with  0 / s + z <= 0  and  6 / s + z >= 255, rounded
==>
    %q = graph.quantize %x, %s zero %z

So the activation of a quantized convolution is free, and its sums are rounded as integers.
Exact: quantization keeps order, so all numbers beyond such a bound have its smallest, or its
largest, integer. NaN passes both bounds.
"""

from __future__ import annotations

import numpy as np
from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects.dtypes import bit_width, is_integer, is_unsigned
from ...dialects.graph import MaxOp, MinOp, QuantizeOp
from ...dialects.shape import type_of
from ...support.rewriting import replace_op, rewrites
from .constant_values import uniform_value
from .simplify import erase_if_unused


class DropSaturatedBounds(RewritePattern):
    """``quantize(max(x, low)) -> quantize(x)`` if low is the smallest integer; so for min."""

    @rewrites(QuantizeOp)
    def match_and_rewrite(self, op: QuantizeOp, rewriter: PatternRewriter) -> None:
        bound = op.x.owner
        if not isinstance(bound, MaxOp | MinOp) or not is_integer(op.to) or not op.saturate:
            return
        if not op.x.has_one_use():
            return  # both results would be computed from x
        for x, limit in ((bound.lhs, bound.rhs), (bound.rhs, bound.lhs)):
            number = uniform_value(limit)
            # x may be broadcast to the result.
            if number is None or type_of(x) != type_of(op.x):
                continue
            if _saturates(op, number, isinstance(bound, MaxOp)):
                replace_op(rewriter, op, QuantizeOp(x, op.scale, op.zero, op.to))
                erase_if_unused(rewriter, bound)
                return


def _saturates(op: QuantizeOp, bound: float, is_lower: bool) -> bool:
    """Return whether a bound becomes the smallest or the largest integer."""
    scale: SSAValue = op.scale
    step, zero = uniform_value(scale), 0 if op.zero is None else uniform_value(op.zero)
    if step is None or zero is None or not 0 < step < np.inf:
        return False
    width = bit_width(op.to)
    least = 0 if is_unsigned(op.to) else -(1 << (width - 1))
    rounded = np.rint(bound / step) + float(zero)
    return bool(rounded <= least if is_lower else rounded >= least + (1 << width) - 1)
