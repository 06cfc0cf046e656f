"""Attention as torch exports it: repeated heads, and 0 for queries that see no key."""

from __future__ import annotations

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import parser

import tilewright

HEADS, SHARED, FEATURES = 8, 2, 32

SIZES = [(1, 2), (3, 40), (9, 131), (17, 300), (40, 5), (64, 64)]
"""Queries and earlier keys: around the groups and blocks of both."""

MODEL = """<ir_version: 9, opset_import: ["" : 18]>
g (float[1,8,q,32] x, float[1,2,past,32] k0, float[1,2,past,32] v0,
   float[1,2,q,32] k1, float[1,2,q,32] v1, float[q,total] mask) => (float[1,8,q,32] y)
<int64[1] two = {2}, int64[5] repeats = {1, 1, 4, 1, 1}, int64[4] heads = {1, 8, -1, 32},
 float scale = {0.125}, float zero = {0.0}>
{
  k = Concat<axis = 2>(k0, k1)
  v = Concat<axis = 2>(v0, v1)
  grouped_k = Unsqueeze(k, two)
  grouped_v = Unsqueeze(v, two)
  repeated_k = Expand(grouped_k, repeats)
  repeated_v = Expand(grouped_v, repeats)
  all_k = Reshape(repeated_k, heads)
  all_v = Reshape(repeated_v, heads)
  columns = Transpose<perm = [0, 1, 3, 2]>(all_k)
  products = MatMul(x, columns)
  scaled = Mul(products, scale)
  scores = Add(scaled, mask)
  softmax = Softmax<axis = -1>(scores)
  is_nan = IsNaN(softmax)
  weights = Where(is_nan, zero, softmax)
  y = MatMul(weights, all_v)
}"""


def inputs(queries: int, past: int) -> dict[str, np.ndarray]:
    """Return inputs in which one query sees no key, and one no key of the first half."""
    rng = np.random.default_rng(queries * past)
    keys = past + queries
    mask = np.where(np.arange(keys) <= np.arange(queries)[:, None] + past, 0, -np.inf)
    mask[queries // 2] = -np.inf
    if queries > 2:
        mask[0, : past // 2 + 1] = -np.inf
    shapes = {"x": (HEADS, queries), "k0": (SHARED, past), "v0": (SHARED, past)}
    shapes |= {"k1": (SHARED, queries), "v1": (SHARED, queries)}
    made = {name: rng.standard_normal((1, *shape, FEATURES)) for name, shape in shapes.items()}
    return {n: x.astype(np.float32) for n, x in (made | {"mask": mask}).items()}


@pytest.fixture(scope="module")
def model() -> onnx.ModelProto:
    return parser.parse_model(MODEL)


@pytest.fixture(scope="module")
def peer(model: onnx.ModelProto) -> onnxruntime.InferenceSession:
    return onnxruntime.InferenceSession(model.SerializeToString())


def assert_right(
    module: tilewright.CompiledModule, peer: onnxruntime.InferenceSession, sizes: tuple[int, int]
) -> None:
    feeds = inputs(*sizes)
    expected = np.asarray(peer.run(None, feeds)[0])
    assert (expected[:, :, sizes[0] // 2] == 0).all()
    (got,) = module.run(feeds, threads=1)
    np.testing.assert_allclose(got, expected, atol=2e-6)
    (shared,) = module.run(feeds, threads=2)
    np.testing.assert_array_equal(shared, got)


@pytest.mark.parametrize("target", ["native", "llvm -mcpu=x86-64-v3", "llvm -mcpu=x86-64"])
def test_open_sizes_are_one_kernel(
    model: onnx.ModelProto, peer: onnxruntime.InferenceSession, target: str
) -> None:
    module = tilewright.compile(model, target=target, cache=False)
    assert not module.reason
    assert {kernel.name for kernel in module.kernels} == {"concat", "attention"}
    for sizes in SIZES:
        assert_right(module, peer, sizes)


@pytest.mark.parametrize("sizes", SIZES[1:])
def test_fixed_sizes_are_one_kernel(
    model: onnx.ModelProto, peer: onnxruntime.InferenceSession, sizes: tuple[int, int]
) -> None:
    queries, past = sizes
    shapes = {"q": queries, "past": past, "total": queries + past}
    module = tilewright.compile(model, shapes=shapes, cache=False)
    assert {kernel.name for kernel in module.kernels} == {"concat", "attention"}
    assert_right(module, peer, sizes)


@pytest.mark.parametrize("shapes", [None, {"q": 16, "past": 48, "total": 64}])
def test_the_kernel_names_the_nodes_of_the_guard(
    model: onnx.ModelProto, shapes: dict[str, int] | None
) -> None:
    named = onnx.ModelProto()
    named.CopyFrom(model)
    for node in named.graph.node:
        node.name = node.output[0]
    module = tilewright.compile(named, shapes=shapes, cache=False)
    (kernel,) = (kernel for kernel in module.kernels if kernel.name == "attention")
    assert {"products", "softmax", "is_nan", "weights", "y"} <= {*kernel.nodes}
