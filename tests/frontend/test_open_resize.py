"""Resize of open images whose tables are computed at run time: any ratio, aligned corners."""

from __future__ import annotations

import numpy as np
import onnx.helper
import onnx.parser
import onnxruntime
import pytest

import tilewright

COORDINATES = [
    "align_corners", "half_pixel", "pytorch_half_pixel", "asymmetric", "half_pixel_symmetric"
]  # fmt: skip
MODES = [
    "linear", "cubic",
    'nearest", nearest_mode = "round_prefer_floor', 'nearest", nearest_mode = "floor',
]  # fmt: skip


def to_the_size_of_another(mode: str, coordinates: str) -> onnx.ModelProto:
    """Return a model that resizes x to the height and width of y."""
    return onnx.parser.parse_model(f"""
        <ir_version: 8, opset_import: ["": 19]>
        network (float[b, 3, h, w] x, float[b, 3, i, j] y) => (float[b, 3, i, j] z) {{
          sizes = Shape (y)
          z = Resize <mode = "{mode}", coordinate_transformation_mode = "{coordinates}">
              (x, , , sizes)
        }}""")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("coordinates", COORDINATES)
def test_images_are_resized_to_any_size(mode: str, coordinates: str) -> None:
    model = to_the_size_of_another(mode, coordinates)
    module = tilewright.compile(model, cache=False)
    assert not module.reason
    peer = onnxruntime.InferenceSession(model.SerializeToString())
    for (h, w), (i, j) in (
        ((5, 7), (11, 9)),
        ((8, 30), (8, 61)),
        ((4, 3), (2, 7)),
        ((1, 2), (3, 5)),
    ):
        x = np.random.default_rng(h).standard_normal((2, 3, h, w), dtype=np.float32)
        y = np.zeros((2, 3, i, j), np.float32)
        expected = np.asarray(peer.run(None, {"x": x, "y": y})[0])
        (got,) = module.run([x, y], threads=1)
        np.testing.assert_allclose(got, expected, atol=2e-5, err_msg=f"{h}x{w} to {i}x{j}")
        np.testing.assert_array_equal(module.run([x, y], threads=2)[0], got)


def test_antialiasing_to_an_open_size_asks_for_numbers() -> None:
    """The number of taps depends on the ratio."""
    model = to_the_size_of_another("linear", "half_pixel")
    model.graph.node[1].attribute.append(onnx.helper.make_attribute("antialias", 1))
    assert tilewright.compile(model, cache=False).reason


def test_one_row_has_the_position_of_the_standard() -> None:
    model = to_the_size_of_another("linear", "align_corners")
    x = np.random.default_rng(0).standard_normal((1, 3, 4, 3), dtype=np.float32)
    (got,) = tilewright.compile(model, cache=False).run([x, np.zeros((1, 3, 1, 1), np.float32)])
    np.testing.assert_array_equal(got, x[:, :, :1, :1])
