"""Phases of a transposed convolution without any kernel tap are not computed as sums."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import onnx
import pytest
from onnx import helper

from tilewright.driver.report.texts import source_at

from ....onnx_models import onnx_model
from ..threads import check_threads


@dataclass(frozen=True)
class Layer:
    """A transposed convolution; convolutions: the number of convolutions it becomes."""

    image: tuple[int, ...]
    outputs: int
    kernel: tuple[int, ...]
    strides: tuple[int, ...]
    convolutions: int
    dilations: tuple[int, ...] = (1, 1)
    groups: int = 1
    bias: bool = True

    def model(self) -> onnx.ModelProto:
        rng = np.random.default_rng(0)
        shape = (self.image[1], self.outputs // self.groups, *self.kernel)
        weights = {"w": rng.standard_normal(shape)}
        if self.bias:
            weights["b"] = rng.standard_normal(self.outputs)
        node = helper.make_node(
            "ConvTranspose",
            ["x", *weights],
            ["y"],
            strides=self.strides,
            dilations=self.dilations,
            group=self.groups,
        )
        return onnx_model(
            [node],
            {"x": self.image},
            weights={name: w.astype(np.float32) for name, w in weights.items()},
        )


LAYERS = (
    Layer((1, 12, 7, 3), 9, (3, 1), (4, 4), 3),
    Layer((2, 8, 5, 6), 16, (3, 1), (2, 2), 1, dilations=(2, 2), bias=False),
    Layer((1, 6, 4, 9), 10, (2, 2), (3, 5), 4, groups=2),
    Layer((1, 5, 3, 4), 3, (1, 1), (8, 8), 1),
    Layer((1, 4, 3, 2), 6, (1, 2), (9, 8), 1),
    Layer((2, 3, 6, 5), 32, (3, 3), (2, 2), 4),
    Layer((1, 3, 6, 5), 4, (2, 2), (2, 2), 1),
    Layer((1, 6, 9, 3), 22, (4, 4), (3, 3), 9, dilations=(2, 2), groups=2),
    Layer((1, 2, 6, 5), 5, (3, 5), (2, 4), 4, dilations=(3, 2)),
)


@pytest.mark.parametrize("layer", LAYERS, ids=str)
def test_only_phases_with_taps_are_convolutions(layer: Layer) -> None:
    text = source_at(layer.model(), "te", target="llvm -mcpu=x86-64-v3", strict_plan=True)
    assert text.count("te.compute @conv ") == layer.convolutions


@pytest.mark.parametrize("layer", LAYERS, ids=str)
def test_results_are_right_with_any_number_of_threads(layer: Layer) -> None:
    check_threads(layer.model(), layer.image)
