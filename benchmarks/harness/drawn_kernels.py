"""Kernels drawn at random: one operator each, of a kind and of sizes that a seed determines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from tilewright import PassContext, Target
from tilewright.testing.fuzz.draw import Draw
from tilewright.testing.fuzz.graph_builder import GraphBuilder, GraphTensor
from tilewright.tuning.task import Task, tasks_of

COLD_BYTES = 64 << 20
"""The size of the weights between two calls of a kernel: more than the caches hold."""

_STEPS = 1 << 20
"""The number of different sizes between two limits, as far as they are different integers."""


def _size(g: GraphBuilder, low: int, high: int, multiple: int = 1) -> int:
    """Return a multiple of a number; logarithms are uniform between both limits."""
    drawn = low * (high / low) ** (g.draw.integer(0, _STEPS) / _STEPS)
    return max(1, round(drawn / multiple)) * multiple


def _product(g: GraphBuilder, rows: int, *, ragged: bool = False) -> GraphTensor:
    multiple = 1 if ragged else 8
    k, n = (_size(g, 32, 2048, multiple) for _ in range(2))
    product = g.op("MatMul", g.input(rows, k), g.weight(k, n))
    return g.op("Relu", g.op("Add", product, g.weight(n))) if g.draw.chance(0.5) else product


def _batched(g: GraphBuilder) -> GraphTensor:
    b, m, k, n = _size(g, 4, 64), *(_size(g, 16, 256) for _ in range(3))
    return g.op("MatMul", g.input(b, m, k), g.input(b, k, n))


def _convolution(
    g: GraphBuilder, taps: int, stride: int, *, is_depthwise: bool = False
) -> GraphTensor:
    multiple = g.draw.one(8, 16, 16, 32)
    height, width = (_size(g, 7, 112) for _ in range(2))
    channels, filters = (_size(g, 16, 512, multiple) for _ in range(2))
    while height * width * channels > 1 << 21:
        height, width = max(7, height // 2), max(7, width // 2)
    groups, filters = (channels, channels) if is_depthwise else (1, filters)
    x, w = g.input(1, channels, height, width), g.weight(filters, channels // groups, taps, taps)
    window: dict[str, Any] = {"strides": [stride] * 2, "pads": [taps // 2] * 4, "group": groups}
    return g.op("Relu", g.op("Conv", x, w, g.weight(filters), **window))


def _attention(g: GraphBuilder) -> GraphTensor:
    heads, queries = _size(g, 2, 16), _size(g, 16, 512)
    keys, features = _size(g, 16, 1024), g.draw.one(32, 64, 64, 128)
    q, k = g.input(1, heads, queries, features), g.input(1, heads, features, keys)
    scaled = g.op("Mul", g.op("MatMul", q, k), g.number(features**-0.5))
    return g.op("MatMul", g.op("Softmax", scaled, axis=-1), g.input(1, heads, keys, features))


def _rows(g: GraphBuilder) -> GraphTensor:
    rows, columns = _size(g, 8, 4096), _size(g, 16, 4096)
    x = g.input(rows, columns)
    op = g.draw.one("Softmax", "LayerNormalization", "ReduceMean")
    if op == "LayerNormalization":
        return g.same(op, x, g.weight(columns), g.weight(columns), axis=-1)
    return g.op(op, g.op("Mul", x, x)) if op == "ReduceMean" else g.op(op, x, axis=-1)


KINDS: Mapping[str, Callable[[GraphBuilder], GraphTensor]] = {
    "product": lambda g: _product(g, _size(g, 25, 1024)),
    "thin": lambda g: _product(g, _size(g, 1, 24)),
    "ragged": lambda g: _product(g, _size(g, 1, 512), ragged=True),
    "batched": _batched,
    "pointwise-conv": lambda g: _convolution(g, 1, g.draw.one(1, 1, 1, 2)),
    "conv": lambda g: _convolution(g, g.draw.one(3, 3, 5), 1),
    "strided-conv": lambda g: _convolution(g, g.draw.one(3, 3, 5, 7), 2),
    "depthwise": lambda g: _convolution(g, g.draw.one(3, 5), g.draw.one(1, 2), is_depthwise=True),
    "attention": _attention,
    "rows": _rows,
}
"""A function that adds the operator of a kind, with random sizes, and returns the result."""


def drawn_task(kind: str, seed: int, target: Target) -> Task:
    """Return the kernel with the most operations of a model that a kind and a seed determine.

    Its convolutions are direct, and its weights are cold.
    """
    g = GraphBuilder(Draw(f"{kind} {seed}"))
    g.output(KINDS[kind](g))
    data = g.model().SerializeToString()
    with PassContext(disabled_pass=["cpu-choose-algorithms"]):
        task = max(tasks_of(data, target=target), key=lambda each: each.flops)
    return replace(task, rotated_bytes=COLD_BYTES)
