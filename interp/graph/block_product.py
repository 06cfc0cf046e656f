"""Reference semantics of products with weights of few bits: dequantize, accumulate in f64."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...dialects.graph import (
    DIGIT_BASE,
    DIGIT_BLOCK,
    LARGEST_DIGIT,
    LEAST_MAGNITUDE,
    BlockMatmulOp,
    DigitMatmulOp,
    SplitDigitsOp,
)
from ..scalar import Array, rounded
from .context import Evaluator, Sizes, result_dtype


def _numbers(w: Array, bits: int) -> Array:
    # w holds the bytes (N, B, bytes of a block); the result is (N, B, weights of a block).
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    numbers = (w[..., None] >> shifts) & np.uint8((1 << bits) - 1)
    return numbers.reshape(*w.shape[:2], w.shape[2] * len(shifts)).astype(np.float64)


def _zeros(zero: Sequence[Array], bits: int) -> Any:
    # Without zero points (N, B), each is half of the range.
    return zero[0].astype(np.float64)[..., None] if zero else float(1 << (bits - 1))


def weights_of(w: Array, scale: Array, zero: Sequence[Array], bits: int) -> Array:
    """Return the dequantized weight matrix (N, K) in f64.

    w, scale: the operands of graph.block_matmul.  zero: the zero points, or [] if all of them are
    the middle of the range.  bits: the bits of a weight.
    """
    centered = _numbers(w, bits) - _zeros(zero, bits)
    columns, blocks, length = centered.shape
    return (centered * scale.astype(np.float64)[..., None]).reshape(columns, blocks * length)


def block_matmul(op: BlockMatmulOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.block_matmul, without rounding of x."""
    x, w, scale, *zero = args
    matrix = weights_of(w, scale, zero, op.bits)
    product = np.matmul(x.astype(np.float64), matrix[:, : x.shape[-1]].T)
    return (rounded(product, result_dtype(op.out)),)


def split_digits(op: SplitDigitsOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array, ...]:
    """Evaluate graph.split_digits in f32."""
    (x,) = args
    *rows, size = x.shape
    padded = np.zeros((*rows, op.blocks * DIGIT_BLOCK), np.float32)
    padded[..., :size] = x
    blocks = padded.reshape(*rows, op.blocks, DIGIT_BLOCK)
    most = np.abs(blocks).max(-1, keepdims=True)
    inverse = np.where(most > LEAST_MAGNITUDE, np.float32(LARGEST_DIGIT) / most, np.float32(0))
    rest, digits = blocks * inverse, []
    for _ in range(op.count):
        digits.append(np.rint(rest))
        rest = (rest - digits[-1]) * np.float32(DIGIT_BASE)
    powers = np.float32(DIGIT_BASE) ** -np.arange(op.count, dtype=np.float32)
    unit = (most / np.float32(LARGEST_DIGIT) * powers).astype(np.float32)
    stacked = np.stack(digits, -2)
    sums = (stacked.sum(-1) * unit).sum(-1, dtype=np.float32)
    halves = 8 // op.bits
    split = stacked.reshape(*stacked.shape[:-1], DIGIT_BLOCK // halves, halves)
    return np.moveaxis(split, -1, -3).astype(np.int8), unit, sums


def digit_matmul(op: DigitMatmulOp, args: tuple[Array, ...], sizes: Sizes) -> tuple[Array]:
    """Evaluate graph.digit_matmul; zero points are multiplied by the sums of digits."""
    digits, unit, sums, w, scale, *zero = args
    numbers = _numbers(w, op.bits)
    rows, (_, blocks, length) = digits.shape[:-4], numbers.shape
    values = (digits * unit.astype(np.float64)[..., None, :, None]).sum(-2)
    x = np.moveaxis(values, -2, -1).reshape(*rows, blocks, length)
    products = np.einsum("...bk,nbk->...nb", x, numbers)
    parts = length // DIGIT_BLOCK
    totals = sums.astype(np.float64).reshape(*rows, blocks, parts).sum(-1)
    shifts = (
        totals[..., None, :] * np.broadcast_to(_zeros(zero, op.bits), (*scale.shape, 1))[..., 0]
    )
    out = ((products - shifts) * scale.astype(np.float64)).sum(-1)
    return (rounded(out, result_dtype(op.out)),)


EVALUATORS: dict[type, Evaluator] = {
    BlockMatmulOp: block_matmul, SplitDigitsOp: split_digits, DigitMatmulOp: digit_matmul
}  # fmt: skip
