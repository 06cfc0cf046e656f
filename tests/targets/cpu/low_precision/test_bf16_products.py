"""Products of bf16: dot products of pairs where the machine has them, f32 elsewhere."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import tilewright
from tilewright.driver.report.texts import source_at
from tilewright.machines.target import Target

from ....onnx_models import onnx_model

BF16 = np.dtype(ml_dtypes.bfloat16)


def product(m: int | str, k: int, n: int) -> tuple[onnx.ModelProto, np.ndarray]:
    """Return ``x w + b`` in bf16 with constant w and b = 1, and w."""
    rng = np.random.default_rng(0)
    weights = (rng.standard_normal((k, n)) / np.sqrt(k)).astype(BF16)
    return onnx_model(
        [helper.make_node("MatMul", ["x", "w"], ["t"]), helper.make_node("Add", ["t", "b"], ["y"])],
        {"x": (TensorProto.BFLOAT16, [m, k])},
        weights={"w": weights, "b": np.ones(n, BF16)},
        opset=21,
    ), weights


def expect_sums(mod: tilewright.CompiledModule, rows: int, weights: np.ndarray) -> None:
    x = np.random.default_rng(1).standard_normal((rows, len(weights))).astype(BF16)
    got = np.asarray(mod.run([x])[0]).astype(np.float64)
    # The product is rounded to bf16, and the sum with b again.
    exact = (x.astype(np.float64) @ weights.astype(np.float64)).astype(BF16) + np.ones(1, BF16)
    np.testing.assert_allclose(got, exact.astype(np.float64), rtol=0.02, atol=0.02)
    close = np.abs(got - exact.astype(np.float64)) == 0
    assert close.mean() > 0.9  # other orders of a sum round few results differently


@pytest.mark.parametrize(
    ("m", "k", "n"), [(24, 64, 128), (13, 96, 70), (1, 128, 48), (5, 2050, 33), (7, 31, 40)]
)
def test_products_of_bf16_are_sums_of_f32(m: int, k: int, n: int) -> None:
    model, weights = product(m, k, n)
    expect_sums(tilewright.compile(model, strict_plan=True), m, weights)


def test_a_symbolic_number_of_rows_is_right() -> None:
    model, weights = product("rows", 64, 96)
    mod = tilewright.compile(model, strict_plan=True)
    for rows in (1, 9, 40):
        expect_sums(mod, rows, weights)


def test_the_machine_multiplies_bf16_where_it_can() -> None:
    for terms in (64, 63):
        model, _ = product(24, terms, 128)
        assert "vdpbf16ps" in source_at(model, "asm", target="llvm -mcpu=znver4", strict_plan=True)
    plain = source_at(model, "asm", target="llvm -mcpu=icelake-server", strict_plan=True)
    assert "vdpbf16ps" not in plain
    assert "vfmadd" in plain


def test_strict_sums_are_not_those_of_the_dot_product() -> None:
    model, weights = product(24, 64, 128)
    text = source_at(model, "asm", target="llvm -mcpu=znver4", precision="strict")
    assert "vdpbf16ps" not in text
    if Target.native().has("avx512bf16"):
        expect_sums(tilewright.compile(model, precision="strict"), 24, weights)


def convolution(size: int, stride: int) -> tuple[onnx.ModelProto, np.ndarray]:
    """Return a convolution of bf16 of 64 channels on 12x12, and its weights."""
    rng = np.random.default_rng(0)
    weights = (rng.standard_normal((64, 64, size, size)) / (8 * size)).astype(BF16)
    attributes = {"pads": [size // 2] * 4, "strides": [stride] * 2}
    return onnx_model(
        [helper.make_node("Conv", ["x", "w"], ["y"], **attributes)],
        {"x": (TensorProto.BFLOAT16, [1, 64, 12, 12])},
        weights={"w": weights},
        opset=22,
    ), weights


@pytest.mark.parametrize(("size", "stride"), [(1, 1), (3, 2), (3, 1)])
def test_convolutions_of_bf16_are_sums_of_f32(size: int, stride: int) -> None:
    model, weights = convolution(size, stride)
    x = np.random.default_rng(1).standard_normal((1, 64, 12, 12)).astype(BF16)
    got = np.asarray(tilewright.compile(model, strict_plan=True).run([x])[0]).astype(np.float64)
    p = size // 2
    padded = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (p, p), (p, p)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (size, size), axis=(2, 3))
    windows = windows[0, :, ::stride, ::stride]
    exact = np.einsum("chwrs,ocrs->ohw", windows, weights.astype(np.float64))
    np.testing.assert_allclose(got[0], exact, rtol=2.0**-7, atol=1e-4)


@pytest.mark.parametrize(("size", "stride"), [(1, 1), (3, 2)])
def test_the_machine_multiplies_convolutions_of_bf16(size: int, stride: int) -> None:
    model, _ = convolution(size, stride)
    text = source_at(model, "asm", target="llvm -mcpu=znver4", strict_plan=True)
    assert "vdpbf16ps" in text
