"""Extensions: converters and passes of other packages in one compilation."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.passes import ModulePass

import tilewright
from tilewright.dialects.graph import NegOp
from tilewright.driver.pipeline import passes_to
from tilewright.frontend.onnx.importer import import_model
from tilewright.frontend.onnx.node import Row
from tilewright.support.diagnostics import TilewrightError, UnsupportedOp
from tilewright.support.target import Target

TARGET = Target("llvm -mcpu=x86-64")
ROW = Row("Minus", lambda node, b: b.emit(NegOp(b.ssa(node[0]))), since=2, domain="acme")


def model(op_type: str, domain: str, version: int, size: int | str = 3) -> onnx.ModelProto:
    x, y = (helper.make_tensor_value_info(n, TensorProto.FLOAT, [size]) for n in "xy")
    node = helper.make_node(op_type, ["x"], ["y"], domain=domain)
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid("acme", version)]
    return helper.make_model(
        helper.make_graph([node], "g", [x], [y]), opset_imports=opsets, ir_version=10
    )


class Mark(ModulePass):
    name = "mark"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        op.attributes["marks"] = StringAttr(getattr(op.attributes.get("marks"), "data", "") + "*")


def test_a_node_of_another_domain_is_converted() -> None:
    with pytest.raises(UnsupportedOp, match="not supported"):
        import_model(model("Minus", "acme", 2))
    assert "graph.neg" in str(import_model(model("Minus", "acme", 2), converters=[ROW]))


def test_the_opset_of_the_domain_counts() -> None:
    with pytest.raises(UnsupportedOp, match="exists since opset 2"):
        import_model(model("Minus", "acme", 1), converters=[ROW])


def test_rows_of_an_extension_are_asked_before_those_of_the_project() -> None:
    row = Row("Abs", ROW.convert)
    assert "graph.neg" in str(import_model(model("Abs", "", 2), converters=[row]))
    assert "graph.abs" in str(import_model(model("Abs", "", 2)))


def test_open_sizes_are_compiled_with_the_extension() -> None:
    mod = tilewright.compile(
        model("Minus", "acme", 2, size="n"), extensions=[tilewright.Extension([ROW])]
    )
    for size in (2, 5):
        x = np.arange(size, dtype=np.float32)
        np.testing.assert_array_equal(mod(x).numpy(), -x)


def test_passes_run_right_before_the_named_one_each_time() -> None:
    extension = tilewright.Extension(
        passes={"graph-fold-constants": [Mark()], "graph-dce": [Mark()]}
    )
    names = [step.name for step in passes_to(TARGET, "graph", [extension])]
    assert [names[i + 1] for i, name in enumerate(names) if name == "mark"] == [
        "graph-fold-constants",
        "graph-fold-constants",
        "graph-dce",
    ]


def test_a_place_that_is_no_pass_of_the_pipeline_is_an_error() -> None:
    extension = tilewright.Extension(passes={"graph-cs": [Mark()]})
    with pytest.raises(TilewrightError, match="graph-cse"):
        passes_to(TARGET, "graph", [extension])
