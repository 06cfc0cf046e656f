"""The device suite on the mock driver: right cases pass, and planted errors are reported."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.runtime.measure.device_case import DeviceCase
from tilewright.testing import models

from ..cuda_device import MockDriver
from .bundle import Bundle, by_onnxruntime
from .cases import NORMAL, SMALL, cases

CASES = {case.name: case for case in cases(SMALL, is_timed=False)}
RIGHT = ("gather_f16", "sum_all_bf16")
CHECK = (sys.executable, "-m", "tilewright.runtime.measure.device_check")


class Machine:
    """A bundle for the mock driver, and the environment of processes that load this driver."""

    def __init__(self, folder: Path) -> None:
        self.driver = MockDriver(folder)
        self.folder = folder / "bundle"
        self.bundle = Bundle(self.folder, ["sm_80"], has_machine_code=False)
        (folder / "libcuda.so.1").symlink_to(folder / "driver.so")
        self._programs = folder / "programs"
        self.environment = {
            **os.environ,
            "LD_LIBRARY_PATH": str(folder),
            "MOCK_CUDA_PROGRAMS": str(self._programs),
        }

    def add(self, mod: CompiledModule, planted: str = "") -> None:
        """Let the driver load a case; planted: statements that its kernels execute first."""
        cuda = mod.get_source("cuda")
        cuda = re.sub(r"(__global__ [^{]*\{)", lambda m: m[1] + planted, cuda)
        self.driver.add_source(mod.get_source("ptx"), cuda)

    def run(self, *options: str) -> tuple[subprocess.CompletedProcess[str], Mapping[str, Any]]:
        """Run the check; return the process, and the rows by case."""
        self.bundle.finish()
        texts = {path.read_text(): path for path in self.folder.glob("*/*.ptx")}
        lines = [f"{texts[text]} {made}\n" for text, made in self.driver.programs.items()]
        self._programs.write_text("".join(lines))
        out = self.folder / "results.json"
        done = subprocess.run(
            [*CHECK, str(self.folder), "--ptx", "--out", str(out), *options],
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        found = json.loads(out.read_text())
        assert found["device"]["arch"] == "sm_80"
        return done, {row["case"]: row for row in found["rows"]}


PLANTED = {
    "add_f32": "return;",
    "gelu_f32": "if (threadIdx.x) __syncthreads();",
    "softmax_f32": "__builtin_trap();",
    "gelu_f16": "static int count = 0; if (count++ > 9) return;",
}


def test_right_cases_pass_and_planted_errors_are_reported(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    for name, text in PLANTED.items():
        machine.add(machine.bundle.add_operator(CASES[name]), text)
    for name in RIGHT:
        machine.add(machine.bundle.add_operator(CASES[name]))
    ffn = models.ffn_model(m=9, k=64, n=32)
    row = DeviceCase("ffn", "f32", {}, 1e-5, is_timed=True)
    machine.add(machine.bundle.add_model(row, ffn, [NORMAL], by_onnxruntime(ffn)))
    done, rows = machine.run()
    assert done.returncode == 1
    for name in (*RIGHT, "ffn"):
        assert rows[name]["is_right"], done.stdout
        assert rows[name]["repeats"], done.stdout
    assert not rows["add_f32"]["is_right"]
    assert "cuStreamSynchronize fails" in rows["gelu_f32"]["failed"]
    assert "the process ended with status -" in rows["softmax_f32"]["failed"]
    assert not rows["gelu_f16"]["repeats"]
    assert "7 cases, 4 failed, 0 skipped" in done.stdout
    # An event of the mock driver is half a millisecond per command of the stream.
    assert rows["ffn"]["ours_us"]["cold"] == 500
    rows = machine.run("--cases", "gath*", "--seconds", "0")[1]
    assert rows == {"gather_f16": {"case": "gather_f16", "skipped": True}}


@pytest.mark.nightly
@pytest.mark.parametrize("name", CASES)
def test_every_small_case_is_right(name: str, tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    mod = machine.bundle.add_operator(CASES[name])
    if "asm" in mod.get_source("cuda"):
        pytest.skip("the mock driver runs CUDA C++ without PTX assembly")
    machine.add(mod)
    done, rows = machine.run()
    assert done.returncode == 0, done.stdout
    assert rows[name]["repeats"]


def test_a_machine_without_a_driver_is_one_sentence(tmp_path: Path) -> None:
    Bundle(tmp_path, ["sm_80"]).finish()
    command = [*CHECK, str(tmp_path), "--out", str(tmp_path / "results.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout.startswith("this machine has no CUDA device: install the driver")
    assert len(done.stdout.splitlines()) == 1
