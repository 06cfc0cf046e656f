"""Dot products of bytes on Cortex-M processors, as te.intrinsic ops.

SMLAD of the DSP extension multiplies two pairs of 16-bit integers, and adds both products to a
32-bit sum.  The bytes of a word are extended in pairs, the even ones and, after a rotation, the odd
ones; so four terms take two SMLADs.  VMLADAVA of Helium (MVE) adds the products of all 16 bytes of
two vectors to one sum.  Both are exact.  C source calls the functions of the Arm C Language
Extensions for them (lowering/loop_to_c/acle.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from ...dialects.te import IntrinsicOp
from ...machines.target import Target
from .dot_groups import S8_S8, U8_S8, U8_U8, DotGroup, filled
from .plans import has_features, parsed_intrinsic

_SUM = """
te.intrinsic @NAME features ["FEATURE"] cycles CYCLES source "SOURCE"
    definition(%c: memref<1xi32>, %a: memref<1xGROUPxi8>, %b: memref<1xGROUPxi8>) {
  te.compute @dot [i: 1, r: GROUP red]
      ins(%a[i, r] : memref<1xGROUPxi8>, %b[i, r] : memref<1xGROUPxi8>)
      outs(%c[i] add acc : memref<1xi32>)
      body(%x: i8, %y: i8) {
    %u = arith.EXTEND_A %x : i8 to i32
    %v = arith.EXTEND_B %y : i8 to i32
    %p = arith.muli %u, %v : i32
    te.yield %p : i32
  }
} emission(%c: vector<1xi32>, %a: vector<GROUPxi8>, %b: vector<GROUPxi8>) {
EMISSION
  te.yield %r : vector<1xi32>
}
"""

_SMLAD = """
  %eight = arith.constant 8 : i32
  %x0 = loop.call_llvm "llvm.arm.PAIRS_A"(%a) : (vector<4xi8>) -> vector<2xi16>
  %y0 = loop.call_llvm "llvm.arm.PAIRS_B"(%b) : (vector<4xi8>) -> vector<2xi16>
  %s = loop.call_llvm "llvm.arm.smlad"(%x0, %y0, %c)
      : (vector<2xi16>, vector<2xi16>, vector<1xi32>) -> vector<1xi32>
  %as = loop.call_llvm "llvm.fshr.i32"(%a, %a, %eight)
      : (vector<4xi8>, vector<4xi8>, i32) -> vector<4xi8>
  %bs = loop.call_llvm "llvm.fshr.i32"(%b, %b, %eight)
      : (vector<4xi8>, vector<4xi8>, i32) -> vector<4xi8>
  %x1 = loop.call_llvm "llvm.arm.PAIRS_A"(%as) : (vector<4xi8>) -> vector<2xi16>
  %y1 = loop.call_llvm "llvm.arm.PAIRS_B"(%bs) : (vector<4xi8>) -> vector<2xi16>
  %r = loop.call_llvm "llvm.arm.smlad"(%x1, %y1, %s)
      : (vector<2xi16>, vector<2xi16>, vector<1xi32>) -> vector<1xi32>
"""

_VMLADAVA = """
  %no = arith.constant 0 : i32
  %r = loop.call_llvm "llvm.arm.mve.vmldava.v16i8"(%no, %no, %no, %c, %a, %b)
      : (i32, i32, i32, vector<1xi32>, vector<16xi8>, vector<16xi8>) -> vector<1xi32>
"""

_PAIRS = {"extsi": "sxtb16", "extui": "uxtb16"}
_M4 = "TRM Arm Cortex-M4: SMLAD and SXTB16 1 cycle; 2 of the first, 4 of the second"
_M55 = "Arm Cortex-M55 Software Optimization Guide: a vector takes 2 cycles"


def _smlad(name: str, group: DotGroup) -> str:
    pairs = {f"PAIRS_{side}": _PAIRS[op] for side, op in zip("AB", group.extend, strict=True)}
    head = {"NAME": name, "FEATURE": "dsp", "CYCLES": "6.0", "SOURCE": _M4}
    return filled(_SUM, {**head, "EMISSION": _SMLAD, **pairs, **group.words})


MICROCONTROLLER_INTRINSICS: Mapping[str, str] = {
    "smlad_signed": _smlad("smlad_signed", S8_S8),
    "smlad": _smlad("smlad", U8_S8),
    "smlad_unsigned": _smlad("smlad_unsigned", U8_U8),
    "vmladava": filled(
        _SUM,
        {
            "NAME": "vmladava", "FEATURE": "mve", "CYCLES": "2.0", "SOURCE": _M55,
            "EMISSION": _VMLADAVA, **S8_S8.words, "GROUP": "16",
        },
    ),
}  # fmt: skip
"""The source (IR text) of each intrinsic, by its name."""


def byte_sums(target: Target) -> Iterator[IntrinsicOp]:
    """Return the dot products of bytes that a target supports, those with the most terms first."""
    return (op for op in _by_terms() if has_features(target, op))


@cache
def _by_terms() -> tuple[IntrinsicOp, ...]:
    made = (parsed_intrinsic(text, name) for name, text in MICROCONTROLLER_INTRINSICS.items())
    return tuple(sorted(made, key=lambda op: -op.compute.view().extents["r"]))
