"""Support vector machines of ai.onnx.ml against onnxruntime."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import TensorProto, helper

import tilewright

from ....peer import peer_results

FEATURES, VECTORS = 4, 9


def both(node, outputs, x, target="interpreter"):
    given = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", FEATURES])
    declared = [helper.make_tensor_value_info(*output) for output in outputs]
    graph = helper.make_graph([node], "machine", [given], declared)
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("ai.onnx.ml", 3)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=9)
    results = tilewright.compile(model, cache=False, target=target).run({"x": x})
    results = results if isinstance(results, tuple) else (results,)
    return peer_results(model, {"x": x}), [result.numpy() for result in results]


def regressor(rng, **changes):
    attributes = {
        "kernel_type": "RBF", "kernel_params": [0.3, 0.5, 3.0], "n_supports": VECTORS, "rho": [0.2],
        "support_vectors": rng.standard_normal(VECTORS * FEATURES).tolist(),
        "coefficients": rng.standard_normal(VECTORS).tolist(),
    }  # fmt: skip
    return helper.make_node(
        "SVMRegressor", ["x"], ["y"], domain="ai.onnx.ml", **{**attributes, **changes}
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"kernel_type": "RBF"},
        {"kernel_type": "POLY"},
        {"kernel_type": "SIGMOID"},
        {"kernel_type": "LINEAR", "one_class": 1},
        {"kernel_type": "LINEAR", "n_supports": 0, "coefficients": [1.0, -2.0, 0.5, 0.0]},
    ],
    ids=["rbf", "poly", "sigmoid", "one class", "linear"],
)
def test_regressors(changes):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((20, FEATURES)).astype(np.float32)
    outputs = [("y", TensorProto.FLOAT, ["N", 1])]
    (expected,), (got,) = both(regressor(rng, **changes), outputs, x)
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5)


def classifier(rng, classes, **changes):
    pairs = classes * (classes - 1) // 2
    attributes = {
        "kernel_type": "RBF", "kernel_params": [0.3, 0.0, 0.0],
        "rho": (rng.standard_normal(pairs) / 9).tolist(), "vectors_per_class": [3] * classes,
        "support_vectors": rng.standard_normal(3 * classes * FEATURES).tolist(),
        "coefficients": rng.standard_normal((classes - 1) * 3 * classes).tolist(),
        "classlabels_ints": list(range(3, 3 + classes)),
    }  # fmt: skip
    return helper.make_node(
        "SVMClassifier", ["x"], ["label", "y"], domain="ai.onnx.ml", **{**attributes, **changes}
    )


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("classes", "is_probable", "target"),
    [
        (2, False, "interpreter"),
        (2, True, "interpreter"),
        (4, False, "interpreter"),
        (4, True, "interpreter"),
        (3, True, "native"),
    ],
)
def test_classifiers(classes, is_probable, target):
    rng = np.random.default_rng(10 + classes)
    pairs = classes * (classes - 1) // 2
    signs = {"prob_a": [-1.5] * pairs, "prob_b": [0.1] * pairs} if is_probable else {}
    x = rng.standard_normal((30, FEATURES)).astype(np.float32)
    columns = classes if is_probable else max(pairs, 2)
    outputs = [("label", TensorProto.INT64, ["N"]), ("y", TensorProto.FLOAT, ["N", columns])]
    expected, got = both(classifier(rng, classes, **signs), outputs, x, target)
    np.testing.assert_array_equal(got[0], expected[0])
    assert len(np.unique(got[0])) > 1
    np.testing.assert_allclose(got[1], expected[1], rtol=1e-5, atol=2e-6)


def test_a_linear_classifier():
    rng = np.random.default_rng(5)
    node = helper.make_node(
        "SVMClassifier", ["x"], ["label", "y"], domain="ai.onnx.ml", kernel_type="LINEAR",
        kernel_params=[0.0, 0.0, 0.0], coefficients=rng.standard_normal(3 * FEATURES).tolist(),
        rho=[0.5], classlabels_ints=[0, 1, 2], post_transform="SOFTMAX",
    )  # fmt: skip
    x = rng.standard_normal((9, FEATURES)).astype(np.float32)
    outputs = [("label", TensorProto.INT64, ["N"]), ("y", TensorProto.FLOAT, ["N", 3])]
    expected, got = both(node, outputs, x)
    np.testing.assert_array_equal(got[0], expected[0])
    np.testing.assert_allclose(got[1], expected[1], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"support_vectors": [1.0]}, "the length of 'support_vectors' is wrong"),
        ({"coefficients": [1.0]}, "the number of coefficients is wrong"),
        ({"vectors_per_class": [9]}, "the number of coefficients is wrong"),
        ({"kernel_type": "COSINE"}, "the kernel is unknown"),
    ],
)
def test_malformed_machines(changes, message):
    node = classifier(np.random.default_rng(0), 3, **changes)
    given = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", FEATURES])
    graph = helper.make_graph([node], "machine", [given], [
        helper.make_tensor_value_info("label", TensorProto.INT64, ["N"])
    ])  # fmt: skip
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("ai.onnx.ml", 3)]
    with pytest.raises(tilewright.ModelError, match=message):
        tilewright.compile(helper.make_model(graph, opset_imports=opsets, ir_version=9))
