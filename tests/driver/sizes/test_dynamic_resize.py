"""Resize of images of dynamic sizes that keeps the ratio of their sides, against onnxruntime."""

from __future__ import annotations

import numpy as np
import onnx.parser
import onnxruntime
import pytest

import tilewright

from ...sweeps import in_turn

TEXT = """
    <ir_version: 9, opset_import: ["": 20]>
    fit (float["b", 2, "h", "w"] x) => (float y) <int64[2] sides = {20, 30}> {
      y = Resize <axes = [2, 3], keep_aspect_ratio_policy = "POLICY", SAMPLING> (x, , , sides)
    }"""
SAMPLINGS = {
    "nearest": 'mode = "nearest"',
    "linear": 'mode = "linear"',
    "cubic": 'mode = "cubic"',
    "antialias": 'mode = "linear", antialias = 1',
    "floor": 'mode = "nearest", coordinate_transformation_mode = "asymmetric", '
    'nearest_mode = "floor"',
}
SIZES = ((1, 20, 30), (2, 7, 9), (1, 41, 40), (1, 100, 3), (1, 13, 64), (1, 1, 1))


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("sampling", "policy"), in_turn(SAMPLINGS, [("not_larger",), ("not_smaller",)])
)
def test_one_module_keeps_the_ratio_of_images_of_all_sizes(sampling: str, policy: str) -> None:
    text = TEXT.replace("POLICY", policy).replace("SAMPLING", SAMPLINGS[sampling])
    model = onnx.parser.parse_model(text)
    model.graph.output[0].type.tensor_type.ClearField("shape")
    module = tilewright.compile(model, cache=False)
    peer = onnxruntime.InferenceSession(model.SerializeToString())
    for batch, height, width in SIZES:
        x = np.random.default_rng(0).standard_normal((batch, 2, height, width), np.float32)
        (wanted,) = peer.run(None, {"x": x})
        np.testing.assert_allclose(module(x).numpy(), wanted, rtol=1e-4, atol=1e-4)
    assert not module.reason
    assert len(module.programs) == 1
