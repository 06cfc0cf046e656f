"""Reference semantics of sizes as values, and of symbols that ops bind to values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...dialects.graph import BindingOp, BindOp, SizeOp, WhileOp
from ...dialects.shape import dims_of, type_of
from ..scalar import Array
from .context import EvaluationError, Evaluator, Sizes, evaluated


def size(op: SizeOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.size: return its size expressions for the values ``sizes`` of the symbols."""
    return (np.array(evaluated(op.dims, sizes), np.int64),)


def bind(op: BindOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[()]:
    """Evaluate graph.bind, which has no result; ``bound_sizes`` returns the symbols."""
    return ()


def bound_sizes(op: BindOp, values: Array) -> dict[str, int]:
    """Return the symbols that a graph.bind binds, with their values.

    Errors: EvaluationError for a negative value.
    """
    bound = dict(zip(op.symbols, map(int, values.reshape(-1)), strict=True))
    for symbol, value in bound.items():
        if value < 0:
            raise EvaluationError(
                f"size {symbol} is negative",
                expected=">= 0",
                got=value,
                hint="check the sizes and parameters that it follows from",
            ).at(op)
    return bound


def decided_size(op: BindingOp, results: Sequence[Array]) -> dict[str, int]:
    """Return the symbol that an op binds, with its value, which follows from the results' shapes.

    Errors: EvaluationError if no result has the size.
    """
    if isinstance(op, WhileOp):
        return {op.symbol: results[0].item()}
    for value, array in zip(op.results, results, strict=True):
        for dim, size in zip(dims_of(type_of(value)), array.shape, strict=True):
            if dim == op.size:
                return {op.symbol: size}
    raise EvaluationError(
        "no result has the size that the op binds",
        expected=op.size,
        hint="use the symbol as a dimension of a result of the op",
    ).at(op)


EVALUATORS: dict[type, Evaluator] = {SizeOp: size, BindOp: bind}
