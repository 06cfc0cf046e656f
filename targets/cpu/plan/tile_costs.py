"""Cycles of sums of products by tile instructions (AMX), and by vectors of bytes or bf16 instead.

tile_product.py compares them.  This file is arithmetic on numbers of the instructions, without
IR.
"""

from __future__ import annotations

from math import ceil

from ....machines.cpu_numbers import AMX


def block_cycles(rows: int, height: int, width: int, depth: int, steps: int) -> float:
    """Return the cycles of a block of height x width tiles, each the sum of some tile products.

    rows: the rows of a tile of sums (pixels, or rows of the left matrix).
    depth: the rows of a tile of weights, each a group of terms.
    steps: the tile products per sum.
    """
    products = height * width * rows
    loads = (height * rows + width * depth) / AMX.loaded_rows
    finish = height * width * (AMX.store + AMX.row * rows)
    return AMX.latency + steps * max(products, loads, AMX.latency) + finish


def vector_cycles(rows: int, columns: int, groups: int, lanes: int, feature: str) -> float:
    """Return the cycles in which vector instructions compute a matrix of sums.

    rows, columns: the shape of the matrix.
    groups: steps of a sum, each of four bytes or two bf16 values.
    lanes: lanes of a vector.
    feature: the CPU feature of the tile instruction for the same element type.
    """
    vectors = rows * ceil(columns / lanes)
    tiles = ceil(vectors / AMX.block_vectors)
    return vectors * groups * AMX.vector[feature] + AMX.vector_block * tiles
