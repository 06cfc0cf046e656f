"""Quantized operators as machine code, against onnxruntime.

Random scales hide wrong formulas. Those of `near_ties` put many results half a step between bytes.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, shape_inference
from onnx.reference import ReferenceEvaluator

import tilewright

from ....onnx_models import node, onnx_model

NATIVE = str(Path(__file__).parents[1] / "native.py")
RNG = np.random.default_rng(0)


def stored(dtype, *shape):
    limits = np.iinfo(dtype)
    return np.asarray(RNG.integers(limits.min, limits.max + 1, shape), dtype)


def scale(*shape):
    return np.asarray(RNG.uniform(0.01, 0.1, shape), np.float32)


MATRICES = {
    "a": stored("uint8", 5, 33),
    "sa": scale(),
    "za": stored("uint8"),
    "b": stored("int8", 33, 18),
    "sb": scale(),
    "zb": stored("int8"),
    "sy": np.array(9, np.float32),
    "zy": stored("uint8"),
}
MAPS = {
    "x": stored("uint8", 1, 4, 9, 9),
    "sx": scale(),
    "zx": stored("uint8"),
    "w": stored("int8", 6, 4, 3, 3),
    "sw": scale(6),
    "zw": np.zeros(6, np.int8),
    "sy": np.array(9, np.float32),
    "zy": stored("uint8"),
    "bias": RNG.integers(-999, 999, 6).astype(np.int32),
}
PADDED = {"pads": [1, 1, 1, 1], "strides": [2, 2]}
FORMS = {
    "QLinearMatMul": (MATRICES, {}),
    "QLinearConv": (MAPS, PADDED),
    "MatMulInteger": ({n: MATRICES[n] for n in ("a", "b", "za", "zb")}, {}),
    "ConvInteger": ({n: MAPS[n] for n in ("x", "w", "zx")}, PADDED),
    "DynamicQuantizeLinear": ({"x": RNG.normal(size=(3, 17)).astype(np.float32)}, {}),
}


@pytest.mark.parametrize("constants", [True, False])
@pytest.mark.parametrize("op", FORMS)
def test_quantized_operators_give_what_onnxruntime_gives(op, constants, worker):
    arrays, attributes = FORMS[op]
    data, *others = arrays
    given = {n: a for n, a in arrays.items() if n == data or not constants}
    types = {n: (helper.np_dtype_to_tensor_dtype(a.dtype), list(a.shape)) for n, a in given.items()}
    weights = {n: arrays[n] for n in others} if constants else {}
    outputs = ("y", "s", "z") if op.startswith("Dynamic") else ("y",)
    model = onnx_model([node(op, arrays, outputs, **attributes)], types, outputs, weights=weights)
    model = shape_inference.infer_shapes(model).SerializeToString()
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    results = worker.call(f"{NATIVE}:run", model, tuple(given.values()))
    for got, want in zip(results, session.run(None, given), strict=True):
        assert got.dtype == want.dtype
        # onnxruntime rounds products of scales in another order: ties may differ by one step.
        np.testing.assert_allclose(
            got.astype(float), want, rtol=1e-6, atol=op.startswith("QLinear")
        )


@pytest.mark.parametrize(("axis", "block"), [(0, 0), (2, 0), (1, 3)])
def test_scales_of_axes_and_blocks_are_those_of_the_standard(axis, block, worker):
    x = RNG.uniform(-9, 9, (3, 7, 5)).astype(np.float32)
    shape = (3, 3, 5) if block else x.shape[axis : axis + 1]
    arrays = {"s": scale(*shape), "z": stored("int16", *shape)}
    options = {"axis": axis, "block_size": block}
    nodes = [
        node("QuantizeLinear", ("x", "s", "z"), ("q",), **options),
        node("DequantizeLinear", ("q", "s", "z"), **options),
    ]
    model = onnx_model(nodes, {"x": [3, 7, 5]}, ("q", "y"), weights=arrays, opset=21)
    results = worker.call(f"{NATIVE}:run", model.SerializeToString(), (x,))
    for got, want in zip(results, ReferenceEvaluator(model).run(None, {"x": x}), strict=True):
        np.testing.assert_array_equal(got, want)


def near_ties(seed: int, shape: tuple[int, ...]) -> dict[str, np.ndarray]:
    """Return parameters of a product of 19 with 48 channels whose results are often ties."""
    rng = np.random.default_rng(seed)
    step, unit = np.float32(0.001) * rng.integers(1, (30, 12)).astype(np.float32)
    channels = shape[0] if len(shape) > 2 else shape[-1]
    scales = (unit * rng.integers(1, 4, channels)).astype(np.float32)
    return {
        "sx": step,
        "zx": rng.integers(0, 256, dtype=np.uint8),
        "w": rng.integers(-127, 128, shape, dtype=np.int8),
        "sw": scales,
        "zw": np.zeros(channels, np.int8),
        "sy": np.float32(step * unit * np.float32(2 * rng.integers(200, 2000))),
        "zy": rng.integers(0, 256, dtype=np.uint8),
        "b": rng.integers(-20000, 20000, channels, dtype=np.int32),
        "sb": (step * scales).astype(np.float32),
    }


def unoptimized(model: onnx.ModelProto, x: np.ndarray) -> np.ndarray:
    """Return onnxruntime's result of the model as it is."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    data = model.SerializeToString()
    session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    return session.run(None, {"x": x})[0]


INTEGER_FORMS = {
    "Conv": ("QLinearConv", "x sx zx w sw zw sy zy b", {"pads": [1, 1, 0, 2], "strides": [2, 1]}),
    "MatMul": ("QLinearMatMul", "x sx zx w sw zw sy zy", {}),
    "Gemm": ("QGemm", "x sx zx w sw zw b sy zy", {}),
}
"""Products, the same with integers, its inputs, and the attributes of both."""


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("op", INTEGER_FORMS)
def test_products_between_pairs_give_the_bytes_of_integer_operators(op, seed, worker):
    integer_form, names, options = INTEGER_FORMS[op]
    arrays = near_ties(seed, (48, 19, 3, 3) if op == "Conv" else (19, 48))
    shape = [1, 19, 9, 11] if op == "Conv" else [33, 19]
    x = np.random.default_rng(seed).integers(0, 256, shape, dtype=np.uint8)
    pairs = [
        node("DequantizeLinear", ("x", "sx", "zx"), ("xf",)),
        node("DequantizeLinear", ("w", "sw", "zw"), ("wf",), axis=0 if op == "Conv" else 1),
        node("DequantizeLinear", ("b", "sb"), ("bf",), axis=0),
        node(op, ("xf", "wf") if op == "MatMul" else ("xf", "wf", "bf"), ("yf",), **options),
        node("QuantizeLinear", ("yf", "sy", "zy")),
    ]
    types = {"x": (TensorProto.UINT8, shape)}
    domain = {"domain": "com.microsoft"} if op == "Gemm" else {}
    linear = onnx_model([node(integer_form, names.split(), **options, **domain)], types, weights={
        name: array for name, array in arrays.items() if name in names.split()
    })  # fmt: skip
    linear.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    model = onnx_model(pairs, types, weights=arrays).SerializeToString()
    (got,) = worker.call(f"{NATIVE}:run", model, (x,))
    np.testing.assert_array_equal(got, unoptimized(linear, x))


@pytest.mark.parametrize("op", ["Conv", "MatMul"])
def test_a_product_of_one_channel_and_a_bias_of_floats_keep_their_factors(op, worker):
    """Add a bias that is no multiple of the product's scale after the sum is scaled."""
    shape, of_x = ((1, 3, 1, 1), [1, 3, 2, 2]) if op == "Conv" else ((1, 1), [1, 1])
    arrays = near_ties(3, shape) | {"bf": np.array([1.25], np.float32)}
    x = np.random.default_rng(3).integers(0, 256, of_x, dtype=np.uint8)
    nodes = [
        node("DequantizeLinear", ("x", "sx", "zx"), ("xf",)),
        node("DequantizeLinear", ("w", "sw", "zw"), ("wf",), axis=0 if op == "Conv" else 1),
        node(op, ("xf", "wf", "bf") if op == "Conv" else ("xf", "wf"), ("yf",)),
        node("QuantizeLinear", ("yf", "sy", "zy")),
    ]
    used = {name: arrays[name] for name in ("sx", "zx", "w", "sw", "zw", "sy", "zy", "bf")}
    model = onnx_model(nodes, {"x": (TensorProto.UINT8, of_x)}, weights=used)
    (got,) = worker.call(f"{NATIVE}:run", model.SerializeToString(), (x,))
    np.testing.assert_array_equal(got, unoptimized(model, x))


def test_large_quantized_weights_are_dequantized_by_the_compiler() -> None:
    """Keep no kernel that dequantizes weights of a product of floats."""
    rng = np.random.default_rng(1)
    weights = {"w": rng.integers(-127, 128, (700, 600), dtype=np.int8), "s": scale(600)}
    nodes = [
        node("DequantizeLinear", ("w", "s"), ("wf",), axis=1),
        node("MatMul", ("x", "wf")),
    ]
    model = onnx_model(nodes, {"x": [3, 700]}, weights=weights)
    assert [op for kernel in tilewright.compile(model).kernels for op in kernel.ops] == ["matmul"]
