"""tw run --target: a model for a CPU of another instruction set runs in an emulator."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import helper, numpy_helper

from tilewright.tools import emulation
from tilewright.tools.cli import main

TARGETS = {
    "cortex-a72": "qemu-aarch64",
    "generic-rv64": "qemu-riscv64",
    "sifive-p670": "qemu-riscv64",
}
_MISSING = [name for name in {*TARGETS.values()} if shutil.which(name) is None]
needs_qemu = pytest.mark.skipif(bool(_MISSING), reason="qemu-user is not installed")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of a layer: a product of 3 x 40 and 40 x 50 numbers, and a softmax."""
    path = tmp_path_factory.mktemp("emulation") / "layer.onnx"
    weights = np.random.default_rng(3).standard_normal((40, 50), np.float32)
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["s"]), helper.make_node("Softmax", ["s"], ["y"])],
        "layer",
        [helper.make_tensor_value_info("x", 1, [3, 40])],
        [helper.make_tensor_value_info("y", 1, [3, 50])],
        [numpy_helper.from_array(weights, "w")],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)]), path)
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
    right = emulation.read_archive
    monkeypatch.setattr(
        emulation, "read_archive", lambda path: {k: v * 1.01 for k, v in right(path).items()}
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
