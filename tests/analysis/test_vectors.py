"""Kernels of symbolic sizes without vectors: refused, unless they are a small part of a program."""

from __future__ import annotations

import pytest
from xdsl.parser import Parser

from tilewright.analysis.vectors import check_vectors
from tilewright.driver.backends import target_of
from tilewright.support.diagnostics import SymbolicSize
from tilewright.support.registry import new_context

TURN = """
te.kernel @turn(%x: memref<?x?xf32, #te.dims<a, c>>, %y: memref<?x?xf32, #te.dims<c, a>>)
    attributes {sizes = ["a", "c"]} {
  te.compute @turn [i: c, j: a] ins(%x[j, i] : memref<?x?xf32, #te.dims<a, c>>)
      outs(%y[i, j] : memref<?x?xf32, #te.dims<c, a>>) body(%e: f32) { te.yield %e : f32 }
  te.return
}
sched.script @turn { SCRIPT }
"""
PRODUCT = """
te.kernel @mm(%a: memref<?xDEPTHxf32, #te.dims<m, DEPTH>>, %b: memref<DEPTHx64xf32>,
              %c: memref<?x64xf32, #te.dims<m, 64>>) attributes {sizes = ["m"]} {
  te.compute @mm [i: m, j: 64, k: DEPTH red]
      ins(%a[i, k] : memref<?xDEPTHxf32, #te.dims<m, DEPTH>>, %b[k, j] : memref<DEPTHx64xf32>)
      outs(%c[i, j] add 0.0 : f32 : memref<?x64xf32, #te.dims<m, 64>>) body(%x: f32, %y: f32) {
    %p = arith.mulf %x, %y : f32
    te.yield %p : f32
  }
  te.return
}
sched.script @mm {
  %0 = sched.match {name = mm}
  %1 = sched.vectorize %0 {axis = j, lanes = 8}
}
"""
MAIN = """
func.func @main(%x: memref<?x?xf32, #te.dims<s, s>>, %y: memref<?x?xf32, #te.dims<s, s>>,
    %a: memref<?xDEPTHxf32, #te.dims<s, DEPTH>>, %b: memref<DEPTHx64xf32>,
    %c: memref<?x64xf32, #te.dims<s, 64>>) attributes {sizes = ["s"]} {
  packed.call @turn(%x, %y) sizes [s, s]
      : (memref<?x?xf32, #te.dims<s, s>>, memref<?x?xf32, #te.dims<s, s>>) -> ()
  packed.call @mm(%a, %b, %c) sizes [s] : (memref<?xDEPTHxf32, #te.dims<s, DEPTH>>,
      memref<DEPTHx64xf32>, memref<?x64xf32, #te.dims<s, 64>>) -> ()
  func.return
}
"""
VECTORS = "%0 = sched.match {name = turn} %1 = sched.vectorize %0 {axis = j, lanes = 8}"


def check(script: str, depth: int) -> None:
    text = TURN.replace("SCRIPT", script) + (PRODUCT + MAIN).replace("DEPTH", str(depth))
    module = Parser(new_context(), text).parse_module()
    check_vectors(module, target_of("llvm -mcpu=x86-64-v3"))


def test_a_kernel_without_vectors_is_refused_by_its_part_of_the_cycles() -> None:
    with pytest.raises(SymbolicSize, match="no plan handles a kernel of symbolic sizes") as refused:
        check("", 64)
    assert "@turn [i: c, j: a]" in str(refused.value)
    check("", 1 << 16)  # the product takes a hundred times as long
    check(VECTORS, 64)


@pytest.mark.parametrize(("axes", "legal"), [("i: a, j: c scan", True), ("i: a scan, j: c", False)])
def test_only_prefix_sums_along_rows_may_do_without_vectors(axes: str, legal: bool) -> None:
    text = f"""
te.kernel @sums(%x: memref<?x?xf32, #te.dims<a, c>>, %y: memref<?x?xf32, #te.dims<a, c>>)
    attributes {{sizes = ["a", "c"]}} {{
  te.compute @sums [{axes}] ins(%x[i, j] : memref<?x?xf32, #te.dims<a, c>>)
      outs(%y[i, j] add 0.0 : f32 : memref<?x?xf32, #te.dims<a, c>>)
      body(%e: f32) {{ te.yield %e : f32 }}
  te.return
}}
func.func @main(%x: memref<?x?xf32, #te.dims<a, c>>, %y: memref<?x?xf32, #te.dims<a, c>>)
    attributes {{sizes = ["a", "c"]}} {{
  packed.call @sums(%x, %y) sizes [a, c]
      : (memref<?x?xf32, #te.dims<a, c>>, memref<?x?xf32, #te.dims<a, c>>) -> ()
  func.return
}}"""
    module = Parser(new_context(), text).parse_module()
    target = target_of("llvm -mcpu=x86-64-v3")
    if legal:
        check_vectors(module, target)
        return
    with pytest.raises(SymbolicSize):
        check_vectors(module, target)
