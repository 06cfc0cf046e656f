"""Attention whose scores stay in registers: results, barriers, shuffles, and code of ptxas."""

from __future__ import annotations

import re

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

import tilewright
from tilewright.dialects import simt
from tilewright.dialects.loop import AllocOp
from tilewright.interp import packed
from tilewright.support.entry import kernel_functions

from ....gpu_tools import expect_no_spills, needs_ptxas
from .gpu_attentions import TYPES, lowered
from .test_tensor_attention import expect_rounded, model_of_sizes

TARGET = "cuda -arch=sm_80 -shared-kib=48"

Case = tuple[int, int, int, int, int, int, str]
"""Heads, queries' heads per head, queries, keys, features, whether causal, element type."""

CASES: dict[str, Case] = {
    "whole": (1, 1, 64, 192, 32, 0, "float16"),
    "causal": (2, 1, 128, 128, 16, 1, "bfloat16"),
    "ragged": (1, 2, 50, 70, 16, 0, "float16"),
    "ragged causal": (1, 1, 150, 150, 16, 1, "float16"),
    "features": (1, 1, 128, 160, 80, 1, "float16"),
    "many features": (1, 1, 64, 150, 160, 0, "float16"),
}
QUICK = ("ragged",)


def expected(case: Case, arrays: list[np.ndarray]) -> np.ndarray:
    """Return the attention in f64."""
    _, group, queries, keys, _, is_causal, _ = case
    x, y, z = (a.astype(np.float64) for a in arrays)
    y, z = (np.repeat(a, group, axis=1) for a in (y, z))
    scores = x @ y.swapaxes(-1, -2) * 0.2
    if is_causal:
        scores = np.where(np.tri(queries, keys, dtype=np.bool_), scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ z


def ops_of(kernel: FuncOp, type_: type) -> list[object]:
    return [op for op in kernel.walk() if isinstance(op, type_)]


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[] if n in QUICK else pytest.mark.nightly) for n in CASES]
)
def test_results(name: str) -> None:
    """The interpreter reports races, and reads of elements without a value."""
    case = CASES[name]
    heads, group, queries, keys, features, is_causal, element = case
    shapes = (1, heads * group, queries, features), (1, heads, keys, features)
    q, k = (", ".join(map(str, shape)) for shape in shapes)
    # Two blocks with tiles of the queries fit only into the shared memory of newer GPUs.
    target = "cuda -arch=sm_90a" if name == "many features" else TARGET
    module = lowered(model_of_sizes(q, k, element, f"is_causal = {is_causal}, scale = 0.2"), target)
    (kernel,) = kernel_functions(module)
    # The maximum and the sum of two rows of a thread, over distances of two threads and of one.
    # A step waits once for its copies; the last step, which copies nothing ahead, may be peeled.
    assert len(ops_of(kernel, simt.ShuffleOp)) == 8 * len(ops_of(kernel, simt.AsyncWaitOp))
    shared = [op for op in kernel.walk() if isinstance(op, AllocOp) and op.scope.data == "shared"]
    # With many features, and a mask of the last keys, threads load the queries in each step.
    assert len(shared) == (3 if name == "many features" else 2)
    # Also where tiles reach beyond the last key.
    assert {op.bytes for op in kernel.walk() if isinstance(op, simt.AsyncCopyOp)} == {16}
    rng = np.random.default_rng(0)
    arrays = [
        rng.standard_normal(shape, np.float32).astype(TYPES[element])
        for shape in (shapes[0], shapes[1], shapes[1])
    ]
    (got,) = packed.run(module, *arrays)
    expect_rounded(got, expected(case, arrays), arrays[2], element)


def test_a_step_has_one_barrier_and_copies_ahead() -> None:
    """That is two barriers per 128 keys, for all queries of a block.

    Blocks have 16 queries, because there are few of them.
    """
    sizes = "1, 2, 192, 32"
    module = lowered(model_of_sizes(sizes, sizes, "float16", "is_causal = 1"), TARGET)
    (kernel,) = kernel_functions(module)
    launch = simt.launch_of(kernel)
    assert launch is not None
    assert [size.value for size in launch.grid[:2]] == [12, 2]
    assert len(ops_of(kernel, simt.BarrierOp)) == 1
    assert len(ops_of(kernel, simt.AsyncWaitOp)) == 1
    assert ops_of(kernel, simt.AsyncCopyOp)
    matrices = [op for op in kernel.walk() if isinstance(op, simt.LoadMatrixOp)]
    assert {op.matrices for op in matrices} == {4}


@pytest.mark.parametrize(
    ("architecture", "features"),
    [
        ("sm_90a", "32"),
        *(pytest.param(a, f, marks=pytest.mark.nightly)
          for a in ("sm_80", "sm_90a", "sm_120") for f in ("64", "96", "128")),
    ],
)  # fmt: skip
@needs_ptxas
def test_ptxas_needs_no_spills(architecture: str, features: str) -> None:
    sizes = f"1, 4, 256, {features}"
    model = model_of_sizes(sizes, sizes, "float16", "is_causal = 1")
    target = f"cuda -arch={architecture} -shared-kib=48"
    module = tilewright.compile(model, target=target, strict_plan=True, cache=False)
    text = module.get_source("ptx")
    assert len(re.findall(r"\bbar\.sync|barrier\.sync", text)) == 1
    expect_no_spills(module, kernels=1)


@pytest.mark.nightly
@pytest.mark.parametrize("queries", [66, 2000])
@needs_ptxas
def test_a_mask_of_the_last_keys_needs_no_spills(queries: int) -> None:
    q, k = f"1, 15, {queries}, 128", "1, 15, 1429, 128"
    model = model_of_sizes(q, k, "bfloat16", "is_causal = 0")
    module = tilewright.compile(model, target="cuda -arch=sm_90a", strict_plan=True, cache=False)
    expect_no_spills(module, kernels=1)
