"""The double-precision evaluator: conversions, repairs, and unchanged parts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from tilewright.support.cache import DiskCache
from tilewright.testing.reference import (
    in_double,
    reference_results,
    relative_error,
    tolerance,
)

from ..onnx_models import onnx_model
from ..peer import peer_results

RNG = np.random.default_rng(0)


def one_node(node: onnx.NodeProto, opset: int, *shapes: tuple[int, ...]) -> onnx.ModelProto:
    """Return a model of one node whose inputs after the first are weights."""
    values = [np.abs(RNG.standard_normal(s)).astype(np.float32) for s in shapes[1:]]
    weights = [
        numpy_helper.from_array(x, name) for x, name in zip(values, node.input[1:], strict=True)
    ]
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, shapes[0])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph([node], "one", [x], [y], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


REPAIRED = {
    "softmax": one_node(helper.make_node("Softmax", ["x"], ["y"]), 9, (2, 5, 3, 1)),
    "softmax_last": one_node(helper.make_node("Softmax", ["x"], ["y"]), 13, (2, 5, 3)),
    "lrn": one_node(helper.make_node("LRN", ["x"], ["y"], size=5, alpha=0.5), 13, (2, 7, 3, 3)),
    "batch_norm": one_node(
        helper.make_node("BatchNormalization", ["x", "s", "b", "m", "v"], ["y"]),
        9,
        (2, 3, 4, 4),
        *[(3,)] * 4,
    ),
}


@pytest.mark.parametrize("name", REPAIRED)
def test_repaired_operators_agree_with_onnxruntime(name: str) -> None:
    model = REPAIRED[name]
    x = RNG.standard_normal([d.dim_value for d in model.graph.input[0].type.tensor_type.shape.dim])
    feed = {"x": x.astype(np.float32)}
    (expected,) = reference_results(model, feed)
    assert expected.dtype == np.float64
    assert relative_error(peer_results(model, feed)[0], expected) < 3e-7


def test_more_than_64_rows_are_gathered() -> None:
    indices = RNG.integers(0, 100, (1, 10, 2))
    node = helper.make_node("GatherElements", ["x", "i"], ["y"], axis=1)
    model = one_node(node, 13, (1, 100, 2), (1, 10, 2))
    model.graph.initializer[0].CopyFrom(numpy_helper.from_array(indices, "i"))
    x = RNG.standard_normal((1, 100, 2), np.float32)
    (got,) = reference_results(model, {"x": x})
    np.testing.assert_array_equal(got[0], np.stack([x[0, indices[0, :, j], j] for j in (0, 1)], 1))


def test_every_float_becomes_a_double_and_the_model_stays() -> None:
    inner = helper.make_graph(
        [helper.make_node("Constant", [], ["c"], value_float=0.1)],
        "inner",
        [],
        [helper.make_tensor_value_info("c", TensorProto.FLOAT, [])],
    )
    nodes = [
        helper.make_node("Cast", ["i"], ["f"], to=TensorProto.FLOAT),
        helper.make_node("ReduceMax", ["f"], ["m"], keepdims=0),
        helper.make_node("Greater", ["m", "w"], ["g"]),
        helper.make_node("If", ["g"], ["y"], then_branch=inner, else_branch=inner),
    ]
    inputs, weights = {"i": (TensorProto.INT64, [2])}, {"w": np.float32(0.5)}
    model = onnx_model(nodes, inputs, weights=weights, opset=17)
    model = onnx.shape_inference.infer_shapes(model)
    before = model.SerializeToString()
    double = in_double(model)
    assert model.SerializeToString() == before
    assert double.graph.input[0].type.tensor_type.elem_type == TensorProto.INT64
    assert double.graph.output[0].type.tensor_type.elem_type == TensorProto.DOUBLE
    (got,) = reference_results(model, {"i": np.array([1, 2])})
    assert got.dtype == np.float64
    assert got == np.float32(0.1)


def test_results_are_kept_by_content(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path)
    model, x = REPAIRED["lrn"], RNG.standard_normal((2, 7, 3, 3), np.float32)
    first, again = (reference_results(model, {"x": x}, cache=cache) for _ in range(2))
    np.testing.assert_array_equal(first, again)
    assert len(list(tmp_path.iterdir())) == 1
    reference_results(model, {"x": 2 * x}, cache=cache)
    assert len(list(tmp_path.iterdir())) == 2


def test_integers_are_equal_or_wrong() -> None:
    a = np.arange(4)
    assert relative_error(a, a) == 0
    assert relative_error(a + 1, a) == 1
    assert tolerance(np.float32([1.0]), np.float64([1.0])) == 2e-6
    assert tolerance(np.float32([1.1]), np.float64([1.0])) == pytest.approx(0.4)


def test_elements_that_are_nan_in_both_have_no_error() -> None:
    wanted = np.array([np.nan, 1.0])
    assert relative_error(np.array([np.nan, 1.5]), wanted) == 0.5
    assert np.isnan(relative_error(np.array([0.0, 1.0]), wanted))
    assert tolerance(np.array([0.0, 1.0]), wanted) == 2e-6
