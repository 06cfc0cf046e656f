"""The instructions that benchmarks count for functions, compared with the PTX of a kernel."""

from __future__ import annotations

import re

import pytest
from xdsl.parser import Parser

from harness.gpu_issues import MATH
from tilewright.codegen.ptx import emit_ptx
from tilewright.lowering.simt_to_llvm import emit_module
from tilewright.machines.target import Target
from tilewright.support.entry import kernel_functions
from tilewright.support.registry import new_context

KERNEL = """
func.func @k(%x: memref<64xf32>, %y: memref<64xf32>)
    attributes {{tw.launch = #simt.launch<grid [2], block [32], shared 0>}} {{
  %b = simt.block_id x below 2
  %t = simt.thread_id x below 32
  %v = loop.load %x[%b * 32 + %t] : memref<64xf32>, f32
  {op}
  loop.store %w, %y[%b * 32 + %t] : memref<64xf32>, f32
  func.return
}}
"""
TARGET = Target("cuda -arch=sm_80")
INSTRUCTION = re.compile(r"^\t(?:@!?%p\d+ )?([a-z][\w.]*) .*;$", re.MULTILINE)
ROUNDED = re.compile(r"(div|rcp|sqrt)\.rn\.")
"""Instructions of PTX that the assembler expands."""


def instructions(op: str) -> int:
    """Return the instructions of a kernel, with those of a root for each rounded one."""
    module = Parser(new_context(), KERNEL.format(op=op)).parse_module()
    kernels = [("k", kernel) for kernel in kernel_functions(module)]
    found = INSTRUCTION.findall(emit_ptx(emit_module(kernels, TARGET), "sm_80"))
    return sum(MATH["math.sqrt"] if ROUNDED.match(name) else 1 for name in found)


@pytest.mark.parametrize("name", MATH)
def test_a_function_has_about_the_instructions_of_its_ptx(name: str) -> None:
    operands = "%u, %v" if name.startswith("arith.") else "%u"
    alone = instructions("%w = arith.addf %v, %v : f32")
    made = instructions(f"%u = arith.addf %v, %v : f32\n  %w = {name} {operands} : f32")
    # Some instructions of PTX are part of another one in the assembled code.
    assert MATH[name] <= made - alone <= 1.25 * MATH[name]
