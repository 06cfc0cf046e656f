"""Functions of a model and function bodies of the standard: expansion, scopes, limits."""

from __future__ import annotations

import time

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from xdsl.dialects.builtin import NameLoc
from xdsl.dialects.func import FuncOp

from tilewright.frontend.onnx.file.functions import MAX_CALL_DEPTH, MAX_EXPANDED_NODES
from tilewright.frontend.onnx.importer import import_model
from tilewright.interp.graph import run_graph
from tilewright.support.diagnostics import ModelError, UnsupportedOp

from ....peer import peer_results

ACME = "com.acme"
X = np.float32([[-2, -0.5], [0.25, 3]])


def node(op, inputs, outputs, domain="", **attributes):
    return helper.make_node(op, inputs, outputs, domain=domain, **attributes)


def call(function, inputs, outputs, **attributes):
    return node(function, inputs, outputs, ACME, **attributes)


def reference(op, inputs, outputs, kind=onnx.AttributeProto.FLOAT, **attributes):
    """Return a node with attribute references: own name = name in the calling node."""
    proto = helper.make_node(op, inputs, outputs)
    for name, parameter in attributes.items():
        proto.attribute.add(name=name, type=kind, ref_attr_name=parameter)
    return proto


def function(name, inputs, outputs, nodes, *, domain=ACME, opset=20, overload="", **options):
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid(ACME, 1)]
    proto = helper.make_function(domain, name, inputs, outputs, nodes, opsets, **options)
    proto.overload = overload
    return proto


def model_of(functions, nodes, outputs=("y",), *, opset=20, inputs=("x",)):
    infos = [helper.make_tensor_value_info(n, TensorProto.FLOAT, [2, 2]) for n in inputs]
    outs = [helper.make_tensor_value_info(n, TensorProto.FLOAT, None) for n in outputs]
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid(ACME, 1)]
    graph = helper.make_graph(nodes, "g", infos, outs)
    return helper.make_model(graph, opset_imports=opsets, functions=functions, ir_version=10)


def main_of(model) -> FuncOp:
    module = import_model(model)
    module.verify()
    main = module.body.block.first_op
    assert isinstance(main, FuncOp)
    return main


def check(model, *inputs):
    """Check that the model gives the results of onnxruntime."""
    expected = peer_results(model, inputs)
    for got, wanted in zip(run_graph(main_of(model), *inputs), expected, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-6)


LEAKY = function(
    "leaky",
    ["a"],
    ["b"],
    [reference("LeakyRelu", ["a"], ["b"], alpha="slope")],
    attributes=["slope"],
)


def test_attributes_of_the_call_reach_the_body():
    nodes = [call("leaky", ["x"], ["h"], slope=0.5), call("leaky", ["h"], ["y"], slope=0.25)]
    check(model_of([LEAKY], nodes), X)


def test_attribute_that_the_call_leaves_out_is_absent_in_the_body():
    check(model_of([LEAKY], [call("leaky", ["x"], ["y"])]), X)


def test_default_of_a_functions_attribute():
    default = function(
        "scaled",
        ["a"],
        ["b"],
        [reference("LeakyRelu", ["a"], ["b"], alpha="slope")],
        attribute_protos=[helper.make_attribute("slope", 0.75)],
    )
    nodes = [call("scaled", ["x"], ["h"]), call("scaled", ["h"], ["y"], slope=0.5)]
    check(model_of([default], nodes), X)


def test_references_to_tensors_and_lists():
    body = [
        reference("Constant", [], ["c"], onnx.AttributeProto.TENSOR, value="bias"),
        reference("Transpose", ["a"], ["t"], onnx.AttributeProto.INTS, perm="order"),
        node("Add", ["t", "c"], ["b"]),
    ]
    moved = function("moved", ["a"], ["b"], body, attributes=["bias", "order"])
    bias = onnx.numpy_helper.from_array(np.float32([1, 2]))
    check(model_of([moved], [call("moved", ["x"], ["y"], bias=bias, order=[1, 0])]), X)


def test_names_inside_a_function_are_its_own():
    twice = function("twice", ["x"], ["y"], [node("Add", ["x", "x"], ["y"])])
    nodes = [node("Neg", ["x"], ["h"]), call("twice", ["h"], ["k"]), node("Add", ["k", "x"], ["y"])]
    check(model_of([twice], nodes), X)


def test_nested_functions_hand_attributes_down():
    middle = call("leaky", ["a"], ["h"])
    middle.attribute.add(name="slope", type=onnx.AttributeProto.FLOAT, ref_attr_name="steep")
    body = [middle, node("Exp", ["h"], ["b"])]
    outer = function("outer", ["a"], ["b"], body, attributes=["steep"])
    check(model_of([outer, LEAKY], [call("outer", ["x"], ["y"], steep=0.1)]), X)


def test_overloads_are_different_functions():
    functions = [
        function("f", ["a"], ["b"], [node("Exp", ["a"], ["b"])], overload="exp"),
        function("f", ["a"], ["b"], [node("Neg", ["a"], ["b"])], overload="neg"),
    ]
    nodes = [call("f", ["x"], ["h"], overload="neg"), call("f", ["h"], ["y"], overload="exp")]
    func = main_of(model_of(functions, nodes))
    np.testing.assert_allclose(run_graph(func, X)[0], np.exp(-X), rtol=1e-6)


def test_absent_inputs_stay_absent_inside():
    clip = function(
        "clip", ["a", "low", "high"], ["b"], [node("Clip", ["a", "low", "high"], ["b"])]
    )
    nodes = [node("Constant", [], ["one"], value_float=1.0), call("clip", ["x", "", "one"], ["h"])]
    func = main_of(model_of([clip], [*nodes, call("clip", ["h"], ["y"])]))
    np.testing.assert_array_equal(run_graph(func, X)[0], np.minimum(X, 1))


def test_outputs_nobody_asks_for_cost_nothing():
    both = function(
        "both", ["a"], ["b", "c"], [node("Exp", ["a"], ["b"]), node("Acme", ["a"], ["c"], ACME)]
    )
    func = main_of(model_of([both], [call("both", ["x"], ["y"])]))
    np.testing.assert_allclose(run_graph(func, X)[0], np.exp(X), rtol=1e-6)


def test_parameter_may_be_a_result():
    swap = function("swap", ["a", "b"], ["b", "a"], [])
    nodes = [call("swap", ["x", "z"], ["p", "q"]), node("Sub", ["p", "q"], ["y"])]
    func = main_of(model_of([swap], nodes, inputs=("x", "z")))
    np.testing.assert_array_equal(run_graph(func, X, X**2)[0], X**2 - X)


def test_a_function_replaces_the_operator_of_its_name():
    relu = function("Relu", ["a"], ["b"], [node("Neg", ["a"], ["b"])], domain="")
    func = main_of(model_of([relu], [node("Relu", ["x"], ["y"])]))
    np.testing.assert_array_equal(run_graph(func, X)[0], -X)


def test_bodies_have_their_own_opset():
    old = function("old", ["a"], ["b"], [node("Softmax", ["a"], ["b"])], opset=11)
    check(model_of([old], [call("old", ["x"], ["y"])]), X)


def test_body_nodes_are_put_in_order_and_located_by_path():
    body = [node("Exp", ["t"], ["b"], name="second"), node("Neg", ["a"], ["t"])]
    func = main_of(
        model_of([function("f", ["a"], ["b"], body)], [call("f", ["x"], ["y"], name="top")])
    )
    names = [
        op.location.desc.data for op in func.body.block.ops if isinstance(op.location, NameLoc)
    ]
    assert names[:2] == ["top/Neg_1", "top/second"]


def test_unsupported_node_inside_a_function_is_named_by_path():
    inner = function("inner", ["a"], ["b"], [node("Acme", ["a"], ["b"], ACME, name="bad")])
    with pytest.raises(
        UnsupportedOp, match=r"'top/bad': Acme \(com\.acme, opset 1\): no converter"
    ):
        import_model(model_of([inner], [call("inner", ["x"], ["y"], name="top")]))


def error_of(functions, nodes) -> str:
    with pytest.raises(ModelError) as caught:
        import_model(model_of(functions, nodes))
    return str(caught.value)


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ([call("leaky", ["x", "x"], ["y"])], "too many inputs"),
        ([call("leaky", ["x"], ["y", "z"])], "too many outputs"),
        ([call("leaky", ["x"], ["y"], alpha=1.0)], "has no attribute 'alpha'"),
    ],
)
def test_call_that_does_not_fit_is_refused(nodes, message):
    assert message in error_of([LEAKY], nodes)


def test_recursion_is_refused():
    functions = [
        function("even", ["a"], ["b"], [call("odd", ["a"], ["b"])]),
        function("odd", ["a"], ["b"], [call("even", ["a"], ["b"])]),
    ]
    message = error_of(functions, [node("Exp", ["x"], ["y"])])
    assert "call themselves" in message
    assert "'com.acme::even', 'com.acme::odd'" in message


def doubling(levels):
    """Return functions each of which calls the previous one twice."""
    functions = [function("f0", ["a"], ["b"], [node("Neg", ["a"], ["b"])])]
    for level in range(1, levels):
        below = f"f{level - 1}"
        body = [call(below, ["a"], ["t"]), call(below, ["t"], ["b"])]
        functions.append(function(f"f{level}", ["a"], ["b"], body))
    return functions


def test_exponential_expansion_is_refused_before_it_starts():
    start = time.process_time()
    message = error_of(doubling(60), [call("f59", ["x"], ["y"])])
    assert time.process_time() - start < 2
    assert f"at most {MAX_EXPANDED_NODES} nodes" in message
    assert "'com.acme::f59'" in message


def test_expansion_within_the_budget_works():
    func = main_of(model_of(doubling(6), [call("f5", ["x"], ["y"])]))
    np.testing.assert_array_equal(run_graph(func, X)[0], X)


def chain(length):
    functions = [function("f0", ["a"], ["b"], [node("Neg", ["a"], ["b"])])]
    for level in range(1, length):
        body = [call(f"f{level - 1}", ["a"], ["b"])]
        functions.append(function(f"f{level}", ["a"], ["b"], body))
    return functions


def test_calls_nest_up_to_the_limit():
    nodes = [call(f"f{MAX_CALL_DEPTH - 1}", ["x"], ["y"])]
    func = main_of(model_of(chain(MAX_CALL_DEPTH), nodes))
    np.testing.assert_array_equal(run_graph(func, X)[0], -X)
    assert "nests calls too deeply" in error_of(chain(MAX_CALL_DEPTH + 1), nodes)
    assert "nests calls too deeply" in error_of(chain(3000), nodes)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ([node("Exp", ["missing"], ["b"])], "the undefined value 'missing'"),
        ([node("Exp", ["a"], ["b"]), node("Neg", ["a"], ["b"])], "'b' is defined twice"),
        ([node("Add", ["a", "c"], ["b"]), node("Neg", ["b"], ["c"])], "cycle"),
        ([node("Exp", ["a"], ["c"])], "the undefined value 'b'"),
    ],
)
def test_malformed_body_is_refused_though_nobody_calls_it(body, message):
    text = error_of([function("f", ["a"], ["b"], body)], [node("Exp", ["x"], ["y"])])
    assert message in text
    assert "function 'com.acme::f'" in text


def test_function_defined_twice_is_refused():
    assert "defined twice" in error_of([LEAKY, LEAKY], [node("Exp", ["x"], ["y"])])


def test_standard_body_serves_an_operator_without_converter():
    model = model_of([], [node("SwiGLU", ["x", "z"], ["y"])], opset=28, inputs=("x", "z"))
    got = run_graph(main_of(model), X, X + 1)[0]
    np.testing.assert_allclose(got, X / (1 + np.exp(-X)) * (X + 1), rtol=1e-6)


def test_standard_body_that_does_not_apply_is_one_error():
    model = model_of([], [node("SoftmaxCrossEntropyLoss", ["x"], ["y"], reduction="median")])
    with pytest.raises((ModelError, UnsupportedOp), match="SoftmaxCrossEntropyLoss"):
        import_model(model)
