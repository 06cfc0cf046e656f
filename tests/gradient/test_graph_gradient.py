"""graph-gradient and compile(gradient=): programs that return a loss and its gradients."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from xdsl.dialects.builtin import ModuleOp, TensorType, f64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.parser import Parser

import tilewright
from tilewright.dialects.graph import (
    CastOp,
    ConvOp,
    ConvTransposeOp,
    DefinedOp,
    GraphOp,
    MatmulOp,
    ScanOp,
    SelectOp,
)
from tilewright.dialects.shape import tensor_type
from tilewright.gradient.builder import GradientBuilder
from tilewright.gradient.graph_gradient import GraphGradient, append_gradients
from tilewright.gradient.rule import Cotangents, DifferentiatedBy
from tilewright.interp.graph import EvaluatedBy
from tilewright.interp.program import interpret
from tilewright.machines.target import Target
from tilewright.passes.graph.dce import Dce
from tilewright.support.diagnostics import NoGradient, TypeMismatch
from tilewright.support.entry import entry_of
from tilewright.support.registry import new_context
from tilewright.targets.cpu.choices.plan_graph import CpuPlanGraph

from .differences import Array, assert_gradients

TEXT = """func.func @main(%x: tensor<4x6xf64>, %w: tensor<6x3xf64>) -> tensor<f64> {
  %p = graph.matmul %x, %w : tensor<4x6xf64>, tensor<6x3xf64> -> tensor<4x3xf64>
  %a = graph.atan %p : tensor<4x3xf64>
  %y = graph.softmax %a axis 1 : tensor<4x3xf64> -> tensor<4x3xf64>
  %m = graph.mul %y, %a : tensor<4x3xf64>
  %s = graph.reduce %m "sum" axes [0, 1] : tensor<4x3xf64> -> tensor<f64>
  func.return %s : tensor<f64>
}"""


def parsed(text: str) -> ModuleOp:
    return Parser(new_context(), text).parse_module()


def differentiated(module: ModuleOp, *wrt: int) -> ModuleOp:
    made = module.clone()
    GraphGradient(wrt=wrt).apply(new_context(), made)
    made.verify()
    return made


def arrays(*shapes: Sequence[int]) -> list[Array]:
    rng = np.random.default_rng(2)
    return [rng.standard_normal(shape) for shape in shapes]


def test_the_pass_appends_gradients_and_its_text_parses() -> None:
    module = parsed(TEXT)
    made = differentiated(module, 0, 1)
    given = arrays((4, 6), (6, 3))
    found = interpret(made, given)
    one = np.ones(())
    assert_gradients(lambda *a: interpret(module, list(a))[0], given, found[1:], one)
    assert any(isinstance(op, DefinedOp) for op in made.walk()), "atan has no rule"
    again = parsed(str(made))
    np.testing.assert_array_equal(interpret(again, given)[2], found[2])


RELU = """func.func @main(%x: tensor<1x16x6x6xf32>, %v: tensor<16x16x3x3xf32>) -> tensor<f32> {
  %c = graph.constant <[0.0] : tensor<f32>> : tensor<f32>
  %zero = graph.broadcast %c axes [] : tensor<f32> -> tensor<1x16x6x6xf32>
  %a = graph.conv %x, %v strides [1, 1] dilations [1, 1] pads [1, 1, 1, 1] groups 1
      : tensor<1x16x6x6xf32>, tensor<16x16x3x3xf32> -> tensor<1x16x6x6xf32>
  %r = graph.max %a, %zero : tensor<1x16x6x6xf32>
  %b = graph.conv %r, %v strides [1, 1] dilations [1, 1] pads [1, 1, 1, 1] groups 1
      : tensor<1x16x6x6xf32>, tensor<16x16x3x3xf32> -> tensor<1x16x6x6xf32>
  %s = graph.reduce %b "sum" axes [0, 1, 2, 3] : tensor<1x16x6x6xf32> -> tensor<f32>
  func.return %s : tensor<f32>
}"""


def test_gradients_between_convolutions_have_blocks_of_channels() -> None:
    made = differentiated(parsed(RELU), 1)
    CpuPlanGraph(Target("llvm -mcpu=x86-64-v3")).apply(new_context(), made)
    images = [op for op in made.walk() if isinstance(op, ConvTransposeOp | SelectOp)]
    assert len(images) == 3, "the gradients of a convolution and of a maximum"
    assert all(op.layout is not None for op in images)


def test_equal_operands_of_a_maximum_share_the_cotangent() -> None:
    text = """func.func @main(%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
      %m = graph.max %x, %y : tensor<3xf64>
      func.return %m : tensor<3xf64>
    }"""
    given = [np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])]
    for name, wanted in (("max", [[0.5, 0, 1], [0.5, 1, 0]]), ("min", [[0.5, 1, 0], [0.5, 0, 1]])):
        made = differentiated(parsed(text.replace("graph.max", f"graph.{name}")), 0, 1)
        np.testing.assert_array_equal(interpret(made, given)[1:], wanted)


def test_second_order() -> None:
    module = parsed(TEXT)
    first = differentiated(module, 1)
    twice = first.clone()
    append_gradients(entry_of(twice), [0, 1], result=1, takes_head=True)
    twice.verify()
    given = arrays((4, 6), (6, 3))
    (head,) = arrays((6, 3))
    found = interpret(twice, [*given, head])[2:]
    assert_gradients(lambda *a: interpret(first, list(a))[1], given, found, head)


def test_cast() -> None:
    text = """func.func @main(%x: tensor<5xf32>) -> tensor<f64> {
      %a = graph.cast %x : tensor<5xf32> -> tensor<5xf64>
      %m = graph.mul %a, %a : tensor<5xf64>
      %s = graph.reduce %m "sum" axes [0] : tensor<5xf64> -> tensor<f64>
      func.return %s : tensor<f64>
    }"""
    module = parsed(text)
    assert any(isinstance(op, CastOp) for op in module.walk())
    x = np.arange(5, dtype=np.float32)
    gradient = interpret(differentiated(module, 0), [x])[1]
    assert gradient.dtype == np.float32
    assert gradient.tolist() == [0, 2, 4, 6, 8]


class PowerOp(GraphOp):
    """The third power, as an op of another package."""

    x = operand_def(TensorType)
    out = result_def(TensorType)

    def __init__(self, x: SSAValue) -> None:
        super().__init__(operands=[x], result_types=[x.type])

    def inferred_types(self) -> Sequence[Attribute]:
        return [self.x.type]


def _cube_gradient(op: PowerOp, gs: Cotangents, b: GradientBuilder) -> Cotangents:
    (g,) = gs
    assert g is not None
    return [b.mul(b.mul(g, 3.0), b.mul(op.x, op.x))]


def _power(_op: PowerOp, args: tuple[Array, ...], _sizes: object) -> tuple[Array, ...]:
    return (args[0] ** 3,)


@irdl_op_definition
class CubeOp(PowerOp):
    """An op with a rule of its own and without a te definition."""

    name = "test.cube"
    traits = traits_def(EvaluatedBy(_power), DifferentiatedBy(_cube_gradient))


@irdl_op_definition
class OpaqueOp(PowerOp):
    """An op without a rule and without a te definition."""

    name = "test.opaque"
    traits = traits_def(EvaluatedBy(_power))


def with_op(op_class: type[PowerOp]) -> ModuleOp:
    module = parsed(TEXT)
    block = entry_of(module).body.block
    first = block.first_op
    assert first is not None
    cube = op_class(block.args[0])
    block.insert_op_before(cube, first)
    first.operands[0] = cube.out
    return module


def test_an_op_of_another_package_has_its_own_rule() -> None:
    module = with_op(CubeOp)
    given = arrays((4, 6), (6, 3))
    found = interpret(differentiated(module, 0), given)
    assert_gradients(
        lambda x, w: interpret(module, [x, w])[0], given, [found[1], None], np.ones(())
    )


def test_errors_name_the_op_and_the_reason() -> None:
    with pytest.raises(NoGradient, match="te definition is not known") as caught:
        differentiated(with_op(OpaqueOp), 0)
    assert "test.opaque" in str(caught.value)
    assert "DifferentiatedBy" in str(caught.value)
    with pytest.raises(TypeMismatch, match="argument 7"):
        differentiated(parsed(TEXT), 7)


def network() -> tuple[onnx.ModelProto, list[Array]]:
    """Return a CNN with softmax cross entropy, and its parameters."""
    rng = np.random.default_rng(0)
    shapes = {"w1": (4, 1, 3, 3), "b1": (4,), "w2": (36, 5)}
    weights = [0.4 * rng.standard_normal(shape) for shape in shapes.values()]
    nodes = [
        helper.make_node("Conv", ["x", "w1", "b1"], ["c"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c"], ["r"]),
        helper.make_node("MaxPool", ["r"], ["m"], kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("Flatten", ["m"], ["f"]),
        helper.make_node("MatMul", ["f", "w2"], ["z"]),
        helper.make_node("LogSoftmax", ["z"], ["l"], axis=1),
        helper.make_node("Mul", ["l", "t"], ["p"]),
        helper.make_node("ReduceSum", ["p"], ["s"], keepdims=0),
        helper.make_node("Neg", ["s"], ["loss"]),
    ]
    double = TensorProto.DOUBLE
    graph = helper.make_graph(
        nodes,
        "cnn",
        [
            helper.make_tensor_value_info("x", double, ["n", 1, 6, 6]),
            helper.make_tensor_value_info("t", double, ["n", 5]),
        ],
        [helper.make_tensor_value_info("loss", double, [])],
        [numpy_helper.from_array(w, name) for name, w in zip(shapes, weights, strict=True)],
    )
    opsets = [helper.make_opsetid("", 21)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10), weights


def test_training_of_a_cnn_agrees_with_torch() -> None:
    torch = pytest.importorskip("torch")
    model, weights = network()
    module = tilewright.compile(model, gradient=["w1", "b1", "w2"], cache=False)
    assert [out.name for out in module.outputs] == ["loss", "d_w1", "d_b1", "d_w2"]
    theirs = [torch.tensor(w, requires_grad=True) for w in weights]
    rng = np.random.default_rng(1)
    for step in range(20):
        n = 4 + step % 3
        x, t = rng.standard_normal((n, 1, 6, 6)), np.eye(5)[rng.integers(0, 5, n)]
        loss, *gradients = (np.asarray(a) for a in module(x, t, *weights))
        w1, b1, w2 = theirs
        hidden = torch.conv2d(torch.tensor(x), w1, b1, padding=1).relu()
        hidden = torch.max_pool2d(hidden, 2).flatten(1)
        expected = -((hidden @ w2).log_softmax(1) * torch.tensor(t)).sum()
        wanted = torch.autograd.grad(expected, theirs)
        np.testing.assert_allclose(loss, expected.item(), rtol=1e-12)
        for mine, other in zip(gradients, wanted, strict=True):
            np.testing.assert_allclose(mine, other.numpy(), rtol=1e-9, atol=1e-11)
        weights = [w - 0.05 * g for w, g in zip(weights, gradients, strict=True)]
        theirs = [
            (w - 0.05 * g).detach().requires_grad_() for w, g in zip(theirs, wanted, strict=True)
        ]


@pytest.mark.parametrize(
    ("size", "strides", "dilations", "pads"),
    [
        ((7, 6), (1, 1), (1, 1), (1, 1)),
        ((8, 9), (2, 3), (1, 2), (1, 0)),
        ((9, 8), (2, 2), (2, 1), (0, 2)),
    ],
)
def test_filters_of_many_channels_are_differentiated_per_tap(
    size: tuple[int, int],
    strides: tuple[int, int],
    dilations: tuple[int, int],
    pads: tuple[int, int],
) -> None:
    torch = pytest.importorskip("torch")
    x, w = arrays((2, 8, *size), (3, 8, 3, 2))
    block = Block(arg_types=[tensor_type(f64, a.shape) for a in (x, w)])
    made = ConvOp(*block.args, strides=strides, dilations=dilations, pads=[*pads, *pads])
    block.add_ops([made, ReturnOp(made.out)])
    main = FuncOp("main", (block.arg_types, [made.out.type]), Region(block))
    append_gradients(main, [0, 1], takes_head=True)
    assert sum(isinstance(op, MatmulOp) for op in main.walk()) == 6, "a product per tap"
    leaves = [torch.tensor(a, requires_grad=True) for a in (x, w)]
    y = torch.conv2d(*leaves, None, strides, pads, dilations)
    (head,) = arrays(y.shape)
    found = interpret(ModuleOp([main]), [x, w, head])[1:]
    for mine, other in zip(found, torch.autograd.grad(y, leaves, torch.tensor(head)), strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-11, atol=1e-12)


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(tilewright.Error, match="w9"):
        tilewright.compile(network()[0], gradient=["w9"], cache=False)


def test_a_loop_of_constant_trip_count() -> None:
    text = """func.func @main(%x: tensor<3xf64>, %w: tensor<3xf64>) -> tensor<f64> {
      %n = graph.constant <[4] : tensor<i64>> : tensor<i64>
      %y = graph.loop to %n : tensor<i64> (%i) carry(%h = %x : tensor<3xf64>) {
        %p = graph.mul %h, %w : tensor<3xf64>
        %t = graph.sin %p : tensor<3xf64>
        graph.yield %t : tensor<3xf64>
      }
      %s = graph.reduce %y "sum" axes [0] : tensor<3xf64> -> tensor<f64>
      func.return %s : tensor<f64>
    }"""
    module = parsed(text)
    given = arrays((3,), (3,))
    found = interpret(differentiated(module, 0, 1), given)
    assert_gradients(lambda *a: interpret(module, list(a))[0], given, found[1:], np.ones(()))


def test_the_products_of_a_scan_are_computed_once() -> None:
    """Only the product with the cotangent is in the scan that runs in reverse order."""
    text = """func.func @main(%h: tensor<2x3xf64>, %xs: tensor<4x2x3xf64>, %w: tensor<3x3xf64>)
        -> tensor<f64> {
      %y = graph.scan <4> carry(%c = %h : tensor<2x3xf64>) over(%x = %xs : tensor<4x2x3xf64>) {
        %p = graph.matmul %c, %w : tensor<2x3xf64>, tensor<3x3xf64> -> tensor<2x3xf64>
        %z = graph.add %p, %x : tensor<2x3xf64>
        %t = graph.tanh %z : tensor<2x3xf64>
        graph.yield %t : tensor<2x3xf64>
      }
      %s = graph.reduce %y "sum" axes [0, 1] : tensor<2x3xf64> -> tensor<f64>
      func.return %s : tensor<f64>
    }"""
    module, given = parsed(text), arrays((2, 3), (4, 2, 3), (3, 3))
    made = differentiated(module, 0, 1, 2)
    found = interpret(made, given)
    assert_gradients(lambda *a: interpret(module, list(a))[0], given, found[1:], np.ones(()))
    *_, reverse = [op for op in made.walk() if isinstance(op, ScanOp)]
    assert sum(isinstance(op, MatmulOp) for op in reverse.walk()) == 1


@pytest.mark.parametrize("other", ["", "%p2 = graph.matmul %x, %w : T, W -> T"])
def test_products_of_branches_in_a_scan_are_computed_once(other: str) -> None:
    """A product in one branch, or in both, is a product of all steps after the reverse scan."""
    text = f"""func.func @main(%n: N, %h: T, %xs: X, %w: W) -> tensor<f64> {{
      %y, %last = graph.scan <4> carry(%c = %h : T, %i = %n : N) over(%x = %xs : X) {{
        %zero = graph.constant <[0] : N> : N
        %one = graph.constant <[1] : N> : N
        %q = graph.lt %zero, %i : N
        %t = graph.if %q {{
          %p1 = graph.matmul %c, %w : T, W -> T
          %z = graph.tanh %p1 : T
          graph.yield %z : T
        }} else {{
          {other}
          %s = graph.sin {"%p2" if other else "%x"} : T
          graph.yield %s : T
        }} : tensor<i1> -> T
        %j = graph.sub %one, %i : N
        graph.yield %t, %j : T, N
      }}
      %s = graph.reduce %y "sum" axes [0, 1] : T -> tensor<f64>
      func.return %s : tensor<f64>
    }}"""
    types = {"T": "tensor<1x3xf64>", "X": "tensor<4x1x3xf64>", "W": "tensor<3x3xf64>"}
    types["N"] = "tensor<i64>"
    module = parsed(re.sub(r"(?<![\w%@.])([TXWN])\b", lambda found: types[found[1]], text))
    made = differentiated(module, 1, 2, 3)
    given = [np.asarray(1), *arrays((1, 3), (4, 1, 3), (3, 3))]
    found = interpret(made, given)
    assert_gradients(
        lambda *a: interpret(module, list(a))[0], given, [None, *found[1:]], np.ones(())
    )
    Dce().apply(new_context(), made)
    *_, reverse = [op for op in made.walk() if isinstance(op, ScanOp)]
    products = [op for op in reverse.walk() if isinstance(op, MatmulOp)]
    # Each branch computes its product again, and the product with the cotangent.
    assert len(products) == (4 if other else 2)
