"""Reports on models: their contents, missing information, and unsupported nodes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from tilewright.driver.report.describe import ModelReport, describe_model
from tilewright.support.diagnostics import ModelError


def tensor(
    name: str, shape: Sequence[int | str | None] | None, dtype: int = TensorProto.FLOAT
) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, dtype, shape)


@pytest.fixture
def describe(tmp_path: Path):
    def made(nodes, inputs, outputs, *, weights=(), functions=(), domains=(), **known):
        graph = helper.make_graph(nodes, "example", inputs, outputs, initializer=weights)
        opsets = [helper.make_opsetid("", 21), *(helper.make_opsetid(d, 1) for d in domains)]
        model = helper.make_model(
            graph, opset_imports=opsets, functions=functions, ir_version=10, producer_name="us"
        )
        path = tmp_path / "model.onnx"
        onnx.save(model, path)
        return describe_model(path, **known)

    return made


def counts(report: ModelReport) -> dict[str, tuple[int, str, int]]:
    return {row.op_type: (row.count, row.kind, row.refused) for row in report.operators}


def test_a_report_has_what_the_file_has(describe) -> None:
    w = numpy_helper.from_array(np.ones((3, 5), np.float32), "w")
    nodes = [helper.make_node("MatMul", ["x", "w"], ["h"]), helper.make_node("Relu", ["h"], ["y"])]
    report = describe(nodes, [tensor("x", ["b", 3])], [tensor("y", None)], weights=[w])
    assert (report.name, report.ir_version, report.producer) == ("example", 10, "us")
    assert report.opsets == {"ai.onnx": 21}
    assert (report.parameters, report.parameter_bytes) == (15, 60)
    assert report.file_bytes == Path(report.file).stat().st_size
    assert [str(t) for t in (*report.inputs, *report.outputs)] == ["float32[b, 3]", "float32[b, 5]"]
    assert counts(report) == {"MatMul": (1, "converter", 0), "Relu": (1, "converter", 0)}
    assert report.dynamic_inputs == ("x",)
    assert report.is_supported


def test_given_sizes_and_values_are_no_longer_open(describe) -> None:
    nodes = [helper.make_node("Reshape", ["x", "shape"], ["y"])]
    inputs = [tensor("x", ["n", 6]), tensor("shape", [2], TensorProto.INT64)]
    report = describe(nodes, inputs, [tensor("y", None)])
    assert (report.dynamic_inputs, report.value_inputs) == (("x",), ("shape",))
    assert counts(report) == {"Reshape": (1, "converter", 1)}
    assert report.is_supported
    report = describe(
        nodes, inputs, [tensor("y", None)], shapes={"x": (2, 6)}, values={"shape": [4, 3]}
    )
    assert (report.dynamic_inputs, report.value_inputs, report.refused) == ((), (), ())
    assert [str(t) for t in report.outputs] == ["float32[4, 3]"]


def test_an_input_without_rank_is_open(describe) -> None:
    report = describe(
        [helper.make_node("Relu", ["x"], ["y"])], [tensor("x", None)], [tensor("y", None)]
    )
    assert report.dynamic_inputs == ("x",)
    assert report.is_supported


def test_sizes_of_different_names_may_turn_out_equal(describe) -> None:
    nodes = [helper.make_node("Add", ["x", "y"], ["z"])]
    report = describe(nodes, [tensor("x", ["a"]), tensor("y", ["b"])], [tensor("z", None)])
    assert report.dynamic_inputs == ("x", "y")
    assert report.is_supported
    bound = {"x": (2,), "y": (3,)}
    report = describe(
        nodes, [tensor("x", ["a"]), tensor("y", ["b"])], [tensor("z", None)], shapes=bound
    )
    assert not report.is_supported


def test_operators_without_a_converter_are_named(describe) -> None:
    nodes = [
        helper.make_node("Strange", ["x"], ["h"], domain="own", name="odd"),
        helper.make_node("Relu", ["h"], ["y"]),
    ]
    report = describe(nodes, [tensor("x", [2])], [tensor("y", None)], domains=["own"])
    assert counts(report) == {"Strange": (1, "none", 1), "Relu": (1, "converter", 0)}
    assert [(node.name, node.reason) for node in report.refused] == [("odd", "no converter")]
    assert not report.is_supported


def test_nodes_of_functions_count_at_each_call(describe) -> None:
    body = [helper.make_node("Relu", ["a"], ["h"]), helper.make_node("Neg", ["h"], ["b"])]
    function = helper.make_function("own", "F", ["a"], ["b"], body, [helper.make_opsetid("", 21)])
    nodes = [
        helper.make_node("F", ["x"], ["h"], domain="own"),
        helper.make_node("F", ["h"], ["y"], domain="own"),
    ]
    report = describe(
        nodes, [tensor("x", [2])], [tensor("y", None)], functions=[function], domains=["own"]
    )
    assert counts(report) == {
        "F": (2, "function", 0), "Neg": (2, "converter", 0), "Relu": (2, "converter", 0)
    }  # fmt: skip


def test_a_node_that_breaks_a_rule_is_a_problem_of_the_report(describe) -> None:
    nodes = [helper.make_node("Add", ["x", "y"], ["z"], name="sum")]
    report = describe(nodes, [tensor("x", [2]), tensor("y", [3])], [tensor("z", None)])
    assert "sum" in report.problem
    assert not report.is_supported


def test_strings_have_their_own_type(describe) -> None:
    nodes = [helper.make_node("StringConcat", ["x", "x"], ["y"])]
    strings = [tensor(name, [2], TensorProto.STRING) for name in "xy"]
    report = describe(nodes, strings[:1], strings[1:])
    assert str(report.inputs[0]) == "string[2]"
    assert report.is_supported


def test_a_malformed_file_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "broken.onnx"
    path.write_bytes(b"\xff\xff\xff")
    with pytest.raises(ModelError):
        describe_model(path)
