"""Files with the IR after each pass, written by `tw compile` and `tw-opt`."""

from __future__ import annotations

from pathlib import Path

import onnx
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.transforms.dead_code_elimination import DeadCodeElimination

from tilewright.support.instruments import PassInfo
from tilewright.support.ir_dump import INDEX, IrDump
from tilewright.testing.models import ffn_model
from tilewright.tools.cli import main as tw
from tilewright.tools.opt.main import main as tw_opt

TEXT = """
func.func public @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.add %a, %b : tensor<4xf32>
  %1 = graph.add %a, %b : tensor<4xf32>
  %2 = graph.mul %0, %1 : tensor<4xf32>
  func.return %2 : tensor<4xf32>
}
"""


def rows_of(folder: Path) -> list[list[str]]:
    """Return the words of the lines of an index, without its title."""
    return [line.split() for line in (folder / INDEX).read_text().splitlines()[1:]]


def test_each_pass_that_changes_the_program_has_a_file(tmp_path: Path) -> None:
    source, folder = tmp_path / "in.mlir", tmp_path / "passes"
    source.write_text(TEXT)
    passes = "graph-dce,graph-cse,graph-dce"
    assert tw_opt(["-p", passes, str(source), "--dump-ir", str(folder), "-o", "-"]) == 0
    assert [row[1:3] for row in rows_of(folder)] == [
        ["input", "000-input.mlir"],
        ["graph-dce", "unchanged"],
        ["graph-cse", "002-graph-cse.mlir"],
        ["graph-dce", "unchanged"],
    ]
    before, after = ((folder / row[2]).read_text() for row in rows_of(folder)[::2])
    assert (before.count("graph.add"), after.count("graph.add")) == (2, 1)


def test_the_files_of_a_compilation_are_those_of_its_levels(tmp_path: Path) -> None:
    model, folder = tmp_path / "ffn.onnx", tmp_path / "passes"
    onnx.save(ffn_model(m=2, k=3, n=4), model)
    options = [str(model), "--target", "x86-64-v3"]
    assert tw(["compile", *options, "--dump-ir", str(folder)]) == 0
    rows = rows_of(folder)
    assert [int(row[0]) for row in rows] == list(range(len(rows)))
    assert {row[2] for row in rows if row[2].endswith(".mlir")} == {
        path.name for path in folder.iterdir() if path.name != INDEX
    }
    last = [row[2] for row in rows if row[2].endswith(".mlir")][-1]
    for level, file in (("packed", last), ("te", None)):
        text = tmp_path / f"{level}.txt"
        assert tw(["compile", *options, "--to", level, "-o", str(text)]) == 0
        if file is not None:
            assert (folder / file).read_text().strip() == text.read_text().strip()
        else:
            texts = [path.read_text().strip() for path in folder.glob("*.mlir")]
            assert text.read_text().strip() in texts


def test_a_later_dump_removes_the_files_of_an_earlier_one_only(tmp_path: Path) -> None:
    (tmp_path / "notes.mlir").write_text("mine")
    first = IrDump(tmp_path)
    first.run_before_pipeline(ModuleOp([]), Context())
    first.run_after_pass(ModuleOp([ModuleOp([])]), PassInfo(DeadCodeElimination()))
    IrDump(tmp_path).run_before_pipeline(ModuleOp([]), Context())
    assert {path.name for path in tmp_path.iterdir()} == {"notes.mlir", "000-input.mlir", INDEX}


def test_a_folder_that_is_a_file_is_one_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "in.mlir"
    source.write_text(TEXT)
    assert tw_opt(["-p", "graph-cse", str(source), "--dump-ir", str(source)]) == 1
    assert "internal" not in capsys.readouterr().err
