"""Stages of main: each packed.bind makes a computed size known, and the run goes on."""

from __future__ import annotations

import ctypes
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

import tilewright
from tilewright.dialects.packed import check_stages
from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.interp import packed
from tilewright.passes.packed.plan_memory import PlanMemory
from tilewright.runtime.abi.constants import AllocateCFunction
from tilewright.runtime.errors import ArgumentError
from tilewright.support.diagnostics import LoweringError
from tilewright.support.entry import entry_of
from tilewright.support.registry import new_context

TWO_STAGES = """
!s = memref<?xf32, #te.dims<s>>
!a = memref<?xf32, #te.dims<v0>>
!b = memref<?xf32, #te.dims<v0 + v1>>
func.func @main(%x: !s, %y: !b, %sizes: memref<1xi64>) attributes {sizes = ["s", "v0", "v1"],
    tw.computed_sizes = ["v0", "v1"], tw.result_dims = [array<i64: 0>],
    tw.arg_dtypes = ["float32"], tw.result_dtypes = ["float32", "int64"]} {
  %n = packed.alloc : memref<i64>
  packed.extern "tests.count"(%x, %n) with [#builtin.int<0>, #builtin.int<1>]
      of ["float32", "int64"] from #builtin.int<1> : (!s, memref<i64>) -> ()
  packed.bind %n as <v0> : memref<i64>
  %a = packed.alloc : !a
  packed.call @ones(%a) sizes [v0] : (!a) -> ()
  %m = packed.alloc : memref<i64>
  packed.extern "tests.count"(%a, %m) with [#builtin.int<0>, #builtin.int<1>]
      of ["float32", "int64"] from #builtin.int<1> : (!a, memref<i64>) -> ()
  packed.bind %m as <v1> : memref<i64>
  %b = packed.alloc : !b
  packed.call @ones(%b) sizes [v0 + v1] : (!b) -> ()
  packed.call @join(%x, %a, %b, %y, %sizes) sizes [s, v0, v0 + v1]
      : (!s, !a, !b, !b, memref<1xi64>) -> ()
  func.return
}
te.kernel @ones(%a: memref<?xf32, #te.dims<n>>) attributes {sizes = ["n"]} {
  te.compute @one [i: n] outs(%a[i] : memref<?xf32, #te.dims<n>>) body() {
    %one = arith.constant 1.0 : f32
    te.yield %one : f32
  }
  te.return
}
te.kernel @join(%x: memref<?xf32, #te.dims<s>>, %a: memref<?xf32, #te.dims<v>>,
    %b: memref<?xf32, #te.dims<w>>, %y: memref<?xf32, #te.dims<w>>, %sizes: memref<1xi64>)
    attributes {sizes = ["s", "v", "w"]} {
  te.compute @sum [i: w] ins(%b[i] : memref<?xf32, #te.dims<w>>)
      outs(%y[i] : memref<?xf32, #te.dims<w>>) body(%v: f32) {
    %w = arith.addf %v, %v : f32
    te.yield %w : f32
  }
  te.compute @size [i: 1] ins(%x[0] : memref<?xf32, #te.dims<s>>) outs(%sizes[i] : memref<1xi64>)
      body(%v: f32) {
    %n = arith.fptosi %v : f32 to i64
    %three = arith.constant 3 : i64
    %m = arith.addi %n, %three : i64
    te.yield %m : i64
  }
  te.return
}
"""


@pytest.fixture
def calls() -> list[float]:
    """Register the function that computes the sizes: the first element plus 1; note its calls."""
    noted: list[float] = []

    def count(x: object, n: object) -> None:
        noted.append(float(np.asarray(x)[0]))
        np.asarray(n)[...] = noted[-1] + 1

    tilewright.register_func("tests.count", count, override=True)
    return noted


def compiled() -> CompiledModule:
    module = tilewright.compile_module(TWO_STAGES, cache=False)
    assert isinstance(module, CompiledModule)
    return module


def test_work_before_a_size_runs_once(calls: list[float]) -> None:
    module = compiled()
    for first in (4, 100, 4, 0, 2000):
        x = np.full(3, first, np.float32)
        np.testing.assert_array_equal(module(x), np.full(first + 3, 2, np.float32))
        assert calls == [first, 1]
        calls.clear()


def test_the_planned_program_means_the_same_in_the_interpreter(calls: list[float]) -> None:
    module = Parser(new_context(), TWO_STAGES).parse_module()
    PlanMemory().apply(Context(), module)
    text = str(module)
    assert text.index("packed.bind %n") < text.index("%a = packed.alloc at 0")
    assert text.index("packed.bind %m") < text.index("%b = packed.alloc at 0")
    functions = {"tests.count": tilewright.get_global_func("tests.count")}
    (y,) = packed.run(module, np.full(3, 5, np.float32), functions=functions)
    np.testing.assert_array_equal(y, np.full(8, 2, np.float32))
    assert calls == [5, 1]


def test_calls_of_several_threads_have_their_own_blocks(calls: list[float]) -> None:
    module = compiled()

    def run(first: int) -> bool:
        y = np.asarray(module(np.full(3, first, np.float32)))
        return y.shape == (first + 3,) and bool((y == 2).all())

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(run, [n * 37 % 1000 for n in range(200)]))


def test_a_negative_size_is_an_error(calls: list[float]) -> None:
    module = compiled()
    with pytest.raises(ArgumentError, match=r"expected: v0 in 0\.\..*\n *got: -1"):
        module(np.full(3, -2, np.float32))
    with pytest.raises(ArgumentError, match=f"got: {2**50 + 1}"):
        module(np.full(3, 2**50, np.float32))
    assert np.asarray(module(np.full(3, 1, np.float32))).shape == (4,)


def test_the_caller_of_the_library_allocates_outputs(calls: list[float]) -> None:
    """The C interface, with a function that gives no memory for a large output."""
    module, memory = compiled(), np.zeros(64, np.float32)
    shapes: list[int] = []

    def allocate(_context: int | None, output: int, shape: ctypes.Array[ctypes.c_int64]) -> int:
        if output == 0:
            shapes.append(shape[0])
            return memory.ctypes.data if shape[0] <= 64 else 0
        return memory[32:].ctypes.data

    function = AllocateCFunction(allocate)
    main = module._library
    run = tilewright.PackedFunc.of_library(main, "__tw_main_allocating", "main")
    pointer = ctypes.cast(function, ctypes.c_void_p)
    run(1, pointer, ctypes.c_void_p(1), np.full(3, 7, np.float32))
    assert shapes == [10]
    np.testing.assert_array_equal(memory[:10], 2)
    with pytest.raises(MemoryError, match="no memory for an output"):
        run(1, pointer, ctypes.c_void_p(1), np.full(3, 70, np.float32))
    with pytest.raises(ArgumentError, match="no function allocates the outputs"):
        run(1, np.full(3, 70, np.float32))


def test_an_op_in_front_of_its_size_is_an_error() -> None:
    text = TWO_STAGES.replace("  %a = packed.alloc : !a\n", "", 1)
    text = text.replace("  packed.bind %n", "  %a = packed.alloc : !a\n  packed.bind %n", 1)
    module: ModuleOp = Parser(new_context(), text).parse_module()
    with pytest.raises(LoweringError, match="uses a size before main computes it"):
        check_stages(entry_of(module))
