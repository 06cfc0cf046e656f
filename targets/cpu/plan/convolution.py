"""Schedules of direct convolutions over blocked channels: rules R1, R9-R15, R23, R24 of cpu-plan.

Rule R23: when a layer runs, other layers have evicted its weights from the caches, and a small
feature map uses each weight for few cycles only.  So each tile of pixels in a pass prefetches a
part of the next pass's weights.  Effect on one AVX-512 thread with a peak of 171 GFLOP/s: ResNet-50
57.8 -> 52.0 ms; 1x1 512 -> 2048 on 7x7 72 -> 92 % of the peak.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil, prod
from typing import TypeAlias

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from ....analysis.patterns.sharing import element_bytes
from ....analysis.strides import lane_stride
from ....dialects.shape import Dim, likely, multiple_of
from ....passes.rewrite.sections import sections
from .contraction import Contraction, pack_weights, slides, split_blocks, unit_tiles, vectorize
from .epilogue import sums_in_passes
from .instruction import with_instruction
from .script import Made, Script
from .tile_convolution import plan_pixel_tiles, plan_tile_convolution
from .tiles import (
    BLOCK_TERMS,
    CODE_COST,
    MOST_TERMS,
    NARROW_CODE_COST,
    NARROW_VECTORS,
    LoadCosts,
    RegisterTile,
    block_of_sum,
    choose_register_tile,
    divisor_at_most,
    even_part,
    unevenness,
)

FEW_TILES = 4
"""R8: a copy of weights pays if at least this many tiles of pixels read them."""

MAX_FIRST_LAYER_STEPS = 32
"""R15: with at most this many reduction steps all taps are unrolled, unless iterations have single
steps: in V8 a loop is twice as fast (3 to 32 channels, 3x3, stride 2, on 112 x 112: 0.22 ms)."""

MAX_STREAMS = 16
"""R9: the hardware prefetcher follows this many channel blocks of one loop."""

MAX_UNEVENNESS = 1.1
"""R21: largest load of the busiest thread, relative to an equal share."""

MIN_TASK_FLOPS = 1 << 18
"""R21: fewest operations of a task, about 2 us of one thread; smaller tasks do not pay."""


SYMBOLIC_UNROLL = 1
"""R3: reduction steps per loop iteration for symbolic rows, as fast as four steps: 64 to 8 channels
of 1x1, and 64 to 64 of 3x3, on 7 x 9 to 80 x 80 pixels."""

MOST_OPEN_ROWS = 8
"""R14: most rows of a block, if the height is symbolic; tasks stay even for small heights."""


@dataclass(frozen=True)
class ConvolutionPlan:
    """Parameters of a direct convolution's schedule.

    k_block: channel blocks per pass over the input channels (0: all).  row_group: output rows per
    block (0: all).  rows_outermost: loops over row groups are outside those over channel groups.
    pass_major: channel groups are inside passes, and weights are stored pass by pass.
    both_parallel: a task is one row group of one channel group.  unroll_taps: all taps are in one
    basic block, for first layers.  spread_prefetch: tiles of pixels prefetch the next pass's
    weights.  unroll: steps of the innermost reduction axis per loop iteration.  narrow_rows: rows
    of a tile if images of symbolic width are one pixel wide.
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


def plan_convolution_numbers(
    c: Contraction, *, taps: int, channel_blocks: int, source_bytes: int
) -> ConvolutionPlan:
    """Choose the parameters of a direct convolution (rules R1 and R9-R15 of cpu-plan).

    taps: the number of taps of the window.  channel_blocks: blocks of input channels; 0 if channels
    are not blocked.  source_bytes: size of the input.
    """
    height, width = c.likely_extent(c.rows[-2]), c.likely_extent(c.rows[-1])
    tile = choose_register_tile(
        c.view.axes[c.rows[-1]],
        c.group,
        c.lanes,
        c.target,
        LoadCosts(0.04),
        divides=c.group < c.columns,
        rest_cost=0.02,
        temporaries=c.temporaries,
        together=c.together,
        code_cost=CODE_COST if c.group > NARROW_VECTORS * c.lanes else NARROW_CODE_COST,
    )
    # R23: without prefetches 64 to 512 channels on 4 to 56 symbolic pixels are as fast, with less
    # code.
    spreads = c.packs and channel_blocks > 0 and not c.has_symbolic_rows
    plan = ConvolutionPlan(tile, spread_prefetch=spreads)
    if not channel_blocks:
        plan = _first_layer_numbers(c, plan)
    elif taps == 1:
        plan = _pointwise_numbers(c, plan, channel_blocks, source_bytes, height, width)
    else:
        plan = _spatial_numbers(c, plan, channel_blocks, source_bytes, taps, height, width)
    if c.has_symbolic_rows:
        return _with_dynamic_tasks(c, plan, height)
    return _with_even_tasks(c, plan, height, width)


def _with_dynamic_tasks(c: Contraction, plan: ConvolutionPlan, height: int) -> ConvolutionPlan:
    """Choose blocks of rows for images of symbolic height: powers of two, for few remainders.

    Rule R14 of cpu-plan.  If the tasks over groups of channels balance the threads, and the
    reduction has several passes or the plan has tiles for images one pixel wide, each pass covers
    all rows: this needs half the code and reads the weights once (512 to 512 channels of 3x3).
    Otherwise the blocks have so few rows that the tasks balance the threads even for the least
    height, a known divisor of the height.
    """
    channel_groups = -(-c.columns // (plan.tile.vectors * c.lanes))
    if not plan.rows_outermost and unevenness(channel_groups) <= MAX_UNEVENNESS:
        narrow_rows = _rows_of_narrow_images(c, plan)
        if plan.k_block or narrow_rows > 1:
            return replace(plan, row_group=0, narrow_rows=narrow_rows)
    most = min(plan.row_group or height, MOST_OPEN_ROWS)
    least = multiple_of(c.view.axes[c.rows[-2]])
    tasks = 1 if plan.rows_outermost else channel_groups
    groups = [1 << k for k in range(most.bit_length())]
    group = min(
        groups, key=lambda n: (max(MAX_UNEVENNESS, unevenness(tasks * ceil(least / n))), -n)
    )
    return replace(plan, row_group=group, both_parallel=not plan.pass_major)


def _rows_of_narrow_images(c: Contraction, plan: ConvolutionPlan) -> int:
    """Return the rows of a tile for images one pixel wide; 1 if wider images have the same tiles.

    A tile of one pixel has too few accumulators to hide the latency of multiply-adds, and reads all
    weights of a pass, which L1 does not hold.  128 to 256 channels of 3x3, stride 2, on 28 x 2
    pixels: 103 -> 58 us (Zen 4).  This is a part of rule R14 of cpu-plan.
    """
    column, width = c.view.axes[c.rows[-1]], plan.tile.vectors * c.lanes
    tile_rows = ceil(c.target.fma_latency * c.target.fma_ports / plan.tile.vectors)
    if not isinstance(column, Dim) or plan.tile.rows < tile_rows or c.columns % width:
        return 1
    panel_bytes, blocks = c.steps * width * c.step_bytes, c.extent(c.reduced[0])
    if plan.k_block:
        panel_bytes = panel_bytes * plan.k_block // blocks
    has_one_leaf = not plan.k_block or blocks % plan.k_block == 0
    is_narrow = sections(column, plan.tile.rows, even=True)[-1].size == 1
    return tile_rows if has_one_leaf and is_narrow and panel_bytes > c.target.l1_bytes else 1


def _first_layer_numbers(c: Contraction, plan: ConvolutionPlan) -> ConvolutionPlan:
    steps = prod(c.extent(a) for a in c.reduced)
    if steps > MAX_FIRST_LAYER_STEPS or c.target.unrolled_steps == 1:
        return plan
    # R15: at most a quarter as many rows as registers, so that adjacent pixels share loads.
    rows = min(plan.tile.rows, c.target.vector_registers // 4)
    small = RegisterTile(rows, min(plan.tile.vectors, 2))
    return replace(plan, tile=small, unroll_taps=True)


def _with_even_tasks(
    c: Contraction, plan: ConvolutionPlan, height: int, width: int
) -> ConvolutionPlan:
    """Balance the tasks between two or four threads (rule R21 of cpu-plan).

    Two loops become parallel if one loop has too few iterations for equal shares.
    """
    channel_groups = -(-c.columns // (plan.tile.vectors * c.lanes))
    row_groups = -(-height // plan.row_group) if plan.row_group else 1
    outer = prod(c.likely_extent(a) for a in (*c.batch, *c.rows[:-2]))
    if plan.rows_outermost:
        is_uneven = unevenness(outer * row_groups) > MAX_UNEVENNESS
        return replace(plan, both_parallel=is_uneven and not plan.pass_major)
    plan = replace(plan, both_parallel=row_groups > 1)
    groups = outer * channel_groups
    flops = 2 * groups * height * width * plan.tile.vectors * c.lanes
    flops *= prod(c.extent(a) for a in c.reduced)
    most = min(height, flops // MIN_TASK_FLOPS // groups)
    counts = [n for n in range(row_groups, most + 1) if height % n == 0] or [row_groups]
    count = min(counts, key=lambda n: (max(MAX_UNEVENNESS, unevenness(groups * n)), n))
    if count == row_groups:
        return plan
    return replace(plan, row_group=height // count, both_parallel=True)


def _pointwise_numbers(
    c: Contraction,
    plan: ConvolutionPlan,
    channel_blocks: int,
    source_bytes: int,
    height: int,
    width: int,
) -> ConvolutionPlan:
    pixels = height * width
    l2 = c.target.l2_bytes
    if channel_blocks > MAX_STREAMS:
        divisor = divisor_at_most(channel_blocks, MAX_STREAMS)
        k_block = divisor if divisor >= 8 else even_part(channel_blocks, MAX_STREAMS)
        plan = replace(plan, k_block=k_block)
    if pixels <= 64 or source_bytes <= l2 * 3 // 8:
        # R11: a small map: each channel group covers all pixels, and the weights stream.
        if channel_blocks > MAX_STREAMS and pixels <= 64:
            divisor = divisor_at_most(channel_blocks, 8)
            k_block = divisor if divisor >= 5 else even_part(channel_blocks, 8)
            plan = replace(plan, k_block=k_block)
        return plan
    # R10, R12: blocks of about 96 pixels outermost.  If their channels do not stay in L2, passes
    # are outside channel groups, and the weights are stored in that order.
    group = _pixel_rows(height, width, 96 if c.columns <= 1024 else 48)
    block_bytes = group * width * channel_blocks * c.block_channels * c.element_bytes
    pass_major = channel_blocks > MAX_STREAMS and block_bytes > l2 // 2
    return replace(plan, rows_outermost=True, row_group=group, pass_major=pass_major)


def _pixel_rows(height: int, width: int, wanted: int) -> int:
    """Return the rows of a block of about ``wanted`` pixels, preferably a divisor of the height.

    Rule R10 of cpu-plan.  Blocks of one height keep the code small: each further height needs
    another copy of all innermost computes of the reduction.
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
    c: Contraction,
    plan: ConvolutionPlan,
    channel_blocks: int,
    source_bytes: int,
    taps: int,
    height: int,
    width: int,
) -> ConvolutionPlan:
    l1, l2, item = c.target.l1_bytes, c.target.l2_bytes, c.element_bytes
    group = plan.tile.vectors * c.lanes
    channels = channel_blocks * c.block_channels
    panel = channels * taps * group * item
    big = source_bytes > l2
    k_block = 0
    if c.has_symbolic_rows:
        # R13: passes over symbolic rows store and load all sums, so a pass fills a third of L2.
        if panel > l2 // 3:
            k_block = _pass_of(channel_blocks, l2 // 3 * channel_blocks // panel)
    elif channel_blocks > MAX_STREAMS or panel > l2 // 4 or (big and panel > l1):
        # R13: the weights of a pass fit in L1, or in 5/8 of it for a large map.
        room = l1 * 5 // 8 if big else l1
        k_block = _pass_of(channel_blocks, room * channel_blocks // panel)
    elif channels * taps > MOST_TERMS:
        k_block = _pass_of(channel_blocks, BLOCK_TERMS // (taps * c.block_channels))
    blocks = min(k_block or channel_blocks, channel_blocks)
    # R14: choose rows whose input slab and output fit in half of L2.
    row_bytes = (width + 2) * c.block_channels * item * blocks + width * group * item
    rows = max(1, int(l2 // 2 / row_bytes))
    plan = replace(plan, k_block=k_block)
    if k_block and rows < height:
        plan = replace(plan, row_group=divisor_at_most(height, rows))
    weights = c.columns * channels * taps * item
    if big and c.columns > group and weights <= l2 * 5 // 8:
        # R14: the input streams once, the weights stay in L2.
        group_rows = divisor_at_most(height, max(4, min(8, rows)))
        plan = replace(plan, rows_outermost=True, row_group=group_rows)
    return plan


def _pass_of(channel_blocks: int, most: int) -> int:
    """Return the number of channel blocks per pass, at most ``most``.

    It is a divisor of the number of all channel blocks if some divisor exceeds half of ``most``;
    otherwise the passes have nearly equal sizes.
    """
    most = max(1, most)
    divisor = divisor_at_most(channel_blocks, most)
    return divisor if divisor * 2 > most else even_part(channel_blocks, most)


Adjust: TypeAlias = Callable[[Contraction, ConvolutionPlan], ConvolutionPlan]


def keep(c: Contraction, plan: ConvolutionPlan) -> ConvolutionPlan:
    """Return the chosen parameters unchanged; the default of ``adjust``."""
    del c
    return plan


def _in_fixed_blocks(
    c: Contraction, numbers: ConvolutionPlan, blocked: str, taps: int
) -> ConvolutionPlan:
    """Divide sums into blocks of fixed sizes, if the target asks for machine-independent results.

    Other plans divide sums by the sizes of caches, so that rounding differs between machines.
    blocked: the axis of channel blocks, or "".
    """
    if not c.target.fixed_sums:
        return numbers
    k_block = block_of_sum(c.extent(blocked), taps * c.block_channels) if blocked else 0
    return replace(numbers, k_block=k_block, pass_major=False)


def plan_convolution(script: Script, leaf: SSAValue, c: Contraction, adjust: Adjust = keep) -> None:
    """Write the schedule of a direct convolution.

    adjust: changes the chosen parameters.
    """
    c = with_instruction(c)
    if (tiles := plan_pixel_tiles(c)) is not None:
        plan_tile_convolution(script, leaf, c, tiles)
        return
    blocked = c.reduced[0] if c.split_of(c.reduced[0]) is not None else ""
    taps = prod(c.extent(a) for a in c.reduced if c.split_of(a) is None)
    source = c.view.inputs[1 - c.vector_operand]
    numbers = plan_convolution_numbers(
        c,
        taps=taps,
        channel_blocks=c.extent(blocked) if blocked else 0,
        source_bytes=prod(map(likely, source.extents)) * element_bytes(source.type),
    )
    numbers = _in_fixed_blocks(c, adjust(c, numbers), blocked, taps)
    if c.has_symbolic_rows:
        numbers = replace(numbers, unroll=SYMBOLIC_UNROLL)
    if not c.sums_in_memory:
        numbers = replace(numbers, k_block=0, pass_major=False)
    width = numbers.tile.vectors * c.lanes
    if c.packs:
        whole_passes = blocked and numbers.k_block and not c.extent(blocked) % numbers.k_block
        outer = numbers.k_block * c.step(blocked) if whole_passes else 0
        leaf = pack_weights(script, leaf, c, width, outer if numbers.pass_major else 0)
    leaf = split_blocks(script, leaf, c)
    weights: Made | None = None
    if not c.packs and _are_apart(c, numbers):
        rank = len(c.view.inputs[c.vector_operand].shape)
        weights, leaf = script.cache_read(leaf, c.vector_operand, rank)
    outer_rows = (*c.batch, *c.rows[:-2])
    if outer_rows:
        leaf, loops = script.tile(leaf, unit_tiles(c, outer_rows))
        for loop in loops:
            script.parallel(loop)
    leaves, channels = _convolution_loops(script, leaf, c, numbers, width, blocked)
    if weights is not None:
        _pack_computed_weights(script, weights, c, channels)
    inner = c.reduced[-1]
    # Unrolled taps along a row would share scalars, but the sums leave no registers for them:
    # 24 -> 96 channels, stride 2, on 112 x 112: 2.4 -> 1.4 ms.
    most = 1 if slides(source, inner) and c.terms == 1 else numbers.unroll
    unrolls = {inner: divisor_at_most(c.extent(inner) // c.terms, most)}
    if numbers.unroll_taps:
        unrolls = {a: 0 for a in c.reduced if c.extent(a) > 1}
    steps = prod(c.extent(a) for a in c.reduced)
    if 0 < numbers.k_block < c.extent(blocked):
        steps = steps // c.extent(blocked) * numbers.k_block
    prefetch = steps * width if numbers.spread_prefetch else 0
    for leaf in leaves:
        vectorize(script, leaf, c, unrolls, prefetch, spread=True)


def _convolution_loops(
    script: Script,
    leaf: SSAValue,
    c: Contraction,
    numbers: ConvolutionPlan,
    width: int,
    blocked: str,
) -> tuple[list[SSAValue], SSAValue]:
    """Write the loops; return the innermost computes (leaves) and the loop over groups of channels.

    width: columns of a register tile.  blocked: the axis of channel blocks, or empty.
    """
    row, column = c.rows[-2], c.rows[-1]
    height = c.likely_extent(row)
    even, whole = ([], [row]) if isinstance(c.view.axes[row], Dim) else ([row], [])
    group = numbers.row_group if 0 < numbers.row_group < height else 0
    channels = {c.vector_axis: width}
    pixels = {row: 1, column: numbers.tile.rows}

    def passes(inside: SSAValue) -> SSAValue:
        if not blocked or not 0 < numbers.k_block < c.extent(blocked):
            return inside
        if c.has_symbolic_rows:
            return sums_in_passes(script, inside, c, blocked, numbers.k_block)
        return script.split_reduction(inside, blocked, numbers.k_block)

    if numbers.rows_outermost:
        leaf, loops = script.tile(leaf, {row: group or height}, even=even, whole=whole)
        script.parallel(loops[0])
        if numbers.pass_major:
            leaf = passes(leaf)
            leaf, (loop,) = script.tile(leaf, channels)
        else:
            leaf, (loop,) = script.tile(leaf, channels)
            if numbers.both_parallel:
                loop = script.parallel(loop)
            leaf = passes(leaf)
    else:
        leaf, (loop,) = script.tile(leaf, channels)
        loop = script.parallel(loop)
        if group and whole and not (blocked and 0 < numbers.k_block < c.extent(blocked)):
            # Tiles of single rows, in blocks, so that the code needs no tiles for a remainder.
            leaf, groups = script.tile(leaf, {row: 1}, even=[row], chunk=group)
            if numbers.both_parallel:
                script.parallel(groups[0])
            leaf, _ = script.tile(leaf, {column: numbers.tile.rows}, even=[column])
            return [leaf], loop
        if group:
            leaf, groups = script.tile(leaf, {row: group}, even=even, whole=whole)
            if numbers.both_parallel:
                script.parallel(groups[0])
        leaf = passes(leaf)
    if numbers.narrow_rows > 1:
        leaf, _ = script.tile(leaf, {column: numbers.tile.rows}, even=[column])
        # Only images one pixel wide have even tiles of one pixel.
        wide, narrow = script.split_handle(leaf, 1)
        wide, _ = script.tile(wide, {row: 1})
        narrow, _ = script.tile(narrow, {row: numbers.narrow_rows}, even=[row])
        return [wide, narrow], loop
    leaf, _ = script.tile(leaf, pixels, even=[column])
    return [leaf], loop


def _are_apart(c: Contraction, numbers: ConvolutionPlan) -> bool:
    """Return whether to pack a copy of weights that are computed at run time.

    This is faster if many tiles would read weights whose lanes are strided.  A part of rule R8 of
    cpu-plan.
    """
    access = c.view.inputs[c.vector_operand]
    row, column = c.rows[-2:]
    rows = numbers.row_group if numbers.rows_outermost else 0
    pixels = (rows or c.likely_extent(row)) * c.likely_extent(column)
    is_read_again = pixels >= FEW_TILES * numbers.tile.rows
    return is_read_again and lane_stride(c.view, access, c.vector_axis, c.lanes) not in (0, 1)


def _pack_computed_weights(script: Script, made: Made, c: Contraction, channels: SSAValue) -> None:
    """Copy computed weights for a group of channels, with the channels innermost (cpu-plan R8).

    256 channels 3x3 in two groups on 32 x 32: 68 -> 95 GFLOP/s.
    """
    indices = c.view.inputs[c.vector_operand].indices or []
    column = max(d for d, e in enumerate(indices) if c.vector_axis in set(e.variables()))
    dims = [AffineExpr.dimension(d) for d in range(len(indices))]
    order = (*dims[:column], *dims[column + 1 :], dims[column])
    copy = script.fuse_into(made.handle, channels)
    copy = script.relayout(copy, AffineMapAttr(AffineMap(len(dims), 0, order)))
    sizes = {**dict.fromkeys(made.axes, 1), made.axes[column]: c.lanes}
    copy, _ = script.tile(copy, sizes)
    script.vectorize(copy, made.axes[column], c.lanes)
