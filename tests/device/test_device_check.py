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

from ..cuda_device import MockDriver
from .bundle import Bundle
from .cases import SMALL, OperatorCase, cases

CASES = {case.name: case for case in cases(SMALL, is_timed=False)}
SAMPLE = ("matmul_f32", "softmax_bf16", "attention_f32", "gather_f16", "conv3x3_f32")
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

    def add(self, case: OperatorCase, planted: str = "") -> None:
        """Add a case; planted: statements that its kernels execute first."""
        mod: CompiledModule = self.bundle.add_operator(case)
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


@pytest.mark.parametrize("names", [SAMPLE, pytest.param(tuple(CASES), marks=pytest.mark.nightly)])
def test_small_cases_are_right(names: tuple[str, ...], tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    for name in names:
        machine.add(CASES[name])
    done, rows = machine.run()
    assert done.returncode == 0, done.stdout
    assert rows.keys() == set(names)
    assert all(row["is_right"] and row["repeats"] for row in rows.values())
    assert f"{len(names)} cases, 0 failed, 0 skipped" in done.stdout


def test_planted_errors_are_reported_and_the_other_cases_run(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    planted = {
        "add_f32": "return;",
        "gelu_f32": "if (threadIdx.x) __syncthreads();",
        "softmax_f32": "__builtin_trap();",
        "gelu_f16": "static int count = 0; if (count++ > 9) return;",
    }
    for name, text in planted.items():
        machine.add(CASES[name], text)
    machine.add(CASES["rmsnorm_f32"])
    done, rows = machine.run()
    assert done.returncode == 1
    assert not rows["add_f32"]["is_right"]
    assert "cuStreamSynchronize fails" in rows["gelu_f32"]["failed"]
    assert "the process ended with status -" in rows["softmax_f32"]["failed"]
    assert not rows["gelu_f16"]["repeats"]
    assert rows["rmsnorm_f32"]["is_right"]
    assert "5 cases, 4 failed, 0 skipped" in done.stdout
    rows = machine.run("--cases", "rms*", "--seconds", "0")[1]
    assert rows == {"rmsnorm_f32": {"case": "rmsnorm_f32", "skipped": True}}


def test_a_machine_without_a_driver_is_one_sentence(tmp_path: Path) -> None:
    Bundle(tmp_path, ["sm_80"]).finish()
    command = [*CHECK, str(tmp_path), "--out", str(tmp_path / "results.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout.startswith("this machine has no CUDA device: install the driver")
    assert len(done.stdout.splitlines()) == 1
