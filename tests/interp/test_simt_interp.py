"""The simt interpreter: masks, bounds per thread, and everything that it refuses."""

from __future__ import annotations

import re

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser

from tilewright.interp.memory import Array
from tilewright.interp.simt import Race, run_kernel
from tilewright.support.diagnostics import TilewrightError
from tilewright.support.registry import new_context

KERNEL = """
func.func @k(%x: memref<8xf32>, %y: memref<8xf32>)
    attributes {{tw.launch = #simt.launch<grid [{grid}], block [4], shared 0>}} {{
  %b = simt.block_id x below {grid}
  %t = simt.thread_id x below 4
  {body}
  func.return
}}
"""
READ = "loop.load %{}[{}] : memref<8xf32>, f32"
WRITE = "loop.store %{}, %{}[{}] : memref<8xf32>, f32"
X = np.arange(8, dtype=np.float32)


def run(body: str, grid: int = 1) -> Array:
    (function,) = Parser(new_context(), KERNEL.format(grid=grid, body=body)).parse_module().ops
    assert isinstance(function, FuncOp)
    y = np.zeros(8, np.float32)
    run_kernel(function, X.copy(), y)
    return y


def read(name: str, buffer: str, index: str) -> str:
    return f"%{name} = {READ.format(buffer, index)}"


def write(value: str, buffer: str, index: str) -> str:
    return WRITE.format(value, buffer, index)


def test_each_thread_runs_the_body() -> None:
    body = "\n".join([read("v", "x", "%b * 4 + %t"), write("v", "y", "%b * 4 + %t * -1 + 3")])
    np.testing.assert_array_equal(run(body, grid=2), [3, 2, 1, 0, 7, 6, 5, 4])


def test_a_branch_runs_for_some_threads() -> None:
    body = "\n".join(
        [
            "%c = loop.index [2] : index",
            '%i = loop.cmp "slt" %t, %c : index, index, i1',
            "loop.if %i {",
            read("v", "x", "%t + 1"),
            write("v", "y", "%t"),
            "}",
        ]
    )
    np.testing.assert_array_equal(run(body), [1, 2, 0, 0, 0, 0, 0, 0])


def test_loops_may_end_earlier_in_some_threads() -> None:
    body = "\n".join(
        [
            "%z = arith.constant 0.0 : f32",
            "%s = loop.for %i = 0 to %t iter_args(%a = %z : f32) {",
            read("v", "x", "%i + 1"),
            "%n = arith.addf %a, %v : f32",
            "loop.yield %n : f32",
            "}",
            write("s", "y", "%t"),
        ]
    )
    np.testing.assert_array_equal(run(body)[:4], [0, 1, 3, 6])


def test_vectors_have_lanes_in_every_thread() -> None:
    body = "\n".join(
        [
            "%v = loop.load %x[%t * 2] : memref<8xf32>, vector<2xf32>",
            "%e = loop.extract %v 1 : vector<2xf32>",
            "%p = loop.broadcast %e : f32 to vector<2xf32>",
            "%s = arith.addf %v, %p : vector<2xf32>",
            "loop.store %s, %y[%t * 2] : memref<8xf32>, vector<2xf32>",
        ]
    )
    np.testing.assert_array_equal(run(body), [1, 2, 5, 6, 9, 10, 13, 14])


SHARED = '%s = loop.alloc "shared" : memref<8xf32>'
LOCAL = '%s = loop.alloc "local" : memref<8xf32>'
REFUSED = {
    "outside": ([read("v", "x", "%t * 3")], "access outside of %x.*thread 3 of block"),
    "no value": ([SHARED, read("v", "s", "%t")], "without a value.*got: %s.0."),
    "no local value": ([LOCAL, read("v", "s", "%t")], "without a value"),
    "read after write": (
        [SHARED, read("v", "x", "%t"), write("v", "s", "%t"), write("v", "s", "%t + 4"),
         read("w", "s", "%t + 1")],
        "without a barrier.*thread 0 reads %s.1., which another one wrote",
    ),
    "two writers": (
        [SHARED, read("v", "x", "%t"), write("v", "s", "0")],
        "without a barrier.*which another one writes too",
    ),
    "write after read": (
        [read("v", "y", "%t"), write("v", "y", "%t * -1 + 3")],
        "without a barrier.*writes %y.3., which another one read",
    ),
    "other memory": (
        [read("v", "y", "%t"), "simt.barrier shared", write("v", "y", "%t * -1 + 3")],
        "without a barrier",
    ),
    "divergent": (
        [
            "%one = loop.index [1] : index",
            "loop.for %i = 0 to %t { simt.barrier shared }",
        ],
        "not all threads reach a barrier.*expected: 4 threads.*got: 3 of block",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_wrong_kernels_are_refused(name: str) -> None:
    body, message = REFUSED[name]
    with pytest.raises(TilewrightError, match=re.compile(message, re.DOTALL)):
        run("\n".join(body))


def test_a_barrier_orders_accesses() -> None:
    body = [SHARED, read("v", "x", "%t"), write("v", "s", "%t"), "simt.barrier shared"]
    body += [read("w", "s", "%t * -1 + 3"), write("w", "y", "%t")]
    np.testing.assert_array_equal(run("\n".join(body))[:4], [3, 2, 1, 0])
    body = [read("v", "y", "%t"), "simt.barrier global", write("v", "y", "%t * -1 + 3")]
    run("\n".join(body))


def test_blocks_do_not_exchange_data() -> None:
    body = "\n".join([read("v", "x", "%t"), write("v", "y", "%t")])
    with pytest.raises(Race, match="of another block"):
        run(body, grid=2)


SHUFFLE = """
func.func @k(%x: memref<64xf32>, %y: memref<64xf32>)
    attributes {{tw.launch = #simt.launch<grid [1], block [32, 2], shared 0>}} {{
  %t = simt.thread_id x below 32
  %r = simt.thread_id y below 2
  %v = loop.load %x[%r * 32 + %t] : memref<64xf32>, f32
  %e = loop.index [1] : index
  %c = loop.cmp "slt" %r, %e : index, index, i1
  loop.if %c {{
    loop.for %i = 0 to {end} {{
      %w = simt.shuffle xor {mask} %v : f32
      loop.store %w, %y[%r * 32 + %t] : memref<64xf32>, f32
    }}
  }}
  func.return
}}
"""


def exchange(mask: int, end: str = "1") -> Array:
    """Let the first of two warps exchange its values."""
    text = SHUFFLE.format(mask=mask, end=end)
    (function,) = Parser(new_context(), text).parse_module().ops
    assert isinstance(function, FuncOp)
    y = np.zeros(64, np.float32)
    run_kernel(function, np.arange(64, dtype=np.float32), y)
    return y


@pytest.mark.parametrize("mask", [1, 5, 16, 31])
def test_the_threads_of_a_warp_exchange_values(mask: int) -> None:
    np.testing.assert_array_equal(exchange(mask), [*(np.arange(32) ^ mask), *[0] * 32])


def test_a_shuffle_that_some_threads_of_a_warp_reach_is_refused() -> None:
    with pytest.raises(TilewrightError, match=r"(?s)not all threads of a warp.*got: 31 of warp 0"):
        exchange(1, end="%t")
