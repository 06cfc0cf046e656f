"""CPU instructions as te.intrinsic ops: definition, emission and cost of each.

All instructions are dot products of short groups (four bytes, two 16-bit integers or two bf16
numbers), added to wider sums; matrix instructions multiply twice as many terms of two rows by two
columns.  A plan or a schedule selects an intrinsic by its name (sched.tensorize); this file does
not.
"""

from __future__ import annotations

from collections.abc import Mapping

from ....dialects.te import IntrinsicOp
from ....support.registry import unknown
from ...library.dot_groups import BF16, S8_S8, S16_S16, U8_S8, U8_U8, DotGroup, doubled, filled
from ...library.microcontrollers import MICROCONTROLLER_INTRINSICS
from ...library.plans import parsed_intrinsic
from .block_intrinsics import BLOCK_INTRINSICS
from .tile_intrinsics import TILE_INTRINSICS, tile_text

# The part that both forms of definition share: the terms of the sums, and the emission.
_PRODUCTS = """\
      body(%x: ELEMENT, %y: ELEMENT) {
    %u = arith.EXTEND_A %x : ELEMENT to SUM
    %v = arith.EXTEND_B %y : ELEMENT to SUM
    %p = arith.MULTIPLY %u, %v : SUM
    te.yield %p : SUM
  }
} emission(%c: vector<LANESxSUM>, %a: vector<WIDTHxELEMENT>, %b: vector<WIDTHxELEMENT>) {
EMISSION
  te.yield %r : vector<LANESxSUM>
}
"""

_DOT = (
    """
te.intrinsic @NAME features [FEATURES] cycles CYCLES source "SOURCE"
    definition(%c: memref<LANESxSUM>, %a: memref<LANESxGROUPxELEMENT>,
               %b: memref<LANESxGROUPxELEMENT>) {
  te.compute @dot [i: LANES, r: GROUP red]
      ins(%a[i, r] : memref<LANESxGROUPxELEMENT>, %b[i, r] : memref<LANESxGROUPxELEMENT>)
      outs(%c[i] add acc : memref<LANESxSUM>)
"""
    + _PRODUCTS
)

_MATRIX = (
    """
te.intrinsic @NAME features [FEATURES] cycles CYCLES source "SOURCE"
    definition(%c: memref<2x2xSUM>, %a: memref<2xGROUPxELEMENT>, %b: memref<2xGROUPxELEMENT>) {
  te.compute @dot [m: 2, i: 2, r: GROUP red]
      ins(%a[m, r] : memref<2xGROUPxELEMENT>, %b[i, r] : memref<2xGROUPxELEMENT>)
      outs(%c[m, i] add acc : memref<2x2xSUM>)
"""
    + _PRODUCTS
)

_CALL = """
  %r = loop.call_llvm "FUNCTION"(%c, %a, %b)
      : (vector<LANESxSUM>, vector<WIDTHxELEMENT>, vector<WIDTHxELEMENT>) -> vector<LANESxSUM>
"""

# Signed by signed bytes: a + 128 is unsigned, and 128 * sum(b) is subtracted.
_SIGNED = """
  %bit = arith.constant -128 : i8
  %bits = loop.broadcast %bit : i8 to vector<WIDTHxi8>
  %raised = arith.xori %a, %bits : vector<WIDTHxi8>
  %n0 = arith.constant 0 : i32
  %zero = loop.broadcast %n0 : i32 to vector<LANESxi32>
  %sum = loop.call_llvm "FUNCTION"(%c, %raised, %b)
      : (vector<LANESxi32>, vector<WIDTHxi8>, vector<WIDTHxi8>) -> vector<LANESxi32>
  %excess = loop.call_llvm "FUNCTION"(%zero, %bits, %b)
      : (vector<LANESxi32>, vector<WIDTHxi8>, vector<WIDTHxi8>) -> vector<LANESxi32>
  %r = arith.subi %sum, %excess : vector<LANESxi32>
"""

# Unsigned by unsigned bytes: b - 128 is signed, and -128 * sum(a) is subtracted.
_UNSIGNED = """
  %bit = arith.constant -128 : i8
  %bits = loop.broadcast %bit : i8 to vector<WIDTHxi8>
  %lowered = arith.xori %b, %bits : vector<WIDTHxi8>
  %n0 = arith.constant 0 : i32
  %zero = loop.broadcast %n0 : i32 to vector<LANESxi32>
  %sum = loop.call_llvm "FUNCTION"(%c, %a, %lowered)
      : (vector<LANESxi32>, vector<WIDTHxi8>, vector<WIDTHxi8>) -> vector<LANESxi32>
  %missing = loop.call_llvm "FUNCTION"(%zero, %a, %bits)
      : (vector<LANESxi32>, vector<WIDTHxi8>, vector<WIDTHxi8>) -> vector<LANESxi32>
  %r = arith.subi %sum, %missing : vector<LANESxi32>
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

_VPMADDWD = """
  %pairs = loop.call_llvm "FUNCTION"(%a, %b)
      : (vector<WIDTHxi16>, vector<WIDTHxi16>) -> vector<LANESxi32>
  %r = arith.addi %c, %pairs : vector<LANESxi32>
"""


def _dot(
    name: str,
    group: DotGroup,
    lanes: int,
    emission: str,
    function: str,
    features: str,
    cycles: float,
    source: str,
) -> str:
    """Return the IR text of a te.intrinsic op for a dot product.

    name: the intrinsic's name.  group: the terms that one instruction adds to a lane.  lanes: the
    lanes of its result.  emission: the template of the emission.  function: the LLVM function that
    the emission calls.  features: the CPU features needed, separated by spaces.  cycles: the cycles
    of an instruction.  source: the document that states them.
    """
    values = {
        "EMISSION": emission, "NAME": name, "CYCLES": str(cycles), "SOURCE": source,
        "FEATURES": ", ".join(f'"{word}"' for word in features.split()), "FUNCTION": function,
        "LANES": str(lanes), "WIDTH": str(lanes * group.count), **group.words,
    }  # fmt: skip
    return filled(_DOT, values)


def _matrix(name: str, group: DotGroup, type_: str, feature: str) -> str:
    """Return the IR text of a te.intrinsic op for an AArch64 instruction on 2 rows x 2 columns.

    name: the name of the instruction.  group: the terms of each of the four sums.  type_: the
    suffix of the LLVM function's name, for the types of its operands.  feature: the CPU feature
    needed.
    """
    values = {
        "EMISSION": _CALL, "NAME": name, "CYCLES": "0.5", "SOURCE": _N2,
        "FEATURES": f'"{feature}"', "FUNCTION": f"{_NEON}.{name}{type_}",
        "LANES": "4", "WIDTH": str(2 * group.count), **group.words,
    }  # fmt: skip
    return filled(_MATRIX, values)


_VPDPBUSD, _VPDPWSSD = "llvm.x86.avx512.vpdpbusd", "llvm.x86.avx512.vpdpwssd"
_VDPBF16PS = "llvm.x86.avx512bf16.dpbf16ps"
_SOURCE = "one zmm or two ymm per cycle: Zen 4, measured; twice that on Intel's servers"
_BF16_SOURCE = "one zmm per cycle on Zen 4, measured"
_NEON = "llvm.aarch64.neon"
_N1 = "Arm Neoverse N1 Software Optimization Guide: 2 per cycle"
_N2 = "Arm Neoverse N2 Software Optimization Guide: 2 per cycle"
_VEX_SOURCE = "uops.info: Alder Lake, two ports"

INTRINSICS: Mapping[str, str] = {
    # Unsigned by signed bytes.
    "vpdpbusd": _dot("vpdpbusd", U8_S8, 16, _CALL, f"{_VPDPBUSD}.512", "avx512vnni", 1.0, _SOURCE),
    "vpdpbusd_ymm": _dot("vpdpbusd_ymm", U8_S8, 8, _CALL, f"{_VPDPBUSD}.256",
                         "avx512vnni avx512vl", 0.5, _SOURCE),
    "vpdpbusd_vex": _dot("vpdpbusd_vex", U8_S8, 8, _CALL, f"{_VPDPBUSD}.256", "avxvnni", 0.5,
                         _VEX_SOURCE),
    # Bytes of one sign, by the same instruction and a correction of its sums.
    "vpdpbusd_signed": _dot("vpdpbusd_signed", S8_S8, 16, _SIGNED, f"{_VPDPBUSD}.512",
                            "avx512vnni", 1.5, _SOURCE),
    "vpdpbusd_unsigned": _dot("vpdpbusd_unsigned", U8_U8, 16, _UNSIGNED, f"{_VPDPBUSD}.512",
                              "avx512vnni", 1.5, _SOURCE),
    # Pairs of 16-bit integers.
    "vpdpwssd": _dot("vpdpwssd", S16_S16, 16, _CALL, f"{_VPDPWSSD}.512", "avx512vnni", 1.0,
                     _SOURCE),
    "vpdpwssd_ymm": _dot("vpdpwssd_ymm", S16_S16, 8, _CALL, f"{_VPDPWSSD}.256",
                         "avx512vnni avx512vl", 0.5, _SOURCE),
    "vpmaddwd": _dot("vpmaddwd", S16_S16, 8, _VPMADDWD, "llvm.x86.avx2.pmadd.wd", "avx2", 0.5,
                     "uops.info: two per cycle, with an addition, on Haswell to Zen 4"),
    "vpmaddwd_zmm": _dot("vpmaddwd_zmm", S16_S16, 16, _VPMADDWD, "llvm.x86.avx512.pmaddw.d.512",
                         "avx512bw", 1.0, "uops.info: Zen 4, one per cycle; Skylake-X two"),
    "i32x4_dot": _dot("i32x4_dot", S16_S16, 4, _VPMADDWD, "llvm.wasm.dot", "simd128", 0.5,
                      "as vpmaddwd, to which engines translate it on x86-64"),
    # Pairs of bf16 numbers.  The instruction adds the second product first, then the first one;
    # each sum is rounded to nearest even, and subnormal inputs and sums count as 0.
    "vdpbf16ps": _dot("vdpbf16ps", BF16, 16, _CALL, f"{_VDPBF16PS}.512", "avx512bf16", 1.0,
                      _BF16_SOURCE),
    "vdpbf16ps_ymm": _dot("vdpbf16ps_ymm", BF16, 8, _CALL, f"{_VDPBF16PS}.256",
                          "avx512bf16 avx512vl", 0.5, _BF16_SOURCE),
    # Unsigned by signed bytes in 9 instructions, of which 4 multiply.
    "vpmaddubsw": _dot("vpmaddubsw", U8_S8, 8, _VPMADDUBSW, "", "avx2", 3.0,
                       "9 instructions on three vector ports"),
    # AArch64.
    "sdot": _dot("sdot", S8_S8, 4, _CALL, f"{_NEON}.sdot.v4i32.v16i8", "dotprod", 0.5, _N1),
    "udot": _dot("udot", U8_U8, 4, _CALL, f"{_NEON}.udot.v4i32.v16i8", "dotprod", 0.5, _N1),
    "usdot": _dot("usdot", U8_S8, 4, _CALL, f"{_NEON}.usdot.v4i32.v16i8", "i8mm", 0.5, _N2),
    # The sum of the two products, and its sum with c, are rounded to odd; subnormals count as 0.
    "bfdot": _dot("bfdot", BF16, 4, _CALL, f"{_NEON}.bfdot.v4f32.v8bf16", "bf16", 0.5, _N2),
    # Matrices of AArch64: twice the products of a dot product, for two rows.
    "smmla": _matrix("smmla", doubled(S8_S8), ".v4i32.v16i8", "i8mm"),
    "ummla": _matrix("ummla", doubled(U8_U8), ".v4i32.v16i8", "i8mm"),
    "usmmla": _matrix("usmmla", doubled(U8_S8), ".v4i32.v16i8", "i8mm"),
    # bfdot of the first two of four terms, then of the others: rounded in the same way.
    "bfmmla": _matrix("bfmmla", doubled(BF16), "", "bf16"),
    **MICROCONTROLLER_INTRINSICS,
}  # fmt: skip
"""The source (IR text) of each intrinsic, by name."""


def make_intrinsic(name: str) -> IntrinsicOp:
    """Return a new intrinsic op, which is in no module yet.

    Errors: TilewrightError for an unknown name.
    """
    text = INTRINSICS.get(name) or BLOCK_INTRINSICS.get(name) or tile_text(name)
    if text is None:
        known = (*INTRINSICS, *BLOCK_INTRINSICS, *TILE_INTRINSICS)
        raise unknown("intrinsic", name, known)
    return parsed_intrinsic(text, name)
