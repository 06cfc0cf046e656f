"""mod.profile of GPU modules: the time of each launch, from events of the device."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import tilewright
from tilewright import device
from tilewright.testing import models

from ...cuda_device import MockDriver, mocked
from ...opencl_device import opencl_device

ENCODER = models.encoder_model(layers=1, hidden=32, heads=2, ffn=64, seq=8)


def test_a_profile_times_each_kernel(tmp_path: Path) -> None:
    opencl_device()
    mod = tilewright.compile(ENCODER, target="opencl", cache=False)
    profile = mod.profile(*models.inputs_for(ENCODER), rounds=2)
    launched = {kernel.name: kernel.calls for kernel in mod.kernels}
    assert {row.kernel: row.calls for row in profile.rows if row.kernel in launched} == launched
    assert all(step.time_s > 0 for step in profile.steps if step.kernel in launched)
    assert sum(row.share for row in profile.rows) == pytest.approx(1, abs=1e-3)
    flops = {kernel.name: kernel.flops for kernel in mod.kernels}
    assert all(step.flops == flops[step.kernel] for step in profile.steps if step.kernel in flops)
    profile.trace(tmp_path / "run.json")
    names = {
        event["name"] for event in json.loads((tmp_path / "run.json").read_text())["traceEvents"]
    }
    assert names >= launched.keys()


def test_records_are_made_in_profiles_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An event of the mock driver is half a millisecond per command of the stream."""
    driver = MockDriver(tmp_path)
    for _ in mocked(driver, monkeypatch):
        mod = tilewright.compile(models.ffn_model(m="rows", k=12, n=20), target="cuda", cache=False)
        driver.add(mod)
        x = np.ones((3, 12), np.float32)
        mod(x)
        assert driver.calls("cuEventCreate") == 0
        (step,) = mod.profile(x, rounds=1).steps
        assert (step.time_s, step.tasks, step.flops) == (pytest.approx(5e-4), 1, None)
        assert step.moved_bytes == 4 * (3 * 12 + 12 * 20 + 20 + 3 * 20)
        made = driver.calls("cuEventCreate")
        mod(x)
        assert driver.calls("cuEventCreate") == made == driver.calls("cuEventDestroy_v2")
        assert not device("cuda", 5).exist
