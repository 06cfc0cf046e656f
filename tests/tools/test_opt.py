"""tw-opt: behaviour that the RUN lines of tests/filecheck/tools cannot test."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

import tilewright
from tilewright.dialects.graph import BroadcastOp
from tilewright.passes.graph.dce import Dce
from tilewright.support.diagnostics import TilewrightError
from tilewright.testing import models
from tilewright.tools.opt.main import main

WRONG = "func.func @f(%a: i32) -> i64 {\n  func.return %a : i32\n}\n"


@pytest.fixture
def wrong(tmp_path: Path) -> str:
    path = tmp_path / "wrong.mlir"
    path.write_text(WRONG)
    return str(path)


def test_debug_shows_the_exception(wrong: str) -> None:
    with pytest.raises(VerifyException):
        main([wrong, "--debug"])


def test_disabling_verification_does_not_outlive_the_run(wrong: str) -> None:
    before = Attribute.__post_init__
    assert main([wrong, "--disable-verify"]) == 0
    assert Attribute.__post_init__ is before
    assert main([wrong]) == 1


def test_wrong_usage_exits_with_2() -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--no-such-option"])
    assert stop.value.code == 2


def test_a_plugin_may_not_redefine_a_pass_or_a_dialect(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plugin = tmp_path / "again.py"
    plugin.write_text(
        "from xdsl.transforms.dead_code_elimination import *\nPASSES = [DeadCodeElimination]"
    )
    assert main(["--load", str(plugin)]) == 1
    plugin.write_text("from xdsl.dialects.func import Func\nDIALECTS = [Func]")
    assert main(["--load", str(plugin)]) == 1
    plugin.write_text("x = 1")
    assert main(["--load", str(plugin)]) == 1
    errors = capsys.readouterr().err
    assert "pass defined twice\n    got: dce" in errors
    assert "dialect defined twice\n    got: func" in errors
    assert "the plugin adds nothing" in errors


def test_help_imports_neither_a_dialect_of_ours_nor_onnx_nor_llvmlite() -> None:
    code = (
        "import sys\nfrom tilewright.tools.opt.main import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'onnx', 'llvmlite', 'numpy', 'tilewright.dialects'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


def test_a_failed_run_leaves_the_output_file_as_it_was(wrong: str, tmp_path: Path) -> None:
    output = tmp_path / "out.mlir"
    assert main([wrong, "-o", str(output)]) == 1
    assert not output.exists()
    output.write_text("before")
    assert main([wrong, "-o", str(output)]) == 1
    assert output.read_text() == "before"
    assert main([wrong, "--disable-verify", "-o", wrong]) == 0
    assert "func.func @f" in Path(wrong).read_text()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["none.mlir"], "none.mlir: cannot read the input\n    got: No such file or directory"),
        (["a.mlir", "-o", "none/b.mlir"], "none/b.mlir: cannot write the output"),
        (["a.mlir", "-o", "."], ".: cannot write the output\n    got: '.' is a folder."),
        (["a"], "    hint: -f says what the file holds"),
    ],
)
def test_files_that_cannot_be_read_or_written_are_named(
    arguments: list[str],
    error: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.mlir", "a"):
        (tmp_path / name).write_text("")
    assert main(arguments) == 1
    shown = capsys.readouterr()
    assert error in shown.err
    assert not shown.out


def test_a_broken_plugin_and_binary_input_are_user_errors(
    wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plugin = tmp_path / "broken.py"
    for text, error in (("def (", "SyntaxError"), ("1 / 0", "ZeroDivisionError: division")):
        plugin.write_text(text)
        assert main([wrong, "--load", str(plugin)]) == 1
        shown = capsys.readouterr().err
        assert f"{plugin}: cannot load the plugin\n    got: {error}" in shown
    binary = tmp_path / "binary.mlir"
    binary.write_bytes(b"\xff\xfe\0")
    assert main([str(binary)]) == 1
    assert "the input is not text" in capsys.readouterr().err


@pytest.mark.parametrize("args", [[], ["-"]])
def test_a_model_is_read_from_standard_input(
    args: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = BytesIO(models.ffn_model(m=2, k=3, n=4).SerializeToString())
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(data))
    assert main([*args, "-f", "onnx"]) == 0
    assert "graph.matmul" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (["-t", "llvm"], "error: -t llvm: this program has no text for the target\n"),
        (["-p", "te-bufferize"], "error: {}: te-bufferize: the pass fails on this program\n"),
    ],
)
def test_a_program_that_a_step_is_not_made_for_is_one_error(
    args: list[str], text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "graph.mlir"
    path.write_text(
        "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
        "  %y = graph.tanh %x : tensor<4xf32>\n  func.return %y : tensor<4xf32>\n}\n"
    )
    assert main([str(path), *args]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith(text.format(path))
    assert "Traceback" not in shown.err
    assert len(shown.err.splitlines()) == 3
    with pytest.raises(TilewrightError):
        main([str(path), *args, "--debug"])


NEGATED_TWICE = (
    "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %y = graph.neg %x : tensor<4xf32>\n  %z = graph.neg %y : tensor<4xf32>\n"
    "  func.return %z : tensor<4xf32>\n}\n"
)


def test_a_pipeline_may_stand_in_a_module(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "graph.mlir"
    path.write_text(NEGATED_TWICE)
    for pipeline in ("graph-cse,graph-dce", "builtin.module(graph-cse,graph-dce)"):
        assert main([str(path), "-p", pipeline, "--print-pipeline"]) == 0
        assert capsys.readouterr().out == "graph-cse,graph-dce\n"


def test_what_is_printed_between_passes_can_be_read_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "graph.mlir"
    path.write_text(NEGATED_TWICE)
    assert main([str(path), "-p", "graph-cse", "--print-between-passes"]) == 0
    shown = capsys.readouterr()
    path.write_text(shown.err)
    assert main([str(path)]) == 0
    assert capsys.readouterr().out == shown.out


def test_passes_are_listed_with_what_they_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list-passes"]) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = dict(line.split(maxsplit=1) for line in lines if line.startswith("graph-"))
    assert rows["graph-dce"].endswith(".")


def test_the_version_is_ours_and_that_of_xdsl(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out.startswith(f"tw-opt {tilewright.__version__} (xdsl ")


def test_a_pass_of_the_pipeline_does_not_change_types(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def widen(_pass: Dce, _ctx: Context, module: ModuleOp) -> None:
        (function,) = (op for op in module.ops if isinstance(op, FuncOp))
        last = function.body.block.last_op
        assert last is not None
        made = BroadcastOp(last.operands[0], (6, 3), (1,))
        function.body.block.insert_op_before(made, last)
        last.operands[0] = made.results[0]
        function.update_function_type()

    program = tmp_path / "program.mlir"
    program.write_text(
        "func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {\n"
        "  func.return %x : tensor<3xf32>\n}\n"
    )
    monkeypatch.setattr(Dce, "apply", widen)
    assert main([str(program), "-p", "graph-dce"]) == 0
    assert main([str(program), "--to", "graph"]) == 1
    assert "graph-dce: the pass changes the types of @main" in capsys.readouterr().err


def test_an_error_of_a_pass_has_the_place_of_its_op(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "program.mlir"
    program.write_text(
        "te.kernel @k(%X: memref<8xf32>, %Y: memref<8xf32>) {\n"
        "  te.compute @double [i: 8] ins(%X[i] : memref<8xf32>) outs(%Y[i] : memref<8xf32>)\n"
        "      body(%a: f32) {\n    te.yield %a : f32\n  }\n"
        "  te.return\n"
        "}\n"
        "sched.script @k {\n"
        "  %c = sched.match {name = double}\n"
        "  %d = sched.match {name = triple}\n"
        "}\n"
    )
    assert main([str(program), "-p", "te-apply-schedule"]) == 1
    assert capsys.readouterr().err.startswith(f"error: {program}:10:3: ")


@pytest.mark.parametrize("name", ["packed-group-calls", "loop-split-phases", "cpu-plan"])
def test_a_pass_that_needs_a_target_has_no_default(name, tmp_path, capsys) -> None:
    path = tmp_path / "empty.mlir"
    path.write_text("builtin.module {}")
    assert main([str(path), "-p", name]) == 1
    shown = capsys.readouterr().err
    assert "the pass needs a target" in shown
    assert name in shown
    assert "tw-opt --for TARGET" in shown
    assert main([str(path), "-p", name, "--for", "llvm -mcpu=x86-64-v3"]) == 0
    target = f'{name}{{target="llvm -mcpu=x86-64-v3"}}'
    assert main([str(path), "-p", target, "--print-pipeline"]) == 0
    assert "llvm -mcpu=x86-64-v3 -l1-kib=32" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("option", "meant"),
    [
        ("--graph-cse", "did you mean -p graph-cse?"),
        ("--graph-cze", "-p graph-cse"),
        ("--print-after-all", "did you mean --print-after all?"),
        ("--mlir-print-ir-after-all", "did you mean --print-after all?"),
        ("--pass-pipeline=cse", "did you mean -p PASS,PASS?"),
        ("--print-befor", "--print-after"),
        ("--xyzzy", "--help lists the options"),
    ],
)
def test_an_unknown_option_is_answered_in_one_line(
    option: str, meant: str, wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main([wrong, option])
    assert stop.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"unknown option '{option}'" in line
    assert meant in line


def test_the_help_lists_no_passes(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    text = capsys.readouterr().out
    assert "graph-cse" not in text
    assert "--list-passes" in text
    assert len(text.splitlines()) < 80


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        (
            "graph.neg %x",
            "graph.negg %x",
            "2:",
            "negg is not registered; did you mean graph.neg",
        ),
        ("graph.neg %x", "graph.relu %x", "2:", "did you mean graph.max, with a constant 0?"),
        (
            "graph.neg %x",
            "grph.neg %x",
            "2:",
            "not registered; did you mean the dialect graph?",
        ),
        ("return %z", "return %w", "4:15", "value %w is used but not defined"),
        ("graph.neg %y", "graph.neg %w", "3:18", "value %w is used but not defined"),
    ],
)
def test_a_wrong_name_in_a_text_is_shown_where_it_is(
    old: str, new: str, place: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "wrong.mlir"
    path.write_text(NEGATED_TWICE.replace(old, new))
    assert main([str(path)]) == 1
    shown = capsys.readouterr().err
    assert shown.startswith(f"error: {path}:{place}")
    assert message in shown


def test_a_pass_for_another_level_says_that_it_does_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "graph.mlir"
    path.write_text(NEGATED_TWICE)
    assert main([str(path), "-p", "te-to-loop"]) == 0
    assert "warning: te-to-loop changes nothing: the program has no op of te" in (
        capsys.readouterr().err
    )
    for passes in ("graph-dce", "graph-to-te,te-fuse-elementwise", "dce"):
        assert main([str(path), "-p", passes]) == 0
        assert not capsys.readouterr().err


def test_a_pipeline_names_its_target_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "graph.mlir"
    path.write_text(NEGATED_TWICE)
    assert main([str(path), "--to", "te", "--for", "x86-64-v3", "--print-pipeline"]) == 0
    shown = capsys.readouterr()
    assert "target" not in shown.out
    assert shown.err.startswith("with --for 'llvm -mcpu=x86-64-v3")
    target = shlex.split(shown.err)[-1]
    assert main([str(path), "--to", "te", "--for", "x86-64-v3"]) == 0
    expected = capsys.readouterr().out
    assert main([str(path), "-p", shown.out.strip(), "--for", target]) == 0
    # --to records the names of arguments and results before the passes.
    names = re.compile(r"tw\.(arg|result)_names = \[[^]]*\], ")
    assert capsys.readouterr().out == names.sub("", expected)
