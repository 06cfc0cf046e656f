"""Small ONNX models that stand for the kernels of larger ones; weights are random."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import onnx
from onnx import NodeProto, TensorProto, helper, numpy_helper

Shape = Sequence[int]


def model(
    nodes: Sequence[NodeProto], x: Shape, y: Shape, weights: Mapping[str, Shape]
) -> onnx.ModelProto:
    """Return a model from input x to output y with random weights of the given shapes."""
    rng = np.random.default_rng(0)
    graph = helper.make_graph(
        nodes,
        "benchmark",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, list(x))],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, list(y))],
        [
            numpy_helper.from_array(rng.standard_normal(shape).astype(np.float32) * 0.05, name)
            for name, shape in weights.items()
        ],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def matmul(m: int, n: int, k: int) -> onnx.ModelProto:
    """Return x (m, k) times a weight (k, n)."""
    return model([helper.make_node("MatMul", ["x", "w"], ["y"])], (m, k), (m, n), {"w": (k, n)})


def conv(channels_in: int, channels: int, size: int, kernel: int) -> onnx.ModelProto:
    """Return a convolution with bias and relu, padded so that the size stays."""
    pads = [kernel // 2] * 4
    nodes = [
        helper.make_node("Conv", ["x", "w", "b"], ["c"], pads=pads),
        helper.make_node("Relu", ["c"], ["y"]),
    ]
    weights = {"w": (channels, channels_in, kernel, kernel), "b": (channels,)}
    return model(nodes, (1, channels_in, size, size), (1, channels, size, size), weights)


def softmax(rows: int, columns: int) -> onnx.ModelProto:
    """Return the softmax of each row."""
    shape = (rows, columns)
    return model([helper.make_node("Softmax", ["x"], ["y"], axis=-1)], shape, shape, {})


def perceptron(batch: int, width: int, layers: int) -> onnx.ModelProto:
    """Return linear layers with relu between them."""
    nodes: list[NodeProto] = []
    weights: dict[str, Shape] = {}
    value = "x"
    for i in range(layers):
        weights |= {f"w{i}": (width, width), f"b{i}": (width,)}
        last = i == layers - 1
        nodes.append(
            helper.make_node("Gemm", [value, f"w{i}", f"b{i}"], ["y" if last else f"g{i}"])
        )
        if not last:
            nodes.append(helper.make_node("Relu", [f"g{i}"], [f"r{i}"]))
        value = f"r{i}"
    return model(nodes, (batch, width), (batch, width), weights)


MODELS = {
    "matmul 512x512x512": lambda: matmul(512, 512, 512),
    "matmul 1x1024x1024": lambda: matmul(1, 1024, 1024),
    "conv 64→64 56² 3x3": lambda: conv(64, 64, 56, 3),
    "conv 256→64 56² 1x1": lambda: conv(256, 64, 56, 1),
    "softmax 1536x128": lambda: softmax(1536, 128),
    "perceptron 64x512, 4 layers": lambda: perceptron(64, 512, 4),
}
