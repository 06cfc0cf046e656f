"""Plans of depthwise convolutions with many taps, and of normalizations of their channels."""

from __future__ import annotations

import re

import numpy as np
import onnx
import pytest
from onnx import helper

import tilewright
from tilewright.driver.report.texts import source_at

from ....onnx_models import onnx_model
from ....peer import peer_results

AVX2, AVX512 = "llvm -mcpu=x86-64-v3", "llvm -mcpu=x86-64-v4"


def groups_between(channels: int, groups: int, size: int) -> onnx.ModelProto:
    """Return a grouped 3x3 convolution between two 1x1 ones: a block of ResNeXt."""
    rng = np.random.default_rng(0)
    shapes = {
        "w0": (channels, channels, 1, 1),
        "w1": (channels, channels // groups, 3, 3),
        "w2": (channels, channels, 1, 1),
    }
    weights = {
        name: rng.standard_normal(shape).astype(np.float32) / 4 for name, shape in shapes.items()
    }
    nodes = [
        helper.make_node("Conv", ["x", "w0"], ["s"]),
        helper.make_node("Relu", ["s"], ["t"]),
        helper.make_node("Conv", ["t", "w1"], ["u"], group=groups, pads=[1] * 4),
        helper.make_node("Conv", ["u", "w2"], ["y"]),
    ]
    return onnx_model(nodes, {"x": [1, channels, size, size]}, weights=weights)


def depthwise_norm(channels: int, size: int, kernel: int) -> onnx.ModelProto:
    """Return a depthwise convolution with normalization over channels last, as in ConvNeXt."""
    rng = np.random.default_rng(0)
    shapes = {"w": (channels, 1, kernel, kernel), "b": (channels,), "g": (channels,)}
    weights = {
        name: rng.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()
    }
    nodes = [
        helper.make_node("Conv", ["x", "w", "b"], ["t"], group=channels, pads=[kernel // 2] * 4),
        helper.make_node("Transpose", ["t"], ["u"], perm=[0, 2, 3, 1]),
        helper.make_node("LayerNormalization", ["u", "g", "b"], ["y"], axis=-1),
    ]
    return onnx_model(nodes, {"x": [1, channels, size, size]}, weights=weights)


@pytest.mark.parametrize("target", [AVX2, AVX512])
@pytest.mark.parametrize(("channels", "size", "kernel"), [(96, 14, 7), (24, 9, 9), (40, 7, 3)])
def test_convolution_and_norm_are_kernels_of_vectors(
    channels: int, size: int, kernel: int, target: str
) -> None:
    text = source_at(depthwise_norm(channels, size, kernel), "scheduled", target=target)
    kernels = text.split("te.kernel @")[1:]
    names = [k.split("(")[0] for k in kernels if not k.startswith("copy")]
    assert names == ["conv", "normalize"]
    computes = [c.split("body(")[0] for c in "".join(kernels).split("te.compute @")[1:]]
    assert all("vec = " in c for c in computes if c.startswith(("conv", "normalize", "add")))


def test_taps_along_the_row_are_unrolled() -> None:
    text = source_at(depthwise_norm(32, 16, 7), "scheduled", target=AVX512)
    assert "w: 8, r: 7 red, s: 7 red" in text
    assert "tile(vec = o, lanes = 16, s = 0)" in text


def test_row_major_windows_unroll_the_taps_of_a_column() -> None:
    """Vectors run along rows, so adjacent rows share the taps of a column."""
    nodes = [helper.make_node("MaxPool", ["x"], ["y"], kernel_shape=[3, 3], strides=[2, 2])]
    text = source_at(onnx_model(nodes, {"x": [1, 6, 21, 21]}), "scheduled", target=AVX2)
    assert re.search(r"h: \d, w: \d+, s: 3 red, r: 3 red", text)
    assert "tile(vec = w, lanes = 8, r = 0)" in text


@pytest.mark.parametrize(("channels", "groups", "copied"), [(32, 8, True), (32, 2, False)])
def test_groups_that_no_block_fits_are_copied_to_rows_once(
    channels: int, groups: int, copied: bool
) -> None:
    text = source_at(groups_between(channels, groups, 12), "te", target=AVX512)
    kernels = [k.split("(")[0] for k in text.split("te.kernel @")[1:]]
    middle = kernels[kernels.index("conv") + 1 : kernels.index("conv_1")]
    assert [k.split("_")[0] for k in middle] == ["copy"] * copied


MODELS = {
    "9x9": depthwise_norm(24, 9, 9),
    "11x11": depthwise_norm(7, 12, 11),
    "window_larger_than_map": depthwise_norm(33, 5, 7),
    "groups": groups_between(32, 8, 13),
}


@pytest.mark.parametrize("name", MODELS)
def test_results_agree_with_onnxruntime(name: str) -> None:
    model = MODELS[name]
    shape = [d.dim_value for d in model.graph.input[0].type.tensor_type.shape.dim]
    x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
    module = tilewright.compile(model)
    (got,), (again,) = ([y.numpy() for y in module.run({"x": x}, threads=n)] for n in (1, 3))
    np.testing.assert_array_equal(got, again)
    np.testing.assert_allclose(got, peer_results(model, {"x": x})[0], rtol=2e-5, atol=2e-5)
