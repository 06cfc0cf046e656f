"""Ranges of channels move to weights, and results stay."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

import tilewright
from tilewright.frontend.onnx.qdq import products_of
from tilewright.frontend.onnx.smoothing import apply_factors, smoothable
from tilewright.support.diagnostics import TilewrightError

from ...onnx_models import node, onnx_model
from ...peer import peer_results

RNG = np.random.default_rng(2)
K = 48


def weights(*shape):
    return (RNG.standard_normal(shape) / np.sqrt(shape[0])).astype(np.float32)


G, B = (1 + weights(K)).astype(np.float32), weights(K)
G[[3, 17]] *= 60
W0, W1, W2 = weights(K, 32), weights(K, 40), weights(24, K)


def model(*before, after=(), outputs=("y0", "y1"), opset=17):
    nodes = [
        *before,
        node("MatMul", ("a", "w0"), ("y0",), "first"),
        node("MatMul", ("a", "w1"), ("y1",), "second"),
        *after,
    ]
    stored = {"g": G, "b": B, "w0": W0, "w1": W1, "w2": W2}
    used = {name for each in nodes for name in each.input}
    stored = {name: array for name, array in stored.items() if name in used}
    return onnx_model(nodes, {"x": [6, K]}, outputs, weights=stored, opset=opset)


LAYER = node("LayerNormalization", ("x", "g", "b"), ("a",))
SCALED = node("Mul", ("g", "x"), ("m",))
FORMS = {
    "layer": model(LAYER),
    "layer_without_shift": model(node("LayerNormalization", ("x", "g"), ("a",))),
    "scale": model(node("Mul", ("x", "g"), ("a",))),
    "scale_and_shift": model(SCALED, node("Add", ("b", "m"), ("a",))),
    "another_reader": model(
        LAYER, after=(node("Relu", ("a",), ("y2",)),), outputs=("y0", "y1", "y2")
    ),
    "an_output": model(LAYER, outputs=("y0", "y1", "a")),
    "gemm": model(
        LAYER,
        after=(node("Gemm", ("a", "w2"), ("y2",), transB=1),),
        outputs=("y0", "y1", "y2"),
    ),
}
OTHERS = {
    "no_constants": model(node("Relu", ("x",), ("a",))),
    "scale_has_two_readers": model(
        SCALED, node("Add", ("m", "b"), ("a",)), outputs=("y0", "y1", "m")
    ),
}


def results(proto, x):
    return peer_results(proto, {"x": x})


def rows(seed=0):
    return np.random.default_rng(seed).standard_normal((6, K)).astype(np.float32)


def activation(proto, name="a"):
    made = onnx.ModelProto()
    made.CopyFrom(proto)
    del made.graph.output[:]
    made.graph.output.append(onnx.ValueInfoProto(name=name))
    return results(made, rows())[0]


@pytest.mark.parametrize("name", FORMS)
def test_factors_leave_results_bit_by_bit(name):
    proto = onnx.ModelProto()
    proto.CopyFrom(FORMS[name])
    products = products_of(proto)
    found = smoothable(proto, products)
    assert [(each.activation, len(each.products)) for each in found] == [("a", len(products))]
    largest = np.abs(activation(proto)).max(axis=0)
    apply_factors(proto, found, {"a": largest}, 0.5)
    for got, want in zip(results(proto, rows()), results(FORMS[name], rows()), strict=True):
        np.testing.assert_array_equal(got, want)
    # The channels of the activation have more equal ranges now.
    (read,) = {product.activation for product in products}
    assert (read == "a") != found[0].is_shared
    after = np.abs(activation(proto, read)).max(axis=0)
    assert after.max() / np.median(after) < largest.max() / np.median(largest) / 4


@pytest.mark.parametrize("name", OTHERS)
def test_other_activations_stay(name):
    proto = OTHERS[name]
    assert not smoothable(proto, products_of(proto))


@pytest.mark.parametrize("name", ["layer", "another_reader"])
def test_smooth_activations_have_less_error(name):
    proto, runs = FORMS[name], [{"x": rows(seed)} for seed in range(4)]
    exact = results(proto, rows(9))[:2]

    def errors(**given):
        made = tilewright.quantize(proto, runs, threads=1, **given)
        stored = {t.name: numpy_helper.to_array(t) for t in made.graph.initializer}
        assert not {"w0", "w1"} & stored.keys()
        return [
            np.linalg.norm(a - b) / np.linalg.norm(b)
            for a, b in zip(results(made, rows(9)), exact, strict=False)
        ]

    plain, smooth = errors(), errors(smooth=0.5)
    assert max(smooth) < 0.6 * min(plain)


def test_shares_are_between_0_and_1():
    with pytest.raises(TilewrightError, match="no share"):
        tilewright.quantize(FORMS["layer"], [{"x": rows()}], smooth=1.0, threads=1)
