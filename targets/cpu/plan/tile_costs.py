"""Cycles of sums of products by tile instructions (AMX), and by vectors of bytes or bf16 instead.

Rule R32 of cpu-plan compares them.  This file is arithmetic on numbers of the instructions, without
IR.  Source of the numbers of tiles: Intel Optimization Reference Manual, chapter 20 (latency and
throughput of AMX on Sapphire Rapids).  The numbers of vectors: the same servers multiply two
vectors of bytes per cycle, or one of bf16.  We measured none of them.
"""

from __future__ import annotations

from math import ceil

LATENCY = 52.0
"""Cycles from one product to the next one that adds to the same tile."""

LOADED_ROWS = 2.0
"""Rows of tiles that are loaded per cycle: 8 cycles for 16 rows."""

STORE = 16.0
"""Cycles that a store of a tile takes."""

ROW_CYCLES = 2.0
"""Cycles per row of a tile of sums after its store: to load the row again, and for the loop."""

CONFIGURATION = 217.0
"""Cycles of ldtilecfg and tilerelease, once per task."""

VECTOR_CYCLES = {"amx-int8": 0.5, "amx-bf16": 1.0}
"""Cycles of a product of two vectors, by the feature of the tile instruction for that type."""

VECTOR_BLOCK = 8.0
"""Cycles of a register tile of vectors in addition to its products: first loads, and stores."""

COPY = 1.5
"""Cycles to copy a vector, or a part of it, to a buffer of rows."""


def block_cycles(rows: int, height: int, width: int, depth: int, steps: int) -> float:
    """Return the cycles of height x width tiles, each of which sums ``steps`` tile products.

    rows: the rows of an accumulator tile (pixels, or rows of the left matrix).  depth: the rows of
    a tile of weights, each a group of terms.
    """
    products = height * width * rows
    loads = (height * rows + width * depth) / LOADED_ROWS
    finish = height * width * (STORE + ROW_CYCLES * rows)
    return LATENCY + steps * max(products, loads, LATENCY) + finish


def vector_cycles(rows: int, columns: int, groups: int, lanes: int, feature: str) -> float:
    """Return the cycles in which vector instructions compute a matrix of sums.

    rows, columns: the shape of the matrix.  groups: steps of a sum, each of four bytes or two bf16
    values.  lanes: lanes of a vector.  feature: the CPU feature of the tile instruction, which
    implies the element type.
    """
    vectors = rows * ceil(columns / lanes)
    return vectors * groups * VECTOR_CYCLES[feature] + VECTOR_BLOCK * ceil(vectors / 24)


__all__ = ["CONFIGURATION", "COPY", "block_cycles", "vector_cycles"]
