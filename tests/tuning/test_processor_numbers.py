"""The measurement of processor numbers: on a computed machine, and its kernels on this one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import inf
from pathlib import Path
from string import digits

import numpy as np
import pytest

from tilewright.machines.cpu_numbers import measurable_numbers
from tilewright.machines.measured_numbers import rounded
from tilewright.machines.target import Target
from tilewright.support.diagnostics import TargetError
from tilewright.tools.cli import main
from tilewright.tuning.processor_numbers import trials
from tilewright.tuning.processor_numbers.kernels import CHASE, TASK, core_kernels
from tilewright.tuning.processor_numbers.trials import (
    NativeTimer,
    Trial,
    measured_numbers,
    trials_of,
)


@dataclass
class ComputedMachine:
    """A machine that has exactly the numbers of a target: a timer without a clock.

    has_second_core: whether two threads run at once.
    """

    target: Target
    has_second_core: bool = True

    def __call__(self, trial: Trial) -> float:
        row = measurable_numbers(self.target)
        return self._cycles(trial, row) / row["clock_hz"]

    def _cycles(self, trial: Trial, row: dict[str, float]) -> float:
        if trial.kernel == TASK:
            rounds = 1 if self.has_second_core or trial.threads == 1 else 2
            return 64 * trial.size * rounds + row["start_of_region"] * (trial.threads > 1)
        if trial.kernel == CHASE:
            return trial.size * row["memory_latency"]
        kernel = core_kernels(self.target)[trial.kernel]
        count = trial.size // kernel.step_bytes * kernel.count
        sizes = self.target.l1_bytes, self.target.l2_bytes, self.target.l3_bytes
        level = sum(trial.size > size for size in sizes) if kernel.moves else 0
        rate = (inf, row["l2_rate"], row["l3_rate"], row["memory_rate"])[level]
        name = trial.kernel.rstrip(digits)
        bits = int(trial.kernel.removeprefix(name) or 0)
        widest = self.target.register_bits
        per_cycle = {
            "clock": 1.0,
            "fma": row["fma_ports"] * (widest // max(bits, int(row["unit_bits"])) if bits else 1),
            "latency": 1 / row["fma_latency"],
            "loads": row["load_ports"],
            "stores": row["stores"],
            "pairs": 2 / row["store_cycles"],
            "broadcasts": row["broadcast_ports"],
            "issues": row["issues"],
        }[name]
        return max(count / per_cycle, trial.size / rate)


ROWS = ("znver4", "znver1", "x86-64-v4", "x86-64-v3", "znver4 -numbers=fma_ports:2,l2_rate:20")


@pytest.mark.parametrize("text", ROWS)
def test_the_numbers_of_a_computed_machine_are_those_of_its_row(text: str) -> None:
    target = Target(text)
    found = measured_numbers(target, ComputedMachine(target), threads=2)
    row = measurable_numbers(target)
    assert found == pytest.approx(row, rel=0.02)
    assert dict(rounded(found)) == pytest.approx(row, rel=0.02)


def test_without_a_second_core_the_start_of_threads_is_missing() -> None:
    target = Target("znver4")
    for threads, machine in ((1, ComputedMachine(target)), (2, ComputedMachine(target, False))):
        found = measured_numbers(target, machine, threads=threads)
        assert set(measurable_numbers(target)) - set(found) == {"start_of_region"}


@pytest.mark.parametrize("text", ["aarch64", "x86-64-v2"])
def test_a_processor_without_the_instructions_is_one_error(text: str) -> None:
    with pytest.raises(TargetError, match="cannot be measured"):
        trials_of(Target(text), 1)


def test_the_kernels_run_on_this_machine() -> None:
    target = Target("native -l3-kib=2048")
    timer = NativeTimer(target)
    found = trials_of(target, 2)
    assert all(timer(trial) > 0 for trial in found.values())
    lines = timer._memory.view(np.uint64)[::8]
    assert len(np.unique(lines)) == len(lines)
    assert (lines - np.uint64(timer._memory.ctypes.data)).max() == timer._memory.nbytes - 64


def test_doctor_writes_a_row_that_targets_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    native = Target.native()
    own = Target(f"{native} -numbers=l2_rate:5,fma_ports:3,load_ports:3")
    monkeypatch.setattr(trials, "NativeTimer", lambda _: ComputedMachine(own))
    file = tmp_path / "row.json"
    assert main(["doctor", "--calibrate", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "l2_rate" in shown
    assert f"-numbers={file}" in shown
    target = Target(f"native -numbers={file}")
    assert (target.fma_ports, measurable_numbers(target)["l2_rate"]) == (3, 5)
    assert main(["doctor", "--calibrate", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["numbers"] == dict(target.numbers)
    assert main(["doctor", "--calibrate", str(tmp_path / "row.txt")]) == 1
    assert "suffix .json" in capsys.readouterr().err
