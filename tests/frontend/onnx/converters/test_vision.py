"""Converters of spatial operators as machine code, against onnxruntime."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper, shape_inference

from ....onnx_models import node, onnx_model
from ....peer import peer_results

NATIVE = str(Path(__file__).parents[1] / "native.py")


def floats(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def check(worker, model, arrays, tolerance=1e-4):
    wanted = peer_results(model, arrays)
    typed = shape_inference.infer_shapes(model).SerializeToString()
    for got, want in zip(worker.call(f"{NATIVE}:run", typed, tuple(arrays)), wanted, strict=True):
        assert got.dtype == want.dtype
        np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)


TRANSPOSED = {
    "k2": ((8, 8, 2, 2), {"strides": [2, 2]}),
    "k3": ((8, 8, 3, 3), {"strides": [2, 2], "pads": [1] * 4, "output_padding": [1, 1]}),
    "k4": ((8, 3, 4, 4), {"strides": [2, 2], "pads": [1] * 4}),
    "groups": ((8, 4, 3, 4), {"strides": [2, 1], "group": 2, "pads": [1, 0, 0, 2]}),
    "depthwise": ((8, 1, 4, 4), {"strides": [2, 2], "group": 8, "pads": [1] * 4}),
    "dilated": ((8, 2, 3, 2), {"strides": [2, 3], "dilations": [2, 2]}),
    "output_shape": ((8, 2, 3, 3), {"strides": [2, 3], "output_shape": [10, 16]}),
    "same_upper": ((8, 2, 3, 3), {"strides": [2, 2], "auto_pad": "SAME_UPPER"}),
    "plain": ((8, 8, 3, 3), {"pads": [1] * 4}),
}


@pytest.mark.parametrize("form", TRANSPOSED)
def test_conv_transpose_with_constant_weights(form, worker):
    shape, attributes = TRANSPOSED[form]
    channels = shape[1] * attributes.get("group", 1)
    model = onnx_model(
        [
            node("Relu", ["x"], ["a"]),
            node("ConvTranspose", ["a", "w", "b"], ["c"], **attributes),
            node("Relu", ["c"]),
        ],
        {"x": [2, 8, 5, 6]},
        weights={"w": floats(*shape), "b": floats(channels)},
        opset=18,
    )
    check(worker, model, [floats(2, 8, 5, 6, seed=1)])


RESIZED = {
    "nearest": {"mode": "nearest", "coordinate_transformation_mode": "asymmetric",
                "nearest_mode": "floor"},
    "linear": {"mode": "linear"},
    "linear_corners": {"mode": "linear", "coordinate_transformation_mode": "align_corners"},
    "cubic": {"mode": "cubic", "exclude_outside": 1},
    "antialias": {"mode": "linear", "antialias": 1},
}  # fmt: skip
SCALES = {"nearest": [1, 1, 2, 3], "antialias": [1, 1, 0.4, 0.6], "cubic": [1, 1, 1.5, 0.5]}


@pytest.mark.parametrize("blocked", [True, False])
@pytest.mark.parametrize("form", RESIZED)
def test_resize_after_a_convolution_and_of_an_argument(form, blocked, worker):
    scales = np.array(SCALES.get(form, [1, 1, 2, 2]), np.float32)
    nodes = [
        node("Conv", ["x", "w"], ["a"]),
        node("Resize", ["a" if blocked else "x", "", "scales"], ["b"], **RESIZED[form]),
        node("Conv", ["b", "w"], ["y"]),
    ]
    weights = {"w": floats(8, 8, 1, 1), "scales": scales}
    model = onnx_model(nodes[not blocked :], {"x": [1, 8, 5, 6]}, weights=weights, opset=18)
    check(worker, model, [floats(1, 8, 5, 6, seed=1)])


OLD_RESIZE = [("Upsample", 9, "linear"), ("Upsample", 9, "nearest"), ("Resize", 10, "nearest")]


@pytest.mark.parametrize(("op", "opset", "mode"), OLD_RESIZE)
def test_upsampling_of_old_opsets(op, opset, mode, worker):
    weights = {"scales": np.array([1, 1, 2, 2], np.float32)}
    model = onnx_model(
        [node(op, ["x", "scales"], mode=mode)], {"x": [1, 2, 3, 4]}, weights=weights, opset=opset
    )
    check(worker, model, [floats(1, 2, 3, 4)])


def test_bytes_resize_as_floats_that_are_cut(worker):
    weights = {"sizes": np.array([1, 1, 7, 5], np.int64)}
    attributes = {"mode": "linear", "coordinate_transformation_mode": "asymmetric"}
    model = onnx_model(
        [node("Resize", ["x", "", "", "sizes"], **attributes)],
        {"x": (TensorProto.UINT8, [1, 1, 4, 4])},
        weights=weights,
        opset=18,
    )
    check(worker, model, [np.arange(0, 256, 16, dtype=np.uint8).reshape(1, 1, 4, 4)])


def regions(count, columns, size, scale):
    """Return regions inside an image of ``size``, in its coordinates divided by ``scale``."""
    rng = np.random.default_rng(3)
    corners = np.sort(rng.uniform(0, size, (count, 2, 2)), axis=1).reshape(count, 4) / scale
    batch = rng.integers(0, 2, (count, columns - 4))
    return np.concatenate([batch, corners], axis=1).astype(np.float32)


BATCH = np.array([1, 0, 1], np.int64)
SAMPLED = {
    "MaxRoiPool": (
        {"pooled_shape": [2, 3], "spatial_scale": 0.5},
        [floats(2, 3, 7, 6), regions(3, 5, 6, 0.5)],
    ),
    "RoiAlign": (
        {"output_height": 2, "output_width": 2, "sampling_ratio": 0, "spatial_scale": 0.25},
        [floats(2, 3, 7, 6), regions(3, 4, 6, 0.25), BATCH],
    ),
    "DeformConv": (
        {"pads": [1, 0, 1, 0], "strides": [1, 2], "group": 2, "offset_group": 2},
        [
            floats(1, 4, 5, 6),
            floats(4, 2, 3, 2, seed=1),
            floats(1, 24, 5, 3, seed=2),
            floats(4, seed=3),
            floats(1, 12, 5, 3, seed=4),
        ],
    ),
    "GridSample": (
        {"mode": "cubic", "padding_mode": "border"},
        [floats(1, 2, 5, 4), floats(1, 3, 4, 2, seed=1)],
    ),
}


@pytest.mark.parametrize("op", SAMPLED)
def test_reads_at_positions_that_are_data(op, worker):
    attributes, arrays = SAMPLED[op]
    inputs = {
        f"x{i}": (helper.np_dtype_to_tensor_dtype(a.dtype), list(a.shape))
        for i, a in enumerate(arrays)
    }
    model = onnx_model([node(op, inputs, **attributes)], inputs, opset=20)
    check(worker, model, arrays)


def test_an_affine_grid_moves_the_plain_one(worker):
    theta = floats(2, 2, 3)
    size = np.array([2, 1, 3, 4], np.int64)
    model = onnx_model(
        [node("AffineGrid", ["theta", "size"], align_corners=1)],
        {"theta": [2, 2, 3]},
        weights={"size": size},
    )
    check(worker, model, [theta])
