"""tw run --target: a model for a CPU of another instruction set runs in an emulator."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import helper

import tilewright
from tilewright.support.diagnostics import TilewrightError
from tilewright.testing import emulated_program
from tilewright.tools import emulation
from tilewright.tools.cli import main

from ..onnx_models import onnx_model

TARGETS = {
    "cortex-a72": "qemu-aarch64",
    "generic-rv64": "qemu-riscv64",
    "sifive-p670": "qemu-riscv64",
    "s390x": "qemu-s390x",
}
_MISSING = [name for name in {*TARGETS.values()} if shutil.which(name) is None]
needs_qemu = pytest.mark.skipif(bool(_MISSING), reason="qemu-user is not installed")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of a layer: a product of 3 x 40 and 40 x 50 numbers, and a softmax."""
    path = tmp_path_factory.mktemp("emulation") / "layer.onnx"
    weights = np.random.default_rng(3).standard_normal((40, 50), np.float32)
    onnx.save(
        onnx_model(
            [
                helper.make_node("MatMul", ["x", "w"], ["s"]),
                helper.make_node("Softmax", ["s"], ["y"]),
            ],
            {"x": (1, [3, 40])},
            weights={"w": weights},
        ),
        path,
    )
    return path


@needs_qemu
@pytest.mark.parametrize("target", TARGETS)
def test_outputs_of_the_emulator_equal_a_reference(
    target: str, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = np.random.default_rng(5).standard_normal((3, 40), np.float32)
    np.savez(tmp_path / "in.npz", x=given)
    (wanted,) = onnxruntime.InferenceSession(model).run(None, {"x": given})
    np.savez(tmp_path / "want.npz", y=wanted)
    files = ["--input", str(tmp_path / "in.npz"), "--expect", str(tmp_path / "want.npz")]
    assert main(["run", str(model), *files, "--target", target, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["emulator"] == TARGETS[target]
    assert max(found["errors"].values()) < 1e-5
    assert max(found["errors_to_this_machine"].values()) < 1e-5
    if shutil.which("cc") is not None:
        # At least the multiply-adds of the product, of which a vector holds four.
        assert 3 * 40 * 50 / 4 < found["instructions"] < 1_000_000


@needs_qemu
def test_wrong_outputs_are_told_from_right_ones(
    model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    right = emulated_program.read_archive
    monkeypatch.setattr(
        emulated_program, "read_archive", lambda path: {k: v * 1.01 for k, v in right(path).items()}
    )
    assert main(["run", str(model), "--target", "cortex-a72"]) == 1
    assert "the output differs" in capsys.readouterr().err


def test_a_missing_emulator_is_named_with_its_package(
    model: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    other = "cortex-a72" if os.uname().machine == "x86_64" else "x86-64"
    assert main(["run", str(model), "--target", other]) == 1
    said = capsys.readouterr().err
    assert "the emulator of the target is not installed" in said
    assert "apt-get install qemu-user" in said


@needs_qemu
def test_outputs_of_types_that_numpy_does_not_know(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, file = tmp_path / "types.onnx", tmp_path / "out.npz"
    types = {"bfloat16": 16, "float8_e4m3fn": 17, "float8_e5m2": 19, "int4": 22}
    graph = helper.make_graph(
        [helper.make_node("Cast", ["x"], [name], to=code) for name, code in types.items()],
        "types",
        [helper.make_tensor_value_info("x", 1, [5])],
        [helper.make_tensor_value_info(name, code, [5]) for name, code in types.items()],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)]), model)
    np.save(tmp_path / "x.npy", np.float32([-3, 0.5, 1, 7, 2]))
    call = ["run", str(model), "--input", str(tmp_path / "x.npy"), "--json"]
    assert main([*call, "-o", str(file)]) == 0
    assert main([*call, "--expect", str(file)]) == 0
    capsys.readouterr()
    assert main([*call, "--expect", str(file), "--target", "cortex-a72"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {name: row["dtype"] for name, row in found["outputs"].items()} == {n: n for n in types}
    assert found["outputs"]["bfloat16"]["values"]["max"] == 7
    assert found["errors"] == found["errors_to_this_machine"] == dict.fromkeys(types, 0.0)


def test_inputs_and_errors_of_bfloat16(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, given, wanted = (tmp_path / name for name in ("m.onnx", "x.npz", "y.npz"))
    onnx.save(onnx_model([helper.make_node("Add", ["x", "x"], ["y"])], {"x": (16, [2])}), model)
    np.savez(given, x=np.array([2, np.nan], ml_dtypes.bfloat16))
    call = ["run", str(model), "--input", str(given), "--expect", str(wanted), "--json"]
    np.savez(wanted, y=np.array([4, np.nan], ml_dtypes.bfloat16))
    assert main(call) == 0
    np.savez(wanted, y=np.array([5, np.nan], ml_dtypes.bfloat16))
    assert main(call) == 1
    assert "a relative error of 0.2" in capsys.readouterr().err


@pytest.fixture(scope="module")
def gather() -> tilewright.CompiledModule:
    """Return a module for a Cortex-A72 that takes the rows of indices from a matrix."""
    text = (
        '<ir_version: 9, opset_import: ["": 18]> g (float[2, 8] x, int64[1] i) => (float[1, 8] y)'
    )
    model = onnx.parser.parse_model(text + "{ y = Gather(x, i) }")
    return tilewright.compile(model, target="cortex-a72")


def taken(module: tilewright.CompiledModule, index: int) -> emulation.EmulatedRun:
    """Run the module of `gather` in an emulator."""
    x = np.arange(16, dtype=np.float32).reshape(2, 8)
    inputs, wanted = {"x": x, "i": np.array([index])}, {"y": x[index % 2 :][:1]}
    return emulation.run_emulated(module, inputs, wanted, "cortex-a72")


def command(folder: Path, name: str, text: str) -> None:
    """Write a shell script into a folder of programs."""
    path = folder / name
    path.write_text(text)
    path.chmod(0o755)


REFUSES = """case "$*" in *-plugin*) echo 'requires another version' >&2; exit 1;; esac"""


@needs_qemu
@pytest.mark.parametrize("trouble", ["warns", "refuses", "cc fails", "cc is no program"])
def test_the_count_never_breaks_a_run(
    trouble: str, gather: tilewright.CompiledModule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = shutil.which("qemu-aarch64")
    text = f"""#!/bin/sh
echo 'qemu: warning: a feature is missing' >&2
{REFUSES if trouble == "refuses" else ""}
exec {real} "$@"
"""
    command(tmp_path, "qemu-aarch64", text)
    if trouble.startswith("cc"):
        command(tmp_path, "cc", "#!/bin/sh\nexit 1\n" if trouble == "cc fails" else "\0")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    compiles = shutil.which("cc") is not None
    run = taken(gather, 1)
    assert run.errors == {"y": 0.0}
    assert (run.instructions is not None) == (trouble == "warns" and compiles)


@needs_qemu
def test_the_error_of_a_program_has_no_count(gather: tilewright.CompiledModule) -> None:
    with pytest.raises(TilewrightError) as caught:
        taken(gather, 9)
    assert "the program fails in qemu-aarch64" in str(caught.value)
    assert "instructions" not in str(caught.value)
    assert not str(caught.value.got).rstrip()[-1:].isdigit()


def test_the_plugin_has_a_version_that_qemu_accepts() -> None:
    version = emulation._plugin_version
    debian = "qemu-aarch64 version 7.2.22 (Debian 1:7.2+dfsg-7)\nCopyright (c) 2003-2022 Bellard\n"
    assert [version(debian), version("qemu-riscv64 version 8.2.0")] == [1, 1]
    assert [version("qemu-aarch64 version 9.0.0"), version("qemu-aarch64 version 10.1.0")] == [2, 2]
