"""Convolutions of dynamic images that are smaller than their kernel or register tile."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import onnx
import onnx.numpy_helper
import onnx.parser
import onnxruntime
import pytest

import tilewright

LAYERS = {
    "same size": "y = Conv <pads = [1, 1, 1, 1]> (x, w)",
    "in steps of two": "y = Conv <pads = [1, 1, 1, 1], strides = [2, 2]> (x, w)",
    "padded at two sides": "y = Conv <pads = [2, 0, 0, 2]> (x, w)",
    "larger than x": "y = Conv <pads = [3, 3, 3, 3]> (x, w)",
    "with dilation": "y = Conv <pads = [2, 2, 2, 2], dilations = [2, 2]> (x, w)",
    "two with other pads": """c = Conv <pads = [2, 2, 2, 2]> (x, w)
      d = Conv <pads = [1, 1, 1, 1]> (x, w)
      e = Slice (c, starts, ends, axes)
      y = Add (d, e)""",
}
SIZES = [*product((1, 2, 3), repeat=2), (1, 13), (13, 1), (5, 4), (8, 9), (9, 17)]


def model_of(layers: str, channels: int, features: int) -> onnx.ModelProto:
    """Return a 1x1 convolution, so that the image in front of the layers has a halo."""
    model = onnx.parser.parse_model(
        f"""<ir_version: 10, opset_import: ["": 21]>
        g (float[1, 8, h, w] image) => (float[1, {features}, i, j] y)
          <int64[2] starts = {{1, 1}}, int64[2] ends = {{-1, -1}}, int64[2] axes = {{2, 3}}> {{
        x = Conv (image, first)
        {layers} }}"""
    )
    rng = np.random.default_rng(0)
    for name, shape in (("first", (channels, 8, 1, 1)), ("w", (features, channels, 3, 3))):
        values = rng.standard_normal(shape).astype(np.float32)
        model.graph.initializer.append(onnx.numpy_helper.from_array(values, name))
    return model


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("channels", "features"), [(32, 64), (13, 10)])
@pytest.mark.parametrize("name", LAYERS)
def test_small_images_have_the_results_of_onnxruntime(
    name: str, channels: int, features: int
) -> None:
    model = model_of(LAYERS[name], channels, features)
    peer = onnxruntime.InferenceSession(model.SerializeToString())
    module = tilewright.compile(model, precision="strict", cache=False, strict_plan=True)
    assert not module.reason
    rng = np.random.default_rng(1)
    for size in SIZES:
        image = rng.standard_normal((1, 8, *size)).astype(np.float32)
        (got,) = module.run([image], threads=1)
        wanted = np.asarray(peer.run(None, {"image": image})[0])
        np.testing.assert_allclose(got, wanted, atol=2e-5 * np.abs(wanted).max())
        np.testing.assert_array_equal(module.run([image], threads=2)[0], got)


def test_rows_shorter_than_a_vector_have_blocks_of_pixels() -> None:
    """Row-major results of odd channels have blocks of 16 pixels, of 4, and single ones."""
    module = tilewright.compile(model_of(LAYERS["same size"], 13, 40), cache=False)
    scheduled = module.get_source("scheduled", kernel="conv")
    widths = re.findall(r"te.compute @conv_local \[.*h: 1, w: (\d+)", scheduled)
    assert widths == ["16", "4", "4", "1"]


@pytest.mark.parametrize("precision", ["default", "strict"])
def test_taps_on_zeros_are_not_read(precision: str) -> None:
    """Weights that are not finite show that an image of one pixel reads one tap of nine."""
    model = model_of(LAYERS["same size"], 32, 64)
    stored = next(tensor for tensor in model.graph.initializer if tensor.name == "w")
    w = onnx.numpy_helper.to_array(stored).copy()
    w[:, :, 0] = np.inf
    w[..., 2] = np.nan
    stored.CopyFrom(onnx.numpy_helper.from_array(w, "w"))
    module = tilewright.compile(model, precision=precision, cache=False)
    assert np.isfinite(module(np.ones((1, 8, 1, 1), np.float32))).all()
    assert not np.isfinite(module(np.ones((1, 8, 2, 2), np.float32))).all()
