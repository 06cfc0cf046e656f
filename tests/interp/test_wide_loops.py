"""Loops whose iterations run at once: which do, and that results are those of one by one."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser

from tilewright.dialects import loop
from tilewright.interp import simt
from tilewright.interp.memory import Array
from tilewright.interp.simt import Race, run_kernel
from tilewright.interp.wide_loops import wide_loop
from tilewright.support.diagnostics import TilewrightError
from tilewright.support.registry import new_context

KERNEL = """
func.func @k(%x: memref<8x5xf32>, %y: memref<4x2xf32>)
    attributes {{tw.launch = #simt.launch<grid [1], block [4], shared 0>}} {{
  %t = simt.thread_id x below 4
  %zero = arith.constant 0.1 : f32
  %zeros = loop.broadcast %zero : f32 to vector<2xf32>
  {body}
  func.return
}}
"""
BODIES = {
    "products of vectors": """
      %sum = loop.for %k = 0 to 8 iter_args(%acc = %zeros : vector<2xf32>) {
        %a = loop.load %x[%k, %t] : memref<8x5xf32>, vector<2xf32>
        %b = loop.load %x[7, %k floordiv 2] : memref<8x5xf32>, f32
        %c = loop.broadcast %b : f32 to vector<2xf32>
        %n = math.fma %a, %c, %acc : vector<2xf32>
        loop.yield %n : vector<2xf32>
      }
      loop.store %sum, %y[%t, 0] : memref<4x2xf32>, vector<2xf32>""",
    "two sums and a chain": """
      %s, %p = loop.for %k = 0 to 8 iter_args(%a = %zero, %b = %zero : f32, f32) {
        %v = loop.load %x[%k, %t + 1] : memref<8x5xf32>, f32
        %n = math.fma %v, %v, %a : f32
        %m = arith.maximumf %b, %n : f32
        loop.yield %n, %m : f32, f32
      }
      loop.store %s, %y[%t, 0] : memref<4x2xf32>, f32
      loop.store %p, %y[%t, 1] : memref<4x2xf32>, f32""",
    "padded loads, and a loop inside": """
      loop.for %i = 0 to 2 {
        %s = loop.for %k = 0 to 7 iter_args(%a = %zero : f32) {
          %v = loop.load %x[%k + %i * 3 - 2, %t + %i - 1] pad 0.5 : memref<8x5xf32>, f32
          %n = math.fma %v, %v, %a : f32
          loop.yield %n : f32
        }
        loop.store %s, %y[%t, %i] : memref<4x2xf32>, f32
      }""",
    "the last store stays": """
      loop.for %i = 0 to 5 {
        %v = loop.load %x[%i, %t] : memref<8x5xf32>, f32
        loop.store %v, %y[%t, %i mod 2] : memref<4x2xf32>, f32
      }""",
}


def kernel(body: str) -> FuncOp:
    (function,) = Parser(new_context(), KERNEL.format(body=body)).parse_module().ops
    assert isinstance(function, FuncOp)
    return function


def run(body: str) -> Array:
    y = np.zeros((4, 2), np.float32)
    x = np.random.default_rng(0).standard_normal((8, 5)).astype(np.float32)
    run_kernel(kernel(body), x, y)
    return y


@pytest.mark.parametrize("name", BODIES)
def test_results_equal_those_of_iterations_one_by_one(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    outer = next(op for op in kernel(BODIES[name]).walk() if isinstance(op, loop.ForOp))
    assert wide_loop(outer) is not None
    at_once = run(BODIES[name])
    monkeypatch.setattr(simt, "wide_loop", lambda op: None)
    np.testing.assert_array_equal(at_once, run(BODIES[name]))
    assert len(np.unique(at_once[:, 0])) == len(at_once)


def test_a_loop_that_loads_what_it_stores_runs_one_by_one() -> None:
    body = """
      loop.for %i = 0 to 3 {
        %v = loop.load %y[%t, 0] : memref<4x2xf32>, f32
        %w = arith.addf %v, %zero : f32
        loop.store %w, %y[%t, 0] : memref<4x2xf32>, f32
      }"""
    outer = next(op for op in kernel(body).walk() if isinstance(op, loop.ForOp))
    assert wide_loop(outer) is None
    np.testing.assert_allclose(run(body)[:, 0], 0.3, 1e-6)


def test_races_and_accesses_outside_are_seen_in_all_iterations() -> None:
    body = """
      loop.for %i = 0 to 2 {
        %v = loop.load %x[%i, %t] : memref<8x5xf32>, f32
        loop.store %v, %y[%t floordiv 2 + %i, 0] : memref<4x2xf32>, f32
      }"""
    with pytest.raises(Race, match="writes %y"):
        run(body)
    outside = body.replace("%x[%i, %t]", "%x[%i * 8, %t]").replace("%t floordiv 2 + %i", "%t")
    with pytest.raises(TilewrightError, match=r"access outside of %x(.|\n)*\[8, 0\] in thread 0"):
        run(outside)
