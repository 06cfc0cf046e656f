"""Reference semantics of matrix products: accumulated in f64 or 64-bit integers."""

from __future__ import annotations

import numpy as np

from ...dialects.graph import MatmulOp
from ..scalar import Array, accumulator, is_float_dtype, rounded, width_bits
from .context import Evaluator, Sizes, result_dtype


def contract(lhs: Array, rhs: Array) -> Array:
    """Return the matrix product of two batches of matrices.

    The result is f64 for floats, and 64-bit integers for integers; narrow integers are multiplied
    in f64, which is exact.
    """
    narrow = max(width_bits(lhs.dtype), width_bits(rhs.dtype)) <= 16
    if narrow and not is_float_dtype(lhs.dtype) and lhs.shape[-1] < 2**20:
        product = np.matmul(lhs.astype(np.float64), rhs.astype(np.float64))
        return product.astype(np.int64)
    return np.matmul(accumulator(lhs), accumulator(rhs))


def matmul(op: MatmulOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.matmul on the arrays of its operands; return the result."""
    lhs, rhs = args
    lhs = lhs.swapaxes(-1, -2) if op.transpose_lhs else lhs
    rhs = rhs.swapaxes(-1, -2) if op.transpose_rhs else rhs
    return (rounded(contract(lhs, rhs), result_dtype(op.out)),)


EVALUATORS: dict[type, Evaluator] = {MatmulOp: matmul}
