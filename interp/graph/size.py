"""Reference semantics of sizes as values. graph.bind changes the symbols, see ``bound_sizes``."""

from __future__ import annotations

import numpy as np

from ...dialects.graph import BindOp, SizeOp
from ..scalar import Array
from .context import EvaluationError, Evaluator, Sizes, evaluated


def size(op: SizeOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.size."""
    return (np.array(evaluated(op.dims, sizes), np.int64),)


def bind(op: BindOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[()]:
    """Evaluate graph.bind: it has no result."""
    return ()


def bound_sizes(op: BindOp, values: Array) -> dict[str, int]:
    """Return the symbols that an op binds, with their values."""
    bound = dict(zip(op.symbols, map(int, values.reshape(-1)), strict=True))
    for symbol, value in bound.items():
        if value < 0:
            raise EvaluationError(f"size {symbol} is negative", expected=">= 0", got=value).at(op)
    return bound


EVALUATORS: dict[type, Evaluator] = {SizeOp: size, BindOp: bind}
