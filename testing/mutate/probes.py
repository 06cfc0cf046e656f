"""Small models that show planted bugs: ONNX text, whose inputs w0, w1, … become random constants.

    tw bisect of probe("cnn")

Sizes divide no vector, so that remainders, tails and padding are part of every model.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.helper import tensor_dtype_to_np_dtype

PROBES = {
    "mlp": """
(float[5,7] x, float[7,19] w0, float[19] w1, float[1] w2) => (float[5,19] y) {
  a = MatMul(x, w0)
  c = Add(a, w1)
  d = Relu(c)
  e = Sub(w2, d)
  m = ReduceMax<axes = [-1], keepdims = 1>(e)
  y = Add(e, m)
}""",
    "cnn": """
(float[1,3,9,11] x, float[5,3,3,3] w0, float[5] w1, float[5] w2, float[5] w3, float[5] w4,
 float[5] w5) => (float[1,5,N,M] y, float[1,5,H,W] z) {
  a = Conv<pads = [1, 1, 1, 1]>(x, w0, w1)
  v = Mul(w5, w5)
  b = BatchNormalization(a, w2, w3, w4, v)
  c = Relu(b)
  y = MaxPool<kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]>(c)
  z = AveragePool<kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]>(c)
}""",
    "norm": """
(float[6,13] x, float[13] w0, float[13] w1) => (float[6,13] y, float[6,13] z) {
  t = Mul(x, x)
  a = LayerNormalization<axis = -1>(t, w0, w1)
  y = Softmax<axis = -1>(a)
  one = Constant<value = int64 {1}>()
  z = CumSum<reverse = 1>(x, one)
}""",
    "attention": """
(float[1,11,24] x, float[24,24] w0, float[24,24] w1, float[24,24] w2, float[24,24] w3)
=> (float[1,11,24] y) {
  shape = Constant<value = int64[4] {1, 11, 2, 12}>()
  flat = Constant<value = int64[3] {1, 11, 24}>()
  scale = Constant<value = float {0.29}>()
  q0 = MatMul(x, w0)
  q1 = Reshape(q0, shape)
  q = Transpose<perm = [0, 2, 1, 3]>(q1)
  k0 = MatMul(x, w1)
  k1 = Reshape(k0, shape)
  k = Transpose<perm = [0, 2, 3, 1]>(k1)
  v0 = MatMul(x, w2)
  v1 = Reshape(v0, shape)
  v = Transpose<perm = [0, 2, 1, 3]>(v1)
  s0 = MatMul(q, k)
  s = Mul(s0, scale)
  p = Softmax<axis = -1>(s)
  o0 = MatMul(p, v)
  o1 = Transpose<perm = [0, 2, 1, 3]>(o0)
  o2 = Reshape(o1, flat)
  y = MatMul(o2, w3)
}""",
    "bytes": """
(float[4,9] x, float[9,21] w0, float[4,9] u) => (float[4,21] y, uint8[4,9] z, bfloat16[4,9] b) {
  scale = Constant<value = float {0.02}>()
  zero = Constant<value = uint8 {120}>()
  q = QuantizeLinear(x, scale, zero)
  d = DequantizeLinear(q, scale, zero)
  y = MatMul(d, w0)
  z = QuantizeLinear(u, scale, zero)
  b = Cast<to = 16>(x)
}""",
    "moves": """
(float[3,20] x, int64[5] i, float[3,4] u, float[40] r) => (float[3,24] c, float[5,20] g,
 float[3,7] t, int64[3,7] n, float[40] s) {
  at = Constant<value = int64[1] {7}>()
  c = Concat<axis = 1>(u, x)
  three = Constant<value = int64 {3}>()
  j = Mod(i, three)
  g = Gather<axis = 0>(x, j)
  t, n = TopK<axis = 1>(x, at)
  forty = Constant<value = int64[1] {40}>()
  s, order = TopK<axis = 0>(r, forty)
}""",
}
"""The models by name, as text of onnx.parser without its header."""

_HEADER = '<ir_version: 8, opset_import: ["" : 17]>\nprobe '


def probe(name: str) -> Any:
    """Return the model of a name, as an onnx.ModelProto.

    name: a key of `PROBES`.
    """
    return model_of(PROBES[name])


def model_of(text: str) -> Any:
    """Return the model of a text like those of `PROBES`, as an onnx.ModelProto."""
    model = onnx.parser.parse_model(_HEADER + text)
    rng = np.random.default_rng(0)
    for value in [v for v in model.graph.input if v.name[0] == "w"]:
        tensor = value.type.tensor_type
        shape = [dim.dim_value for dim in tensor.shape.dim]
        array = rng.standard_normal(shape).astype(tensor_dtype_to_np_dtype(tensor.elem_type))
        model.graph.initializer.append(numpy_helper.from_array(array, value.name))
        model.graph.input.remove(value)
    onnx.checker.check_model(model)
    return model


def save_probe(name: str, path: Path) -> None:
    """Write the model of a name to a file."""
    onnx.save(probe(name), path)
