"""Rows that warps reduce: shuffles where the target has them, the same order where it has none."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

import tilewright
from tilewright.codegen.ptx import assemble
from tilewright.dialects.simt import BarrierOp, LaunchSizes, ShuffleOp, launch_of
from tilewright.driver.passes.check import validate_pipeline
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.frontend.onnx.importer import import_model
from tilewright.interp import packed
from tilewright.interp.program import interpret
from tilewright.interp.simt import Race
from tilewright.machines.target import Target
from tilewright.support.entry import kernel_functions
from tilewright.support.registry import new_context
from tilewright.testing import models

from ....gpu_tools import expect_no_spills, needs_ptxas
from ....opencl_device import opencl_device

RNG = np.random.default_rng(0)
CUDA, OPENCL = Target("cuda"), Target("opencl")
"""Targets with shuffles, and without."""


def lowered(model: onnx.ModelProto, target: Target = CUDA) -> ModuleOp:
    module = import_model(model)
    run_pipeline(module, new_context(), target)
    return module


def reduction(op: str, x: str, y: str) -> onnx.ModelProto:
    """Return a model of a reduction of the last axis; x, y: the types."""
    head = '<ir_version: 9, opset_import: ["": 18]> rows ('
    text = f"{x} x) => ({y} y) <int64[1] a = {{1}}> {{ y = {op} <keepdims = 0> (x, a) }}"
    return onnx.parser.parse_model(head + text)


def count(module: ModuleOp, kind: type) -> int:
    return sum(isinstance(op, kind) for op in module.walk())


def dynamic_softmax() -> onnx.ModelProto:
    return models.softmax_model(shape=("r", "n"))


def only_kernel(module: ModuleOp) -> FuncOp:
    (kernel,) = kernel_functions(module)
    return kernel


def test_a_warp_reduces_a_row_without_memory() -> None:
    module = lowered(models.softmax_model(shape=(64, 130)))
    assert launch_of(only_kernel(module)) == LaunchSizes.of([16], [32, 4])
    assert (count(module, BarrierOp), count(module, ShuffleOp)) == (0, 2 * 5)


def test_warps_combine_their_results_in_shared_memory() -> None:
    module = lowered(models.softmax_model(shape=(5, 700)))
    launch = launch_of(only_kernel(module))
    assert launch == LaunchSizes.of([5], [128], 2 * 4 * 4)
    assert (count(module, BarrierOp), count(module, ShuffleOp)) == (2, 2 * 5)


def test_targets_without_shuffles_read_all_partial_results() -> None:
    module = lowered(models.softmax_model(shape=(64, 130)), OPENCL)
    assert launch_of(only_kernel(module)) == LaunchSizes.of([16], [32, 4], 2 * 4 * 32 * 4)
    assert (count(module, BarrierOp), count(module, ShuffleOp)) == (2, 0)


CASES: dict[str, tuple[Callable[[int], onnx.ModelProto], int, Any]] = {
    "softmax": (lambda n: models.softmax_model(shape=(6, n)), 6, np.float32),
    "normalization": (lambda n: models.layernorm_model(shape=(3, n)), 3, np.float32),
    "dynamic softmax": (lambda _: dynamic_softmax(), 3, np.float32),
    "open mean": (lambda _: reduction("ReduceMean", "float[2, n]", "float[2]"), 2, np.float32),
    "sum": (lambda n: reduction("ReduceSum", f"float[8, {n}]", "float[8]"), 8, np.float32),
    "maximum": (lambda n: reduction("ReduceMax", f"float[2, {n}]", "float[2]"), 2, np.float32),
    "int32": (lambda n: reduction("ReduceSum", f"int32[4, {n}]", "int32[4]"), 4, np.int32),
    "double": (lambda n: reduction("ReduceSum", f"double[4, {n}]", "double[4]"), 4, np.float64),
    "half": (lambda n: reduction("ReduceSum", f"float16[4, {n}]", "float16[4]"), 4, np.float16),
}
"""Models of rows of a length, the number of rows, and the type of elements."""
LENGTHS = [
    70,
    *(pytest.param(n, marks=pytest.mark.nightly) for n in (32, 512, 513)),
    *(
        pytest.param(int(n), marks=pytest.mark.nightly)
        for n in np.random.default_rng(7).integers(33, 2300, 4)
    ),
]


def rows_of(case: str, length: int) -> list[np.ndarray]:
    model, rows, dtype = CASES[case][0](length), *CASES[case][1:]
    x = (4 * RNG.standard_normal((rows, length))).astype(dtype)
    return [x, *models.inputs_for(model)[1:]]


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("case", CASES)
def test_results_do_not_depend_on_shuffles(case: str, length: int) -> None:
    """The interpreter reports races, and shuffles that not all threads of a warp reach."""
    model, inputs = CASES[case][0](length), rows_of(case, length)
    (expected,) = packed.run(lowered(model, OPENCL), *inputs)
    (got,) = packed.run(lowered(model), *inputs)
    assert got.tobytes() == expected.tobytes()
    (wanted,) = interpret(import_model(model), inputs)
    np.testing.assert_allclose(got, wanted, rtol=2e-3 if case == "half" else 1e-5, atol=1e-4)


@pytest.mark.parametrize(
    "case",
    [
        "maximum",
        *(pytest.param(n, marks=pytest.mark.nightly) for n in CASES if n != "maximum"),
    ],
)
def test_each_pass_keeps_the_results(case: str) -> None:
    model, inputs = CASES[case][0](530), rows_of(case, 530)
    validate_pipeline(import_model(model), CUDA, inputs)


def test_threads_of_a_row_are_a_power_of_two() -> None:
    model = models.softmax_model(shape=(2, 700))
    module = lowered(model, Target("cuda -max-threads=100"))
    launch = launch_of(only_kernel(module))
    assert launch is not None
    assert launch.block == (64, 1, 1)
    packed.run(module, *models.inputs_for(model))


@pytest.mark.parametrize("target", [CUDA, OPENCL], ids=str)
def test_each_barrier_between_warps_is_needed(target: Target) -> None:
    model = models.layernorm_model(shape=(2, 600))
    planned, inputs = lowered(model, target), models.inputs_for(model)
    for number in range(count(planned, BarrierOp)):
        module = planned.clone()
        barriers = [op for op in module.walk() if isinstance(op, BarrierOp)]
        barriers[number].detach()
        with pytest.raises(Race):
            packed.run(module, *inputs)


def test_leading_axes_of_size_one_are_no_reason_for_several_kernels() -> None:
    softmax, normalization = models.softmax_model, models.layernorm_model
    for model in (
        softmax(shape=(1, 8, 64)),
        softmax(shape=(1, 1, 700)),
        normalization(shape=(4, 1, 96)),
    ):
        module, inputs = lowered(model), models.inputs_for(model)
        assert len(kernel_functions(module)) == 1
        (got,) = packed.run(module, *inputs)
        (wanted,) = interpret(import_model(model), inputs)
        np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.nightly
@pytest.mark.parametrize("architecture", ["sm_80", "sm_90a", "sm_100", "sm_120"])
@needs_ptxas
def test_rows_need_no_spills(architecture: str) -> None:
    for model in (
        models.softmax_model(shape=(1536, 128)),
        models.layernorm_model(shape=(128, 768)),
        dynamic_softmax(),
    ):
        target = f"cuda -arch={architecture}"
        module = tilewright.compile(model, target=target, strict_plan=True, cache=False)
        expect_no_spills(module)


@pytest.mark.nightly
@needs_ptxas
def test_clang_and_ptxas_take_the_cuda_source(tmp_path: Path) -> None:
    pytest.importorskip("ziglang")
    model = reduction("ReduceSum", "float[8, 700]", "float[8]")
    source = tilewright.compile(model, target="cuda", cache=False).get_source("cuda")
    assert source.count("__shfl_xor_sync(") == 5
    header = Path(__file__).parents[3] / "lowering" / "cuda_device.hpp"
    (tmp_path / "k.cu").write_text(f'#include "{header}"\n{source}')
    options = "-x cuda -nocudainc -nocudalib --cuda-gpu-arch=sm_80 --cuda-device-only -O2 -S"
    command = [sys.executable, "-m", "ziglang", "clang", *options.split(), "-o", "k.ptx", "k.cu"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    (used,) = assemble((tmp_path / "k.ptx").read_text(), "sm_80").values()
    assert (used.spill_bytes, used.stack_bytes) == (0, 0)


@pytest.mark.nightly
def test_a_device_without_shuffles_computes_the_same() -> None:
    opencl_device()
    for shape in ((8, 100), (3, 600)):
        model = models.softmax_model(shape=shape)
        inputs = models.inputs_for(model)
        module = tilewright.compile(model, target="opencl", strict_plan=True, cache=False)
        (wanted,) = packed.run(lowered(model), *inputs)
        np.testing.assert_allclose(np.asarray(module(*inputs)), wanted, rtol=1e-6)
