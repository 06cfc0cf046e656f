"""TfIdfVectorizer against onnxruntime: lengths, skips, weights and repeated columns."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import TensorProto, helper

import tilewright

from ....onnx_models import onnx_model
from ....peer import peer_results


def model_of(shape, **changes):
    attributes = {
        "mode": "TF", "min_gram_length": 1, "max_gram_length": 3, "max_skip_count": 2,
        "ngram_counts": [0, 2, 6], "pool_int64s": [1, 2, 1, 1, 2, 3, 1, 2, 3],
        "ngram_indexes": [4, 0, 2, 1, 3], "weights": [0.5, 2.0, 3.0, -1.0, 0.25],
    }  # fmt: skip
    node = helper.make_node("TfIdfVectorizer", ["x"], ["y"], **{**attributes, **changes})
    return onnx_model([node], {"x": (TensorProto.INT64, shape)}, opset=18)


@pytest.mark.parametrize(
    ("shape", "changes"),
    [
        (["N", 9], {}),
        (["N", 9], {"mode": "IDF", "max_skip_count": 0}),
        (["N", 9], {"mode": "TFIDF", "min_gram_length": 2}),
        (["N", 2], {"mode": "TFIDF"}),
        ([12], {"max_gram_length": 2}),
    ],
)
def test_counts(shape, changes):
    rng = np.random.default_rng(0)
    model = model_of(shape, **changes)
    x = rng.integers(0, 4, [5 if size == "N" else size for size in shape])
    (expected,) = peer_results(model, {"x": x})
    (got,) = tilewright.compile(model, target="interpreter").run({"x": x})
    np.testing.assert_array_equal(got.numpy(), expected)
    assert expected.any()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mode": "COUNT"}, "the mode is unknown"),
        ({"weights": [1.0], "mode": "IDF"}, "'weights' has a wrong length"),
        ({"ngram_counts": [0, 1, 2]}, "'ngram_counts' does not split the pool"),
        ({"ngram_indexes": [0]}, "'ngram_indexes' is too short"),
    ],
)
def test_malformed_pools(changes, message):
    with pytest.raises(tilewright.ModelError, match=message):
        tilewright.compile(model_of(["N", 4], **changes))
