"""The operands and the result of a vector instruction: registers, parts of them, and modifiers.

RDNA3 names a half of a register by a bit of its number, or by ``opsel`` in long encodings, and
keeps the other half. CDNA3 sets it to zero; its SDWA encodings select bytes and halves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .vector_rules import DTYPES
from .wave import FIRST_VECTOR, Wave, bits_of, reader

Read = Callable[[Wave], Any]
Write = Callable[[Wave, Any], None]
_SELECTED = {**{n: (8 * n, 8) for n in range(4)}, 4: (0, 16), 5: (16, 16), 6: (0, 32)}
"""The first bit and the number of bits of each selection of SDWA."""
_ZERO, _SIGN, _KEEP = range(3)
_LAST = 3
"""The bit of ``opsel`` that belongs to the result."""


class Operands:
    """The operands of an instruction."""

    def __init__(self, inst: Any, literal: int, *, has_halves: bool) -> None:
        self.literal, self._inst, self._has_halves = literal, inst, has_halves
        names = [n for n in ("src0", "vsrc1", "src1", "src2") if hasattr(inst, n)]
        self.registers = [getattr(inst, name).offset for name in names]
        self._neg, self._abs = getattr(inst, "neg", 0), getattr(inst, "abs", 0)
        self._opsel = getattr(inst, "opsel", None)
        if getattr(inst, "omod", 0) or getattr(inst, "clmp", 0):
            raise NotImplementedError("modifiers of the result")

    def read(self, number: int, type_: str) -> Read:
        """Return what reads an operand."""
        register, upper = self.registers[number], False
        if bits_of(type_) == 16:
            register, upper = self._half(register, number)
        neg, absolute = bool(self._neg >> number & 1), bool(self._abs >> number & 1)
        return reader(register, self.literal, type_, negated=neg, absolute=absolute, is_upper=upper)

    def _half(self, register: int, number: int) -> tuple[int, bool]:
        if self._opsel is not None:
            return register, bool(self._opsel >> number & 1)
        number = register - FIRST_VECTOR
        if not self._has_halves or number < 128:
            return register, False
        return register - 128, True

    def write(self, type_: str) -> Write:
        """Return what writes the result."""
        register = self._inst.vdst.offset
        if bits_of(type_) != 16:
            return lambda w, value: w.write_vector(register - FIRST_VECTOR, value)
        register, upper = self._half(register, _LAST)
        shift = 16 * upper
        mask = 0xFFFF << shift if self._has_halves else 0xFFFFFFFF
        return _part_writer(register - FIRST_VECTOR, shift, mask)


def _part_writer(number: int, shift: int, mask: int) -> Write:
    """Return what writes the bits of a mask; values are moved to the left before."""

    def write(w: Wave, values: Any) -> None:
        moved = _unsigned(values) << np.uint32(shift)
        w.write_vector(number, w.vectors[number] & np.uint32(~mask & 0xFFFFFFFF) | moved & mask)

    return write


def _unsigned(values: Any) -> Any:
    """Return the bits of values as words."""
    values = np.asarray(values)
    return values.view(np.dtype(f"u{values.dtype.itemsize}")).astype(np.uint32)


class SelectedOperands(Operands):
    """The operands of an SDWA instruction: bytes and halves of registers."""

    def __init__(self, inst: Any) -> None:
        super().__init__(inst, 0, has_halves=False)
        flags = [getattr(inst, "s0", 0), getattr(inst, "s1", 0)]
        names = [n for n in ("vsrc0", "vsrc1") if hasattr(inst, n)]
        numbers = [getattr(inst, name).offset % FIRST_VECTOR for name in names]
        self.registers = [
            number if is_scalar else number + FIRST_VECTOR
            for number, is_scalar in zip(numbers, flags, strict=False)
        ]

    def read(self, number: int, type_: str) -> Read:
        """Return what reads an operand."""
        inst, word = self._inst, reader(self.registers[number], 0, "u32")
        shift, bits = _SELECTED[getattr(inst, f"src{number}_sel")]
        extends, dtype = getattr(inst, f"src{number}_sext"), DTYPES[type_]
        negated, absolute = (getattr(inst, f"src{number}_{m}") for m in ("neg", "abs"))

        def read(w: Wave) -> Any:
            part = word(w) >> np.uint32(shift) & np.uint32((1 << bits) - 1)
            if extends:
                part = (part << np.uint32(32 - bits)).view(np.int32) >> (32 - bits)
            value = part.astype(np.dtype(f"u{np.dtype(dtype).itemsize}")).view(dtype)
            value = np.abs(value) if absolute else value
            return -value if negated else value

        return read

    def write(self, type_: str) -> Write:
        """Return what writes the result."""
        number = self._inst.vdst.offset - FIRST_VECTOR
        shift, bits = _SELECTED[self._inst.dst_sel]
        if self._inst.dst_unused == _SIGN:
            raise NotImplementedError("a result with the sign in unused bits")
        kept = self._inst.dst_unused == _KEEP
        part = (1 << bits) - 1
        mask = part << shift if kept else 0xFFFFFFFF
        write = _part_writer(number, shift, mask)
        return lambda w, value: write(w, _unsigned(value) & np.uint32(part))
