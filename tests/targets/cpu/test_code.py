"""The code of kernels on several machines: register tiles fit, and the code size is bounded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import onnx
import pytest

from tilewright.frontend.onnx.importer import import_model
from tilewright.machines.target import Target
from tilewright.testing import models
from tilewright.testing.code import code_reports, innermost_loops, is_reduction, stack_moves
from tilewright.testing.fixtures import fixture_model

from ...sweeps import sampled

# The networks of benchmarks/zoo in full size with one layer of each kind, from make_zoo.py.
ZOO = sorted((Path(__file__).parents[2] / "fixtures" / "zoo").glob("*.onnx"))
CPUS = ("x86-64-v3", "skylake-avx512", "sapphirerapids")
MOST_LEAVES = 16
MOST_LINES = 4500
# LLVM accumulates in the register of a broadcast used once, so one-vector tiles change registers.
TILES_OF_ONE_VECTOR = {("unet", "x86-64-v3"): 3}
MODELS: dict[str, Callable[[], onnx.ModelProto]] = {
    "matmul": lambda: models.ffn_model(m=128, k=256, n=512),
    "matmul_of_one_row": lambda: models.ffn_model(m=1, k=256, n=512),
    "matmul_with_rests": lambda: models.ffn_model(m=37, k=70, n=129),
    "attention": lambda: models.encoder_model(layers=1, hidden=128, heads=4, ffn=256, seq=64),
    "conv_1x1": lambda: models.conv_model(channels=64, size=28, filters=128, kernel=1),
    "conv_3x3": lambda: models.conv_model(channels=24, size=28, filters=64),
    "conv_3x3_tiles": lambda: models.conv_model(channels=64, size=56, filters=64),
    "conv_3x3_tiles_apart": lambda: models.conv_model(channels=64, size=28, filters=64),
    "conv_3x3_one_block": lambda: models.conv_model(channels=16, size=54, filters=16),
    "conv_3x3_stride": lambda: models.conv_model(channels=24, size=113, filters=96, stride=2),
    "conv_7x7_stride": lambda: models.conv_model(
        channels=3, size=64, filters=64, kernel=7, stride=2
    ),
    **{path.stem: lambda path=path: fixture_model(path) for path in ZOO},
}


PAIRS = [(name, cpu) for name in MODELS for cpu in CPUS]


def test_the_networks_are_there() -> None:
    assert len(ZOO) == 13


def test_loops_and_moves_are_recognized() -> None:
    text = """
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
\tjmp\t.LBB0_1
"""
    (loop,) = innermost_loops(text)
    assert loop[0] == ".LBB0_2:"
    assert is_reduction(loop)
    assert len(stack_moves(loop)) == 2
    polynomial = [line.replace("(%rax)", ".LCPI0_1(%rip)") for line in loop]
    assert not is_reduction(polynomial)


@pytest.mark.parametrize("case", sampled(PAIRS, "_".join, one_in=14, slow=True, each_family=False))
def test_reduction_loops_keep_their_vectors_in_registers(case: tuple[str, str]) -> None:
    name, cpu = case
    reports = code_reports(import_model(MODELS[name]()), Target(f"llvm -mcpu={cpu}"))
    assert any(report.reductions for report in reports), "no reduction loop found"
    spills = [line for report in reports for line in report.spills]
    assert len(spills) <= TILES_OF_ONE_VECTOR.get((name, cpu), 0), spills
    assert not [report for report in reports if report.leaves > MOST_LEAVES]
    assert not [report for report in reports if report.lines > MOST_LINES]
