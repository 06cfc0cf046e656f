"""Softmax in which NaN is replaced by 0, as exported for queries whose keys are all masked.

Input: the compute that normalizes a softmax, ``p = e * l``, then ``0 if p is NaN else p``.  Output:
the same compute without the replacement, and ops that instead replace results of the weighted sum
that reads ``p``.  With ``e = exp(x - max x)`` and ``l = 1 / sum e``, one NaN in a row makes ``l``
NaN, and so every ``p`` of the row.  The sum of exponentials of a row is otherwise at least 1, or 0
in an online softmax of scores that are all -inf, where ``l`` is infinite.  So ``p`` is NaN exactly
if ``l`` is not finite.  te-form-attention uses this module.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr
from xdsl.ir import Block, Region, SSAValue

from ...analysis.patterns.attention import folds, is_exponential, producer_of
from ...dialects.index_syntax import typed_scalar
from ...dialects.te import ComputeOp, ComputeView
from ...support.blocks import returned
from ..rewrite.compose import finish_body, is_elementwise


def with_nan(view: ComputeView) -> ComputeView | None:
    """Return a softmax normalization without its replacement of NaN; None for other computes."""
    if not is_elementwise(view) or len(view.inputs) != 2:
        return None
    block = view.body.block
    scaled = _replaced(block)
    if not isinstance(scaled, SSAValue) or not isinstance(scaled.owner, arith.MulfOp):
        return None
    if {*scaled.owner.operands} != {*block.args} or not _is_softmax(view):
        return None
    body = Block(arg_types=[arg.type for arg in block.args])
    product = arith.MulfOp(body.args[0], body.args[1])
    body.add_op(product)
    finish_body(body, [product.result])
    return replace(view, body=Region(body))


def _replaced(block: Block) -> SSAValue | None:
    """Return p if a body yields ``0 if p is NaN else p``, else None."""
    match returned(block)[0].owner:
        case arith.SelectOp(cond=cond, lhs=zero, rhs=value):
            test = cond.owner
        case _:
            return None
    if not isinstance(test, arith.CmpfOp) or {*test.operands} != {value} or not _is_zero(zero):
        return None
    return value if test.predicate.value.data == _UNORDERED else None


_UNORDERED = arith.CMPF_COMPARISON_OPERATIONS.index("uno")


def _is_zero(value: SSAValue) -> bool:
    owner = value.owner
    if not isinstance(owner, arith.ConstantOp) or not isinstance(owner.value, FloatAttr):
        return False
    return owner.value.value.data == 0


def _is_softmax(view: ComputeView) -> bool:
    """Return whether a compute multiplies exponentials by the reciprocal of their sum."""
    made = [producer_of(access) for access in view.inputs]
    for exps, total in (made, made[::-1]):
        if exps is None or total is None or not is_exponential(exps.view()):
            continue
        largest = producer_of(exps.view().inputs[1])
        if folds(total, exps, ("add",)) and _is_reciprocal(total) and largest is not None:
            return largest.view().outputs[0].combiner in ("max", "maxnum")
    return False


def _is_reciprocal(total: ComputeOp) -> bool:
    """Return whether the ``then`` region of a sum is ``1 / sum``, or 0 for an axis of size 0."""
    then = total.view().then
    if not then.blocks:
        return False
    made = returned(then.block)[0]
    match made.owner:
        case arith.SelectOp(cond=cond, lhs=zero, rhs=value) if _is_zero(zero):
            made = value if isinstance(cond.owner, arith.CmpiOp) else made
        case _:
            pass
    match made.owner:
        case arith.DivfOp(lhs=one, rhs=value):
            owner = one.owner
        case _:
            return False
    if value is not then.block.args[0] or not isinstance(owner, arith.ConstantOp):
        return False
    return isinstance(owner.value, FloatAttr) and owner.value.value.data == 1


def zero_unless_finite(block: Block, value: SSAValue, factor: SSAValue) -> SSAValue:
    """Append ``value if factor < inf else 0`` to a block, and return the result."""
    limit = arith.ConstantOp(typed_scalar(inf, factor.type))  # pyright: ignore[reportArgumentType]
    zero = arith.ConstantOp(typed_scalar(0.0, value.type))  # pyright: ignore[reportArgumentType]
    finite = arith.CmpfOp(factor, limit.result, "olt")
    chosen = arith.SelectOp(finite.result, value, zero.result)
    block.add_ops([limit, zero, finite, chosen])
    return chosen.result
