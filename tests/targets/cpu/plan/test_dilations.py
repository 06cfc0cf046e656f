"""Dilated convolutions omit the taps whose rows lie outside the map."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import helper

from tilewright.driver.report.texts import source_at

from ....onnx_models import onnx_model
from ..threads import check_threads

AVX2 = "llvm -mcpu=x86-64-v3"


def pyramid(size: tuple[int, ...], dilations: list[int], kernel: int = 3) -> onnx.ModelProto:
    """Return parallel convolutions of one map with several dilations, as in DeepLab."""
    rng = np.random.default_rng(0)
    rank = len(size)
    names = [f"w{n}" for n in range(len(dilations) + 1)]
    shapes = [(32, 16, *[1] * rank)] + [(16, 32, *[kernel] * rank)] * len(dilations)
    weights = {
        name: rng.standard_normal(shape).astype(np.float32)
        for name, shape in zip(names, shapes, strict=True)
    }
    nodes = [helper.make_node("Conv", ["x", "w0"], ["t"])]
    for name, dilation in zip(names[1:], dilations, strict=True):
        pads = [kernel // 2 * dilation] * (2 * rank)
        node = helper.make_node(
            "Conv", ["t", name], [f"y{name}"], dilations=[dilation] * rank, pads=pads
        )
        nodes.append(node)
    outputs = [f"y{name}" for name in names[1:]]
    nodes.append(helper.make_node("Concat", outputs, ["y"], axis=1))
    return onnx_model(nodes, {"x": [1, 16, *size]}, weights=weights)


def test_rows_have_no_border_where_taps_lie_far_apart() -> None:
    text = source_at(pyramid((33, 33), [12]), "sched", target=AVX2)
    assert "memref<1x4x33x57x8xf32>" in text


def test_near_taps_read_a_border() -> None:
    text = source_at(pyramid((33, 33), [2]), "sched", target=AVX2)
    assert "memref<1x4x37x37x8xf32>" in text


@pytest.mark.parametrize(
    ("size", "dilations", "kernel"),
    [
        ((33, 33), [1, 12, 24], 3),
        ((9, 20), [6, 2, 3], 3),
        ((5, 31), [2, 4], 5),
        ((7, 6, 9), [3, 5], 3),
        ((40,), [12], 3),
    ],
)
def test_dilated_convolutions_are_right(
    size: tuple[int, ...], dilations: list[int], kernel: int
) -> None:
    check_threads(pyramid(size, dilations, kernel), (1, 16, *size))


@pytest.mark.parametrize(
    ("image", "kernel", "stride", "dilation", "low"),
    [
        ((2, 3, 28, 8, 25), (1, 2, 2), 3, 6, 3),
        ((1, 8, 17, 40), (3, 3), 2, 4, 5),
        ((3, 4, 31), (4,), 4, 2, 3),
        ((1, 16, 2, 9), (1, 3), 3, 3, 2),
    ],
)
def test_copies_without_unread_elements_are_right(
    image: tuple[int, ...], kernel: tuple[int, ...], stride: int, dilation: int, low: int
) -> None:
    """Strides and dilations with a common divisor; pads differ at the start and the end."""
    w = np.random.default_rng(0).standard_normal((5, image[1], *kernel)).astype(np.float32)
    rank = len(kernel)
    node = helper.make_node(
        "Conv", ["x", "w"], ["y"], strides=[stride] * rank, dilations=[dilation] * rank,
        pads=[low] * rank + [low + 1] * rank,
    )  # fmt: skip
    check_threads(onnx_model([node], {"x": image}, weights={"w": w}), image)
