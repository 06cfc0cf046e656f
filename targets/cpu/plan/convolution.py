"""Schedules of direct convolutions over blocked channels.

In: a contraction over pixels, and its point (points/convolution.py).  Out: the steps of its
schedule.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from ....dialects.shape import Dim
from .contraction import TiledContraction, pack_weights, split_blocks, vectorize
from .epilogue import sums_in_passes
from .instruction import with_instruction
from .points.cheapest_convolution import convolution_choice
from .points.cheapest_dots import dot_choice
from .points.convolution import ConvolutionPoint, blocked_axis, in_passes
from .points.dot_products import DotPoint, DotProducts
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


def plan_dot_products(script: Script, leaf: SSAValue, dots: DotProducts) -> None:
    """Write the schedule of sums with vectors along the sum; ``leaf`` is the handle of its compute.

    If the elements of a vector of the image are not adjacent, tiles read a copy of the image in
    which they are.
    """
    point = script.choose(dot_choice(dots))
    copy: CreatedCompute | None = None
    rank = len(dots.view.inputs[dots.image].shape)
    if dots.stride > 1:
        copy, leaf = script.cache_read(leaf, dots.image, rank)
    loops: list[SSAValue] = []
    if dots.batch:
        leaf, loops = script.tile(leaf, dict.fromkeys(dots.batch, 1))
        loops = script.parallel_each(loops)
    if copy is not None:
        _copy_phases(script, copy, dots, loops, rank, point.lanes)
    if point.row_group:
        leaf, (loop,) = script.tile(leaf, {dots.rows: point.row_group}, even=[dots.rows])
        script.parallel(loop)
    if point.passes_outermost:
        leaf = _passes_of_dots(script, leaf, dots, point)
    if dots.others:
        leaf, loops = script.tile(leaf, dict.fromkeys(dots.others, 1))
        if not point.passes_outermost:
            script.parallel_each(loops)
    if not point.passes_outermost:
        leaf = _passes_of_dots(script, leaf, dots, point)
    tile = {dots.rows: point.tile.rows, dots.columns: point.tile.vectors}
    tile = {axis: size for axis, size in tile.items() if axis}
    if tile:
        leaf, _ = script.tile(leaf, tile, even=list(tile))
    script.vectorize(leaf, dots.axis, point.lanes, {dots.axis: 1})


def _passes_of_dots(script: Script, leaf: SSAValue, dots: DotProducts, point: DotPoint) -> SSAValue:
    for axis, size in dots.pass_sizes(point).items():
        leaf = script.split_reduction(leaf, axis, size)
    return leaf


def _copy_phases(
    script: Script,
    made: CreatedCompute,
    dots: DotProducts,
    loops: Sequence[SSAValue],
    rank: int,
    lanes: int,
) -> None:
    """Copy an image inside the last of some loops, so that every ``stride``-th element is adjacent.

    made: the copy.  rank: the number of dimensions of the image.
    """
    dims = [AffineExpr.dimension(d) for d in range(rank)]
    phases = (*dims[:-1], dims[-1] % dots.stride, dims[-1] // dots.stride)
    copy = script.relayout(made.handle, AffineMapAttr(AffineMap(rank, 0, phases)))
    if loops:
        copy = script.fuse_into(copy, loops[-1])
    copy, _ = script.tile(copy, {**dict.fromkeys(made.axes, 1), made.axes[-1]: dots.stride * lanes})
    script.vectorize(copy, made.axes[-1], lanes)


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
