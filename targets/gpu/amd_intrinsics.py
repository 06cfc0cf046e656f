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


def _filled(words: dict[str, str]) -> tuple[str, str]:
    """Replace placeholder words of the template `_PRODUCT`; return an intrinsic's name and IR text.

    words: the replacement of each placeholder.  Longer placeholders are replaced first, because
    some contain others.
    """
    text = _PRODUCT
    for word in sorted(words, key=len, reverse=True):
        text = text.replace(word, words[word])
    return words["NAME"], text


def _elements(element: str, lhs: str, rhs: str) -> dict[str, str]:
    """Return the template's text for the placeholders that depend only on the element type.

    lhs, rhs: "s8" or "u8", the signedness of each operand if the elements are bytes.
    """
    if element != "i8":
        floats = {"EXTEND_A": "extf", "EXTEND_B": "extf", "MULTIPLY": "mulf", "SIGNS": ""}
        return {"ELEMENT": element, "SUM": "f32", **floats}
    signs = {"EXTEND_A": lhs, "EXTEND_B": rhs}
    sides = {"lhs_unsigned": lhs, "rhs_unsigned": rhs}
    return {
        "ELEMENT": element,
        "SUM": "i32",
        "MULTIPLY": "muli",
        "SIGNS": "".join(f", {side}" for side, sign in sides.items() if sign == "u8"),
        **{word: "extui" if sign == "u8" else "extsi" for word, sign in signs.items()},
    }


def _mfma(element: str) -> tuple[str, str]:
    """Return the name and the IR text of a CDNA instruction; byte operands are signed."""
    is_bytes = element == "i8"
    step, part = (32, 8) if is_bytes else (16, 4)
    along = f"(l floordiv 16) * {part} + r"
    return _filled({
        "NAME": f"mfma_16x16x{step}_{element}", "FEATURE": "mfma-bytes" if is_bytes else "mfma",
        "CYCLES": "4.0", "SOURCE": _MFMA_SOURCE, "THREADS": "64", "UNIT": "mfma",
        "STEP": str(step), "PART": str(part), "SUMS": "4",
        "OUT": "(l, r) -> ((l floordiv 16) * 4 + r, l mod 16)",
        "LHS": f"(l, r) -> (l mod 16, {along})", "RHS": f"(l, r) -> ({along}, l mod 16)",
        **_elements(element, "s8", "s8"),
    })  # fmt: skip


def _wmma(element: str, lhs: str = "", rhs: str = "") -> tuple[str, str]:
    """Return the name and the IR text of an RDNA 3 instruction.

    lhs, rhs: "s8" or "u8", the signedness of each operand if the elements are bytes.
    """
    return _filled({
        "NAME": "_".join(filter(None, ("wmma_16x16x16", lhs or element, rhs))),
        "FEATURE": "wmma", "CYCLES": "16.0", "SOURCE": _WMMA_SOURCE, "THREADS": "32",
        "UNIT": "wmma", "STEP": "16", "PART": "16", "SUMS": "8",
        "OUT": "(l, r) -> (r * 2 + l floordiv 16, l mod 16)",
        "LHS": "(l, r) -> (l mod 16, r)", "RHS": "(l, r) -> (r, l mod 16)",
        **_elements(element, lhs, rhs),
    })  # fmt: skip


def amd_intrinsics() -> Iterator[tuple[str, str]]:
    """Yield the name and the IR text of each intrinsic."""
    yield from (_mfma(element) for element in ("f16", "bf16", "i8"))
    yield from (_wmma(element) for element in ("f16", "bf16"))
    yield from (_wmma("i8", lhs, rhs) for lhs in ("s8", "u8") for rhs in ("s8", "u8"))


__all__ = ["amd_intrinsics"]
