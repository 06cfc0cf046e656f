"""CPU instructions as te.intrinsic ops: definition, emission and cost of each.

All are dot products of groups of four bytes, added to 32-bit integers.  This file chooses nothing:
a schedule names an intrinsic (sched.tensorize).
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.parser import Parser

from ...dialects.te import IntrinsicOp
from ...support.registry import new_context, unknown

_DOT = """
te.intrinsic @NAME features [FEATURES] cycles CYCLES source "SOURCE"
    definition(%c: memref<LANESxi32>, %a: memref<LANESx4xi8>, %b: memref<LANESx4xi8>) {
  te.compute @dot [i: LANES, r: 4 red]
      ins(%a[i, r] : memref<LANESx4xi8>, %b[i, r] : memref<LANESx4xi8>)
      outs(%c[i] add acc : memref<LANESxi32>)
      body(%x: i8, %y: i8) {
    %u = arith.EXTEND %x : i8 to i32
    %v = arith.extsi %y : i8 to i32
    %p = arith.muli %u, %v : i32
    te.yield %p : i32
  }
} emission(%c: vector<LANESxi32>, %a: vector<BYTESxi8>, %b: vector<BYTESxi8>) {
EMISSION
  te.yield %r : vector<LANESxi32>
}
"""

_VPDPBUSD = """
  %r = loop.call_llvm "llvm.x86.avx512.vpdpbusd.512"(%c, %a, %b)
      : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
"""

# vpmaddubsw saturates sums of two products: 2 * 255 * 127 is too large for 16 bits.  The unsigned
# bytes are split, a = 2 * (a >> 1) + (a & 1), so both sums fit and the result is exact.
_VPMADDUBSW = """
  %one = arith.constant 1 : i8
  %ones = loop.broadcast %one : i8 to vector<32xi8>
  %high = arith.shrui %a, %ones : vector<32xi8>
  %low = arith.andi %a, %ones : vector<32xi8>
  %high2 = loop.call_llvm "llvm.x86.avx2.pmadd.ub.sw"(%high, %b)
      : (vector<32xi8>, vector<32xi8>) -> vector<16xi16>
  %low2 = loop.call_llvm "llvm.x86.avx2.pmadd.ub.sw"(%low, %b)
      : (vector<32xi8>, vector<32xi8>) -> vector<16xi16>
  %n1 = arith.constant 1 : i16
  %n2 = arith.constant 2 : i16
  %once = loop.broadcast %n1 : i16 to vector<16xi16>
  %twice = loop.broadcast %n2 : i16 to vector<16xi16>
  %high4 = loop.call_llvm "llvm.x86.avx2.pmadd.wd"(%high2, %twice)
      : (vector<16xi16>, vector<16xi16>) -> vector<8xi32>
  %low4 = loop.call_llvm "llvm.x86.avx2.pmadd.wd"(%low2, %once)
      : (vector<16xi16>, vector<16xi16>) -> vector<8xi32>
  %s = arith.addi %c, %high4 : vector<8xi32>
  %r = arith.addi %s, %low4 : vector<8xi32>
"""

_SDOT = """
  %r = loop.call_llvm "llvm.aarch64.neon.sdot.v4i32.v16i8"(%c, %a, %b)
      : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
"""


def _dot(
    name: str, lanes: int, extend: str, emission: str, feature: str, cycles: float, source: str
) -> str:
    """Return the text of a dot product of groups of four bytes; ``extend``: for the first input."""
    values = {
        "NAME": name, "FEATURES": f'"{feature}"', "CYCLES": str(cycles), "SOURCE": source,
        "LANES": str(lanes), "BYTES": str(4 * lanes), "EXTEND": extend, "EMISSION": emission,
    }  # fmt: skip
    text = _DOT
    for word, value in values.items():
        text = text.replace(word, value)
    return text


INTRINSICS: Mapping[str, str] = {
    # Unsigned by signed bytes, 64 products.  4.3e9 per second in a matrix product with 24
    # accumulators on a Sapphire Rapids server: more than one per cycle.
    "vpdpbusd": _dot("vpdpbusd", 16, "extui", _VPDPBUSD, "avx512vnni", 0.5,
                     "two ports: 0 and 5 on Intel's servers"),
    # The same for 32 products: 9 instructions, of which 4 multiply.
    "vpmaddubsw": _dot("vpmaddubsw", 8, "extui", _VPMADDUBSW, "avx2", 3.0,
                       "9 instructions on three vector ports"),
    # Signed by signed bytes, 16 products.
    "sdot": _dot("sdot", 4, "extsi", _SDOT, "dotprod", 0.5,
                 "Arm Neoverse N1 Software Optimization Guide: 2 per cycle"),
}  # fmt: skip
"""The text of each intrinsic."""


def make_intrinsic(name: str) -> IntrinsicOp:
    """Return a detached intrinsic op for a module.

    Errors: TilewrightError for an unknown name.
    """
    if name not in INTRINSICS:
        raise unknown("intrinsic", name, INTRINSICS)
    (op,) = Parser(new_context(), INTRINSICS[name], name).parse_module().ops
    op.detach()
    assert isinstance(op, IntrinsicOp), name
    return op


__all__ = ["INTRINSICS", "make_intrinsic"]
