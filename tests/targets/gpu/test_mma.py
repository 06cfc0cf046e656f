"""simt.mma: the semantics of the matrix instruction, its errors, and what ptxas makes of it."""

from __future__ import annotations

import re

import ml_dtypes
import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from tilewright.analysis.bounds.positions import verify_positions
from tilewright.analysis.verify import verify_module
from tilewright.codegen.ptx import assemble, emit_ptx
from tilewright.dialects import simt
from tilewright.interp.simt import run_kernel
from tilewright.lowering.simt_to_c import OPENCL, emit_program
from tilewright.lowering.simt_to_llvm import emit_module
from tilewright.machines.target import Target
from tilewright.support.diagnostics import LoweringError, TilewrightError

from ...gpu_tools import needs_ptxas
from ...passes.te.ir import parse

DTYPES = {"f16": np.float16, "bf16": ml_dtypes.bfloat16}
ARCHITECTURES = ("sm_80", "sm_90a", "sm_100", "sm_120")


def product(dtype: str, warps: int = 2, k: int = 48) -> str:
    """Return a kernel that multiplies 16 * warps rows by 8 columns, 16 elements of k per step."""
    m = 16 * warps
    a, b, c = f"memref<{m}x{k}x{dtype}>", f"memref<8x{k}x{dtype}>", f"memref<{m}x8xf32>"
    row, column = "%t floordiv 32 * 16 + (%t mod 32) floordiv 4", "(%t mod 4) * 2"
    loads: list[str] = []
    for r in range(8):
        place = f"{row} + {r // 2 % 2 * 8}, %s * 16 + {column} + {r % 2 + r // 4 * 8}"
        loads.append(f"%a{r} = loop.load %a[{place}] : {a}, {dtype}")
    for r in range(4):
        place = f"(%t mod 32) floordiv 4, %s * 16 + {column} + {r % 2 + r // 2 * 8}"
        loads.append(f"%b{r} = loop.load %b[{place}] : {b}, {dtype}")
    lines = "\n".join(loads)
    lhs, rhs = (", ".join(f"%{name}{r}" for r in range(n)) for name, n in (("a", 8), ("b", 4)))
    lhs_type, rhs_type = (f"vector<{n}x{dtype}>" for n in (8, 4))
    stores = "\n".join(
        f"%d{r} = loop.extract %sums {r} : vector<4xf32>\n"
        f"loop.store %d{r}, %c[{row} + {r // 2 * 8}, {column} + {r % 2}] : {c}, f32"
        for r in range(4)
    )
    launch = f"#simt.launch<grid [1], block [{32 * warps}], shared 0>"
    return f"""
func.func @mm(%a: {a}, %b: {b}, %c: {c}) attributes {{tw.launch = {launch}}} {{
  %t = simt.thread_id x below {32 * warps}
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %sums = loop.for %s = 0 to {k // 16} iter_args(%acc = %zero : vector<4xf32>) {{
    {lines}
    %lhs = loop.pack {lhs} : {", ".join([dtype] * 8)} to {lhs_type}
    %rhs = loop.pack {rhs} : {", ".join([dtype] * 4)} to {rhs_type}
    %next = simt.mma %lhs, %rhs, %acc : {lhs_type}, {rhs_type}, vector<4xf32> -> vector<4xf32>
    loop.yield %next : vector<4xf32>
  }}
  {stores}
  func.return
}}
"""


def kernel_of(module: ModuleOp) -> FuncOp:
    (kernel,) = (op for op in module.ops if isinstance(op, FuncOp))
    return kernel


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_warps_of_a_block_multiply_matrices(dtype: str) -> None:
    module = parse(product(dtype))
    verify_module(module)
    verify_positions(module)
    assert str(parse(str(module))) == str(module)
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((n, 48)).astype(DTYPES[dtype]) for n in (32, 8))
    c = np.full((32, 8), np.nan, np.float32)
    run_kernel(kernel_of(module), a, b, c)
    np.testing.assert_allclose(c, a.astype(np.float64) @ b.astype(np.float64).T, 1e-4, 1e-4)


@pytest.mark.parametrize(
    "fragment",
    [simt.LHS, simt.RHS, simt.OUT, simt.LHS_BYTES, simt.RHS_BYTES],
    ids=lambda f: f"{f.rows}x{f.columns}x{f.registers}",
)
def test_a_warp_holds_each_element_once(fragment: simt.Fragment) -> None:
    places = sorted(place for thread in fragment.places() for place in thread)
    assert places == [(i, j) for i in range(fragment.rows) for j in range(fragment.columns)]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("block [64]", "block [48]", "no whole warps.*a multiple of 32.*got: 48"),
        ("vector<4xf16>, vector<4xf32> ->", "vector<8xf16>, vector<4xf32> ->", "no such fragments"),
        ("%next = simt.mma", "%on = arith.constant true\nloop.if %on { %n2 = simt.mma",
         "not all threads of the warp"),
    ],
    ids=["warps", "fragments", "branch"],
)  # fmt: skip
def test_wrong_matrix_instructions_are_refused(old: str, new: str, message: str) -> None:
    text = product("f16").replace(old, new)
    if "48" in new:
        text = text.replace("below 64", "below 48")
    if "vector<8xf16>, vector<4xf32> ->" in new:
        text = text.replace("simt.mma %lhs, %rhs", "simt.mma %lhs, %lhs")
    if "loop.if" in new:
        text = text.replace("-> vector<4xf32>", "-> vector<4xf32> }").replace("%next :", "%acc :")
    with pytest.raises(TilewrightError, match=re.compile(message, re.DOTALL)):
        verify_module(parse(text))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("architecture", ARCHITECTURES)
@needs_ptxas
def test_ptxas_takes_the_matrix_instruction(dtype: str, architecture: str) -> None:
    kernel = kernel_of(parse(product(dtype)))
    target = Target(f"cuda -arch={architecture}")
    text = emit_ptx(emit_module([("mm", kernel)], target), architecture)
    assert f"mma.sync.aligned.m16n8k16.row.col.f32.{dtype}.{dtype}.f32" in text
    (used,) = assemble(text, architecture).values()
    assert (used.spill_bytes, used.stack_bytes) == (0, 0)


def test_opencl_has_no_matrix_instruction() -> None:
    kernel = kernel_of(parse(product("f16")))
    with pytest.raises(LoweringError, match=r"simt\.mma"):
        emit_program([("mm", kernel)], OPENCL)
