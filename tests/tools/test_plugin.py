"""External passes and dialects in files (tests/tools/plugins), through tw-opt --load."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from xdsl.parser import Parser

from tilewright.analysis.verify import check_level
from tilewright.interp import packed, te
from tilewright.support.registry import new_context
from tilewright.targets.cpu.backend import CPU
from tilewright.tools.opt.main import main

PLUGINS = Path(__file__).parent / "plugins"

PROGRAM = """
func.func @main(%x: tensor<3x5xf32>) -> (tensor<3x5xf32>) {
  %y = double.double %x : tensor<3x5xf32> -> tensor<3x5xf32>
  %z = double.double %y : tensor<3x5xf32> -> tensor<3x5xf32>
  func.return %z : tensor<3x5xf32>
}
"""


@pytest.fixture
def opt(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Return a function that runs tw-opt on PROGRAM with plugins and passes, for its output."""

    def run(plugins: list[str], passes: str, *more: str) -> str:
        path = tmp_path / "program.mlir"
        path.write_text(PROGRAM)
        loads = [word for name in plugins for word in ("--load", str(PLUGINS / f"{name}.py"))]
        code = main([str(path), *loads, "-p", passes, *more])
        shown = capsys.readouterr()
        assert code == 0, shown.err
        return shown.out

    return run


def after_graph() -> str:
    """Return the compiler's own passes below the graph level."""
    names = [
        name
        for stage in CPU.stages
        if stage.name not in ("optimize-graph", "lower-graph")
        for name in stage.passes
    ]
    return ",".join(names)


def test_a_pass_from_a_file_counts_ops(opt) -> None:
    text = opt(["count_pass", "double_dialect"], "count-ops")
    assert "double.double = 2 : i64" in text
    assert "func.func = 1 : i64" in text


def test_passes_of_two_files_run_in_the_order_asked_for(opt) -> None:
    text = opt(["count_pass", "double_dialect"], "double-to-te,count-ops")
    assert "te.compute = 2 : i64" in text
    assert "double.double" not in text


def test_an_op_from_a_file_becomes_te(opt) -> None:
    module = Parser(new_context(), opt(["double_dialect"], "double-to-te")).parse_module()
    check_level(module, "te", CPU.levels["te"])
    x = np.arange(15, dtype=np.float32).reshape(3, 5)
    np.testing.assert_array_equal(te.run(module, x)[0], 4 * x)


def test_the_compilers_passes_take_it_from_there(opt) -> None:
    text = opt(["double_dialect"], f"double-to-te,{after_graph()}", "--for", "llvm -mcpu=x86-64-v3")
    module = Parser(new_context(), text).parse_module()
    check_level(module, "packed", CPU.levels["packed"])
    assert text.count("packed.call") == 1  # the two are fused
    x = np.arange(15, dtype=np.float32).reshape(3, 5)
    np.testing.assert_array_equal(packed.run(module, x)[0], 4 * x)


def test_without_the_file_the_dialect_is_unknown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "program.mlir"
    path.write_text(PROGRAM)
    assert main([str(path)]) == 1
    assert "double.double" in capsys.readouterr().err


def test_a_backend_from_a_file_has_targets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "program.mlir"
    path.write_text(
        "func.func @main(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {\n"
        "  %y = graph.neg %x : tensor<3x5xf32>\n"
        "  func.return %y : tensor<3x5xf32>\n}\n"
    )
    command = [str(path), "--to", "te", "--for", "simulator", "--print-pipeline"]
    assert main(command) == 1
    assert "simulator" in capsys.readouterr().err
    assert main([*command, "--load", str(PLUGINS.parent / "simulator.py")]) == 0
    assert "graph-to-te" in capsys.readouterr().out
    assert main([*command[:-1], "--load", str(PLUGINS.parent / "simulator.py")]) == 0
    assert "te.compute @neg" in capsys.readouterr().out
    passes = ["-p", "te-bufferize,te-deduplicate,cpu-plan"]
    load = ["--load", str(PLUGINS.parent / "simulator.py")]
    assert main([*command[:-1], *load, *passes]) == 0
    assert "sched.script" in capsys.readouterr().out
