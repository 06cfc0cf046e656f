"""Register tiles fit: no vector moves to or from the stack in reduction loops."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import onnx
import pytest

import tilewright
from tilewright.testing import models

CPUS = ("x86-64-v3", "skylake-avx512", "sapphirerapids")
MODELS: dict[str, Callable[[], onnx.ModelProto]] = {
    "matmul": lambda: models.ffn_model(m=128, k=256, n=512),
    "matmul_of_one_row": lambda: models.ffn_model(m=1, k=256, n=512),
    "matmul_with_rests": lambda: models.ffn_model(m=37, k=70, n=129),
    "attention": lambda: models.encoder_model(layers=1, hidden=128, heads=4, ffn=256, seq=64),
    "conv_1x1": lambda: models.conv_model(channels=64, size=28, filters=128, kernel=1),
    "conv_3x3": lambda: models.conv_model(channels=24, size=28, filters=64),
    "conv_3x3_tiles": lambda: models.conv_model(channels=64, size=56, filters=64),
    "conv_3x3_tiles_apart": lambda: models.conv_model(channels=64, size=28, filters=64),
    "conv_7x7_stride": lambda: models.conv_model(
        channels=3, size=64, filters=64, kernel=7, stride=2
    ),
}

_FUNCTION = re.compile(r"\t\.type\t(\w+),@function")
_LABEL = re.compile(r"(\.L\w+):")
_JUMP = re.compile(r"\tj\w+\t(\.L\w+)")
_STACK_MOVE = re.compile(r"\tv?mov\w+\t(.*\(%rsp.*%[xyz]mm|%[xyz]mm.*\(%rsp)")


def innermost_loops(assembly: str) -> Iterator[tuple[str, list[str]]]:
    """Yield function and lines, from a label to the jump back to it, of loops without loops."""
    lines = assembly.splitlines()
    name, labels = "", dict[str, int]()
    last_loop = -1
    for number, line in enumerate(lines):
        if function := _FUNCTION.match(line):
            name, labels = function[1], {}
        elif label := _LABEL.match(line):
            labels[label[1]] = number
        elif (jump := _JUMP.match(line)) and jump[1] in labels:
            start = labels[jump[1]]
            if start > last_loop:
                yield name, lines[start : number + 1]
            last_loop = max(last_loop, start)


def is_reduction(name: str, loop: list[str]) -> bool:
    """Tell the loop over products of a contraction from those of other kernels, such as exp.

    A contraction spreads numbers of memory over lanes; a transform by constants only constants.
    """
    spread = (line for line in loop if "vbroadcastss" in line or "{1to" in line)
    return (
        name.startswith(("matmul", "conv"))
        and any("fmadd" in line for line in loop)
        and any("(%rip)" not in line for line in spread)
    )


def test_loops_and_moves_are_recognized() -> None:
    text = """
\t.type\tconv,@function
conv:
.LBB0_1:
\tvmovups\t%ymm1, 32(%rsp)
.LBB0_2:
\tvbroadcastss\t(%rax), %ymm2
\tvfmadd231ps\t%ymm1, %ymm2, %ymm3
\tvmovups\t%zmm1, -64(%rsp,%rax)
\tvmovaps\t64(%rsp), %xmm4
\tvmovups\t64(%rbp), %xmm4
\tmovq\t%rax, 8(%rsp)
\tjne\t.LBB0_2
\tjne\t.LBB0_1
\tjne\t.LBB0_3
.LBB0_3:
\t.type\tg,@function
\tjmp\t.LBB0_1
"""
    ((name, loop),) = innermost_loops(text)
    assert loop[0] == ".LBB0_2:"
    assert is_reduction(name, loop)
    assert not is_reduction("softmax", loop)
    assert len([line for line in loop if _STACK_MOVE.match(line)]) == 2


@pytest.mark.slow
@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("name", MODELS)
def test_reduction_loops_keep_their_vectors_in_registers(name: str, cpu: str) -> None:
    assembly = tilewright.compile(MODELS[name](), target=f"llvm -mcpu={cpu}").get_source("asm")
    loops = [loop for name, loop in innermost_loops(assembly) if is_reduction(name, loop)]
    assert loops, "no reduction loop found"
    spills = [line for loop in loops for line in loop if _STACK_MOVE.match(line)]
    assert not spills
