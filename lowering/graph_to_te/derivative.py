"""Lower the ops of derivatives: to their operands, or to the ops of their first region."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ...dialects.graph import (
    CheckpointOp,
    CustomGradientOp,
    HoldOp,
    RegionOp,
    SameOp,
    StopGradientOp,
)
from .builder import Rule, TeBuilder


def te_same(op: SameOp, builder: TeBuilder) -> SSAValue:
    """Return the te value of the operand, because the op is an identity."""
    return builder.value(op.x)


def te_region(op: RegionOp, builder: TeBuilder) -> Sequence[SSAValue]:
    """Append the lowering of the ops of the first region; return the yielded values."""
    return builder.inlined(op.forward.block, [builder.value(x) for x in op.operands])


RULES: dict[type, Rule] = {
    StopGradientOp: te_same,
    HoldOp: te_same,
    CheckpointOp: te_region,
    CustomGradientOp: te_region,
}
