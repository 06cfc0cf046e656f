"""Narrow products on AArch64: the plan chooses the dot product of each processor."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import helper, numpy_helper

import tilewright
from tilewright.driver.compile import source_at
from tilewright.driver.kernels import compile_kernels
from tilewright.support.diagnostics import TargetError
from tilewright.targets.cpu.intrinsics import INTRINSICS
from tilewright.testing.emulator import EmulatedProgram

A72, N1, V1, N2 = (
    f"llvm -mcpu={cpu}" for cpu in ("cortex-a72", "neoverse-n1", "neoverse-v1", "neoverse-n2")
)
BF16 = np.dtype(ml_dtypes.bfloat16)
BYTES = {"u1": (0, 255), "i1": (-128, 127)}


def model_of(
    nodes: list[onnx.NodeProto],
    inputs: Mapping[str, np.ndarray],
    result: np.dtype,
    weights: Mapping[str, np.ndarray],
) -> onnx.ModelProto:
    def value(name: str, dtype: np.dtype, shape: tuple[int, ...] | None) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(dtype), shape)

    graph = helper.make_graph(
        nodes,
        "model",
        [value(name, x.dtype, x.shape) for name, x in inputs.items()],
        [value("y", result, None)],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    opset = helper.make_opsetid("", 22)
    return helper.make_model(graph, opset_imports=[opset], ir_version=10)


def random_bytes(kind: str, *shape: int) -> np.ndarray:
    """Return bytes with many extremes, so that sums of 16 bits would saturate."""
    rng = np.random.default_rng(len(shape))
    low, high = BYTES[kind]
    plain = rng.integers(low, high, shape, endpoint=True)
    return np.where(rng.random(shape) < 0.5, rng.choice([low, high], shape), plain).astype(kind)


def emulated(model: onnx.ModelProto, target: str, *inputs: np.ndarray) -> np.ndarray:
    (got,) = EmulatedProgram(compile_kernels(model, target=target))(*inputs)
    return got


def dots_of(text: str) -> set[str]:
    """Return the dot products in an assembly."""
    return {name for name in INTRINSICS if re.search(rf"\b{name}\tv", text)}


CHOICES = [
    (N1, "i1", "i1", "sdot"),
    (N1, "u1", "i1", "sdot"),
    (N1, "u1", "u1", "sdot"),
    (N1, "i1", "u1", "sdot"),
    (V1, "i1", "i1", "sdot"),
    (V1, "u1", "i1", "usdot"),
    (N2, "u1", "u1", "usdot"),
    (A72, "u1", "i1", None),
    (A72, "i1", "i1", None),
]


@pytest.mark.parametrize(("target", "left", "right", "dot"), CHOICES)
@pytest.mark.parametrize("computed", [False, True])
def test_products_of_bytes_use_the_dot_product(
    target: str, left: str, right: str, dot: str | None, computed: bool
) -> None:
    x, w = random_bytes(left, 2, 13, 24), random_bytes(right, *((2,) * computed), 24, 21)
    given, weights = ({"x": x, "w": w}, {}) if computed else ({"x": x}, {"w": w})
    nodes = [helper.make_node("MatMulInteger", ["x", "w"], ["y"])]
    model = model_of(nodes, given, np.dtype("i4"), weights)
    assert dots_of(source_at(model, "asm", target=target, strict_plan=True)) == {dot} - {None}
    got = emulated(model, target, *given.values())
    np.testing.assert_array_equal(got, x.astype(np.int32) @ w.astype(np.int32))


@pytest.mark.parametrize("target", [N1, V1])
def test_sums_that_are_no_whole_steps_have_other_code(target: str) -> None:
    x, w = random_bytes("u1", 9, 30), random_bytes("i1", 30, 12)
    nodes = [helper.make_node("MatMulInteger", ["x", "w"], ["y"])]
    model = model_of(nodes, {"x": x}, np.dtype("i4"), {"w": w})
    text = source_at(model, "asm", target=target, strict_plan=True)
    assert not dots_of(text)
    assert "\teor\tv" not in text, "no byte is flipped in vain"
    np.testing.assert_array_equal(emulated(model, target, x), x.astype(np.int32) @ w)


@pytest.mark.parametrize(("target", "dot"), [(N1, "sdot"), (V1, "usdot"), (A72, None)])
@pytest.mark.parametrize(("groups", "stride"), [(1, 1), (2, 2)])
def test_convolutions_of_bytes_use_the_dot_product(
    target: str, dot: str | None, groups: int, stride: int
) -> None:
    x, w = random_bytes("u1", 1, 16, 9, 8), random_bytes("i1", 24, 16 // groups, 3, 3)
    attributes = {"pads": [1] * 4, "strides": [stride] * 2, "group": groups}
    nodes = [helper.make_node("ConvInteger", ["x", "w", "zero"], ["y"], **attributes)]
    model = model_of(nodes, {"x": x}, np.dtype("i4"), {"w": w, "zero": np.uint8(93)})
    assert dots_of(source_at(model, "asm", target=target, strict_plan=True)) == {dot} - {None}
    padded = np.pad(x.astype(np.int32) - 93, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded[0], (3, 3), axis=(1, 2))
    parts = windows[:, ::stride, ::stride]
    parts = parts.reshape(groups, 16 // groups, *parts.shape[1:])
    filters = w.astype(np.int32).reshape(groups, -1, *w.shape[1:])
    expected = np.einsum("gchwrs,gocrs->gohw", parts, filters).reshape(1, 24, *parts.shape[2:4])
    np.testing.assert_array_equal(emulated(model, target, x), expected)


@pytest.mark.parametrize(("target", "dot"), [(V1, "bfdot"), (N2, "bfdot"), (N1, None)])
def test_products_of_bf16_use_the_dot_product(target: str, dot: str | None) -> None:
    rng = np.random.default_rng(0)
    x, w = (rng.standard_normal(shape).astype(BF16) for shape in ((11, 48), (48, 20)))
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["p"]),
        helper.make_node("Cast", ["p"], ["y"], to=onnx.TensorProto.FLOAT),
    ]
    model = model_of(nodes, {"x": x}, np.dtype("f4"), {"w": w})
    assert dots_of(source_at(model, "asm", target=target, strict_plan=True)) == {dot} - {None}
    strict = source_at(model, "asm", target=target, precision="strict")
    assert not dots_of(strict)
    exact = x.astype(np.float64) @ w.astype(np.float64)
    np.testing.assert_allclose(emulated(model, target, x), exact, rtol=2.0**-8, atol=1e-5)


def layers() -> tuple[onnx.ModelProto, np.ndarray]:
    """Return a convolution, a residual one, a mean and a product in f32, and an input."""
    rng = np.random.default_rng(3)
    x = rng.standard_normal((1, 8, 10, 9), np.float32)
    weights = {
        "v": rng.standard_normal((16, 8, 3, 3), np.float32) / 8,
        "w": rng.standard_normal((16, 16, 1, 1), np.float32) / 4,
        "b": rng.standard_normal(16, np.float32),
        "u": rng.standard_normal((16, 12), np.float32) / 4,
    }
    nodes = [
        helper.make_node("Conv", ["x", "v", "b"], ["c"], pads=[1] * 4),
        helper.make_node("Relu", ["c"], ["r"]),
        helper.make_node("Conv", ["r", "w"], ["d"]),
        helper.make_node("Add", ["d", "r"], ["a"]),
        helper.make_node("GlobalAveragePool", ["a"], ["g"]),
        helper.make_node("Flatten", ["g"], ["f"]),
        helper.make_node("MatMul", ["f", "u"], ["y"]),
    ]
    return model_of(nodes, {"x": x}, np.dtype("f4"), weights), x


@pytest.fixture(scope="module")
def quantized(tmp_path_factory: pytest.TempPathFactory) -> tuple[onnx.ModelProto, np.ndarray]:
    model, x = layers()
    file: Path = tmp_path_factory.mktemp("quantized") / "model.onnx"
    tilewright.quantize(model, [{"x": x}], file)
    return onnx.load(file), x


@pytest.mark.parametrize(("target", "dot"), [(N1, "sdot"), (V1, "usdot"), (A72, None)])
def test_quantized_models_equal_the_interpreter(
    quantized: tuple[onnx.ModelProto, np.ndarray], target: str, dot: str | None
) -> None:
    model, x = quantized
    text = source_at(model, "asm", target=target, strict_plan=True)
    assert dots_of(text) == {dot} - {None}
    (expected,) = tilewright.compile(model, target="interpreter").run([x])
    got = emulated(model, target, x)
    # The interpreter multiplies dequantized numbers, so that the last product is rounded otherwise.
    np.testing.assert_allclose(got, expected, rtol=1e-5)
    (same,) = tilewright.compile(model, target="x86-64").run([x])
    np.testing.assert_array_equal(got, same)


def test_precision_bf16_rounds_the_operands_of_products() -> None:
    model, x = layers()
    text = source_at(model, "asm", target=V1, precision="bf16", strict_plan=True)
    assert dots_of(text) == {"bfdot"}
    (expected,) = onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"x": x})
    (got,) = EmulatedProgram(compile_kernels(model, target=V1, precision="bf16"))(x)
    np.testing.assert_allclose(got, expected, atol=2e-2)
    with pytest.raises(TargetError, match="bf16 of AArch64"):
        source_at(model, "asm", target=N1, precision="bf16")
