"""Static programs with code for tiles (AMX) ask the kernel for the registers before they run."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

import tilewright
from tilewright.machines import target as targets
from tilewright.runtime.module import loading
from tilewright.targets.cpu.backend import CpuBackend

from ..targets.test_tile_products import TILES, product


@pytest.mark.skipif(
    targets.Target.native().has("amx-tile"), reason="the kernel grants the registers"
)
def test_a_program_says_that_the_kernel_refuses_tiles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CpuBackend, "check_host", lambda *_: None)
    monkeypatch.setattr(loading, "check_processor", lambda _: None)
    made = tilewright.compile(product((32, 64, 32))[0], target=TILES)
    assert isinstance(made, tilewright.CompiledModule)
    made.export_library(tmp_path / "m")
    np.save(tmp_path / "x.npy", np.zeros((32, 64), np.uint8))
    done = subprocess.run(
        [tmp_path / "m", "x.npy"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "the kernel refuses the tile registers (AMX)" in done.stderr
    assert "-mattr=-amx-tile" in done.stderr
