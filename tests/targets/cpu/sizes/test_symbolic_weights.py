"""Operators whose weights, channels or features are symbolic: one module, as onnxruntime."""

from __future__ import annotations

import numpy as np
import onnx
import onnx.parser
import onnxruntime
import pytest

import tilewright

Array = np.ndarray

CASES = {
    "conv1d": ('float["b", "c", "t"] x, float["o", "c", 3] w', "y = Conv <pads = [1, 2]> (x, w)"),
    "conv2d": (
        'float["b", "c", "t", 9] x, float["o", "c", 3, 3] w, float["o"] a',
        "y = Conv <strides = [2, 1], dilations = [2, 1], pads = [2, 0, 2, 1]> (x, w, a)",
    ),
    "channels": ('float[2, "c", 20, 9] x, float[4, "c", 3, 2] w', "y = Conv (x, w)"),
    "groups": (
        'float["b", 6, "t", 9] x, float[12, 1, 3, 3] w',
        "y = Conv <group = 6, strides = [2, 2], pads = [1, 1, 1, 1]> (x, w)",
    ),
    "few_queries": (
        'float["b", 3, "c"] x, float["b", "t", "c"] w, float["b", "t", "o"] a',
        "u = Transpose <perm = [0, 2, 1]> (w) s = MatMul (x, u) p = Softmax (s) y = MatMul (p, a)",
    ),
    "queries": (
        'float["b", "t", 8] x, float["b", "t", 8] w, float["b", "t", "o"] a',
        "u = Transpose <perm = [0, 2, 1]> (w) s = MatMul (x, u) p = Softmax (s) y = MatMul (p, a)",
    ),
}
SIZES = (
    {"b": 1, "c": 1, "t": 5, "o": 1},
    {"b": 2, "c": 3, "t": 16, "o": 7},
    {"b": 3, "c": 17, "t": 33, "o": 16},
    {"b": 1, "c": 13, "t": 67, "o": 33},
    {"b": 2, "c": 2, "t": 200, "o": 2},
)


def opened(inputs: str, nodes: str) -> onnx.ModelProto:
    """Return a model with symbolic sizes; its output has any shape."""
    head = '<ir_version: 10, opset_import: ["": 21]>'
    made = onnx.parser.parse_model(f"{head} g ({inputs}) => (float y) {{{nodes}}}")
    made.graph.output[0].type.tensor_type.ClearField("shape")
    return made


def drawn(model: onnx.ModelProto, sizes: dict[str, int], seed: int) -> dict[str, Array]:
    """Return random inputs of the sizes."""
    rng = np.random.default_rng(seed)
    return {
        one.name: rng.standard_normal(
            [sizes.get(d.dim_param, d.dim_value) for d in one.type.tensor_type.shape.dim],
            dtype=np.float32,
        )
        for one in model.graph.input
    }


@pytest.mark.one_in(4)
@pytest.mark.parametrize("target", ["native", "llvm -mcpu=x86-64-v3"])
@pytest.mark.parametrize("name", CASES)
def test_one_module_is_right_at_all_sizes(name: str, target: str) -> None:
    model = opened(*CASES[name])
    module = tilewright.compile(model, target=target, cache=False, strict_plan=True)
    assert not module.reason
    peer = onnxruntime.InferenceSession(model.SerializeToString())
    for seed, sizes in enumerate(SIZES):
        feeds = drawn(model, sizes, seed)
        expected = np.asarray(peer.run(None, feeds)[0])
        got = np.asarray(module.run(list(feeds.values()), threads=1)[0])
        scale = max(1.0, float(np.abs(expected).max(initial=0)))
        np.testing.assert_allclose(got, expected, rtol=1e-4, atol=2e-6 * scale)
        shared = np.asarray(module.run(list(feeds.values()), threads=2)[0])
        np.testing.assert_array_equal(shared, got)
