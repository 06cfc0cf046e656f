"""Reference semantics of data movement ops, by numpy views and copies."""

from __future__ import annotations

import numpy as np

from ...dialects.graph import (
    AppendOp,
    BroadcastOp,
    ConcatOp,
    IotaOp,
    PadOp,
    ReshapeOp,
    SliceOp,
    TransposeOp,
)
from ..scalar import Array
from .context import EvaluationError, Evaluator, Sizes, evaluated, result_dtype, result_shape


def reshape(op: ReshapeOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.reshape on the arrays of its operands; return the result."""
    return (np.reshape(args[0], result_shape(op.out, sizes)),)


def transpose(op: TransposeOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.transpose on the arrays of its operands; return the result."""
    return (np.transpose(args[0], op.perm),)


def broadcast(op: BroadcastOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.broadcast on the arrays of its operands; return the result."""
    x, shape = args[0], result_shape(op.out, sizes)
    aligned = [1] * len(shape)
    for axis, size in zip(op.axes, x.shape, strict=True):
        aligned[axis] = size
    return (np.broadcast_to(x.reshape(aligned), shape),)


def slice_(op: SliceOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.slice on the arrays of its operands; return the result."""
    x = args[0]
    for axis, (start, count, step) in enumerate(
        zip(evaluated(op.starts, sizes), result_shape(op.out, sizes), op.steps, strict=True)
    ):
        positions = start + np.arange(count) * step
        if count and not (positions.min() >= 0 and positions.max() < x.shape[axis]):
            raise EvaluationError(
                "slice leaves the operand",
                expected=f"0..{x.shape[axis] - 1} on axis {axis}",
                got=f"{positions.min()}..{positions.max()}",
                hint="clamp the start and end, or pad first",
            ).at(op)
        x = x.take(positions, axis)
    return (x,)


def concat(op: ConcatOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.concat on the arrays of its operands; return the result."""
    return (np.concatenate(args, axis=op.axis),)


def append(op: AppendOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.append on the arrays of its operands; return the result."""
    return (np.concatenate(args),)


def pad(op: PadOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.pad on the arrays of its operands; return the result."""
    x, widths = args[0], list(zip(op.low, op.high, strict=True))
    if op.mode == "constant":
        out = np.full(result_shape(op.out, sizes), np.asarray(op.value).astype(x.dtype), x.dtype)
        inner = [slice(low, low + size) for low, size in zip(op.low, x.shape, strict=True)]
        out[tuple(inner)] = x
        return (out,)
    for axis, (low, high) in enumerate(widths):
        positions = np.arange(-low, x.shape[axis] + high)
        x = x.take(_source(positions, x.shape[axis], op.mode), axis)
    return (x,)


def _source(positions: Array, size: int, mode: str) -> Array:
    """Return, for each position of the padded axis, the index of the element that it repeats.

    positions: the positions, where 0 is the first element of the axis before padding.  size: the
    size of this axis.  mode: edge, reflect or wrap.
    """
    match mode:
        case "edge":
            return np.clip(positions, 0, size - 1)
        case "wrap":
            return positions % size
        case _:
            period = max(2 * (size - 1), 1)
            folded = positions % period
            return np.where(folded < size, folded, period - folded)


def iota(op: IotaOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.iota, whose symbolic sizes have the values ``sizes``; return the positions."""
    shape = result_shape(op.out, sizes)
    positions = np.arange(shape[op.axis]).astype(result_dtype(op.out))
    column = [-1 if axis == op.axis else 1 for axis in range(len(shape))]
    return (np.broadcast_to(positions.reshape(column), shape),)


EVALUATORS: dict[type, Evaluator] = {
    ReshapeOp: reshape,
    TransposeOp: transpose,
    BroadcastOp: broadcast,
    SliceOp: slice_,
    ConcatOp: concat,
    AppendOp: append,
    PadOp: pad,
    IotaOp: iota,
}
