"""The state of a wave in the emulator, and how instructions read and write it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .memory import Memory
from .vector_rules import DTYPES

VCC, EXEC, FIRST_VECTOR, LITERAL = 106, 126, 256, 255
_CONSTANTS = {240: 0.5, 241: -0.5, 242: 1.0, 243: -1.0, 244: 2.0, 245: -2.0, 246: 4.0, 247: -4.0,
              248: 0.15915494309189532}  # fmt: skip
FULL = 0xFFFFFFFF
FIRST_ACCUMULATOR = 256
"""The number of the first accumulator of CDNA among the vector registers."""


@dataclass(frozen=True)
class Machine:
    """What processors differ in.

    decoder: the name of the instruction set.  lanes: the size of a wave.  null: the scalar register
    that is always zero, None if there is none.  no_address: the register that stands for no base.
    has_halves: instructions name halves of vector registers.  opcode_bits: bits of the opcode of
    buffer instructions.  invalidations: those that only invalidate or write back caches.
    relative: the register M0, which holds the number of V_MOVREL.
    """

    decoder: str
    lanes: int
    null: int | None
    no_address: int
    has_halves: bool
    opcode_bits: int
    invalidations: tuple[int, ...]
    relative: int


MACHINES = {
    "gfx1100": Machine("rdna3", 32, 124, 124, True, 8, (43, 44), 125),
    "gfx942": Machine("cdna", 64, None, 127, False, 7, (40, 41), 124),
}


class Wave:
    """Registers of a wave.  Vectors start as NaN, so a result of unwritten ones is wrong."""

    def __init__(
        self, machine: Machine, memory: Memory, shared: Memory, private: np.ndarray, active: int
    ) -> None:
        self.machine, self.memory, self.shared, self.private = machine, memory, shared, private
        self.vectors = np.full((512, machine.lanes), FULL, np.uint32)
        self.scalars = [0] * 128
        self.condition = False
        self.position = 0
        self.active = np.zeros(machine.lanes, bool)
        self.write_scalar(EXEC, active, machine.lanes // 32)

    def read_scalar(self, register: int, words: int) -> int:
        """Return one or two scalar registers as a number."""
        if register == self.machine.null:
            return 0
        low = self.scalars[register]
        return low if words == 1 else low | self.scalars[register + 1] << 32

    def write_scalar(self, register: int, value: int, words: int) -> None:
        """Write one or more scalar registers."""
        if register == self.machine.null:
            return
        for word in range(words):
            self.scalars[register + word] = value >> 32 * word & FULL
        if register <= EXEC + 1 < register + words or register <= EXEC < register + words:
            self.active = self.mask_of(self.execute)

    @property
    def mask_words(self) -> int:
        """The scalar registers of a mask of lanes."""
        return self.machine.lanes // 32

    @property
    def execute(self) -> int:
        """The mask of active lanes."""
        return self.read_scalar(EXEC, self.mask_words)

    def mask_of(self, bits: int) -> np.ndarray:
        """Return the lanes of the bits of a number."""
        data = np.frombuffer(bits.to_bytes(8, "little"), np.uint8)
        return np.unpackbits(data, bitorder="little")[: self.machine.lanes].astype(bool)

    def read_mask(self, register: int) -> np.ndarray:
        """Return the lanes of a mask in scalar registers."""
        return self.mask_of(self.read_scalar(register, self.mask_words))

    def write_mask(self, register: int, lanes: Any) -> None:
        """Write a mask to scalar registers; the bits of inactive lanes are zero."""
        bits = np.packbits(np.broadcast_to(lanes, self.active.shape) & self.active,
                           bitorder="little")  # fmt: skip
        self.write_scalar(register, int.from_bytes(bits.tobytes(), "little"), self.mask_words)

    def write_vector(self, register: int, values: Any) -> None:
        """Write the active lanes of one vector register, or of two for values of 64 bits."""
        values = np.asarray(values)
        if values.dtype.itemsize == 8:
            bits = values.view(np.uint64)
            self.write_vector(register, (bits & np.uint64(FULL)).astype(np.uint32))
            self.write_vector(register + 1, (bits >> np.uint64(32)).astype(np.uint32))
            return
        np.copyto(self.vectors[register], values.view(np.uint32), where=self.active)


def bits_of(type_: str) -> int:
    """Return the bits of a type such as f32."""
    return int(type_[1:])


def scalar_reader(register: int, literal: int, type_: str) -> Callable[[Wave], int]:
    """Return a function that reads a scalar operand as a number."""
    bits = bits_of(type_)
    full = (1 << bits) - 1
    if register < 128:
        return lambda w: w.read_scalar(register, bits // 32 or 1)
    if register in _CONSTANTS:
        dtype = DTYPES[type_] if type_[0] == "f" else np.float32
        unsigned = np.dtype(f"u{np.dtype(dtype).itemsize}")
        value = int(np.array([_CONSTANTS[register]], dtype).view(unsigned)[0])
        return lambda _: value
    if register == LITERAL:
        value = literal - (1 << 32) if type_ == "i64" and literal >> 31 else literal
        value = literal << 32 if type_ == "f64" else value & full
        return lambda _: value
    if 128 <= register <= 208:
        value = (register - 128 if register <= 192 else 192 - register) & full
        return lambda _: value
    if register == 253:
        return lambda w: int(w.condition)
    raise NotImplementedError(f"operand {register}")


def reader(
    register: int,
    literal: int,
    type_: str,
    *,
    negated: bool = False,
    absolute: bool = False,
    is_upper: bool = False,
) -> Callable[[Wave], Any]:
    """Return a function that reads an operand of a vector instruction.

    is_upper: read the upper half of a register.
    """
    dtype, bits = DTYPES[type_], bits_of(type_)
    if negated or absolute:
        plain = reader(register, literal, type_.replace("b", "f"), is_upper=is_upper)

        def changed(w: Wave) -> Any:
            value = np.abs(plain(w)) if absolute else plain(w)
            return (-value if negated else value).view(dtype)

        return changed
    if register < FIRST_VECTOR:
        read, unsigned = scalar_reader(register, literal, type_), np.dtype(f"u{bits // 8}")
        shift, full = 16 * is_upper, (1 << bits) - 1
        return lambda w: np.array([read(w) >> shift & full], unsigned).view(dtype)
    number = register - FIRST_VECTOR
    if bits == 32:
        return lambda w: w.vectors[number].view(dtype)
    if bits == 16:
        return lambda w: w.vectors[number].view(np.uint16)[is_upper::2].copy().view(dtype)
    return lambda w: (
        w.vectors[number].astype(np.uint64)
        | w.vectors[number + 1].astype(np.uint64) << np.uint64(32)
    ).view(dtype)
