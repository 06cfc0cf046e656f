"""Compiled models with data-dependent shapes: results have their actual sizes."""

from __future__ import annotations

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import tilewright
from tilewright.driver.passes.check import validate_pipeline
from tilewright.frontend.onnx.importer import import_model
from tilewright.machines.target import Target
from tilewright.runtime.errors import ArgumentError

node = helper.make_node


def model(nodes, inputs, outputs, **constants):
    """Return a model of float inputs; outputs without types."""
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in inputs.items()],
        [helper.make_empty_tensor_value_info(name) for name in outputs],
        [numpy_helper.from_array(np.asarray(a), n) for n, a in constants.items()],
    )
    return helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=onnx.IR_VERSION
    )


def detector_tail(count=9):
    """Return the tail of a detector with two classes: kept boxes, their areas, sums over them."""
    return model(
        [
            node("NonMaxSuppression", ["boxes", "scores", "limit", "iou", "above"], ["kept"]),
            node("Gather", ["kept", "two"], ["column"], axis=1),
            node("Squeeze", ["column", "one_axis"], ["numbers"]),
            node("Squeeze", ["boxes", "zero_axis"], ["flat"]),
            node("Gather", ["flat", "numbers"], ["chosen"]),
            node("Split", ["chosen", "halves"], ["low", "high"], axis=1),
            node("Sub", ["high", "low"], ["sides"]),
            node("Abs", ["sides"], ["lengths"]),
            node("ReduceProd", ["lengths", "one_axis"], ["areas"], keepdims=0),
            node("ReduceSum", ["areas", "zero_axis"], ["total"]),
            node("ReduceMean", ["chosen", "zero_axis"], ["mean"]),
            node("Concat", ["chosen", "flat"], ["all"], axis=0),
            node("Shape", ["chosen"], ["shape"]),
        ],
        {"boxes": [1, count, 4], "scores": [1, 2, count]},
        ["chosen", "areas", "total", "mean", "all", "shape"],
        limit=np.int64([4]),
        iou=np.float32([0.3]),
        above=np.float32([0.5]),
        two=np.int64([2]),
        one_axis=np.int64([1]),
        zero_axis=np.int64([0]),
        halves=np.int64([2, 2]),
    )


@pytest.mark.filterwarnings("ignore:Mean of empty slice")
def test_a_detector_gives_as_many_boxes_as_it_finds():
    tail = detector_tail()
    compiled = tilewright.compile(tail)
    reference = ReferenceEvaluator(tail)
    rng = np.random.default_rng(0)
    counts = set()
    for scale in (1.0, 0.6, 0.4):  # scores up to 0.4: nothing is found
        boxes = rng.uniform(0, 8, (1, 9, 4)).astype(np.float32)
        scores = (rng.uniform(0, 1, (1, 2, 9)) * scale).astype(np.float32)
        got = compiled(boxes, scores)
        with np.errstate(all="ignore"):
            expected = reference.run(None, {"boxes": boxes, "scores": scores})
        for a, b in zip(got, expected, strict=True):
            assert a.shape == b.shape
            np.testing.assert_allclose(a.numpy(), b, rtol=1e-5)
        counts.add(len(got[0]))
    assert 0 in counts
    assert len(counts) == 3


@pytest.mark.filterwarnings("ignore:Mean of empty slice")
def test_a_detector_of_any_number_of_boxes_is_compiled_once():
    tail = detector_tail(count="n")
    compiled = tilewright.compile(tail)
    assert not compiled.reason
    reference = ReferenceEvaluator(tail)
    rng = np.random.default_rng(5)
    for count, scale in ((1, 1.0), (3, 1.0), (9, 0.4), (60, 0.6)):
        boxes = rng.uniform(0, 8, (1, count, 4)).astype(np.float32)
        scores = (rng.uniform(0, 1, (1, 2, count)) * scale).astype(np.float32)
        with np.errstate(all="ignore"):
            expected = reference.run(None, {"boxes": boxes, "scores": scores})
        made = [compiled.run([boxes, scores], threads=threads) for threads in (1, 2)]
        for one, two, want in zip(*made, expected, strict=True):
            assert one.shape == want.shape
            np.testing.assert_allclose(one.numpy(), want, rtol=1e-5)
            np.testing.assert_array_equal(one.numpy(), two.numpy())


def test_every_pass_keeps_the_valid_part():
    rng = np.random.default_rng(1)
    boxes = rng.uniform(0, 8, (1, 9, 4)).astype(np.float32)
    scores = rng.uniform(0, 1, (1, 2, 9)).astype(np.float32)
    target = Target("llvm -mcpu=x86-64-v3")
    validate_pipeline(import_model(detector_tail()), target, [boxes, scores])


def test_outputs_to_fill_have_the_largest_size():
    positions = model([node("NonZero", ["x"], ["y"])], {"x": [2, 3]}, ["y"])
    compiled = tilewright.compile(positions)
    x = np.float32([[0, 1, 0], [2, 0, 3]])
    out, sizes = np.empty((2, 6), np.int64), np.empty(1, np.int64)
    assert compiled(x, out, sizes) is None
    assert sizes == [3]
    (y,) = compiled.valid_parts((out, sizes))
    np.testing.assert_array_equal(y.numpy(), np.nonzero(x))
    assert y.numpy().base is not out
    with pytest.raises(ArgumentError, match="then sizes to fill"):
        compiled(x, out)


def test_unique_rows_of_those_that_were_found():
    nodes = [
        node("Cast", ["marks"], ["condition"], to=TensorProto.BOOL),
        node("Compress", ["x", "condition"], ["found"], axis=0),
        node("Unique", ["found"], ["rows", "first", "inverse", "counts"], axis=0, sorted=0),
        node("Unique", ["found"], ["numbers"]),
    ]
    names = ["rows", "first", "inverse", "counts", "numbers"]
    chain = model(nodes, {"x": [13, 2], "marks": [13]}, names)
    compiled, reference = tilewright.compile(chain), ReferenceEvaluator(chain)
    rng = np.random.default_rng(2)
    lengths = set()
    for share in (1.0, 0.5, 0.0):
        x = rng.integers(1, 3, (13, 2)).astype(np.float32)
        marks = (rng.uniform(0, 1, 13) < share).astype(np.float32)
        expected = reference.run(None, {"x": x, "marks": marks})
        for got, want in zip(compiled(x, marks), expected, strict=True):
            np.testing.assert_array_equal(got.numpy(), want)
        lengths.add(len(expected[2]))
    assert len(lengths) == 3
    assert 0 in lengths
    marks = (np.arange(13) % 3 > 0).astype(np.float32)
    validate_pipeline(import_model(chain), Target("llvm -mcpu=x86-64-v3"), [x, marks])


def expert(rows=11):
    """Return rows that an expert takes, scattered back by rows, elements and columns."""
    return model(
        [
            node("Cast", ["marks"], ["condition"], to=TensorProto.BOOL),
            node("NonZero", ["condition"], ["found"]),
            node("Transpose", ["found"], ["rows"]),
            node("GatherND", ["x", "rows"], ["taken"]),
            node("Sqrt", ["taken"], ["updates"]),
            node("Shape", ["updates"], ["shape"]),
            node("Expand", ["rows", "shape"], ["indices"]),
            node("ScatterElements", ["x", "indices", "updates"], ["elements"], reduction="add"),
            node("ScatterND", ["x", "rows", "updates"], ["by_row"], reduction="mul"),
            node("Mod", ["indices", "width"], ["columns"]),
            node("Slice", ["columns", "zero", "one", "last"], ["column"]),
            node("Slice", ["updates", "zero", "one", "last"], ["first"]),
            node("ScatterElements", ["x", "column", "first"], ["by_column"], axis=1),
        ],
        {"x": [rows, 8], "marks": [rows]},
        ["elements", "by_row", "by_column"],
        width=np.int64(8),
        zero=np.int64([0]),
        one=np.int64([1]),
        last=np.int64([1]),
    )


def test_a_scatter_skips_updates_beyond_the_size():
    graph = expert()
    compiled = tilewright.compile(graph)
    assert not compiled.reason
    reference = ReferenceEvaluator(graph)
    rng = np.random.default_rng(3)
    for marked in (0, 1, 5, 11):
        x = rng.uniform(1, 2, (11, 8)).astype(np.float32)
        marks = rng.permutation(np.arange(11) < marked).astype(np.float32)
        expected = reference.run(None, {"x": x, "marks": marks})
        for got, want in zip(compiled.run([x, marks], threads=2), expected, strict=True):
            np.testing.assert_allclose(got.numpy(), want, rtol=1e-6)
        for got, want in zip(compiled.run([x, marks], threads=1), compiled(x, marks), strict=True):
            np.testing.assert_array_equal(got.numpy(), want.numpy())
    validate_pipeline(import_model(graph), Target("llvm -mcpu=x86-64-v3"), [x, marks])


def selection():
    """Return the elements above 0 of n x 3, with sums, positions and joins along their number."""
    return model(
        [
            node("Relu", ["x"], ["above"]),
            node("NonZero", ["above"], ["found"]),
            node("Transpose", ["found"], ["rows"]),
            node("GatherND", ["x", "rows"], ["chosen"]),
            node("ReduceSum", ["chosen"], ["sum"], keepdims=0),
            node("Softmax", ["chosen"], ["shares"], axis=0),
            node("Concat", ["chosen", "more"], ["all"], axis=0),
            node("Slice", ["all", "one", "last", "zero"], ["rest"]),
            node("ArgMax", ["all"], ["best"], axis=0),
            node("Reshape", ["rows", "flat"], ["numbers"]),
            node("Shape", ["chosen"], ["shape"]),
        ],
        {"x": ["n", 3], "more": ["k"]},
        ["found", "sum", "shares", "all", "rest", "best", "numbers", "shape"],
        one=np.int64([1]),
        last=np.int64([1 << 40]),
        zero=np.int64([0]),
        flat=np.int64([-1]),
    )


@pytest.mark.parametrize("build", [selection, lambda: expert("n")], ids=["selection", "expert"])
def test_the_bound_of_a_size_is_an_expression_over_the_sizes_of_the_inputs(build):
    graph = build()
    compiled = tilewright.compile(graph)
    assert not compiled.reason
    reference = ReferenceEvaluator(graph)
    rng = np.random.default_rng(4)
    for n, share in ((1, 0), (1, 1), (7, 0.5), (40, 0.1), (40, 1)):
        second = rng.uniform(0, 1, n) < share
        inputs = [rng.uniform(1, 2, (n, 8)), second]
        if build is selection:
            inputs = [rng.uniform(0, 1, (n, 3)) - (1 - share), rng.uniform(1, 2, n + 1)]
        inputs = [np.float32(x) for x in inputs]
        names = [spec.name for spec in compiled.inputs]
        expected = reference.run(None, dict(zip(names, inputs, strict=True)))
        made = [compiled.run(inputs, threads=threads) for threads in (1, 2)]
        for one, two, want in zip(*made, expected, strict=True):
            assert one.shape == want.shape
            np.testing.assert_allclose(one.numpy(), want, rtol=1e-5)
            np.testing.assert_array_equal(one.numpy(), two.numpy())


def running_sums(rows):
    """Return the running sums of the rows that are marked, and their total, by a Loop."""
    declare = helper.make_tensor_value_info
    body = helper.make_graph(
        [
            node("Gather", ["chosen", "number"], ["row"]),
            node("Add", ["sum", "row"], ["next"]),
            node("Identity", ["next"], ["part"]),
            node("Identity", ["go"], ["still"]),
        ],
        "body",
        [
            declare("number", TensorProto.INT64, []),
            declare("go", TensorProto.BOOL, []),
            declare("sum", TensorProto.FLOAT, [3]),
        ],
        [
            declare("still", TensorProto.BOOL, []),
            declare("next", TensorProto.FLOAT, [3]),
            declare("part", TensorProto.FLOAT, [3]),
        ],
    )
    return model(
        [
            node("NonZero", ["marks"], ["found"]),
            node("Transpose", ["found"], ["places"]),
            node("GatherND", ["x", "places"], ["chosen"]),
            node("Shape", ["chosen"], ["count"], end=1),
            node("Squeeze", ["count"], ["trip"]),
            node("Loop", ["trip", "yes", "start"], ["total", "sums"], body=body),
        ],
        {"x": [rows, 3], "marks": [rows], "start": [3]},
        ["total", "sums"],
        yes=np.bool_(True),
    )


@pytest.mark.parametrize("rows", [9, "n"])
def test_a_loop_stacks_as_many_results_as_elements_are_found(rows):
    graph = running_sums(rows)
    compiled = tilewright.compile(graph)
    assert not compiled.reason
    rng = np.random.default_rng(6)
    for marked in (0, 1, 4, 9):
        x = rng.uniform(1, 2, (9, 3)).astype(np.float32)
        marks = rng.permutation(np.arange(9) < marked).astype(np.float32)
        start = rng.uniform(1, 2, 3).astype(np.float32)
        sums = np.cumsum([start, *x[marks > 0]], axis=0, dtype=np.float32)
        for threads in (1, 2):
            total, stacked = compiled.run([x, marks, start], threads=threads)
            assert stacked.shape == (marked, 3)
            np.testing.assert_allclose(total.numpy(), sums[-1], rtol=1e-6)
            np.testing.assert_allclose(stacked.numpy(), sums[1:], rtol=1e-6)


def test_every_pass_keeps_the_steps_of_a_loop():
    x, marks = np.ones((9, 3), np.float32), np.float32([0, 1, 1, 0, 0, 1, 0, 1, 0])
    target = Target("llvm -mcpu=x86-64-v3")
    validate_pipeline(import_model(running_sums(9)), target, [x, marks, np.zeros(3, np.float32)])


@pytest.mark.parametrize("rows", [2, "n"])
def test_ops_along_an_axis_whose_size_is_computed(rows):
    """All ops take computed sizes: unique slices of such a size, sums from the end, windows."""
    chain = model(
        [
            node("NonZero", ["x"], ["found"]),
            node("Unique", ["found"], ["slices"], axis=0),
            node("CumSum", ["found", "one"], ["sums"], reverse=1),
            node("Transpose", ["found"], ["places"]),
            node("GatherND", ["x", "places"], ["chosen"]),
            node("Reshape", ["chosen", "row"], ["signal"]),
            node("Conv", ["signal", "kernel"], ["filtered"], pads=[1, 1]),
            node("MaxPool", ["signal"], ["pooled"], kernel_shape=[3], pads=[1, 1]),
            node("LayerNormalization", ["signal", "scale"], ["normal"], axis=2),
            node("NonZero", ["pooled"], ["again"]),
        ],
        {"x": [rows, 3], "scale": [1]},
        ["slices", "sums", "filtered", "pooled", "normal", "again"],
        one=np.int64(1),
        row=np.int64([1, 1, -1]),
        kernel=np.float32([[[0.5, 1, -0.5]]]),
    )
    compiled = tilewright.compile(chain)
    peer = onnxruntime.InferenceSession(chain.SerializeToString())
    assert isinstance(compiled, tilewright.CompiledModule)
    rng = np.random.default_rng(7)
    for marked in (6, 1, 4, 6):
        x = (rng.permutation(np.arange(6) < marked) * rng.uniform(1, 2, 6)).astype(np.float32)
        given = {"x": x.reshape(2, 3), "scale": np.ones(1, np.float32)}
        got, again = (compiled.run(given, threads=threads) for threads in (1, 2))
        for one, two, want in zip(got, again, peer.run(None, given), strict=True):
            assert one.shape == want.shape
            np.testing.assert_allclose(one.numpy(), want, rtol=1e-5, atol=1e-5)
            np.testing.assert_array_equal(one.numpy(), two.numpy())
    nothing = compiled.run({"x": np.zeros((2, 3), np.float32), "scale": np.ones(1, np.float32)})
    shapes = [(1, 0), (2, 0), (1, 1, 0), (1, 1, 0), (1, 1, 0), (3, 0)]
    assert [out.shape for out in nothing] == shapes  # the peer has no windows of nothing


def test_positions_in_the_body_of_a_loop_have_their_largest_size():
    declare, kinds = helper.make_tensor_value_info, TensorProto
    body = helper.make_graph(
        [
            node("Greater", ["state", "half"], ["marks"]),
            node("NonZero", ["marks"], ["found"]),
            node("Transpose", ["found"], ["places"]),
            node("GatherND", ["state", "places"], ["chosen"]),
            node("ReduceSum", ["chosen"], ["sum"], keepdims=0),
            node("Mul", ["state", "half"], ["next"]),
            node("Identity", ["go"], ["still"]),
        ],
        "body",
        [
            declare("number", kinds.INT64, []),
            declare("go", kinds.BOOL, []),
            declare("state", kinds.FLOAT, [6]),
        ],
        [
            declare("still", kinds.BOOL, []),
            declare("next", kinds.FLOAT, [6]),
            declare("sum", kinds.FLOAT, []),
        ],
    )
    graph = model(
        [
            node("NonZero", ["x"], ["before"]),
            node("Loop", ["trip", "yes", "x"], ["last", "sums"], body=body),
        ],
        {"x": [6]},
        ["before", "sums"],
        trip=np.int64(3),
        yes=np.bool_(True),
        half=np.float32(0.5),
    )
    compiled = tilewright.compile(graph)
    for marked in (3, 0, 6):
        x = np.where(np.arange(6) < marked, np.float32(1.5), np.float32(0))
        before, sums = compiled.run([x])
        np.testing.assert_array_equal(before.numpy(), [np.arange(marked)])
        np.testing.assert_allclose(sums.numpy(), [1.5 * marked, 0.75 * marked, 0])


def test_a_range_of_floats_up_to_a_size_follows_from_the_shape():
    grid = model(
        [
            node("Shape", ["x"], ["sizes"], start=1),
            node("Squeeze", ["sizes"], ["size"]),
            node("Cast", ["size"], ["limit"], to=TensorProto.FLOAT),
            node("Range", ["start", "limit", "step"], ["numbers"]),
            node("Add", ["numbers", "half"], ["centers"]),
        ],
        {"x": [2, "width"]},
        ["centers"],
        start=np.float32(-1.0),
        step=np.float32(2.0),
        half=np.float32(0.5),
    )
    compiled = tilewright.compile(grid)
    assert compiled.output_shapes([(2, 9)]) == [(5,)]
    assert compiled.memory([(2, 9)]).outputs == 20
    for width in (1, 2, 9, 40):
        x = np.zeros((2, width), np.float32)
        (centers,) = compiled.run([x])
        np.testing.assert_array_equal(centers.numpy(), np.arange(-1, width, 2) + np.float32(0.5))


def test_memory_is_that_of_the_largest_sizes():
    tail = detector_tail(count="n")
    compiled = tilewright.compile(tail)
    small, large = (compiled.memory([(1, n, 4), (1, 2, n)]) for n in (9, 6000))
    assert small.outputs < large.outputs
    assert small.arena < large.arena
    assert compiled.output_shapes([(1, 9, 4), (1, 2, 9)])[0] == (8, 4)
