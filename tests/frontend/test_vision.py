"""Converters of spatial operators as machine code, against onnxruntime."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from onnx import shape_inference

from tilewright.testing.worker import Worker

from .test_importer import model_of, node

NATIVE = str(Path(__file__).with_name("native.py"))


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with Worker() as made:
        yield made


def floats(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def check(worker, model, arrays, tolerance=1e-4):
    names = [value.name for value in model.graph.input]
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    wanted = session.run(None, dict(zip(names, arrays, strict=True)))
    typed = shape_inference.infer_shapes(model).SerializeToString()
    for got, want in zip(worker.call(f"{NATIVE}:run", typed, tuple(arrays)), wanted, strict=True):
        assert got.dtype == want.dtype
        np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)


TRANSPOSED = {
    "k2": ((8, 8, 2, 2), {"strides": [2, 2]}),
    "k3": ((8, 8, 3, 3), {"strides": [2, 2], "pads": [1] * 4, "output_padding": [1, 1]}),
    "k4": ((8, 3, 4, 4), {"strides": [2, 2], "pads": [1] * 4}),
    "groups": ((8, 4, 3, 4), {"strides": [2, 1], "group": 2, "pads": [1, 0, 0, 2]}),
    "depthwise": ((8, 1, 4, 4), {"strides": [2, 2], "group": 8, "pads": [1] * 4}),
    "dilated": ((8, 2, 3, 2), {"strides": [2, 3], "dilations": [2, 2]}),
    "output_shape": ((8, 2, 3, 3), {"strides": [2, 3], "output_shape": [10, 16]}),
    "same_upper": ((8, 2, 3, 3), {"strides": [2, 2], "auto_pad": "SAME_UPPER"}),
    "plain": ((8, 8, 3, 3), {"pads": [1] * 4}),
}


@pytest.mark.parametrize("form", TRANSPOSED)
def test_conv_transpose_with_constant_weights(form, worker):
    shape, attributes = TRANSPOSED[form]
    channels = shape[1] * attributes.get("group", 1)
    model = model_of(
        [
            node("Relu", ["x"], ["a"]),
            node("ConvTranspose", ["a", "w", "b"], ["c"], **attributes),
            node("Relu", ["c"]),
        ],
        {"x": [2, 8, 5, 6]},
        weights={"w": floats(*shape), "b": floats(channels)},
        opset=18,
    )
    check(worker, model, [floats(2, 8, 5, 6, seed=1)])
