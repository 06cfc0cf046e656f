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
    """Return the operand, which is the result of an op that only matters for differentiation."""
    return args


def region(
    op: RegionOp, args: tuple[Array, ...], run: RunRegion, sizes: Sizes
) -> tuple[Array, ...]:
    """Evaluate an op by its first region; the second region, if any, only serves its gradient.

    args: the arrays of the operands.  run: runs a region on arrays.
    """
    return run(op.forward, args)


EVALUATORS: dict[type, Evaluator] = {StopGradientOp: same, HoldOp: same}

REGION_EVALUATORS: dict[type, RegionEvaluator] = {CheckpointOp: region, CustomGradientOp: region}
