"""Bundles: one object with runtime and model, whose executor owns inputs and outputs."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

from tilewright.testing.models import ffn_model

from ..host_programs.hosts import FLAGS, HOSTS, output, sanitizers, tool
from ..sizes.test_data_sizes import detector_tail
from .test_load_module import compiled, results


def cases() -> list[list[np.ndarray]]:
    """Return boxes and scores of three calls that find different numbers of boxes."""
    rng, made = np.random.default_rng(0), list[list[np.ndarray]]()
    for scale in (0.6, 1.0, 0.4):
        boxes = rng.uniform(0, 8, (1, 9, 4)).astype(np.float32)
        scores = (rng.uniform(0, 1, (1, 2, 9)) * scale).astype(np.float32)
        made.append([boxes, scores])
    return made


def linked(folder: Path, form: str) -> Path:
    """Link the program with a bundle as an object or as a shared object."""
    files = ["detector.o"]
    if form == "shared":
        command = [tool("gcc"), "-shared", "-o", "bundle.so", "detector.o"]
        subprocess.run(command, check=True, cwd=folder)
        files = ["-L.", "-l:bundle.so", "-Wl,-rpath,$ORIGIN"]
    options = (*FLAGS, *sanitizers(), f"-I{folder}", "-o", "app", HOSTS / "bundle.c", *files)
    subprocess.run([tool("gcc"), *options], check=True, cwd=folder)
    return folder / "app"


@pytest.mark.parametrize("form", ["object", "shared"])
def test_a_bundle_runs_with_inputs_and_outputs_of_its_own(tmp_path, form):
    module = compiled(detector_tail(), threads=1)
    module.export_library(tmp_path / "detector.o", embed=True)
    program, calls = linked(tmp_path, form), cases()
    data = b"".join(array.tobytes() for arrays in calls for array in arrays)
    (tmp_path / "in.bin").write_bytes(data)
    lines = output(program, tmp_path / "in.bin").splitlines()
    for arrays in calls[::-1]:
        *_, chosen, areas = (np.array(lines.pop(n).split()[1:], np.float32) for n in (-2, -1))
        expected = results(module, arrays)
        np.testing.assert_array_equal(chosen, expected[0].ravel())
        np.testing.assert_array_equal(areas, expected[1].ravel())
    said = "\n".join(lines)
    assert "input boxes is not set\n    expected: float32[1, 9, 4]" in said
    assert "no such output\n    expected: an index in 0..5, after a run" in said
    assert "no input has this name\n    expected: a name in main(boxes" in said
    assert "the tensor does not fit input boxes" in said


def test_a_bundle_needs_the_c_library_alone(tmp_path):
    compiled(detector_tail()).export_library(tmp_path / "detector.o", embed=True)
    linked(tmp_path, "shared")
    text = output("objdump", "-p", tmp_path / "bundle.so")
    needed = [line.split()[1] for line in text.splitlines() if "NEEDED" in line]
    assert needed == ["libc.so.6"]
    names = output("nm", "-D", "--defined-only", tmp_path / "bundle.so").split()
    expected = ("create", "set_input", "run", "get_output", "destroy")
    assert {f"detector_{name}" for name in expected} <= {*names}


def test_the_lines_of_the_documentation_run(tmp_path):
    page = HOSTS.parents[3] / "docs" / "deploy.md"
    (lines,) = re.findall(r"^```c bundle\.c\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)
    start = '#include <stdio.h>\n#include "ffn.h"\nint main(void) {\nstatic float x[16 * 64];\n'
    (tmp_path / "app.c").write_text(f"{start}{lines}return 0;\n}}\n")
    compiled(ffn_model(m="rows", k=64, n=128)).export_library(tmp_path / "ffn.o", embed=True)
    subprocess.run([tool("gcc"), *FLAGS, "-o", "app", "app.c", "ffn.o"], check=True, cwd=tmp_path)
    assert output(tmp_path / "app") == "16 x 128\n"
