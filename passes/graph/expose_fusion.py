"""graph-expose-fusion: rewrite exporter idioms so that kernels need no copies for them.

    %t = graph.transpose %x perm [0, 2, 1]             %m = graph.mul %x, %half
    %m = graph.mul %t, %half                     ==>   %t = graph.transpose %m perm [0, 2, 1]

    matmul(mul(%q, %c), mul(%k, %c))             ==>   mul(matmul(%q, %k), %c * %c)

    concat(neg(slice(x, second half)), slice(x, first half))     (rotary embeddings)
==>
    reshape(slice(reshape(x, (…, 2, half)), backwards) * [-1, 1])

    matmul(reshape(x, rows), w) + b, reshaped to x's leading axes     (a Gemm between two reshapes)
==>
    matmul(x, w) + b                                                  (leading_axes.py)

An op with a scalar constant moves before a reshape or transpose, where it can fuse with the
producer of its operand. A scalar factor of a matmul operand moves after the matmul, where fusion
makes it free; exporters of attention scale queries and keys by such a factor. A concat that swaps
two halves becomes an index map.

Before: graph-simplify ran.  After: none of these forms is left, except rows of a Gemm that another
op reads as rows.
Exact: except for the sign of NaN, which neg flips and a product with -1 does not.
Error: one rounding in products with a factor; factors outside 1e-30 to 1e30 stay, because products
with them may overflow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32, f64
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects.dtypes import is_float, numpy_dtype
from ...dialects.graph import (
    AddOp,
    BinaryOp,
    ConcatOp,
    ConstantOp,
    DivOp,
    MatmulOp,
    MulOp,
    NegOp,
    ReshapeOp,
    SliceOp,
    SubOp,
    TransposeOp,
)
from ...dialects.shape import Dim, dims_of, type_of
from ...support.rewriting import apply_patterns, replace_op, rewrites
from .constant_values import uniform_value
from .inserted_ops import InsertedOps
from .leading_axes import keep_leading_axes
from .simplify import DropSameType, JoinReshapes, erase_if_unused


class NumberBeforeMovement(RewritePattern):
    """Replace ``op(move(x), number)`` by ``move(op(x, number))``.

    Here, op is arithmetic with a scalar constant, and move is a reshape or transpose without other
    readers.
    """

    @rewrites(AddOp, SubOp, MulOp, DivOp)
    def match_and_rewrite(self, op: BinaryOp, rewriter: PatternRewriter) -> None:
        for position, (value, other) in enumerate(((op.lhs, op.rhs), (op.rhs, op.lhs))):
            move, number = value.owner, uniform_value(other)
            if not isinstance(move, ReshapeOp | TransposeOp) or number is None:
                continue
            if move.parent is not op.parent:
                continue
            if not value.has_one_use() or not isinstance(move.x.owner, Operation):
                continue
            ops = InsertedOps(rewriter, op)
            full = ops.spread(ops.constant(np.asarray(number)), dims_of(type_of(move.x)), ())
            inner = ops.add(type(op)(*((full, move.x) if position else (move.x, full))))
            replace_op(rewriter, op, _again(move, inner))
            erase_if_unused(rewriter, move)
            return


def _again(move: ReshapeOp | TransposeOp, x: SSAValue) -> Operation:
    if isinstance(move, ReshapeOp):
        return ReshapeOp(x, move.dims)
    return TransposeOp(x, move.perm)


class NumberAfterProduct(RewritePattern):
    """Replace ``matmul(x * number, y)`` by ``matmul(x, y) * number``, in f32 or f64.

    x and y must be computed: graph-fold-constants folds the number into a constant operand.
    """

    @rewrites(MatmulOp)
    def match_and_rewrite(self, op: MatmulOp, rewriter: PatternRewriter) -> None:
        dtypes = {type_of(v).element_type for v in (op.lhs, op.rhs, op.out)}
        if dtypes not in ({f32}, {f64}) or any(
            isinstance(v.owner, ConstantOp) for v in (op.lhs, op.rhs)
        ):
            return
        (lhs, first), (rhs, second) = _without_factor(op.lhs), _without_factor(op.rhs)
        factor = first * second
        if (lhs, rhs) == (op.lhs, op.rhs) or not 1e-30 < abs(factor) < 1e30:
            return
        ops = InsertedOps(rewriter, op)
        product = ops.add(op.with_operands(lhs, rhs))
        number = ops.constant(np.asarray(factor, numpy_dtype(type_of(op.out).element_type)))
        full = ops.spread(number, dims_of(type_of(op.out)), ())
        factors = [v.owner for v in (op.lhs, op.rhs)]
        replace_op(rewriter, op, MulOp(product, full))
        for made in factors:
            if isinstance(made, MulOp):
                erase_if_unused(rewriter, made)


def _without_factor(value: SSAValue) -> tuple[SSAValue, float]:
    """Return (x, number) for a value ``x * number`` with one use, else (the value, 1)."""
    op = value.owner
    if isinstance(op, MulOp) and value.has_one_use():
        for x, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            number = uniform_value(other)
            if number is not None and not isinstance(x.owner, ConstantOp):
                return x, float(number)
    return value, 1.0


class SwapHalves(RewritePattern):
    """Replace ``concat(±x[half:], ±x[:half])`` by a reversed read of the two halves of x."""

    @rewrites(ConcatOp)
    def match_and_rewrite(self, op: ConcatOp, rewriter: PatternRewriter) -> None:
        if len(op.xs) != 2:
            return
        (x, first, sign), (y, second, other_sign) = (_part(part, op.axis) for part in op.xs)
        size = dims_of(type_of(op.out))[op.axis].value
        if x is None or x is not y or size is None or (first, second) != (size // 2, 0):
            return
        if type_of(x) != type_of(op.out) or dims_of(type_of(op.xs[0]))[op.axis].value != size // 2:
            return
        ops = InsertedOps(rewriter, op)
        replace_op(rewriter, op, _swapped(x, op.axis, size // 2, (sign, other_sign), ops))


def _part(value: SSAValue, axis: int) -> tuple[SSAValue | None, int, int]:
    """Return the operand, the start and the sign (±1) of a slice along an axis, or of its negative.

    The operand is None if the value is neither a slice nor the negative of one.
    """
    op, sign = value.owner, 1
    if isinstance(op, NegOp) and is_float(type_of(value).element_type):
        op, sign = op.x.owner, -1
    if not isinstance(op, SliceOp) or any(step != 1 for step in op.steps):
        return None, 0, sign
    starts = [start.value for start in op.starts]
    if any(start != 0 for d, start in enumerate(starts) if d != axis):
        return None, 0, sign
    start = starts[axis]
    return (None, 0, sign) if start is None else (op.x, start, sign)


def _swapped(
    x: SSAValue, axis: int, half: int, signs: Sequence[int], ops: InsertedOps
) -> Operation:
    dims = dims_of(type_of(x))
    split = (*dims[:axis], Dim.const(2), Dim.const(half), *dims[axis + 1 :])
    starts, steps = ([value] * len(split) for value in (0, 1))
    starts[axis], steps[axis] = 1, -1
    made = ops.add(SliceOp(ops.add(ReshapeOp(x, split)), starts, split, steps))
    if signs != (1, 1):
        factors = ops.constant(np.array(signs).astype(numpy_dtype(type_of(x).element_type)))
        made = ops.add(MulOp(made, ops.spread(factors, split, (axis,))))
    return ReshapeOp(made, dims)


@dataclass(frozen=True)
class ExposeFusion(ModulePass):
    """Rewrite exporter idioms so that kernels need no copies for them."""

    name = "graph-expose-fusion"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        apply_patterns(op, NumberAfterProduct())
        apply_patterns(op, NumberBeforeMovement(), SwapHalves())
        if keep_leading_axes(op):
            apply_patterns(op, JoinReshapes(), DropSameType())
