"""Matrix instructions of GPUs as te.intrinsic ops: definition, fragments, emission, cost.

The threads of a warp multiply small matrices together, by the op simt.mma: this file has mma.sync
of NVIDIA, amd_intrinsics.py has MFMA and WMMA of AMD.  A plan or a schedule selects an intrinsic by
its name (sched.tensorize); these files do not.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ...analysis.patterns.intrinsics import PatternMismatch, match_bodies
from ...dialects.te import ComputeView, IntrinsicOp
from ...machines.target import Target
from ...support.registry import unknown
from ..library.dot_groups import BYTES, DotGroup, filled
from ..library.plans import has_features, parsed_intrinsic
from .amd_intrinsics import amd_intrinsics

_SOURCE = "16x8x16 multiply-adds by the 1024 of an SM of A100 per cycle (A100 whitepaper)"

# Fragments follow PTX ISA 8.8, section 9.7.14.5.8: a group of four threads holds a row of the
# output, and a register holds two adjacent elements.
_M16N8K16 = """
te.intrinsic @NAME features ["mma"] cycles 2.0 source "SOURCE"
    threads 32 fragments [
      affine_map<(l, r) -> (l floordiv 4 + (r floordiv 2) * 8, (l mod 4) * 2 + r mod 2)>,
      affine_map<(l, r) -> (l floordiv 4 + ((r floordiv 2) mod 2) * 8,
                            (l mod 4) * 2 + r mod 2 + (r floordiv 4) * 8)>,
      affine_map<(l, r) -> ((l mod 4) * 2 + r mod 2 + (r floordiv 2) * 8, l floordiv 4)>]
    definition(%c: memref<16x8xf32>, %a: memref<16x16xELEMENT>, %b: memref<16x8xELEMENT>) {
  te.compute @product [m: 16, k: 16 red, n: 8]
      ins(%a[m, k] : memref<16x16xELEMENT>, %b[k, n] : memref<16x8xELEMENT>)
      outs(%c[m, n] add acc : memref<16x8xf32>)
      body(%x: ELEMENT, %y: ELEMENT) {
    %u = arith.extf %x : ELEMENT to f32
    %v = arith.extf %y : ELEMENT to f32
    %p = arith.mulf %u, %v : f32
    te.yield %p : f32
  }
} emission(%c: vector<4xf32>, %a: vector<8xELEMENT>, %b: vector<4xELEMENT>) {
  %r = simt.mma %a, %b, %c
      : vector<8xELEMENT>, vector<4xELEMENT>, vector<4xf32> -> vector<4xf32>
  te.yield %r : vector<4xf32>
}
"""


_M16N8K32 = """
te.intrinsic @NAME features ["mma"] cycles 2.0 source "SOURCE"
    threads 32 fragments [
      affine_map<(l, r) -> (l floordiv 4 + (r floordiv 2) * 8, (l mod 4) * 2 + r mod 2)>,
      affine_map<(l, r) -> (l floordiv 4 + ((r floordiv 4) mod 2) * 8,
                            (l mod 4) * 4 + r mod 4 + (r floordiv 8) * 16)>,
      affine_map<(l, r) -> ((l mod 4) * 4 + r mod 4 + (r floordiv 4) * 16, l floordiv 4)>]
    definition(%c: memref<16x8xi32>, %a: memref<16x32xi8>, %b: memref<32x8xi8>) {
  te.compute @product [m: 16, k: 32 red, n: 8]
      ins(%a[m, k] : memref<16x32xi8>, %b[k, n] : memref<32x8xi8>)
      outs(%c[m, n] add acc : memref<16x8xi32>)
      body(%x: i8, %y: i8) {
    %u = arith.EXTEND_A %x : i8 to i32
    %v = arith.EXTEND_B %y : i8 to i32
    %p = arith.muli %u, %v : i32
    te.yield %p : i32
  }
} emission(%c: vector<4xi32>, %a: vector<16xi8>, %b: vector<8xi8>) {
  %r = simt.mma %a, %b, %c SIGNS
      : vector<16xi8>, vector<8xi8>, vector<4xi32> -> vector<4xi32>
  te.yield %r : vector<4xi32>
}
"""

TF32 = "mma_m16n8k8_tf32"
"""The intrinsic that rounds its f32 operands to tf32."""

_M16N8K8 = """
te.intrinsic @mma_m16n8k8_tf32 features ["mma"] cycles 2.0 source "SOURCE"
    threads 32 fragments [
      affine_map<(l, r) -> (l floordiv 4 + (r floordiv 2) * 8, (l mod 4) * 2 + r mod 2)>,
      affine_map<(l, r) -> (l floordiv 4 + (r mod 2) * 8, l mod 4 + (r floordiv 2) * 4)>,
      affine_map<(l, r) -> (l mod 4 + r * 4, l floordiv 4)>]
    definition(%c: memref<16x8xf32>, %a: memref<16x8xf32>, %b: memref<8x8xf32>) {
  te.compute @product [m: 16, k: 8 red, n: 8]
      ins(%a[m, k] : memref<16x8xf32>, %b[k, n] : memref<8x8xf32>)
      outs(%c[m, n] add acc : memref<16x8xf32>)
      body(%x: f32, %y: f32) {
ROUND_X
ROUND_Y
    %p = arith.mulf %x_t, %y_t : f32
    te.yield %p : f32
  }
} emission(%c: vector<4xf32>, %a: vector<4xf32>, %b: vector<2xf32>) {
  %r = simt.mma %a, %b, %c : vector<4xf32>, vector<2xf32>, vector<4xf32> -> vector<4xf32>
  te.yield %r : vector<4xf32>
}
"""

# tf32 has 10 bits of the fraction: round to nearest, ties away from zero; NaN stays.
_ROUND = """
    %x_w = arith.bitcast %x : f32 to i32
    %x_h = arith.constant 4096 : i32
    %x_s = arith.addi %x_w, %x_h : i32
    %x_m = arith.constant -8192 : i32
    %x_r = arith.andi %x_s, %x_m : i32
    %x_f = arith.bitcast %x_r : i32 to f32
    %x_n = arith.cmpf uno, %x, %x : f32
    %x_t = arith.select %x_n, %x, %x_f : f32
"""

_TF32_SOURCE = "16x8x8 multiply-adds by the 512 of an SM of A100 per cycle (A100 whitepaper)"
_BYTES_SOURCE = "16x8x32 multiply-adds by the 2048 of an SM of A100 per cycle (A100 whitepaper)"


def _m16n8k16(element: str) -> tuple[str, str]:
    name = f"mma_m16n8k16_{element}"
    return name, filled(_M16N8K16, {"SOURCE": _SOURCE, "NAME": name, "ELEMENT": element})


def _m16n8k8() -> tuple[str, str]:
    rounds = {f"ROUND_{x.upper()}": _ROUND.replace("%x", f"%{x}").strip("\n") for x in ("x", "y")}
    return TF32, filled(_M16N8K8, {"SOURCE": _TF32_SOURCE, **rounds})


def _m16n8k32(group: DotGroup) -> tuple[str, str]:
    name = f"mma_m16n8k32_{'_'.join(group.signs)}"
    signs = f"{{{', '.join(group.unsigned_sides)}}}" if group.unsigned_sides else ""
    words = {"SOURCE": _BYTES_SOURCE, "NAME": name, "SIGNS": signs, **group.words}
    return name, filled(_M16N8K32, words)


MATRIX_INTRINSICS: Mapping[str, str] = dict(
    [
        *(_m16n8k16(element) for element in ("f16", "bf16")),
        _m16n8k8(),
        *map(_m16n8k32, BYTES),
        *amd_intrinsics(),
    ]
)
"""The source (IR text) of each intrinsic, by name."""


def make_matrix_intrinsic(name: str) -> IntrinsicOp:
    """Return a new intrinsic op, which is in no module yet.

    Errors: TilewrightError for an unknown name.
    """
    if name not in MATRIX_INTRINSICS:
        raise unknown("intrinsic", name, MATRIX_INTRINSICS)
    return parsed_intrinsic(MATRIX_INTRINSICS[name], name)


def intrinsic_of(view: ComputeView, target: Target) -> IntrinsicOp | str:
    """Return the matrix instruction of a target that computes the terms of a sum.

    If none does, return as text the first difference between the sum and the instructions.
    """
    known = [op for op in _all() if has_features(target, op)]
    if not known:
        return "the target has no matrix instructions"
    reason = "no matrix instruction for its types"
    for op in known:
        found = match_bodies(op.compute.view(), view)
        # An input of the other sign may only be the other operand.
        if found == {0: 0, 1: 1}:
            return op
        is_alike = op.compute.view().inputs[0].element_type == view.inputs[0].element_type
        if isinstance(found, PatternMismatch) and is_alike:
            reason = f"{found.rule}: expected {found.expected}, got {found.got}"
    return reason


@cache
def _all() -> tuple[IntrinsicOp, ...]:
    return tuple(make_matrix_intrinsic(name) for name in MATRIX_INTRINSICS)
