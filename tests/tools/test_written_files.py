"""Files that commands read and write, such as ``-``; and their output on narrow terminals."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import numpy as np
import onnx
import onnx.parser
import pytest
from onnx import numpy_helper

from tilewright.tools import cli
from tilewright.tools.opt.main import main as tw_opt

MODEL = """
<ir_version: 9, opset_import: ["": 20]>
m (float[n, 8] x) => (float[n, 4] y) { p = MatMul (x, w) y = Relu (p) }
"""
NEGATION = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.neg %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
"""
X = np.ones((2, 8), np.float32)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder: a model, a program, arrays, and files of other kinds."""
    monkeypatch.chdir(tmp_path)
    model = onnx.parser.parse_model(MODEL)
    weights = np.random.default_rng(0).standard_normal((8, 4)).astype(np.float32)
    model.graph.initializer.append(numpy_helper.from_array(weights, "w"))
    onnx.save(model, "m.onnx")
    Path("m.mlir").write_text(NEGATION)
    Path("text.npz").write_text("text")
    np.save("x.npy", X)
    np.savez("right.npz", x=X)
    np.savez("other.npz", z=X)
    np.savez("rank.npz", x=X[0])
    with zipfile.ZipFile("program.pt2", "w") as archive:
        archive.writestr("program/data/weights/weight_0", b"\0" * 16)
    return tmp_path


def run_tool(words: str) -> int:
    """Return the exit code of a command line."""
    tool, *args = words.split()
    try:
        return cli.main(args) if tool == "tw" else tw_opt(args)
    except SystemExit as stopped:
        return int(str(stopped.code))


REFUSED = [
    "tw run m.onnx --shapes n=2 -o -",
    "tw quantize m.onnx right.npz -o -",
    "tw profile m.onnx --shapes n=2 --trace -",
    "tw compile m.onnx --dump-ir -",
    "tw compile m.onnx --dump-schedules -",
    "tw reduce m.onnx -o -",
    "tw fuzz --out -",
    "tw conformance --json -",
    "tw conformance --update --expect -",
    "tw-opt m.mlir --dump-ir -",
    "tw-opt m.mlir --save-weights -",
]


@pytest.mark.parametrize("words", REFUSED)
def test_a_file_of_the_name_dash_is_refused(
    words: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_tool(words) == 2
    assert "'-' is standard output" in capsys.readouterr().err
    assert not (folder / "-").exists()


@pytest.mark.parametrize("words", ["tw-opt m.mlir -o -", "tw compile m.mlir --to graph -o -"])
def test_text_is_written_to_standard_output(
    words: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_tool(words) == 0
    printed = capsys.readouterr().out
    assert "graph.neg" in printed
    assert not (folder / "-").exists()
    assert run_tool(words.removesuffix(" -o -")) == 0
    assert capsys.readouterr().out == printed


def test_standard_output_takes_no_machine_code(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_tool("tw compile m.mlir --embed -o -") == 2
    assert "only a library holds weights" in capsys.readouterr().err


WRONG_INPUTS = {
    "program.pt2": "a zip file with 'program/data/weights/weight_0', which is no .npy file",
    "text.npz": "not a .npy or .npz file of numbers",
    "m.onnx": "not a .npy or .npz file of numbers",
    "x.npy": "expected: .npz",
    "other.npz": "z is not an input",
    "rank.npz": "argument 0 (x) has the wrong number of dimensions",
}


@pytest.mark.parametrize("file", WRONG_INPUTS)
def test_a_wrong_file_of_inputs_is_one_error(
    file: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_tool(f"tw quantize m.onnx {file} -o q.onnx") == 1
    message = capsys.readouterr().err
    assert WRONG_INPUTS[file] in message
    assert "internal error" not in message
    assert not (folder / "q.onnx").exists()


UNREADABLE = {
    "tw reduce program.pt2": (2, "is neither a model (.onnx) nor the text of IR"),
    "tw fuzz --count 1 --program program.pt2": (2, "is neither a model (.onnx) nor the text of IR"),
    "tw-opt m.mlir --weights empty": (1, "the weights file is not in the safetensors format"),
    "tw-opt m.mlir --load lib.so": (1, "expected: a Python file"),
}


@pytest.mark.parametrize("words", UNREADABLE)
def test_a_file_of_another_kind_is_one_error(
    words: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("empty", "lib.so"):
        (folder / name).touch()
    code, text = UNREADABLE[words]
    (folder / "program.pt2").write_bytes(b"PK\x03\x04\xff\xfe")
    assert run_tool(words) == code
    assert text in capsys.readouterr().err


WIDE_LINES = [
    "tw help compile",
    "tw completion --help",
    "tw cache info",
    "tw run m.onnx --shapes n=2",
    "tw inspect m.onnx --kernels",
    "tw profile m.onnx --shapes n=2 --rounds 1",
    "tw quantize m.onnx right.npz -o q.onnx",
]


@pytest.mark.parametrize("width", [40, 60])
def test_output_fits_narrow_terminals(
    width: int, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("FORCE_COLOR", "1")
    for words in WIDE_LINES:
        assert run_tool(words) == 0
        text = re.sub(r"\x1b\[[\d;]*m", "", capsys.readouterr().out)
        help_text, _, _ = text.partition("Examples:")  # command lines are not wrapped
        for line in help_text.splitlines():
            assert len(line) <= width or len(line.split()) <= 2, (words, line)


def test_a_profile_names_one_node_of_a_kernel_and_all_on_request(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    for options, nodes in (("", "MatMul_0 and 1 more"), (" --nodes", "MatMul_0, Relu_1")):
        assert run_tool(f"tw profile m.onnx --shapes n=2 --rounds 1{options}") == 0
        assert nodes in capsys.readouterr().out


def test_the_same_command_quantizes_to_the_same_bytes(folder: Path) -> None:
    for name in ("a.onnx", "b.onnx"):
        assert run_tool(f"tw quantize m.onnx right.npz -o {name}") == 0
    assert (folder / "a.onnx").read_bytes() == (folder / "b.onnx").read_bytes()
    assert "QuantizeLinear" in {node.op_type for node in onnx.load("a.onnx").graph.node}
