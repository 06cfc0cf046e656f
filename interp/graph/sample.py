"""Reference semantics of reading between elements."""

from __future__ import annotations

import numpy as np

from ...dialects.graph import ResampleOp
from ..scalar import Array, accumulator, rounded
from .context import EvaluationError, Evaluator, Sizes, result_dtype


def resample(op: ResampleOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.resample: tap by tap."""
    x, indices = args[:2]
    size = x.shape[op.axis]
    wrong = indices[(indices < 0) | (indices >= size)]
    if wrong.size:
        raise EvaluationError(
            "index is outside the axis", expected=f"0..{size - 1}", got=int(wrong.flat[0])
        ).at(op)
    if len(args) == 2:
        return (np.take(x, indices[:, 0], axis=op.axis),)
    along = (-1, *(1,) * (x.ndim - op.axis - 1))
    total = np.zeros((), accumulator(x).dtype)
    for index, weight in zip(indices.T, args[2].T, strict=True):
        total = total + accumulator(np.take(x, index, axis=op.axis)) * weight.reshape(along)
    return (rounded(np.asarray(total), result_dtype(op.out)),)


EVALUATORS: dict[type, Evaluator] = {ResampleOp: resample}
