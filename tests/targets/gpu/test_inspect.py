"""What `tw inspect` shows of kernels for GPUs of which LLVM or ptxas reports resources."""

from __future__ import annotations

import json
import re
from pathlib import Path

import onnx
import pytest

import tilewright
from tilewright.testing import models
from tilewright.tools.cli import main

from ...gpu_tools import needs_lld, needs_ptxas


@pytest.mark.parametrize(
    "target",
    [
        pytest.param("cuda -arch=sm_90a", marks=needs_ptxas),
        pytest.param("rocm -mcpu=gfx942", marks=needs_lld),
    ],
)
def test_inspect_shows_registers_spills_and_shared_memory(
    target: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    path = str(tmp_path / "ffn.onnx")
    onnx.save(models.ffn_model(m=64, k=64, n=64), path)
    assert main(["inspect", path, "--kernels", "--json", "--target", target]) == 0
    kernels = json.loads(capsys.readouterr().out)["compiled"]["kernels"]
    assert all(row["registers"] > 0 and row["spill_bytes"] == 0 for row in kernels)
    mod = tilewright.compile(path, target=target, cache=False)
    launched = [int(size) for size in re.findall(r"shared (\d+)>", mod.get_source("simt"))]
    assert [row["shared_bytes"] for row in kernels] == launched
    assert max(launched) >= 2 * 64 * 16 * 4
    assert main(["inspect", path, "--kernels", "--target", target]) == 0
    assert re.search(r"calls .* registers .* spilled .* shared", capsys.readouterr().out)
