"""Schedules of direct convolutions over blocked channels.

In: a contraction over pixels, and its point (points/convolution.py).  Out: the steps of its
schedule.
"""

from __future__ import annotations

from math import prod

from xdsl.ir import SSAValue

from ....dialects.shape import Dim
from .contraction import TiledContraction, pack_weights, split_blocks, vectorize
from .epilogue import sums_in_passes
from .instruction import with_instruction
from .points.cheapest_convolution import convolution_choice
from .points.convolution import ConvolutionPoint, blocked_axis, in_passes
from .script import CreatedCompute, Script
from .tile_convolution import plan_pixel_tiles, plan_tile_convolution
from .tiles import divisor_at_most


def plan_convolution(script: Script, leaf: SSAValue, c: TiledContraction) -> None:
    """Write the schedule of a direct convolution; ``leaf`` is the handle of its compute."""
    c = with_instruction(c)
    if (tiles := plan_pixel_tiles(c)) is not None:
        plan_tile_convolution(script, leaf, c, tiles)
    else:
        _write(script, leaf, c, script.choose(convolution_choice(c)))


def _write(script: Script, leaf: SSAValue, c: TiledContraction, point: ConvolutionPoint) -> None:
    blocked, width = blocked_axis(c), point.tile.vectors * c.lanes
    if c.packs:
        is_whole = in_passes(c, point) and c.extent(blocked) % point.k_block == 0
        outer = point.k_block * c.step(blocked) if point.pass_major and is_whole else 0
        leaf = pack_weights(script, leaf, c, width, outer)
    leaf = split_blocks(script, leaf, c)
    weights: CreatedCompute | None = None
    if point.copies:
        rank = len(c.view.inputs[c.vector_operand].shape)
        weights, leaf = script.cache_read(leaf, c.vector_operand, rank)
    outer_rows = (*c.batch, *c.rows[:-2])
    if outer_rows:
        leaf, loops = script.tile(leaf, dict.fromkeys(outer_rows, 1))
        script.parallel_each(loops)
    leaves, channels = _convolution_loops(script, leaf, c, point, width, blocked)
    if weights is not None:
        _pack_computed_weights(script, weights, c, channels)
    inner = c.reduced[-1]
    unrolls = {inner: divisor_at_most(c.extent(inner) // c.terms, point.unroll)}
    if point.unroll_taps:
        unrolls = {a: 0 for a in c.reduced if c.extent(a) > 1}
    steps = prod(c.extent(a) for a in c.reduced)
    if in_passes(c, point):
        steps = steps // c.extent(blocked) * point.k_block
    prefetch = steps * width if point.spread_prefetch else 0
    for leaf in leaves:
        vectorize(script, leaf, c, unrolls, prefetch, spread=True)


def _convolution_loops(
    script: Script,
    leaf: SSAValue,
    c: TiledContraction,
    point: ConvolutionPoint,
    width: int,
    blocked: str,
) -> tuple[list[SSAValue], SSAValue]:
    """Write the loops of a direct convolution.

    leaf: the handle of the convolution.
    point: the numbers of the schedule.
    width: columns of a register tile.
    blocked: the axis of channel blocks, or empty.
    Returns the innermost computes (leaves), and the loop over groups of channels.
    """
    row, column = c.rows[-2], c.rows[-1]
    height = c.likely_extent(row)
    even, whole = ([], [row]) if isinstance(c.view.axes[row], Dim) else ([row], [])
    group = point.row_group if 0 < point.row_group < height else 0
    channels = {c.vector_axis: width}
    pixels = {row: 1, column: point.tile.rows}

    def passes(inside: SSAValue) -> SSAValue:
        if not in_passes(c, point):
            return inside
        if c.has_symbolic_rows:
            return sums_in_passes(script, inside, c, blocked, point.k_block)
        return script.split_reduction(inside, blocked, point.k_block)

    if point.rows_outermost:
        leaf, loops = script.tile(leaf, {row: group or height}, even=even, whole=whole)
        script.parallel(loops[0])
        if point.pass_major:
            leaf = passes(leaf)
            leaf, (loop,) = script.tile(leaf, channels)
        else:
            leaf, (loop,) = script.tile(leaf, channels)
            if point.both_parallel:
                loop = script.parallel(loop)
            leaf = passes(leaf)
    else:
        leaf, (loop,) = script.tile(leaf, channels)
        loop = script.parallel(loop)
        if group and whole and not in_passes(c, point):
            # Tiles of single rows, in blocks, so that the code needs no tiles for a remainder.
            leaf, groups = script.tile(leaf, {row: 1}, even=[row], chunk=group)
            if point.both_parallel:
                script.parallel(groups[0])
            leaf, _ = script.tile(leaf, {column: point.tile.rows}, even=[column])
            return [leaf], loop
        if group:
            leaf, groups = script.tile(leaf, {row: group}, even=even, whole=whole)
            if point.both_parallel:
                script.parallel(groups[0])
        leaf = passes(leaf)
    if point.narrow_rows > 1:
        leaf, _ = script.tile(leaf, {column: point.tile.rows}, even=[column])
        # Only images one pixel wide have even tiles of one pixel.
        wide, narrow = script.split_handle(leaf, 1)
        wide, _ = script.tile(wide, {row: 1})
        narrow, _ = script.tile(narrow, {row: point.narrow_rows}, even=[row])
        return [wide, narrow], loop
    leaf, _ = script.tile(leaf, pixels, even=[column])
    return [leaf], loop


def _pack_computed_weights(
    script: Script, made: CreatedCompute, c: TiledContraction, channels: SSAValue
) -> None:
    """Copy computed weights for a group of channels, with the channels innermost.

    made: the compute that copies.
    channels: the loop over groups of channels. 256 channels 3x3 in two groups on 32 x 32: 68 -> 95
    GFLOP/s.
    """
    indices = c.view.inputs[c.vector_operand].indices or []
    column = max(d for d, e in enumerate(indices) if c.vector_axis in set(e.variables()))
    copy = script.fuse_into(made.handle, channels)
    copy = script.store_last(copy, len(indices), column)
    sizes = {**dict.fromkeys(made.axes, 1), made.axes[column]: c.lanes}
    copy, _ = script.tile(copy, sizes)
    script.vectorize(copy, made.axes[column], c.lanes)
