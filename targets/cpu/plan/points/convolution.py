"""Points of direct convolutions: rules R1, R9-R15, R23 and R24 of cpu-plan, and their space.

In: a contraction over pixels.  Out: the point of the rules, the values to try for each field, and
the reason why a point is illegal.  convolution.py writes the schedule of a point.

Rule R23: when a layer runs, other layers have evicted its weights from the caches, and a small
feature map uses each weight for few cycles only.  So each tile of pixels in a pass prefetches a
part of the next pass's weights.  Effect on one AVX-512 thread with a peak of 171 GFLOP/s: ResNet-50
57.8 -> 52.0 ms; 1x1 512 -> 2048 on 7x7 72 -> 92 % of the peak.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from math import ceil, prod

from .....analysis.patterns.contraction import slides
from .....analysis.patterns.sharing import element_bytes
from .....analysis.strides import lane_stride
from .....dialects.shape import Dim, likely, multiple_of
from .....machines.cpu_numbers import numbers_of
from .....machines.target import Target
from .....passes.rewrite.sections import sections
from ..contraction import TiledContraction
from ..tiles import (
    BLOCK_TERMS,
    CODE_COST,
    MAX_UNEVENNESS,
    MOST_TERMS,
    NARROW_CODE_COST,
    NARROW_VECTORS,
    RegisterTile,
    block_of_sum,
    choose_register_tile,
    divisor_at_most,
    even_part,
    unevenness,
)
from .choice import Axes, Choice, legal_axes

FEW_TILES = 4
"""R8: a copy of weights pays if at least this many tiles of pixels read them."""

MAX_FIRST_LAYER_STEPS = 32
"""R15: with at most this many reduction steps all taps are unrolled, unless their factors need more
registers than there are: in V8 a loop is twice as fast (3 to 32 channels, 3x3, stride 2, on 112 x
112: 0.22 ms); on armv7 a loop has 2.3 instructions per multiply-add, unrolled taps have 7."""

TASK_RATE = 32
"""R21: operations per cycle that determine the fewest operations of a task."""

SYMBOLIC_UNROLL = 1
"""R3: reduction steps per loop iteration for symbolic rows, as fast as four steps: 64 to 8 channels
of 1x1, and 64 to 64 of 3x3, on 7 x 9 to 80 x 80 pixels."""

MOST_SYMBOLIC_ROWS = 8
"""R14: most rows of a block, if the height is symbolic; tasks stay even for small heights."""

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


def least_task_flops(target: Target) -> int:
    """Return the fewest operations of a parallel task."""
    return TASK_RATE * numbers_of(target).task_cycles


def blocked_axis(c: TiledContraction) -> str:
    """Return the axis of channel blocks; "" if channels are not blocked."""
    return c.reduced[0] if c.split_of(c.reduced[0]) is not None else ""


def _channel_blocks(c: TiledContraction) -> int:
    """Return the number of blocks of input channels; 0 if channels are not blocked."""
    axis = blocked_axis(c)
    return c.extent(axis) if axis else 0


def _taps(c: TiledContraction) -> int:
    return prod(c.extent(a) for a in c.reduced if c.split_of(a) is None)


def choice_of(c: TiledContraction, default: ConvolutionPoint) -> Choice[ConvolutionPoint]:
    """Return the choice among the points of a direct convolution, of which one is the plan's."""
    return Choice(c, default, partial(_axes, c, default), partial(_fault, c, default))


def first_point(c: TiledContraction) -> ConvolutionPoint:
    """Return the point of the rules, from which the search for a cheaper one starts."""
    source = c.view.inputs[1 - c.vector_operand]
    point = _in_fixed_blocks(
        c,
        convolution_numbers(
            c,
            taps=_taps(c),
            channel_blocks=_channel_blocks(c),
            source_bytes=prod(map(likely, source.extents)) * element_bytes(source.type),
        ),
    )
    # Unrolled taps along a row would share scalars, but the sums leave no registers for them:
    # 24 -> 96 channels, stride 2, on 112 x 112: 2.4 -> 1.4 ms.
    if slides(c.view, source, c.reduced[-1]) and c.terms == 1:
        point = replace(point, unroll=1)
    elif c.has_symbolic_rows:
        point = replace(point, unroll=SYMBOLIC_UNROLL)
    if not c.sums_in_memory:
        point = replace(point, k_block=0, pass_major=False)
    return replace(point, copies=not c.packs and _are_apart(c, point))


def convolution_numbers(
    c: TiledContraction, *, taps: int, channel_blocks: int, source_bytes: int
) -> ConvolutionPoint:
    """Choose the numbers of a direct convolution's schedule.

    taps: the number of taps of the window.
    channel_blocks: blocks of input channels; 0 if channels are not blocked.
    source_bytes: size of the input.
    """
    height, width = c.likely_extent(c.rows[-2]), c.likely_extent(c.rows[-1])
    tile = choose_register_tile(
        c.view.axes[c.rows[-1]],
        c.group,
        c.lanes,
        c.target,
        divides=c.group < c.columns,
        rest_cost=0.02,
        temporaries=c.temporaries,
        together=c.together,
        code_cost=CODE_COST if c.group > NARROW_VECTORS * c.lanes else NARROW_CODE_COST,
    )
    # R23: without prefetches 64 to 512 channels on 4 to 56 symbolic pixels are as fast, with less
    # code.
    spreads = c.packs and channel_blocks > 0 and not c.has_symbolic_rows
    point = ConvolutionPoint(tile, spread_prefetch=spreads)
    if not channel_blocks:
        point = _first_layer_numbers(c, point)
    elif taps == 1:
        point = _pointwise_numbers(c, point, channel_blocks, source_bytes, height, width)
    else:
        point = _spatial_numbers(c, point, channel_blocks, source_bytes, taps, height, width)
    if c.has_symbolic_rows:
        return _with_dynamic_tasks(c, point, height)
    return _with_even_tasks(c, point, height, width)


def _with_dynamic_tasks(
    c: TiledContraction, point: ConvolutionPoint, height: int
) -> ConvolutionPoint:
    """Choose the rows of a block for images of symbolic height; return the point with this number.

    height: a likely number of rows of the result.

    All rows are one block if that still leaves tasks: the groups of channels must balance the
    threads. This is only done if the reduction has several passes, or the plan has tiles for images
    one pixel wide: it halves the code, and the weights are read once (512 to 512 channels of 3x3).

    Otherwise a block has a power of two of rows, for few remainders.  The number is so small that
    the tasks balance the threads even for the least height, a known divisor of the height.
    """
    channel_groups = -(-c.columns // (point.tile.vectors * c.lanes))
    if not point.rows_outermost and unevenness(channel_groups, c.target) <= MAX_UNEVENNESS:
        narrow_rows = _rows_of_narrow_images(c, point)
        if point.k_block or narrow_rows > 1:
            return replace(point, row_group=0, narrow_rows=narrow_rows)
    most = min(point.row_group or height, MOST_SYMBOLIC_ROWS)
    least = multiple_of(c.view.axes[c.rows[-2]])
    tasks = 1 if point.rows_outermost else channel_groups
    groups = [1 << k for k in range(most.bit_length())]
    group = min(
        groups,
        key=lambda n: (max(MAX_UNEVENNESS, unevenness(tasks * ceil(least / n), c.target)), -n),
    )
    return replace(point, row_group=group, both_parallel=not point.pass_major)


def _rows_of_narrow_images(c: TiledContraction, point: ConvolutionPoint) -> int:
    """Return the rows of a tile for images one pixel wide; 1 if wider images have the same tiles.

    A tile of one pixel has too few accumulators to hide the latency of multiply-adds, and reads all
    weights of a pass, which L1 does not hold.  128 to 256 channels of 3x3, stride 2, on 28 x 2
    pixels: 103 -> 58 us (Zen 4).
    """
    column, width = c.view.axes[c.rows[-1]], point.tile.vectors * c.lanes
    tile_rows = ceil(c.target.fma_latency * c.target.fma_ports / point.tile.vectors)
    if not isinstance(column, Dim) or point.tile.rows < tile_rows or c.columns % width:
        return 1
    panel_bytes, blocks = c.steps * width * c.step_bytes, c.extent(c.reduced[0])
    if point.k_block:
        panel_bytes = panel_bytes * point.k_block // blocks
    has_one_leaf = not point.k_block or blocks % point.k_block == 0
    is_narrow = sections(column, point.tile.rows, even=True)[-1].size == 1
    return tile_rows if has_one_leaf and is_narrow and panel_bytes > c.target.l1_bytes else 1


def _first_layer_numbers(c: TiledContraction, point: ConvolutionPoint) -> ConvolutionPoint:
    steps = prod(c.extent(a) for a in c.reduced)
    if steps > MAX_FIRST_LAYER_STEPS or not c.target.unrolls_first_layers:
        return point
    # R15: at most a quarter as many rows as registers, so that adjacent pixels share loads.
    rows = min(point.tile.rows, c.target.vector_registers // 4)
    small = RegisterTile(rows, min(point.tile.vectors, 2))
    return replace(point, tile=small, unroll_taps=True)


def _with_even_tasks(
    c: TiledContraction, point: ConvolutionPoint, height: int, width: int
) -> ConvolutionPoint:
    """Return a point whose tasks divide evenly among the cores.

    point: the numbers so far.
    height, width: the pixels of the result. If one loop has too few iterations for equal shares,
    two loops become parallel, and blocks may get fewer rows.
    """
    channel_groups = -(-c.columns // (point.tile.vectors * c.lanes))
    row_groups = -(-height // point.row_group) if point.row_group else 1
    outer = prod(c.likely_extent(a) for a in (*c.batch, *c.rows[:-2]))
    if point.rows_outermost:
        is_uneven = unevenness(outer * row_groups, c.target) > MAX_UNEVENNESS
        return replace(point, both_parallel=is_uneven and not point.pass_major)
    point = replace(point, both_parallel=row_groups > 1)
    groups = outer * channel_groups
    flops = 2 * groups * height * width * point.tile.vectors * c.lanes
    flops *= prod(c.extent(a) for a in c.reduced)
    most = min(height, flops // least_task_flops(c.target) // groups)
    counts = [n for n in range(row_groups, most + 1) if height % n == 0] or [row_groups]
    count = min(counts, key=lambda n: (max(MAX_UNEVENNESS, unevenness(groups * n, c.target)), n))
    if count == row_groups:
        return point
    return replace(point, row_group=height // count, both_parallel=True)


def _pointwise_numbers(
    c: TiledContraction,
    point: ConvolutionPoint,
    channel_blocks: int,
    source_bytes: int,
    height: int,
    width: int,
) -> ConvolutionPoint:
    pixels, streams = height * width, numbers_of(c.target).streams
    l2 = c.target.l2_bytes
    if channel_blocks > streams:
        divisor = divisor_at_most(channel_blocks, streams)
        k_block = divisor if divisor >= 8 else even_part(channel_blocks, streams)
        point = replace(point, k_block=k_block)
    if pixels <= 64 or source_bytes <= l2 * 3 // 8:
        # R11: a small map: each channel group covers all pixels, and the weights stream.
        if channel_blocks > streams and pixels <= 64:
            divisor = divisor_at_most(channel_blocks, 8)
            k_block = divisor if divisor >= 5 else even_part(channel_blocks, 8)
            point = replace(point, k_block=k_block)
        return point
    # R10, R12: blocks of about 96 pixels outermost.  If their channels do not stay in L2, passes
    # are outside channel groups, and the weights are stored in that order.
    group = _pixel_rows(height, width, 96 if c.columns <= 1024 else 48)
    block_bytes = group * width * channel_blocks * c.block_channels * c.element_bytes
    pass_major = channel_blocks > streams and block_bytes > l2 // 2
    return replace(point, rows_outermost=True, row_group=group, pass_major=pass_major)


def _pixel_rows(height: int, width: int, wanted: int) -> int:
    """Return the rows of a block of about ``wanted`` pixels, preferably a divisor of the height.

    height, width: the pixels of the result.  Blocks of one height keep the code small: each further
    height needs another copy of all innermost computes of the reduction.
    """
    near = [
        rows
        for rows in range(1, height + 1)
        if height % rows == 0 and wanted * 5 <= 8 * rows * width <= wanted * 14
    ]
    if near:
        return min(near, key=lambda rows: abs(rows * width - wanted))
    return even_part(height, max(1, wanted // width))


def _spatial_numbers(
    c: TiledContraction,
    point: ConvolutionPoint,
    channel_blocks: int,
    source_bytes: int,
    taps: int,
    height: int,
    width: int,
) -> ConvolutionPoint:
    l1, l2, item = c.target.l1_bytes, c.target.l2_bytes, c.element_bytes
    group = point.tile.vectors * c.lanes
    channels = channel_blocks * c.block_channels
    panel = channels * taps * group * item
    big, streams = source_bytes > l2, numbers_of(c.target).streams
    k_block = 0
    if c.has_symbolic_rows:
        # R13: passes over symbolic rows store and load all sums, so a pass fills a third of L2.
        if panel > l2 // 3:
            k_block = _pass_of(channel_blocks, l2 // 3 * channel_blocks // panel)
    elif channel_blocks > streams or panel > l2 // 4 or (big and panel > l1):
        # R13: the weights of a pass fit in L1, or in 5/8 of it for a large map.
        room = l1 * 5 // 8 if big else l1
        k_block = _pass_of(channel_blocks, room * channel_blocks // panel)
    elif channels * taps > MOST_TERMS:
        k_block = _pass_of(channel_blocks, BLOCK_TERMS // (taps * c.block_channels))
    blocks = min(k_block or channel_blocks, channel_blocks)
    # R14: choose rows whose input slab and output fit in half of L2.
    row_bytes = (width + 2) * c.block_channels * item * blocks + width * group * item
    rows = max(1, int(l2 // 2 / row_bytes))
    point = replace(point, k_block=k_block)
    if k_block and rows < height:
        point = replace(point, row_group=divisor_at_most(height, rows))
    weights = c.columns * channels * taps * item
    if big and c.columns > group and weights <= l2 * 5 // 8:
        # R14: the input streams once, the weights stay in L2.
        group_rows = divisor_at_most(height, max(4, min(8, rows)))
        point = replace(point, rows_outermost=True, row_group=group_rows)
    return point


def _pass_of(channel_blocks: int, most: int) -> int:
    """Return the number of channel blocks per pass, at most ``most``.

    It is a divisor of the number of all channel blocks if some divisor exceeds half of ``most``;
    otherwise the passes have nearly equal sizes.
    """
    most = max(1, most)
    divisor = divisor_at_most(channel_blocks, most)
    return divisor if divisor * 2 > most else even_part(channel_blocks, most)


def _in_fixed_blocks(c: TiledContraction, point: ConvolutionPoint) -> ConvolutionPoint:
    """Divide sums into blocks of fixed sizes, if the target asks for machine-independent results.

    Other plans divide sums by the sizes of caches, so that rounding differs between machines.
    """
    if not c.target.fixed_sums:
        return point
    blocks = _channel_blocks(c)
    k_block = block_of_sum(blocks, _taps(c) * c.block_channels) if blocks else 0
    return replace(point, k_block=k_block, pass_major=False)


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
