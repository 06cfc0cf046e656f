"""tw: the commands on small models with the real compiler; help, completion and exit codes."""

from __future__ import annotations

import json
import logging
import os
import pty
import re
import select
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click
import numpy as np
import onnx
import onnx.parser
import pytest
from click.shell_completion import BashComplete
from onnx import TensorProto, helper

import tilewright
from tilewright.driver.progress import StageProgress
from tilewright.runtime.errors import KernelError
from tilewright.support.config import read_config
from tilewright.support.diagnostics import LoweringError
from tilewright.targets.cpu.backend import CPU
from tilewright.testing import models
from tilewright.tools import failures
from tilewright.tools.cli import COMMANDS, main, tw
from tilewright.tools.commands.bench import onnxruntime_call
from tilewright.tools.compilation import step_text

from ..driver.export.exported import weights_of

RUN_MAIN = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from tilewright.tools.cli import main
sys.exit(main(sys.argv[1:]))
"""


def save(folder: Path, name: str, op: str, inputs: dict[str, tuple], **options: int) -> str:
    """Write a model of one node and return its path."""
    values = [helper.make_tensor_value_info(n, d, s) for n, (d, s) in inputs.items()]
    result = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph([helper.make_node(op, [*inputs], ["y"])], name, values, [result])
    ir_version = options.get("ir_version", 10)
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=ir_version
    )
    path = folder / f"{name}.onnx"
    onnx.save(model, path)
    return str(path)


@pytest.fixture
def add(tmp_path: Path) -> str:
    f32 = TensorProto.FLOAT
    return save(tmp_path, "add", "Add", {"a": (f32, ["b", "s"]), "c": (f32, ["s"])})


@pytest.fixture
def reshape(tmp_path: Path) -> str:
    inputs = {"x": (TensorProto.FLOAT, ["n", 6]), "shape": (TensorProto.INT64, [2])}
    return save(tmp_path, "reshape", "Reshape", inputs)


@pytest.fixture
def ffn(tmp_path: Path) -> str:
    path = tmp_path / "ffn.onnx"
    onnx.save(models.ffn_model(m=4, k=8, n=8), path)
    return str(path)


def write(folder: Path, name: str, array: np.ndarray) -> str:
    np.save(folder / f"{name}.npy", array)
    return f"{name}={folder / name}.npy"


def test_sizes_come_from_the_files(add: str, tmp_path: Path) -> None:
    a, c = np.arange(6, dtype=np.float32).reshape(2, 3), np.ones(3, np.float32)
    files = ["--input", write(tmp_path, "a", a), "--input", write(tmp_path, "c", c)]
    assert main(["run", add, *files, "-o", str(tmp_path / "y.npz")]) == 0
    np.testing.assert_array_equal(np.load(tmp_path / "y.npz")["y"], a + c)


def test_a_file_for_one_input_binds_the_sizes_of_the_others(
    add: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a = np.zeros((2, 3), np.float32)
    assert main(["run", add, "--input", write(tmp_path, "a", a)]) == 0
    assert "float32[3]" in capsys.readouterr().out


def test_values_that_decide_shapes_come_from_files_or_options(
    reshape: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    x = np.arange(12, dtype=np.float32).reshape(2, 6)
    files, output = ["--input", write(tmp_path, "x", x)], str(tmp_path / "y.npz")
    shape = write(tmp_path, "shape", np.array([3, 4]))
    assert main(["run", reshape, *files, "--input", shape, "-o", output]) == 0
    np.testing.assert_array_equal(np.load(output)["y"], x.reshape(3, 4))
    assert main(["run", reshape, *files, "--values", "shape=4,-1", "-o", output]) == 0
    np.testing.assert_array_equal(np.load(output)["y"], x.reshape(4, 3))
    capsys.readouterr()
    assert main(["run", reshape, *files]) == 1
    assert "--values shape=1,2" in capsys.readouterr().err


def test_open_sizes_are_asked_for(add: str, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("run", "bench"):
        assert main([command, add]) == 1
        shown = capsys.readouterr()
        assert shown.out == ""
        assert shown.err.startswith("error: input 'a' has a size that is not a number\n")
        assert "--shapes a=1x1" in shown.err


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("shape", "malformed argument"),
        ("shape=1,x", "malformed values"),
        ("what=1", "values= names an unknown input"),
        ("shape=1,2,3", "values= contradicts"),
    ],
)
def test_wrong_values_are_explained(
    reshape: str, capsys: pytest.CaptureFixture[str], text: str, error: str
) -> None:
    assert main(["run", reshape, "--values", text]) == 1
    assert error in capsys.readouterr().err


def test_one_value_fits_an_input_of_one_element(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    inputs = {"x": (TensorProto.FLOAT, [2, 3]), "axis": (TensorProto.INT64, [1])}
    path = save(tmp_path, "sum", "ReduceSum", inputs)
    assert main(["run", path, "--values", "axis=0"]) == 0
    assert "float32[1, 3]" in capsys.readouterr().out


def test_onnxruntime_gets_a_copy_of_a_model_that_is_too_new(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pytest.importorskip("onnxruntime")
    inputs = {"x": (TensorProto.FLOAT, [2]), "z": (TensorProto.FLOAT, ["n"])}
    path = save(tmp_path, "new", "Add", inputs, ir_version=99)
    arrays = {"x": np.float32([1, 2]), "z": np.float32([3, 5])}
    np.testing.assert_array_equal(onnxruntime_call(Path(path), arrays, threads=1)(), [[4, 7]])
    assert "a copy of the model with IR version" in caplog.text


@pytest.mark.parametrize("level", CPU.text_kinds)
def test_compile_prints_what_the_module_shows(
    level: str, ffn: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = "llvm -mcpu=x86-64-v3"
    assert main(["compile", ffn, "--to", level, "--target", target]) == 0
    shown = capsys.readouterr().out
    mod = tilewright.compile(ffn, target=target)
    assert shown == mod.get_source(level) + "\n"
    output = tmp_path / "out"
    assert main(["compile", ffn, "--to", level, "--target", target, "-o", str(output)]) == 0
    assert output.read_text() == mod.get_source(level)


def test_compile_prints_one_kernel(ffn: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", ffn, "--to", "asm", "--kernel", "matmul"]) == 0
    shown = capsys.readouterr().out
    assert shown == tilewright.compile(ffn).get_source("asm", kernel="matmul") + "\n"


def test_a_level_above_a_failure_can_be_printed(
    ffn: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise LoweringError("nothing is emitted")

    monkeypatch.setattr("tilewright.targets.cpu.emit.program.emit_kernel", fail)
    assert main(["compile", ffn, "--to", "packed"]) == 0
    assert main(["compile", ffn, "--to", "ll"]) == 1
    assert "kernel 'matmul': nothing is emitted" in capsys.readouterr().err


def test_inspect_as_tables_and_json(ffn: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", ffn, "--kernels"]) == 0
    shown = capsys.readouterr().out
    for text in (
        "opsets: ai.onnx",
        "float32[4, 8]",
        "MatMul",
        "load",
        "arena",
        "parameters: 72",
    ):
        assert text in shown
    assert main(["inspect", ffn, "--kernels", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["is_supported"]
    form = {"is_list": False, "is_optional": False}
    assert report["inputs"] == [{"name": "x", "dtype": "float32", "shape": [4, 8], **form}]
    compiled = report["compiled"]
    assert compiled["flops"] == sum(k["flops"] * k["calls"] for k in compiled["kernels"]) > 0
    assert min(compiled["weights_bytes"], compiled["code_bytes"]) > 0
    assert "load" in compiled["stage_s"]


def test_inspect_names_what_is_not_supported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = save(tmp_path, "odd", "NoSuchOperator", {"x": (TensorProto.FLOAT, [2])})
    assert main(["inspect", path]) == 1
    assert "not supported: 'NoSuchOperator_0'" in capsys.readouterr().out
    assert main(["inspect", path, "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["operators"][0]["kind"] == "none"
    assert not report["is_supported"]


def test_cache_info_and_clear(
    ffn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "cache"
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(folder))
    monkeypatch.setenv("TILEWRIGHT_CACHE_BYTES", "50M")
    assert main(["run", ffn, "--no-cache"]) == 0
    assert not folder.exists()
    assert main(["run", ffn]) == 0
    capsys.readouterr()
    assert main(["cache", "info", "--json"]) == 0
    state = json.loads(capsys.readouterr().out)
    assert state["folder"] == str(folder)
    assert state["entries"] == len(list(folder.rglob("*.*"))) > 0
    assert state["limit_bytes"] == 50 << 20
    assert main(["cache", "clear", "--older-than", "1h"]) == 0
    assert main(["cache", "info"]) == 0
    shown = capsys.readouterr().out
    assert "deleted 0 entries" in shown
    assert f"entries: {state['entries']}" in shown
    assert main(["cache", "clear"]) == 0
    assert not list(folder.rglob("*.bin"))
    assert main(["cache", "clear", "--older-than", "soon"]) == 1
    assert "--older-than: malformed length of time" in capsys.readouterr().err


def test_cache_info_refuses_a_folder_that_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", "/proc/none")
    assert main(["cache", "info"]) == 1
    shown = capsys.readouterr()
    assert "entries: 0" in shown.out
    assert "error: /proc/none: cannot write to the cache" in shown.err


def test_doctor_finds_this_installation_sound(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    shown = capsys.readouterr().out
    assert "problem" not in shown
    assert main(["doctor", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["ok"]
    found = {(check["section"], check["name"]): check["result"] for check in report["checks"]}
    assert found["versions", "tilewright"] == tilewright.__version__
    assert found["versions", "numpy"] == np.__version__
    assert {"CPU", "features", "caches", "cores", "target"} <= {
        n for s, n in found if s == "machine"
    }
    assert ("optional", "torch") in found
    assert "missing" not in shown
    assert str(read_config().cache_dir) in found["cache", "folder"]


def test_doctor_sees_wrong_results_and_a_folder_it_cannot_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr("tilewright.tools.commands.doctor._computed", lambda x, w: x @ w)
    assert main(["doctor", "--json"]) == 1
    checks = json.loads(capsys.readouterr().out)["checks"]
    assert [check["section"] for check in checks if not check["ok"]] == ["cache", "self-check"]


def command_paths() -> list[list[str]]:
    return [[], *([name] for name in COMMANDS), ["cache", "info"], ["cache", "clear"]]


@pytest.mark.parametrize("path", command_paths(), ids=" ".join)
def test_help_fits_on_one_screen(path: Sequence[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*path, "--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80


def test_every_command_is_found_by_its_name() -> None:
    ctx = click.Context(tw)
    for name in COMMANDS:
        command = tw.get_command(ctx, name)
        assert command is not None
        assert command.name == name


def test_help_imports_neither_numpy_nor_onnx() -> None:
    code = (
        "import sys\nfrom tilewright.tools.cli import main\nmain(['--help'])\n"
        "heavy = {'onnx', 'llvmlite', 'numpy', 'rich'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


@pytest.mark.parametrize(
    ("args", "incomplete", "values"),
    [
        ([], "ins", ["inspect"]),
        (["compile", "m.onnx", "--to"], "sc", ["sched", "scheduled"]),
        (["run", "--target"], "znver", ["znver1", "znver2", "znver3", "znver4", "znver5"]),
        (["cache"], "c", ["clear"]),
        (["completion"], "z", ["zsh"]),
    ],
)
def test_completion(args: list[str], incomplete: str, values: list[str]) -> None:
    items = BashComplete(tw, {}, "tw", "_TW_COMPLETE").get_completions(args, incomplete)
    assert [item.value for item in items] == values


def test_models_are_completed_as_files() -> None:
    (item,) = BashComplete(tw, {}, "tw", "_TW_COMPLETE").get_completions(["run"], "mod")
    assert item.type == "file"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_call_this_tool(
    shell: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["completion", shell]) == 0
    assert f"_TW_COMPLETE={shell}_complete" in capsys.readouterr().out
    words = {"COMP_WORDS": "tw ins", "COMP_CWORD": "ins" if shell == "fish" else "1"}
    for key, value in {**words, "_TW_COMPLETE": f"{shell}_complete"}.items():
        monkeypatch.setenv(key, value)
    with pytest.raises(SystemExit) as stop:
        main([])
    assert stop.value.code == 0
    assert "inspect" in capsys.readouterr().out


def test_a_processor_is_a_target_in_short(ffn: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", ffn, "--kernels", "--json", "--target", "x86-64-v2"]) == 0
    assert "-mcpu=x86-64-v2" in json.loads(capsys.readouterr().out)["compiled"]["target"]
    assert main(["run", ffn, "--target", "z80"]) == 1
    assert "target" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (KernelError("index 7 is outside 0..3"), "error: index 7 is outside 0..3\n"),
        (MemoryError(), "error: MemoryError\n"),
        (KeyError("k"), "error: internal error\n    got: KeyError: 'k'\n"),
    ],
)
def test_no_error_has_a_traceback(
    error: Exception, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> int:
        raise error

    assert failures.run_tool(fail, debug=False) == 1
    shown = capsys.readouterr().err
    assert shown.startswith(text)
    assert "Traceback" not in shown
    with pytest.raises(type(error)):
        failures.run_tool(fail, debug=True)


def test_an_interrupt_has_a_code_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt() -> int:
        raise KeyboardInterrupt

    assert failures.run_tool(interrupt, debug=True) == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_a_reader_that_has_enough_is_no_error(ffn: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", RUN_MAIN, "compile", ffn, "--to", "loop"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 1


def test_verbosity_is_that_of_options_or_environment(
    ffn: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    compile_te = ["compile", ffn, "--to", "te"]
    assert main(compile_te) == 0
    assert capsys.readouterr().err == ""
    for arguments in (["-v", *compile_te], [*compile_te, "-v"]):
        assert main(arguments) == 0
        shown = capsys.readouterr().err
        assert re.search(r"^I tilewright.driver: lower-graph: [\d.]+ s$", shown, re.MULTILINE)
        assert "pass" not in shown
    monkeypatch.setenv("TILEWRIGHT_LOG", "debug")
    assert main(compile_te) == 0
    assert "D tilewright.driver: lower-graph: pass graph-to-te" in capsys.readouterr().err
    assert logging.getLogger("tilewright").level == logging.DEBUG
    monkeypatch.setenv("TILEWRIGHT_LOG", "loud")
    assert main(compile_te) == 1
    assert "unknown log level" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (StageProgress("import"), "import"),
        (StageProgress("schedule", 0, 7), "schedule, 7 kernels"),
        (StageProgress("make-objects", 3, 7), "make-objects, 3 of 7 kernels"),
        (StageProgress("make-objects", 8, 7), "make-objects, 7 of 7 kernels"),
    ],
)
def test_progress_in_words(step: StageProgress, text: str) -> None:
    assert step_text(step) == text


@pytest.mark.slow
def test_progress_is_shown_on_a_terminal(ffn: str) -> None:
    terminal, stderr = pty.openpty()
    environment = {**os.environ, "TERM": "xterm"}
    process = subprocess.Popen(
        [sys.executable, "-c", RUN_MAIN, "run", ffn],
        stdout=subprocess.PIPE,
        stderr=stderr,
        env=environment,
    )
    os.close(stderr)
    shown = b""
    # When the process ends, it closes its side, and reading fails.
    while select.select([terminal], [], [], 60)[0]:
        try:
            shown += os.read(terminal, 4096)
        except OSError:
            break
    os.close(terminal)
    out, _ = process.communicate()
    assert process.returncode == 0
    assert b"compiling ffn.onnx" in shown
    assert b"compiling" not in out


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["optimize-graph", "emit"])
def test_an_interrupt_ends_a_compilation_at_once(stage: str, tmp_path: Path) -> None:
    path, folder = tmp_path / "net.onnx", tmp_path / "cache"
    onnx.save(models.encoder_model(layers=1, hidden=96, heads=3, ffn=200, seq=24), path)
    process = subprocess.Popen(
        [sys.executable, "-c", RUN_MAIN, "-v", "run", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TILEWRIGHT_CACHE_DIR": str(folder)},
    )
    assert process.stderr is not None
    before = next(line for line in process.stderr if f"{stage}:" in line)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130, before + err
    assert out == ""
    assert err.endswith("interrupted\n")
    assert "Traceback" not in err
    assert "link:" not in err
    assert not list(folder.glob(".writing-*"))


def test_an_unknown_command_is_answered_with_the_nearest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["bnch"]) == 2
    assert "Did you mean bench?" in capsys.readouterr().err


def test_completion_help_keeps_its_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "--help"]) == 0
    lines = capsys.readouterr().out.partition("Examples:")[0].splitlines()
    assert [line.split()[0] for line in lines if "tw completion" in line][1:] == [
        "bash:", "zsh:", "fish:",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "error"),
    [("missing/y.npz", "does not exist"), ("y.txt", "needs the suffix .npz")],
)
def test_an_output_file_is_checked_before_the_model_runs(
    ffn: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, error: str
) -> None:
    assert main(["run", ffn, "-o", str(tmp_path / name)]) == 2
    shown = capsys.readouterr()
    assert error in shown.err
    assert shown.out == ""


def test_tables_fit_a_narrow_terminal(
    ffn: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert main(["run", ffn]) == 0
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["conformance", "--kind", "simple", "--match", "none_such"]) == 0
    shown = capsys.readouterr().out
    assert "supported" in shown
    assert "…" not in shown.partition("kernels")[2]


def test_a_missing_input_file_is_named(ffn: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", ffn, "--input", "none.npy"]) == 1
    assert capsys.readouterr().err.startswith("error: none.npy: cannot read the input\n")


def test_run_prints_json_and_compares_with_expected_outputs(
    ffn: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = str(tmp_path / "y.npz")
    assert main(["run", ffn, "--no-cache", "-o", expected]) == 0
    assert "from the cache" not in capsys.readouterr().out
    assert main(["run", ffn, "--json", "--expect", expected]) == 0
    capsys.readouterr()
    assert main(["run", ffn, "--json", "--expect", expected]) == 0
    fields = json.loads(capsys.readouterr().out)
    assert fields["cached"]
    assert fields["errors"] == dict.fromkeys(np.load(expected), 0.0)
    for name, array in np.load(expected).items():
        values = fields["outputs"][name]["values"]
        assert (values["min"], values["max"]) == (array.min(), array.max())
    assert [k["calls"] for k in fields["kernels"]]
    assert main(["run", ffn, "--seed", "1", "--expect", expected]) == 1
    assert "the output differs" in capsys.readouterr().err
    np.savez(expected, other=np.zeros(3))
    assert main(["run", ffn, "--expect", expected]) == 1
    assert "no such output" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        (["--to", "asm", "-o", "m.so"], "a .so file holds machine code"),
        (["--embed", "-o", "m.s"], "only a library holds weights"),
        (["--to", "te", "-o", "m.s"], "a .s file holds asm"),
        (["--to", "asm", "-o", "m.ll"], "a .ll file holds ll"),
        (["-o", "m.so", "--kernel", "matmul"], "a library holds all kernels"),
    ],
)
def test_compile_refuses_files_that_hold_something_else(
    options: list[str], rule: str, ffn: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compile", ffn, *options]) == 2
    assert rule in capsys.readouterr().err


def test_compile_writes_a_library(ffn: str, tmp_path: Path, capsys) -> None:
    output = tmp_path / "m.so"
    assert main(["compile", ffn, "-o", str(output)]) == 0
    assert output.is_file()
    assert output.read_bytes()[:4] == b"\x7fELF"
    assert f"{output}: {output.stat().st_size} bytes" in capsys.readouterr().err
    weights_of(output).unlink()
    assert main(["compile", ffn, "--embed", "-o", str(output)]) == 0
    assert [path for path in tmp_path.iterdir() if path.suffix == ".safetensors"] == []


def test_compile_writes_a_program(ffn: str, tmp_path: Path, capsys) -> None:
    assert main(["compile", ffn, "-o", str(tmp_path / "m")]) == 0
    assert weights_of(tmp_path / "m").is_file()
    assert os.access(tmp_path / "m", os.X_OK)


@pytest.mark.parametrize("name", ["m.dll", "m.wasm", "m.c"])
def test_compile_lists_the_libraries_that_it_writes(name: str, ffn: str, capsys) -> None:
    assert main(["compile", ffn, "-o", name]) == 2
    assert f"has no {Path(name).suffix} files" in capsys.readouterr().err


def test_compile_chooses_the_level_by_the_file(ffn: str, tmp_path: Path) -> None:
    output = tmp_path / "m.ll"
    assert main(["compile", ffn, "-o", str(output)]) == 0
    assert output.read_text() == tilewright.compile(ffn).get_source("ll")


CACHE = """<ir_version: 9, opset_import: ["": 20]>
cache (float[2, s] x, float[2, past] earlier) => (float[2, all] whole) {
  whole = Concat <axis = 1> (earlier, x)
}"""


@pytest.fixture
def cache(tmp_path: Path) -> str:
    path = tmp_path / "cache.onnx"
    onnx.save(onnx.parser.parse_model(CACHE), path)
    return str(path)


def test_compile_takes_states(
    cache: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["compile", cache, "--state", "earlier=whole", "--capacity", "past=8"]
    mod = tilewright.compile(cache, state={"earlier": "whole"}, capacity={"past": 8})
    assert main([*words, "--to", "graph"]) == 0
    shown = capsys.readouterr().out
    assert "graph.append" in shown
    assert shown == mod.get_source("graph") + "\n"
    assert main([*words, "-o", str(tmp_path / "cache.so")]) == 0
    session = tilewright.load_module(tmp_path / "cache.so").session()
    for row in (1.0, 2.0):
        session(np.full((2, 3), row, np.float32))
    assert session.sizes == {"past": 6}
    np.testing.assert_array_equal(session.state("earlier"), [[1, 1, 1, 2, 2, 2]] * 2)


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        (["--state", "earlier"], "--state: malformed argument"),
        (["--state", "earlier=x"], "'earlier': 'x' is no input and output of the model"),
        (["--state", "earlier=whole", "--capacity", "past=many"], "malformed count"),
        (["--capacity", "past=8"], "capacity= without state="),
    ],
)
def test_states_that_do_not_fit_are_refused(
    options: list[str], rule: str, cache: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compile", cache, "--to", "graph", *options]) == 1
    assert rule in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "words"),
    [("run", ()), ("profile", ("--rounds", "1")), ("bench", ("--rounds", "1", "--no-peers"))],
)
def test_commands_that_run_a_model_take_states(
    command: str,
    words: Sequence[str],
    cache: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    np.savez(tmp_path / "in.npz", x=np.ones((2, 3), "f4"), earlier=np.ones((2, 2), "f4"))
    given = [*words, "--input", str(tmp_path / "in.npz"), "--capacity", "past=8"]
    assert main([command, cache, "--state", "earlier=whole", *given]) == 0
    assert "transpose" in capsys.readouterr().out or command == "bench"  # the rows come first
    assert main([command, cache, *given]) == 1
    assert "capacity= without state=" in capsys.readouterr().err


def test_a_size_gets_a_new_name(cache: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", cache, "--shapes", "s=new", "--to", "graph"]) == 0
    assert 'sizes = ["new_from_0", "past_from_0"]' in capsys.readouterr().out
