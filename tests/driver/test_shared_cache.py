"""Several compilers with one cache: all results are right, even if others write and evict."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest

import tilewright
from tilewright.codegen.objects import PROCESS_PARTS
from tilewright.support.cache import DiskCache
from tilewright.testing import models

_COMPILE = """
import hashlib, sys
import numpy as np
import tilewright
for _ in range(3):
    mod = tilewright.compile(sys.argv[1])
    y = mod(np.load(sys.argv[2])).numpy()
    print(hashlib.sha256(mod.code).hexdigest(), hashlib.sha256(y.tobytes()).hexdigest())
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "limit",
    [pytest.param("1G", id="roomy", marks=pytest.mark.nightly), pytest.param("8K", id="evicting")],
)
def test_compilers_at_once_make_the_same_code(limit: str, tmp_path: Path) -> None:
    model, x = tmp_path / "model.onnx", tmp_path / "x.npy"
    onnx.save(models.ffn_model(m=4, k=8, n=8), model)
    np.save(x, np.random.default_rng(0).standard_normal((4, 8)).astype(np.float32))
    folder = tmp_path / "cache"
    environment = {
        **os.environ, "TILEWRIGHT_CACHE_DIR": str(folder), "TILEWRIGHT_CACHE_BYTES": limit
    }  # fmt: skip
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", _COMPILE, str(model), str(x)],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    ended = [process.communicate(timeout=300) for process in processes]
    assert [process.returncode for process in processes] == [0, 0], ended
    lines = [line for out, _ in ended for line in out.splitlines()]
    assert len(lines) == 6
    assert len(set(lines)) == 1
    assert not list(folder.glob(".writing-*"))
    # The kernel, main, the entry and its tables, the objects that all models share, the whole model
    # and the location of its external data, if they fit.
    entries = DiskCache(folder).state().entries
    wanted = 4 + len((*PROCESS_PARTS, "weights")) + 2
    assert entries == wanted if limit == "1G" else 0 < entries < wanted


def test_without_the_cache_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    tilewright.compile(models.ffn_model(m=4, k=8, n=8), cache=False)
    assert not (tmp_path / "cache").exists()
