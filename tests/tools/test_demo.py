"""The command ``tw demo``, on a small network."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from tilewright.testing import models
from tilewright.tools.commands import demo


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the demonstration compile one small network."""
    monkeypatch.setattr(demo, "NETWORKS", {"ffn": lambda: models.ffn_model(m=16, k=32, n=64)})
    monkeypatch.setattr(demo, "SHOWN_KERNEL", ("ffn", "matmul"))
    # How many prefetches come before the first multiply-add depends on the processor.
    monkeypatch.setattr(demo, "SHOWN_LINES", 200)


def test_a_network_is_checked_shown_and_timed(small: None) -> None:
    result = CliRunner().invoke(demo.demo, ["--rounds", "2"])
    assert result.exit_code == 0, result.output
    assert "✓ ffn: relative error against onnxruntime" in " ".join(result.output.split())
    for text in (
        "te.kernel @matmul",
        "sched.script @matmul",
        "loop.for",
        "vfmadd",
        "times as fast",
    ):
        assert text in result.output, text


def test_a_wrong_result_is_an_error(small: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "MAX_RELATIVE_ERROR", -1.0)
    result = CliRunner().invoke(demo.demo, ["--rounds", "2"])
    assert result.exit_code == 1
    assert "✗ ffn" in result.output


def test_the_innermost_loop_is_found() -> None:
    text = "f:\n\t.cfi_startproc\n\tmovq %rdi, %rax\n.LBB0_1:\n\tincq %rax\n.LBB0_2:\n\tincq %rdx\n"
    text += "\tjl\t.LBB0_2\n\tcmpq $1, %rax\n\tjne\t.LBB0_1\n\tretq\n"
    lines = [line.split() for line in demo.innermost_loop(text)]
    assert lines == [[".LBB0_2:"], ["incq", "%rdx"], ["jl", ".LBB0_2"]]
