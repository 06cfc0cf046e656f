"""Decoded matrix instructions as functions of a wave: MFMA of CDNA 3 and WMMA of RDNA 3.

All lanes take part, also inactive ones. Products are exact; sums are made in f64 here and rounded
once, where the hardware rounds several times. Source: AMD, CDNA3 Instruction Set Architecture,
section 7.1.4; RDNA3 Instruction Set Architecture, section 7.9.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

from .scalar_code import Code
from .wave import FIRST_ACCUMULATOR, FIRST_VECTOR, Wave, reader

_TYPES: dict[str, Any] = {"F16": np.float16, "BF16": ml_dtypes.bfloat16, "I8": np.int8}
_SIDE = 16
"""Rows and columns of the sums."""


def is_matrix_instruction(name: str) -> bool:
    """Return whether an instruction multiplies matrices."""
    return name.startswith(("V_MFMA_", "V_WMMA_"))


def matrix_code(inst: Any, name: str) -> Code:
    """Return the code of a product of 16 rows and columns with sums of 32 bits."""
    found = re.fullmatch(r"V_(MFMA|WMMA)_(F32|I32)_16X16X(16|32)_(F16|BF16|I8|IU8)", name)
    if found is None or any(getattr(inst, n, 0) for n in ("cbsz", "abid", "blgp", "clmp")):
        raise NotImplementedError(name)
    unit, sums, step, type_ = found[1], found[2].lower(), int(found[3]), found[4]
    if type_ == "IU8":
        types = [np.int8 if inst.neg >> side & 1 else np.uint8 for side in range(2)]
    elif getattr(inst, "neg", 0) or getattr(inst, "neg_hi", 0):
        raise NotImplementedError("modifiers of a matrix instruction")
    else:
        types = [_TYPES[type_]] * 2
    rows = _mfma_row if unit == "MFMA" else _wmma_row
    groups = 4 if unit == "MFMA" else 1
    accumulators = (getattr(inst, "acc", 0) & 1, getattr(inst, "acc", 0) >> 1 & 1)
    lhs, rhs = (
        _operand(source.offset + FIRST_ACCUMULATOR * is_acc, dtype, step, groups)
        for source, dtype, is_acc in zip((inst.src0, inst.src1), types, accumulators, strict=True)
    )
    is_acc = FIRST_ACCUMULATOR * getattr(inst, "acc_cd", 0)
    added = _sums_reader(inst.src2.offset, is_acc, sums, rows)
    target = inst.vdst.offset - FIRST_VECTOR + is_acc
    total: Any = np.float64 if sums == "f32" else np.int64
    held = np.float32 if sums == "f32" else np.int32

    def run(w: Wave) -> None:
        made = lhs(w).astype(total) @ rhs(w).astype(total).T + added(w)
        values = made.astype(held).view(np.uint32)
        for register in range(_SIDE * _SIDE // w.machine.lanes):
            lanes = np.arange(w.machine.lanes)
            w.vectors[target + register] = values[rows(lanes, register), lanes % _SIDE]

    return run


def _mfma_row(lane: Any, register: int) -> Any:
    """Return the row of the sums that a register has."""
    return lane // _SIDE * 4 + register


def _wmma_row(lane: Any, register: int) -> Any:
    """Return the row of the sums that a register has."""
    return register * 2 + lane // _SIDE


def _operand(register: int, dtype: Any, step: int, groups: int) -> Callable[[Wave], np.ndarray]:
    """Return what reads an operand: a row per row of lhs, or per column of rhs.

    groups: how many lanes hold a row together, one part after the other.
    """
    words = step * np.dtype(dtype).itemsize // groups // 4
    first = register - FIRST_VECTOR

    def read(w: Wave) -> np.ndarray:
        held = w.vectors[first : first + words].T
        if groups == 1 and (held[:_SIDE] != held[_SIDE:]).any():
            raise RuntimeError("the lanes of a wave have different copies of an operand of WMMA")
        lanes = [np.ascontiguousarray(held[_SIDE * n : _SIDE * (n + 1)]) for n in range(groups)]
        return np.concatenate([part.view(dtype) for part in lanes], axis=1)

    return read


def _sums_reader(
    register: int, accumulator: int, type_: str, rows: Callable[[Any, int], Any]
) -> Callable[[Wave], Any]:
    """Return what reads the sums that the products are added to: registers, or a constant."""
    if register < FIRST_VECTOR:
        constant = reader(register, 0, type_)
        return lambda w: constant(w)[0]
    first = register - FIRST_VECTOR + accumulator

    def read(w: Wave) -> np.ndarray:
        made = np.empty((_SIDE, _SIDE), np.uint32)
        lanes = np.arange(w.machine.lanes)
        for at in range(_SIDE * _SIDE // w.machine.lanes):
            made[rows(lanes, at), lanes % _SIDE] = w.vectors[first + at]
        return made.view(np.float32 if type_ == "f32" else np.int32)

    return read
