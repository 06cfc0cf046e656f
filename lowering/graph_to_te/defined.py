"""Lower graph.defined: its region takes the place of the op."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ...dialects.graph import DefinedOp
from ...support.blocks import copy_ops
from .builder import Rule, TeBuilder


def te_defined(op: DefinedOp, builder: TeBuilder) -> Sequence[SSAValue]:
    """Append copies of the ops of the region; return the copies of the values that it yields."""
    body = op.body.block
    values = [builder.value(x) for x in op.xs]
    known: dict[SSAValue, SSAValue] = dict(zip(body.args, values, strict=True))
    return copy_ops(body, known, builder.append)


RULES: dict[type, Rule] = {DefinedOp: te_defined}

SUB_BYTE_OPS: tuple[type, ...] = (*RULES,)
"""Ops that move or convert integers narrower than 8 bits."""
