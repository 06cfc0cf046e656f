"""Remove a max or min before a quantization that saturates at the same bound.

    %r = graph.max %x, 0.0
    %c = graph.min %r, 6.0
    %q = graph.quantize %c, %s zero %z        with  0 / s + z <= 0  and  6 / s + z >= 255, rounded
==>
    %q = graph.quantize %x, %s zero %z

The activation of a quantized convolution then costs nothing, and its integer sums are requantized
directly.
Exact: quantization keeps order, so all values beyond such a bound become the smallest, or the
largest, integer of the type. NaN passes both bounds.
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
    """Drop a bound before a quantization if the quantization saturates at the same bound.

    ``quantize(max(x, low))`` becomes ``quantize(x)`` if low becomes the smallest integer. Likewise
    ``quantize(min(x, high))``, if high becomes the largest integer.
    """

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
    """Return whether quantization maps ``bound`` to the end of the integer type's range.

    is_lower: whether ``bound`` is a lower bound, which must become the smallest integer; an upper
    bound must become the largest one.
    """
    scale: SSAValue = op.scale
    step, zero = uniform_value(scale), 0 if op.zero is None else uniform_value(op.zero)
    if step is None or zero is None or not 0 < step < np.inf:
        return False
    width = bit_width(op.to)
    least = 0 if is_unsigned(op.to) else -(1 << (width - 1))
    rounded = np.rint(bound / step) + float(zero)
    return bool(rounded <= least if is_lower else rounded >= least + (1 << width) - 1)
