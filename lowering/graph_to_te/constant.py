"""Lower graph.constant to packed.constant."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ...dialects.graph import ConstantOp
from .builder import Rule, TeBuilder


def lower_constant(op: ConstantOp, builder: TeBuilder) -> SSAValue:
    """Lower to a packed.constant with the same bytes, in which integers are signless."""
    return builder.constant(op.value)


RULES: dict[type, Rule] = {ConstantOp: lower_constant}

SUB_BYTE_OPS: tuple[type, ...] = (*RULES,)
"""Ops that move or convert integers narrower than 8 bits."""
