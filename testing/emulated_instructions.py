"""Instructions of newer AArch64 processors, which the emulator's QEMU does not know.

In: the encoded instruction, and the vector registers.  Out: the new value of the destination.
The computations follow the pseudocode of the Arm Architecture Reference Manual (DDI 0487): dot
products of bytes of mixed signs, and products of 2 x 8 by 8 x 2 bytes (FEAT_I8MM), dot products of
bf16 numbers and products of 2 x 4 by 4 x 2 of them (FEAT_BF16, without FEAT_EBF16).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

Register: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]
"""The 16 bytes of a vector register, the lowest first."""

REGISTER_BYTES = 16


@dataclass(frozen=True)
class EmulatedInstruction:
    """An instruction with two source registers and a destination, which it also reads.

    compute: returns the new value of the destination from the values of the destination and the
    sources.
    by_element: whether the second source is one group of four bytes of a register, repeated.
    """

    compute: Callable[[Register, Register, Register], Register]
    by_element: bool = False

    def run(self, word: int, read: Callable[[int], Register]) -> tuple[int, Register]:
        """Execute the instruction; return the number of the destination register and its value.

        word: the encoded instruction.  read: returns the value of the register with this number.
        """
        destination, left, right = word & 31, word >> 5 & 31, word >> 16 & 31
        second = read(right)
        if self.by_element:
            group = (word >> 11 & 1) << 1 | word >> 21 & 1
            second = np.tile(second[4 * group : 4 * group + 4], 4)
        return destination, self.compute(read(destination), read(left), second)


def find_instruction(word: int) -> EmulatedInstruction | None:
    """Return the instruction on vectors of 128 bits that a word encodes; None for other words."""
    return next((known for (mask, bits), known in _KNOWN.items() if word & mask == bits), None)


def _dot(left: type, right: type) -> Callable[[Register, Register, Register], Register]:
    def compute(c: Register, a: Register, b: Register) -> Register:
        products = a.view(left).astype(np.int32) * b.view(right).astype(np.int32)
        return (c.view(np.int32) + products.reshape(4, 4).sum(1, dtype=np.int32)).view(np.uint8)

    return compute


def _matrix(left: type, right: type) -> Callable[[Register, Register, Register], Register]:
    def compute(c: Register, a: Register, b: Register) -> Register:
        rows = a.view(left).astype(np.int32).reshape(2, 8)
        columns = b.view(right).astype(np.int32).reshape(2, 8)
        return (c.view(np.int32) + (rows @ columns.T).ravel()).view(np.uint8)

    return compute


def _bf16_dot(c: Register, a: Register, b: Register) -> Register:
    pairs = (_f64(a) * _f64(b)).reshape(4, 2)
    return _plus(c.view(np.float32), _to_odd(pairs.sum(1))).view(np.uint8)


def _bf16_matrix(c: Register, a: Register, b: Register) -> Register:
    rows, columns = _f64(a).reshape(2, 2, 2), _f64(b).reshape(2, 2, 2)
    sums = c.view(np.float32)
    for pair in range(2):
        products = np.einsum("ir,jr->ij", rows[:, pair], columns[:, pair])
        sums = _plus(sums, _to_odd(products.ravel()))
    return sums.view(np.uint8)


def _f64(x: Register) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return bf16 values, held in a register, as f64; subnormal values become 0."""
    wide = (x.view(np.uint16).astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return np.where(np.abs(wide) < np.finfo(np.float32).tiny, 0.0, wide)


def _plus(
    x: np.ndarray[Any, np.dtype[np.float32]], y: np.ndarray[Any, np.dtype[np.float32]]
) -> np.ndarray[Any, np.dtype[np.float32]]:
    return _to_odd(x.astype(np.float64) + y.astype(np.float64))


def _to_odd(x: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Round f64 to f32 toward zero, and set the last bit of inexact results (round to odd)."""
    nearest = x.astype(np.float32)
    above = np.abs(nearest.astype(np.float64)) > np.abs(x)
    cut = np.where(above, np.nextafter(nearest, np.float32(0)), nearest)
    inexact = (cut.astype(np.float64) != x) & np.isfinite(x)
    odd = (cut.view(np.uint32) | inexact).view(np.float32)
    return np.where(np.abs(odd) < np.finfo(np.float32).tiny, np.float32(0), odd)


_WORD, _ELEMENT, _MATRIX = 0xFFE0FC00, 0xFFC0F400, 0xFFE0FC00

_KNOWN: Mapping[tuple[int, int], EmulatedInstruction] = {
    (_WORD, 0x4E809C00): EmulatedInstruction(_dot(np.uint8, np.int8)),  # usdot
    (_ELEMENT, 0x4F80F000): EmulatedInstruction(_dot(np.uint8, np.int8), by_element=True),
    (_ELEMENT, 0x4F00F000): EmulatedInstruction(_dot(np.int8, np.uint8), by_element=True),  # sudot
    (_MATRIX, 0x4E80A400): EmulatedInstruction(_matrix(np.int8, np.int8)),  # smmla
    (_MATRIX, 0x6E80A400): EmulatedInstruction(_matrix(np.uint8, np.uint8)),  # ummla
    (_MATRIX, 0x4E80AC00): EmulatedInstruction(_matrix(np.uint8, np.int8)),  # usmmla
    (_WORD, 0x6E40FC00): EmulatedInstruction(_bf16_dot),  # bfdot
    (_ELEMENT, 0x4F40F000): EmulatedInstruction(_bf16_dot, by_element=True),
    (_MATRIX, 0x6E40EC00): EmulatedInstruction(_bf16_matrix),  # bfmmla
}
"""The instructions, by mask and bits of their words."""
