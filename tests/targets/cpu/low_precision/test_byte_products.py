"""Products of narrow types: the plan uses the machine's dot products, for every shape."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import helper

import tilewright
from tilewright.driver.report.texts import source_at
from tilewright.machines.target import Target

from ....onnx_models import onnx_model
from ....sweeps import sampled

HOST = Target.native()
LEVELS = {
    "llvm -mcpu=cascadelake": "avx512vnni",
    "llvm -mcpu=alderlake": "avxvnni",
    "llvm -mcpu=x86-64-v3": "avx2",
}


def product(m: int | str, k: int, n: int, *, seed: int = 0) -> tuple[onnx.ModelProto, np.ndarray]:
    """Return a MatMulInteger of unsigned rows by constant signed weights, and the weights."""
    weights = np.random.default_rng(seed).integers(-128, 128, (k, n)).astype(np.int8)
    return onnx_model(
        [helper.make_node("MatMulInteger", ["x", "w"], ["y"])],
        {"x": (onnx.TensorProto.UINT8, [m, k])},
        weights={"w": weights},
        opset=21,
    ), weights


def expect_products(mod: tilewright.CompiledModule, rows: int, weights: np.ndarray) -> None:
    x = np.random.default_rng(1).integers(0, 256, (rows, len(weights))).astype(np.uint8)
    x[: rows // 2] |= 0xF0  # large sums
    expected = x.astype(np.int32) @ weights.astype(np.int32)
    np.testing.assert_array_equal(mod.run([x])[0], expected)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("m", "k", "n"),
    [
        (24, 64, 128), (13, 96, 70), (7, 1024, 33), (40, 2048, 64), (1, 64, 48), (3, 20, 17),
        (5, 4, 16), (64, 4096, 80), (130, 128, 96), (9, 32, 9), (54, 361, 81), (7, 30, 64),
        (16, 64, 433),  # the last panel has one column
    ],
)  # fmt: skip
def test_products_of_bytes_equal_numpy(m: int, k: int, n: int) -> None:
    model, weights = product(m, k, n)
    mod = tilewright.compile(model, threads=2, strict_plan=True)
    if HOST.has("avx512vnni"):
        assert "vpdpbusd" in mod.get_source("asm")
    expect_products(mod, m, weights)


@pytest.mark.parametrize(("target", "feature"), LEVELS.items())
def test_the_plan_uses_the_dot_product_of_the_level(target: str, feature: str) -> None:
    model, weights = product(12, 64, 64)
    text = source_at(model, "asm", target=target, strict_plan=True)
    assert ("vpdpbusd" in text) is (feature != "avx2")
    assert ("zmm" in text) is (feature == "avx512vnni")
    if HOST.has(feature):
        expect_products(tilewright.compile(model, target=target), 12, weights)


def test_a_symbolic_number_of_rows_keeps_the_dot_product() -> None:
    model, weights = product("rows", 256, 96)
    mod = tilewright.compile(model, strict_plan=True)
    if HOST.has("avx512vnni"):
        assert "vpdpbusd" in mod.get_source("asm")
    for rows in (1, 2, 7, 16, 45):
        expect_products(mod, rows, weights)


def test_sums_of_rest_terms_are_padded_where_enough_products_read_the_copy() -> None:
    for columns, is_padded in ((64, True), (4, False)):
        model, weights = product(6, 31, columns)
        text = source_at(model, "asm", target="llvm -mcpu=cascadelake")
        assert ("vpdpbusd" in text) is is_padded
        expect_products(tilewright.compile(model, strict_plan=True), 6, weights)


def test_schedule_files_hold_the_intrinsic_that_the_plan_chose() -> None:
    model, _ = product(12, 64, 64)
    text = source_at(model, "sched", target="llvm -mcpu=cascadelake")
    assert text.count("te.intrinsic @vpdpbusd") == 1
    assert "sched.tensorize" in text


def batched(
    shape: tuple[int, int, int, int], left: np.dtype, right: np.dtype, *, transposed: bool
) -> onnx.ModelProto:
    """Return a MatMulInteger of two inputs; shape: batch, rows, terms, columns."""
    b, m, k, n = shape
    types = [helper.np_dtype_to_tensor_dtype(dtype) for dtype in (left, right)]
    nodes = [helper.make_node("MatMulInteger", ["x", "t" if transposed else "w"], ["y"])]
    if transposed:
        nodes.insert(0, helper.make_node("Transpose", ["w"], ["t"], perm=[0, 2, 1]))
    return onnx_model(
        nodes,
        {"x": (types[0], [b, m, k]), "w": (types[1], [b, n, k] if transposed else [b, k, n])},
        opset=21,
    )


BATCHES = {
    "blocks": (2, 24, 64, 64),
    "rests": (3, 9, 20, 33),
    "long": (1, 130, 256, 80),
    "small": (2, 3, 8, 16),
    "pairs": (2, 12, 14, 40),
}
SIGNS = [("u1", "i1"), ("u1", "u1"), ("i1", "i1"), ("i1", "u1")]
COMPUTED = [
    (f"{name}-{left}-{right}{'-transposed' * transposed}", shape, (left, right), transposed)
    for name, shape in BATCHES.items()
    for left, right in SIGNS
    for transposed in (False, True)
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "case", sampled(COMPUTED, lambda case: case[0], one_in=3, each_family=False)
)
def test_products_of_computed_bytes_equal_numpy(
    case: tuple[str, tuple[int, int, int, int], tuple[str, str], bool],
) -> None:
    _, shape, types, transposed = case
    left, right = map(np.dtype, types)
    mod = tilewright.compile(batched(shape, left, right, transposed=transposed), strict_plan=True)
    if HOST.has("avx512vnni") and shape[1] >= 8:
        assert "vpdpbusd" in mod.get_source("asm")
    b, m, k, n = shape
    rng = np.random.default_rng(0)
    x, w = (
        rng.integers(np.iinfo(t).min, np.iinfo(t).max, size, t, endpoint=True)
        for t, size in ((left, (b, m, k)), (right, (b, n, k) if transposed else (b, k, n)))
    )
    columns = w.transpose(0, 2, 1) if transposed else w
    expected = x.astype(np.int32) @ columns.astype(np.int32)
    np.testing.assert_array_equal(mod.run([x, w])[0], expected)


AVX2 = "llvm -mcpu=x86-64-v3"


@pytest.mark.one_in(4)
@pytest.mark.parametrize("types", [("u1", "i1"), ("u1", "u1"), ("i1", "i1")])
@pytest.mark.parametrize("shape", [(24, 64, 128), (13, 98, 70), (1, 64, 48), (130, 256, 96)])
def test_avx2_multiplies_pairs_of_16_bits(
    shape: tuple[int, int, int], types: tuple[str, str]
) -> None:
    left, right = map(np.dtype, types)
    m, k, n = shape
    rng = np.random.default_rng(0)
    x, w = (
        rng.choice([np.iinfo(t).min, np.iinfo(t).max, 1], size).astype(t)
        for t, size in ((left, (m, k)), (right, (k, n)))
    )
    model = onnx_model(
        [helper.make_node("MatMulInteger", ["x", "w"], ["y"])],
        {"x": (helper.np_dtype_to_tensor_dtype(left), [m, k])},
        weights={"w": w},
        opset=21,
    )
    if not HOST.has("avx2"):
        pytest.skip("this machine has no avx2")
    mod = tilewright.compile(model, target=AVX2, strict_plan=True)
    np.testing.assert_array_equal(mod.run([x])[0], x.astype(np.int32) @ w.astype(np.int32))
    text = mod.get_source("asm")
    assert "vpmaddwd" in text
    assert "vpmaddubsw" not in text  # sums of two products would saturate


def test_avx2_reads_far_weights_as_bytes_for_few_rows() -> None:
    model, _ = product(1, 1024, 1024)
    assert "vpmaddubsw" in source_at(model, "asm", target=AVX2, strict_plan=True)
    model, _ = product(8, 1024, 1024)
    assert "vpmaddubsw" not in source_at(model, "asm", target=AVX2, strict_plan=True)
