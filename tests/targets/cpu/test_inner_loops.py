"""The inner loops of a product and a convolution on ARM and RISC-V, read from the assembly."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tilewright.driver.report.texts import source_at

from .machine_models import onnx_model, random

MODELS = {
    "product": lambda: onnx_model("y = MatMul(x, w)", (64, 64), {"w": random(64, 64)}),
    # Not 3x3: Winograd's transforms keep tiles on the stack, in fewer than half the instructions.
    "convolution": lambda: onnx_model(
        "y = Conv<pads=[2,2,2,2]>(x, w)", (1, 16, 12, 12), {"w": random(16, 16, 5, 5)}
    ),
}
TARGETS = {
    "NEON": "aarch64",
    "NEON of Neoverse N1": "neoverse-n1",
    "SVE": "aarch64 -mattr=+sve -vector-bits=256",
    "RVV": "riscv64 -mattr=+v",
    "RVV of 256 bits": "riscv64 -mattr=+v -vector-bits=256",
}
LABEL = re.compile(r"(\.L\w+):")
JUMP = re.compile(r"\t[bct]\S*\t.*?(\.L\w+)$")
MULTIPLY_ADD = re.compile(r"\t(fmla|fmad|vfmacc|vfmadd)\b")
ARITHMETIC = re.compile(r"\t(fmla|fmad|fadd|fsub|fmul|vfmacc|vfmadd|vfadd|vfsub|vfmul)\b")
SPILL = re.compile(
    # Vectors and floats on the stack; whole vectors of RISC-V are stored by vs1r, vs2r, ..
    r"\t(str|stp|ldr|ldp)\t[qdsz]\d+.*\[sp|\tf[sl]w\t.*\(sp\)|\tv[sl]\dr"
)


def inner_loops(assembly: str) -> Iterator[list[str]]:
    """Yield the instructions of each loop that contains no other loop."""
    lines = [line for line in assembly.splitlines() if not line.startswith("\t.")]
    labels, last = dict[str, int](), -1
    for number, line in enumerate(lines):
        if label := LABEL.match(line):
            labels[label[1]] = number
        elif (jump := JUMP.match(line)) and jump[1] in labels:
            start = labels[jump[1]]
            if start > last:
                yield lines[start + 1 : number + 1]
            last = max(last, start)


def test_loops_and_spills_are_recognized() -> None:
    text = "\n".join(
        [
            ".LBB0_1:", "\tldr\tq1, [sp, #16]", ".LBB0_2:", "\tfmla\tv0.4s, v1.4s, v2.s[0]",
            "\tstr\tz3, [sp, #1, mul vl]", "\tstr\tx3, [sp, #8]", "\tb.lt\t.LBB0_2",
            "\tb\t.LBB0_1",
        ]
    )  # fmt: skip
    (loop,) = inner_loops(text)
    assert [bool(SPILL.match(line)) for line in loop] == [False, True, False, False]
    assert [bool(MULTIPLY_ADD.match(line)) for line in loop] == [True, False, False, False]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("machine", TARGETS)
def test_a_loop_multiplies_and_adds_in_registers(machine: str, name: str) -> None:
    assembly = source_at(MODELS[name](), "asm", target=TARGETS[machine])
    loops = [
        loop for loop in inner_loops(assembly) if sum(map(bool, map(MULTIPLY_ADD.match, loop))) >= 8
    ]
    assert loops
    for loop in loops:
        spills = [line for line in loop if SPILL.match(line)]
        assert not spills, spills
        sums = [line for line in loop if MULTIPLY_ADD.match(line)]
        assert len(sums) >= 0.8 * len([line for line in loop if ARITHMETIC.match(line)])
        assert len(sums) >= 0.3 * len(loop)
