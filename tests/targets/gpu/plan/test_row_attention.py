"""Attention of few queries: a block per row and part of the keys; results, barriers, launches."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright
from tilewright.dialects import simt
from tilewright.dialects.loop import ForOp
from tilewright.interp import packed
from tilewright.support.entry import kernel_functions

from ....gpu_tools import expect_no_spills, needs_ptxas
from .gpu_attentions import TYPES, lowered
from .test_tensor_attention import model_of_sizes

Case = tuple[int, int, int, int, int, str]
"""Key heads, query heads per key head, queries, keys, features, element type."""

CASES: dict[str, Case] = {
    "grouped": (2, 2, 1, 41, 32, "float"),
    "whole": (1, 2, 1, 64, 64, "float16"),
    "queries": (2, 1, 3, 70, 16, "float"),
    "long": (1, 1, 1, 300, 64, "bfloat16"),
}


def shapes_of(case: Case) -> tuple[tuple[int, ...], tuple[int, ...]]:
    heads, group, queries, keys, features, _ = case
    return (1, heads * group, queries, features), (1, heads, keys, features)


def expected(arrays: list[np.ndarray], group: int) -> np.ndarray:
    """Return the attention in f64."""
    x, y, z = (a.astype(np.float64) for a in arrays)
    y, z = (np.repeat(a, group, axis=1) for a in (y, z))
    scores = x @ y.swapaxes(-1, -2) * 0.2
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ z


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("grouped", "cuda -arch=sm_80"),
        ("whole", "cuda -arch=sm_90a"),
        ("queries", "vulkan"),
        pytest.param("long", "cuda -arch=sm_80", marks=pytest.mark.nightly),
        pytest.param("grouped", "rocm -mcpu=gfx942", marks=pytest.mark.nightly),
        pytest.param("long", "opencl", marks=pytest.mark.nightly),
    ],
)
def test_results(name: str, target: str) -> None:
    """The interpreter reports races, and reads of elements without a value."""
    case = CASES[name]
    q, k = (", ".join(map(str, shape)) for shape in shapes_of(case))
    module = lowered(model_of_sizes(q, k, case[-1], "scale = 0.2"), target)
    (kernel,) = kernel_functions(module)
    launch = simt.launch_of(kernel)
    assert launch is not None
    assert launch.shown_blocks == case[0] * case[1] * case[2]
    loops = [op for op in kernel.walk() if isinstance(op, ForOp)]
    if target.startswith("cuda"):
        assert not any(isinstance(op, simt.BarrierOp) for loop in loops for op in loop.walk())
    rng = np.random.default_rng(0)
    queries, keys = shapes_of(case)
    arrays = [
        rng.standard_normal(shape, np.float32).astype(TYPES[case[-1]])
        for shape in (queries, keys, keys)
    ]
    (got,) = packed.run(module, *arrays)
    want, error = expected(arrays, case[1]), {"float": 1e-6, "float16": 1e-3}.get(case[-1], 8e-3)
    assert np.linalg.norm(got.astype(np.float64) - want) <= error * np.linalg.norm(want)


@pytest.mark.parametrize(
    ("target", "element"),
    [
        ("cuda -arch=sm_90a", "float16"),
        pytest.param("cuda -arch=sm_80", "float", marks=pytest.mark.nightly),
        pytest.param("rocm -mcpu=gfx942", "float16", marks=pytest.mark.nightly),
        pytest.param("vulkan", "float", marks=pytest.mark.nightly),
    ],
)
def test_parts_of_any_number_of_keys(target: str, element: str) -> None:
    """The last part of the keys is padded; 2 batches, 2 query heads per key head."""
    module = lowered(model_of_sizes("b, 4, 1, 64", "b, 2, n, 64", element, "scale = 0.2"), target)
    assert len(kernel_functions(module)) == 2
    rng = np.random.default_rng(0)
    for keys in (41, 70):
        shapes = (2, 4, 1, 64), (2, 2, keys, 64), (2, 2, keys, 64)
        arrays = [rng.standard_normal(s, np.float32).astype(TYPES[element]) for s in shapes]
        (got,) = packed.run(module, *arrays)
        want, error = expected(arrays, 2), 1e-3 if element == "float16" else 1e-6
        assert np.linalg.norm(got.astype(np.float64) - want) <= error * np.linalg.norm(want)


@pytest.mark.parametrize(("heads", "keys", "launches"), [(8, 400, 1), (8, 2048, 2), (32, 4096, 2)])
def test_long_rows_are_divided_among_all_multiprocessors(
    heads: int, keys: int, launches: int
) -> None:
    """One multiprocessor would read the keys of a long row longer than the launches take."""
    model = model_of_sizes(f"1, {heads}, 1, 64", f"1, {heads}, {keys}, 64", "float", "scale = 0.2")
    first, *merges = kernel_functions(lowered(model, "cuda -arch=sm_90a"))
    launch = simt.launch_of(first)
    assert launch is not None
    assert 1 + len(merges) == launches
    assert isinstance(launch.shown_blocks, int)
    assert launches == 1 or launch.shown_blocks >= 132


@needs_ptxas
@pytest.mark.parametrize(("keys", "kernels"), [(401, 1), (2048, 2)])
def test_ptxas_needs_no_spills(keys: int, kernels: int) -> None:
    model = model_of_sizes("1, 8, 1, 64", f"1, 2, {keys}, 64", "float", "scale = 0.2")
    made = tilewright.compile(model, target="cuda -arch=sm_90a", strict_plan=True, cache=False)
    expect_no_spills(made, kernels=kernels)
