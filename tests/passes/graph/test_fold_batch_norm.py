"""graph-fold-batch-norm moves factors and addends into weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from xdsl.dialects.builtin import ModuleOp, f32, i32
from xdsl.ir import SSAValue
from xdsl.parser import Parser

from tilewright.analysis.verify import verify_module
from tilewright.dialects.graph import AddOp, ConstantOp, ConvOp, MatmulOp, MulOp
from tilewright.passes.graph.constant_values import vector_along
from tilewright.passes.graph.fold_batch_norm import FoldBatchNorm
from tilewright.support.registry import new_context

from ...sweeps import examples
from .programs import Graph, Sample, check_pass, ops_of, program, programs

WINDOW: dict[str, Any] = {"strides": (1, 1), "dilations": (1, 1), "pads": (1, 1, 1, 1)}
SCALE, SHIFT = [2.0, -3.0, 0.5, 4.0], [1.0, 2.0, 3.0, 4.0]


def convolved(g: Graph, x: SSAValue, bias: bool = False, groups: int = 1) -> SSAValue:
    w = g.constant(np.arange(4 * 4 // groups * 9).reshape(4, 4 // groups, 3, 3) % 7 - 3)
    b = g.constant([1, 0, -1, 2]) if bias else None
    return g.add(ConvOp(x, w, b, groups=groups, **WINDOW))


def after(module: ModuleOp) -> ModuleOp:
    return check_pass(module, FoldBatchNorm(), exact=False)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("groups", [1, 2, 4])
def test_batch_norm_disappears_into_a_convolution(bias: bool, groups: int) -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        y = convolved(g, x, bias, groups)
        y = g.apply("mul", g.per_channel(SCALE, y), y)
        return [g.apply("max", g.apply("add", y, g.per_channel(SHIFT, y)), g.full(0, y))]

    done = after(program(body, (2, 4, 5, 5)))
    assert [n for n in ops_of(done) if n != "broadcast"] == ["conv", "max"]


def test_batch_norm_folds_for_a_symbolic_batch() -> None:
    text = """
    func.func @main(%x: tensor<?x1x5x5xf32, #te.dims<n, 1, 5, 5>>)
        -> tensor<?x2x5x5xf32, #te.dims<n, 2, 5, 5>> {
      %w = graph.constant <[3.0, 5.0] : tensor<2x1x1x1xf32>> : tensor<2x1x1x1xf32>
      %s = graph.constant <[2.0, 4.0] : tensor<2xf32>> : tensor<2xf32>
      %y = graph.conv %x, %w strides [1, 1] dilations [1, 1] pads [0, 0, 0, 0] groups 1
        : tensor<?x1x5x5xf32, #te.dims<n, 1, 5, 5>>, tensor<2x1x1x1xf32>
        -> tensor<?x2x5x5xf32, #te.dims<n, 2, 5, 5>>
      %wide = graph.broadcast %s axes [1] : tensor<2xf32>
        -> tensor<?x2x5x5xf32, #te.dims<n, 2, 5, 5>>
      %z = graph.mul %y, %wide : tensor<?x2x5x5xf32, #te.dims<n, 2, 5, 5>>
      func.return %z : tensor<?x2x5x5xf32, #te.dims<n, 2, 5, 5>>
    }
    """
    context = new_context()
    module = Parser(context, text).parse_module()
    FoldBatchNorm().apply(context, module)
    verify_module(module)
    (conv,) = [op for op in module.walk() if isinstance(op, ConvOp)]
    assert [n for n in ops_of(module) if n != "broadcast"] == ["conv"]
    assert conv.w.owner.array.flatten().tolist() == [6, 20]


def test_every_form_of_a_constant_per_channel_folds() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        y = convolved(g, x)
        y = g.apply("div", y, g.full(2, y))
        y = g.apply("sub", y, g.per_channel(SHIFT, y))
        column = g.constant(np.array(SCALE).reshape(4, 1, 1))
        from tilewright.dialects.graph import BroadcastOp

        return [g.apply("mul", y, g.add(BroadcastOp(column, (2, 4, 5, 5), (1, 2, 3))))]

    assert [n for n in ops_of(after(program(body, (2, 4, 5, 5)))) if n != "broadcast"] == ["conv"]


def test_weights_are_rounded_once() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        y = g.add(ConvOp(x, g.constant(np.full((1, 1, 1, 1), 0.1)), **{**WINDOW, "pads": (0,) * 4}))
        return [g.apply("mul", y, g.full(0.3, y))]

    (conv,) = [op for op in after(program(body, (1, 1, 2, 2))).walk() if isinstance(op, ConvOp)]
    exact = np.float64(np.float32(0.1)) * np.float64(np.float32(0.3))
    assert conv.w.owner.array.item() == np.float32(exact)


def test_what_is_not_per_channel_stays() -> None:
    def body(g: Graph, x: SSAValue, s: SSAValue) -> list[SSAValue]:
        along_width = convolved(g, x)
        along_width = g.apply("mul", along_width, g.per_channel(range(5), along_width, 3))
        unknown = g.apply("mul", convolved(g, x, True), s)
        reversed_ = convolved(g, x)
        reversed_ = g.apply("sub", g.full(1, reversed_), reversed_)
        return [along_width, unknown, reversed_]

    module = program(body, (2, 4, 5, 5), (2, 4, 5, 5))
    assert ops_of(after(module)) == ops_of(module)


def test_a_result_with_two_uses_is_kept() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        y = convolved(g, x)
        return [y, g.apply("mul", y, g.full(2, y))]

    module = program(body, (2, 4, 5, 5))
    assert ops_of(after(module)) == ops_of(module)


def test_an_overflow_is_not_moved_into_the_weights() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        w = g.constant(np.full((1, 1, 1, 1), 1e30))
        y = g.add(ConvOp(x, w, **{**WINDOW, "pads": (0,) * 4}))
        zero = g.apply("mul", y, g.full(1e30, y))
        divided = g.add(ConvOp(x, w, **{**WINDOW, "pads": (0,) * 4}))
        return [zero, g.apply("div", divided, g.full(0, divided))]

    module = program(body, (1, 1, 2, 2))
    assert ops_of(after(module)) == ops_of(module)


def test_integers_stay() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        w = g.constant(np.ones((1, 1, 1, 1)), "int32")
        from tilewright.dialects.graph import CastOp

        y = g.add(ConvOp(g.add(CastOp(x, i32)), w, **WINDOW))
        return [g.add(CastOp(g.apply("mul", y, g.full(3, y, "int32")), f32))]

    module = program(body, (1, 1, 2, 2))
    assert ops_of(after(module)) == ops_of(module)


def test_a_bias_of_no_elements_is_not_folded() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        return [g.apply("add", x, g.constant(np.zeros((0, 3))))]

    module = program(body, (0, 3))
    assert ops_of(after(module)) == ops_of(module)


@pytest.mark.parametrize("transposed", [False, True])
def test_a_factor_per_column_goes_into_a_matmul(transposed: bool) -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        w = np.arange(12).reshape(3, 4) - 5
        rhs = g.constant(w.T if transposed else w)
        y = g.add(MatmulOp(x, rhs, transpose_rhs=transposed))
        y = g.apply("add", y, g.per_channel(SHIFT, y))
        y = g.apply("mul", y, g.per_channel(SCALE, y))
        return [g.apply("sub", y, g.per_channel([1, 1, 2, 2], y))]

    done = after(program(body, (5, 3)))
    assert ops_of(done) == ["matmul", "broadcast", "add"]
    (add,) = [op for op in done.walk() if isinstance(op, AddOp)]
    expected = np.array(SCALE) * SHIFT - [1, 1, 2, 2]
    vector = vector_along(add.rhs, 1)
    assert vector is not None
    np.testing.assert_array_equal(vector.stored, expected)


def test_a_factor_alone_goes_into_a_matmul() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        y = g.add(MatmulOp(x, g.constant(np.arange(24).reshape(2, 3, 4))))
        return [g.apply("mul", y, g.per_channel(SCALE, y, 2))]

    assert ops_of(after(program(body, (2, 5, 3)))) == ["matmul"]


def test_a_factor_per_row_stays() -> None:
    def body(g: Graph, x: SSAValue, w: SSAValue) -> list[SSAValue]:
        y = g.add(MatmulOp(x, g.constant(np.arange(12).reshape(3, 4))))
        z = g.add(MatmulOp(x, w))
        return [
            g.apply("mul", y, g.per_channel(range(5), y, 0)),
            g.apply("mul", z, g.per_channel(range(4), z, 1)),
        ]

    module = program(body, (5, 3), (3, 4))
    assert ops_of(after(module)) == ops_of(module)


@examples(80)
@given(programs())
def test_random_programs_compute_the_same(sample: Sample) -> None:
    done = after(sample.module)
    for op in done.walk():
        if isinstance(op, MulOp):
            for x, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
                is_folded = isinstance(x.owner, ConvOp) and x.has_one_use()
                if is_folded and isinstance(x.owner.w.owner, ConstantOp):
                    assert vector_along(other, 1) is None
