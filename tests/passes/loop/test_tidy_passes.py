"""loop-simplify, -hoist, -narrow-indices, -check-bounds and cse: programs compute the same bits."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination

from tilewright.analysis.bounds.positions import OutsideBuffer
from tilewright.analysis.verify import verify_module
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.interp.loop import run_function
from tilewright.interp.program import interpret
from tilewright.machines.target import Target
from tilewright.passes.loop.check_bounds import CheckBounds
from tilewright.passes.loop.hoist import Hoist
from tilewright.passes.loop.narrow_indices import NarrowIndices
from tilewright.passes.loop.simplify import Simplify
from tilewright.support.registry import new_context

MODEL = """
func.func @main(%x: tensor<3x9xf32>, %w: tensor<9x10xf32>)
    -> (tensor<3x10xf32>, tensor<3xi64>, tensor<3x3xi64>) {
  %a = graph.matmul %x, %w : tensor<3x9xf32>, tensor<9x10xf32> -> tensor<3x10xf32>
  %y = graph.softmax %a axis 1 : tensor<3x10xf32> -> tensor<3x10xf32>
  %p = graph.arg_reduce %y "max" axis 1 : tensor<3x10xf32> -> tensor<3xi64>
  %v, %q = graph.top_k %y axis 1 : tensor<3x10xf32> -> tensor<3x3xf32>, tensor<3x3xi64>
  func.return %y, %p, %q : tensor<3x10xf32>, tensor<3xi64>, tensor<3x3xi64>
}"""

PASSES = Simplify, Hoist, CommonSubexpressionElimination


@pytest.fixture(scope="module")
def program() -> str:
    """Return a model at the packed level, as text."""
    ctx = new_context()
    module = Parser(ctx, MODEL).parse_module()
    run_pipeline(module, ctx, Target("llvm -mcpu=x86-64-v3"), to="packed")
    return str(module)


def test_programs_compute_the_same_bits_after_each_pass(program: str) -> None:
    ctx = new_context()
    module = Parser(ctx, program).parse_module()
    rng = np.random.default_rng(5)
    inputs = [rng.standard_normal(shape).astype(np.float32) for shape in ((3, 9), (9, 10))]
    wanted = interpret(module, inputs)
    scores = inputs[0] @ inputs[1]
    np.testing.assert_array_equal(wanted[1], scores.argmax(1))
    changed = set[str]()
    for each in PASSES:
        before = str(module)
        each().apply(ctx, module)
        verify_module(module)
        if str(module) != before:
            changed.add(each.name)
            for got, want in zip(interpret(module, inputs), wanted, strict=True):
                np.testing.assert_array_equal(got, want)
    assert changed == {each.name for each in PASSES}


@pytest.mark.parametrize(("most", "is_narrow"), [(2**31 - 1, True), (2**31, False)])
def test_integers_of_positions_are_narrow_if_all_lanes_fit(most: int, is_narrow: bool) -> None:
    text = f"""func.func @f(%y: memref<16xi64>, %z: memref<16xf32>) {{
      %0 = arith.constant 4 : i64
      %1 = arith.constant {most - 6} : i64
      %four = loop.broadcast %0 : i64 to vector<4xi64>
      %limit = loop.broadcast %1 : i64 to vector<4xi64>
      loop.for %i = 0 to 4 {{
        %p = loop.index [%i * 4 + {most - 19}] step 1 : vector<4xindex>
        %a = loop.cast "index_cast" %p : vector<4xindex> to vector<4xi64>
        %b = arith.addi %a, %four : vector<4xi64>
        %c = loop.cmp "slt" %b, %limit : vector<4xi64>, vector<4xi64>, vector<4xi1>
        %s = loop.select %c, %b, %a : vector<4xi1>, vector<4xi64>, vector<4xi64>, vector<4xi64>
        %f = loop.cast "sitofp" %b : vector<4xi64> to vector<4xf32>
        loop.store %s, %y[%i * 4] : memref<16xi64>, vector<4xi64>
        loop.store %f, %z[%i * 4] : memref<16xf32>, vector<4xf32>
      }}
      func.return
    }}"""
    ctx = new_context()
    module = Parser(ctx, text).parse_module()
    results: list[tuple[np.ndarray, np.ndarray]] = []
    for _ in range(2):
        (function,) = module.ops
        assert isinstance(function, FuncOp)
        y, z = np.zeros(16, np.int64), np.zeros(16, np.float32)
        run_function(function, y, z)
        results.append((y, z))
        NarrowIndices().apply(ctx, module)
        verify_module(module)
    numbers = np.arange(16) + most - 15
    np.testing.assert_array_equal(results[0][0], np.where(numbers < most - 6, numbers, numbers - 4))
    for wide, narrow in zip(*results, strict=True):
        np.testing.assert_array_equal(wide, narrow)
    assert ("arith.addi" in str(module) and "vector<4xi32>" in str(module)) == is_narrow


def test_an_access_outside_of_its_buffer_is_refused() -> None:
    text = """func.func @f(%x: memref<8xf32>, %y: memref<9xf32>) {
      loop.for %i = 0 to 9 {
        %a = loop.load %x[%i] : memref<8xf32>, f32
        loop.store %a, %y[%i] : memref<9xf32>, f32
      }
      func.return
    }"""
    ctx = new_context()
    with pytest.raises(OutsideBuffer, match="dimension 0 of %x"):
        CheckBounds().apply(ctx, Parser(ctx, text).parse_module())
    inside = Parser(ctx, text.replace("8xf32", "9xf32")).parse_module()
    before = str(inside)
    CheckBounds().apply(ctx, inside)
    assert str(inside) == before
