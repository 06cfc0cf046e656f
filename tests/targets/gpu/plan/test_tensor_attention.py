"""Attention with matrix instructions: results of all units, errors, registers."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

import tilewright
from tilewright.dialects import simt
from tilewright.interp import packed
from tilewright.support.entry import kernel_functions
from tilewright.support.precision import Precision

from ....gpu_tools import expect_no_spills, needs_lld, needs_ptxas
from .gpu_attentions import CASES, RNG, arrays_of, expected, lowered, model_of
from .test_amd_matrices import emulated_and_interpreted

CUDA, CDNA, RDNA = "cuda -arch=sm_80", "rocm -mcpu=gfx942", "rocm -mcpu=gfx1100"
EPSILON = {"float16": 2.0**-11, "bfloat16": 2.0**-8}
"""The relative error of a rounded number."""

QUICK = {("open mask", CUDA, "float16"), ("open grouped", CDNA, "bfloat16")}
GENERAL = {"one step", "few keys", "ragged", "joined"}
"""Attentions of few keys, or 20 features, use no matrix instructions."""


def expect_rounded(got: np.ndarray, want: np.ndarray, values: np.ndarray, element: str) -> None:
    """Compare with the attention in f64: exponentials and results are rounded."""
    largest = np.abs(values.astype(np.float64)).max()
    bound = EPSILON[element] * (np.abs(want) + 0.5 * largest)
    assert (np.abs(got.astype(np.float64) - want) <= bound).all()


def marked(*case: str, is_quick: bool) -> object:
    """Return the parameters of a test that runs at night unless it is quick."""
    return pytest.param(*case, marks=[] if is_quick else pytest.mark.nightly)


@pytest.mark.parametrize(
    ("name", "target", "element"),
    [
        marked(n, t, e, is_quick=(n, t, e) in QUICK)
        for n in CASES
        for t in (CUDA, CDNA, RDNA)
        for e in EPSILON
    ],
)
def test_products_use_matrix_instructions(name: str, target: str, element: str) -> None:
    """The interpreter reports races."""
    module = lowered(model_of(name, element), target)
    kernel = next(iter(kernel_functions(module)))
    assert kernel.sym_name.data == "attention"
    uses = [op for op in kernel.walk() if isinstance(op, simt.MmaOp)]
    assert bool(uses) == (name not in GENERAL)
    arrays = arrays_of(name, element)
    (got,) = packed.run(module, *arrays)
    expect_rounded(got, expected(name, arrays), arrays[2], element)


@pytest.mark.nightly
def test_errors_are_smaller_than_those_of_separate_kernels() -> None:
    """These round scores, probabilities and results to f16."""
    name = "open"
    module = lowered(model_of(name, "float16"), CUDA)
    arrays = arrays_of(name, "float16")
    want = expected(name, arrays)
    (got,) = packed.run(module, *arrays)
    q, k, v = (x.astype(np.float32) for x in arrays)
    scores = (q @ k.swapaxes(-1, -2)).astype(np.float16) * np.float16(0.2)
    weights = np.exp(scores.astype(np.float32) - scores.max(-1, keepdims=True))
    weights = (weights / weights.sum(-1, keepdims=True)).astype(np.float16)
    separate = (weights.astype(np.float32) @ v).astype(np.float16)
    ours, theirs = (np.linalg.norm(x.astype(np.float64) - want) for x in (got, separate))
    assert ours <= theirs


@pytest.mark.nightly
def test_strict_precision_uses_none() -> None:
    module = lowered(model_of("causal", "float16"), CUDA, Precision.STRICT)
    (kernel,) = kernel_functions(module)
    assert not any(isinstance(op, simt.MmaOp) for op in kernel.walk())


@pytest.mark.nightly
def test_tf32_is_for_f32_only() -> None:
    narrow, wide = (
        len(list(kernel_functions(lowered(model_of("causal", element), CUDA, Precision.TF32))))
        for element in ("float16", "float")
    )
    assert narrow == 1
    assert wide > 2


def model_of_sizes(q: str, k: str, element: str, attributes: str) -> onnx.ModelProto:
    head = '<ir_version: 10, opset_import: ["": 23]> attention ('
    return onnx.parser.parse_model(
        f"{head}{element}[{q}] q, {element}[{k}] k, {element}[{k}] v) => ({element}[{q}] y) "
        f"{{ y = Attention <{attributes}> (q, k, v) }}"
    )


@pytest.mark.parametrize(
    ("architecture", "keys", "features"),
    [
        marked(a, n, f, is_quick=(a, f) == ("sm_80", "64"))
        for a, n in (("sm_80", "n"), ("sm_120", "500"))
        for f in ("64", "80", "128")
    ],
)
@needs_ptxas
def test_ptxas_needs_no_spills(architecture: str, keys: str, features: str) -> None:
    q, k = f"1, 8, 300, {features}", f"1, 2, {keys}, {features}"
    model = model_of_sizes(q, k, "float16", "is_causal = 1, scale = 0.125")
    target = f"cuda -arch={architecture} -shared-kib=48"
    module = tilewright.compile(model, target=target, strict_plan=True, cache=False)
    assert "mma.sync.aligned.m16n8k16" in module.get_source("ptx")
    expect_no_spills(module, kernels=1)


@pytest.mark.nightly
@pytest.mark.parametrize("processor", ["gfx942", "gfx1100"])
@needs_lld
def test_the_emulator_agrees_with_the_interpreter(processor: str) -> None:
    model = model_of_sizes("1, 1, 20, 16", "1, 1, 40, 16", "float16", "scale = 0.2")
    module = tilewright.compile(
        model, target=f"rocm -mcpu={processor}", strict_plan=True, cache=False
    )
    arrays = [
        RNG.standard_normal((1, 1, n, 16), np.float32).astype(np.float16) for n in (20, 40, 40)
    ]
    got, want = emulated_and_interpreted(module, processor, *arrays)
    np.testing.assert_allclose(got, want, rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize("features", [48, 80, 128])
def test_all_warps_of_a_block_multiply(features: int) -> None:
    """The verifier refuses a matrix instruction in a branch of some warps."""
    sizes = f"1, 2, 70, {features}"
    (kernel,) = kernel_functions(
        lowered(model_of_sizes(sizes, sizes, "float16", "scale = 0.2"), CUDA)
    )
    assert any(isinstance(op, simt.MmaOp) for op in kernel.walk())


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(12))
def test_random_sizes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    heads, group = (int(n) for n in rng.integers(1, 4, 2))
    queries, keys = (int(n) for n in rng.integers(12, 90, 2))
    features = 16 * int(rng.integers(1, 6))
    is_causal = int(rng.integers(2))
    q, k = (1, heads * group, queries, features), (1, heads, keys, features)
    model = model_of_sizes(
        ", ".join(map(str, q)), ", ".join(map(str, k)), "float16",
        f"is_causal = {is_causal}, scale = 0.2",
    )  # fmt: skip
    arrays = [rng.standard_normal(s, np.float32).astype(np.float16) for s in (q, k, k)]
    (got,) = packed.run(lowered(model, CUDA), *arrays)
    x, y, z = (a.astype(np.float64) for a in arrays)
    y, z = (np.repeat(a, group, axis=1) for a in (y, z))
    scores = x @ y.swapaxes(-1, -2) * 0.2
    if is_causal:
        scores = np.where(np.tri(queries, keys, dtype=np.bool_), scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    want = weights / weights.sum(-1, keepdims=True) @ z
    expect_rounded(got, want, arrays[2], "float16")
