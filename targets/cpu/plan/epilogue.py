"""Epilogues in loops: rule R29.

A register tile with an epilogue in its leaf repeats the epilogue's code for each of its cells, in
each of its heights and widths: GELU is 40 instructions for each of 24 cells, and tiles of symbolic
rows have 8 heights.  R29: if that is much code, the leaf stores raw sums, and a loop over the rows
of the tile finishes them while they are in L1; if the sums are short, storing and loading them
would take too long.  Tiles of symbolic rows have one loop behind all heights, over all rows of the
panel: 768 x 768 with tanh, 31 -> 11 KB at equal speed for 1 to 512 rows (Zen 4).
"""

from __future__ import annotations

from collections.abc import Collection
from math import gcd

from xdsl.dialects import arith
from xdsl.ir import Region, SSAValue

from ....lowering.loop_to_llvm.math_table import instructions
from ....support.target import Target
from .contraction import Contraction
from .script import Script
from .tiles import divisor_at_most

MUCH_CODE = 2048
"""Instructions of repeated epilogues from which on a loop finishes the sums.

They fill half an instruction cache of 32 KiB; below, the loop costs 1-2 % (128 x 768 x 3072 with
GELU, Ice Lake) and saves only code.
"""

MUCH_REPEATED_CODE = 128
"""The same for symbolic rows, whose tiles have many heights: code and compile time count."""

MUCH_SHORT_CODE = 512
"""The same for short sums of symbolic rows, which take longer with the loop."""

FINISHED_CELLS = 4
"""Vectors that one trip of the loop finishes; they hide the latency of their chains.  With fewer of
them LLVM keeps the constants of a polynomial in registers around the sums, which then do not fit:
1152 x 48 with SiLU took 2.4 times as long with one vector per trip."""

MEMORY_CYCLES = 2.0
"""Cycles to store a vector of sums to L1 and to load it again."""

MOST_LOSS = 0.01
"""Largest part of the reduction's cycles that storing and loading its sums may take."""

MOST_SYMBOLIC_LOSS = 0.2
"""The same part of reduction and epilogue for symbolic rows, if the loop saves much code: a product
of 32 x 8 with SiLU had 88 KB without the loop."""

INSTRUCTIONS_PER_CYCLE = 2.0
"""Of an epilogue, whose chains of operations overlap."""


def shares_epilogue(c: Contraction, vectors: int, heights: Collection[int], steps: int) -> bool:
    """R29: return whether a loop finishes the sums of register tiles with these heights.

    vectors: width of the widest tile.  steps: terms of a sum.
    """
    output = c.view.outputs[0]
    if not c.view.then.blocks or not c.sums_in_memory or output.clip is not None:
        return False
    columns = -(-c.columns // c.lanes)
    widths = {min(columns, vectors), columns % vectors}
    trip = min(vectors, FINISHED_CELLS) if c.has_symbolic_rows else FINISHED_CELLS
    saved = sum(heights) * sum(widths) - trip * len(heights) * len(widths - {0})
    sum_cycles = steps / c.target.fma_ports
    least = MUCH_REPEATED_CODE if c.has_symbolic_rows else MUCH_CODE
    if MOST_LOSS * sum_cycles >= MEMORY_CYCLES:
        return saved * _epilogue(c) >= least
    # Short sums of symbolic rows: a long epilogue takes most of the time.
    cycles = sum_cycles + _epilogue(c) / INSTRUCTIONS_PER_CYCLE
    suffices = MOST_SYMBOLIC_LOSS * cycles >= MEMORY_CYCLES
    return c.has_symbolic_rows and suffices and saved * _epilogue(c) >= MUCH_SHORT_CODE


def sums_in_passes(
    script: Script, leaf: SSAValue, c: Contraction, axis: str, size: int
) -> SSAValue:
    """Split a reduction of symbolic rows into passes with one leaf; return the leaf.

    The first pass adds to stored initial values, and a loop behind the last one finishes the sums,
    so that each height has one leaf, not a first, a middle and a last one.
    """
    if c.view.then.blocks:
        leaf = finish_rows(script, leaf, c)
    init, leaf = script.decompose_reduction(leaf)
    _row_by_row(script, init, c)
    return script.split_reduction(leaf, axis, size)


def finish_rows(script: Script, leaf: SSAValue, c: Contraction) -> SSAValue:
    """Finish the sums of all rows of a panel in one loop, behind the tiles; return the leaf."""
    leaf, finish = script.split_epilogue(leaf)
    _row_by_row(script, finish, c)
    return leaf


def _row_by_row(script: Script, leaf: SSAValue, c: Contraction) -> None:
    leaf, _ = script.tile(
        leaf, {**dict.fromkeys(c.rows, 1), c.vector_axis: FINISHED_CELLS * c.lanes}
    )
    script.vectorize(leaf, c.vector_axis, c.lanes)


def _epilogue(c: Contraction) -> int:
    """Return the instructions that finish one vector of sums."""
    return operations_of(c.view.then, c.target)


def operations_of(body: Region, target: Target) -> int:
    """Return the instructions that compute a body for one vector."""
    ops = [op for op in body.block.ops if not isinstance(op, arith.ConstantOp)]
    return sum(instructions(op, target) for op in ops) - 1


def share_epilogue(
    script: Script, leaf: SSAValue, c: Contraction, vectors: int, heights: Collection[int]
) -> SSAValue:
    """Finish the sums of each register tile in a loop over its rows; return the leaf."""
    leaf, finish = script.split_epilogue(leaf)
    width = min(FINISHED_CELLS, vectors)
    tiles = dict.fromkeys(c.rows[-1:], divisor_at_most(gcd(*heights), FINISHED_CELLS // width))
    finish, _ = script.tile(finish, {**tiles, c.vector_axis: width * c.lanes})
    script.vectorize(finish, c.vector_axis, c.lanes)
    return leaf
