"""Reference semantics of reads at computed positions; every index is checked."""

from __future__ import annotations

import numpy as np

from ...dialects.graph import GatherOp
from ..scalar import Array
from .context import EvaluationError, Evaluator, Sizes


def gather(op: GatherOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.gather."""
    x, indices = args
    size = x.shape[op.axis]
    wrong = indices[(indices < 0) | (indices >= size)]
    if wrong.size:
        raise EvaluationError(
            "index is outside the axis", expected=f"0..{size - 1}", got=int(wrong.flat[0])
        ).at(op)
    return (np.take(x, indices, axis=op.axis),)


EVALUATORS: dict[type, Evaluator] = {GatherOp: gather}
