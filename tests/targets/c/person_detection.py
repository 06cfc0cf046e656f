"""A network of the size of a person detector for microcontrollers, in f32 and in bytes.

MobileNet (Howard et al., arXiv:1704.04861) of width 0.25 on gray images of 96 x 96 pixels, with two
classes, as in the example person_detection of TensorFlow Lite Micro; the weights are random.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import onnx
import onnx.parser
from onnx import numpy_helper

import tilewright

BLOCKS = (
    (16, 1), (32, 2), (32, 1), (64, 2), (64, 1), (128, 2), (128, 1), (128, 1), (128, 1), (128, 1),
    (128, 1), (256, 2), (256, 1),
)  # fmt: skip
"""The filters of each pointwise convolution, and the stride of the convolution before it."""
SIZE, FIRST, CLASSES = 96, 8, 2
IMAGE = np.random.default_rng(3).standard_normal((1, 1, SIZE, SIZE), np.float32)


def float_network(size: int = SIZE, blocks: int = len(BLOCKS)) -> onnx.ModelProto:
    """Return the network in f32 for square images; blocks: the number of pairs of layers."""
    rng, weights = np.random.default_rng(0), dict[str, np.ndarray]()

    def layer(value: str, filters: int, inputs: int, kernel: int, stride: int, group: int) -> str:
        name = f"layer{len(weights) // 2}"
        fan = inputs // group * kernel * kernel
        weights[f"{name}_w"] = rng.standard_normal(
            (filters, inputs // group, kernel, kernel), np.float32
        ) * np.float32(np.sqrt(2 / fan))
        weights[f"{name}_b"] = rng.standard_normal(filters, np.float32) / 8
        pad = kernel // 2
        lines.append(
            f"{name} = Conv<group={group}, pads=[{pad},{pad},{pad},{pad}], "
            f"strides=[{stride},{stride}]>({value}, {name}_w, {name}_b) "
            f"{name}_relu = Relu({name})"
        )
        return f"{name}_relu"

    lines: list[str] = []
    value, channels = layer("image", FIRST, 1, 3, 2, 1), FIRST
    for filters, stride in BLOCKS[:blocks]:
        value = layer(value, channels, channels, 3, stride, channels)
        value, channels = layer(value, filters, channels, 1, 1, 1), filters
    weights["head"] = rng.standard_normal((channels, CLASSES), np.float32) / 8
    lines.append(f"m = GlobalAveragePool({value}) f = Flatten(m) scores = MatMul(f, head)")
    model = onnx.parser.parse_model(
        f'<ir_version: 9, opset_import: ["": 18]> person (float[1,1,{size},{size}] image) => '
        f"(float[1,{CLASSES}] scores) {{ {' '.join(lines)} }}"
    )
    model.graph.initializer.extend(numpy_helper.from_array(v, k) for k, v in weights.items())
    return model


@cache
def byte_network() -> onnx.ModelProto:
    """Return the network with weights and images of bytes."""
    return tilewright.quantize(float_network(), [{"image": IMAGE}])
