"""Resize of dynamic images with tables computed at run time: any ratio, crops, wide kernels."""

from __future__ import annotations

from fractions import Fraction
from itertools import starmap
from math import ceil, floor
from typing import Any

import numpy as np
import onnx.helper
import onnx.numpy_helper
import onnx.parser
import onnxruntime
import pytest
from onnx.reference import ReferenceEvaluator

import tilewright
from tilewright.frontend.onnx.converters.resize import scale_of

from ....sweeps import in_turn

Array = np.ndarray[Any, np.dtype[Any]]

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


def assert_resizes_as(
    peer: onnxruntime.InferenceSession | ReferenceEvaluator,
    module: tilewright.CompiledModule,
    image: tuple[int, int],
    size: tuple[int, int],
) -> None:
    """Compare the resized image with another system's, and one thread with two."""
    x = np.random.default_rng(image[0]).standard_normal((2, 3, *image), dtype=np.float32)
    y = np.zeros((2, 3, *size), np.float32)
    expected = np.asarray(next(iter(peer.run(None, {"x": x, "y": y}))))
    (got,) = module.run([x, y], threads=1)
    np.testing.assert_allclose(got, expected, atol=2e-5, err_msg=f"{image} to {size}")
    np.testing.assert_array_equal(module.run([x, y], threads=2)[0], got)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("coordinates", "mode"), in_turn(COORDINATES, [(mode,) for mode in MODES]))
def test_images_are_resized_to_any_size(mode: str, coordinates: str) -> None:
    model = to_the_size_of_another(mode, coordinates)
    module = tilewright.compile(model, cache=False)
    assert not module.reason
    peer = onnxruntime.InferenceSession(model.SerializeToString())
    for image, size in (
        ((5, 7), (11, 9)),
        ((8, 30), (8, 61)),
        ((4, 3), (2, 7)),
        ((1, 2), (3, 5)),
    ):
        assert_resizes_as(peer, module, image, size)


FORMS = [
    ("linear", "half_pixel", {"antialias": 1}),
    ("cubic", "half_pixel", {"antialias": 1, "exclude_outside": 1}),
    ("cubic", "asymmetric", {"exclude_outside": 1}),
    ("linear", "align_corners", {"antialias": 1}),
    ("linear", "tf_crop_and_resize", {"extrapolation_value": 3.0}),
    ("nearest", "tf_crop_and_resize", {"extrapolation_value": 3.0}),
    ("cubic", "tf_crop_and_resize", {"exclude_outside": 1}),
]
ROI = np.array([0, 0, 0.1, -0.2, 1, 1, 0.7, 1.3], np.float32)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    # By day, one form of each mode, with two of linear.
    "form",
    [pytest.param(f, id=str(f), marks=[pytest.mark.nightly] * (n in (2, 3, 6)))
     for n, f in enumerate(FORMS)],
)  # fmt: skip
def test_other_forms_are_resized_to_any_size(form: tuple[str, str, dict[str, float]]) -> None:
    mode, coordinates, attributes = form
    model = to_the_size_of_another(mode, coordinates)
    model.graph.initializer.append(onnx.numpy_helper.from_array(ROI, "roi"))
    node = model.graph.node[1]
    node.input[1] = "roi"
    node.attribute.extend(starmap(onnx.helper.make_attribute, attributes.items()))
    module = tilewright.compile(model, cache=False)
    assert not module.reason
    peer = ReferenceEvaluator(model)
    for image, size in (
        ((5, 7), (11, 9)),
        ((30, 8), (7, 8)),
        ((4, 13), (2, 3)),
        ((17, 2), (1, 5)),
        ((1, 31), (3, 30)),
    ):
        assert_resizes_as(peer, module, image, size)


def test_one_row_has_the_position_of_the_standard() -> None:
    model = to_the_size_of_another("linear", "align_corners")
    x = np.random.default_rng(0).standard_normal((1, 3, 4, 3), dtype=np.float32)
    (got,) = tilewright.compile(model, cache=False).run([x, np.zeros((1, 3, 1, 1), np.float32)])
    np.testing.assert_array_equal(got, x[:, :, :1, :1])


def by_scales(mode: str, coordinates: str, scales: tuple[float, float]) -> onnx.ModelProto:
    """Return a model that resizes a dynamic image by two scales."""
    return onnx.parser.parse_model(f"""
        <ir_version: 8, opset_import: ["": 19]>
        network (float[1, 2, h, w] x) => (float[1, 2, i, j] z)
        <float[4] scales = {{1.0, 1.0, {scales[0]}, {scales[1]}}}> {{
          z = Resize <mode = "{mode}", coordinate_transformation_mode = "{coordinates}">
              (x, , scales)
        }}""")


def exact_neighbour(
    x: Array, coordinates: str, prefers_floor: bool, scales: tuple[float, float]
) -> Array:
    """Return the elements at exact positions, rounded; onnxruntime rounds positions to f32."""
    for axis, scale in ((2, scales[0]), (3, scales[1])):
        ratio = scale_of(float(np.float32(scale)))
        half = Fraction(1, 2) if "half_pixel" in coordinates else Fraction(0)
        length = floor(x.shape[axis] * ratio)
        positions = ((i + half) / ratio - half for i in range(length))
        rounded = (ceil(p - Fraction(1, 2)) if prefers_floor else floor(p) for p in positions)
        rows = [min(max(p, 0), x.shape[axis] - 1) for p in rounded]
        is_one = length == 1 and coordinates == "pytorch_half_pixel"
        x = np.take(x, [0] if is_one else rows, axis)
    return x


SCALED = [
    ("linear", "half_pixel", (0.3, 1.3)),
    ('nearest", nearest_mode = "floor', "asymmetric", (2.3, 1 / 3)),
    *(
        pytest.param(mode, coordinates, scales, marks=pytest.mark.nightly)
        for mode in MODES
        for coordinates in COORDINATES[1:4]
        for scales in ((1 / 7, 10 / 7), (0.7, 1 / 3), (2.3, 0.3), (1.7, 2.5))
    ),
]


@pytest.mark.parametrize(("mode", "coordinates", "scales"), SCALED)
def test_open_images_are_resized_by_any_scale(
    mode: str, coordinates: str, scales: tuple[float, float]
) -> None:
    model = by_scales(mode, coordinates, scales)
    module = tilewright.compile(model, cache=False)
    peer = onnxruntime.InferenceSession(model.SerializeToString())
    for image in ((20, 10), (10, 30)):  # onnxruntime rounds these sizes in the same way
        x = np.random.default_rng(image[0]).standard_normal((1, 2, *image), dtype=np.float32)
        (expected,) = (np.asarray(y) for y in peer.run(None, {"x": x}))
        if mode.startswith("nearest"):
            expected = exact_neighbour(x, coordinates, "prefer" in mode, scales)
        (got,) = module.run([x])
        np.testing.assert_allclose(got, expected, atol=1e-4, err_msg=f"{image} by {scales}")
