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
 float[5] w5, float[5,1,1] w6) => (float[1,5,N,M] y, float[1,5,H,W] z, float[1,5,I,J] s) {
  a = Conv<pads = [1, 1, 1, 1]>(x, w0, w1)
  v = Mul(w5, w5)
  b = BatchNormalization(a, w2, w3, w4, v)
  c = Relu(b)
  y = MaxPool<kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]>(c)
  z = AveragePool<kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]>(c)
  r = Conv<strides = [2, 2]>(x, w0)
  s = Sub(r, w6)
}""",
    "taps": """
(float[1,3,9,11] x, float[3,4,3,3] w0, float[3,1,7,7] w1)
=> (float[1,3,A,B] y, float[1,4,C,D] z, float[1,3,E,F] u, float[1,3,9,11] v) {
  y = MaxPool<kernel_shape = [9, 9], strides = [3, 3], pads = [4, 4, 4, 4]>(x)
  z = ConvTranspose<strides = [2, 2], pads = [1, 1, 1, 1]>(x, w0)
  u = Conv<group = 3, strides = [2, 2], pads = [3, 3, 3, 3]>(x, w1)
  v = LRN<size = 3>(x)
}""",
    "norm": """
(float[6,13] x, float[13] w0, float[13] w1)
=> (float[6,13] y, float[6,13] z, float[6,13] u, float[13,6] v) {
  t = Mul(x, x)
  a = LayerNormalization<axis = -1, epsilon = 0.5>(t, w0, w1)
  y = Softmax<axis = -1>(a)
  one = Constant<value = int64 {1}>()
  z = CumSum<reverse = 1>(x, one)
  u = CumSum(x, one)
  v = Transpose<perm = [1, 0]>(x)
}""",
    "rows": """
(float[3,2100] x, float[2100,5] w0, float[40,1500] u, float[1,9000] r)
=> (float[3,5] y, float[40,1500] z, float[1,9000] s, float[40] t) {
  y = MatMul(x, w0)
  z = Softmax<axis = -1>(u)
  s = Softmax<axis = -1>(r)
  one = Constant<value = int64[1] {1}>()
  t = ReduceSum<keepdims = 0>(u, one)
}""",
    "chain": """
(float[5,13,70] x, float[70,66] w0, float[66,66] w1, float[66,66] w2, float[66,31] w3)
=> (float[5,13,31] y) {
  a = MatMul(x, w0)
  b = MatMul(a, w1)
  c = MatMul(b, w2)
  d = Add(c, a)
  y = MatMul(d, w3)
}""",
    "arena": """
(float[1,7] x, float[7,200] w0, float[7,256] w1, float[256,3] w2, float[3,240] w3,
 float[240,32] w4, float[32,9] w5, float[240,9] w6, float[200,9] w7) => (float[1,9] y) {
  a = MatMul(x, w0)
  b = MatMul(x, w1)
  c = MatMul(b, w2)
  d = MatMul(c, w3)
  e = MatMul(d, w4)
  f = MatMul(e, w5)
  g = MatMul(d, w6)
  h = MatMul(a, w7)
  i = Add(f, g)
  y = Add(i, h)
}""",
    "causal": """
(float[2,11,12] q, float[2,12,11] k, float[2,11,12] v) => (float[2,11,12] y) {
  shape = Constant<value = int64[2] {11, 11}>()
  one = Constant<value = int64 {1}>()
  all = ConstantOfShape<value = float[1] {-10000.0}>(shape)
  mask = Trilu<upper = 1>(all, one)
  scale = Constant<value = float {0.29}>()
  s = MatMul(q, k)
  t = Mul(s, scale)
  u = Add(t, mask)
  p = Softmax<axis = -1>(u)
  y = MatMul(p, v)
}""",
    "threads": """
(float[2,400] u) => (float[2] s) {
  last = Constant<value = int64[1] {1}>()
  s = ReduceSum<keepdims = 0>(u, last)
}""",
    "tiles": """
(float[16,40] x, float[40,16] w0) => (float[16,16] y) {
  y = MatMul(x, w0)
}""",
    "columns": """
(float[1,38,3,4] x, float[3,38,3,3] w0, float[300,17] u) => (float[1,3,1,2] y, float[17] s) {
  y = Conv(x, w0)
  first = Constant<value = int64[1] {0}>()
  s = ReduceSum<keepdims = 0>(u, first)
}""",
    "symbols": """
(float[3,n] x, float[m,6] v, float[6,9] w0)
=> (float[3,n] t, int64[3,n] i, float[3] s, float[m,9] y) {
  length = Shape<start = 1>(x)
  t, i = TopK<axis = 1>(x, length)
  one = Constant<value = int64[1] {1}>()
  s = ReduceSum<keepdims = 0>(x, one)
  y = MatMul(v, w0)
}""",
    "image": """
(float[1,8,w] x, float[16,8,3] w0) => (float[1,16,w] y) {
  y = Conv<pads = [1, 1]>(x, w0)
}""",
    "sorted": """
(int8[1,3000] x) => (int8[1,3000] y, int64[1,3000] i) {
  all = Constant<value = int64[1] {3000}>()
  y, i = TopK(x, all)
}""",
    "rest": """
(float[m,6] v) => (float[A,6] u) {
  shape = Shape<end = 1>(v)
  four = Constant<value = int64[1] {4}>()
  r = Mod(shape, four)
  zero = Constant<value = int64[1] {0}>()
  u = Slice(v, r, shape, zero)
}""",
    "halves": """
(float[9,20] x) => (float[9,20] y) {
  factor = Constant<value = float {200.0}>()
  a = Mul(x, factor)
  b = Floor(a)
  c = Cast<to = 16>(b)
  d = Cast<to = 1>(c)
  y = Sub(d, b)
}""",
    "sizes": """
(float[m,n] x) => (float[m,n] y) {
  y = Exp(x)
}""",
    "wide": """
(float[70,90] x, float[90,60] w0, float[600,700] u, float[200,300] p, float[200,40] q,
 float[200,20] r) => (float[70,60] y, float[600,700] z, float[200,360] c) {
  y = MatMul(x, w0)
  z = Exp(u)
  c = Concat<axis = 1>(p, q, r)
}""",
    "convs": """
(float[1,8,9,11] x, float[16,8,3,3] w0, float[16,16,3,3] w1, float[16,16,7,7] w2)
=> (float[1,16,9,11] y) {
  a = Conv<pads = [1, 1, 1, 1]>(x, w0)
  b = Relu(a)
  c = Conv<pads = [1, 1, 1, 1]>(b, w1)
  d = Relu(c)
  e = Conv<pads = [3, 3, 3, 3]>(d, w2)
  y = Relu(e)
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
(float[4,9] x, float[9,21] w0, float[4,9] u, float[9,5] v)
=> (float[4,21] y, uint8[4,9] z, int32[4,5] m) {
  scale = Constant<value = float {0.02}>()
  zero = Constant<value = uint8 {120}>()
  q = QuantizeLinear(x, scale, zero)
  d = DequantizeLinear(q, scale, zero)
  y = MatMul(d, w0)
  z = QuantizeLinear(u, scale, zero)
  r = QuantizeLinear(v, scale, zero)
  m = MatMulInteger(q, r, zero, zero)
}""",
    "moves": """
(float[3,20] x, int64[5] i, float[3,4] u, float[40] r, float[2,7,12] k, float[12] w0)
=> (float[3,24] c, float[5,20] g, float[3,7] t, int64[3,7] n, float[40] s, float[14,12] m,
 float[3,28] o) {
  at = Constant<value = int64[1] {7}>()
  c = Concat<axis = 1>(u, x)
  three = Constant<value = int64 {3}>()
  j = Mod(i, three)
  g = Gather<axis = 0>(x, j)
  t, n = TopK<axis = 1>(x, at)
  forty = Constant<value = int64[1] {40}>()
  s, order = TopK<axis = 0>(r, forty)
  flat = Constant<value = int64[2] {14, 12}>()
  e = Exp(k)
  f = Reshape(e, flat)
  m = Mul(f, w0)
  around = Constant<value = int64[4] {0, 3, 0, 5}>()
  p = Pad(x, around)
  o = Exp(p)
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
