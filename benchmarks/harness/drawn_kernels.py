"""Kernels drawn at random: one operator each, of a kind and of sizes that a seed determines."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from tilewright import PassContext, Target
from tilewright.tuning.task import Task, tasks_of

COLD_BYTES = 64 << 20
"""The size of the weights between two calls of a kernel: more than the caches hold."""


class _Graph:
    """An ONNX graph under construction, with the input ``x``.

    rng: draws the sizes.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self._nodes: list[onnx.NodeProto] = []
        self._inputs: list[onnx.ValueInfoProto] = []
        self._weights: list[onnx.TensorProto] = []

    def size(self, low: int, high: int, multiple: int = 1) -> int:
        """Return a multiple of a number; logarithms are uniform between both limits."""
        drawn = low * (high / low) ** self.rng.random()
        return max(1, round(drawn / multiple)) * multiple

    def input(self, name: str, *shape: int) -> str:
        """Add an input of f32 elements."""
        self._inputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))
        return name

    def weight(self, name: str, *shape: int) -> str:
        """Add a weight of random elements."""
        values = np.random.default_rng(0).standard_normal(shape, np.float32)
        self._weights.append(numpy_helper.from_array(values, name))
        return name

    def node(self, op: str, inputs: Sequence[str], output: str = "y", **attributes: Any) -> str:
        """Add a node."""
        self._nodes.append(helper.make_node(op, inputs, [output], **attributes))
        return output

    def model(self) -> bytes:
        """Return the serialized model, whose output is ``y``."""
        y = onnx.ValueInfoProto(name="y")
        graph = helper.make_graph(self._nodes, "drawn", self._inputs, [y], self._weights)
        imports = [helper.make_opsetid("", 20)]
        return helper.make_model(graph, opset_imports=imports, ir_version=10).SerializeToString()


def _product(g: _Graph, rows: int, *, ragged: bool = False) -> None:
    multiple = 1 if ragged else 8
    k, n = g.size(32, 2048, multiple), g.size(32, 2048, multiple)
    inputs = [g.input("x", rows, k), g.weight("w", k, n)]
    if g.rng.random() < 0.5:
        g.node("Add", [g.node("MatMul", inputs, "p"), g.weight("b", n)], "s")
        g.node("Relu", ["s"])
    else:
        g.node("MatMul", inputs)


def _batched(g: _Graph) -> None:
    b, m, k, n = g.size(4, 64), *(g.size(16, 256) for _ in range(3))
    g.node("MatMul", [g.input("x", b, m, k), g.input("w", b, k, n)])


def _convolution(g: _Graph, taps: int, stride: int, *, groups: bool = False) -> None:
    multiple = g.rng.choice((8, 16, 16, 32))
    height, width = g.size(7, 112), g.size(7, 112)
    channels, filters = g.size(16, 512, multiple), g.size(16, 512, multiple)
    while height * width * channels > 1 << 21:
        height, width = max(7, height // 2), max(7, width // 2)
    if groups:
        filters = channels
    weights = g.weight("w", filters, 1 if groups else channels, taps, taps)
    inputs = [g.input("x", 1, channels, height, width), weights, g.weight("b", filters)]
    g.node(
        "Conv",
        inputs,
        "c",
        strides=[stride] * 2,
        pads=[taps // 2] * 4,
        group=channels if groups else 1,
    )
    g.node("Relu", ["c"])


def _attention(g: _Graph) -> None:
    heads, queries = g.size(2, 16), g.size(16, 512)
    keys, features = g.size(16, 1024), g.rng.choice((32, 64, 64, 128))
    q = g.input("q", 1, heads, queries, features)
    k, v = g.input("k", 1, heads, features, keys), g.input("v", 1, heads, keys, features)
    scores = g.node("MatMul", [q, k], "s")
    scaled = g.node("Mul", [scores, g.weight("scale")], "t")
    g.node("MatMul", [g.node("Softmax", [scaled], "e", axis=-1), v])


def _rows(g: _Graph) -> None:
    rows, columns = g.size(8, 4096), g.size(16, 4096)
    x = g.input("x", rows, columns)
    op = g.rng.choice(("Softmax", "LayerNormalization", "ReduceMean"))
    if op == "LayerNormalization":
        g.node(op, [x, g.weight("scale", columns), g.weight("bias", columns)], axis=-1)
    elif op == "ReduceMean":
        x = g.node("Mul", [x, x], "squares")
        g.node(op, [x])
    else:
        g.node(op, [x], axis=-1)


KINDS: Mapping[str, Callable[[_Graph], None]] = {
    "product": lambda g: _product(g, g.size(25, 1024)),
    "thin": lambda g: _product(g, g.size(1, 24)),
    "ragged": lambda g: _product(g, g.size(1, 512), ragged=True),
    "batched": _batched,
    "pointwise-conv": lambda g: _convolution(g, 1, g.rng.choice((1, 1, 1, 2))),
    "conv": lambda g: _convolution(g, g.rng.choice((3, 3, 5)), 1),
    "strided-conv": lambda g: _convolution(g, g.rng.choice((3, 3, 5, 7)), 2),
    "depthwise": lambda g: _convolution(g, g.rng.choice((3, 5)), g.rng.choice((1, 2)), groups=True),
    "attention": _attention,
    "rows": _rows,
}
"""A function that adds the operator of each kind to a graph, with random sizes."""


def drawn_task(kind: str, seed: int, target: Target) -> Task:
    """Return the kernel with the most operations of a model that a kind and a seed determine.

    Its convolutions are direct, and its weights are cold.
    """
    graph = _Graph(random.Random(f"{kind} {seed}"))
    KINDS[kind](graph)
    with PassContext(disabled_pass=["cpu-choose-algorithms"]):
        task = max(tasks_of(graph.model(), target=target), key=lambda each: each.flops)
    return replace(task, rotated_bytes=COLD_BYTES)
