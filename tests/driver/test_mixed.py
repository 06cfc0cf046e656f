"""Small models with unusual combinations of operators, against onnx.reference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

from tilewright.testing.worker import WorkerProcess

FILE = Path(__file__).with_name("mixed.py")
HEADER = '<ir_version: 10, opset_import: ["": 20]>'

MODELS = {
    "a constant of positions read by columns": """g (float[4,6] x) => (float[4] y)
        <int64[4,2] at = {3, 1, 0, 5, 3, 4, 0, 4}> { y = GatherND(x, at) }""",
    "a concat read on both sides of its ends": """g (float[9] x, float[5,2] w) => (float[38] y)
        <int64[1] flat = {-1}> {
            a = Abs(x)  b = Reshape(w, flat)  whole = Concat<axis = 0>(a, b)
            y = Concat<axis = 0>(whole, whole) }""",
    "a part of a concat read beyond its end": """g (float[1,1,7,5] x, float[1,1,6,5] w)
        => (float[1,1,19,5] y) <int64[1] from = {1}, int64[1] to = {7}, int64[1] axis = {2}> {
            a = Slice(x, from, to, axis)
            b = LpPool<kernel_shape = [2, 2], pads = [1, 1, 1, 1], dilations = [1, 2]>(a)
            c = Concat<axis = 2>(b, w)  y = Concat<axis = 2>(a, c) }""",
    "a concat of concats in both directions": """g (float[1,2,4,5] x, float[1,2,3,9] w)
        => (float[1,2,7,9] y) <int64[1] from = {0}, int64[1] to = {4}, int64[1] axis = {3}> {
            a = Exp(x)  b = Abs(x)  p = Slice(b, from, to, axis)  q = Tanh(p)
            z = Concat<axis = 3>(a, q)  r = Sin(w)  y = Concat<axis = 2>(z, r) }""",
    "a convolution around a concat of rows": """g (float[1,2,4,5] x, float[2,2,3,3] w)
        => (float[1,2,8,5] y) {
            a = Exp(x)  b = Abs(x)  c = Concat<axis = 2>(a, b)
            y = Conv<pads = [1, 1, 1, 1]>(c, w) }""",
}

DYNAMIC_MODELS = {
    "labels": """g (float[n] x, float[k,m] y) => (float[m] z)
        { z = Einsum<equation = "a,xa->a">(x, y) }""",
    "directions": """g (float[t,b,i] x, float[d,h,i] w, float[d,h,h] r) => (float[t,d,b,h] y)
        { y = RNN<hidden_size = 2>(x, w, r) }""",
}
SIZES = {"n": 3, "m": 3, "k": 2, "t": 2, "b": 1, "i": 4, "d": 1, "h": 2}


@pytest.mark.parametrize("name", MODELS)
def test_a_mixed_model_gives_what_the_reference_gives(name: str, worker: WorkerProcess) -> None:
    _check(MODELS[name], worker)


@pytest.mark.parametrize("name", DYNAMIC_MODELS)
def test_sizes_of_other_names_may_have_to_be_equal(name: str, worker: WorkerProcess) -> None:
    _check(DYNAMIC_MODELS[name], worker)


def _check(body: str, worker: WorkerProcess) -> None:
    text = f"{HEADER} {body}"
    model = onnx.parser.parse_model(text)
    rng = np.random.default_rng(0)
    inputs = {value.name: _array(value, rng) for value in model.graph.input}
    expected = [np.asarray(out) for out in ReferenceEvaluator(model).run(None, inputs)]
    assert worker.call(f"{FILE}:differences", text, list(inputs.values()), expected) == []


def _array(value: onnx.ValueInfoProto, rng: np.random.Generator) -> np.ndarray:
    """Return multiples of a quarter, or integers, so that comparisons of sums are exact."""
    tensor = value.type.tensor_type
    dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
    shape = [dim.dim_value or SIZES.get(dim.dim_param, 0) for dim in tensor.shape.dim]
    if dtype.kind == "b":
        return np.asarray(rng.integers(0, 2, shape)).astype(dtype)
    unit = 4 if dtype.kind == "f" else 1
    return np.asarray(rng.integers(-9, 10, shape) / unit).astype(dtype)
