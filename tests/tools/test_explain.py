"""tw explain: the table of a kernel's points, and errors."""

from __future__ import annotations

from pathlib import Path

import onnx
import pytest

from tilewright.testing.models import ffn_model
from tilewright.tools.cli import main


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = tmp_path / "m.onnx"
    onnx.save(ffn_model(m=17, k=64, n=80), path)
    return str(path)


def test_the_chosen_point_comes_first_and_others_differ_from_it(
    model: str, capsys: pytest.CaptureFixture[str]
) -> None:
    args = ["explain", model, "--kernel", "matmul", "--target", "neoverse-n1", "--others", "2"]
    assert main(args) == 0
    out = capsys.readouterr().out
    assert "@matmul" in out
    assert "instructions" in out
    rows = [line.split() for line in out.splitlines() if "chosen" in line or "tile" in line]
    assert any("chosen" in row for row in rows)
    assert "chosen: tile " in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--kernel", "conv"], "no such kernel"),
        (["--kernel", "matmul", "--target", "cuda"], "the cost model is for CPUs"),
    ],
)
def test_errors_name_what_is_possible(
    model: str, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", model, *options]) != 0
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("command", [["tune"], ["explain", "--kernel", "matmul"]])
@pytest.mark.parametrize(
    "option",
    [["--plan", "r.jsonl"], ["--state", "x=y"], ["--capacity", "n=4"], ["--unchecked-indices"]],
)
def test_options_without_an_effect_are_refused(
    command: list[str], option: list[str], model: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name, *rest = command
    assert main([name, model, *rest, *option]) == 2
    assert f"{option[0]} has no effect here" in capsys.readouterr().err
