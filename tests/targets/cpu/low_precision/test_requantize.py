"""Conversions of sums and floats to bytes: the bits of onnxruntime, in few instructions."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import tilewright
from tilewright.driver.report.texts import source_at

from ....onnx_models import onnx_model
from ....peer import peer_results

SCALES = [
    (0.1, 0.3, 0.06),
    (0.1, 0.3, 0.3),
    (0.02, 0.7, 0.028),
    (0.3, 0.1, 0.009),
    (0.7, 0.7, 1.96),
]
"""Scales of x, weights and result whose quotients are near 1/2, 1/10, 10/3 or 1/4: near-ties."""


def model_of(
    op_type: str,
    inputs: dict[str, np.ndarray],
    shape: tuple[int, ...],
    given: int,
    to: int,
    **kind: int,
) -> onnx.ModelProto:
    """Return a model of one node; its input ``x`` is given, all others are constants."""
    node = helper.make_node(op_type, ["x", *inputs], ["y"], **kind)
    return onnx_model([node], {"x": (given, shape)}, weights=inputs, opset=21)


def product(scales: tuple[float, float, float], zero: int, signed: bool) -> onnx.ModelProto:
    """Return a QLinearMatMul of 32 terms whose zero points of x and weights are 0."""
    to = np.int8 if signed else np.uint8
    weights = np.random.default_rng(0).integers(-4, 5, (32, 64)).astype(np.int8)
    x_scale, weight_scale, y_scale = map(np.float32, scales)
    inputs = {
        "sx": x_scale, "zx": to(0), "w": weights, "sw": weight_scale, "zw": np.int8(0),
        "sy": y_scale, "zy": to(zero),
    }  # fmt: skip
    types = TensorProto.INT8 if signed else TensorProto.UINT8
    return model_of(
        "QLinearMatMul", {n: np.asarray(v) for n, v in inputs.items()}, (500, 32), types, types
    )


def expect_onnxruntime(model: onnx.ModelProto, x: np.ndarray) -> np.ndarray:
    (expected,) = peer_results(model, {"x": x})
    got = tilewright.compile(model, strict_plan=True).run([x])[0]
    np.testing.assert_array_equal(got, expected)
    return expected


@pytest.mark.parametrize("scales", SCALES)
@pytest.mark.parametrize("zero", [0, 3, 128])
def test_near_ties_of_products_equal_onnxruntime(
    scales: tuple[float, float, float], zero: int
) -> None:
    x = np.random.default_rng(1).integers(0, 12, (500, 32)).astype(np.uint8)
    expect_onnxruntime(product(scales, zero, signed=False), x)


def test_products_of_signed_bytes_equal_onnxruntime() -> None:
    x = np.random.default_rng(1).integers(-12, 12, (500, 32)).astype(np.int8)
    expect_onnxruntime(product(SCALES[0], -7, signed=True), x)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint16, np.int16])
@pytest.mark.parametrize("zero", [0, 5, 100])
def test_floats_are_rounded_to_even_and_saturate(dtype: type[np.integer], zero: int) -> None:
    info = np.iinfo(dtype)
    zero = zero + info.min if zero else 0
    ends = [s * v for s in (1, -1) for v in (0.5, 1.5, 2.5, 126.5, 2e9, 3e9, 1e30, np.inf, 1e-30)]
    limits = [info.min - zero + d for d in (-0.5, 0, 0.5)] + [
        info.max - zero + d for d in (-0.5, 0.5)
    ]
    x = np.resize(np.array([*ends, *limits, np.nan], np.float32), (7, 41))
    inputs = {"scale": np.array(1, np.float32), "zero": np.array(zero, dtype)}
    to = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    model = model_of("QuantizeLinear", inputs, x.shape, TensorProto.FLOAT, to)
    got = tilewright.compile(model, strict_plan=True).run([x])[0]
    finite = np.nan_to_num(x.astype(np.float64), nan=-zero)
    expected = np.clip(np.rint(finite) + zero, info.min, info.max)
    known = ~np.isnan(x)  # NaN gives an arbitrary integer
    np.testing.assert_array_equal(np.asarray(got)[known], expected.astype(dtype)[known])


def test_a_requantized_sum_takes_seven_instructions() -> None:
    model = product(SCALES[2], 3, signed=False)
    text = source_at(model, "asm", target="llvm -mcpu=cascadelake", strict_plan=True)
    _, _, behind = text.rpartition("vpdpbusd")
    lines = [line.split() for line in behind.splitlines() if "\tv" in line]
    stores = [n for n, line in enumerate(lines) if line[0] == "vpmovdb"]
    first, second = stores[4:6]  # the loads of shared scales are done
    names = [line[0] for line in lines[first + 1 : second + 1]]
    assert names == [
        "vcvtdq2ps", "vmulps", "vmaxps", "vminps", "vcvtps2dq", "vpaddd", "vpmovdb"
    ]  # fmt: skip


def bounded_convolution(bounds: list[float]) -> onnx.ModelProto:
    """Return a quantized convolution with bounds where its quantization saturates."""
    rng = np.random.default_rng(0)
    w = rng.integers(-60, 61, (16, 8, 3, 3)).astype(np.int8)
    scales = {"sx": 0.1, "sw": 0.3, "sy": 0.06}
    stored = {name: np.float32(scale) for name, scale in scales.items()}
    stored |= {"zx": np.uint8(4), "zw": np.int8(0), "zy": np.uint8(0), "w": w}
    stored |= {name: np.float32(x) for name, x in zip(("low", "high"), bounds, strict=False)}
    clip = ["c", *(name for name in ("low", "high") if name in stored)]
    nodes = [
        helper.make_node("DequantizeLinear", ["x", "sx", "zx"], ["dx"]),
        helper.make_node("DequantizeLinear", ["w", "sw", "zw"], ["dw"]),
        helper.make_node("Conv", ["dx", "dw"], ["c"], pads=[1, 1, 1, 1]),
        helper.make_node("Clip", clip, ["r"]) if bounds else helper.make_node("Relu", ["c"], ["r"]),
        helper.make_node("QuantizeLinear", ["r", "sy", "zy"], ["y"]),
    ]
    x = helper.make_tensor_value_info("x", TensorProto.UINT8, (1, 8, 14, 14))
    y = helper.make_tensor_value_info("y", TensorProto.UINT8, (1, 16, 14, 14))
    weights = [numpy_helper.from_array(np.asarray(v), n) for n, v in stored.items()]
    graph = helper.make_graph(nodes, "bounded", [x], [y], weights)
    opset = helper.make_opsetid("", 21)
    return helper.make_model(graph, opset_imports=[opset], ir_version=10)


@pytest.mark.parametrize("bounds", [[], [0.0, 16.0], [-1.0, 15.3]])
def test_bounds_of_quantized_convolutions_are_those_of_their_bytes(bounds: list[float]) -> None:
    model = bounded_convolution(bounds)
    x = np.random.default_rng(1).integers(0, 12, (1, 8, 14, 14)).astype(np.uint8)
    expected = expect_onnxruntime(model, x)
    assert (expected == 0).any()
    assert (expected == 255).any()
    text = source_at(model, "graph", strict_plan=True)
    assert "graph.max" not in text
    assert "graph.min" not in text
