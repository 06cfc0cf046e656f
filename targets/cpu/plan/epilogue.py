"""Epilogues in loops, after the register tiles of a contraction.

A register tile with an epilogue in its innermost compute (leaf) repeats the epilogue's code for
each of its vectors, in each of its heights and widths: GELU is 40 instructions for each of 24
vectors, and tiles of symbolic rows have 8 heights.  If that code costs more than storing the sums
and loading them again, the leaf stores raw sums, and a loop over the rows of the tile finishes them
while they are in L1.  Tiles of symbolic rows have one loop after all heights, over all rows of the
panel: 768 x 768 with tanh, 31 -> 11 KB at equal speed for 1 to 512 rows (Zen 4).
"""

from __future__ import annotations

from collections.abc import Collection
from math import gcd

from xdsl.dialects import arith
from xdsl.ir import Region, SSAValue

from ....lowering.loop_to_llvm.math_table import instructions
from ....machines.cpu_numbers import numbers_of
from ....machines.target import Target
from .contraction import TiledContraction
from .script import Script
from .tiles import CODE_COST, divisor_at_most

CODE_SHARE = 1 / 2
"""The part of the instruction cache that repeated epilogues may fill.

A loop applies longer ones instead; below, the loop costs 1-2 % (128 x 768 x 3072 with
GELU, Ice Lake) and saves only code.
"""

INSTRUCTION_COST = CODE_COST / 5
"""Relative cost of each instruction in the code of tiles for symbolic rows; a vector of sums has
about five: its products in unrolled steps, and its store."""

FINISHED_CELLS = 4
"""Vectors that one iteration of the loop finishes; together they hide the latency of their
dependence chains.  With fewer vectors LLVM keeps the constants of a polynomial in registers around
the sums, which then do not fit: 1152 x 48 with SiLU took 2.4 times as long with one vector."""


def can_finish_apart(c: TiledContraction) -> bool:
    """Return whether a loop after the register tiles can apply the epilogue of a contraction.

    There must be an epilogue, and the output must be able to store sums without it.
    """
    return bool(c.view.then.blocks) and c.sums_in_memory and c.view.outputs[0].clip is None


def shares_epilogue(
    c: TiledContraction, vectors: int, heights: Collection[int], steps: int
) -> bool:
    """Return whether a loop after each register tile should apply the epilogue.

    It should if the code that it saves costs more than storing the sums and loading them again.
    Code of static rows is free while it fits the instruction cache; code of symbolic rows costs
    compile time, too.
    vectors: the width of the widest tile, in vectors.
    heights: the numbers of rows that tiles have.
    steps: the steps of a sum.
    """
    if not can_finish_apart(c):
        return False
    columns = -(-c.columns // c.lanes)
    widths = {min(columns, vectors), columns % vectors}
    trip = min(vectors, FINISHED_CELLS) if c.has_symbolic_rows else FINISHED_CELLS
    vectors_saved = sum(heights) * sum(widths) - trip * len(heights) * len(widths - {0})
    numbers, epilogue = numbers_of(c.target), operations_of(c.view.then, c.target)
    saved = vectors_saved * epilogue
    if c.has_symbolic_rows:
        cycles = steps / c.target.fma_ports + epilogue / numbers.chain_issues
        return saved * INSTRUCTION_COST * cycles >= numbers.store_cycles
    reads = epilogue * numbers.instruction_bytes / numbers.l2_rate
    fits = saved * numbers.instruction_bytes < CODE_SHARE * numbers.code_bytes
    return not fits and reads >= numbers.store_cycles


def sums_in_passes(
    script: Script, leaf: SSAValue, c: TiledContraction, axis: str, size: int
) -> SSAValue:
    """Split a reduction of symbolic rows into passes that share one innermost compute (leaf).

    The initial values are stored before the first pass, and a loop after the last pass applies the
    epilogue.  So each height of a register tile has one leaf, instead of a first, a middle and a
    last one.
    axis: the reduction axis.
    size: the elements of the axis per pass.
    Returns the handle of the leaf.
    """
    if c.view.then.blocks:
        leaf = finish_rows(script, leaf, c)
    init, leaf = script.decompose_reduction(leaf)
    _row_by_row(script, init, c)
    return script.split_reduction(leaf, axis, size)


def finish_rows(script: Script, leaf: SSAValue, c: TiledContraction) -> SSAValue:
    """Apply the epilogue to all rows of a panel in one loop after the tiles.

    Return the innermost compute (leaf) that sums.
    """
    leaf, finish = script.split_epilogue(leaf)
    _row_by_row(script, finish, c)
    return leaf


def _row_by_row(script: Script, leaf: SSAValue, c: TiledContraction) -> None:
    leaf, _ = script.tile(
        leaf, {**dict.fromkeys(c.rows, 1), c.vector_axis: FINISHED_CELLS * c.lanes}
    )
    script.vectorize(leaf, c.vector_axis, c.lanes)


def operations_of(body: Region, target: Target) -> int:
    """Return the number of instructions that compute a body for one vector."""
    ops = [op for op in body.block.ops if not isinstance(op, arith.ConstantOp)]
    return sum(instructions(op, target) for op in ops) - 1


def share_epilogue(
    script: Script, leaf: SSAValue, c: TiledContraction, vectors: int, heights: Collection[int]
) -> SSAValue:
    """Apply the epilogue of each register tile in a loop over the rows of the tile.

    vectors: the width of the widest tile, in vectors.
    heights: the heights of the tiles.
    Returns the handle of the innermost compute (leaf) that sums.
    """
    leaf, finish = script.split_epilogue(leaf)
    width = min(FINISHED_CELLS, vectors)
    tiles = dict.fromkeys(c.rows[-1:], divisor_at_most(gcd(*heights), FINISHED_CELLS // width))
    finish, _ = script.tile(finish, {**tiles, c.vector_axis: width * c.lanes})
    script.vectorize(finish, c.vector_axis, c.lanes)
    return leaf
