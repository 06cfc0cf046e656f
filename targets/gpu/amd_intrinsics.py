"""Matrix instructions of AMD's GPUs as te.intrinsic ops: MFMA of CDNA, and WMMA of RDNA 3.

The threads of a wave compute a tile of 16 x 16 accumulators together.
MFMA: each of the 64 threads holds four adjacent elements along k of each operand (eight, if they
are bytes), and four rows of one column of the accumulators.
WMMA: each of the 32 threads holds a whole row of the left or column of the right operand, of which
a second thread holds a copy, and every other row of one column of the accumulators.
Source: AMD, CDNA3 Instruction Set Architecture, section 7.1.4; RDNA3, section 7.9.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..library.dot_groups import BF16, BYTES, F16, S8_S8, DotGroup, filled

_PRODUCT = """
te.intrinsic @NAME features ["FEATURE"] cycles CYCLES source "SOURCE"
    threads THREADS fragments [affine_map<OUT>, affine_map<LHS>, affine_map<RHS>]
    definition(%c: memref<16x16xSUM>, %a: memref<16xSTEPxELEMENT>, %b: memref<STEPx16xELEMENT>) {
  te.compute @product [m: 16, k: STEP red, n: 16]
      ins(%a[m, k] : memref<16xSTEPxELEMENT>, %b[k, n] : memref<STEPx16xELEMENT>)
      outs(%c[m, n] add acc : memref<16x16xSUM>)
      body(%x: ELEMENT, %y: ELEMENT) {
    %u = arith.EXTEND_A %x : ELEMENT to SUM
    %v = arith.EXTEND_B %y : ELEMENT to SUM
    %p = arith.MULTIPLY %u, %v : SUM
    te.yield %p : SUM
  }
} emission(%c: vector<SUMSxSUM>, %a: vector<PARTxELEMENT>, %b: vector<PARTxELEMENT>) {
  %r = simt.mma %a, %b, %c {unit = "UNIT"SIGNS}
      : vector<PARTxELEMENT>, vector<PARTxELEMENT>, vector<SUMSxSUM> -> vector<SUMSxSUM>
  te.yield %r : vector<SUMSxSUM>
}
"""

_MFMA_SOURCE = "16x16x16 multiply-adds by the 1024 of a CU of MI300X per cycle (CDNA 3 white paper)"
_WMMA_SOURCE = "16x16x16 multiply-adds by the 256 of a CU of RX 7900 per cycle (RDNA 3 white paper)"


def _product(name: str, group: DotGroup, words: dict[str, str]) -> tuple[str, str]:
    """Return the name and the IR text of an instruction.

    group: the terms that it adds to each sum, and their types.  words: the texts for the other
    placeholders of the template.
    """
    signs = "".join(f", {side}" for side in group.unsigned_sides)
    return name, filled(_PRODUCT, {"NAME": name, "SIGNS": signs, **words, **group.words})


def _mfma(group: DotGroup) -> tuple[str, str]:
    """Return the name and the IR text of a CDNA instruction; byte operands are signed."""
    is_bytes = group.element == "i8"
    step, part = (32, 8) if is_bytes else (16, 4)
    along = f"(l floordiv 16) * {part} + r"
    return _product(f"mfma_16x16x{step}_{group.element}", group, {
        "FEATURE": "mfma-bytes" if is_bytes else "mfma", "CYCLES": "4.0", "SOURCE": _MFMA_SOURCE,
        "THREADS": "64", "UNIT": "mfma", "STEP": str(step), "PART": str(part), "SUMS": "4",
        "OUT": "(l, r) -> ((l floordiv 16) * 4 + r, l mod 16)",
        "LHS": f"(l, r) -> (l mod 16, {along})", "RHS": f"(l, r) -> ({along}, l mod 16)",
    })  # fmt: skip


def _wmma(group: DotGroup) -> tuple[str, str]:
    """Return the name and the IR text of an RDNA 3 instruction."""
    types = group.signs if group.element == "i8" else (group.element,)
    return _product("_".join(("wmma_16x16x16", *types)), group, {
        "FEATURE": "wmma", "CYCLES": "16.0", "SOURCE": _WMMA_SOURCE, "THREADS": "32",
        "UNIT": "wmma", "STEP": "16", "PART": "16", "SUMS": "8",
        "OUT": "(l, r) -> (r * 2 + l floordiv 16, l mod 16)",
        "LHS": "(l, r) -> (l mod 16, r)", "RHS": "(l, r) -> (r, l mod 16)",
    })  # fmt: skip


def amd_intrinsics() -> Iterator[tuple[str, str]]:
    """Yield the name and the IR text of each intrinsic."""
    yield from map(_mfma, (F16, BF16, S8_S8))
    yield from map(_wmma, (F16, BF16, *BYTES))
