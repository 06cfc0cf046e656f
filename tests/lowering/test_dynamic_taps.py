"""Convolutions whose weights are inputs with taps of any number: one module, as onnxruntime."""

from __future__ import annotations

import numpy as np
import onnx
import onnx.parser
import onnxruntime
import pytest

import tilewright
from tilewright.runtime.errors import Error

from ..peer import peer_results

HEADER = '<ir_version: 10, opset_import: ["": 21]> g '
MODELS = {
    "of any image": (
        "(float[b, 4, h, w] x, float[o, 4, r, s] k) => (float[b, o, i, j] y) { y = Conv (x, k) }",
        [
            ((1, 4, 8, 8), (6, 4, 3, 3)),
            ((2, 4, 13, 17), (32, 4, 1, 1)),
            ((2, 4, 13, 17), (5, 4, 13, 5)),
            ((1, 4, 40, 64), (16, 4, 5, 7)),
        ],
    ),
    "with strides, dilations, pads and groups": (
        """(float[b, 4, h, w] x, float[6, 2, r, s] k, float[6] bias) => (float[b, 6, i, j] y) {
          y = Conv <strides = [2, 1], dilations = [1, 2], pads = [1, 2, 0, 3], group = 2>
            (x, k, bias)
        }""",
        [
            ((1, 4, 18, 18), (6, 2, 3, 3), (6,)),
            ((2, 4, 13, 17), (6, 2, 1, 1), (6,)),
            ((2, 4, 13, 17), (6, 2, 14, 5), (6,)),
        ],
    ),
    "of a row": (
        "(float[b, 4, h] x, float[8, 4, r] k) => (float[b, 8, i] y) { y = Conv (x, k) }",
        [((1, 4, 18), (8, 4, 3)), ((2, 4, 513), (8, 4, 64)), ((2, 4, 5), (8, 4, 5))],
    ),
    "transposed": (
        """(float[b, 4, h, w] x, float[4, 6, r, s] k) => (float[b, 6, i, j] y) {
          y = ConvTranspose <strides = [2, 1], output_padding = [1, 0]> (x, k)
        }""",
        [((1, 4, 8, 8), (4, 6, 3, 3)), ((2, 4, 5, 9), (4, 6, 1, 4))],
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_convolution_takes_taps_of_any_number(name: str) -> None:
    text, shapes = MODELS[name]
    model = onnx.parser.parse_model(HEADER + text)
    module = tilewright.compile(model, cache=False, strict_plan=True)
    assert not module.reason
    peer = onnxruntime.InferenceSession(model.SerializeToString())
    rng = np.random.default_rng(5)
    for given in shapes:
        arrays = [rng.random(shape, dtype=np.float32) - 0.5 for shape in given]
        feeds = dict(zip((x.name for x in peer.get_inputs()), arrays, strict=True))
        (expected,) = (np.asarray(each) for each in peer.run(None, feeds))
        (result,), (shared,) = module.run(arrays, threads=1), module.run(arrays, threads=2)
        np.testing.assert_allclose(result, expected, rtol=0, atol=1e-6 * np.abs(expected).max())
        np.testing.assert_array_equal(result, shared)


def test_a_kernel_larger_than_the_image_is_an_error() -> None:
    model = onnx.parser.parse_model(HEADER + MODELS["of a row"][0])
    module = tilewright.compile(model, cache=False)
    with pytest.raises(Error, match="would have a negative size"):
        module(np.ones((1, 4, 5), np.float32), np.ones((8, 4, 9), np.float32))


def test_pads_that_follow_from_open_taps_need_their_number() -> None:
    model = onnx.parser.parse_model(
        HEADER
        + """(float[1, 4, h] x, float[8, 4, r] k) => (float[1, 8, h] y) {
          y = Conv <auto_pad = "SAME_UPPER"> (x, k)
        }"""
    )
    module = tilewright.compile(model, cache=False)
    assert "auto_pad" in module.reason
    x, k = np.ones((1, 4, 9), np.float32), np.ones((8, 4, 3), np.float32)
    (expected,) = peer_results(model, {"x": x, "k": k})
    np.testing.assert_allclose(module(x, k), np.asarray(expected), rtol=1e-6)
