"""Small models whose operators meet in unusual ways, against onnx.reference."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

from tilewright.testing.worker import Worker

FILE = Path(__file__).with_name("mixed.py")
HEADER = '<ir_version: 10, opset_import: ["": 20]>'

MODELS = {
    "a constant of positions read by columns": """g (float[4,6] x) => (float[4] y)
        <int64[4,2] at = {3, 1, 0, 5, 3, 4, 0, 4}> { y = GatherND(x, at) }""",
}


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with Worker() as worker:
        yield worker


@pytest.mark.parametrize("name", MODELS)
def test_a_mixed_model_gives_what_the_reference_gives(name: str, worker: Worker) -> None:
    text = f"{HEADER} {MODELS[name]}"
    model = onnx.parser.parse_model(text)
    rng = np.random.default_rng(0)
    inputs = {value.name: _array(value, rng) for value in model.graph.input}
    expected = [np.asarray(out) for out in ReferenceEvaluator(model).run(None, inputs)]
    assert worker.call(f"{FILE}:differences", text, list(inputs.values()), expected) == []


def _array(value: onnx.ValueInfoProto, rng: np.random.Generator) -> np.ndarray:
    """Return numbers in quarters, or integers, so that comparisons of sums are certain."""
    tensor = value.type.tensor_type
    dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
    shape = [dim.dim_value for dim in tensor.shape.dim]
    if dtype.kind == "b":
        return np.asarray(rng.integers(0, 2, shape)).astype(dtype)
    unit = 4 if dtype.kind == "f" else 1
    return np.asarray(rng.integers(-9, 10, shape) / unit).astype(dtype)
