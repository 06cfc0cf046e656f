"""Points of matrix products: the first point of a search, their space, and why a point is illegal.

In: a contraction.  Out: a legal point, the values to try for each field, and the reason why a point
is illegal.  product.py writes the schedule of a point.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil, prod
from typing import Literal

from .....analysis.strides import lane_stride
from .....dialects.shape import likely
from .....machines.cpu_numbers import numbers_of
from ..contraction import TiledContraction
from ..epilogue import can_finish_apart, shares_epilogue
from ..tiles import (
    MOST_TERMS,
    RegisterTile,
    block_of_sum,
    divisor_at_most,
    even_sections,
)
from .choice import Axes, Choice, legal_axes

BLOCK_STEPS = 16
"""Steps of a reduction block; the tiles of rows share the next panel's prefetch."""

FEW_STEPS = 32
"""A sum of at most this many terms takes less time than the store of its result."""

SYMBOLIC_UNROLL = 2
"""Reduction steps per loop iteration for symbolic rows; two instead of four are a third less
code, and as fast for 1 to 512 rows (768 x 768 and 768 x 3072, Zen 4)."""

FEW_REGISTERS = 16
"""Registers with which LLVM spills sums of unrolled tiles of one vector: 9 x 1 with AVX2 takes 5.6
cycles per step, 9.2 if two steps are unrolled, and 6.8 if four are (Zen 4)."""

SMALL_WEIGHTS = 1 << 17
"""Products of at most this many weights take less than 20 us for up to 16 symbolic rows, so few
tiles follow many whole ones if time matters.  Tiles of at most half the height then suffice, with
60 % of the code: 1152 x 48 with SiLU has 98 % of the speed, and 89 % for 9 rows, its worst case.
Half a tile must hide the latency of its sums: 6 x 16 in AVX2 does not, and took 1.5 times as long
for 5 rows."""

TINY_WEIGHTS = 1 << 15
"""The limit for tiles of a quarter of the height, and up to 64 rows: 672 x 28 with SiLU is as
fast from 32 rows on, and in 2 us for 5 rows 12 % slower, with a quarter less code."""

LEAST_REST_ROWS = 2
"""Fewest rows of the largest tile after the whole tiles."""

MANY_PANELS = 4
"""Number of panels from which on a narrower last panel takes little of the time."""

CHUNK_TILES = 16
"""Tiles of symbolic rows in a task of a product with one panel."""


PASSES = (64, 128, 256, 384, 512, 768, 1024)
BLOCKS = (1, 2, 4, 8, 16, 32)
UNROLLS = (1, 2, 4, 8)
PREFETCHES = (0, 0.5, 1, 2)
"""Values to try: steps per pass, tiles per block of rows or task, unrolled steps, and distances
relative to those of the processor's row."""


@dataclass(frozen=True)
class ProductPoint:
    """The numbers of a matrix product's schedule.

    A panel is a block of columns as wide as a register tile; a step adds one element of the
    reduction (or the terms of one instruction) to each sum.

    tile: the register tile of rows x vectors.
    k_block: steps per pass over the reduction (0: one pass).
    row_tiles: register tiles per block of rows; the blocks are outside the panels (0: all rows are
    inside each panel).
    unroll: steps per loop iteration.
    prefetch: how many steps ahead weights are prefetched (0: not).
    spread: whether each tile of rows prefetches a part of the next panel instead, which helps if
    weights are not in the caches: 128x768x768: 145 -> 158 GFLOP/s with AVX-512, 64x4096x1024: 88 ->
    100 with AVX2.
    group: panels per pass; more than 1 needs passes.
    copy: panels of a computed operand that are packed together (0: the operand is not copied).
    panel_tasks: whether each group of panels is a task, also inside loops of tasks.
    epilogue: where the epilogue is applied; "leaf": in the tile's innermost compute, "tile": in a
    loop after each tile, "panel": in a loop after all rows of a panel.

    The other numbers are for symbolic rows only.
    rest: the height of the tiles of the remainder (0: all tiles have nearly equal heights).
    task_tiles: tiles per task (0: tasks are panels).
    short_last: whether the last panel has tiles of half the height.
    """

    tile: RegisterTile
    k_block: int = 0
    row_tiles: int = 0
    unroll: int = 4
    prefetch: int = 0
    spread: bool = False
    group: int = 1
    copy: int = 0
    panel_tasks: bool = True
    epilogue: Literal["leaf", "tile", "panel"] = "leaf"
    rest: int = 0
    task_tiles: int = 0
    short_last: bool = False


def choice_of(c: TiledContraction, find: Callable[[], ProductPoint]) -> Choice[ProductPoint]:
    """Return the choice among the points of a matrix product, of which one is the plan's."""
    return Choice(c, find, partial(_axes, c), partial(_fault, c))


def first_point(c: TiledContraction) -> ProductPoint:
    """Return a legal point of any product, from which the search for the cheapest one starts.

    It has the register tile that loads least for a multiply-add, and as few passes over the sum as
    are legal.
    """
    tile = min(c.fitting_tiles, key=lambda t: (1 / t.rows + 1 / t.vectors, t.rows))
    streams = _streams(c)
    unroll = SYMBOLIC_UNROLL if c.has_symbolic_rows else 4
    if streams and not c.target.fixed_sums:  # whose passes are whole loop iterations
        unroll = 1
    prefetch = 0 if streams or not c.packs else prefetch_distance(c)
    in_rows = len(c.rows) == 1 and not c.has_symbolic_rows and writes_rows(c)
    return ProductPoint(
        tile, _least_passes(c), int(in_rows), unroll, prefetch, copy=int(needs_copy(c))
    )


def prefetch_distance(c: TiledContraction) -> int:
    """Return how many steps ahead of their use the weights of a product are prefetched.

    Not beyond the next panel: 30 x 70 by 3000 columns, 134 -> 128 us.
    """
    return min(numbers_of(c.target).prefetch_steps, c.steps)


def _streams(c: TiledContraction) -> bool:
    """Return whether a product waits for its weights, because memory is slower than arithmetic.

    The hardware prefetches such weights as fast as memory delivers them.
    """
    cycles = c.row_count / c.target.fma_ports
    return cycles * numbers_of(c.target).memory_rate < c.lanes * c.step_bytes


def completed(c: TiledContraction, point: ProductPoint, *, parallel: bool) -> ProductPoint:
    """Return a point with the numbers that follow from its others.

    They say which tiles symbolic rows have, where the epilogue is applied, and that tiles of one
    vector are not unrolled if registers are few.
    parallel: whether outer loops are tasks.
    """
    if point.tile.vectors == 1 and c.target.registers <= FEW_REGISTERS and not c.target.fixed_sums:
        point = replace(point, unroll=1)
    if c.has_symbolic_rows:
        point = _with_symbolic_rows(c, point, parallel=parallel)
    return _with_epilogue(c, point)


def _least_passes(c: TiledContraction) -> int:
    """Return the steps per pass that keep sums short enough for one accumulator; 0: one pass."""
    if not c.sums_in_memory or not c.reduced:
        return 0
    first, *others = c.reduced
    steps = c.extent(first) // (1 if others else c.terms)
    inner = c.steps // steps
    return block_of_sum(steps, inner) * inner


def writes_rows(c: TiledContraction) -> bool:
    """Return whether blocks of rows are outermost, because sums are short.

    The result is then more data than the operands.  Written panel by panel, each row of a panel
    would be in another page, which the cost does not know: sixteen times 224 x 16 x 960 would take
    1.2 times as long (Zen 4).
    """
    operand, result = (n * c.columns * c.step_bytes for n in (c.steps, c.row_count))
    most = c.target.l2_bytes // 4
    return c.steps <= FEW_STEPS and operand <= most < result and not needs_copy(c)


def needs_copy(c: TiledContraction) -> bool:
    """Return whether a computed operand must be packed by a copy.

    An instruction for narrow types loads the terms of its lanes side by side; columns that are
    strided are no vectors.
    """
    if c.packs:
        return False
    access = c.view.inputs[c.vector_operand]
    is_strided = lane_stride(c.view, access, c.vector_axis, c.lanes) != 1
    return c.instruction is not None or (is_strided and c.row_count > 1)


def _with_symbolic_rows(
    c: TiledContraction, point: ProductPoint, *, parallel: bool
) -> ProductPoint:
    point = replace(point, rest=_rest_rows(c, point.tile))
    if c.batch:
        # Many products with weights of their own, as in Winograd, read the weights as
        # fast without prefetches, which are a tenth of the code over all heights.
        point = replace(point, prefetch=0, spread=False)
    is_one_panel = c.columns <= panel_width(c, point)
    if is_one_panel and not splits_k(in_blocks(c, point), point):
        point = replace(point, prefetch=0)  # there is no next panel
    # Rows of a single panel are tasks.
    alone = is_one_panel and not c.batch and not point.k_block and parallel
    is_short = not point.copy and _has_short_last_panel(c, panel_width(c, point))
    return replace(point, task_tiles=CHUNK_TILES if alone else 0, short_last=is_short)


def _with_epilogue(c: TiledContraction, point: ProductPoint) -> ProductPoint:
    if c.has_symbolic_rows and splits_k(in_blocks(c, point), point):
        return point
    if not shares_epilogue(c, point.tile.vectors, tile_heights(c, point), c.steps):
        return point
    by_panel = c.has_symbolic_rows and not point.task_tiles
    return replace(point, epilogue="panel" if by_panel else "tile")


def _has_short_last_panel(c: TiledContraction, width: int) -> bool:
    """Return whether a product of symbolic rows has many panels, of which the last is narrower.

    Then the last panel gets tiles of half the height, which make its code a third as large; the
    panel takes only a small part of the time.
    """
    return c.columns % width != 0 and c.columns >= MANY_PANELS * width


def _rest_rows(c: TiledContraction, tile: RegisterTile) -> int:
    """Return the height of the tiles that cover the remainder of symbolic rows.

    0 if all tiles have nearly equal heights instead, so that there is no remainder.
    """
    rows, flight = tile.rows, c.target.fma_latency * c.target.fma_ports
    weights = c.steps * c.columns * prod(likely(c.view.axes[a]) for a in c.batch)
    most = SMALL_WEIGHTS if rows // 2 * tile.vectors >= flight else TINY_WEIGHTS
    if not c.has_symbolic_rows or weights > most or rows < 2 * LEAST_REST_ROWS:
        return 0
    return max(LEAST_REST_ROWS, rows // (4 if weights <= TINY_WEIGHTS else 2))


def panel_width(c: TiledContraction, point: ProductPoint) -> int:
    """Return the columns of a panel, which are those of a register tile."""
    return point.tile.vectors * c.lanes


def in_blocks(c: TiledContraction, point: ProductPoint) -> TiledContraction:
    """Split the innermost reduction axis into blocks, if the point spreads prefetches.

    For each block of the reduction, every tile of rows then prefetches its part of the next panel's
    block.  Otherwise the contraction is returned unchanged.
    """
    if not point.spread:
        return c
    axis, size = c.reduced[-1], BLOCK_STEPS * c.terms
    if c.split_of(axis) is not None or c.extent(axis) % size:
        return c
    return c.split_last(size)


def tile_heights(c: TiledContraction, point: ProductPoint) -> set[int]:
    """Return the heights of all register tiles of the schedule."""
    if c.has_symbolic_rows:
        rest = point.rest or point.tile.rows
        return {point.tile.rows, *range(1, rest + 1)}
    height = c.extent(c.rows[-1]) if c.rows else 1
    block = min(point.row_tiles * point.tile.rows or height, height)
    extents = [n for n in (block, height % block) if n]
    return {size for n in extents for _, size in even_sections(n, point.tile.rows)}


def splits_k(c: TiledContraction, point: ProductPoint) -> bool:
    """Return whether the first reduction axis is processed in several passes."""
    if not point.k_block or not c.reduced:
        return False
    return pass_size(c, point) < c.extent(c.reduced[0])


def pass_size(c: TiledContraction, point: ProductPoint) -> int:
    """Return how many elements of the first reduction axis a pass over the reduction covers."""
    _, *others = c.reduced
    size = max(1, point.k_block * c.terms // prod(c.extent(a) for a in others))
    if others:
        return size
    # Every pass, including the last, is then a whole number of unrolled steps.
    unroll = steps_per_trip(c, point) * c.terms
    return ceil(size / unroll) * unroll


def steps_per_trip(c: TiledContraction, point: ProductPoint) -> int:
    """Return the steps of the innermost reduction axis per loop iteration."""
    return divisor_at_most(c.extent(c.reduced[-1]) // c.terms, point.unroll)


def _axes(c: TiledContraction, default: ProductPoint, point: ProductPoint) -> Axes:
    panels, whole = divmod(c.columns, panel_width(c, point))
    groups = [n for n in range(1, panels + 1) if panels % n == 0 and not whole]
    tiles = c.row_count // point.tile.rows
    values: dict[str, Sequence[object]] = {
        "tile": c.fitting_tiles,
        "k_block": (0, *(n for n in PASSES if n < c.steps)),
        "row_tiles": (0, *(n for n in BLOCKS if n < tiles)),
        "unroll": [n for n in UNROLLS if n <= c.target.unrolled_steps],
        "prefetch": [int(n * numbers_of(c.target).prefetch_steps) for n in PREFETCHES],
        "spread": (False, True),
        "group": groups,
        "copy": (0, *groups),
        "panel_tasks": (False, True),
        "epilogue": ("leaf", "tile", "panel"),
        "rest": sorted({0, point.tile.rows // 4, point.tile.rows // 2}),
        "task_tiles": (0, *BLOCKS),
        "short_last": (False, True),
    }
    return legal_axes(point, default, values, partial(_fault, c, default))


def _fault(c: TiledContraction, default: ProductPoint, point: ProductPoint) -> str:
    """Return the reason why a point is illegal, as a sentence; "" for a legal point.

    default: the point of the plan, which is always legal.
    """
    width, is_symbolic = panel_width(c, point), c.has_symbolic_rows
    panels, rest = divmod(c.columns, width)
    in_passes, apart = splits_k(in_blocks(c, point), point), point.epilogue != "leaf"
    is_panel, has_prefetch = point.epilogue == "panel", point.prefetch > 0 or point.spread
    only_symbolic = point.rest > 0 or point.task_tiles > 0 or point.short_last
    is_rounded = point.spread and point.k_block % BLOCK_STEPS > 0
    longest = max(MOST_TERMS, _longest_sum(c, default))
    faults = {
        "the register tile does not fit in the registers": point.tile != default.tile
        and point.tile not in c.fitting_tiles,
        "the output cannot hold sums between passes": point.k_block > 0 and not c.sums_in_memory,
        "fixed sums have one size of passes": c.target.fixed_sums
        and (point.k_block != default.k_block or is_rounded),
        "a sum has too many terms for one accumulator": _longest_sum(c, point) > longest,
        "blocks of rows need a static number of rows": point.row_tiles > 0 and is_symbolic,
        "groups of panels and blocks of rows would both split the sum": point.row_tiles > 0
        and point.group > 1,
        "a group of panels needs passes": point.group > 1 and not in_passes,
        "groups consist of whole panels": point.group > 1
        and (point.copy > 0 or rest > 0 or panels % point.group > 0),
        "only packed weights are prefetched": has_prefetch and not c.packs,
        "a spread prefetch needs whole blocks of steps": point.spread and c.steps % BLOCK_STEPS > 0,
        "weights are not copied": point.copy > 0 and c.packs,
        "the instruction needs a packed copy": c.instruction is not None
        and not c.packs
        and not point.copy,
        "a copy consists of whole panels": point.copy > 1 and (rest > 0 or panels % point.copy > 0),
        "there is no epilogue to apply apart": apart and not can_finish_apart(c),
        "passes over symbolic rows apply the epilogue": apart and is_symbolic and in_passes,
        "only tiles of symbolic rows have one epilogue per panel": is_panel and not is_symbolic,
        "static rows have no remainder at run time": only_symbolic and not is_symbolic,
        "tasks of rows need a single panel": point.task_tiles > 0
        and (not default.task_tiles or c.columns > width or point.k_block > 0),
        "the last panel is as wide as the others": point.short_last
        and (not rest or not panels or point.copy > 0 or point.group > 1),
    }
    return next((reason for reason, is_true in faults.items() if is_true), "")


def _longest_sum(c: TiledContraction, point: ProductPoint) -> int:
    """Return the most terms that one accumulator adds up between two stores."""
    c = in_blocks(c, point)
    terms = prod(c.extent(a) for a in c.reduced)
    if not splits_k(c, point):
        return terms
    return terms // c.extent(c.reduced[0]) * pass_size(c, point)
