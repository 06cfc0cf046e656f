"""Scans by the threads of a block: results, launches, registers."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest

import tilewright
from tilewright.dialects import simt
from tilewright.interp import packed
from tilewright.support.entry import kernel_functions

from ....gpu_tools import expect_no_spills, needs_ptxas
from .gpu_attentions import TYPES, lowered

ARRAYS = {**TYPES, "int32": np.int32}


def model_of(shape: tuple[int, ...], axis: int, element: str, options: str = "") -> Any:
    size = ", ".join(map(str, shape))
    return onnx.parser.parse_model(
        f'<ir_version: 10, opset_import: ["": 21]> scan ({element}[{size}] x) => '
        f"({element}[{size}] y) {{ c = Constant <value = int64 {{{axis}}}> () "
        f"y = CumSum {options} (x, c) }}"
    )


CASES = {
    "rows": ((5, 256), 1, "float", ""),
    "few rows": ((1, 1 << 15), 1, "float", ""),
    "backwards": ((2, 640), 1, "int32", "<exclusive = 1, reverse = 1>"),
    "odd rows": ((2, 97), 1, "float", ""),
    "columns": ((512, 24), 0, "float16", ""),
    "odd columns": ((2, 96, 15), 1, "float", "<exclusive = 1>"),
}
"""Shapes, axes, element types and attributes."""


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("rows", "cuda -arch=sm_90a"),
        ("few rows", "cuda -arch=sm_90a"),
        ("backwards", "cuda -arch=sm_80"),
        ("columns", "cuda -arch=sm_80"),
        ("odd columns", "vulkan"),
        pytest.param("few rows", "vulkan", marks=pytest.mark.nightly),
        pytest.param("odd rows", "cuda -arch=sm_80", marks=pytest.mark.nightly),
        pytest.param("columns", "rocm -mcpu=gfx942", marks=pytest.mark.nightly),
        pytest.param("backwards", "opencl", marks=pytest.mark.nightly),
    ],
)
def test_results(name: str, target: str) -> None:
    """The elements are small integers, so that sums are exact; the interpreter reports races."""
    shape, axis, element, options = CASES[name]
    module = lowered(model_of(shape, axis, element, options), target)
    x = np.random.default_rng(0).integers(-1, 2, shape).astype(ARRAYS[element])
    (got,) = packed.run(module, x)
    terms = x.astype(np.float64)
    terms = np.flip(terms, axis) if "reverse" in options else terms
    sums = np.cumsum(terms, axis)
    sums = sums - terms if "exclusive" in options else sums
    np.testing.assert_array_equal(got, np.flip(sums, axis) if "reverse" in options else sums)


@pytest.mark.parametrize(
    ("shape", "axis", "blocks"),
    [
        ((64, 1024), 1, [(256, 1, 1)]),
        ((64, 1 << 16), 1, [(256, 1, 1), (64, 1, 1), (256, 1, 1)]),
        ((4096, 64), 0, [(2, 128, 1)]),
        ((64, 1 << 16), 0, [(256, 1, 1)]),
    ],
)
def test_threads_share_rows_and_few_columns(
    shape: tuple[int, int], axis: int, blocks: list[tuple[int, ...]]
) -> None:
    """Scans of many columns keep a thread, or a vector, per column."""
    kernels = kernel_functions(lowered(model_of(shape, axis, "float"), "cuda -arch=sm_90a"))
    found = [simt.launch_of(kernel) for kernel in kernels]
    assert [launch and launch.block for launch in found] == blocks


@needs_ptxas
@pytest.mark.parametrize(("shape", "axis"), [((64, 4096), 1), ((4096, 64), 0)])
def test_ptxas_needs_no_spills(shape: tuple[int, int], axis: int) -> None:
    model = model_of(shape, axis, "float16")
    made = tilewright.compile(model, target="cuda -arch=sm_90a", strict_plan=True, cache=False)
    expect_no_spills(made, kernels=1)
