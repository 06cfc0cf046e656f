"""Reference semantics of reads at computed positions; every index is checked."""

from __future__ import annotations

import numpy as np
from xdsl.ir import Operation

from ...dialects.graph import CheckIndicesOp, GatherElementsOp, GatherNdOp, GatherOp
from ..indices import check_indices
from ..scalar import Array
from .context import EvaluationError, Evaluator, Sizes, evaluated


def check_inside(op: Operation, indices: Array, size: int) -> None:
    """Raise EvaluationError, which names the op, unless all indices are in 0..size-1."""
    wrong = indices[(indices < 0) | (indices >= size)]
    if wrong.size:
        raise EvaluationError(
            "index is outside the axis",
            expected=f"0..{size - 1}",
            got=int(wrong.flat[0]),
            hint="clamp the indices",
        ).at(op)


def check(op: CheckIndicesOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[()]:
    """Evaluate graph.check_indices."""
    below = evaluated(op.sizes, sizes)
    check_indices(op.place, args[0], below, wraps=op.wraps, kind=EvaluationError)
    return ()


def gather(op: GatherOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.gather on the arrays of its operands; return the result."""
    x, indices = args
    check_inside(op, indices, x.shape[op.axis])
    return (np.take(x, indices, axis=op.axis),)


def gather_elements(op: GatherElementsOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.gather_elements on the arrays of its operands; return the result."""
    x, indices = args
    check_inside(op, indices, x.shape[op.axis])
    positions: list[Array] = list(np.indices(indices.shape, sparse=True))
    positions[op.axis] = indices
    return (x[tuple(positions)],)


def gather_nd(op: GatherNdOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.gather_nd on the arrays of its operands; return the result."""
    x, indices = args
    batch, count = op.batch_dims, indices.shape[-1]
    for n in range(count):
        check_inside(op, indices[..., n], x.shape[batch + n])
    outer = np.indices(indices.shape[:-1], sparse=True)[:batch]
    positions = (*outer, *(indices[..., n] for n in range(count)))
    if not positions:
        return (np.broadcast_to(x, (*indices.shape[:-1], *x.shape)),)
    return (x[positions],)


EVALUATORS: dict[type, Evaluator] = {
    CheckIndicesOp: check,
    GatherOp: gather,
    GatherElementsOp: gather_elements,
    GatherNdOp: gather_nd,
}
