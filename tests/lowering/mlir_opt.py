"""MLIR's own tools on our texts: `iree-opt` of the package iree-base-compiler, if installed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tilewright.ir import MlirProgram


def find_opt() -> str | None:
    """Return the program that reads and verifies texts of MLIR; None if there is none."""
    beside = Path(sys.executable).with_name("iree-opt")
    return str(beside) if beside.exists() else shutil.which("iree-opt")


needs_opt = pytest.mark.skipif(
    find_opt() is None, reason="iree-opt is not installed (package iree-base-compiler)"
)


def run_opt(text: str, *options: str) -> str:
    """Return what iree-opt prints; a text that it refuses is an AssertionError with its message."""
    program = find_opt()
    assert program is not None, "the test needs iree-opt"
    done = subprocess.run(
        [program, "-", *options], input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[:2000]
    return done.stdout


def irdl_errors(program: MlirProgram, folder: Path) -> str:
    """Return the errors of MLIR for a program and its dialects; empty if it takes the program.

    folder: a folder for the two files.
    """
    tool = find_opt()
    assert tool is not None, "the test needs iree-opt"
    definitions, text = folder / "dialects.irdl", folder / "program.mlir"
    definitions.write_text(program.irdl)
    text.write_text(program.text)
    command = [tool, f"--irdl-file={definitions}", text, "-o", "/dev/null"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == (not done.stderr)
    return done.stderr
