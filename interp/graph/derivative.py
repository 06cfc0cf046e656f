"""Reference semantics of the ops of derivatives: their operands, or what their region yields."""

from __future__ import annotations

from ...dialects.graph import (
    CheckpointOp,
    CustomGradientOp,
    HoldOp,
    RegionOp,
    SameOp,
    StopGradientOp,
)
from ..scalar import Array
from .context import Evaluator, RegionEvaluator, RunRegion, Sizes


def same(op: SameOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array, ...]:
    """Return the operand."""
    return args


def region(
    op: RegionOp, args: tuple[Array, ...], run: RunRegion, sizes: Sizes
) -> tuple[Array, ...]:
    """Run the first region."""
    return run(op.forward, args)


EVALUATORS: dict[type, Evaluator] = {StopGradientOp: same, HoldOp: same}

REGION_EVALUATORS: dict[type, RegionEvaluator] = {CheckpointOp: region, CustomGradientOp: region}
