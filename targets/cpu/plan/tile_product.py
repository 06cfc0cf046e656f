"""Schedules of matrix products by tile instructions (AMX).

If an instruction on tiles (targets/cpu/instructions/tile_intrinsics.py) defines a matrix product,
blocks of 2 x 2 tiles compute the product, and their sums stay in tile registers through the
reduction: four loads feed four products, of 16 cycles each.  The right operand is packed in panels
of two tiles, as for vector instructions (instruction.py), which compute the rows and columns that
do not fill a tile; a computed operand is packed by each task, for its panel.  Sums go through a
block in L1, to which a loop over rows applies the epilogue, or directly to a result that can hold
sums.
A panel is reused for a block of rows that stays in L2.  Symbolic rows have blocks of 2 tiles, then
a block of a single tile, and at their end another such block, which computes rows of the tile
before it again; less than 16 rows are left to vectors.  So the tile registers have one
configuration for any number of rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil, prod

from xdsl.ir import SSAValue

from ....analysis.patterns.intrinsics import PatternMismatch, match_bodies
from ....analysis.strides import axis_stride
from ....dialects.shape import Dim
from ....dialects.te import IntrinsicOp
from ....machines.cpu_numbers import AMX
from ....passes.rewrite.sections import sections
from ...library.plans import has_features
from ..instructions.intrinsics import make_intrinsic
from ..instructions.tile_intrinsics import DEPTH, LANES, ROWS, TILE_INTRINSICS, tile_name
from .contraction import (
    TiledContraction,
    pack_groups,
    pack_weights,
    terms_of,
    vectorize,
)
from .script import CreatedCompute, Script
from .tile_costs import block_cycles, vector_cycles
from .tiles import divisor_at_most, fits_registers

TILES = 2
"""Tiles along the rows and along the columns of a block."""

MOST_ROWS, UNROLL = 16, 4
"""Rows of a register tile, and steps per loop iteration, for rows and columns that fill no tile."""

FEW_ROWS = 8
"""Rows of a register tile where a symbolic number of rows fills no tile of 16."""

MANY_TASKS = 16
"""Outer loops with this many iterations need no parallel inner loops."""


@dataclass(frozen=True)
class TilePlan:
    """The tile instruction of a product, and the sizes of its blocks.

    intrinsic: the name of the instruction.
    rows: the number of rows of a block, which has one or two tiles along the rows.
    block: the number of rows for which a panel of the right operand is reused at a time; 0: all
    rows.
    """

    intrinsic: str
    rows: int
    block: int


def plan_tiles(c: TiledContraction) -> TilePlan | None:
    """Choose the tiles of a product; None if vector instructions are as fast, or no tile fits.

    Before: the contraction has its vector instruction, if the target has one that fits.
    """
    if c.instruction is None or c.has_pixels or c.lanes != LANES:
        return None
    name, feature = tile_instruction(c) or ("", "")
    if not name or c.splits or len(c.reduced) != 1 or not c.rows or c.columns < LANES * TILES:
        return None
    depth = max(d for d in range(1, DEPTH + 1) if c.steps % d == 0)
    height, scalars = c.likely_extent(c.rows[-1]), c.view.inputs[1 - c.vector_operand]
    plain = axis_stride(scalars, c.rows[-1]), axis_stride(scalars, c.reduced[0])
    if height < ROWS or plain[0] in (None, 0) or plain[1] != 1:
        return None
    # Blocks of one tile leave fewer rows to vectors, and read panels twice as often.
    rows = TILES * ROWS if height % (TILES * ROWS) < ROWS else ROWS
    is_dynamic = isinstance(c.view.axes[c.rows[-1]], Dim)
    vectors = vector_cycles(height, c.columns, c.steps, LANES, feature)
    if _cycles(c, rows, depth, feature) >= vectors:
        return None
    block = 0 if is_dynamic or not c.packs else _row_block(c, height, rows)
    return TilePlan(tile_name(name, depth=depth), TILES * ROWS if is_dynamic else rows, block)


def _cycles(c: TiledContraction, rows: int, depth: int, feature: str) -> float:
    """Return the cycles of a product in blocks of ``rows`` rows; each panel is a task.

    depth: groups of terms in one tile product.
    feature: the CPU feature of the tile instruction.
    """
    height, (panels, rest) = c.likely_extent(c.rows[-1]), divmod(c.columns, TILES * LANES)
    blocks, few = divmod(height, rows)
    one = block_cycles(ROWS, rows // ROWS, TILES, depth, c.steps // depth)
    cycles = panels * (AMX.configuration + blocks * one)
    cycles += vector_cycles(few, panels * TILES * LANES, c.steps, LANES, feature)
    return cycles + vector_cycles(height, rest, c.steps, LANES, feature)


def _row_block(c: TiledContraction, height: int, rows: int) -> int:
    """Return the number of rows for which a panel of the right operand is reused at a time.

    height: the number of all rows.  rows: the rows of a block of tiles, of which the result is a
    multiple.  The left operand's part of these rows fills 3/8 of L2.  0, all rows, if the whole
    left operand stays in L2.
    """
    row_bytes = c.extent(c.reduced[0]) * c.element_bytes
    if height * row_bytes <= c.target.l2_bytes * 7 // 8:
        return 0
    return max(rows, c.target.l2_bytes * 3 // 8 // row_bytes // rows * rows)


def plan_tile_product(
    script: Script, leaf: SSAValue, c: TiledContraction, plan: TilePlan, *, parallel: bool
) -> None:
    """Write the schedule of a matrix product by tile instructions.

    leaf: the handle of the product.
    plan: its tiles.
    parallel: whether outer loops are tasks.
    """
    width, outer = TILES * LANES, (*c.batch, *c.rows[:-1])
    copy: CreatedCompute | None = None
    if c.packs:
        leaf = pack_weights(script, leaf, c, width, 0)
    else:
        rank = len(c.view.inputs[c.vector_operand].dims)
        copy, leaf = script.cache_read(leaf, c.vector_operand, rank)
    rest = c.columns % width
    if copy is None and rest:
        leaf, _ = script.tile(leaf, {c.vector_axis: c.columns - rest})
        leaf, last = script.split_handle(leaf, last=1)
        if outer:
            last, _ = script.tile(last, dict.fromkeys(outer, 1))
        finish_by_vectors(script, last, c, rest)
    tasks = prod(c.likely_extent(axis) for axis in outer)
    if outer:
        leaf, loops = script.tile(leaf, dict.fromkeys(outer, 1))
        _share(script, loops, parallel=parallel)
    if plan.block:
        leaf, loops = script.tile(leaf, {c.rows[-1]: plan.block})
        _share(script, loops, parallel=parallel)
        tasks *= ceil(c.extent(c.rows[-1]) / plan.block)
    leaf, loops = script.tile(leaf, {c.vector_axis: width})
    if parallel and tasks < MANY_TASKS:
        loops = script.parallel_each(loops)
    if copy is not None:
        pack_groups(script, copy, c, width, script.fuse_into(copy.handle, loops[0]))
        if rest:
            leaf, last = script.split_handle(leaf, last=1)
            finish_by_vectors(script, last, c, rest)
    _plan_rows(script, leaf, c, plan)


def _plan_rows(script: Script, leaf: SSAValue, c: TiledContraction, plan: TilePlan) -> None:
    rows = c.view.axes[c.rows[-1]]
    if isinstance(rows, Dim):
        leaf, _ = script.tile(leaf, {c.rows[-1]: plan.rows}, rest=ROWS, few=FEW_ROWS)
        tiles = sections(rows, plan.rows, rest=ROWS, few=FEW_ROWS)
        if few := sum(run.size not in (plan.rows, ROWS) for run in tiles):
            leaf, last = script.split_handle(leaf, last=few)
            _use_vectors(script, last, c)
    else:
        leaf, _ = script.tile(leaf, {c.rows[-1]: plan.rows})
        if rows % plan.rows:
            leaf, last = script.split_handle(leaf, last=1)
            finish_by_vectors(script, last, c, TILES * LANES)
    store_tiles(script, leaf, c, plan.intrinsic)


def store_tiles(script: Script, leaf: SSAValue, c: TiledContraction, intrinsic: str) -> None:
    """Compute a leaf (innermost compute) of a few tiles by the instruction; apply the epilogue.

    intrinsic: the name of the instruction.  If there is an epilogue, or the result cannot hold
    sums, the sums go to a local buffer, and a loop over its rows finishes them.
    """
    output, pixels = c.view.outputs[0], c.rows[-2:] if c.has_pixels else c.rows[-1:]
    if c.view.then.blocks or not c.sums_in_memory or output.clip is not None:
        stored = [a for e in output.indices or () for a in e.variables() if isinstance(a, str)]
        rows = [a for a in dict.fromkeys(stored) if a != c.vector_axis]
        axes = [*rows, c.vector_axis] if stored[-1:] != stored[:1] and c.has_pixels else []
        leaf, finish = script.cache_write(leaf, sums=True, axes=axes)
        finish, _ = script.tile(finish, dict.fromkeys(pixels, 1))
        script.vectorize(finish, c.vector_axis, c.lanes)
    script.tensorize(leaf, intrinsic, c.vector_axis, {})


def _share(script: Script, loops: Sequence[SSAValue], *, parallel: bool) -> None:
    for loop in loops if parallel else ():
        script.parallel(loop)


def finish_by_vectors(script: Script, leaf: SSAValue, c: TiledContraction, columns: int) -> None:
    """Compute rows or columns that do not fill a tile by the vector instruction.

    leaf: the innermost compute.
    columns: the number of its columns.
    """
    vectors = ceil(columns / c.lanes)
    rows = max(
        n
        for n in range(1, MOST_ROWS + 1)
        if n == 1 or fits_registers(n, vectors, c.target, temporaries=c.temporaries)
    )
    pixels = dict.fromkeys(c.rows[-2:-1] if c.has_pixels else (), 1)
    leaf, _ = script.tile(leaf, {**pixels, c.rows[-1]: rows}, even=[c.rows[-1]])
    _use_vectors(script, leaf, c)


def _use_vectors(script: Script, leaf: SSAValue, c: TiledContraction) -> None:
    axis = c.reduced[-1]
    unrolls = {axis: divisor_at_most(c.extent(axis) // c.terms, UNROLL)}
    vectorize(script, leaf, c, unrolls, 0)


def tile_instruction(c: TiledContraction) -> tuple[str, str] | None:
    """Return the target's tile instruction for a contraction, as (name, CPU feature that it needs).

    None if the target has no such instruction.  Before: ``c.instruction`` is the vector instruction
    for the contraction; the tile instruction must add up equally many terms per element.
    """
    assert c.instruction is not None, "the contraction has an instruction of vectors"
    for instruction in _all():
        is_there = has_features(c.target, instruction)
        if is_there and _group_terms(instruction) == terms_of(c.instruction):
            definition = instruction.compute.view()
            if not isinstance(match_bodies(definition, c.view), PatternMismatch):
                return instruction.label, instruction.features.data[-1].data
    return None


def _group_terms(instruction: IntrinsicOp) -> int:
    """Return the terms per group (four bytes of a row) of a tile instruction."""
    definition = instruction.compute.view()
    return definition.extents[definition.reduced_axes()[-1]]


@cache
def _all() -> tuple[IntrinsicOp, ...]:
    return tuple(make_intrinsic(name) for name in TILE_INTRINSICS)
