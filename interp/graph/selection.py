"""Reference semantics of ops with data-dependent result sizes; results have their exact size."""

from __future__ import annotations

from math import prod

import numpy as np

from ...dialects.graph import NmsOp, NonZeroOp, UniqueOp
from ..scalar import Array, widened
from .context import Evaluator, Sizes


def non_zero(op: NonZeroOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.non_zero on the arrays of its operands; return the result."""
    x = args[0]
    flat = np.flatnonzero(widened(x) != 0)
    rows = np.unravel_index(flat, x.shape) if x.ndim else ()
    return (np.array(rows, np.int64).reshape(x.ndim, len(flat)),)


def unique(op: UniqueOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array, ...]:
    """Evaluate graph.unique; all NaN are equal and the largest value, and -0 equals +0."""
    x, axis = args[0], op.axis
    # Comparing the ranks of elements compares slices as comparing the elements does.
    _, ranks = np.unique(widened(x).reshape(-1), return_inverse=True)
    ranks = ranks.reshape(x.shape)
    rows = ranks.reshape(-1, 1) if axis is None else np.moveaxis(ranks, axis, 0)
    _, first, inverse, counts = np.unique(
        rows.reshape(len(rows), prod(rows.shape[1:])),
        axis=0,
        return_index=True,
        return_inverse=True,
        return_counts=True,
    )
    if op.unsorted:
        order = np.argsort(first)
        first, counts = first[order], counts[order]
        inverse = np.argsort(order)[inverse]
    out = x.reshape(-1)[first] if axis is None else x.take(first, axis)
    return (out, *(np.asarray(n, np.int64).reshape(-1) for n in (first, inverse, counts)))


def nms(op: NmsOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.nms on the arrays of its operands; return the result."""
    boxes, scores = (widened(array) for array in args)
    kept: list[tuple[int, int, int]] = []
    for batch, classes in enumerate(scores):
        low, high = _corners(boxes[batch], op.center)
        for c, marks in enumerate(classes):
            alive = marks > op.above if op.above is not None else ~np.isnan(marks)
            for _ in range(op.limit):
                if not alive.any():
                    break
                best = int(np.flatnonzero(alive)[np.argmax(marks[alive])])
                kept.append((batch, c, best))
                alive &= _overlap(low, high, best) <= op.iou
                alive[best] = False
    return (np.array(kept, np.int64).reshape(-1, 3),)


def _corners(boxes: Array, center: bool) -> tuple[Array, Array]:
    a, b = boxes[:, :2], boxes[:, 2:]
    return (a - b / 2, a + b / 2) if center else (np.minimum(a, b), np.maximum(a, b))


def _overlap(low: Array, high: Array, best: int) -> Array:
    """Return the intersection over union of each box and the box number ``best``.

    low, high: the lower and the upper corner of each box.
    """
    sides = np.minimum(high, high[best]) - np.maximum(low, low[best])
    shared = np.where((sides > 0).all(axis=1), sides.prod(axis=1), 0)
    areas = (high - low).prod(axis=1)
    union = areas + areas[best] - shared
    fair = (areas > 0) & (areas[best] > 0) & (union > 0)
    return np.where(fair, shared / np.where(fair, union, 1), 0)


EVALUATORS: dict[type, Evaluator] = {NonZeroOp: non_zero, UniqueOp: unique, NmsOp: nms}
