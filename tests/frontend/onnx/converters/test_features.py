"""Operators of ai.onnx.ml on tables of features, and linear models, against onnxruntime."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import TensorProto, helper

import tilewright

from ....peer import peer_results

F, I64 = TensorProto.FLOAT, TensorProto.INT64
X = (np.arange(24).reshape(6, 4) % 7 - 3).astype(np.float32)
WHOLE = X.astype(np.int64)
WITH_NAN = np.where(X == 2, np.nan, X)

CASES = {
    "scaler": ("Scaler", {"offset": [1.0, 2.0, 3.0, 4.0], "scale": [0.5] * 4}, X, [(F, 4)]),
    "scaler of integers": ("Scaler", {"offset": [1.0], "scale": [0.5]}, WHOLE, [(F, 4)]),
    "L1": ("Normalizer", {"norm": "L1"}, X, [(F, 4)]),
    "L2": ("Normalizer", {"norm": "L2"}, X, [(F, 4)]),
    "MAX": ("Normalizer", {"norm": "MAX"}, np.abs(X), [(F, 4)]),
    "binarizer": ("Binarizer", {"threshold": 1.0}, X, [(F, 4)]),
    "imputer": (
        "Imputer",
        {"imputed_value_floats": [9.0, 8.0, 7.0, 6.0], "replaced_value_float": float("nan")},
        WITH_NAN,
        [(F, 4)],
    ),
    "imputer of integers": (
        "Imputer",
        {"imputed_value_int64s": [9], "replaced_value_int64": 2},
        WHOLE,
        [(I64, 4)],
    ),
    "encoder": (
        "LabelEncoder",
        {"keys_int64s": [1, 2, -3], "values_floats": [0.5, 1.5, 2.5], "default_float": 9.0},
        WHOLE,
        [(F, 4)],
    ),
    "encoder of floats": (
        "LabelEncoder",
        {"keys_floats": [1.0, 2.0], "values_int64s": [5, 6]},
        WITH_NAN,
        [(I64, 4)],
    ),
    "one hot": ("OneHotEncoder", {"cats_int64s": [0, 1, 2], "zeros": 1}, WHOLE, [(F, 4, 3)]),
    "regressor": (
        "LinearRegressor",
        {"coefficients": [0.5 * n for n in range(8)], "intercepts": [1.0, 2.0], "targets": 2},
        X,
        [(F, 2)],
    ),
    "probit": (
        "LinearRegressor",
        {
            "coefficients": [0.1, 0.05, -0.1, 0.2],
            "intercepts": [0.4],
            "post_transform": "PROBIT",
        },
        X,
        [(F, 1)],
    ),
    "classifier": (
        "LinearClassifier",
        {
            "coefficients": [0.1 * n for n in range(12)],
            "intercepts": [0.1, 0.2, -3.0],
            "classlabels_ints": [4, 5, 6],
            "multi_class": 1,
            "post_transform": "SOFTMAX",
        },
        X,
        [(I64,), (F, 3)],
    ),
    "classifier of two": (
        "LinearClassifier",
        {
            "coefficients": [-0.1, -0.2, -0.3, -0.4, 0.1, 0.2, 0.3, 0.4],
            "intercepts": [0.1, -0.1],
            "classlabels_ints": [4, 5],
            "post_transform": "LOGISTIC",
        },
        X,
        [(I64,), (F, 2)],
    ),
}


def model_of(op_type, attributes, x, results):
    names = [f"y{n}" for n in range(len(results))]
    node = helper.make_node(op_type, ["x"], names, domain="ai.onnx.ml", **attributes)
    dtype = helper.np_dtype_to_tensor_dtype(x.dtype)
    given = helper.make_tensor_value_info("x", dtype, ["N", *x.shape[1:]])
    outputs = [
        helper.make_tensor_value_info(name, dtype, ["N", *sizes])
        for name, (dtype, *sizes) in zip(names, results, strict=True)
    ]
    graph = helper.make_graph([node], "features", [given], outputs)
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("ai.onnx.ml", 3)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("case", CASES)
def test_operator(case):
    op_type, attributes, x, results = CASES[case]
    x = x.astype(np.float32) if x.dtype == np.float64 else x
    model = model_of(op_type, attributes, x, results)
    expected = peer_results(model, {"x": x})
    got = tilewright.compile(model, cache=False)(x)
    for ours, theirs in zip(got if isinstance(got, tuple) else (got,), expected, strict=True):
        assert ours.numpy().dtype == theirs.dtype
        np.testing.assert_allclose(ours.numpy(), theirs, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("op_type", "attributes", "error", "message"),
    [
        ("OneHotEncoder", {"cats_strings": ["a"]}, tilewright.ModelError, "lacks attribute"),
        (
            "LabelEncoder", {"keys_strings": ["a"], "values_floats": [1.0]},
            tilewright.ModelError, "the keys of numbers are strings",
        ),
        ("OneHotEncoder", {"cats_int64s": [1], "zeros": 0}, tilewright.UnsupportedOp, "zeros = 0"),
        (
            "LinearClassifier", {
                "coefficients": [0.1] * 4, "intercepts": [0.1], "classlabels_ints": [0, 1],
                "post_transform": "PROBIT",
            }, tilewright.UnsupportedOp, "PROBIT defines no score",
        ),
    ],
)  # fmt: skip
def test_keys_of_another_type_are_refused(op_type, attributes, error, message):
    with pytest.raises(error, match=message):
        tilewright.compile(model_of(op_type, attributes, WHOLE, [(F, 4)]))


def test_the_columns_of_a_zip_map_are_the_values_of_its_maps():
    labels = [5, 3, 9, 1]
    model = model_of("ZipMap", {"classlabels_int64s": labels}, X, [(F, 4)])
    maps = helper.make_map_type_proto(I64, helper.make_tensor_type_proto(F, []))
    model.graph.output[0].type.CopyFrom(helper.make_sequence_type_proto(maps))
    (expected,) = peer_results(model, {"x": X})
    got = tilewright.compile(model, target="interpreter")(X).numpy()
    assert [dict(zip(labels, row, strict=True)) for row in got] == expected
