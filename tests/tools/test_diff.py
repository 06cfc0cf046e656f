"""`tw diff`, and the options of tw-opt that write other forms or print changed lines."""

from __future__ import annotations

from pathlib import Path

import onnx
import pytest

from tilewright.testing import models
from tilewright.tools.cli import main
from tilewright.tools.opt.main import main as opt

DENSE = """
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = graph.tanh %x : tensor<4x8xf32>
  func.return %y : tensor<4x8xf32>
}
"""


def test_programs_in_all_forms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dense, exp = tmp_path / "dense.mlir", tmp_path / "exp.mlir"
    dense.write_text(DENSE)
    exp.write_text(DENSE.replace("tanh", "exp"))
    for suffix in (".json", ".mlirbc"):
        made = str(tmp_path / f"te{suffix}")
        assert opt([str(dense), "--to", "te", "-o", made]) == 0
        assert opt([made, "--to", "te", "-o", str(tmp_path / "again.mlir")]) == 0
        assert main(["diff", made, str(tmp_path / "again.mlir")]) == 0
    assert "the programs are equal" in capsys.readouterr().out
    assert main(["diff", str(dense), str(exp)]) == 1
    assert "0: graph.tanh: name of the op\n    before: graph.tanh" in capsys.readouterr().out
    made = str(tmp_path / "two.json")
    assert opt([str(dense), "--split-input-file", "-o", made]) == 1
    assert "holds one module" in capsys.readouterr().err


def test_models(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, k in (("a", 3), ("b", 3), ("c", 5)):
        onnx.save(models.ffn_model(m=2, k=k, n=4), tmp_path / f"{name}.onnx")
    assert main(["diff", *(str(tmp_path / f"{name}.onnx") for name in "ab")]) == 0
    capsys.readouterr()
    assert main(["diff", *(str(tmp_path / f"{name}.onnx") for name in "ac")]) == 1
    assert "tensor<2x3xf32>" in capsys.readouterr().out


def test_weights_of_texts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, weights = tmp_path / "ffn.onnx", str(tmp_path / "ffn.safetensors")
    onnx.save(models.ffn_model(m=2, k=9, n=11), model)
    text, binary = str(tmp_path / "te.mlir"), str(tmp_path / "te.mlirbc")
    assert opt([str(model), "--to", "te", "-o", text, "--save-weights", weights]) == 0
    assert opt([str(model), "--to", "te", "-o", binary]) == 0
    assert main(["diff", text, binary, "--weights", weights]) == 0
    assert "the programs are equal" in capsys.readouterr().out


def test_only_changed_lines_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dense = tmp_path / "dense.mlir"
    dense.write_text(DENSE)
    assert opt([str(dense), "-p", "graph-to-te,te-outline", "--print-diff"]) == 0
    printed = capsys.readouterr().err.splitlines()
    assert "+++ after graph-to-te" in printed
    assert "-  %y = graph.tanh %x : tensor<4x8xf32>" in [line[:1] + line[3:] for line in printed]
    assert " builtin.module {" in printed
    passes = ["--print-diff", "--print-after", "te-outline"]
    assert opt([str(dense), "-p", "graph-to-te,te-outline", *passes]) == 0
    printed = capsys.readouterr().err
    assert "+++ after te-outline" in printed
    assert "graph.tanh" not in printed
