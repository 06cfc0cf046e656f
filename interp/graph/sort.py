"""Reference semantics of sorting along an axis."""

from __future__ import annotations

import numpy as np

from ...dialects.graph import TopKOp
from ..scalar import Array, apply
from .context import Evaluator, Sizes


def top_k(op: TopKOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array, Array]:
    """Evaluate graph.top_k, by Python's stable sort of each row."""
    (x,) = args
    count = op.k.evaluate(sizes)
    rows = np.moveaxis(x, op.axis, -1)
    is_nan = np.moveaxis(_nan(x), op.axis, -1)
    order = np.empty((*rows.shape[:-1], count), np.int64)
    for at in np.ndindex(*rows.shape[:-1]):
        row, nan = rows[at], is_nan[at]
        keys = [(bool(n), 0 if n else v.item()) for v, n in zip(row, nan, strict=True)]
        # Python's sort is stable even with reverse=True.
        ranked = sorted(range(len(keys)), key=keys.__getitem__, reverse=op.largest)
        order[at] = ranked[:count]
    positions = np.moveaxis(order, -1, op.axis)
    return np.take_along_axis(x, positions, op.axis), positions


def _nan(x: Array) -> Array:
    if x.dtype.kind in "iu":
        return np.zeros(x.shape, bool)
    return apply("is_nan", x, dtype=np.dtype(bool))


EVALUATORS: dict[type, Evaluator] = {TopKOp: top_k}
