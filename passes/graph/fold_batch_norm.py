"""graph-fold-batch-norm: fold factors and addends per channel into the preceding weights.

    %a = graph.conv %x, %w
    %b = graph.mul %a, (graph.broadcast %scale axes [1])        %y = graph.conv %x, %w' bias %b'
    %y = graph.add %b, (graph.broadcast %shift axes [1])   ==>
    with  w' = w * scale,  b' = shift

    %y = graph.mul (graph.matmul %x, %w), %scale   ==>   graph.matmul %x, %w * scale

This covers batch normalization in inference form, and all biases and scales. A matmul has no bias,
so an addend after a matmul stays, and consecutive addends are added into one constant.

Before: graph-fold-constants made factors and addends constants, or broadcasts of constants.
After: no factor, addend or divisor per channel follows a floating-point conv with constant weights
and one use; no factor or divisor per column follows such a matmul or its addend.
Error: weights and biases are computed in f64 and rounded once; a sum of n products differs by at
most (n + 4) eps of the sum of their absolute values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects.dtypes import is_float, numpy_dtype
from ...dialects.graph import (
    AddOp,
    BinaryOp,
    BroadcastOp,
    ConstantOp,
    ConvOp,
    DivOp,
    MatmulOp,
    MulOp,
    SubOp,
)
from ...dialects.recipes import NotReplayable
from ...dialects.shape import dims_of, type_of
from ...dialects.weights import WeightAttr
from ...support.rewriting import apply_patterns, inherit_location, replace_op, rewrites
from .constant_values import vector_along
from .simplify import erase_if_unused

FACTORS = (MulOp, DivOp)
ADDENDS = (AddOp, SubOp)


@dataclass(frozen=True)
class Affine:
    """``factor * x + addend``, where factor and addend are f64 vectors along one axis.

    The value x has no other use.
    """

    x: SSAValue
    factor: WeightAttr
    addend: WeightAttr


def match_affine(op: BinaryOp, axis: int) -> Affine | None:
    """Return the affine map along ``axis`` that a binary op applies to its non-constant operand.

    None unless the op multiplies by, divides by, adds or subtracts a constant vector along
    ``axis``.
    """
    for x, constant in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
        vector = vector_along(constant, axis)
        if vector is not None and _feeds_only(x, op) and is_float(type_of(x).element_type):
            return _affine(op, x, _wide(vector))
        if isinstance(op, SubOp | DivOp):
            break
    return None


def _feeds_only(x: SSAValue, op: Operation) -> bool:
    """Return whether an op is the only user of a value, and both are in the same block."""
    owner = x.owner
    return x.has_one_use() and isinstance(owner, Operation) and owner.parent is op.parent


def _affine(op: BinaryOp, x: SSAValue, vector: WeightAttr) -> Affine:
    one, zero = WeightAttr.of(np.ones(1)), WeightAttr.of(np.zeros(1))
    if isinstance(op, MulOp):
        return Affine(x, vector, zero)
    if isinstance(op, DivOp):
        return Affine(x, WeightAttr.derived("div", [one, vector]), zero)
    addend = vector if isinstance(op, AddOp) else WeightAttr.derived("neg", [vector])
    return Affine(x, one, addend)


def _wide(weight: WeightAttr) -> WeightAttr:
    return WeightAttr.derived("convert", [weight], "float64")


def _product(lhs: WeightAttr, rhs: WeightAttr) -> WeightAttr:
    return WeightAttr.derived("mul", [lhs, rhs])


def _sum(lhs: WeightAttr, rhs: WeightAttr) -> WeightAttr:
    return WeightAttr.derived("add", [lhs, rhs])


def scaled(value: SSAValue, factor: WeightAttr, axis: int) -> ConstantOp | None:
    """Return constant weights multiplied by the vector ``factor`` along an axis.

    None if ``value`` is no constant, or if a product overflows.
    """
    weight = weights(value)
    if weight is None:
        return None
    column = [1] * weight.stored.ndim
    column[axis] = factor.stored.size
    factors = WeightAttr.derived("reshape", [factor], tuple(column))
    return constant_like(_product(_wide(weight), factors), value)


def weights(value: SSAValue) -> WeightAttr | None:
    """Return the weight of a constant, or None for other values."""
    return value.owner.value if isinstance(value.owner, ConstantOp) else None


def constant_like(weight: WeightAttr, like: SSAValue) -> ConstantOp | None:
    """Return a weight as a constant of the element type of ``like``; None on overflow."""
    dtype = numpy_dtype(type_of(like).element_type)
    try:
        return ConstantOp(WeightAttr.derived("finite", [weight], dtype.name))
    except NotReplayable:
        return None


class FoldIntoConv(RewritePattern):
    """Fold a factor and an addend per channel, one op at a time, into a preceding convolution.

    ``conv(x, w, b) * s + t`` becomes ``conv(x, w * s, b * s + t)``.
    """

    @rewrites(*FACTORS, *ADDENDS)
    def match_and_rewrite(self, op: BinaryOp, rewriter: PatternRewriter) -> None:
        affine = match_affine(op, 1)
        conv = affine.x.owner if affine is not None else None
        if affine is None or not isinstance(conv, ConvOp) or weights(conv.w) is None:
            return
        if type_of(conv.w).element_type != type_of(conv.out).element_type:
            return
        w = scaled(conv.w, affine.factor, 0) if isinstance(op, FACTORS) else conv.w.owner
        b = _folded_bias(conv, affine)
        if not isinstance(w, ConstantOp) or b is None:
            return
        has_bias = conv.b is not None or isinstance(op, ADDENDS)
        made = conv.with_operands(conv.x, w.out, b.out if has_bias else None)
        constants = [c for c in (w, b if has_bias else None) if c and c.parent is None]
        _replace_chain(rewriter, (conv, op), [*constants, made])


def _folded_bias(conv: ConvOp, affine: Affine) -> ConstantOp | None:
    """Return ``b * factor + addend``; None if b is not constant or an element overflows.

    b: the bias of ``conv``, or 0 if it has none. affine: the factor and the addend per channel.
    """
    old = WeightAttr.of(np.zeros(1)) if conv.b is None else weights(conv.b)
    if old is None:
        return None
    return constant_like(_sum(_product(_wide(old), affine.factor), affine.addend), conv.out)


class FoldIntoMatmul(RewritePattern):
    """Fold a factor per column into the weights of a preceding matrix product.

    ``(x @ w) * s`` becomes ``x @ (w * s)``, and ``(x @ w + b) * s`` becomes ``x @ (w * s) + b *
    s``.
    """

    @rewrites(*FACTORS)
    def match_and_rewrite(self, op: BinaryOp, rewriter: PatternRewriter) -> None:
        axis = len(dims_of(type_of(op.out))) - 1
        affine = match_affine(op, axis)
        if affine is None:
            return
        inner = affine.x.owner if isinstance(affine.x.owner, ADDENDS) else None
        addend = match_affine(inner, axis) if inner is not None else None
        product = affine.x.owner if addend is None else addend.x.owner
        if not isinstance(product, MatmulOp):
            return
        if type_of(product.rhs).element_type != type_of(product.out).element_type:
            return
        columns = len(dims_of(type_of(product.rhs))) - (2 if product.transpose_rhs else 1)
        w = scaled(product.rhs, affine.factor, columns)
        if w is None:
            return
        shift = (
            () if addend is None else _shift_ops(_product(addend.addend, affine.factor), op, axis)
        )
        if shift is None:
            return
        made = product.with_operands(product.lhs, w.out)
        if inner is None or not shift:
            _replace_chain(rewriter, (product, op), [w, made])
            return
        total = AddOp(made.out, shift[-1].results[0])
        _replace_chain(rewriter, (product, inner, op), [w, made, *shift, total])


class JoinAddends(RewritePattern):
    """Replace ``(x @ w + b) + c`` by ``x @ w + (b + c)``, for constants b and c."""

    @rewrites(*ADDENDS)
    def match_and_rewrite(self, op: BinaryOp, rewriter: PatternRewriter) -> None:
        axis = len(dims_of(type_of(op.out))) - 1
        outer = match_affine(op, axis) if axis > 0 else None
        inner = outer.x.owner if outer is not None else None
        if outer is None or not isinstance(inner, ADDENDS):
            return
        first = match_affine(inner, axis)
        if first is None or not isinstance(first.x.owner, MatmulOp):
            return
        shift = _shift_ops(_sum(first.addend, outer.addend), op, axis)
        if shift is not None:
            total = AddOp(first.x, shift[-1].results[0])
            _replace_chain(rewriter, (inner, op), [*shift, total])


def _shift_ops(addend: WeightAttr, op: BinaryOp, axis: int) -> Sequence[Operation] | None:
    """Return the ops that broadcast the vector ``addend`` to the shape of an op's result.

    None if an element overflows.
    """
    constant = constant_like(addend, op.out)
    if constant is None:
        return None
    return constant, BroadcastOp(constant.out, dims_of(type_of(op.out)), (axis,))


def _replace_chain(
    rewriter: PatternRewriter, chain: Sequence[Operation], made: Sequence[Operation]
) -> None:
    """Replace the last op of a chain by the ops ``made``, and erase all other ops of the chain.

    chain: ops in order, each the only user of the result of the op before it.
    """
    last, *before = reversed(chain)
    for new in made:
        inherit_location(new, chain[0])
    made[-1].results[0].name_hint = last.results[0].name_hint
    replace_op(rewriter, last, made)
    for op in before:
        operands = list(op.operands)
        rewriter.erase(op)
        _erase_unused_constants(rewriter, operands)


def _erase_unused_constants(rewriter: PatternRewriter, values: Sequence[SSAValue]) -> None:
    for value in values:
        if isinstance(value.owner, ConstantOp) and value.owner.parent is not None:
            erase_if_unused(rewriter, value.owner)


@dataclass(frozen=True)
class FoldBatchNorm(ModulePass):
    """Fold factors and addends per channel into the weights of convolutions and matrix products."""

    name = "graph-fold-batch-norm"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        apply_patterns(op, FoldIntoConv(), FoldIntoMatmul(), JoinAddends())
