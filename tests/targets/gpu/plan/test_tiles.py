"""The tiles of matrix products on CUDA: dynamic shared memory, results, and a model of clocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
import onnx
import pytest
from xdsl.parser import Parser

import tilewright
from tilewright import device, nd, te
from tilewright.codegen.ptx import assemble, find_ptxas
from tilewright.dialects.te import ComputeView
from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.interp import packed
from tilewright.machines.gpu_limits import gpu_limits
from tilewright.machines.gpu_numbers import NUMBERS
from tilewright.machines.target import Target
from tilewright.support.diagnostics import ScheduleError
from tilewright.support.registry import new_context
from tilewright.targets.gpu.plan import computes as plan
from tilewright.targets.gpu.plan.product import Product, divides, grid_dimensions
from tilewright.targets.gpu.plan.tensor_product import TensorProduct
from tilewright.targets.gpu.plan.tile_cost import BlockStep, product_cost

from ....cuda_device import MockDriver, mocked
from ....sweeps import in_turn

NUMPY = {"float": np.float32, "float16": np.float16, "bfloat16": ml_dtypes.bfloat16}


def compiled(dtype: str, shape: tuple[int, ...], target: str) -> CompiledModule:
    """Compile a product; shape: m, n, k, and the sizes of batch axes."""
    m, n, k, *batch = shape
    lhs, rhs, out = ([*batch, *sizes] for sizes in ((m, k), (k, n), (m, n)))
    text = f"{dtype}{lhs} a, {dtype}{rhs} b) => ({dtype}{out} y) {{ y = MatMul (a, b) }}"
    model = onnx.parser.parse_model(f'<ir_version: 9, opset_import: ["": 22]> product ({text}')
    return tilewright.compile(model, target=target, cache=False, strict_plan=True)


Choose: TypeAlias = Callable[[ComputeView, Target], Any]


def forced(choose: Choose, rows: int, columns: int, step: int, stages: int) -> Choose:
    """Return a function that chooses tiles of these sizes where ``choose`` chooses any."""

    def chosen(view: ComputeView, target: Target) -> Any:
        found = choose(view, target)
        if not isinstance(found, Product | TensorProduct):
            return found
        axes = found.axes
        sizes = {axes.m: rows, axes.n: columns, axes.k: step}
        ragged = frozenset(axis for axis, n in sizes.items() if not divides(n, view.axes[axis]))
        made = replace(found, rows=rows, columns=columns, step=step, stages=stages, ragged=ragged)
        if isinstance(made, TensorProduct):
            return replace(made, warp_rows=64, warp_columns=32)
        grid = grid_dimensions(view, axes, sizes, gpu_limits(target))
        return replace(made, grid=grid, thread_rows=8, thread_columns=8)

    return chosen


TILES = {
    "float16": (128, 256, 64, 3),
    "bfloat16": (256, 64, 32, 4),
    "float": (128, 64, 16, 3),
}
"""Rows, columns, steps of a sum, and stages, by type."""


SIZES = {"whole": (256, 256, 192), "ragged": (200, 136, 72), "odd": (130, 67, 141)}


@pytest.mark.parametrize(("name", "dtype"), in_turn(SIZES, [(dtype,) for dtype in TILES]))
def test_large_tiles_compute_the_product(
    name: str, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The interpreter also reports races of the threads."""
    shape, (rows, columns, step, stages) = SIZES[name], TILES[dtype]
    for name in ("tensor_product_of", "product_of"):
        choose = forced(getattr(plan, name), rows, columns, step, stages)
        monkeypatch.setattr(plan, name, choose)
    module = Parser(
        new_context(), compiled(dtype, shape, "cuda -arch=sm_90a").get_source("packed")
    ).parse_module()
    m, n, k = shape
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal(s).astype(NUMPY[dtype]) for s in ((m, k), (k, n)))
    (got,) = packed.run(module, a, b)
    want = a.astype(np.float64) @ b.astype(np.float64)
    error = {"float": 1e-5, "float16": 2e-3, "bfloat16": 2e-2}[dtype]
    np.testing.assert_allclose(got.astype(np.float64), want, rtol=error, atol=error * 8)


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> MockDriver:
    return MockDriver(tmp_path_factory.mktemp("driver"))


@pytest.fixture(autouse=True)
def devices(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    name = request.node.name
    made = request.getfixturevalue("driver") if "dynamic" in name else None
    yield from mocked(made, monkeypatch) if made is not None else iter([None])


def reversed_rows(columns: int, target: str) -> CompiledModule:
    """Return a kernel that reverses rows by shared memory of ``4 * columns`` bytes."""
    a = te.placeholder((2, columns), name="A")
    b = te.compute((2, columns), lambda i, j: a[i, j] + 1.0, name="B")
    c = te.compute((2, columns), lambda i, j: b[i, columns - 1 - j] * 2.0, name="C")
    s = te.create_schedule(c, target=target)
    s[c].bind(c.op.axis[0], "blockIdx.x")
    _, inner = s[c].split(c.op.axis[1], factor=256)
    s[c].bind(inner, "threadIdx.x")
    s[b].set_scope("shared")
    s[b].compute_at(s[c], c.op.axis[0])
    _, inner = s[b].split(b.op.axis[1], factor=256)
    s[b].bind(inner, "threadIdx.x")
    return tilewright.build(s, [a, c], target=target, cache=False)


def test_a_launch_allocates_dynamic_shared_memory(driver: MockDriver, tmp_path: Path) -> None:
    """48 KiB are declared by the kernel, more are allocated by the launch, and 227 are too much."""
    x = np.arange(2 * 16384, dtype=np.float32).reshape(2, 16384)
    for columns, is_dynamic in ((12288, False), (16384, True)):
        made = reversed_rows(columns, "cuda -arch=sm_90a")
        assert (".extern .shared" in made.get_source("ptx")) == is_dynamic
        assert ("extern __shared__" in made.get_source("cuda")) == is_dynamic
        if find_ptxas() is not None:
            (used,) = assemble(made.get_source("ptx"), "sm_90a").values()
            assert used.shared_bytes == (0 if is_dynamic else 4 * columns)
        driver.add(made)
        y = nd.array(np.zeros((2, columns), np.float32), device("cuda"))
        made(nd.array(x[:, :columns].copy(), device("cuda")), y)
        np.testing.assert_array_equal(y.numpy(), (x[:, :columns][:, ::-1] + 1) * 2)
    with pytest.raises(ScheduleError, match="too much shared memory"):
        reversed_rows(16384, "cuda -arch=sm_90a -shared-kib=63")
    with pytest.raises(ScheduleError, match=f"at most {99 << 10} bytes"):
        reversed_rows(32768, "cuda -arch=sm_86")


@pytest.mark.parametrize("architecture", NUMBERS)
def test_limits_are_those_of_the_architecture(architecture: str) -> None:
    limits = gpu_limits(Target(f"cuda -arch={architecture}"))
    assert limits.most_shared_bytes == NUMBERS[architecture].block_shared_bytes
    assert limits.shared_bytes == gpu_limits(Target("rocm")).most_shared_bytes == 32 << 10


def test_the_model_counts_a_kernel_by_hand() -> None:
    """A block of 128 x 128 x 64 halves on an H100, with four warps of 64 x 64.

    256 HMMA per warp of a quarter of 128 * 128 * 64 multiply-adds; a warp reads 128 lines of 128
    bytes; the tiles have 256 lines.
    """
    gpu = NUMBERS["sm_90a"]
    step = BlockStep(
        multiply_clocks=128 * 128 * 64 / 1270, first_bytes=4 * 128 * 32,
        shared_bytes=(4 * 128 + 256) * 128, issues=4 * 250, loaded_bytes=256 * 128, threads=128,
        registers=206, block_bytes=3 * 36864, stages=3,
    )  # fmt: skip
    assert step.resident(gpu) == 2
    busy = max(826, 768, 250, 862)
    assert step.clocks(gpu, 2) == pytest.approx(2 * busy, rel=0.01)
    assert step.clocks(gpu, 1) == pytest.approx(60 + 128 + 826, rel=0.01)
    cost = product_cost(gpu, step, blocks=1024, steps=64, stored_bytes=32768)
    assert cost.loaded_bytes == 1024 * 64 * 32768
    assert cost.clocks == pytest.approx(4 * (64 * 2 * busy + 480 + 862), rel=0.01)
