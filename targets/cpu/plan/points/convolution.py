"""Points of direct convolutions: their space, and the point from which a search starts.

In: a contraction over pixels.  Out: a neutral point, the values to try for each field, and the
reason why a point is illegal.  cheapest_convolution.py searches the point of the fewest modelled
cycles, and convolution.py writes its schedule.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from math import ceil, prod

from .....analysis.patterns.contraction import slides
from .....analysis.strides import lane_stride
from .....dialects.shape import Dim
from .....passes.rewrite.sections import sections
from ..contraction import TiledContraction
from ..tiles import (
    CODE_COST,
    MOST_TERMS,
    NARROW_CODE_COST,
    NARROW_VECTORS,
    RegisterTile,
    block_of_sum,
    choose_register_tile,
    even_part,
)
from .choice import Axes, Choice, legal_axes

FEW_TILES = 4
"""A copy of weights pays if at least this many tiles of pixels read them."""

MOST_SYMBOLIC_ROWS = 8
"""The most rows of a block, if the height is symbolic, so that tasks of small images are even."""

PASSES, UNROLLS = (0, 1, 2, 4, 8, 16, 32), (1, 2, 4, 8)
"""Values to try: channel blocks per pass, and unrolled steps."""

MOST_UNROLLED = 160
"""Taps and channels up to which a search may unroll all steps of a sum."""


@dataclass(frozen=True)
class ConvolutionPoint:
    """The numbers of a direct convolution's schedule.

    tile: the register tile of pixels x vectors of channels.
    k_block: channel blocks per pass over the input channels (0: all).
    row_group: output rows per block (0: all).
    rows_outermost: whether loops over blocks of rows are outside those over groups of output
    channels.
    pass_major: whether groups of output channels are inside passes, and weights are stored pass by
    pass.
    both_parallel: whether a task is one block of rows of one group of channels.
    unroll_taps: whether all taps are in one basic block, for first layers.
    spread_prefetch: whether tiles of pixels prefetch the next pass's weights.
    unroll: steps of the innermost reduction axis per loop iteration.
    narrow_rows: rows of a tile if images of symbolic width are one pixel wide.
    copies: whether computed weights are copied for each group of channels.
    """

    tile: RegisterTile
    k_block: int = 0
    row_group: int = 0
    rows_outermost: bool = False
    pass_major: bool = False
    both_parallel: bool = False
    unroll_taps: bool = False
    spread_prefetch: bool = False
    unroll: int = 4
    narrow_rows: int = 1
    copies: bool = False


def blocked_axis(c: TiledContraction) -> str:
    """Return the axis of channel blocks; "" if channels are not blocked."""
    return c.reduced[0] if c.split_of(c.reduced[0]) is not None else ""


def _channel_blocks(c: TiledContraction) -> int:
    """Return the number of blocks of input channels; 0 if channels are not blocked."""
    axis = blocked_axis(c)
    return c.extent(axis) if axis else 0


def _taps(c: TiledContraction) -> int:
    return prod(c.extent(a) for a in c.reduced if c.split_of(a) is None)


def choice_of(
    c: TiledContraction, find: Callable[[], ConvolutionPoint]
) -> Choice[ConvolutionPoint]:
    """Return the choice among the points of a direct convolution, of which one is the plan's."""
    return Choice(c, find, partial(_axes, c), partial(_fault, c))


def neutral_point(c: TiledContraction) -> ConvolutionPoint:
    """Return the legal point from which the search for cheap points starts.

    All pixels of a group of channels are one task, which adds up sums in as few passes as
    MOST_TERMS allows.
    """
    tile = choose_register_tile(
        c.view.axes[c.rows[-1]],
        c.group,
        c.lanes,
        c.target,
        divides=c.group < c.columns,
        temporaries=c.temporaries,
        together=c.together,
        code_cost=CODE_COST if c.group > NARROW_VECTORS * c.lanes else NARROW_CODE_COST,
    )
    source, blocks = c.view.inputs[1 - c.vector_operand], _channel_blocks(c)
    in_blocks = blocks and c.sums_in_memory
    k_block = block_of_sum(blocks, _taps(c) * c.block_channels) if in_blocks else 0
    # Unrolled taps along a row would share scalars, but the sums leave no registers for them:
    # 24 -> 96 channels, stride 2, on 112 x 112: 2.4 -> 1.4 ms.
    shares = slides(c.view, source, c.reduced[-1]) and c.terms == 1
    # One step per iteration is as fast for symbolic rows: 64 to 8 channels of 1x1, and 64 to 64
    # of 3x3, on 7 x 9 to 80 x 80 pixels.
    unroll = 1 if shares or c.has_symbolic_rows else UNROLLS[-2]
    # When a layer runs, other layers have evicted its weights from the caches: ResNet-50 57.8 ->
    # 52.0 ms by prefetches.  Without them 64 to 512 channels on 4 to 56 symbolic pixels are as
    # fast, with less code.
    spreads = c.packs and blocks > 0 and not c.has_symbolic_rows
    point = ConvolutionPoint(tile, k_block=k_block, spread_prefetch=spreads, unroll=unroll)
    return replace(point, copies=not c.packs and _are_apart(c, point))


def rows_of_narrow_images(c: TiledContraction, point: ConvolutionPoint) -> int:
    """Return the rows of a tile for images one pixel wide; 1 if wider images have the same tiles.

    A tile of one pixel has too few accumulators to hide the latency of multiply-adds, and reads all
    weights of a pass, which L1 does not hold.  128 to 256 channels of 3x3, stride 2, on 28 x 2
    pixels: 103 -> 58 us (Zen 4).
    """
    column, width = c.view.axes[c.rows[-1]], point.tile.vectors * c.lanes
    if point.rows_outermost or point.row_group:
        return 1
    tile_rows = ceil(c.target.fma_latency * c.target.fma_ports / point.tile.vectors)
    if not isinstance(column, Dim) or point.tile.rows < tile_rows or c.columns % width:
        return 1
    panel_bytes, blocks = c.steps * width * c.step_bytes, c.extent(c.reduced[0])
    if point.k_block:
        panel_bytes = panel_bytes * point.k_block // blocks
    has_one_leaf = not point.k_block or blocks % point.k_block == 0
    is_narrow = sections(column, point.tile.rows, even=True)[-1].size == 1
    return tile_rows if has_one_leaf and is_narrow and panel_bytes > c.target.l1_bytes else 1


def _are_apart(c: TiledContraction, point: ConvolutionPoint) -> bool:
    access = c.view.inputs[c.vector_operand]
    row, column = c.rows[-2:]
    rows = point.row_group if point.rows_outermost else 0
    pixels = (rows or c.likely_extent(row)) * c.likely_extent(column)
    is_read_again = pixels >= FEW_TILES * point.tile.rows
    return is_read_again and lane_stride(c.view, access, c.vector_axis, c.lanes) not in (0, 1)


def in_passes(c: TiledContraction, point: ConvolutionPoint) -> bool:
    """Return whether the channel blocks are processed in several passes."""
    return 0 < point.k_block < _channel_blocks(c)


def _axes(c: TiledContraction, default: ConvolutionPoint, point: ConvolutionPoint) -> Axes:
    height = c.likely_extent(c.rows[-2])
    groups = sorted({even_part(height, n) for n in range(1, height)}) if height > 1 else []
    values: Axes = {
        "tile": c.fitting_tiles,
        "k_block": PASSES,
        "row_group": (0, *groups),
        "rows_outermost": (False, True),
        "pass_major": (False, True),
        "both_parallel": (False, True),
        "unroll_taps": (False, True),
        "spread_prefetch": (False, True),
        "unroll": UNROLLS,
        "copies": (False, True),
    }
    return legal_axes(point, default, values, partial(_fault, c, default))


def _fault(c: TiledContraction, default: ConvolutionPoint, point: ConvolutionPoint) -> str:
    """Return the reason why a point is illegal, as a sentence; "" for a legal point.

    default: the point of the rules, whose tile, passes and sums are always legal.
    """
    blocks, source = _channel_blocks(c), c.view.inputs[1 - c.vector_operand]
    shares_pixels = slides(c.view, source, c.reduced[-1]) and c.terms == 1
    longest = max(MOST_TERMS, _longest_sum(c, default))
    tile, default_tile = point.tile, default.tile
    faults = {
        "the register tile does not fit in the registers": tile != default_tile
        and tile not in c.fitting_tiles,
        "passes consist of blocks of channels, fewer than all": not 0
        <= point.k_block
        < max(blocks, 1)
        and point.k_block != default.k_block,
        "the output cannot hold sums between passes": point.k_block > 0 and not c.sums_in_memory,
        "fixed sums have one size of passes": c.target.fixed_sums
        and point.k_block != default.k_block,
        "a sum has too many terms for one accumulator": _longest_sum(c, point) > longest,
        "weights by passes need passes in blocks of rows": point.pass_major
        and not (point.rows_outermost and in_passes(c, point)),
        "tasks of rows and channels need two loops of tasks": point.both_parallel
        and (point.pass_major or not (point.row_group or point.rows_outermost)),
        "too many steps to unroll": point.unroll_taps
        and not default.unroll_taps
        and (c.has_symbolic_rows or c.steps > MOST_UNROLLED),
        "only packed weights in blocks are prefetched": point.spread_prefetch
        and not (c.packs and blocks),
        "steps that share pixels leave no registers": point.unroll > 1 and shares_pixels,
        "the processor has a limit of unrolled steps": point.unroll != default.unroll
        and point.unroll > c.target.unrolled_steps,
        "weights are not copied": point.copies and c.packs,
        "tiles of narrow images are for symbolic widths": point.narrow_rows != default.narrow_rows,
    }
    return next((reason for reason, is_true in faults.items() if is_true), "")


def _longest_sum(c: TiledContraction, point: ConvolutionPoint) -> int:
    """Return the most terms that one accumulator adds up between two stores."""
    terms = prod(c.extent(a) for a in c.reduced)
    return terms // _channel_blocks(c) * point.k_block if in_passes(c, point) else terms
