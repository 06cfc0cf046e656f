"""Extensions: converters and passes of other packages in one compilation."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.passes import ModulePass
from xdsl.traits import Pure

import tilewright
from tilewright import te
from tilewright.dialects.graph import BroadcastOp, NegOp
from tilewright.dialects.graph.base import GraphOp
from tilewright.dialects.te.build import ComputeResult, read
from tilewright.driver.passes.pipeline import passes_to
from tilewright.frontend.onnx.importer import import_model
from tilewright.frontend.onnx.node import OpConverter
from tilewright.lowering.graph_to_te.builder import LoweredBy, TeBuilder, element_of
from tilewright.machines.target import Target
from tilewright.support.diagnostics import TilewrightError, TypeMismatch, UnsupportedOp

TARGET = Target("llvm -mcpu=x86-64")
CONVERTER = OpConverter(
    "Minus", lambda node, b: b.emit(NegOp(b.ssa(node[0]))), since=2, domain="acme"
)


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
    assert "graph.neg" in str(import_model(model("Minus", "acme", 2), converters=[CONVERTER]))


def test_the_opset_of_the_domain_counts() -> None:
    with pytest.raises(UnsupportedOp, match="exists since opset 2"):
        import_model(model("Minus", "acme", 1), converters=[CONVERTER])


def test_rows_of_an_extension_are_asked_before_those_of_the_project() -> None:
    converter = OpConverter("Abs", CONVERTER.convert)
    assert "graph.neg" in str(import_model(model("Abs", "", 2), converters=[converter]))
    assert "graph.abs" in str(import_model(model("Abs", "", 2)))


def test_open_sizes_are_compiled_with_the_extension() -> None:
    mod = tilewright.compile(
        model("Minus", "acme", 2, size="n"), extensions=[tilewright.Extension([CONVERTER])]
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


def wider(op: Operation, b: TeBuilder) -> SSAValue:
    """Return a tensor whose sizes differ from those of the op."""
    element = element_of(op.results[0])
    return b.compute(
        "wider", {"i": 3, "j": 6}, [read(b.value(op.operands[0]), ["i"])],
        ComputeResult(("i", "j"), element), lambda s, x: x,
    )  # fmt: skip


def continued(op: Operation, b: TeBuilder) -> SSAValue:
    """Return a sum that has no initial value."""
    result = ComputeResult(("i",), element_of(op.results[0]), "add")
    return b.compute("sum", {"i": 3, "k": 2}, [read(b.value(op.operands[0]), ["i"])], result,
                     lambda s, x: x)  # fmt: skip


class Same(GraphOp):
    x = operand_def(TensorType)
    out = result_def(TensorType)

    def __init__(self, x: SSAValue) -> None:
        super().__init__(operands=(x,), result_types=(x.type,))

    def inferred_types(self):
        return (self.x.type,)


@irdl_op_definition
class WiderOp(Same):
    name = "acme.wider"
    traits = traits_def(Pure(), LoweredBy(wider))


@irdl_op_definition
class ContinuedOp(Same):
    name = "acme.continued"
    traits = traits_def(Pure(), LoweredBy(continued))


@pytest.mark.parametrize(
    ("op", "parts"),
    [
        (WiderOp, ("test_extension.wider gives other types", "tensor<3x6xf32>")),
        (ContinuedOp, ("only an output in a buffer can accumulate", "an initial value after add")),
    ],
)
def test_a_lowering_gives_what_its_op_says(op: type[Same], parts: tuple[str, ...]) -> None:
    converter = OpConverter(
        "Minus", lambda node, b: b.emit(op(b.ssa(node[0]))), since=2, domain="acme"
    )
    with pytest.raises(TilewrightError) as caught:
        tilewright.compile(
            model("Minus", "acme", 2), extensions=[tilewright.Extension([converter])]
        )
    text = str(caught.value)
    assert 'at loc("Minus_0")' in text
    assert all(part in text for part in parts), text


class Widen(ModulePass):
    name = "widen"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        (function,) = (f for f in op.ops if isinstance(f, FuncOp))
        (last,) = (o for o in function.body.block.ops if isinstance(o, ReturnOp))
        made = BroadcastOp(last.operands[0], (6, 3), (1,))
        function.body.block.insert_op_before(made, last)
        last.operands[0] = made.results[0]
        function.update_function_type()


def test_a_pass_does_not_change_the_signature() -> None:
    extension = tilewright.Extension(passes={"graph-dce": [Widen()]})
    with pytest.raises(TypeMismatch, match="widen: the pass changes the types of @main") as caught:
        tilewright.compile(model("Abs", "", 2), extensions=[extension])
    assert "expected: 3xf32, 3xf32\n    got: 3xf32, 6x3xf32" in str(caught.value)


def test_tensor_expressions_and_modules_are_built_with_extensions() -> None:
    class Refuse(Mark):
        name = "refuse"

        def apply(self, ctx: Context, op: ModuleOp) -> None:
            raise UnsupportedOp("refused by the extension")

    extension = tilewright.Extension(passes={"te-outline": [Refuse()]})
    a = te.placeholder((4,), name="a")
    module, _ = tilewright.from_onnx(model("Abs", "", 2))
    for what in ([te.compute((4,), lambda i: a[i] * 2.0, name="b")], module):
        tilewright.build(what)
        with pytest.raises(UnsupportedOp, match="refused by the extension"):
            tilewright.build(what, extensions=[extension])
