"""2,000 damaged artefacts: `verify=True` refuses each, and without it none ends the process."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilewright.testing.models import ffn_model
from tilewright.testing.worker import WorkerProcess

from .test_load_module import X, compiled

NATIVE = str(Path(__file__).with_name("mutated.py"))


@pytest.mark.parametrize(
    ("name", "embed"), [("m.so", False), ("m.so", True), ("m.tar", False)], ids=str
)
def test_damaged_files_are_refused(tmp_path, name, embed):
    compiled(ffn_model(m=4, k=8, n=8)).export_library(tmp_path / name, embed=embed)
    with WorkerProcess() as worker:
        found = worker.call(f"{NATIVE}:attempts", str(tmp_path), name, 0, 667, X)
    assert found["verified"] == 0
    assert found["refused"] >= 667
