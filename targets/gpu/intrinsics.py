"""Matrix instructions of NVIDIA's GPUs as te.intrinsic ops: definition, fragments, emission, cost.

The 32 threads of a warp multiply small matrices together: mma.sync, which simt.mma states.  This
file chooses nothing: a plan or a schedule names an intrinsic (sched.tensorize).
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.parser import Parser

from ...dialects.te import IntrinsicOp
from ...support.registry import new_context, unknown

_SOURCE = "16x8x16 multiply-adds by the 1024 of an SM of A100 per cycle (A100 whitepaper)"

# The rows of a fragment are those of PTX ISA 8.8, section 9.7.14.5.8: a group of four threads per
# row of the output, a pair of neighbors per register.
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

_BYTES_SOURCE = "16x8x32 multiply-adds by the 2048 of an SM of A100 per cycle (A100 whitepaper)"


def _m16n8k16(element: str) -> tuple[str, str]:
    """Return the name and the text for floats of 16 bits."""
    name = f"mma_m16n8k16_{element}"
    text = _M16N8K16.replace("SOURCE", _SOURCE).replace("NAME", name)
    return name, text.replace("ELEMENT", element)


def _m16n8k32(lhs: str, rhs: str) -> tuple[str, str]:
    """Return the name and the text for bytes: s8 or u8."""
    name = f"mma_m16n8k32_{lhs}_{rhs}"
    text = _M16N8K32.replace("SOURCE", _BYTES_SOURCE).replace("NAME", name)
    for operand, sign in (("A", lhs), ("B", rhs)):
        text = text.replace(f"EXTEND_{operand}", "extui" if sign == "u8" else "extsi")
    sides = (("lhs_unsigned", lhs), ("rhs_unsigned", rhs))
    unsigned = ", ".join(word for word, sign in sides if sign == "u8")
    return name, text.replace("SIGNS", f"{{{unsigned}}}" if unsigned else "")


MATRIX_INTRINSICS: Mapping[str, str] = dict(
    [
        *(_m16n8k16(element) for element in ("f16", "bf16")),
        *(_m16n8k32(lhs, rhs) for lhs in ("s8", "u8") for rhs in ("s8", "u8")),
    ]
)
"""The text of each intrinsic."""


def make_matrix_intrinsic(name: str) -> IntrinsicOp:
    """Return a detached intrinsic op for a module.

    Errors: TilewrightError for an unknown name.
    """
    if name not in MATRIX_INTRINSICS:
        raise unknown("intrinsic", name, MATRIX_INTRINSICS)
    (op,) = Parser(new_context(), MATRIX_INTRINSICS[name], name).parse_module().ops
    op.detach()
    assert isinstance(op, IntrinsicOp), name
    return op


__all__ = ["MATRIX_INTRINSICS", "make_matrix_intrinsic"]
