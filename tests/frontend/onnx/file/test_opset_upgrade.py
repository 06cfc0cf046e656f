"""Opsets 1 to 6 in the form of opset 7; the backend suite's cases run in tests/conformance."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from xdsl.dialects.func import FuncOp

from tilewright.frontend.onnx.importer import import_model
from tilewright.interp.graph import run_graph
from tilewright.support.diagnostics import ModelError, UnsupportedOp


def ramp(*shape):
    return (np.arange(np.prod(shape, dtype=int)).reshape(shape) - 3).astype(np.float32)


X = ramp(2, 3, 4)


def run(op, opset, *inputs, known=(), **attributes):
    """Interpret one node of an opset; inputs at positions in ``known`` are initializers."""
    names = [f"x{i}" for i in range(len(inputs))]
    arrays = dict(zip(names, map(np.asarray, inputs), strict=True))
    weights = [numpy_helper.from_array(arrays[names[i]], names[i]) for i in known]
    infos = [
        helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(a.dtype), a.shape)
        for n, a in arrays.items()
        if n not in {names[i] for i in known}
    ]
    outputs = [f"y{i}" for i in range(attributes.pop("outputs", 1))]
    graph = helper.make_graph(
        [helper.make_node(op, names, outputs, **attributes)],
        "g",
        infos,
        [onnx.ValueInfoProto(name=name) for name in outputs],
        weights,
    )
    opsets = [helper.make_opsetid("", opset)]
    module = import_model(helper.make_model(graph, opset_imports=opsets, ir_version=3))
    module.verify()
    func = module.body.block.first_op
    assert isinstance(func, FuncOp)
    results = run_graph(func, *(a for i, a in enumerate(arrays.values()) if i not in known))
    return results[0] if len(results) == 1 else results


BINARY = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Div": np.divide}


@pytest.mark.parametrize("op", BINARY)
def test_the_second_operand_lies_along_the_first_one_from_the_axis_on(op):
    function, second = BINARY[op], ramp(3) + 0.5
    got = run(op, 6, X, second, broadcast=1, axis=1)
    np.testing.assert_array_equal(got, function(X, second[:, None]))
    got = run(op, 6, X, second, broadcast=1, axis=-2)
    np.testing.assert_array_equal(got, function(X, second[:, None]))
    second = ramp(3, 4) + 0.5
    np.testing.assert_array_equal(run(op, 6, X, second, broadcast=1), function(X, second))
    number = np.float32(2.5)
    np.testing.assert_array_equal(run(op, 1, X, number, broadcast=1), function(X, number))


def test_comparisons_and_logic_broadcast_alike():
    second = ramp(3)
    np.testing.assert_array_equal(
        run("Greater", 1, X, second, broadcast=1, axis=1), second[:, None] < X
    )
    flags = np.array([True, False, True])
    np.testing.assert_array_equal(
        run("Xor", 1, X > 2, flags, broadcast=1, axis=1), (X > 2) ^ flags[:, None]
    )


@pytest.mark.parametrize(
    ("second", "attributes", "message"),
    [
        (ramp(3), {"axis": 1}, "equal unless broadcast is set"),
        (ramp(1, 3, 4), {}, "equal unless broadcast is set"),
        (ramp(3), {"broadcast": 1}, "does not stretch"),
        (ramp(3, 4), {"broadcast": 1, "axis": 2}, "does not fit"),
        (ramp(5, 2, 3, 4), {"broadcast": 1}, "does not stretch"),
    ],
)
def test_shapes_that_do_not_lie_within_the_first_are_refused(second, attributes, message):
    with pytest.raises(ModelError, match=message):
        run("Add", 6, X, second, **attributes)


def test_slopes_are_per_channel():
    slope = np.array([0.5, 2, 3], np.float32)
    expected = np.where(X < 0, X * slope[:, None], X)
    np.testing.assert_array_equal(run("PRelu", 6, X, slope), expected)
    one = np.array([0.5], np.float32)
    np.testing.assert_array_equal(run("PRelu", 6, X, one), np.where(X < 0, X / 2, X))


def test_gemm_broadcasts_on_request():
    a, b, c = ramp(2, 3), ramp(4, 3), ramp(4)
    got = run("Gemm", 6, a, b, c, transB=1, broadcast=1)
    np.testing.assert_array_equal(got, a @ b.T + c)
    with pytest.raises(ModelError, match="the result's shape unless broadcast"):
        run("Gemm", 6, a, b, c, transB=1)


def test_attributes_that_became_inputs():
    np.testing.assert_array_equal(run("Reshape", 1, X, shape=[0, -1]), X.reshape(2, 12))
    got = run("Tile", 1, X, np.float32([3]), np.float32([1]), known=(1, 2))
    np.testing.assert_array_equal(got, np.tile(X, (1, 3, 1)))
    np.testing.assert_array_equal(
        run("Pad", 1, X, paddings=[0, 1, 0, 0, 0, 2], value=9.0),
        np.pad(X, ((0, 0), (1, 0), (0, 2)), constant_values=9),
    )
    values, places = run("TopK", 1, X, k=2, axis=2, outputs=2)
    np.testing.assert_array_equal(values, X[..., :1:-1])
    np.testing.assert_array_equal(places, np.broadcast_to([3, 2], (2, 3, 2)))
    first, second = run("Split", 1, X, np.float32([1, 2]), known=(1,), axis=1, outputs=2)
    np.testing.assert_array_equal(first, X[:, :1])
    np.testing.assert_array_equal(second, X[:, 1:])


def test_defaults_that_changed():
    np.testing.assert_array_equal(run("Concat", 1, X, X), np.concatenate([X, X], 1))
    expected = np.float32(1.0507) * np.where(X < 0, np.float32(1.6732) * np.expm1(X), X)
    np.testing.assert_allclose(run("Selu", 1, X, consumed_inputs=[0]), expected, rtol=1e-6)


def test_types_of_a_cast_are_words():
    got = run("Cast", 1, X, to="INT32")
    assert got.dtype == np.int32
    np.testing.assert_array_equal(got, X)
    with pytest.raises(ModelError, match="unknown type name"):
        run("Cast", 1, X, to="WORD")


def test_upsampling_by_height_and_width():
    x = ramp(1, 2, 2, 3)
    got = run("Upsample", 1, x, height_scale=2.0, width_scale=3.0, mode="nearest")
    np.testing.assert_array_equal(got, x.repeat(2, 2).repeat(3, 3))


def test_norms_of_whole_powers():
    x = ramp(1, 2, 2, 3)
    expected = np.sqrt((x * x).sum((2, 3), keepdims=True))
    np.testing.assert_allclose(run("GlobalLpPool", 1, x), expected, rtol=1e-6)
    with pytest.raises(UnsupportedOp, match=r"norm is not supported: 1\.5"):
        run("GlobalLpPool", 1, x, p=1.5)


@pytest.mark.parametrize("spatial", [0, 1])
def test_batch_normalization_by_channel_or_by_position(spatial):
    shape = (3,) if spatial else (3, 4)
    scale, bias, mean, variance = (ramp(*shape) + i for i in (5, 6, 7, 8))
    got = run("BatchNormalization", 6, X, scale, bias, mean, variance, is_test=1, spatial=spatial)
    wide = [v[:, None] if spatial else v for v in (scale, bias, mean, variance)]
    expected = (X - wide[2]) / np.sqrt(wide[3] + 1e-5) * wide[0] + wide[1]
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5)


def test_training_is_refused():
    with pytest.raises(UnsupportedOp, match="training is not supported before opset 12"):
        run("Dropout", 6, X)
    np.testing.assert_array_equal(run("Dropout", 6, X, is_test=1), X)


def test_sizes_are_known_at_import_in_early_forms():
    nodes = [
        helper.make_node("Shape", ["x"], ["sizes"]),
        helper.make_node("Slice", ["sizes"], ["first"], starts=[0], ends=[1]),
        helper.make_node("Cast", ["first"], ["n"], to="INT64"),
        helper.make_node("Concat", ["n", "rest"], ["shape"], axis=0),
        helper.make_node("Reshape", ["x", "shape"], ["y"]),
    ]
    info = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 3, 4])
    rest = numpy_helper.from_array(np.array([12]), "rest")
    graph = helper.make_graph(nodes, "g", [info], [onnx.ValueInfoProto(name="y")], [rest])
    opsets = [helper.make_opsetid("", 5)]
    func = import_model(helper.make_model(graph, opset_imports=opsets, ir_version=3)).body.ops.first
    assert isinstance(func, FuncOp)
    np.testing.assert_array_equal(run_graph(func, X)[0], X.reshape(2, 12))
