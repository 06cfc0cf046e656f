"""Quantized operators as machine code, against onnxruntime."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from onnx import helper, shape_inference
from onnx.reference import ReferenceEvaluator

from tilewright.testing.worker import Worker

from .test_importer import model_of, node

NATIVE = str(Path(__file__).with_name("native.py"))
RNG = np.random.default_rng(0)


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with Worker() as made:
        yield made


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
    model = model_of([node(op, arrays, outputs, **attributes)], types, outputs, weights=weights)
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
    model = model_of(nodes, {"x": [3, 7, 5]}, ("q", "y"), weights=arrays, opset=21)
    results = worker.call(f"{NATIVE}:run", model.SerializeToString(), (x,))
    for got, want in zip(results, ReferenceEvaluator(model).run(None, {"x": x}), strict=True):
        np.testing.assert_array_equal(got, want)
