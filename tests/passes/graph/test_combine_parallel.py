"""graph-combine-parallel makes one product of several, and leaves alone what would lose by it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.parser import Parser

from tilewright.analysis.verify import verify_module
from tilewright.dialects.graph import MatmulOp, ReshapeOp
from tilewright.passes.graph.combine_parallel import CombineParallel
from tilewright.support.registry import new_context

from ...sweeps import examples
from .programs import Graph, Sample, check_pass, ops_of, program, programs


def matrix(g: Graph, rows: int, columns: int, transposed: bool = False) -> SSAValue:
    shape = (columns, rows) if transposed else (rows, columns)
    return g.constant(np.arange(rows * columns).reshape(shape) % 5 - 2)


def biased(g: Graph, x: SSAValue, columns: int, transposed: bool = False) -> SSAValue:
    y = g.add(MatmulOp(x, matrix(g, 3, columns, transposed), transpose_rhs=transposed))
    return g.apply("add", y, g.per_channel(np.arange(columns), y, 1))


def heads(g: Graph, y: SSAValue, columns: int) -> SSAValue:
    return g.add(ReshapeOp(y, (2, columns // 4, 4)))


def after(module: ModuleOp) -> list[str]:
    return ops_of(check_pass(module, CombineParallel()))


@pytest.mark.parametrize("transposed", [False, True])
def test_products_and_their_biases_become_one(transposed: bool) -> None:
    def body(g: Graph, x: SSAValue) -> Sequence[SSAValue]:
        return [heads(g, biased(g, x, columns, transposed), columns) for columns in (8, 4, 12)]

    made = after(program(body, (2, 3)))
    assert made == ["matmul", "broadcast", "add", *["slice"] * 3, *["reshape"] * 3]


def test_ops_of_one_operand_follow_the_combined_product() -> None:
    def body(g: Graph, x: SSAValue) -> Sequence[SSAValue]:
        return [heads(g, g.apply("neg", biased(g, x, 4)), 4) for _ in range(2)]

    assert after(program(body, (2, 3)))[:4] == ["matmul", "broadcast", "add", "neg"]


def test_what_differs_stays_apart() -> None:
    def body(g: Graph, x: SSAValue, y: SSAValue) -> Sequence[SSAValue]:
        gated = g.apply("mul", biased(g, x, 4), g.apply("exp", biased(g, x, 4)))
        reversed_ = g.add(MatmulOp(x, matrix(g, 3, 4)))
        reversed_ = g.apply("sub", g.full(1, reversed_), reversed_)
        unaligned = [heads(g, biased(g, y, 4), 4), g.add(ReshapeOp(biased(g, y, 6), (4, 3)))]
        unknown = g.add(MatmulOp(x, g.transpose(y, 1, 0)))
        return [gated, heads(g, reversed_, 4), *unaligned, unknown]

    module = program(body, (2, 3), (2, 3))
    assert after(module) == ops_of(module)


SYMBOLIC = """
func.func @main(%x: tensor<?x3xf32, #te.dims<n, 3>>)
    -> (tensor<?x4xf32, #te.dims<n, 4>>, tensor<?x4xf32, #te.dims<n, 4>>) {
  %w = graph.constant <[1.0, 2.0, 3.0, 4.0, 0.5, 1.5, 2.5, 3.5, 1.0, 1.0, 0.0, 0.0]
    : tensor<3x4xf32>> : tensor<3x4xf32>
  %b = graph.constant <[1.0, 2.0, 3.0, 4.0] : tensor<4xf32>> : tensor<4xf32>
  %wide = graph.broadcast %b axes [1] : tensor<4xf32> -> tensor<?x4xf32, #te.dims<n, 4>>
  %q = graph.matmul %x, %w : tensor<?x3xf32, #te.dims<n, 3>>, tensor<3x4xf32>
    -> tensor<?x4xf32, #te.dims<n, 4>>
  %k = graph.matmul %x, %w : tensor<?x3xf32, #te.dims<n, 3>>, tensor<3x4xf32>
    -> tensor<?x4xf32, #te.dims<n, 4>>
  %a = graph.add %q, %wide : tensor<?x4xf32, #te.dims<n, 4>>
  %c = graph.add %k, %wide : tensor<?x4xf32, #te.dims<n, 4>>
  func.return %a, %c : tensor<?x4xf32, #te.dims<n, 4>>, tensor<?x4xf32, #te.dims<n, 4>>
}
"""


def test_the_number_of_rows_may_be_symbolic() -> None:
    context = new_context()
    module = Parser(context, SYMBOLIC).parse_module()
    CombineParallel().apply(context, module)
    verify_module(module)
    assert ops_of(module) == ["matmul", "broadcast", "add", "slice", "slice"]


@given(programs())
@examples(20)
def test_random_programs_keep_their_results(sample: Sample) -> None:
    check_pass(sample.module, CombineParallel())
