"""Instructions of x86 on tiles (AMX) as te.intrinsic ops: definition, emission and cost of each.

A tile register has up to 16 rows of 64 bytes.  An instruction adds the product of two tiles to a
third tile.  Tile ``a`` holds rows of the left matrix; each row has ``depth`` groups of four bytes
or two bf16 numbers side by side.  Row ``k`` of tile ``b`` holds group ``k`` of 16 columns of the
right matrix, in the order of vpdpbusd and vdpbf16ps.  Sums of integers are exact modulo 2**32.
tdpbf16ps sums the even and the odd terms of its 64 bytes apart, each in f32, then adds both to the
tile; subnormal inputs and sums count as 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from ...library.dot_groups import BF16, S8_S8, S8_U8, U8_S8, U8_U8, filled

ROWS, LANES, DEPTH = 16, 16, 16
"""Rows of the left matrix, columns of the right one, and groups of the largest tile product."""

CYCLES = 16.0
"""Cycles of a product of whole tiles: one row of the left tile per cycle."""

_TEXT = """
te.intrinsic @NAME features ["amx-tile", "FEATURE"] cycles CYCLES source "SOURCE"
    definition(%c: memref<ROWSx16xSUM>, %a: memref<ROWSxDEPTHxGROUPxELEMENT>,
               %b: memref<DEPTHx16xGROUPxELEMENT>) {
  te.compute @dot [m: ROWS, k: DEPTH red, n: 16, r: GROUP red]
      ins(%a[m, k, r] : memref<ROWSxDEPTHxGROUPxELEMENT>,
          %b[k, n, r] : memref<DEPTHx16xGROUPxELEMENT>)
      outs(%c[m, n] add acc : memref<ROWSx16xSUM>)
      body(%x: ELEMENT, %y: ELEMENT) {
    %u = arith.EXTEND_A %x : ELEMENT to SUM
    %v = arith.EXTEND_B %y : ELEMENT to SUM
    %p = arith.MULTIPLY %u, %v : SUM
    te.yield %p : SUM
  }
} emission(%c: vector<ROWSx16xSUM>, %a: vector<ROWSxWIDTHxELEMENT>,
           %b: vector<DEPTHxLENGTHxELEMENT>) {
  %rows = arith.constant ROWS : i16
  %columns = arith.constant 64 : i16
  %bytes = arith.constant BYTES : i16
  %r = loop.call_llvm "llvm.x86.INSTRUCTION.internal"(%rows, %columns, %bytes, %c, %a, %b)
      : (i16, i16, i16, vector<ROWSx16xSUM>, vector<ROWSxWIDTHxELEMENT>,
         vector<DEPTHxLENGTHxELEMENT>) -> vector<ROWSx16xSUM>
  te.yield %r : vector<ROWSx16xSUM>
}
"""

_SOURCE = "Intel Optimization Reference Manual, 20.5: throughput 16 cycles, latency 52"


_INSTRUCTIONS = {
    "tdpbusd": ("amx-int8", U8_S8), "tdpbsud": ("amx-int8", S8_U8), "tdpbssd": ("amx-int8", S8_S8),
    "tdpbuud": ("amx-int8", U8_U8), "tdpbf16ps": ("amx-bf16", BF16),
}  # fmt: skip
"""The CPU feature of each instruction, and the element types of its operands."""

TILE_INTRINSICS = tuple(_INSTRUCTIONS)
"""The names of the instructions, which are those of the intrinsics on whole tiles."""


def tile_name(instruction: str, rows: int = ROWS, depth: int = DEPTH) -> str:
    """Return the name of the intrinsic for an instruction on tiles of one shape.

    rows: the rows of the left tile and of the sums.  depth: the groups of terms in a row of the
    left tile, which are the rows of the right tile.  The right tile has 16 columns.
    """
    is_whole = (rows, depth) == (ROWS, DEPTH)
    return instruction if is_whole else f"{instruction}_{rows}x{depth}"


@cache
def _shapes() -> dict[str, tuple[str, int, int]]:
    return {tile_name(*shape): shape for shape in _all_shapes()}


def _all_shapes() -> Iterator[tuple[str, int, int]]:
    for instruction in _INSTRUCTIONS:
        for rows in range(1, ROWS + 1):
            for depth in range(1, DEPTH + 1):
                yield instruction, rows, depth


def tile_text(name: str) -> str | None:
    """Return the source (IR text) of a tile intrinsic; None for an unknown name."""
    shape = _shapes().get(name)
    if shape is None:
        return None
    instruction, rows, depth = shape
    feature, group = _INSTRUCTIONS[instruction]
    values = {
        "NAME": name, "FEATURE": feature, "CYCLES": str(CYCLES * rows / ROWS), "SOURCE": _SOURCE,
        "INSTRUCTION": instruction, "ROWS": str(rows), "DEPTH": str(depth),
        "WIDTH": str(depth * group.count), "LENGTH": str(16 * group.count),
        "BYTES": str(4 * depth), **group.words,
    }  # fmt: skip
    return filled(_TEXT, values)
