"""Sums of products of bytes by instructions of Cortex-M processors, in C source on boards."""

from __future__ import annotations

import subprocess
from pathlib import Path
from shutil import which
from typing import Any

import numpy as np
import onnx
import pytest

import tilewright
from tilewright.machines.emulators import BOARDS
from tilewright.targets.c import export
from tilewright.tools.boards import BoardRun, run_on_board

from ..cpu.machine_models import onnx_model
from .test_boards import on_boards

INSTRUCTIONS = {
    "cortex-m4": "__smlad(",
    "cortex-m7": "__smlad(",
    "cortex-m55": "vmladavaq_s8(",
}
GCC = "arm-none-eabi-gcc"
ROWS, TERMS, COLUMNS, SIZE, CHANNELS = 6, 64, 10, 9, 16
rng = np.random.default_rng(5)
WEIGHTS = rng.integers(-128, 128, (TERMS, COLUMNS), np.int8)
X = rng.integers(0, 256, (ROWS, TERMS), np.uint8)
FILTERS = rng.integers(-128, 128, (8, CHANNELS, 3, 3), np.int8)
IMAGE = rng.integers(0, 256, (1, CHANNELS, SIZE, SIZE), np.uint8)
ZERO = np.array(3, np.uint8)


def product() -> onnx.ModelProto:
    nodes = "y = MatMulInteger(x, w)"
    return onnx_model(nodes, X.shape, {"w": WEIGHTS}, "uint8", "int32")


def convolution() -> onnx.ModelProto:
    """Return a convolution of a computed image, whose channels so have blocks."""
    nodes = "m = Max(x, zero) y = ConvInteger<pads=[1,1,1,1]>(m, w)"
    return onnx_model(nodes, IMAGE.shape, {"w": FILTERS, "zero": ZERO}, "uint8", "int32")


def convolved() -> np.ndarray:
    """Return the result of the convolution by numpy."""
    image = np.pad(np.maximum(IMAGE, ZERO), ((0, 0), (0, 0), (1, 1), (1, 1))).astype(np.int32)
    windows = np.lib.stride_tricks.sliding_window_view(image[0], (3, 3), (1, 2))
    return np.einsum("chwrs,ocrs->ohw", windows, FILTERS.astype(np.int32))[None]


CASES = {
    "product": (product, X, X.astype(np.int32) @ WEIGHTS.astype(np.int32)),
    "convolution": (convolution, IMAGE, convolved()),
}


def compiled(name: str, target: str) -> tilewright.CompiledModule:
    return tilewright.compile(CASES[name][0](), target=target, cache=False, strict_plan=True)


def on_board(name: str, cpu: str, target: str) -> BoardRun:
    return run_on_board(compiled(name, target), {"x": CASES[name][1]}, cpu)


@on_boards
@pytest.mark.parametrize(
    ("name", "cpu"),
    [
        pytest.param(name, cpu, marks=[pytest.mark.nightly] * (cpu == "cortex-m7"))
        for name in CASES
        for cpu in BOARDS
    ],
)
def test_an_instruction_adds_products_of_bytes(name: str, cpu: str) -> None:
    module = compiled(name, f"c -mcpu={cpu}")
    assert INSTRUCTIONS[cpu] in module.get_source("c")
    run = run_on_board(module, {"x": CASES[name][1]}, cpu)
    np.testing.assert_array_equal(run.outputs["y"], CASES[name][2])
    plain = on_board(name, cpu, "c")
    np.testing.assert_array_equal(plain.outputs["y"], CASES[name][2])
    assert run.instructions < 0.85 * plain.instructions


@on_boards
def test_a_wrong_extension_of_bytes_has_other_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    texts_of = export.texts_of

    def wrong(*arguments: Any) -> tuple[str, str]:
        source, header = texts_of(*arguments)
        return source.replace("__uxtb16(", "__sxtb16((int8x4_t)", 1), header

    monkeypatch.setattr(export, "texts_of", wrong)
    made = on_board("product", "cortex-m4", "c -mcpu=cortex-m4")
    assert not np.array_equal(made.outputs["y"], CASES["product"][2])


def test_source_for_other_processors_has_no_such_functions() -> None:
    for target in ("c", "c -mcpu=cortex-a72"):
        assert "arm_" not in compiled("product", target).get_source("c")


@pytest.mark.skipif(which(GCC) is None, reason=f"needs {GCC}")
@pytest.mark.parametrize("cpu", ["cortex-m4", "cortex-m55"])
def test_gcc_accepts_the_source(cpu: str, tmp_path: Path) -> None:
    compiled("product", f"c -mcpu={cpu}").export_library(tmp_path / "model.c")
    options = [each for each in BOARDS[cpu].options if "mfpu" not in each]
    strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2", "-c", "model.c"]
    done = subprocess.run([GCC, *options, *strict], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
