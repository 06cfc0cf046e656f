"""Matrix instructions by sched.tensorize: every level, errors, and what ptxas makes of them."""

from __future__ import annotations

import re
from functools import cache

import ml_dtypes
import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import tilewright
from tilewright import CompiledModule
from tilewright.analysis.bounds.positions import verify_positions
from tilewright.analysis.verify import verify_module
from tilewright.dialects import loop, simt
from tilewright.dialects.loop import AllocOp
from tilewright.interp import packed
from tilewright.interp.simt import Race
from tilewright.lowering.te_to_loop import TeToLoop
from tilewright.support.diagnostics import LoweringError, ScheduleError, TilewrightError
from tilewright.support.entry import kernel_functions
from tilewright.support.registry import new_context
from tilewright.targets.gpu.intrinsics import MATRIX_INTRINSICS, make_matrix_intrinsic

from ...gpu_tools import needs_ptxas
from ...passes.simt.tensor_cores import WarpTiles, tensor_product
from ...passes.te.ir import parse
from ...sweeps import in_turn

TYPES = {"f16": np.dtype(np.float16), "bf16": np.dtype(ml_dtypes.bfloat16)}
SMALL = WarpTiles(block=(32, 32), warp=(16, 16), step=16)
ARCHITECTURES = ("sm_80", "sm_90a", "sm_100", "sm_120")


@cache
def built(
    size: int, dtype: str = "f16", tiles: WarpTiles = SMALL, target: str = "cuda -arch=sm_80"
) -> CompiledModule:
    s, arguments = tensor_product(size, size, size, dtype, tiles)
    return tilewright.build(s, arguments, target=target, cache=False)


def operands(size: int, dtype: str) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [rng.standard_normal((size, size)).astype(TYPES[dtype]) for _ in range(2)]


def run(module: ModuleOp, size: int, dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the product of a program and the exact one."""
    a, b = operands(size, dtype)
    (got,) = packed.run(module, a, b)
    return got, a.astype(np.float64) @ b.astype(np.float64)


@pytest.mark.parametrize(
    ("level", "dtype"), in_turn(["sched", "scheduled", "loop", "simt"], [(name,) for name in TYPES])
)
def test_every_level_multiplies(level: str, dtype: str) -> None:
    """Products of 16-bit floats are exact in f32; the interpreter reports races."""
    module = parse(built(64, dtype).get_source(level))
    verify_module(module)
    verify_positions(module)
    got, exact = run(module, 64, dtype)
    np.testing.assert_allclose(got, exact, rtol=1e-5, atol=1e-4)


@pytest.mark.slow
def test_a_product_of_256_multiplies() -> None:
    module = parse(built(256, "f16", WarpTiles()).get_source("simt"))
    got, exact = run(module, 256, "f16")
    np.testing.assert_allclose(got, exact, rtol=1e-5, atol=1e-3)


def test_a_warp_uses_the_instruction_for_its_tile() -> None:
    module = parse(built(256, "f16", WarpTiles()).get_source("simt"))
    (kernel,) = kernel_functions(module)
    uses = [op for op in kernel.walk() if isinstance(op, simt.MmaOp)]
    assert len(uses) == (32 // 16) * (32 // 8) * (32 // 16)
    assert not any(isinstance(op, loop.IntrinsicOp) for op in kernel.walk())
    allocations = [op for op in kernel.walk() if isinstance(op, AllocOp)]
    types = {op.scope.data: str(op.res.type) for op in allocations}
    assert types["local"] == "memref<4x8xf32>"


def test_every_barrier_is_needed() -> None:
    planned = parse(built(64).get_source("simt"))
    count = sum(isinstance(op, simt.BarrierOp) for op in planned.walk())
    assert count == 2
    for number in range(count):
        module = planned.clone()
        [op for op in module.walk() if isinstance(op, simt.BarrierOp)][number].detach()
        with pytest.raises(Race):
            run(module, 64, "f16")


@pytest.mark.parametrize(
    ("architecture", "dtype"), in_turn(ARCHITECTURES, [(name,) for name in TYPES])
)
@needs_ptxas
def test_ptxas_needs_no_spills(dtype: str, architecture: str) -> None:
    module = built(256, dtype, WarpTiles(), f"cuda -arch={architecture}")
    text = module.get_source("ptx")
    assert text.count(f"mma.sync.aligned.m16n8k16.row.col.f32.{dtype}.{dtype}.f32") == 16
    (used,) = module.kernel_resources().values()
    assert (used.spill_bytes, used.stack_bytes, used.shared_bytes) == (0, 0, 2 * 64 * 32 * 2)
    assert used.registers <= 128, used


# -- declarations and errors -----------------------------------------------------------------------


@pytest.mark.parametrize("name", MATRIX_INTRINSICS)
def test_a_declaration_has_the_fragments_of_its_instruction(name: str) -> None:
    op = make_matrix_intrinsic(name)
    op.verify()
    assert str(parse(str(op)).body.block.first_op) == str(op)
    (use,) = (each for each in op.emission.block.ops if isinstance(each, simt.MmaOp))
    fragments = (use.shape.out, use.shape.lhs, use.shape.rhs)
    assert [op.places(n) for n in range(3)] == [fragment.places() for fragment in fragments]


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("r mod 2 + (r floordiv 4) * 8", "r mod 2", "hold each element of a buffer once"),
        (", l floordiv 4)>]", ")>]", "a fragment maps a thread and a register to an element"),
        ("%a: vector<8xf16>, %b: vector<4xf16>)", "%b: vector<4xf16>, %a: vector<8xf16>)",
         "the registers of a thread"),
    ],
    ids=["twice", "rank", "registers"],
)  # fmt: skip
def test_wrong_declarations_are_refused(old: str, new: str, rule: str) -> None:
    text = MATRIX_INTRINSICS["mma_m16n8k16_f16"]
    assert old in text
    with pytest.raises(TilewrightError, match=rule):
        parse(text.replace(old, new)).verify()


def test_a_target_without_the_instruction_is_refused() -> None:
    with pytest.raises(LoweringError, match="lacks what @mma_m16n8k16_f16 needs"):
        built(64, target="opencl")


def test_tiles_are_multiples_of_the_instruction() -> None:
    with pytest.raises(ScheduleError, match="an axis is a multiple of k") as caught:
        tensor_product(64, 64, 64, tiles=WarpTiles((32, 32), (16, 16), step=8))
    assert re.search(r"expected: an axis of 16 \* n, in input 0, input 1", str(caught.value))


LEAF = """
te.kernel @k(%A: memref<128x80xf16>, %B: memref<80x128xf16>, %C: memref<128x128xf32>) {
  te.compute @mm [m: 128, n: 128, k: 80 red]
      ins(%A[m, k] : memref<128x80xf16>, %B[k, n] : memref<80x128xf16>)
      outs(%C[m, n] add 0.0 : f32 : memref<128x128xf32>) tile(intrinsic = mma_m16n8k16_f16)
      body(%x: f16, %y: f16) {
    %u = arith.extf %x : f16 to f32
    %v = arith.extf %y : f16 to f32
    %p = arith.mulf %u, %v : f32
    te.yield %p : f32
  }
  te.return
}
"""


LEAF_AND_INTRINSIC = MATRIX_INTRINSICS["mma_m16n8k16_f16"] + LEAF


def test_a_leaf_has_a_limited_number_of_instructions() -> None:
    with pytest.raises(LoweringError, match="too often in one leaf"):
        TeToLoop().apply(new_context(), parse(LEAF_AND_INTRINSIC))


def test_a_leaf_that_a_later_step_changed_is_refused() -> None:
    text = LEAF_AND_INTRINSIC.replace("k: 80 red", "k: 8 red")
    with pytest.raises(LoweringError, match="is not what @mma_m16n8k16_f16 computes"):
        TeToLoop().apply(new_context(), parse(text))


def test_the_loop_interpreter_runs_the_threads_together() -> None:
    text = built(64).get_source("loop").replace("bind threadIdx.x ", "")
    with pytest.raises(TilewrightError, match="several threads compute @mma_m16n8k16_f16"):
        run(parse(text), 64, "f16")
