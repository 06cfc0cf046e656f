"""Reference semantics of reductions: accumulated in f64 or 64-bit integers, rounded once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...dialects.graph import ArgReduceOp, CumulativeOp, ReduceOp
from ..scalar import (
    Array,
    accumulator,
    identity,
    is_float_dtype,
    rounded,
    widened,
)
from .context import EvaluationError, Evaluator, Sizes


def reduce(op: ReduceOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.reduce on the arrays of its operands; return the result."""
    x, axes, keep = args[0], op.axes, op.keep
    with np.errstate(all="ignore"):
        if op.kind in ("sum", "prod"):
            fold = np.sum if op.kind == "sum" else np.prod
            total = fold(accumulator(x), axis=axes, keepdims=keep)
            return (rounded(total, x.dtype),)
        if op.kind == "and":
            return (np.bitwise_and.reduce(x, axis=axes, keepdims=keep),)
        wide = widened(x)
        first: Any = widened(identity(op.kind, x.dtype))
        extremum = np.maximum if op.kind == "max" else np.minimum
        found = extremum.reduce(wide, axis=axes, keepdims=keep, initial=first)
        if is_float_dtype(x.dtype):
            found = np.where(found == 0, _zero(wide, op), found)
        return (rounded(np.asarray(found), x.dtype),)


def _zero(x: Array, op: ReduceOp) -> Array:
    """Return the zero that a maximum (+0) or minimum (-0) prefers, if it occurs in x.

    Otherwise, the zero of the other sign is returned.
    x: the operand, reduced along the axes of ``op``.
    """
    sign = np.signbit(x) == (op.kind == "min")
    winner = np.any((x == 0) & sign, axis=op.axes, keepdims=op.keep)
    wins = x.dtype.type(0.0 if op.kind == "max" else -0.0)
    return np.where(winner, wins, -wins)


def arg_reduce(op: ArgReduceOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.arg_reduce on the arrays of its operands; return the result."""
    x, axis = widened(args[0]), op.axis
    if not x.shape[axis]:
        raise EvaluationError(
            "an axis has no elements", got=f"axis {axis} of {x.shape}", hint="give it elements"
        ).at(op)
    best = np.argmax if op.kind == "max" else np.argmin
    if op.last:
        found = x.shape[axis] - 1 - best(np.flip(x, axis), axis=axis, keepdims=op.keep)
        if is_float_dtype(x.dtype):
            nan = np.isnan(x)
            first = np.argmax(nan, axis=axis, keepdims=op.keep)
            found = np.where(np.any(nan, axis=axis, keepdims=op.keep), first, found)
    else:
        found = best(x, axis=axis, keepdims=op.keep)
    return (np.asarray(found, np.int64),)


RUNNING: dict[str, Callable[..., Array]] = {
    "sum": np.add.accumulate,
    "prod": np.multiply.accumulate,
    "max": np.maximum.accumulate,
    "min": np.minimum.accumulate,
}


def cumulative(op: CumulativeOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.cumulative on the arrays of its operands; return the result."""
    x, axis = args[0], op.axis
    wide = accumulator(x)
    wide = np.flip(wide, axis) if op.reverse else wide
    if op.exclusive and x.shape[axis]:
        first = np.full_like(wide.take([0], axis), accumulator(identity(op.kind, x.dtype)))
        kept = wide.take(range(x.shape[axis] - 1), axis)
        wide = np.concatenate([first, kept], axis)
    with np.errstate(all="ignore"):
        running = RUNNING[op.kind](wide, axis=axis)
    running = np.flip(running, axis) if op.reverse else running
    return (rounded(running, x.dtype),)


EVALUATORS: dict[type, Evaluator] = {
    ReduceOp: reduce,
    ArgReduceOp: arg_reduce,
    CumulativeOp: cumulative,
}
