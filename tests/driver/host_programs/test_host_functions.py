"""Functions and devices that programs in C++ and Rust register; a library calls the functions."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tilewright
from tilewright import te

from .hosts import FLAGS, HOSTS, build_cpp, build_rust, output, runtime_object, sanitizers, tool

Build = Callable[[Path, Path], Path]
NAME = "rust.scale"


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """Export a model that calls a function of its program: y = scale(x + 1, 2.5)."""
    x = te.placeholder((8,), "float32", "x")
    moved = te.compute((8,), lambda i: x[i] + 1.0, "moved")
    y = te.extern((8,), [moved], lambda ins, outs: te.call_packed(NAME, ins[0], outs[0], 2.5), "y")
    tilewright.register_func(NAME, lambda *_: None, override=True)
    path, *_ = tilewright.build([x, y]).export_library(tmp_path / "m.so")
    return path


@pytest.mark.parametrize(
    ("source", "build"), [("functions.cpp", build_cpp), ("functions.rs", build_rust)]
)
def test_a_library_calls_functions_of_the_program(
    source: str, build: Build, library: Path, tmp_path: Path
) -> None:
    said = output(build(HOSTS / source, tmp_path), library).splitlines()
    expected = (np.arange(1, 9) + 1) * 2.5
    assert said == [str(expected.tolist()), str((10 * expected).tolist())]


def test_the_sanitizers_find_nothing_in_cpp(library: Path, tmp_path: Path) -> None:
    made = tmp_path / "functions"
    options = sanitizers()
    command = [tool("g++"), "-std=c++11", *FLAGS[1:], *options, "-o", made]
    files = [HOSTS / "functions.cpp", runtime_object(*options), "-ldl", "-lpthread"]
    subprocess.run([*command, *files], check=True)
    # The functions stay to the end of the program, and their names with them.
    output("env", "ASAN_OPTIONS=detect_leaks=0", made, library)
