"""Op cases of products with weights of few bits, against numpy."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilewright.dialects.graph import BlockMatmulOp, DigitMatmulOp, SplitDigitsOp

from .case import Array, Input, OpCase

WEIGHTS_4, WEIGHTS_8 = Input("uint8", (5, 2, 16), 0, 255), Input("uint8", (5, 2, 32), 0, 255)
SCALE = Input("float32", (5, 2), 0.5, 2)
X = Input("float32", (3, 50), -1, 1)
SUM_ULP = 4000
"""Numbers up to 255 cancel: roundings are relative to a hundred times the results."""


def _matrix(w: Array, scale: Array, zero: Array | int) -> Array:
    """Return the weights (N, K) of bytes that hold two numbers, or of bytes of one."""
    is_pair = w.shape[-1] == 16
    numbers = np.stack([w % 16, w // 16], -1).reshape(5, 2, 32) if is_pair else w
    zeros = np.broadcast_to(np.asarray(zero, np.float64), (5, 2))[..., None]
    return ((numbers - zeros) * scale[..., None].astype(np.float64)).reshape(5, 64)


def _product(zero: int) -> Any:
    def reference(x: Array, w: Array, scale: Array, zeros: Array | int = zero) -> Array:
        made = x.astype(np.float64) @ _matrix(w, scale, zeros)[:, :50].T
        return made.astype(x.dtype)

    return reference


def _digits(x: Array) -> tuple[Array, Array, Array]:
    """Return three digits per number, block by block; halves of bytes hold every other number."""
    digits, units = np.zeros((3, 2, 2, 3, 16), np.int8), np.zeros((3, 2, 3), np.float32)
    sums = np.zeros((3, 2), np.float32)
    for row, block in np.ndindex(3, 2):
        part = x[row, 32 * block : 32 * block + 32]
        rest = part * (np.float32(127) / np.abs(part).max())
        for digit in range(3):
            found = np.rint(rest)
            rest = (rest - found) * np.float32(254)
            unit = np.float32(np.abs(part).max() / 127 / 254.0**digit)
            units[row, block, digit] = unit
            sums[row, block] += found.sum() * unit
            digits[row, block, 0, digit, : (len(part) + 1) // 2] = found[::2]
            digits[row, block, 1, digit, : len(part) // 2] = found[1::2]
    return digits, units, sums


def _digit_product(
    digits: Array, unit: Array, sums: Array, w: Array, scale: Array, zero: Array
) -> Array:
    numbers = np.stack([w % 16, w // 16], -2).astype(np.float64)
    out = np.zeros((3, 5))
    for row, column, block in np.ndindex(3, 5, 2):
        x = np.einsum("htj,t->hj", digits[row, block], unit[row, block])
        total = (x * numbers[column, block]).sum() - sums[row, block] * float(zero[column, block])
        out[row, column] += total * scale[column, block]
    return out.astype(np.float32)


def block_product_cases() -> list[OpCase]:
    """Return products with 4 and 8 bits, the digits of activations, and products of digits."""
    zero = Input("uint8", (5, 2), 0, 15)
    return [
        OpCase(
            "block_matmul_4",
            lambda x, w, s: BlockMatmulOp(x, w, s, None, 4),
            (X, WEIGHTS_4, SCALE),
            _product(8),
            SUM_ULP,
        ),
        OpCase(
            "block_matmul_4_zero",
            lambda x, w, s, z: BlockMatmulOp(x, w, s, z, 4),
            (X, WEIGHTS_4, SCALE, zero),
            _product(8),
            SUM_ULP,
        ),
        OpCase(
            "block_matmul_8",
            lambda x, w, s: BlockMatmulOp(x, w, s, None, 8),
            (X, WEIGHTS_8, SCALE),
            _product(128),
            SUM_ULP,
        ),
        OpCase("split_digits", lambda x: SplitDigitsOp(x, 3, 2, 4), (X,), _digits, 8),
        OpCase(
            "digit_matmul",
            lambda d, u, t, w, s, z: DigitMatmulOp(d, u, t, w, s, z, 4),
            (
                Input("int8", (3, 2, 2, 3, 16), -127, 127),
                Input("float32", (3, 2, 3), 0.1, 1),
                Input("float32", (3, 2), -9, 9),
                WEIGHTS_4,
                SCALE,
                zero,
            ),
            _digit_product,
            SUM_ULP,
        ),
    ]
