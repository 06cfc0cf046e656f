"""Imported models with dynamic sizes: one compilation, right for every batch and length."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.numpy_helper
import onnxruntime
import pytest
from onnx import helper

import tilewright
from tilewright.dialects.sizes import record_sizes
from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.frontend.onnx.importer import import_model
from tilewright.runtime.errors import ArgumentError
from tilewright.support.entry import entry_of
from tilewright.testing.models import encoder_model, with_weights

from ...sweeps import in_turn

ENCODER = encoder_model(layers=1, hidden=48, heads=3, ffn=80, batch="b", seq="s")


LENGTHS = [1, 7, 8, 15, 16, 17, 31, 63, 64, 65, 80, 127, 128, 129, 200, 320]
SIZES = [*((1, s) for s in LENGTHS), (2, 1), (3, 13), (2, 64), (5, 33)]
"""Batch and length: around the blocks of queries and keys, and their parts."""


@pytest.fixture(scope="module", params=["native", "llvm -mcpu=x86-64-v3"])
def encoder(request: pytest.FixtureRequest) -> CompiledModule:
    module = tilewright.compile(ENCODER, target=request.param, cache=False)
    assert not module.reason
    return module


@pytest.fixture(scope="module")
def peer() -> onnxruntime.InferenceSession:
    return onnxruntime.InferenceSession(ENCODER.SerializeToString())


@pytest.mark.parametrize(("b", "s"), SIZES)
def test_an_open_encoder_is_right_at_all_sizes(
    encoder: CompiledModule, peer: onnxruntime.InferenceSession, b: int, s: int
) -> None:
    x = np.random.default_rng(b * s).standard_normal((b, s, 48)).astype(np.float32)
    expected = np.asarray(peer.run(None, {"hidden_states": x})[0])
    (got,) = encoder.run([x], threads=1)
    np.testing.assert_allclose(got, expected, atol=2e-5)
    (shared,) = encoder.run([x], threads=2)
    np.testing.assert_array_equal(shared, got)


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ((7, 48), ["wrong number of dimensions", "got: 2 dimensions", "hint: pass 3"]),
        ((1, 7, 47), ["wrong shape", "float32[b, s, 48]", "size 47 in dimension 2"]),
    ],
)
def test_wrong_inputs_are_refused_and_later_calls_run(
    encoder: CompiledModule, shape: tuple[int, ...], words: list[str]
) -> None:
    good = np.ones((1, 5, 48), np.float32)
    expected = encoder.run([good])[0]
    with pytest.raises(tilewright.ArgumentError) as caught:
        encoder.run([np.ones(shape, np.float32)])
    for word in words:
        assert word in str(caught.value)
    np.testing.assert_array_equal(encoder.run([good])[0], expected)


CACHED = """
<ir_version: 8, opset_import: ["": 17]>
cached (int64[b, s] ids, float[b, 4, p, 8] past_k, float[b, 4, p, 8] past_v)
    => (float[b, s, 32] y, float[b, 4, t, 8] k, float[b, 4, t, 8] v, int64[b, 1] token)
  <int64 zero = {0}, int64 one = {1}, int64 two = {2}, int64[1] axis = {1}, int64[1] last = {-1},
   int64[1] end = {4611686018427387904}, int64[3] parts = {32, 32, 32},
   int64[4] heads = {0, 0, 4, 8}, int64[3] merged = {0, 0, 32}, float low = {-10000.0}> {
  ids_shape = Shape (ids)
  s = Gather (ids_shape, one)
  past_shape = Shape (past_k)
  p = Gather (past_shape, two)
  all = Add (p, s)
  rows = Range (p, all, one)
  columns = Range (zero, all, one)
  words = Gather (table, ids)
  places = Gather (positions, rows)
  x = Add (words, places)
  inner = LayerNormalization (x, gain, bias)
  qkv = MatMul (inner, w_in)
  q0, k0, v0 = Split <axis = 2> (qkv, parts)
  q1 = Reshape (q0, heads)
  k1 = Reshape (k0, heads)
  v1 = Reshape (v0, heads)
  q = Transpose <perm = [0, 2, 1, 3]> (q1)
  k2 = Transpose <perm = [0, 2, 1, 3]> (k1)
  v2 = Transpose <perm = [0, 2, 1, 3]> (v1)
  k = Concat <axis = 2> (past_k, k2)
  v = Concat <axis = 2> (past_v, v2)
  turned = Transpose <perm = [0, 1, 3, 2]> (k)
  scores = MatMul (q, turned)
  row = Unsqueeze (rows, axis)
  is_past = LessOrEqual (columns, row)
  masked = Where (is_past, scores, low)
  weights = Softmax (masked)
  mixed = MatMul (weights, v)
  turned_back = Transpose <perm = [0, 2, 1, 3]> (mixed)
  flat = Reshape (turned_back, merged)
  out = MatMul (flat, w_out)
  y = Add (out, x)
  newest = Slice (y, last, end, axis)
  token = ArgMax <axis = -1, keepdims = 0> (newest)
}"""

BATCH = """
<ir_version: 8, opset_import: ["": 17]>
batch (float[b, 3, 30, 34] x) => (float[b, 10] y, float[b, 32, 8, 9] map) {
  a = Conv <strides = [2, 2], pads = [3, 3, 3, 3]> (x, w7)
  a1 = Relu (a)
  c = MaxPool <kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]> (a1)
  d = Conv <pads = [1, 1, 1, 1]> (c, w3)
  e = Add (d, c)
  e1 = Clip (e, low, high)
  f = Conv <pads = [1, 1, 1, 1], group = 32> (e1, depthwise)
  f1 = Relu (f)
  map = Conv (f1, w1)
  g = AveragePool <kernel_shape = [2, 2], pads = [0, 0, 1, 1]> (map)
  h = GlobalAveragePool (g)
  flat = Flatten (h)
  y = Gemm (flat, w_out)
}"""

IMAGES = """
<ir_version: 8, opset_import: ["": 17]>
images (float[b, 3, h, w] x) => (float[b, 10] y, float[b, 32, i, j] map) {
  a = Conv <strides = [2, 2], pads = [3, 3, 3, 3]> (x, w7)
  b1 = Relu (a)
  c = MaxPool <kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]> (b1)
  d = Conv <pads = [1, 1, 1, 1]> (c, w3)
  e = Add (d, c)
  f = Conv <strides = [2, 2]> (e, w1)
  map = AveragePool <kernel_shape = [2, 2], pads = [0, 0, 1, 1]> (f)
  g = GlobalAveragePool (f)
  flat = Flatten (g)
  y = Gemm (flat, w_out)
}"""


def check_open(model: onnx.ModelProto, calls: Sequence[dict[str, np.ndarray]]) -> None:
    """Compile a model once and compare each call with onnxruntime."""
    module = import_model(model)
    record_sizes(entry_of(module))
    compiled = tilewright.compile_module(module, cache=False, strict_plan=True)
    peer = onnxruntime.InferenceSession(model.SerializeToString())
    for feeds in calls:
        got = compiled.run(list(feeds.values()), threads=2)
        for one, expected in zip(got, peer.run(None, feeds), strict=True):
            np.testing.assert_allclose(one, np.asarray(expected), rtol=1e-4, atol=1e-4)


@pytest.mark.slow
def test_an_open_decoder_appends_to_its_cache() -> None:
    model = with_weights(
        CACHED, table=(50, 32), positions=(64, 32), gain=(32,), bias=(32,), w_in=(32, 96),
        w_out=(32, 32),
    )  # fmt: skip
    rng = np.random.default_rng(1)
    calls: list[dict[str, np.ndarray]] = []
    for b, s, p in ((1, 1, 1), (1, 7, 1), (2, 1, 13), (3, 5, 2)):
        past = [rng.standard_normal((b, 4, p, 8)).astype(np.float32) for _ in range(2)]
        calls.append({"ids": rng.integers(0, 50, (b, s)), "past_k": past[0], "past_v": past[1]})
    assert not tilewright.compile(model, cache=False).reason
    check_open(model, calls)


PASTS = [1, 14, 15, 16, 17, 31, 126, 127, 128, 142, 143, 300]
"""Lengths of a cache: with the new keys, around the blocks of 128, of a vector, and of one key."""


def test_sizes_from_zero_may_be_zero() -> None:
    text = """
    <ir_version: 9, opset_import: ["": 17]>
    attention (float[b, 4, past, 8] before, float[b, 4, s, 8] now, float[b, 4, s, 8] q)
        => (float[b, 4, s, 8] y, float[b, 4, total, 8] keys) {
      keys = Concat <axis = 2> (before, now)
      turned = Transpose <perm = [0, 1, 3, 2]> (keys)
      scores = MatMul (q, turned)
      weights = Softmax <axis = -1> (scores)
      y = MatMul (weights, keys)
    }"""
    model = onnx.parser.parse_model(text)
    module = tilewright.compile(model, cache=False)
    assert not module.reason
    assert "before: float32[b, 4, past, 8]" in repr(module)
    peer = onnxruntime.InferenceSession(model.SerializeToString())
    rng = np.random.default_rng(7)
    for b, past, s in (
        (1, 0, 3),
        (2, 5, 7),
        (1, 0, 1),
        (0, 3, 2),
        (0, 0, 1),
        (2, 99, 1),
        (1, 3, 0),
    ):
        arrays = [rng.random((b, 4, n, 8), dtype=np.float32) for n in (past, s, s)]
        expected = peer.run(None, dict(zip(("before", "now", "q"), arrays, strict=True)))
        for got, want in zip(module(*arrays), expected, strict=True):
            np.testing.assert_allclose(got, np.asarray(want), rtol=1e-5, atol=1e-6)
    module = tilewright.compile(model, shapes={"s": range(1, 9)}, cache=False)
    with pytest.raises(ArgumentError, match="dimension 2: s, where s is in 1"):
        module(*(np.ones((1, 4, n, 8), np.float32) for n in (1, 0, 0)))


def test_an_empty_image_has_its_padding() -> None:
    text = """
    <ir_version: 9, opset_import: ["": 20]>
    padded (float[1, 2, h, 5] x, float[4] bias) => (float[1, 4, oh, 5] y)
    <float[4, 2, 3, 3] w = {%s}> {
      y = Conv <pads = [2, 1, 2, 1]> (x, w, bias)
    }"""
    model = onnx.parser.parse_model(text % ", ".join(["0.5"] * 72))
    module = tilewright.compile(model, shapes={"h": range(0, 9)}, cache=False)
    bias = np.arange(4, dtype=np.float32)
    for threads in (1, 2):
        got = module.run([np.ones((1, 2, 0, 5), np.float32), bias], threads=threads)[0]
        expected = np.broadcast_to(bias[:, None, None], (1, 4, 2, 5))
        np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize(
    "node",
    [
        "y = ArgMax <axis = 1> (x)",
        'pads = Constant <value_ints = [0, 1, 0, 1]> () y = Pad <mode = "edge"> (x, pads)',
        "scales = Constant <value_floats = [1.0, 2.0]> ()"
        ' y = Resize <mode = "linear"> (x, , scales)',
    ],
)
def test_an_axis_that_needs_elements_is_limited(node: str) -> None:
    model = onnx.parser.parse_model(
        f"""
        <ir_version: 9, opset_import: ["": 18]>
        limited (float[b, n] x) => (y) {{ {node} }}"""
    )
    shapes = {"b": range(0, 9), "n": range(0, 9)}
    module = tilewright.compile(model, shapes=shapes, cache=False)
    peer = onnxruntime.InferenceSession(model.SerializeToString())
    for b, n in ((2, 3), (0, 3), (1, 1)):
        x = np.random.default_rng(b).random((b, n), dtype=np.float32)
        if b:
            np.testing.assert_allclose(
                module(x), np.asarray(peer.run(None, {"x": x})[0]), rtol=1e-6
            )
        else:
            assert module(x).shape[0] == 0
    with pytest.raises(ArgumentError, match="dimension 1: n, where n is in 1"):
        module(np.ones((2, 0), np.float32))


KNOWN: dict[str, dict[str, int]] = {
    "no size": {},
    "one query": {"s": 1},
    "one query of one sequence": {"s": 1, "b": 1},
    "three queries": {"s": 3, "b": 2},
    "40 keys": {"s": 1, "p": 40},
    "255 keys": {"s": 1, "p": 255},
}


@pytest.mark.one_in(3)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "target"), in_turn(KNOWN, [("native",), ("llvm -mcpu=x86-64-v3",)])
)
def test_few_queries_read_caches_of_any_length(name: str, target: str) -> None:
    sizes = KNOWN[name]
    model = with_weights(
        CACHED, table=(50, 32), positions=(320, 32), gain=(32,), bias=(32,), w_in=(32, 96),
        w_out=(32, 32),
    )  # fmt: skip
    module = tilewright.compile(model, target=target, shapes=sizes, cache=False, strict_plan=True)
    assert not module.reason
    peer = onnxruntime.InferenceSession(model.SerializeToString())
    rng = np.random.default_rng(1)
    for p in [sizes["p"]] if "p" in sizes else PASTS:
        b, s = sizes.get("b", 1 + p % 2), sizes.get("s", 1 + p % 4)
        past = [rng.standard_normal((b, 4, p, 8)).astype(np.float32) for _ in range(2)]
        feeds = {"ids": rng.integers(0, 50, (b, s)), "past_k": past[0], "past_v": past[1]}
        got = module.run(feeds, threads=1)
        for one, expected in zip(got, peer.run(None, feeds), strict=True):
            np.testing.assert_allclose(one, np.asarray(expected), rtol=1e-4, atol=1e-4)
        for one, two in zip(got, module.run(feeds, threads=2), strict=True):
            np.testing.assert_array_equal(one, two)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["native", "llvm -mcpu=x86-64-v3"])
def test_an_open_batch_has_the_plans_of_images(target: str) -> None:
    model = with_weights(
        BATCH, w7=(32, 3, 7, 7), w3=(32, 32, 3, 3), depthwise=(32, 1, 3, 3), w1=(32, 32, 1, 1),
        w_out=(32, 10),
    )  # fmt: skip
    for name, value in (("low", 0.0), ("high", 6.0)):
        array = np.asarray(value, np.float32)
        model.graph.initializer.append(onnx.numpy_helper.from_array(array, name))
    module = tilewright.compile(model, target=target, cache=False)
    assert not module.reason
    peer = onnxruntime.InferenceSession(model.SerializeToString())
    for b in (1, 2, 3, 8):
        x = np.random.default_rng(b).standard_normal((b, 3, 30, 34)).astype(np.float32)
        got = module.run([x], threads=1)
        for one, expected in zip(got, peer.run(None, {"x": x}), strict=True):
            np.testing.assert_allclose(one, np.asarray(expected), rtol=1e-4, atol=1e-4)
        for one, two in zip(got, module.run([x], threads=2), strict=True):
            np.testing.assert_array_equal(one, two)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["native", "llvm -mcpu=x86-64-v3"])
@pytest.mark.parametrize(("channels", "size", "kernels"), [(64, 30, 1), (256, 7, 3)])
def test_an_open_batch_has_winograd_convolutions(
    channels: int, size: int, kernels: int, target: str
) -> None:
    """30 rows end in tiles of two rows; all phases are one kernel, or each is one."""
    image = ["b", channels, size, size]
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"], pads=[1] * 4),
        helper.make_node("Add", ["c", "x"], ["d"]),
        helper.make_node("Relu", ["d"], ["y"]),
    ]
    ends = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, image) for name in "xy"]
    rng = np.random.default_rng(1)
    w = rng.standard_normal((channels, channels, 3, 3)).astype(np.float32) / channels
    graph = helper.make_graph(
        nodes, "g", ends[:1], ends[1:], [onnx.numpy_helper.from_array(w, "w")]
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    module = tilewright.compile(model, target=target, cache=False, strict_plan=True)
    assert not module.reason
    assert "te.compute @conv_in" in module.get_source("scheduled")
    assert len([k for k in module.kernels if k.name.startswith("conv")]) == kernels
    peer = onnxruntime.InferenceSession(model.SerializeToString())
    for b in (1, 2, 5):
        x = rng.standard_normal((b, channels, size, size)).astype(np.float32)
        (got,), (expected,) = module.run([x], threads=1), peer.run(None, {"x": x})
        np.testing.assert_allclose(got, np.asarray(expected), rtol=1e-5, atol=1e-5)
        np.testing.assert_array_equal(module.run([x], threads=2)[0], got)


@pytest.mark.slow
def test_an_open_network_takes_images_of_any_size() -> None:
    model = with_weights(
        IMAGES, w7=(16, 3, 7, 7), w3=(16, 16, 3, 3), w1=(32, 16, 1, 1), w_out=(32, 10)
    )
    rng = np.random.default_rng(1)
    shapes = ((1, 3, 64, 64), (2, 3, 33, 47), (3, 3, 16, 80))
    check_open(model, [{"x": rng.standard_normal(s).astype(np.float32)} for s in shapes])


def test_every_level_of_an_open_model_is_shown(tmp_path: Path) -> None:
    model = encoder_model(layers=1, hidden=32, heads=2, ffn=32, batch="b", seq="s")
    module = tilewright.compile(model, cache=False)
    assert not module.reason
    assert "tensor<?x?x32xf32, #te.dims<b_from_0, s_from_0, 32>>" in module.get_source("graph")
    assert "[b: b_from_0, m: s_from_0" in module.get_source("te")
    assert "loop.size" in module.get_source("loop")
    x = np.random.default_rng(0).standard_normal((2, 5, 32)).astype(np.float32)
    again = tilewright.compile_module(module.get_source("packed"), cache=False)
    np.testing.assert_array_equal(again(x), module(x))
    files = module.dump_schedules(tmp_path)
    scheduled = tilewright.compile(model, cache=False, plan=tmp_path)
    assert len(files) == len(module.kernels)
    np.testing.assert_array_equal(scheduled(x), module(x))


def model_of(op_type: str, *shapes: list[str | int], **attributes: Any) -> onnx.ModelProto:
    """Return a model of one operator with inputs x0, x1, .. of the given shapes."""
    names = [f"x{number}" for number in range(len(shapes))]
    infos = [
        helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape)
        for name, shape in zip(names, shapes, strict=True)
    ]
    result = helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, None)
    node = helper.make_node(op_type, names, ["y"], **attributes)
    graph = helper.make_graph([node], "open", infos, [result])
    opsets = [helper.make_opsetid("", 17)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


OPERATORS = {
    "rows and columns": model_of("Add", ["r", "c"], ["c"]),
    "one axis": model_of("Tanh", ["c"]),
    "largest of rows": model_of("ReduceMax", ["r", 64], axes=[1]),
    "softmax of rows": model_of("Softmax", ["r", 100]),
    "products": model_of("MatMul", ["r", "c"], ["c", 40]),
    "products of matrices": model_of("MatMul", ["r", 7, "c"], ["r", "c", 40]),
}


@pytest.mark.parametrize("name", OPERATORS)
def test_operators_of_open_sizes_are_compiled_once(name: str) -> None:
    model = OPERATORS[name]
    module = tilewright.compile(model, cache=False)
    assert not module.reason
    peer = onnxruntime.InferenceSession(model.SerializeToString())
    for r, c in ((1, 1), (3, 5), (17, 15), (1, 16), (2, 65), (33, 100), (200, 130)):
        sizes = {"r": r, "c": c}
        rng = np.random.default_rng(r)
        given = [
            rng.standard_normal([sizes.get(str(n), 0) or int(n) for n in spec.shape])
            for spec in module.inputs
        ]
        given = [x.astype(np.float32) for x in given]
        feed = {spec.name: x for spec, x in zip(module.inputs, given, strict=True)}
        expected = np.asarray(peer.run(None, feed)[0])
        (got,) = module.run(given, threads=1)
        np.testing.assert_allclose(got, expected, atol=1e-4)
        np.testing.assert_array_equal(module.run(given, threads=2)[0], got)


def test_what_asks_for_numbers_is_named() -> None:
    shapes: list[list[str | int]] = [["n", "c", 6, 6], ["o", 2, 3, 3]]
    module = tilewright.compile(
        model_of("Conv", *shapes, group=2, kernel_shape=[3, 3]), cache=False
    )
    assert module.reason
    assert "the channels of a convolution in groups are known only at run time" in module.reason
    x, w = np.ones((2, 4, 6, 6), np.float32), np.ones((6, 2, 3, 3), np.float32)
    np.testing.assert_array_equal(np.asarray(module(x, w)), np.full((2, 6, 4, 4), 18))


def test_a_layer_has_a_first_state_for_each_direction() -> None:
    """A state of one direction is refused; it would be read beyond its end."""
    w, r = np.ones((2, 4, 3), np.float32), np.ones((2, 4, 4), np.float32)
    shapes: list[list[str | int]] = [["n", 1, 3], [*w.shape], [*r.shape], [1], [1], ["d", 1, 4]]
    model = model_of("RNN", *shapes, direction="bidirectional", hidden_size=4)
    for position in (3, 4):
        model.graph.node[0].input[position] = ""
        del model.graph.input[3]
    module = tilewright.compile(model, cache=False)
    with pytest.raises(ArgumentError, match="wrong shape"):
        module(np.ones((5, 1, 3), np.float32), w, r, np.ones((1, 1, 4), np.float32))


def test_a_rule_that_some_sizes_break_is_named() -> None:
    model = model_of("Conv", ["n", "c * c", 9], [8, "2 * k", 3])
    module = tilewright.compile(model, cache=False)
    assert module.reason
    assert "channels differ" in module.reason


@pytest.mark.parametrize(
    ("op_type", "weights", "groups"), [("Conv", (8, 3, 3), 2), ("ConvTranspose", (6, 4, 3), 1)]
)
def test_the_channels_of_an_image_follow_from_the_weights(
    op_type: str, weights: tuple[int, ...], groups: int
) -> None:
    model = model_of(op_type, ["n", "channels", 9], [*weights], group=groups)
    module = tilewright.compile(model, cache=False)
    assert not module.reason
    peer = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    rng = np.random.default_rng(0)
    w = rng.standard_normal(weights).astype(np.float32)
    for n in (1, 3):
        x = rng.standard_normal((n, 6, 9)).astype(np.float32)
        expected = np.asarray(peer.run(None, {"x0": x, "x1": w})[0])
        np.testing.assert_allclose(module.run([x, w])[0], expected, atol=1e-5)
    with pytest.raises(ArgumentError, match="wrong shape"):
        module(np.ones((2, 5, 9), np.float32), w)


@pytest.mark.slow
@pytest.mark.parametrize("direction", ["forward", "bidirectional"])
def test_an_open_recurrence_runs_for_any_length(direction: str) -> None:
    count = 2 if direction == "bidirectional" else 1
    text = f"""
<ir_version: 8, opset_import: ["": 17]>
recurrence (float[s, b, 6] x) => (float[s, {count}, b, 5] y, float[{count}, b, 5] h) {{
  y, h = LSTM <hidden_size = 5, direction = "{direction}"> (x, w, r)
}}"""
    model = with_weights(text, w=(count, 20, 6), r=(count, 20, 5))
    rng = np.random.default_rng(1)
    shapes = ((1, 1, 6), (7, 2, 6), (13, 1, 6))
    check_open(model, [{"x": rng.standard_normal(s).astype(np.float32)} for s in shapes])
