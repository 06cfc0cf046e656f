"""Classic programs of TVM with only their imports renamed, each in a fresh process.

A script has asserts and no output. The scripts of a row of SCRIPTS run in one folder, in order.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ..driver.host_programs.hosts import FLAGS, NATIVE, tool

HERE = Path(__file__).parent
SCRIPTS = (
    ("vector_add",),
    ("registry",),
    ("registry_from_c",),
    ("arrays",),
    ("exercise_1_build", "exercise_1_load"),
    ("exercise_2",),
    ("exercise_3",),
    ("split_export", "split_load"),
    ("targets",),
    ("rpc_upload",),
)
LIBRARIES = {"registry_from_c": "registry"}
"""Sources in C that a script loads as a library."""
NEEDS = {"exercise_2": "torch"}


@pytest.mark.slow
@pytest.mark.parametrize("names", SCRIPTS, ids="-".join)
def test_a_script_runs(names: tuple[str, ...], tmp_path: Path) -> None:
    for name in names:
        needed = NEEDS.get(name)
        if needed is not None and importlib.util.find_spec(needed) is None:
            pytest.skip(f"needs {needed}")
        if library := LIBRARIES.get(name):
            sources = [HERE / f"{library}.c", NATIVE / "tilewright.c"]
            made = tmp_path / f"{library}.so"
            compiler = [tool("gcc"), *FLAGS, "-shared", "-fPIC", "-o", made]
            subprocess.run([*compiler, *sources], check=True)
        script = shutil.copy(HERE / f"{name}.py", tmp_path)
        command = [sys.executable, "-W", "error", script]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert not done.returncode, done.stderr[-2000:]


def test_every_script_is_listed() -> None:
    listed = {f"{name}.py" for names in SCRIPTS for name in names}
    files = {path.name for path in HERE.glob("*.py")} - {Path(__file__).name}
    assert listed == files
