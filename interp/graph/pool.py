"""Reference semantics of pooling: reduce one array per position in the window."""

from __future__ import annotations

import math
from functools import reduce

import numpy as np

from ...dialects.graph import MaxPoolIndicesOp, PoolOp
from ..scalar import Array, accumulator, identity, maximum, rounded, widened
from .context import Evaluator, Sizes, result_shape
from .conv import window_positions


def pool(op: PoolOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.pool on the arrays of its operands; return the result."""
    x = args[0]
    out = result_shape(op.out, sizes)[2:]
    if op.kind == "max":
        fill = widened(identity("max", x.dtype))
        windows = _windows(op, widened(x), out, fill=fill)
        return (rounded(reduce(maximum, windows), x.dtype),)
    values = accumulator(x)
    if op.kind == "lp":
        values = np.abs(values) ** op.p
    total = sum(_windows(op, values, out, fill=np.zeros((), values.dtype)))
    if op.kind == "lp":
        total = total ** (1 / op.p)
    if op.kind == "avg":
        total = total / _counts(op, x.shape, out)
    return (rounded(np.asarray(total), x.dtype),)


def _windows(
    op: PoolOp | MaxPoolIndicesOp, x: Array, out: tuple[int, ...], *, fill: Array
) -> list[Array]:
    """Return one array per window position, with one element per output position.

    The elements are those of x at this window position, or ``fill`` outside of x.
    out: the shape of the output.
    """
    rank = len(out)
    pads = [(0, 0), (0, 0)]
    for i in range(rank):
        reach = (out[i] - 1) * op.strides[i] + (op.kernel[i] - 1) * op.dilations[i] + 1
        high = max(op.pads[rank + i], reach - x.shape[i - rank] - op.pads[i])
        pads.append((op.pads[i], high))
    padded = np.pad(x, pads[-x.ndim :], constant_values=fill)
    positions = window_positions(padded, op.kernel, out, strides=op.strides, dilations=op.dilations)
    return [window for _, window in positions]


def _counts(op: PoolOp, shape: tuple[int, ...], out: tuple[int, ...]) -> Array:
    rank = len(out)
    inside = np.ones((1, 1, *shape[2:]))
    if not op.count_pad:
        return sum(_windows(op, inside, out, fill=np.zeros(())), np.zeros(()))
    counts = np.ones((1, 1, *out))
    for i in range(rank):
        end = shape[2 + i] + op.pads[rank + i]
        first = np.arange(out[i]) * op.strides[i] - op.pads[i]
        taps = first[:, None] + np.arange(op.kernel[i]) * op.dilations[i]
        along = (taps < end).sum(axis=1)
        counts = counts * along.reshape(-1, *(1,) * (rank - 1 - i))
    return counts


def max_pool_indices(
    op: MaxPoolIndicesOp, args: tuple[Array, ...], sizes: Sizes
) -> tuple[Array, Array]:
    """Evaluate graph.max_pool_indices: for each position in the window, keep larger elements."""
    x = widened(args[0])
    out = result_shape(op.out, sizes)[2:]
    spatial = x.shape[2:]
    order = "F" if op.column_major else "C"
    place = np.arange(math.prod(spatial)).reshape(spatial, order=order)
    base = np.arange(math.prod(x.shape[:2])).reshape(x.shape[:2]) * math.prod(spatial)
    base *= not op.in_channel
    flat = base.reshape(*x.shape[:2], *(1,) * len(spatial)) + place
    values = _windows(op, x, out, fill=np.zeros((), x.dtype))
    places = _windows(op, flat, out, fill=np.full((), -1))
    best, at = np.zeros_like(values[0]), np.full(values[0].shape, -1)
    for value, found in zip(values, places, strict=True):
        wins = (at < 0) | (value > best) | (np.isnan(value) & ~np.isnan(best))
        wins &= found >= 0
        best, at = np.where(wins, value, best), np.where(wins, found, at)
    return rounded(best, args[0].dtype), at


EVALUATORS: dict[type, Evaluator] = {PoolOp: pool, MaxPoolIndicesOp: max_pool_indices}
