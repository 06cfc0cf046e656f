"""Decoded instructions with operands of several types, or with registers that a number selects."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from .scalar_code import Code
from .vector_rules import fma
from .wave import FIRST_VECTOR, FULL, Wave, reader, scalar_reader

_SOURCE, _TARGET = 1, 8
"""Modes of S_SET_GPR_IDX_ON: the number is added to the source, or to the result."""


def mix_code(inst: Any, name: str) -> Code:
    """Return the code of a fused multiply-add of f32 operands and halves of f16.

    CDNA's encodings are named V_MAD_MIX, and are fused on gfx942.
    """
    found = re.fullmatch(r"V_(?:FMA|MAD)_MIX(LO|HI)?_(F32|F16)", name)
    if found is None or inst.clmp:
        raise NotImplementedError(name)
    literal, is_half = getattr(inst, "literal", 0), inst.opsel_hi | inst.opsel_hi2 << 2
    reads = [
        reader(
            source.offset,
            literal,
            "f16" if is_half >> n & 1 else "f32",
            negated=bool(inst.neg >> n & 1),
            absolute=bool(inst.neg_hi >> n & 1),
            is_upper=bool(is_half >> n & inst.opsel >> n & 1),
        )
        for n, source in enumerate((inst.src0, inst.src1, inst.src2))
    ]
    target, part = inst.vdst.offset - FIRST_VECTOR, found[1]

    def run(w: Wave) -> None:
        made = np.asarray(fma(*(np.asarray(read(w)).astype(np.float32) for read in reads)))
        if part is None:
            w.write_vector(target, made)
            return
        bits = made.astype(np.float16).view(np.uint16).astype(np.uint32)
        shift = np.uint32(16 * (part == "HI"))
        kept = w.vectors[target] & np.uint32(FULL ^ 0xFFFF << int(shift))
        w.write_vector(target, kept | bits << shift)

    return run


def dot_code(inst: Any, name: str) -> Code:
    """Return the code of a product of four bytes by four, added to a sum of 32 bits."""
    if name not in ("V_DOT4_I32_IU8", "V_DOT4C_I32_I8") or getattr(inst, "clmp", 0):
        raise NotImplementedError(name)
    literal, target = getattr(inst, "literal", 0), inst.vdst.offset - FIRST_VECTOR
    continues = name == "V_DOT4C_I32_I8"
    signs = 3 if continues else inst.neg
    second = inst.vsrc1 if continues else inst.src1
    x, y = (_bytes(s.offset, literal, signs >> n & 1) for n, s in enumerate((inst.src0, second)))
    added = reader(inst.vdst.offset if continues else inst.src2.offset, literal, "i32")

    def run(w: Wave) -> None:
        total = (x(w) * y(w)).sum(-1) + added(w)
        w.write_vector(target, total.astype(np.int32))

    return run


def _bytes(register: int, literal: int, is_signed: int) -> Callable[[Wave], Any]:
    """Return what reads the four bytes of each lane as numbers."""
    read, dtype = reader(register, literal, "u32"), np.int8 if is_signed else np.uint8
    return lambda w: np.array(read(w))[:, None].view(dtype).astype(np.int64)


def relative_code(inst: Any, name: str, register: int) -> Code:
    """Return the code of a copy from or to a register that a scalar one moves.

    register: that which holds the number of registers.
    """
    if name not in ("V_MOVRELD_B32", "V_MOVRELS_B32"):
        raise NotImplementedError(name)
    source, target = inst.src0.offset, inst.vdst.offset - FIRST_VECTOR

    def run(w: Wave) -> None:
        at = w.read_scalar(register, 1)
        is_source = name == "V_MOVRELS_B32"
        read = reader(source + at * is_source, 0, "b32")
        w.write_vector(target + at * (not is_source), np.array(read(w)))

    return run


def indexed_code(inst: Any, moved: Any, position: int) -> Code:
    """Return the code of S_SET_GPR_IDX_ON and the copy behind it.

    moved: the next instruction.
    """
    mode = inst.ssrc1.offset & 15
    if not moved.op.name.startswith("V_MOV_B32") or mode not in (_SOURCE, _TARGET):
        raise NotImplementedError(f"an index of {moved.op.name}")
    number = scalar_reader(inst.ssrc0.offset, 0, "u32")
    source, target = moved.src0.offset, moved.vdst.offset - FIRST_VECTOR
    following = position + inst.size() + moved.size()

    def run(w: Wave) -> int:
        at = number(w) & 255
        read = reader(source + at * (mode == _SOURCE), 0, "b32")
        w.write_vector(target + at * (mode == _TARGET), np.array(read(w)))
        return following

    return run
