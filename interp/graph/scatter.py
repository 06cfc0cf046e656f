"""Reference semantics of writes at computed positions, by a loop over the updates."""

from __future__ import annotations

import numpy as np

from ...dialects.graph import ScatterElementsOp, ScatterNdOp, UpdateSliceOp
from ..scalar import Array, apply
from .context import Evaluator, Sizes

Position = tuple[int, ...]


def _inside(position: Position, shape: tuple[int, ...]) -> bool:
    return all(0 <= p < n for p, n in zip(position, shape, strict=False))


def _change(out: Array, position: Position, update: Array, kind: str) -> None:
    if not _inside(position, out.shape):
        return
    old = out[position]
    out[position] = update if kind == "none" else combined(kind, old, update)


def combined(kind: str, old: Array, new: Array) -> Array:
    """Combine an element with its update, as a scatter of this kind does.

    kind: one of `SCATTER_KINDS`. On bools, add and max are "or", and mul and min are "and".
    """
    if old.dtype == np.bool_:
        return old | new if kind in ("add", "max") else old & new
    return apply(kind, old, new, dtype=old.dtype)


def scatter_elements(op: ScatterElementsOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.scatter_elements on the arrays of its operands; return the result."""
    x, indices, updates = args
    out, axis = x.copy(), op.axis
    for at in np.ndindex(*indices.shape):
        position = (*at[:axis], int(indices[at]), *at[axis + 1 :])
        _change(out, position, updates[at], op.kind)
    return (out,)


def scatter_nd(op: ScatterNdOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.scatter_nd on the arrays of its operands; return the result."""
    x, indices, updates = args
    out = x.copy()
    for at in np.ndindex(*indices.shape[:-1]):
        _change(out, tuple(int(i) for i in indices[at]), updates[at], op.kind)
    return (out,)


def update_slice(op: UpdateSliceOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.update_slice on the arrays of its operands; return the result."""
    x, updates, starts = args
    out, axis = x.copy(), op.axis
    for at in np.ndindex(*updates.shape[: axis + 1]):
        position = (*at[:axis], int(starts[at[0]]) + at[axis])
        if op.circular:
            position = (*at[:axis], position[axis] % x.shape[axis])
        _change(out, position, updates[at], "none")
    return (out,)


EVALUATORS: dict[type, Evaluator] = {
    ScatterElementsOp: scatter_elements,
    ScatterNdOp: scatter_nd,
    UpdateSliceOp: update_slice,
}
