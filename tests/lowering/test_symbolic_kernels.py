"""Kernels of symbolic sizes: interpreted, lowered to loops and to machine code, at many sizes."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from tilewright.analysis.bounds.positions import verify_positions
from tilewright.dialects.loop import ForOp
from tilewright.dialects.te import kernels_of
from tilewright.interp.loop import run_function
from tilewright.interp.te import run_kernel
from tilewright.lowering.te_to_loop.te_to_loop import lower_kernel
from tilewright.passes.schedule.apply_schedule import ApplySchedule
from tilewright.support.registry import new_context
from tilewright.testing.guard import guarded

from .native import Kernel, parse

MATMUL = """
te.kernel @mm(%a: memref<?x?xf32, #te.dims<m, k>>, %b: memref<?x24xf32, #te.dims<k, 24>>,
              %c: memref<?x24xf32, #te.dims<m, 24>>) attributes {sizes = ["m", "k"]} {
  te.compute @mm [i: m, j: 24, k: k red]
      ins(%a[i, k] : memref<?x?xf32, #te.dims<m, k>>, %b[k, j] : memref<?x24xf32, #te.dims<k, 24>>)
      outs(%c[i, j] add 0.0 : f32 : memref<?x24xf32, #te.dims<m, 24>>)TILE
      body(%x: f32, %y: f32) {
    %p = arith.mulf %x, %y : f32
    te.yield %p : f32
  }
  te.return
}"""


def random(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


def lowered(text: str) -> tuple[ModuleOp, FuncOp]:
    """Return the module of one kernel after lowering to loops, proved."""
    module = parse(text)
    (kernel,) = kernels_of(module)
    function = lower_kernel(kernel)
    module.verify()
    verify_positions(module)
    return module, function


def again(module: ModuleOp) -> ModuleOp:
    """Return a module after printing and parsing; the text must be stable."""
    text = str(module)
    copy = parse(text)
    assert str(copy) == text
    return copy


@pytest.mark.parametrize("tile", ["", "\n      tile(vec = j, lanes = 8)"], ids=["scalar", "vector"])
@pytest.mark.parametrize(("m", "k"), [(1, 1), (2, 7), (13, 5), (64, 33)])
def test_a_product_of_symbolic_rows(m: int, k: int, tile: str) -> None:
    text = MATMUL.replace("TILE", tile)
    a, b = random(m, k), random(k, 24)
    expected = a.astype(np.float64) @ b
    module = again(parse(text))
    c = np.empty((m, 24), np.float32)
    run_kernel(kernels_of(module)[0], a, b, c)
    np.testing.assert_allclose(c, expected, atol=1e-5)
    module, function = lowered(text)
    c = np.empty((m, 24), np.float32)
    run_function(function, a, b, c)
    np.testing.assert_allclose(c, expected, atol=1e-5)
    again(module)
    kernel = Kernel(function)
    placed = [guarded(x) for x in (a, b, np.empty((m, 24), np.float32))]
    kernel(*placed, sizes={"m": m, "k": k})
    np.testing.assert_allclose(placed[-1], expected, atol=1e-5)


SCRIPT = """
sched.script @mm {
  %0 = sched.match {name = mm}
  %1, %2, %3 = sched.tile %0 {i = 6, j = 16}
  %4 = sched.parallel %2
  %5 = sched.vectorize %1 {axis = j, lanes = 8, k = 4}
}
"""
STATIC_K = (
    MATMUL.replace("TILE", "")
    .replace("<?x?xf32, #te.dims<m, k>>", "<?x32xf32, #te.dims<m, 32>>")
    .replace("<?x24xf32, #te.dims<k, 24>>", "<32x24xf32>")
    .replace("k: k red", "k: 32 red")
    .replace('["m", "k"]', '["m"]')
)


@pytest.mark.parametrize("m", [1, 2, 5, 6, 7, 12, 13, 64])
@pytest.mark.parametrize("sizes", ["i = 6, j = 16", "j = 16, i = 6, even = [i]"])
def test_tiles_of_symbolic_rows(m: int, sizes: str) -> None:
    module = parse(STATIC_K + SCRIPT.replace("i = 6, j = 16", sizes))
    ApplySchedule().apply(new_context(), module)
    again(module)
    a, b = random(m, 32), random(32, 24)
    expected = a.astype(np.float64) @ b
    c = np.empty((m, 24), np.float32)
    run_kernel(kernels_of(module)[0], a, b, c)
    np.testing.assert_allclose(c, expected, atol=1e-5)
    (kernel,) = kernels_of(module)
    function = lower_kernel(kernel)
    verify_positions(module)
    placed = [guarded(x) for x in (a, b, np.empty((m, 24), np.float32))]
    Kernel(function)(*placed, sizes={"m": m})
    np.testing.assert_allclose(placed[-1], expected, atol=1e-5)


SUMS = """
te.kernel @sums(%a: memref<?x?x?xf32, #te.dims<m, h, k>>, %c: memref<?xf32, #te.dims<m>>,
                %d: memref<?xf32, #te.dims<m>>) attributes {sizes = ["m", "h", "k"]} {
  te.compute @sums [i: m, h: h red, k: k red]
      ins(%a[i, h, k] : memref<?x?x?xf32, #te.dims<m, h, k>>)
      outs(%c[i] add 2.0 : f32 : memref<?xf32, #te.dims<m>>,
           %d[i] max -inf : f32 : memref<?xf32, #te.dims<m>>)
      tile(vec = k, lanes = 8, k = 2)
      body(%x: f32) {
    te.yield %x, %x : f32, f32
  }
  te.return
}"""


TURNED = """
te.kernel @t(%x: memref<?xKx8xf32, #te.dims<m, K, 8>>, %y: memref<?x8xKxf32, #te.dims<m, 8, K>>)
    attributes {sizes = ["m"]} {
  te.compute @t [i: m, j: 8, k: K]
      ins(%x[i, k, j] : memref<?xKx8xf32, #te.dims<m, K, 8>>)
      outs(%y[i, j, k] : memref<?x8xKxf32, #te.dims<m, 8, K>>)
      tile(vec = k, lanes = 8)
      body(%x: f32) {
    te.yield %x : f32
  }
  te.return
}"""


@pytest.mark.parametrize("m", [1, 2, 7])
@pytest.mark.parametrize("k", [3, 8])
def test_a_symbolic_axis_loops_around_squares(m: int, k: int) -> None:
    x, y = random(m, k, 8), np.empty((m, 8, k), np.float32)
    _, function = lowered(TURNED.replace("K", str(k)))
    placed = [guarded(each) for each in (x, y)]
    Kernel(function)(*placed, sizes={"m": m})
    np.testing.assert_array_equal(placed[1], x.transpose(0, 2, 1))


SHORT_SUM = """
te.kernel @sums(%a: memref<?x64xf32, #te.dims<m, 64>>, %c: memref<?xf32, #te.dims<m>>)
    attributes {sizes = ["m", "n"]} {
  te.compute @sums [i: m, k: mod(n, 64) red]
      ins(%a[i, k] : memref<?x64xf32, #te.dims<m, 64>>)
      outs(%c[i] add 2.0 : f32 : memref<?xf32, #te.dims<m>>)
      tile(vec = k, lanes = 8, k = 2)
      body(%x: f32) {
    te.yield %x : f32
  }
  te.return
}"""


@pytest.mark.parametrize("n", [64, 71, 80, 127])
def test_a_symbolic_sum_of_few_rounds_has_no_loop_over_blocks(n: int) -> None:
    a = random(3, 64)
    expected = 2 + a[:, : n % 64].astype(np.float64).sum(1)
    _, function = lowered(SHORT_SUM)
    rows, rounds, masked = (op for op in function.walk() if isinstance(op, ForOp))
    assert rounds.parent_op() is masked.parent_op() is rows
    placed = [guarded(x) for x in (a, np.empty(3, np.float32))]
    Kernel(function)(*placed, sizes={"m": 3, "n": n})
    np.testing.assert_allclose(placed[-1], expected, rtol=1e-5)


@pytest.mark.parametrize("k", [1, 7, 8, 9, 16, 24, 33, 3000])
@pytest.mark.parametrize("h", [1, 3])
def test_vectors_along_a_symbolic_reduction(h: int, k: int) -> None:
    a = random(2, h, k)
    expected = 2 + a.astype(np.float64).sum((1, 2)), a.max((1, 2))
    module, function = lowered(SUMS)
    results = np.empty(2, np.float32), np.empty(2, np.float32)
    run_function(function, a, *results)
    for got, want in zip(results, expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-4)
    again(module)
    placed = [guarded(x) for x in (a, *results)]
    Kernel(function)(*placed, sizes={"m": 2, "h": h, "k": k})
    for got, want in zip(placed[1:], expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-4)
