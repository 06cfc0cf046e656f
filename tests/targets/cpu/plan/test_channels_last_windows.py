"""Per-channel windows with a channels-last result read a channels-last copy."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from tilewright.driver.report.texts import source_at

from ....onnx_models import onnx_model
from ..threads import check_threads


def turned(image: tuple[int, ...], op: str, **attributes: Any) -> onnx.ModelProto:
    """Make per-channel windows, then a transpose to channels last."""
    weights: list[TensorProto] = []
    if op == "Conv":
        shape = (image[1], 1, *attributes["kernel_shape"])
        w = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
        weights, attributes = [numpy_helper.from_array(w, "w")], attributes | {"group": image[1]}
    nodes = [
        helper.make_node(op, ["x", *(w.name for w in weights)], ["t"], **attributes),
        helper.make_node("Transpose", ["t"], ["y"], perm=[0, *range(2, len(image)), 1]),
    ]
    return onnx_model(nodes, {"x": image}, weights=weights)


def test_the_copy_with_a_border_has_channels_last() -> None:
    model = turned((1, 100, 8, 8), "Conv", kernel_shape=[7, 7], pads=[3] * 4)
    assert "memref<1x14x14x100xf32>" in source_at(model, "sched", strict_plan=True)


@pytest.mark.parametrize(
    ("image", "op", "attributes"),
    [
        ((1, 100, 8, 8), "Conv", {"kernel_shape": [7, 7], "pads": [3] * 4}),
        ((2, 37, 9, 11), "Conv", {"kernel_shape": [3, 5], "strides": [2, 1]}),
        ((1, 33, 6, 7), "MaxPool", {"kernel_shape": [3, 3], "pads": [1] * 4}),
        ((2, 3, 8, 10), "AveragePool", {"kernel_shape": [2, 2], "strides": [2, 2]}),
        ((1, 21, 30), "Conv", {"kernel_shape": [5], "dilations": [3], "pads": [6, 6]}),
        ((1, 18, 4, 5, 6), "Conv", {"kernel_shape": [1, 3, 3], "pads": [0, 1, 1] * 2}),
    ],
)
def test_results_are_right_with_any_number_of_threads(
    image: tuple[int, ...], op: str, attributes: dict[str, Any]
) -> None:
    check_threads(turned(image, op, **attributes), image)
