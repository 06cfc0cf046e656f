"""Decoded scalar instructions as functions of a wave."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from .scalar_rules import COMPARISONS, RULES, signed
from .wave import EXEC, FULL, VCC, Wave, scalar_reader

BARRIER, END = -1, -2
Code = Callable[[Wave], "int | None"]
"""Runs an instruction; returns the position of the next one if it does not follow, or a signal."""
_NOTHING = ("S_NOP", "S_WAITCNT", "S_CLAUSE", "S_DELAY_ALU", "S_SENDMSG", "S_SETPRIO", "S_SLEEP",
            "S_INST_PREFETCH", "S_SET_GPR_IDX_OFF", "S_SET_INST_PREFETCH_DISTANCE")  # fmt: skip


def type_of(name: str) -> str:
    """Return the type that ends the name of an instruction."""
    found = re.search(r"_([BIUF])(32|64)$", name)
    assert found is not None, name
    return found[1].lower() + found[2]


def scalar_code(inst: Any, format_: str, name: str, literal: int, position: int) -> Code:
    """Return the code of an instruction of a scalar format."""
    match format_:
        case "SOPP":
            return program_code(inst, name, position)
        case "SOPK":
            return constant_code(inst, name)
        case "SOPC":
            return compare_code(inst, name, literal)
        case "SOP1":
            return one_code(inst, name, literal, position)
        case _:
            return two_code(inst, name, literal)


def program_code(inst: Any, name: str, position: int) -> Code:
    """Return the code of an instruction of control."""
    after = position + 4
    target = after + 4 * signed(inst.simm16, 16)
    tests: dict[str, Callable[[Wave], bool]] = {
        "S_BRANCH": lambda w: True,
        "S_CBRANCH_SCC0": lambda w: not w.condition,
        "S_CBRANCH_SCC1": lambda w: w.condition,
        "S_CBRANCH_EXECZ": lambda w: w.execute == 0,
        "S_CBRANCH_EXECNZ": lambda w: w.execute != 0,
        "S_CBRANCH_VCCZ": lambda w: w.read_scalar(VCC, w.mask_words) == 0,
        "S_CBRANCH_VCCNZ": lambda w: w.read_scalar(VCC, w.mask_words) != 0,
    }
    if name in tests:
        test = tests[name]
        return lambda w: target if test(w) else None
    if name == "S_BARRIER":
        return lambda w: BARRIER
    if name == "S_ENDPGM":
        return lambda w: END
    if name.startswith(_NOTHING):
        return lambda w: None
    raise NotImplementedError(name)


def memory_code(inst: Any, name: str) -> Code:
    """Return the code of a load of scalar registers."""
    found = re.fullmatch(r"S_LOAD_(?:B(\d+)|DWORD(?:X(\d+))?)", name)
    if found is None:
        raise NotImplementedError(name)
    words = int(found[1]) // 32 if found[1] else int(found[2] or 1)
    base, target = inst.sbase.offset, inst.sdata.offset
    is_cdna = hasattr(inst, "soffset_en")
    constant = signed(inst.offset, 21) if not is_cdna or inst.imm else 0
    register = inst.soffset.offset
    has_register = bool(inst.soffset_en) if is_cdna else register != 124

    def run(w: Wave) -> None:
        address = w.read_scalar(base, 2) + constant
        if has_register:
            address += w.read_scalar(register, 1)
        row = w.memory.load(np.array([address], np.uint64), words)
        value = sum(int(word[0]) << 32 * at for at, word in enumerate(row))
        w.write_scalar(target, value, words)

    return run


def constant_code(inst: Any, name: str) -> Code:
    """Return the code of an instruction with a constant of 16 bits."""
    register, value = inst.sdst.offset, signed(inst.simm16, 16)
    if name == "S_MOVK_I32":
        return lambda w: w.write_scalar(register, value, 1)
    if name == "S_MULK_I32":
        return lambda w: w.write_scalar(register, w.read_scalar(register, 1) * value, 1)
    if name == "S_ADDK_I32":

        def add(w: Wave) -> None:
            total, overflows = RULES["S_ADD_I32"](w.read_scalar(register, 1), value & FULL)
            w.condition = bool(overflows)
            w.write_scalar(register, total, 1)

        return add
    found = re.fullmatch(r"S_CMPK_([A-Z]+)_([IU])32", name)
    if found is None:
        raise NotImplementedError(name)
    test, is_signed = COMPARISONS[found[1]], found[2] == "I"

    def compare(w: Wave) -> None:
        x = w.read_scalar(register, 1)
        w.condition = test(signed(x, 32), value) if is_signed else test(x, value & 0xFFFF)

    return compare


def compare_code(inst: Any, name: str, literal: int) -> Code:
    """Return the code of a comparison, which sets the condition."""
    found = re.fullmatch(r"S_(BITCMP0|BITCMP1|CMP_([A-Z]+))_([BIU])(32|64)", name)
    if found is None:
        raise NotImplementedError(name)
    type_, bits = type_of(name), int(found[4])
    x = scalar_reader(inst.ssrc0.offset, literal, type_)
    is_bit = found[1].startswith("BITCMP")
    y = scalar_reader(inst.ssrc1.offset, literal, "u32" if is_bit else type_)
    if is_bit:
        wanted = int(found[1][-1])

        def test_bit(w: Wave) -> None:
            w.condition = x(w) >> (y(w) & bits - 1) & 1 == wanted

        return test_bit
    test = COMPARISONS[found[2]]

    def compare(w: Wave) -> None:
        a, b = x(w), y(w)
        w.condition = test(signed(a, bits), signed(b, bits)) if found[3] == "I" else test(a, b)

    return compare


def one_code(inst: Any, name: str, literal: int, position: int) -> Code:
    """Return the code of an instruction with one operand."""
    target = inst.sdst.offset
    if name == "S_GETPC_B64":
        return lambda w: w.write_scalar(target, w.memory.base + position + 4, 2)
    type_ = type_of(name) if not name.endswith(("I16", "I8")) else "u32"
    words = int(type_[1:]) // 32
    read = scalar_reader(inst.ssrc0.offset, literal, type_)
    found = re.fullmatch(r"S_([A-Z0-9_]+)_SAVEEXEC_B\d+", name)
    if found is not None:
        rule = RULES[f"S_{found[1]}_B{32 * words}"]

        def save(w: Wave) -> None:
            before = w.execute
            made, condition = rule(read(w), before)
            w.condition = bool(condition)
            w.write_scalar(target, before, words)
            w.write_scalar(EXEC, made, words)

        return save
    return _computed(RULES[name], target, words, read)


def two_code(inst: Any, name: str, literal: int) -> Code:
    """Return the code of an instruction with two operands."""
    target, type_ = inst.sdst.offset, "u32" if "PACK" in name else type_of(name)
    words = int(type_[1:]) // 32
    x = scalar_reader(inst.ssrc0.offset, literal, type_)
    is_shift = any(part in name for part in ("LSHL_", "LSHR_", "ASHR_", "BFE_"))
    y = scalar_reader(inst.ssrc1.offset, literal, "u32" if is_shift else type_)
    if name.startswith("S_CSELECT"):
        return lambda w: w.write_scalar(target, x(w) if w.condition else y(w), words)
    if name in ("S_ADDC_U32", "S_SUBB_U32"):

        def carry(w: Wave) -> None:
            a, b, c = x(w), y(w), int(w.condition)
            total = a + b + c if name == "S_ADDC_U32" else a - b - c
            w.condition = not 0 <= total <= FULL
            w.write_scalar(target, total, 1)

        return carry
    return _computed(RULES[name], target, words, x, y)


def _computed(
    rule: Callable[..., tuple[int, bool | None]], target: int, words: int, *reads: Any
) -> Code:
    def run(w: Wave) -> None:
        made, condition = rule(*(read(w) for read in reads))
        if condition is not None:
            w.condition = condition
        w.write_scalar(target, made, words)

    return run
