"""Operators for GPUs in f32, f16 and bf16: a model, its inputs, and the function of torch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import ml_dtypes
import numpy as np
import onnx

TYPES = {"f32": "float", "f16": "float16", "bf16": "bfloat16"}
"""ONNX's names of the types."""
DTYPES = {"f32": np.dtype("f4"), "f16": np.dtype("f2"), "bf16": np.dtype(ml_dtypes.bfloat16)}


@dataclass(frozen=True)
class Operator:
    """Nodes on inputs of some shapes.

    torch: the name of a function in gpu_timing.py that computes the same.  flops: of its products,
    a multiply-add counts as two; 0: those that the compiler counts.
    """

    body: str
    inputs: Mapping[str, tuple[int, ...]]
    output: tuple[int, ...]
    torch: str
    flops: int = 0

    def model(self, dtype: str) -> onnx.ModelProto:
        """Return the model for a type."""
        typed = TYPES[dtype]
        inputs = ", ".join(f"{typed}{list(shape)} {n}" for n, shape in self.inputs.items())
        head, output = '<ir_version: 10, opset_import: ["": 22]>', f"{typed}{list(self.output)} y"
        return onnx.parser.parse_model(f"{head} g ({inputs}) => ({output}) {{ {self.body} }}")

    def arrays(self, dtype: str) -> list[np.ndarray[Any, Any]]:
        """Return seeded inputs."""
        rng = np.random.default_rng(0)
        shapes = self.inputs.values()
        return [rng.standard_normal(shape).astype(DTYPES[dtype]) for shape in shapes]


def product(m: int, k: int, n: int) -> Operator:
    inputs = {"a": (m, k), "b": (k, n)}
    return Operator("y = MatMul(a, b)", inputs, (m, n), "matmul", 2 * m * k * n)


def convolution(channels: int, filters: int, kernel: int, size: int) -> Operator:
    pads = [kernel // 2] * 4
    inputs = {"x": (1, channels, size, size), "w": (filters, channels, kernel, kernel)}
    body = f"y = Conv <pads = {pads}> (x, w)"
    output = (1, filters, size, size)
    return Operator(body, inputs, output, "conv", 2 * prod(output) * channels * kernel**2)


def attention(heads: int, rows: int, features: int) -> Operator:
    shape = (1, heads, rows, features)
    body = (
        "t = Transpose <perm = [0, 1, 3, 2]> (k) s = MatMul (q, t) "
        f"f = Constant <value = float {{{features**-0.5}}}> () c = CastLike (f, q) d = Mul (s, c) "
        "p = Softmax <axis = -1> (d) y = MatMul (p, v)"
    )
    flops = 4 * heads * rows**2 * features
    return Operator(body, dict.fromkeys("qkv", shape), shape, "attention", flops)


def row_wise(body: str, rows: int, columns: int, torch: str) -> Operator:
    return Operator(body, {"x": (rows, columns)}, (rows, columns), torch)


OPERATORS: Mapping[str, Operator] = {
    "matmul_1024": product(1024, 1024, 1024),
    "matmul_128x768x3072": product(128, 768, 3072),
    "matmul_4096": product(4096, 4096, 4096),
    "conv3x3_64x56": convolution(64, 64, 3, 56),
    "conv3x3_256x14": convolution(256, 256, 3, 14),
    "conv1x1_256x64x56": convolution(256, 64, 1, 56),
    "attention_12x384x64": attention(12, 384, 64),
    "softmax_4096x1024": row_wise("y = Softmax <axis = -1> (x)", 4096, 1024, "softmax"),
    "layernorm_4096x1024": Operator(
        "y = LayerNormalization <axis = -1> (x, g, b)",
        {"x": (4096, 1024), "g": (1024,), "b": (1024,)},
        (4096, 1024),
        "layernorm",
    ),
    "gelu_4m": row_wise("y = Gelu (x)", 4096, 1024, "gelu"),
}

Call = Callable[[], Any]

__all__ = ["DTYPES", "OPERATORS", "TYPES", "Call", "Operator"]
