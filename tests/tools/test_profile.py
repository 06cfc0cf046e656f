"""tw profile: rows of kernels, their sums and their limits."""

from __future__ import annotations

import json
from pathlib import Path

import onnx
import pytest

import tilewright
from tilewright.support.target import Target
from tilewright.testing.models import encoder_model
from tilewright.tools.cli import main


@pytest.mark.slow
def test_a_profile_lists_each_kernel_of_the_module(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = encoder_model(layers=1, hidden=64, heads=2)
    path, trace = tmp_path / "encoder.onnx", tmp_path / "run.json"
    onnx.save(model, path)
    command = ["profile", str(path), "--threads", "1", "--rounds", "2"]
    assert main([*command, "--json", "--trace", str(trace)]) == 0
    report = json.loads(capsys.readouterr().out)
    kernels = {row["kernel"]: row["calls"] for row in report["kernels"]}
    assert kernels == {k.name: k.calls for k in tilewright.compile(model).kernels}
    assert report["run_us"] > 0
    assert json.loads(trace.read_text())["traceEvents"]
    assert main(command) == 0
    shown = capsys.readouterr().out
    assert "compiled module" in shown
    assert "1 thread:" in shown


def test_a_target_without_machine_code_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.onnx"
    onnx.save(encoder_model(layers=1, hidden=8, heads=1, seq=2, ffn=8), path)
    assert main(["profile", str(path), "--target", "interpreter"]) == 1
    assert "kernels of the target cannot be timed" in capsys.readouterr().err


def test_a_library_is_profiled_if_it_records_times(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.onnx"
    onnx.save(encoder_model(layers=1, hidden=8, heads=1, seq=2, ffn=8), path)
    plain, recording = str(tmp_path / "plain.so"), str(tmp_path / "recording.so")
    assert main(["compile", str(path), "-o", plain]) == 0
    assert main(["compile", str(path), "-o", recording, "--profile"]) == 0
    capsys.readouterr()
    assert main(["profile", plain, "--rounds", "1"]) == 1
    assert "tw compile --profile" in capsys.readouterr().err
    assert main(["profile", recording, "--rounds", "2", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert {row["kernel"] for row in report["kernels"]}
    assert all(row["us"] > 0 and row["nodes"] for row in report["kernels"])
    assert (report["roofline"] is not None) == Target.host().has("fma")
    assert main(["profile", recording, "--rounds", "1"]) == 0
    assert main(["compile", str(path), "--profile"]) == 2
