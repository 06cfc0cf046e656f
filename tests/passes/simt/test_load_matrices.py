"""simt.load_matrix and simt-load-matrices: what threads get, which operands fit, and errors."""

from __future__ import annotations

import re

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

from tilewright.analysis.bounds.positions import OutsideBuffer, verify_positions
from tilewright.analysis.verify import verify_module
from tilewright.codegen.ptx import assemble, emit_ptx
from tilewright.dialects.simt import LoadMatrixOp
from tilewright.interp.simt import Race, run_kernel
from tilewright.lowering.simt_to_llvm import emit_module
from tilewright.machines.target import Target
from tilewright.passes.simt.load_matrices import load_matrices
from tilewright.support.diagnostics import TilewrightError

from ...gpu_tools import needs_ptxas
from ..te.ir import parse

PITCHES = {"dense": 16, "padded": 24, "aligned": 40}


def product(pitch: int, order: str, step: int = 2) -> str:
    """Return a kernel of one warp that multiplies 16 x 16 by 16 x 8 elements in shared memory.

    order: rows, if the right operand is stored by rows, else columns.  step: the distance of the
    columns of a fragment's pairs.
    """
    left = [
        f"%a{r} = loop.load %s[%t floordiv 4 + {r // 2 % 2 * 8}, "
        f"(%t mod 4) * {step} + {r % 2 + r // 4 * 8}] : memref<16x{pitch}xf16>, f16"
        for r in range(8)
    ]
    right: list[str] = []
    for r in range(4):
        k, n = f"(%t mod 4) * 2 + {r % 2 + r // 2 * 8}", "%t floordiv 4"
        place = f"{k}, {n}" if order == "rows" else f"{n}, {k}"
        right.append(f"%b{r} = loop.load %u[{place}] : memref<16x{pitch}xf16>, f16")
    copies = "\n".join(
        f"""  loop.for %i{name} = 0 to 8 {{
    %v{name} = loop.load %{name}[%i{name} * 2 + %t floordiv 16, %t mod 16] : memref<16x16xf16>, f16
    loop.store %v{name}, %{to}[%i{name} * 2 + %t floordiv 16, %t mod 16] : {memory}, f16
  }}"""
        for name, to, memory in (("a", "s", f"memref<16x{pitch}xf16>"),
                                 ("b", "u", f"memref<16x{pitch}xf16>"))
    )  # fmt: skip
    lines = "\n  ".join([*left, *right])
    lhs, rhs = (", ".join(f"%{name}{r}" for r in range(n)) for name, n in (("a", 8), ("b", 4)))
    stores = "\n".join(
        f"  %d{r} = loop.extract %d {r} : vector<4xf32>\n"
        f"  loop.store %d{r}, %c[%t floordiv 4 + {r // 2 * 8}, (%t mod 4) * 2 + {r % 2}]"
        " : memref<16x8xf32>, f32"
        for r in range(4)
    )
    return f"""
func.func @mm(%a: memref<16x16xf16>, %b: memref<16x16xf16>, %c: memref<16x8xf32>) attributes
    {{tw.launch = #simt.launch<grid [1], block [32], shared {64 * pitch}>}} {{
  %t = simt.thread_id x below 32
  %s = loop.alloc "shared" : memref<16x{pitch}xf16>
  %u = loop.alloc "shared" : memref<16x{pitch}xf16>
{copies}
  simt.barrier shared
  {lines}
  %lhs = loop.pack {lhs} : {", ".join(["f16"] * 8)} to vector<8xf16>
  %rhs = loop.pack {rhs} : {", ".join(["f16"] * 4)} to vector<4xf16>
  %z = arith.constant dense<0.0> : vector<4xf32>
  %d = simt.mma %lhs, %rhs, %z : vector<8xf16>, vector<4xf16>, vector<4xf32> -> vector<4xf32>
{stores}
  func.return
}}
"""


def kernel(pitch: int, order: str, step: int = 2) -> FuncOp:
    module = parse(product(pitch, order, step))
    (function,) = module.ops
    assert isinstance(function, FuncOp)
    verify_module(module)
    load_matrices(function)
    verify_module(module)
    verify_positions(module)
    return function


def loads(function: FuncOp) -> list[LoadMatrixOp]:
    return [op for op in function.walk() if isinstance(op, LoadMatrixOp)]


@pytest.mark.parametrize("order", ["rows", "columns"])
@pytest.mark.parametrize("pitch", PITCHES.values(), ids=PITCHES)
def test_operands_are_loaded_by_matrices(pitch: int, order: str) -> None:
    function = kernel(pitch, order)
    left, right = loads(function)
    assert (left.matrices, right.matrices) == (4, 2)
    assert [bool(op.transposed) for op in (left, right)] == [False, order == "rows"]
    a, b = (np.random.default_rng(n).standard_normal((16, 16)).astype(np.float16) for n in (0, 1))
    c = np.full((16, 8), np.nan, np.float32)
    run_kernel(function, a, b, c)
    exact = (a.astype(np.float64) @ (b if order == "rows" else b.T).astype(np.float64))[:, :8]
    np.testing.assert_allclose(c, exact, rtol=1e-5, atol=1e-5)
    again = parse(str(function))
    assert str(again.body.block.first_op) == str(function)


@pytest.mark.parametrize("pitch", [17, 20])
def test_rows_begin_at_multiples_of_16_bytes(pitch: int) -> None:
    assert not loads(kernel(pitch, "rows"))


def test_pairs_that_are_no_rows_are_loaded_by_elements() -> None:
    (right,) = loads(kernel(16, "rows", step=1))
    assert right.matrices == 2


def test_a_race_with_a_load_of_matrices_is_found() -> None:
    function = kernel(16, "rows")
    next(op for op in function.walk() if op.name == "simt.barrier").detach()
    a, c = np.ones((16, 16), np.float16), np.zeros((16, 8), np.float32)
    with pytest.raises(Race, match="reads"):
        run_kernel(function, a, a, c)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"shared"', '"local"', "matrices are loaded from shared memory"),
        ("vector<8xf16>\n", "vector<6xf16>\n", "a warp loads no such matrices"),
        ("block [32]", "block [48]", "no whole warps"),
    ],
    ids=["memory", "vector", "warps"],
)
def test_wrong_loads_are_refused(old: str, new: str, message: str) -> None:
    text = LOAD.replace(old, new)
    if "48" in new:
        text = text.replace("below 32", "below 48")
    with pytest.raises(TilewrightError, match=re.compile(message)):
        verify_module(parse(text))


def test_the_rows_lie_inside() -> None:
    with pytest.raises(OutsideBuffer):
        verify_positions(parse(LOAD.replace("%t floordiv 16 * 8", "%t floordiv 16 * 9")))


LOAD = """
func.func @k(%c: memref<16x16xf16>) attributes {
    tw.launch = #simt.launch<grid [1], block [32], shared 512>} {
  %t = simt.thread_id x below 32
  %s = loop.alloc "shared" : memref<16x16xf16>
  %v = simt.load_matrix %s[%t mod 16, %t floordiv 16 * 8] : memref<16x16xf16>, vector<8xf16>
  func.return
}
"""


@pytest.mark.parametrize("order", ["rows", "columns"])
@pytest.mark.parametrize("architecture", ["sm_80", "sm_90a", "sm_100", "sm_120"])
@needs_ptxas
def test_ptxas_takes_the_loads(architecture: str, order: str) -> None:
    function = kernel(24, order)
    target = Target(f"cuda -arch={architecture}")
    text = emit_ptx(emit_module([("mm", function)], target), architecture)
    assert "ldmatrix.sync.aligned.m8n8.x4.shared.b16" in text
    assert ("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16" in text) == (order == "rows")
    (used,) = assemble(text, architecture).values()
    assert used.spill_bytes == 0
