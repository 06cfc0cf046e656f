"""The tasks of kernels at the loop level: their number, and the work of each."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright.lowering.loop_to_llvm import emit_kernel, kernel_info
from tilewright.support.diagnostics import LoweringError

from .native import HOST, Kernel, only_function


def random(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


RAGGED = """
func.func @k(%x: memref<10x4xf32>, %y: memref<10x4xf32>) {
  loop.for parallel %i = 0 to 2 {
    loop.for parallel %j = 1 to 3 {
      loop.for %r = 0 to 4 {
        %v = loop.load %x[%i * 4 + %r, %j] : memref<10x4xf32>, f32
        loop.store %v, %y[%i * 4 + %r, %j] : memref<10x4xf32>, f32
      }
    }
  }
  loop.for %i = 8 to 10 {
    %v = loop.load %x[%i, 0] : memref<10x4xf32>, vector<4xf32>
    loop.store %v, %y[%i, 0] : memref<10x4xf32>, vector<4xf32>
  }
  func.return
}"""


def test_top_level_statements_concatenate_into_one_task_space():
    kernel = Kernel(RAGGED)
    assert kernel.info.tasks == 5
    x, y = random(10, 4), np.zeros((10, 4), np.float32)
    want = np.zeros_like(x)
    want[8:] = x[8:]
    kernel(x, y, tasks=[4])
    np.testing.assert_array_equal(y, want)
    want[4:8, 1] = x[4:8, 1]
    kernel(x, y, tasks=[2])
    np.testing.assert_array_equal(y, want)
    kernel(x, y)
    want[:8, 1:3] = x[:8, 1:3]
    np.testing.assert_array_equal(y, want)


NESTED = """
func.func @k(%x: memref<3x10x4xf32>, %y: memref<3x10x4xf32>) {
  loop.for parallel %h = 0 to 3 {
    loop.for parallel %i = 0 to 2 {
      %part = loop.alloc "local" : memref<4x4xf32>
      loop.for %r = 0 to 4 {
        %v = loop.load %x[%h, %i * 4 + %r, 0] : memref<3x10x4xf32>, vector<4xf32>
        loop.store %v, %part[%r, 0] : memref<4x4xf32>, vector<4xf32>
      }
      loop.for %r = 0 to 4 {
        %v = loop.load %part[%r, 0] : memref<4x4xf32>, vector<4xf32>
        loop.store %v, %y[%h, %i * 4 + %r, 0] : memref<3x10x4xf32>, vector<4xf32>
      }
    }
    loop.for %i = 8 to 10 {
      %v = loop.load %x[%h, %i, 0] : memref<3x10x4xf32>, vector<4xf32>
      loop.store %v, %y[%h, %i, 0] : memref<3x10x4xf32>, vector<4xf32>
    }
  }
  func.return
}"""


def test_independent_statements_in_an_iteration_are_tasks():
    kernel = Kernel(NESTED)
    assert kernel.info.tasks == 9
    x, y = random(3, 10, 4), np.zeros((3, 10, 4), np.float32)
    want = np.zeros_like(x)
    kernel(x, y, tasks=[4])
    want[1, 4:8] = x[1, 4:8]
    np.testing.assert_array_equal(y, want)
    kernel(x, y, tasks=[5])
    want[1, 8:] = x[1, 8:]
    np.testing.assert_array_equal(y, want)
    kernel(x, y)
    np.testing.assert_array_equal(y, x)


def test_dependent_statements_in_an_iteration_are_one_task():
    dependent = NESTED.replace("%v = loop.load %x[%h, %i, 0]", "%v = loop.load %y[%h, %i - 8, 0]")
    kernel = Kernel(dependent)
    assert kernel.info.tasks == 3
    x, y = random(3, 10, 4), np.zeros((3, 10, 4), np.float32)
    kernel(x, y)
    np.testing.assert_array_equal(y[:, :8], x[:, :8])
    np.testing.assert_array_equal(y[:, 8:], x[:, :2])


FILLED = """
func.func @k(%x: memref<3x4xf32>, %y: memref<5x6xf32>) {
  %one = arith.constant 1.0 : f32
  loop.for parallel %i = 0 to 3 {
    loop.for %j = 0 to 4 {
      %v = loop.load %x[%i, %j] : memref<3x4xf32>, f32
      loop.store %v, %y[%i + 1, %j + 1] : memref<5x6xf32>, f32
    }
  }
  loop.for parallel %i = 0 to 5 {
    loop.store %one, %y[%i, 0] : memref<5x6xf32>, f32
    loop.store %one, %y[%i, 5] : memref<5x6xf32>, f32
  }
  loop.for parallel %j = 1 to 5 {
    loop.store %one, %y[0, %j] : memref<5x6xf32>, f32
  }
  loop.for parallel %j = 1 to 5 {
    loop.store %one, %y[4, %j] : memref<5x6xf32>, f32
  }
  func.return
}"""


def test_tasks_share_the_iterations_of_loops_that_only_store():
    kernel = Kernel(FILLED)
    assert kernel.info.tasks == 3
    x, whole = random(3, 4), np.ones((5, 6), np.float32)
    whole[1:4, 1:5] = x
    parts = np.zeros((3, 5, 6), np.float32)
    for task, part in enumerate(parts):
        kernel(x, part, tasks=[task])
    assert [int((part == 1).sum()) for part in parts] == [4, 6, 8]
    np.testing.assert_array_equal(parts.sum(axis=0), whole)


def test_loops_that_only_store_are_tasks_if_there_are_no_others():
    text = FILLED.replace("%v = loop.load %x[%i, %j] : memref<3x4xf32>, f32", "")
    assert kernel_info(only_function(text.replace("store %v", "store %one"))).tasks == 3 + 5 + 4 + 4


def test_a_body_without_parallel_loop_is_one_task():
    assert kernel_info(only_function(RAGGED.replace("parallel ", ""))).tasks == 1


def test_dependent_top_level_statements_are_refused():
    text = RAGGED.replace("%i = 8 to 10", "%i = 7 to 10")
    with pytest.raises(LoweringError, match="must be independent") as caught:
        emit_kernel(only_function(text), HOST)
    assert caught.value.got == "writes %y at ((7, 9), (0, 3)), which another statement also uses"
    assert "loop-split-phases" in caught.value.hint


BLOCKED = """
func.func @blocked(%y: memref<3x5x4xf32>) {
  %zero = arith.constant 0.0 : f32
  loop.for parallel %i = 0 to 5 {
    loop.for %j = 0 to 2 {
      loop.store %zero, %y[(%i * 2 + %j) floordiv 4, 0, (%i * 2 + %j) mod 4]
        : memref<3x5x4xf32>, f32
    }
  }
  loop.for %j = 10 to 12 {
    loop.store %zero, %y[%j floordiv 4, 0, %j mod 4] : memref<3x5x4xf32>, f32
  }
  func.return
}"""


def test_statements_may_share_a_block_of_a_blocked_axis():
    assert kernel_info(only_function(BLOCKED)).tasks == 6
    emit_kernel(only_function(BLOCKED), HOST)
    with pytest.raises(LoweringError, match="must be independent"):
        emit_kernel(only_function(BLOCKED.replace("10 to 12", "9 to 12")), HOST)


TOTAL = """
func.func @k(%x: memref<8xf32>, %s: memref<1xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %total = loop.for %i = 0 to 8 iter_args(%r = %zero : f32) {
    %v = loop.load %x[%i] : memref<8xf32>, f32
    %t = arith.addf %r, %v : f32
    loop.yield %t : f32
  }
  loop.store %total, %s[0] : memref<1xf32>, f32
  loop.for parallel %i = 0 to 8 {
    %v = loop.load %x[%i] : memref<8xf32>, f32
    loop.store %v, %y[%i] : memref<8xf32>, f32
  }
  func.return
}"""


def test_a_task_has_what_its_store_needs():
    kernel = Kernel(TOTAL)
    assert kernel.info.tasks == 9
    x, s, y = random(8), np.zeros(1, np.float32), np.zeros(8, np.float32)
    kernel(x, s, y, tasks=[0])
    np.testing.assert_allclose(s, [x.sum()], rtol=1e-6)
    assert not y.any()
    kernel(x, s, y)
    np.testing.assert_array_equal(y, x)
