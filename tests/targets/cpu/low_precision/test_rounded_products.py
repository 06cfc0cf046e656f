"""precision="bf16": products of f32 round their operands to bf16 and sum in f32."""

from __future__ import annotations

import re

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import helper

import tilewright
from tilewright.driver.report.texts import source_at
from tilewright.machines.target import Target
from tilewright.support.diagnostics import TargetError

from ....onnx_models import onnx_model

ZEN4 = "llvm -mcpu=znver4"
PRECISION = "bf16" if Target.native().has("avx512bf16") else "bf16-forced"
"""The emulation gives the same operands, so other machines test it."""


def model_of(
    nodes: list[onnx.NodeProto], x: list[int | str], weights: dict[str, np.ndarray]
) -> onnx.ModelProto:
    return onnx_model(nodes, {"x": x}, weights=weights, opset=21)


def product(x: list[int | str], n: int) -> tuple[onnx.ModelProto, np.ndarray]:
    """Return ``x w`` with constant w, and w."""
    k = x[-1]
    assert isinstance(k, int)
    w = np.random.default_rng(0).standard_normal((k, n)).astype(np.float32)
    return model_of([helper.make_node("MatMul", ["x", "w"], ["y"])], x, {"w": w}), w


def rounded(x: np.ndarray) -> np.ndarray:
    return x.astype(ml_dtypes.bfloat16).astype(np.float64)


def expect_rounded_sums(got: np.ndarray, x: np.ndarray, w: np.ndarray) -> None:
    """Compare with exact sums of rounded operands; and with the bound for exact operands."""
    exact = x.astype(np.float64) @ w
    magnitude = np.abs(x).astype(np.float64) @ np.abs(w)
    sums = 2.0**-24 * x.shape[-1] * magnitude
    assert (np.abs(got - rounded(x) @ rounded(w)) <= sums).all()
    error = np.abs(got - exact)
    assert (error <= (2.0**-7 + 2.0**-16) * magnitude + sums).all()
    # Sums of f32 would have no such errors.
    assert np.linalg.norm(error) > 1e-3 * np.linalg.norm(exact)


@pytest.mark.parametrize(
    ("shape", "n"),
    [((24, 64), 128), ((13, 96), 70), ((1, 128), 48), ((2, 5, 2050), 33), ((16, 64), 433)],
)
def test_operands_are_rounded_and_sums_are_not(shape: tuple[int, ...], n: int) -> None:
    model, w = product(list(shape), n)
    x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
    mod = tilewright.compile(model, precision=PRECISION, strict_plan=True)
    expect_rounded_sums(mod(x).numpy(), x, w)


def test_a_symbolic_number_of_rows_is_right() -> None:
    model, w = product(["rows", 64], 96)
    mod = tilewright.compile(model, precision=PRECISION, strict_plan=True)
    for rows in (1, 9, 40):
        x = np.random.default_rng(rows).standard_normal((rows, 64)).astype(np.float32)
        expect_rounded_sums(mod(x).numpy(), x, w)


@pytest.mark.parametrize("size", [1, 3])
def test_convolutions_are_rounded(size: int) -> None:
    rng = np.random.default_rng(2)
    w = rng.standard_normal((96, 48, size, size)).astype(np.float32)
    x = rng.standard_normal((1, 48, 9, 10)).astype(np.float32)
    pads = [size // 2] * 4
    # Strides leave no other algorithm for 3x3.
    node = helper.make_node("Conv", ["x", "w"], ["y"], pads=pads, strides=[2, 2])
    model = model_of([node], list(x.shape), {"w": w})
    got = tilewright.compile(model, precision=PRECISION, strict_plan=True)(x).numpy()
    p = size // 2
    padded = np.pad(x, ((0, 0), (0, 0), (p, p), (p, p)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (size, size), axis=(2, 3))
    columns = windows[:, :, ::2, ::2].transpose(0, 2, 3, 1, 4, 5).reshape(25, -1)
    expect_rounded_sums(got[0].reshape(96, 25).T, columns, w.reshape(96, -1).T)
    if PRECISION == "bf16":
        assert "vdpbf16ps" in source_at(model, "asm", precision="bf16")


def test_winograd_tiles_stay_f32_before_a_rounded_product() -> None:
    rng = np.random.default_rng(0)
    weights = {
        "w": rng.standard_normal((64, 64, 3, 3)).astype(np.float32),
        "v": rng.standard_normal((64, 64, 1, 1)).astype(np.float32),
    }
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["t"], pads=[1] * 4),
        helper.make_node("Conv", ["t", "v"], ["y"]),
    ]
    model = model_of(nodes, [1, 64, 28, 28], weights)
    text = source_at(model, "te", target=ZEN4, precision="bf16", strict_plan=True)
    assert text.count("role(winograd") == 1
    assert text.count(": bf16") > 0


def test_other_operators_stay_f32() -> None:
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["t"]),
        helper.make_node("Softmax", ["t"], ["s"]),
        helper.make_node("ReduceMax", ["x"], ["m"], keepdims=1),
        helper.make_node("Mul", ["s", "m"], ["y"]),
    ]
    w = np.ones((32, 48), np.float32)
    x = np.random.default_rng(0).standard_normal((16, 32)).astype(np.float32)
    model = model_of(nodes, [16, 32], {"w": w})
    got = tilewright.compile(model, precision=PRECISION, strict_plan=True)(x).numpy()
    # Equal weights make equal sums, so the softmax is 1/48 and the maximum is exact.
    np.testing.assert_allclose(got, np.full((16, 48), x.max() / 48), rtol=1e-6)


def test_the_machine_multiplies_bf16() -> None:
    model, _ = product([24, 64], 128)
    text = source_at(model, "asm", target=ZEN4, precision="bf16", strict_plan=True)
    assert "vdpbf16ps" in text
    assert "vfmadd" not in text
    assert "vdpbf16ps" not in source_at(model, "asm", target=ZEN4)


def test_odd_sums_stay_f32() -> None:
    model, _ = product([24, 63], 128)
    text = source_at(model, "asm", target=ZEN4, precision="bf16", strict_plan=True)
    assert "vdpbf16ps" not in text
    assert "vfmadd" in text


def test_machines_without_the_instruction_are_refused_unless_forced() -> None:
    model, _ = product([24, 64], 128)
    with pytest.raises(TargetError, match="more slowly than f32") as caught:
        tilewright.compile(model, target="llvm -mcpu=icelake-server", precision="bf16")
    assert "bf16-forced" in str(caught.value)
    with pytest.raises(TargetError, match="no products of bf16"):
        tilewright.compile(model, target="interpreter", precision="bf16")
    forced = source_at(model, "asm", target="llvm -mcpu=icelake-server", precision="bf16-forced")
    assert "vdpbf16ps" not in forced
    assert "vfmadd" in forced


def test_forced_rounding_is_that_of_the_instruction() -> None:
    model, w = product([13, 96], 70)
    x = np.random.default_rng(1).standard_normal((13, 96)).astype(np.float32)
    mattr = "" if not Target.native().has("avx512bf16") else "-avx512bf16"
    here = str(Target.native())
    target = here.replace("+avx512bf16", mattr) if mattr else here
    mod = tilewright.compile(model, target=target, precision="bf16-forced", strict_plan=True)
    expect_rounded_sums(mod(x).numpy(), x, w)


def attention(
    shape: tuple[int, int, int], *, mask: list[int] | None = None, **given: int
) -> onnx.ModelProto:
    """Return attention of heads in one dimension; shape: heads, queries and keys, features."""
    heads, length, size = shape
    dims: list[int | str] = [1, length, heads * size]
    inputs = ["q", "k", "v"] + (["mask"] if mask else [])
    node = helper.make_node(
        "Attention", inputs, ["y"], q_num_heads=heads, kv_num_heads=heads, **given
    )
    model = model_of([node], dims, {})
    del model.graph.input[:]
    shapes = [dims, dims, dims, *([mask] if mask else [])]
    for name, each in zip(inputs, shapes, strict=True):
        value = helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, each)
        model.graph.input.append(value)
    model.opset_import[0].version = 23
    return model


def kernels_of(model: onnx.ModelProto, target: str) -> list[str]:
    """Return the computes of the kernels of a model in order."""
    text = source_at(model, "te", target=target, precision="bf16")
    return re.findall(r"te\.compute @(\w+)", text)


def test_attention_rounds_its_operands_where_that_pays() -> None:
    rounded_attention = ["narrow"] * 3 + ["attention_scores"]
    assert kernels_of(attention((4, 32, 64)), ZEN4)[:4] == rounded_attention
    # A sum over an odd number of keys has one more term, of zeros.
    assert kernels_of(attention((4, 33, 64)), ZEN4)[:5] == ["narrow", *rounded_attention]
    # Few features; few queries and keys; keys that are skipped; scores that exceed the caches.
    for model in (
        attention((4, 32, 16)),
        attention((4, 8, 64)),
        attention((4, 32, 64), is_causal=1),
        attention((16, 1024, 64)),
    ):
        assert "narrow" not in kernels_of(model, ZEN4)
    assert "narrow" not in kernels_of(attention((4, 32, 64)), f"{ZEN4} -mattr=+amx-tile,+amx-bf16")


@pytest.mark.parametrize(("length", "mask"), [(32, None), (32, [4, 32, 32]), (33, None)])
def test_rounded_attention_is_close(length: int, mask: list[int] | None) -> None:
    if PRECISION != "bf16":
        pytest.skip("this machine has no avx512bf16")
    heads, size = 4, 64
    model = attention((heads, length, size), mask=mask)
    rng = np.random.default_rng(1)
    arrays = [rng.standard_normal((1, length, heads * size)).astype(np.float32) for _ in range(3)]
    arrays += [rng.standard_normal(mask).astype(np.float32)] if mask else []
    module = tilewright.compile(model, precision="bf16", threads=1)
    assert ("attention_scores",) in [kernel.ops for kernel in module.kernels]
    q, k, v = (a.reshape(length, heads, size).swapaxes(0, 1) for a in arrays[:3])
    scores = rounded(q) @ rounded(k).swapaxes(1, 2) / 8 + (arrays[3] if mask else 0)
    exps = np.exp(scores - scores.max(axis=2, keepdims=True))
    exact = (rounded(exps.astype(np.float32)) @ rounded(v)) / exps.sum(axis=2, keepdims=True)
    got = np.asarray(module(*arrays))[0].reshape(length, heads, size).swapaxes(0, 1)
    # Exponentials at the border between two bf16 numbers may be rounded to either.
    assert np.linalg.norm(got - exact) < 1e-3 * np.linalg.norm(exact)


def test_conversions_are_no_operations() -> None:
    model, _ = product([64, 32], 48)
    counts = []
    for precision in ("default", PRECISION):
        module = tilewright.compile(model, precision=precision, threads=1)
        counts.append(sum(kernel.flops * kernel.calls for kernel in module.kernels))
    assert counts == [2 * 64 * 32 * 48] * 2
