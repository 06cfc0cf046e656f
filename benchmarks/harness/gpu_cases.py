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
    """A small model: ONNX nodes on inputs of given shapes.

    torch: the name of a function in gpu_timing.py that computes the same.  flops: the operations of
    its products, where a multiply-add counts as two; 0: the number that the compiler counts.
    opset: the version of ONNX.
    """

    body: str
    inputs: Mapping[str, tuple[int, ...]]
    output: tuple[int, ...]
    torch: str
    flops: int = 0
    opset: int = 22

    def model(self, dtype: str) -> onnx.ModelProto:
        """Return the ONNX model for an element type."""
        typed = TYPES[dtype]
        inputs = ", ".join(f"{typed}{list(shape)} {n}" for n, shape in self.inputs.items())
        head = f'<ir_version: 11, opset_import: ["": {self.opset}]>'
        output = f"{typed}{list(self.output)} y"
        return onnx.parser.parse_model(f"{head} g ({inputs}) => ({output}) {{ {self.body} }}")

    def arrays(self, dtype: str) -> list[np.ndarray[Any, Any]]:
        """Return random inputs of an element type; a seed fixes them."""
        rng = np.random.default_rng(0)
        shapes = self.inputs.values()
        return [rng.standard_normal(shape).astype(DTYPES[dtype]) for shape in shapes]


def product(m: int, k: int, n: int) -> Operator:
    inputs = {"a": (m, k), "b": (k, n)}
    return Operator("y = MatMul(a, b)", inputs, (m, n), "matmul", 2 * m * k * n)


def convolution(
    channels: int, filters: int, kernel: int, size: int, *, batch: int = 1, groups: int = 1
) -> Operator:
    pads, depth = [kernel // 2] * 4, channels // groups
    inputs = {"x": (batch, channels, size, size), "w": (filters, depth, kernel, kernel)}
    body = f"y = Conv <pads = {pads}, group = {groups}> (x, w)"
    output = (batch, filters, size, size)
    return Operator(body, inputs, output, "conv", 2 * prod(output) * depth * kernel**2)


def attention(heads: int, rows: int, features: int) -> Operator:
    shape = (1, heads, rows, features)
    body = (
        "t = Transpose <perm = [0, 1, 3, 2]> (k) s = MatMul (q, t) "
        f"f = Constant <value = float {{{features**-0.5}}}> () c = CastLike (f, q) d = Mul (s, c) "
        "p = Softmax <axis = -1> (d) y = MatMul (p, v)"
    )
    flops = 4 * heads * rows**2 * features
    return Operator(body, dict.fromkeys("qkv", shape), shape, "attention", flops)


def whole_attention(heads: int, queries: int, keys: int, features: int, causal: int) -> Operator:
    """Return an attention of one node, with as many operations as its mask leaves."""
    wide, shape = (1, heads, keys, features), (1, heads, queries, features)
    body = f"y = Attention <is_causal = {causal}> (q, k, v)"
    flops = 4 * heads * queries * keys * features // (2 if causal else 1)
    return Operator(body, {"q": shape, "k": wide, "v": wide}, shape, "attention", flops, opset=23)


def summed(axis: int, rows: int, columns: int) -> Operator:
    body = f"c = Constant <value = int64[1] {{{axis}}}> () y = ReduceSum <keepdims = 0> (x, c)"
    return Operator(body, {"x": (rows, columns)}, (rows if axis else columns,), "sum")


def normalized(rows: int, columns: int) -> Operator:
    inputs = {"x": (rows, columns), "g": (columns,), "b": (columns,)}
    body = "y = LayerNormalization <axis = -1> (x, g, b)"
    return Operator(body, inputs, (rows, columns), "layernorm")


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
    "layernorm_4096x1024": normalized(4096, 1024),
    "gelu_4m": row_wise("y = Gelu (x)", 4096, 1024, "gelu"),
}

MEASURED: Mapping[str, Operator] = {
    "matmul_4096": product(4096, 4096, 4096),
    "matmul_1024": product(1024, 1024, 1024),
    "matmul_16x4096x14336": product(16, 4096, 14336),
    "matmul_1x4096x14336": product(1, 4096, 14336),
    "conv3x3_64x56": convolution(64, 64, 3, 56),
    "conv3x3_32x64x56": convolution(64, 64, 3, 56, batch=32),
    "depthwise3x3_32x144x56": convolution(144, 144, 3, 56, batch=32, groups=144),
    "attention_12x384x64": whole_attention(12, 384, 384, 64, 0),
    "attention_32x2048x128_causal": whole_attention(32, 2048, 2048, 128, 1),
    "attention_32x1of2048x128": whole_attention(32, 1, 2048, 128, 0),
    "softmax_16384x1024": row_wise("y = Softmax <axis = -1> (x)", 16384, 1024, "softmax"),
    "layernorm_16384x1024": normalized(16384, 1024),
    "gelu_64m": row_wise("y = Gelu (x)", 16384, 4096, "gelu"),
    "sum_rows_16384x4096": summed(1, 16384, 4096),
    "sum_columns_16384x4096": summed(0, 16384, 4096),
    "transpose_8192": row_wise("y = Transpose <perm = [1, 0]> (x)", 8192, 8192, "transpose"),
}
"""Operators with times in benchmarks/measured/, which gpu_measured.py prints next to bounds."""

Call = Callable[[], Any]

__all__ = ["DTYPES", "MEASURED", "OPERATORS", "TYPES", "Call", "Operator"]
