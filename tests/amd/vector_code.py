"""Decoded vector instructions as functions of a wave."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from .operands import Operands
from .scalar_code import Code
from .vector_rules import COMPARISONS, DTYPES, RULES, div_scale, fma, is_of_class
from .wave import EXEC, FIRST_ACCUMULATOR, FIRST_VECTOR, VCC, Wave, reader


def plain_name(name: str) -> str:
    """Return the name of an instruction without its encoding."""
    name = re.sub(r"_E(32|64)$", "", name)
    return name.replace("V_DUAL_", "V_").replace("V_SUBBREV", "V_SUBREVB")


def _result(name: str, operands: Operands, target: int) -> Callable[[Wave], Any] | None:
    """Return what computes the result of an instruction with rules of its own for operands."""
    found = re.fullmatch(r"V_(FMAC|FMAMK|FMAAK)_(F\d+)", name)
    if found is not None:
        type_ = found[2].lower()
        x, y = operands.read(0, type_), operands.read(1, type_)
        z = reader(target + FIRST_VECTOR, 0, type_)
        if found[1] == "FMAC":
            return lambda w: fma(x(w), y(w), z(w))
        constant = reader(255, operands.literal, type_)
        if found[1] == "FMAMK":
            return lambda w: fma(x(w), constant(w), y(w))
        return lambda w: fma(x(w), y(w), constant(w))
    if name in ("V_CNDMASK_B32", "V_CNDMASK_B16"):
        type_ = name[-3:].lower()
        x, y = operands.read(0, type_), operands.read(1, type_)
        mask = operands.registers[2] if len(operands.registers) > 2 else VCC
        return lambda w: np.where(w.read_mask(mask), y(w), x(w))
    if name in ("V_DIV_FMAS_F32", "V_DIV_FMAS_F64"):
        type_ = name[-3:].lower()
        x, y, z = (operands.read(at, type_) for at in range(3))
        one, scale = DTYPES[type_](1), DTYPES[type_](2.0 ** (int(type_[1:])))
        return lambda w: fma(x(w), y(w), z(w)) * np.where(w.read_mask(VCC), scale, one)
    return None


def compute_code(inst: Any, name: str, operands: Operands) -> Code:
    """Return the code of an instruction with one result in vector registers."""
    read = result_reader(name, operands, inst.vdst.offset - FIRST_VECTOR)
    write = operands.write(RULES[name].result if name in RULES else "u" + name[-2:])
    return lambda w: write(w, read(w))


def result_reader(name: str, operands: Operands, target: int) -> Callable[[Wave], Any]:
    """Return what computes the result of an instruction."""
    special = _result(name, operands, target)
    if special is not None:
        return special
    if name not in RULES:
        raise NotImplementedError(name)
    rule = RULES[name]
    reads = [operands.read(at, type_) for at, type_ in enumerate(rule.operands)]
    dtype = DTYPES[rule.result]

    return lambda w: np.asarray(rule.compute(*(read(w) for read in reads)), dtype)


def dual_code(inst: Any, literal: int) -> Code:
    """Return the code of two instructions that run at once."""
    parts: list[tuple[int, Callable[[Wave], Any]]] = []
    for side in "xy":
        target = getattr(inst, f"vdst{side}").offset - FIRST_VECTOR
        pair = _Pair(getattr(inst, f"src{side}0"), getattr(inst, f"vsrc{side}1"))
        name = plain_name(getattr(inst, f"op{side}").name)
        parts.append(
            (target, result_reader(name, Operands(pair, literal, has_halves=True), target))
        )

    def run(w: Wave) -> None:
        values = [np.array(read(w)) for _, read in parts]
        for (target, _), value in zip(parts, values, strict=True):
            w.write_vector(target, value)

    return run


class _Pair:
    """The operands of one half of a dual instruction."""

    def __init__(self, src0: Any, vsrc1: Any) -> None:
        self.src0, self.vsrc1 = src0, vsrc1


def compare_code(inst: Any, name: str, operands: Operands) -> Code:
    """Return the code of a comparison, which writes a mask."""
    found = re.fullmatch(r"V_CMP(X)?_([A-Z]+)_([BFIU]\d+)", name)
    if found is None:
        raise NotImplementedError(name)
    type_ = found[3].lower()
    is_class = found[2] == "CLASS"
    x, y = operands.read(0, type_), operands.read(1, "u32" if is_class else type_)
    test = is_of_class if is_class else COMPARISONS[found[2]]
    target = next((getattr(inst, n).offset for n in ("vdst", "sdst") if hasattr(inst, n)), VCC)
    if hasattr(inst, "sd") and not inst.sd:
        target = VCC
    if found[1]:
        target = EXEC
    return lambda w: w.write_mask(target, test(x(w), y(w)))


def carry_code(inst: Any, name: str, operands: Operands) -> Code:
    """Return the code of an instruction with a mask as second result."""
    mask = inst.sdst.offset if hasattr(inst, "sdst") else VCC
    carried = operands.registers[2] if hasattr(inst, "sdst") else VCC
    target = inst.vdst.offset - FIRST_VECTOR
    if name in ("V_MAD_U64_U32", "V_MAD_I64_I32"):
        return _wide_product(operands, name, target)
    if name.startswith("V_DIV_SCALE"):
        reads = [operands.read(at, name[-3:].lower()) for at in range(3)]

        def scale(w: Wave) -> None:
            made, flags = div_scale(*np.broadcast_arrays(*(read(w) for read in reads)))
            w.write_vector(target, made)
            w.write_mask(mask, flags)

        return scale
    found = re.fullmatch(r"V_(ADD|SUB|SUBREV)(C|B)?_CO(_CI)?_U32", name)
    if found is None:
        raise NotImplementedError(name)
    x, y = operands.read(0, "u32"), operands.read(1, "u32")

    def run(w: Wave) -> None:
        a, b = x(w).astype(np.int64), y(w).astype(np.int64)
        c = w.read_mask(carried).astype(np.int64) if found[2] or found[3] else np.int64(0)
        if found[1] == "SUBREV":
            a, b = b, a
        total = a + b + c if found[1] == "ADD" else a - b - c
        w.write_vector(target, (total & 0xFFFFFFFF).astype(np.uint32))
        w.write_mask(mask, (total < 0) | (total > 0xFFFFFFFF))

    return run


def _wide_product(operands: Operands, name: str, target: int) -> Code:
    small, wide = ("u32", "u64") if name == "V_MAD_U64_U32" else ("i32", "i64")
    x, y, z = operands.read(0, small), operands.read(1, small), operands.read(2, wide)
    dtype = DTYPES[wide]

    def run(w: Wave) -> None:
        """The mask with the carry is not used by any code so far, so it is not written."""
        w.write_vector(target, x(w).astype(dtype) * y(w).astype(dtype) + z(w))

    return run


def packed_code(inst: Any, name: str) -> Code:
    """Return the code of an instruction on pairs of f32."""
    compute = {
        "V_PK_FMA_F32": fma, "V_PK_MUL_F32": lambda x, y: x * y, "V_PK_ADD_F32": lambda x, y: x + y,
        "V_PK_MOV_B32": None,
    }.get(name, inst)  # fmt: skip
    if compute is inst or compute is None or inst.clmp:
        raise NotImplementedError(name)
    count = 3 if name == "V_PK_FMA_F32" else 2
    registers = [inst.src0.offset, inst.src1.offset, inst.src2.offset][:count]
    upper = [inst.opsel_hi & 1, inst.opsel_hi >> 1 & 1, inst.opsel_hi2]
    halves = [
        [_half(r, bool(inst.opsel >> n & 1), bool(inst.neg >> n & 1))
         for n, r in enumerate(registers)],
        [_half(r, bool(upper[n]), bool(inst.neg_hi >> n & 1)) for n, r in enumerate(registers)],
    ]  # fmt: skip
    target = inst.vdst.offset - FIRST_VECTOR

    def run(w: Wave) -> None:
        made = [np.array(compute(*(read(w) for read in reads))) for reads in halves]
        for at, value in enumerate(made):
            w.write_vector(target + at, value)

    return run


def accumulator_code(inst: Any, name: str) -> Code:
    """Return the code of a copy from or to an accumulator, where registers are spilled, too."""
    target = inst.vdst.offset - FIRST_VECTOR
    source = inst.src0.offset
    if name.startswith("V_ACCVGPR_READ"):
        number = FIRST_ACCUMULATOR + source - FIRST_VECTOR
        return lambda w: w.write_vector(target, w.vectors[number])
    read = reader(source, 0, "b32")
    return lambda w: w.write_vector(FIRST_ACCUMULATOR + target, read(w))


def _half(register: int, is_upper: bool, negated: bool) -> Callable[[Wave], Any]:
    is_register = register < 128 or register >= FIRST_VECTOR
    return reader(register + (is_upper and is_register), 0, "f32", negated=negated)


def lane_code(inst: Any, name: str) -> Code:
    """Return the code of an instruction between a lane and scalar registers; none needs EXEC."""
    if name == "V_WRITELANE_B32":
        return _write_lane(inst)
    if name not in ("V_READFIRSTLANE_B32", "V_READLANE_B32"):
        raise NotImplementedError(name)
    source, target = inst.src0.offset - FIRST_VECTOR, inst.vdst.offset
    if target >= FIRST_VECTOR:
        target -= FIRST_VECTOR
    chosen = reader(inst.src1.offset, 0, "u32") if name == "V_READLANE_B32" else None

    def run(w: Wave) -> None:
        first = int(np.argmax(w.active)) if w.active.any() else 0
        lane = _number(chosen, w) % w.machine.lanes if chosen else first
        w.write_scalar(target, int(w.vectors[source, lane]), 1)

    return run


def _write_lane(inst: Any) -> Code:
    value, chosen = (reader(operand.offset, 0, "u32") for operand in (inst.src0, inst.src1))
    target = inst.vdst.offset - FIRST_VECTOR

    def run(w: Wave) -> None:
        w.vectors[target, _number(chosen, w) % w.machine.lanes] = _number(value, w)

    return run


def _number(read: Callable[[Wave], Any], w: Wave) -> int:
    """Return a scalar operand."""
    return int(np.ravel(read(w))[0])
