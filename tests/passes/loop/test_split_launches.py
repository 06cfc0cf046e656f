"""loop-split-launches: every loop bound to blocks has its own kernel, with the same results."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tilewright.analysis.verify import verify_module
from tilewright.dialects.packed import AllocOp
from tilewright.interp import packed
from tilewright.machines.target import Target
from tilewright.passes.loop.split_launches import SplitLaunches
from tilewright.support.entry import kernel_functions
from tilewright.support.registry import new_context

from ..te.ir import parse

EXAMPLE = Path(__file__).parents[3] / "docs/reference/examples/loop-split-launches.mlir"
SERIAL = """
func.func @k(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>) {
  loop.for %i = 0 to 8 {
    %a = loop.load %x[%i] : memref<8xf32>, f32
    loop.store %a, %y[%i] : memref<8xf32>, f32
  }
  %a = loop.load %x[0] : memref<8xf32>, f32
  loop.store %a, %z[0] : memref<8xf32>, f32
BOUND}
  func.return
}
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>) {
  packed.call @k(%x, %y, %z) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
  func.return
}
"""
BOUND = """  loop.for bind blockIdx.x %i = 1 to 8 {
    %b = loop.load %x[%i] : memref<8xf32>, f32
    loop.store %b, %z[%i] : memref<8xf32>, f32
  }"""


def split(text: str) -> tuple[object, list[str]]:
    module = parse(text)
    SplitLaunches(Target("x86-64-v3")).apply(new_context(), module)
    verify_module(module)
    return module, [f.sym_name.data for f in kernel_functions(module)]


def test_a_buffer_of_two_launches_moves_to_main() -> None:
    text = EXAMPLE.read_text()
    module, names = split(text)
    assert names == ["add_rows_phase0", "add_rows_phase1"]
    assert sum(isinstance(op, AllocOp) for op in module.walk()) == 1
    x = np.random.default_rng(0).standard_normal((64, 32), np.float32)
    expected, got = packed.run(parse(text), x), packed.run(module, x)
    np.testing.assert_array_equal(got, expected)


def test_statements_without_blocks_stay_together() -> None:
    assert split(SERIAL.replace("BOUND}", BOUND))[1] == ["k_phase0", "k_phase1"]
    assert split(SERIAL.replace("BOUND}", ""))[1] == ["k"]
