"""Reference semantics of quantization."""

from __future__ import annotations

import numpy as np

from ...dialects.dtypes import is_float
from ...dialects.graph import DequantizeOp, QuantizeOp
from .. import scalar
from ..scalar import Array, accumulator, is_float_dtype, rounded
from .context import Evaluator, Sizes, result_dtype


def quantize(op: QuantizeOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.quantize on the arrays of its operands; return the result."""
    dtype = result_dtype(op.out)
    x, scale, *zero = args
    quotient = scalar.apply("div", x, scale).astype(np.float64)
    moved = quotient if is_float(op.to) else np.rint(quotient)
    if zero:
        moved = moved + accumulator(zero[0])
    if not is_float(op.to):
        return (scalar.cast(moved, dtype),)
    return (scalar.cast(moved.astype(np.float32), dtype, saturate=op.saturate),)


def dequantize(op: DequantizeOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.dequantize on the arrays of its operands; return the result."""
    x, scale, *zero = args
    exact = np.float64 if is_float_dtype(x.dtype) else np.int64
    centered = x.astype(exact)
    if zero:
        centered = centered - zero[0].astype(exact)
    wide = np.float64 if scale.dtype == np.float64 else np.float32
    product = centered.astype(wide) * scale.astype(wide)
    return (rounded(product, result_dtype(op.out)),)


EVALUATORS: dict[type, Evaluator] = {QuantizeOp: quantize, DequantizeOp: dequantize}
