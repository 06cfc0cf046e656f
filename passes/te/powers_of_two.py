"""Exponentials of an attention as powers of 2.

    %s = te.compute @attention_scores … then { select(mask, s * 0.125, -inf) }
    %e = te.compute @attention_exp … body { exp(s - m) }
==>
    %s = te.compute @attention_scores … then { select(mask, s * 0.1803, -inf) }
    %e = te.compute @attention_exp … body { exp2(s - m) }

Scores are then in units of ln 2.  A processor that has an instruction for powers of 2 computes an
exponential without a multiplication.  If the scores have a constant factor, this factor absorbs the
multiplication by log2 e.
Error: one rounding per score, or none if a constant absorbs the multiplication.
"""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import FloatAttr, f32
from xdsl.ir import Block, Operation, Region, SSAValue

from ...analysis.patterns.attention import Attention
from ...dialects.te import ComputeOp, ComputeView
from ...support.rewriting import swap_op
from ..rewrite.compose import copy_body, finish_body

_LOG2_E = 1.4426950408889634


def use_powers_of_two(attention: Attention) -> None:
    """Compute the exponentials of an attention, whose scores are f32, as powers of 2."""
    view = attention.scores.view()
    block = Block(arg_types=[f32, *(access.argument_type for access in view.post)])
    value: SSAValue = block.args[0]
    if view.then.blocks:
        (value,) = copy_body(block, view.then.block, block.args)
    finish_body(block, [_scaled(block, value)])
    swap_op(attention.scores, ComputeOp.from_view(replace(view, then=Region(block))))
    exps = attention.exps.view()
    swap_op(attention.exps, ComputeOp.from_view(replace(exps, body=_with_powers(exps))))


def _with_powers(exps: ComputeView) -> Region:
    block = Block(arg_types=[access.argument_type for access in exps.inputs])
    values = copy_body(block, exps.body.block, block.args)
    for op in list(block.ops):
        if isinstance(op, math.ExpOp):
            power = math.Exp2Op(op.operand, op.fastmath)
            block.insert_op_before(power, op)
            op.result.replace_all_uses_with(power.result)
            values = [power.result if value is op.result else value for value in values]
    finish_body(block, values)
    return Region(block)


def _scaled(block: Block, value: SSAValue) -> SSAValue:
    """Append the product of a value and log2 e to a block; return the product.

    Constant factors of the value absorb log2 e.
    """

    def add(op: Operation) -> SSAValue:
        block.add_op(op)
        return op.results[0]

    owner = value.owner
    if (number := _number(value)) is not None:
        return add(_constant(number * _LOG2_E))
    if isinstance(owner, arith.SelectOp):
        either = _scaled(block, owner.lhs), _scaled(block, owner.rhs)
        return add(arith.SelectOp(owner.cond, *either))
    if isinstance(owner, arith.MulfOp):
        for factor, other in ((owner.lhs, owner.rhs), (owner.rhs, owner.lhs)):
            if _number(factor) is not None:
                return add(arith.MulfOp(_scaled(block, factor), other))
    return add(arith.MulfOp(value, add(_constant(_LOG2_E))))


def _constant(number: float) -> arith.ConstantOp:
    return arith.ConstantOp(FloatAttr(number, f32))


def _number(value: SSAValue) -> float | None:
    owner = value.owner
    if not isinstance(owner, arith.ConstantOp) or not isinstance(owner.value, FloatAttr):
        return None
    return owner.value.value.data
