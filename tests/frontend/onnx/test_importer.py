"""Importing models: names, locations, symbolic sizes, versions, the list of unsupported nodes."""

from __future__ import annotations

import re
from itertools import pairwise
from unittest import mock

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper
from xdsl.dialects.builtin import NameLoc, f32
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block

from tilewright.dialects.graph import ConstantOp, ReshapeOp
from tilewright.dialects.shape import Dim, dims_of
from tilewright.frontend.onnx import importer
from tilewright.frontend.onnx.converters.move import slice_range
from tilewright.frontend.onnx.file.proto import load
from tilewright.frontend.onnx.importer import converters, import_for_all_sizes, import_model
from tilewright.frontend.onnx.installed import InstalledConverters
from tilewright.frontend.onnx.signature import identifier
from tilewright.interp.graph import run_graph
from tilewright.support.diagnostics import (
    ModelError,
    NeedsBinding,
    TilewrightError,
    TypeMismatch,
    UnsupportedOp,
)

from ...onnx_models import node, onnx_model
from ...peer import peer_results

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64


def main_of(model, **options) -> FuncOp:
    module = import_model(model, **options)
    module.verify()
    func = module.body.block.first_op
    assert isinstance(func, FuncOp)
    return func


def result_dims(func: FuncOp) -> list[tuple[str, ...]]:
    return [tuple(map(str, dims_of(t))) for t in func.function_type.outputs]


def check_against_onnxruntime(model, *inputs, rtol=1e-5, atol=1e-6):
    func = main_of(model)
    got = run_graph(func, *inputs)
    typed = onnx.shape_inference.infer_shapes(model)
    for value in typed.graph.output:
        if not value.type.HasField("tensor_type"):
            value.type.CopyFrom(typed.graph.input[0].type)
    for a, b in zip(got, peer_results(typed, inputs), strict=True):
        assert a.shape == b.shape
        np.testing.assert_allclose(a, b, rtol=rtol, atol=atol)


def test_names_and_locations_are_kept():
    func = main_of(
        onnx_model(
            [node("Relu", ["in/x"], ["a"], name="block/relu"), node("Exp", ["a"], ["out:0"])],
            {"in/x": [2]},
            ["out:0"],
        )
    )
    assert [a.data for a in func.attributes["tw.arg_names"]] == ["in/x"]
    assert [a.data for a in func.attributes["tw.result_names"]] == ["out:0"]
    names = [
        op.location.desc.data for op in func.body.block.ops if isinstance(op.location, NameLoc)
    ]
    assert "block/relu" in names
    assert "Exp_1" in names


def test_initializers_become_constants_at_first_use_and_unused_ones_do_not():
    func = main_of(
        onnx_model(
            [node("Add", ["x", "w"])],
            {"x": [2]},
            weights={"w": np.ones(2, np.float32), "unused": np.ones(9, np.float32)},
        )
    )
    constants = [op for op in func.body.block.ops if isinstance(op, ConstantOp)]
    assert [op.location.desc.data for op in constants] == ["w"]


def test_input_with_initializer_is_no_argument():
    model = onnx_model(
        [node("Add", ["x", "w"])], {"x": [2], "w": [2]}, weights={"w": np.ones(2, np.float32)}
    )
    assert len(main_of(model).body.block.args) == 1


def test_result_may_be_an_input_or_an_initializer():
    func = main_of(
        onnx_model([node("Identity", ["x"])], {"x": [2]}, ["y", "w"], weights={"w": np.float32(3)})
    )
    y, w = run_graph(func, np.float32([1, 2]))
    assert y.tolist() == [1, 2]
    assert w == 3


def test_all_unsupported_nodes_are_listed_at_once():
    model = onnx_model(
        [
            node("ImageDecoder", ["x"], ["a"], name="nz"),
            node("Relu", ["a"], ["b"]),
            helper.make_node("Fancy", ["x"], ["c"], name="f", domain="com.acme"),
            node("Exp", ["x"], ["e"], name="fine"),
            node("Reshape", ["x", "s"], ["d"], name="data_dependent"),
            helper.make_node("Other", ["d"], ["y"], name="o", domain="org.unknown"),
        ],
        {"x": [2], "s": (INT64, [1])},
    )
    with pytest.raises(UnsupportedOp) as caught:
        import_model(model)
    lines = str(caught.value).splitlines()
    assert lines[0] == "4 nodes are not supported"
    assert "'nz': ImageDecoder (ai.onnx, opset 20): no converter" in lines[2]
    assert "'f': Fancy (com.acme, opset 1): no converter" in lines[3]
    assert "'data_dependent': Reshape (ai.onnx, opset 20): shape depends on run-time" in lines[4]
    assert "'o': Other (org.unknown, opset 0): the model imports no opset" in lines[5]
    assert lines[6].startswith("    hint: ")
    assert len(lines) == 7


def test_opsets_outside_the_range_are_refused():
    with pytest.raises(UnsupportedOp, match=r"opset is outside 1\.\.28"):
        import_model(onnx_model([node("Relu", ["x"])], {"x": [2]}, opset=29))


@pytest.mark.parametrize("name", ["0", "_0", "_1_2", "7_up", ""])
def test_values_with_names_that_are_numbers_keep_a_name(name):
    assert re.fullmatch(r"x\w*", identifier(name))
    arg = Block(arg_types=[f32]).args[0]
    arg.name_hint = identifier(name)
    arg.name_hint = arg.name_hint  # as clones do


def test_operator_newer_than_the_opset_is_refused():
    with pytest.raises(UnsupportedOp, match="exists since opset 14"):
        import_model(onnx_model([node("Trilu", ["x"])], {"x": [2, 2]}, opset=13))


def test_type_error_names_the_node():
    model = onnx_model([node("MatMul", ["x", "w"], name="mm")], {"x": [2, 3], "w": [4, 5]})
    with pytest.raises(TypeMismatch, match=r"MatMul at loc\('mm'\): contraction sizes differ"):
        import_model(model)


def test_absent_required_input_is_a_model_error():
    with pytest.raises(ModelError, match=r"Add at loc(?s:.)*input 1 \('B'\) is missing"):
        import_model(onnx_model([node("Add", ["x", ""])], {"x": [2]}))


# ---- symbolic sizes


def flatten_model():
    """Return a Reshape to (batch, -1), computed with Shape, Gather, Unsqueeze and Concat."""
    nodes = [
        node("Shape", ["x"], ["shape"]),
        node("Gather", ["shape", "zero"], ["batch"]),
        node("Unsqueeze", ["batch", "axes"], ["head"]),
        node("Concat", ["head", "rest"], ["target"], axis=0),
        node("Reshape", ["x", "target"], ["y"]),
    ]
    weights = {"zero": np.int64(0), "axes": np.int64([0]), "rest": np.int64([-1])}
    return onnx_model(nodes, {"x": ["batch", 3, "h", 4]}, weights=weights)


def test_shape_arithmetic_leaves_no_ops():
    func = main_of(flatten_model())
    assert result_dims(func) == [("batch", "12 * h")]
    assert [type(op) for op in func.body.block.ops][:-1] == [ReshapeOp]
    x = np.arange(2 * 3 * 5 * 4, dtype=np.float32).reshape(2, 3, 5, 4)
    assert run_graph(func, x)[0].shape == (2, 60)


def test_shapes_bind_a_symbol_everywhere():
    model = onnx_model([node("Add", ["x", "z"])], {"x": ["n", 4], "z": ["n", 4]})
    assert result_dims(main_of(model)) == [("n", "4")]
    assert result_dims(main_of(model, shapes={"x": (3, 4)})) == [("3", "4")]
    assert result_dims(main_of(model, shapes={"x": ("batch", 4)})) == [("batch", "4")]


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        ({"q": (1,)}, "names no input"),
        ({"x": (1,)}, "wrong rank"),
        ({"x": (1, 5)}, "contradicts axis 1 of input 'x'"),
        ({"x": (1, 4), "z": (2, 4)}, "contradicts axis 0 of input 'z'"),
        ({"x": (-1, 4)}, "negative size"),
    ],
)
def test_shapes_that_contradict_the_model_are_refused(shapes, message):
    model = onnx_model([node("Add", ["x", "z"])], {"x": ["n", 4], "z": ["n", 4]})
    with pytest.raises(ModelError, match=message):
        import_model(model, shapes=shapes)


def test_unnamed_sizes_get_the_name_of_input_and_axis():
    assert result_dims(main_of(onnx_model([node("Relu", ["x"])], {"x": [None, 4]}))) == [
        ("x_0", "4")
    ]


def test_input_without_rank_asks_for_shapes():
    model = onnx_model([node("Relu", ["x"])], {"x": None})
    with pytest.raises(NeedsBinding, match=r"has no rank(?s:.)*shapes="):
        import_model(model)
    assert result_dims(main_of(model, shapes={"x": (2, 3)})) == [("2", "3")]


def test_sizes_become_values_where_data_needs_them():
    nodes = [node("Shape", ["x"], ["s"]), node("Mul", ["s", "two"], ["y"])]
    func = main_of(onnx_model(nodes, {"x": ["n", 4]}, weights={"two": np.int64([2, 2])}))
    assert run_graph(func, np.zeros((3, 4), np.float32))[0].tolist() == [6, 8]


def test_range_and_expand_follow_symbolic_sizes():
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Gather", ["s", "one"], ["n"]),
        node("Range", ["zero", "n", "one"], ["positions"]),
        node("Unsqueeze", ["positions", "axes"], ["row"]),
        node("Expand", ["row", "s"], ["y"]),
    ]
    weights = {"zero": np.int64(0), "one": np.int64(1), "axes": np.int64([0])}
    func = main_of(onnx_model(nodes, {"x": ["b", "n"]}, weights=weights))
    assert result_dims(func) == [("b", "n")]
    got = run_graph(func, np.zeros((2, 3), np.float32))[0]
    assert got.tolist() == [[0, 1, 2], [0, 1, 2]]


def test_where_on_sizes_is_decided_by_bounds():
    """PyTorch writes Expand targets as Where(Equal(shape, -1), ones, shape)."""
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Equal", ["s", "minus"], ["is_open"]),
        node("ConstantOfShape", ["two"], ["ones"], value=numpy_helper.from_array(np.int64([1]))),
        node("Where", ["is_open", "ones", "s"], ["target"]),
        node("Expand", ["w", "target"], ["y"]),
    ]
    weights = {"minus": np.int64([-1]), "two": np.int64([2]), "w": np.float32([[1]])}
    assert result_dims(main_of(onnx_model(nodes, {"x": ["b", "n"]}, weights=weights))) == [
        ("b", "n")
    ]


def test_where_on_sizes_picks_per_element():
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Equal", ["wanted", "minus"], ["is_open"]),
        node("Where", ["is_open", "s", "wanted"], ["target"]),
        node("Expand", ["w", "target"], ["y"]),
    ]
    weights = {"minus": np.int64(-1), "wanted": np.int64([-1, 7]), "w": np.float32([[1]])}
    func = main_of(onnx_model(nodes, {"x": ["b", "n"]}, weights=weights))
    assert result_dims(func) == [("b", "7")]


SIZE_OPERATORS = {
    "Add": np.add,
    "Sub": np.subtract,
    "Mul": np.multiply,
    "Div": lambda x, y: np.trunc(x / y).astype(np.int64),
    "Mod": np.mod,
    "Max": np.maximum,
    "Min": np.minimum,
    "Equal": np.equal,
    "Less": np.less,
    "GreaterOrEqual": np.greater_equal,
}


@given(
    st.sampled_from(sorted(SIZE_OPERATORS)),
    st.lists(st.integers(-3, 6).filter(bool), min_size=2, max_size=2),
    st.tuples(st.integers(1, 5), st.integers(1, 5)),
    st.booleans(),
)
def test_arithmetic_on_sizes_has_the_values_of_numpy(op, numbers, shape, swapped):
    operands = ["s", "c"] if not swapped else ["c", "s"]
    nodes = [node("Shape", ["x"], ["s"]), node(op, operands)]
    weights = {"c": np.array(numbers, np.int64)}
    values = {"s": np.array(shape), "c": weights["c"]}
    expected = SIZE_OPERATORS[op](*(values[name] for name in operands))
    for dims in (list(shape), ["a", "b"]):
        func = main_of(onnx_model(nodes, {"x": dims}, weights=weights))
        (got,) = run_graph(func, np.zeros(shape, np.float32))
        assert got.tolist() == expected.tolist()


def test_constants_computed_from_constants_are_folded():
    nodes = [
        node("Cast", ["low"], ["value"], to=FLOAT),
        node("Neg", ["value"], ["negative"]),
        node("Pad", ["x", "pads", "negative"]),
    ]
    weights = {"low": np.float64(2.5), "pads": np.int64([1, 0])}
    func = main_of(onnx_model(nodes, {"x": [2]}, weights=weights))
    assert run_graph(func, np.float32([1, 2]))[0].tolist() == [-2.5, 1, 2]
    assert len(list(func.body.block.ops)) == 2


@given(
    st.integers(0, 7),
    st.integers(-9, 9),
    st.integers(-9, 9) | st.sampled_from([2**31 - 1, 2**63 - 1, -(2**31), -(2**63) + 1]),
    st.integers(-3, 3).filter(bool),
)
def test_slice_range_is_pythons_from_a_start_in_the_axis(size, start, end, step):
    """The standard moves a start before the axis to its first element, also for negative steps."""
    first, count = slice_range(Dim.const(size), Dim.const(start), Dim.const(end), step)
    expected = list(range(size))[max(start, -size) : end : step]
    assert [first.value + i * step for i in range(count.value)] == expected


@given(st.integers(3, 9), st.integers(-3, 3), st.integers(-3, 3), st.sampled_from([1, 2, -1]))
def test_symbolic_slice_range_evaluates_to_the_static_one(size, start, end, step):
    static = slice_range(Dim.const(size), Dim.const(start), Dim.const(end), step)
    symbolic = slice_range(Dim.sym("n"), Dim.const(start), Dim.const(end), step)
    assert symbolic[1].evaluate({"n": size}) == static[1].value
    if static[1].value:
        assert symbolic[0].evaluate({"n": size}) == static[0].value


# Semantics that changed with the opset


def test_softmax_before_opset_13_flattens():
    x = np.random.default_rng(0).standard_normal((2, 3, 4), np.float32)
    for op in ("Softmax", "LogSoftmax"):
        check_against_onnxruntime(onnx_model([node(op, ["x"])], {"x": [2, 3, 4]}, opset=11), x)
        check_against_onnxruntime(onnx_model([node(op, ["x"])], {"x": [2, 3, 4]}, opset=13), x)


@pytest.mark.parametrize(
    "model",
    [
        onnx_model([node("Clip", ["x"], min=-0.5, max=0.5)], {"x": [2, 6]}, opset=10),
        onnx_model([node("Slice", ["x"], starts=[1], ends=[9], axes=[-1])], {"x": [2, 6]}, opset=9),
        onnx_model([node("Squeeze", ["x"], axes=[0])], {"x": [1, 12]}, opset=11),
        onnx_model([node("Unsqueeze", ["x"], axes=[0, -1])], {"x": [2, 6]}, opset=11),
        onnx_model(
            [node("Split", ["x"], ["y", "z"], axis=1, split=[2, 4])],
            {"x": [2, 6]},
            ["y", "z"],
            opset=11,
        ),
        onnx_model([node("Pad", ["x"], pads=[0, 1, 1, -2], value=2.0)], {"x": [2, 6]}, opset=10),
        onnx_model([node("ReduceSum", ["x"], axes=[1], keepdims=0)], {"x": [2, 6]}, opset=11),
        onnx_model([node("ReduceMean", ["x"], axes=[-1])], {"x": [2, 6]}, opset=13),
    ],
    ids=lambda m: m.graph.node[0].op_type,
)
def test_attribute_forms_of_old_opsets_agree_with_onnxruntime(model):
    shape = [d.dim_value for d in model.graph.input[0].type.tensor_type.shape.dim]
    check_against_onnxruntime(model, np.random.default_rng(0).standard_normal(shape, np.float32))


@pytest.mark.parametrize("mode", ["SAME_UPPER", "SAME_LOWER", "VALID"])
@pytest.mark.parametrize("stride", [1, 2])
def test_auto_pad_agrees_with_onnxruntime(mode, stride):
    rng = np.random.default_rng(0)
    weights = {"w": rng.standard_normal((4, 3, 3, 2), np.float32)}
    attributes = {"auto_pad": mode, "strides": [stride, stride]}
    x = rng.standard_normal((1, 3, 7, 6), np.float32)
    conv = onnx_model(
        [node("Conv", ["x", "w"], **attributes)], {"x": [1, 3, 7, 6]}, weights=weights
    )
    check_against_onnxruntime(conv, x, rtol=1e-4, atol=1e-5)
    for op in ("MaxPool", "AveragePool"):
        pool = node(op, ["x"], kernel_shape=[3, 2], **attributes)
        check_against_onnxruntime(onnx_model([pool], {"x": [1, 3, 7, 6]}), x)


@pytest.mark.parametrize(
    ("lhs", "rhs"),
    [
        ([3], [3]),
        ([3], [3, 4]),
        ([2, 3], [3]),
        ([5, 2, 3], [3, 4]),
        ([5, 2, 3], [1, 3, 4]),
        ([2, 3], [5, 3, 4]),
        ([2, 1, 2, 3], [5, 3, 4]),
        ([5, 2, 3], [3]),
    ],
)
def test_matmul_follows_numpy(lhs, rhs):
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal(lhs, np.float32), rng.standard_normal(rhs, np.float32)
    func = main_of(onnx_model([node("MatMul", ["a", "b"])], {"a": lhs, "b": rhs}))
    np.testing.assert_allclose(run_graph(func, a, b)[0], a @ b, rtol=1e-5, atol=1e-6)


def test_a_declaration_that_shape_inference_makes_of_a_ceil_pool_is_a_warning(caplog):
    attributes = {"kernel_shape": [2, 2], "strides": [3, 3], "pads": [0, 0, 1, 1], "ceil_mode": 1}
    for size, declared in ((61, 21), (62, 22), (63, 22), (64, 22)):
        inputs = {"x": [1, 1, size, size]}
        nodes = [node("MaxPool", ["x"], ["p"], **attributes), node("Relu", ["p"])]
        model = onnx.shape_inference.infer_shapes(onnx_model(nodes, inputs))
        assert model.graph.output[0].type.tensor_type.shape.dim[3].dim_value == declared
        caplog.clear()
        func = main_of(model)
        x = np.random.default_rng(size).standard_normal((1, 1, size, size)).astype(np.float32)
        (expected,) = peer_results(model, {"x": x})
        np.testing.assert_array_equal(run_graph(func, x)[0], expected)
        assert len(caplog.records) == (expected.shape[3] != declared)
        assert all("MaxPool at loc('" in r.getMessage() for r in caplog.records)


def test_nan_propagates_through_clips():
    x = np.float32([np.nan, -2, 0.25, 9])
    for op, expected in (("Relu", [np.nan, 0, 0.25, 9]), ("HardSigmoid", [np.nan, 0.1, 0.55, 1])):
        got = run_graph(main_of(onnx_model([node(op, ["x"])], {"x": [4]})), x)[0]
        np.testing.assert_allclose(got, expected, rtol=1e-6)


def test_softplus_does_not_overflow():
    got = run_graph(
        main_of(onnx_model([node("Softplus", ["x"])], {"x": [2]})), np.float32([100, -20])
    )
    np.testing.assert_allclose(got[0], [100, 2.0611537e-09], rtol=1e-5)


def test_a_row_of_the_table_is_unambiguous():
    for (domain, op), rows in converters().items():
        for texts in (False, True):
            spans = sorted((row.since, row.until) for row in rows if row.texts == texts)
            assert all(a[1] < b[0] for a, b in pairwise(spans)), (domain, op)


def counted():
    """Count the imports, while they run as usual."""
    run = importer._OnnxImport.run
    return mock.patch.object(importer._OnnxImport, "run", autospec=True, side_effect=run)


def imports_of(model):
    """Import a model for all sizes; return the number of imports, and the error or None."""
    with counted() as spy:
        try:
            import_for_all_sizes(load(model), {}, {}, installed=InstalledConverters())
        except UnsupportedOp as err:
            return spy.call_count, err
    return spy.call_count, None


def branches():
    """Return branches whose results have different shapes: the choice must be known at import."""
    result = helper.make_tensor_value_info("a", FLOAT, None)
    first, second = node("Neg", ["x"], ["a"]), node("ReduceMax", ["x"], ["a"], keepdims=0)
    return {
        "then_branch": helper.make_graph([first], "same", [], [result]),
        "else_branch": helper.make_graph([second], "scalar", [], [result]),
    }


def test_an_import_that_fails_for_any_sizes_runs_once():
    unknown = node("Foo", ["x"], name="foo")
    for sizes in (["N", 4], [3, 4]):
        count, error = imports_of(onnx_model([unknown], {"x": sizes}))
        assert count == 1
        assert "no converter" in str(error)
    # Without a named size, the second import would be the same.
    lists = node("SequenceAt", ["x", "zero"], name="list")
    model = onnx_model([lists], {"x": [3]}, weights={"zero": np.array(0)})
    with pytest.raises(TilewrightError), counted() as spy:
        import_for_all_sizes(load(model), {}, {}, installed=InstalledConverters())
    assert spy.call_count == 1


def test_an_error_lists_no_node_that_fails_for_sizes_of_0_only():
    nodes = [
        node("Shape", ["x"], ["s"], start=0, end=1),
        node("Equal", ["s", "zero"], ["c"]),
        node("Squeeze", ["c"], ["q"]),
        node("If", ["q"], ["y"], name="empty", **branches()),
    ]
    weights = {"zero": np.array([0])}
    # With sizes from 1 the condition is false at import.
    count, error = imports_of(onnx_model(nodes, {"x": ["N", 4]}, weights=weights))
    assert (count, error) == (2, None)
    nodes.append(node("Foo", ["x"], ["z"], name="foo"))
    model = onnx_model(nodes, {"x": ["N", 4]}, ["y", "z"], weights=weights)
    count, error = imports_of(model)
    assert count == 2
    assert [each.name for each in error.nodes] == ["foo"]
