"""Convolutions with narrow result rows vectorize channels in a local buffer, then copy out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import onnx
import pytest
from onnx import helper

from tilewright.driver.report.texts import source_at

from ....onnx_models import onnx_model
from ..threads import check_threads

AVX2, AVX512 = "llvm -mcpu=x86-64-v3", "llvm -mcpu=x86-64-v4"
NEON = "llvm -mcpu=cortex-a72"


@dataclass(frozen=True)
class Layer:
    """A convolution with a bias and an activation, on an image."""

    image: tuple[int, ...]
    outputs: int
    kernel: tuple[int, ...]
    stride: int = 1

    def model(self) -> onnx.ModelProto:
        rng = np.random.default_rng(0)
        weights = {
            "w": rng.standard_normal((self.outputs, self.image[1], *self.kernel)),
            "b": rng.standard_normal(self.outputs),
        }
        strides = [self.stride] * len(self.kernel)
        pads = [k // 2 for k in self.kernel] * 2
        return onnx_model(
            [
                helper.make_node("Conv", ["x", "w", "b"], ["t"], pads=pads, strides=strides),
                helper.make_node("Relu", ["t"], ["y"]),
            ],
            {"x": self.image},
            weights={name: w.astype(np.float32) for name, w in weights.items()},
        )


NARROW = (
    Layer((1, 2, 95, 5), 454, (7, 7), 2),
    Layer((2, 112, 20, 6), 255, (3, 5)),
    Layer((1, 160, 9, 3), 37, (5, 3)),
    Layer((1, 1, 29, 29), 460, (11, 11), 2),
    Layer((2, 5, 1, 7), 99, (1, 3)),
    Layer((1, 33, 3), 66, (3,)),
    Layer((2, 3, 4, 5, 6), 50, (3, 3, 3)),
)


@pytest.mark.parametrize("target", [AVX2, AVX512])
@pytest.mark.parametrize("layer", NARROW[:3], ids=str)
def test_narrow_rows_run_along_channels(layer: Layer, target: str) -> None:
    assert "sched.cache_write" in source_at(layer.model(), "sched", target=target, strict_plan=True)


@pytest.mark.parametrize(
    "layer", [Layer((1, 64, 56, 56), 64, (3, 3)), Layer((1, 16, 48, 48), 33, (3, 3))], ids=str
)
def test_wide_rows_and_whole_blocks_are_written_at_once(layer: Layer) -> None:
    assert "sched.cache_write" not in source_at(layer.model(), "sched", target=AVX2)


@pytest.mark.parametrize("layer", NARROW, ids=str)
def test_results_are_right_with_any_number_of_threads(layer: Layer) -> None:
    check_threads(layer.model(), layer.image)


@pytest.mark.parametrize("seed", range(12))
def test_every_narrow_shape_lowers(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rank = int(rng.integers(1, 4))
    image = [int(n) for n in rng.integers(1, [3, 40, *[8] * rank])]
    kernel = tuple(int(k) for k in rng.choice([1, 3], rank))
    layer = Layer(tuple(image), int(rng.integers(20, 300)), kernel, int(rng.integers(1, 3)))
    target = (AVX2, AVX512, NEON)[seed % 3]
    assert "func.func" in source_at(layer.model(), "loop", target=target, strict_plan=True), layer


@pytest.mark.parametrize(
    ("shape", "weights", "groups"),
    [
        ((1, 8, 18, 50), (8, 1, 6, 4), 1),
        ((2, 12, 9, 13), (12, 6, 3, 3), 3),
        ((1, 20, 8, 42), (20, 15, 4, 5), 2),
        ((1, 6, 5, 3), (6, 1, 4, 4), 6),
    ],
)
def test_transposed_convolutions_with_few_outputs(
    shape: tuple[int, ...], weights: tuple[int, ...], groups: int
) -> None:
    w = np.random.default_rng(0).standard_normal(weights).astype(np.float32)
    node = helper.make_node(
        "ConvTranspose", ["x", "w"], ["y"], strides=[2, 3], pads=[0, 1, 1, 0], group=groups
    )
    model = onnx_model([node], {"x": shape}, weights={"w": w})
    scripts = source_at(model, "sched", target=AVX2).split("sched.script @conv")[1:]
    assert scripts
    assert all("sched.vectorize" in script for script in scripts)
    check_threads(model, shape)
