"""Reference semantics of normalizations: computed in f64, rounded once."""

from __future__ import annotations

import math

import numpy as np

from ...dialects.graph import LogSoftmaxOp, LrnOp, NormalizeOp, SoftmaxOp
from ..scalar import Array, accumulator, rounded
from .context import Evaluator, Sizes


def softmax(op: SoftmaxOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.softmax on the arrays of its operands; return the result."""
    shifted = _shifted(args[0], op.axis)
    weights = np.exp(shifted)
    total = np.sum(weights, axis=op.axis, keepdims=True)
    return (rounded(weights / total, args[0].dtype),)


def log_softmax(op: LogSoftmaxOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.log_softmax on the arrays of its operands; return the result."""
    shifted = _shifted(args[0], op.axis)
    total = np.sum(np.exp(shifted), axis=op.axis, keepdims=True)
    return (rounded(shifted - np.log(total), args[0].dtype),)


def _shifted(x: Array, axis: int) -> Array:
    wide = accumulator(x)
    return wide - np.max(wide, axis=axis, keepdims=True, initial=-np.inf)


def _mean(x: Array, axes: tuple[int, ...]) -> Array:
    with np.errstate(invalid="ignore"):  # NaN without elements
        return np.sum(x, axis=axes, keepdims=True) / math.prod(x.shape[axis] for axis in axes)


def normalize(op: NormalizeOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array, Array, Array]:
    """Evaluate graph.normalize on the arrays of its operands; return the results."""
    x, axes = accumulator(args[0]), op.axes
    mean = _mean(x, axes)
    mean = mean if op.center else np.zeros_like(mean)
    centered = x - mean
    variance = _mean(centered * centered, axes)
    inv_std = 1 / np.sqrt(variance + op.eps)
    stats = np.dtype(np.float64 if args[0].dtype == np.float64 else np.float32)
    return (
        rounded(centered * inv_std, args[0].dtype),
        rounded(mean, stats),
        rounded(inv_std, stats),
    )


def lrn(op: LrnOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.lrn on the arrays of its operands; return the result."""
    x = accumulator(args[0])
    channels, low = x.shape[1], (op.size - 1) // 2
    pads = [(0, 0), (low, op.size - 1 - low), *[(0, 0)] * (x.ndim - 2)]
    squares = np.pad(x * x, pads)
    total = sum((squares[:, k : k + channels] for k in range(op.size)), np.zeros_like(x))
    scale = op.bias + op.alpha / op.size * total
    return (rounded(x / scale**op.beta, args[0].dtype),)


EVALUATORS: dict[type, Evaluator] = {
    SoftmaxOp: softmax,
    LogSoftmaxOp: log_softmax,
    NormalizeOp: normalize,
    LrnOp: lrn,
}
