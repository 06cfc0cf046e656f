"""Points of matrix products: what rules R1-R8, R24 and R29 of cpu-plan choose, and their space.

In: a contraction.  Out: the point of the rules, the values to try for each field, and the reason
why a point is illegal.  product.py writes the schedule of a point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil, gcd, prod
from typing import Literal

from .....analysis.strides import axis_stride, lane_stride
from .....dialects.shape import Extent, likely
from .....machines.cpu_numbers import load_costs, numbers_of
from .....machines.target import Target
from ..contraction import TiledContraction, likely_rows
from ..epilogue import can_finish_apart, shares_epilogue
from ..tiles import (
    MOST_TERMS,
    NARROW_CODE_COST,
    NARROW_VECTORS,
    RegisterTile,
    block_of_sum,
    choose_register_tile,
    divisor_at_most,
    even_part,
    even_sections,
)
from .choice import Axes, Choice, legal_axes

BLOCK_STEPS = 16
"""Steps of a reduction block; the tiles of rows share the next panel's prefetch (R5)."""

FEW_TILES, MANY_TILES = 4, 16
"""Tiles of rows from which on a copy of a panel pays: with, and without cache conflicts (R8)."""

LEAST_STEPS = 32
"""Fewest steps of a pass that hide the load and store of its sums (R4)."""

PASS_STEPS, GROUP_COLUMNS, FEW_TASKS = 256, 192, 8
"""Steps per pass, columns per group of panels, and fewest groups for enough tasks (R4)."""

FEW_STEPS = 32
"""R6: a sum of at most this many terms takes less time than the store of its result."""

MANY_TASKS = 16
"""Outer loops with this many iterations need no parallel inner loops (R21).  It is no number of
cores of the processor: the sums of the cheapest point must not depend on the cores."""

SYMBOLIC_UNROLL = 2
"""R3: reduction steps per loop iteration for symbolic rows; two instead of four are a third less
code, and as fast for 1 to 512 rows (768 x 768 and 768 x 3072, Zen 4)."""

SYMBOLIC_REST_COST, SYMBOLIC_CODE_COST = 0.02, 0.00007
"""R1: relative costs, for symbolic rows, of a narrower last tile and of each vector of sums in the
code; products of many columns take most of the time."""

SMALL_WEIGHTS = 1 << 17
"""R3: products of at most this many weights take less than 20 us for up to 16 symbolic rows, so few
tiles follow many whole ones if time matters.  Tiles of at most half the height then suffice, with
60 % of the code: 1152 x 48 with SiLU has 98 % of the speed, and 89 % for 9 rows, its worst case.
Half a tile must hide the latency of its sums: 6 x 16 in AVX2 does not, and took 1.5 times as long
for 5 rows."""

TINY_WEIGHTS = 1 << 15
"""R3: the limit for tiles of a quarter of the height, and up to 64 rows: 672 x 28 with SiLU is as
fast from 32 rows on, and in 2 us for 5 rows 12 % slower, with a quarter less code."""

LEAST_REST_ROWS = 2
"""R3: fewest rows of the largest tile after the whole tiles."""

MANY_PANELS = 4
"""R3: number of panels from which on a narrower last panel takes little of the time."""

CHUNK_TILES = 16
"""Tiles of symbolic rows in a task of a product with one panel (R21)."""


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


def product_numbers(
    rows: Extent,
    n: int,
    k: int,
    lanes: int,
    item: int,
    target: Target,
    pitch_bytes: int = 0,
    outer: int = 1,
    temporaries: int = 0,
    together: int = 1,
) -> ProductPoint:
    """Choose the numbers of the schedule of an (outer * rows, k) x (k, n) product.

    lanes: lanes of a vector.
    item: bytes per element.
    pitch_bytes: the distance in memory between steps of the scalar operand, if the operand is
    transposed; else 0.
    outer: the number of groups of ``rows`` rows; no register tile crosses groups.
    temporaries: the registers that a step needs besides accumulators and operands.
    together: the rows that one instruction multiplies at once; 1 for an FMA.
    """
    height = likely_rows(rows)
    columns, m = ceil(n / lanes), outer * height
    sums = ceil(height / together) * together
    limit = 8 if height == 1 else (target.vector_registers - 2) // (sums + together)
    if height <= 4 and limit:
        # R7: weights stream from memory once; rows are wide, so the hardware prefetches them.
        k_block = block_of_sum(k, 1)
        return ProductPoint(RegisterTile(height, min(columns, limit)), k_block, unroll=1)
    panel_in_l1 = k * 2 * lanes * item <= target.l1_bytes // 2
    tile = choose_register_tile(
        rows,
        n,
        lanes,
        target,
        load_costs(target, near=panel_in_l1),
        rest_cost=0.0 if isinstance(rows, int) else SYMBOLIC_REST_COST,
        code_cost=SYMBOLIC_CODE_COST if n > NARROW_VECTORS * lanes else NARROW_CODE_COST,
        temporaries=temporaries,
        together=together,
    )
    panel_step_bytes = tile.vectors * lanes * item
    # R5: prefetch the panel some steps ahead; if several tiles of rows read the panel, each tile
    # prefetches a part of the next panel.
    numbers = numbers_of(target)
    prefetch = numbers.prefetch_steps
    is_dynamic = not isinstance(rows, int)
    shares = m >= FEW_TILES * tile.rows and k % BLOCK_STEPS == 0
    if is_dynamic and n <= tile.vectors * lanes:
        shares = False  # a single panel has tasks of rows, and no next panel
    stays = m * k * item <= target.l2_bytes * 7 // 8
    spread = shares and stays
    k_block, group = 0, 1
    if shares and (k > 1024 or not stays):
        k_block, group = _grouped_passes(m, n, k, tile.vectors * lanes, item, target)
    if group > 1:
        spread = True
    elif spread and k > 1024 and not (is_dynamic and k * panel_step_bytes <= target.l2_bytes // 4):
        # R4: the panel prefetched during a pass over the rows is small compared with L2; passes
        # over symbolic rows are more code, and no faster if a panel is as small.
        most = min(768, target.l2_bytes // 16 // panel_step_bytes)
        k_block = ceil(even_part(k, most) / BLOCK_STEPS) * BLOCK_STEPS
    elif k > 1024 and k * panel_step_bytes > target.l2_bytes // 4:
        # R4: a panel of up to 1024 steps, or a quarter of L2, streams from L2 fast enough (with
        # 2 MiB 1024x1024x1040 ran at 76 % of peak, in two passes at 67 %); longer panels are
        # split into blocks of 384-512.
        small = k % 512 == 0 and m * 512 * item <= target.l2_bytes * 3 // 8
        k_block = even_part(k, 512 if small else 384)
    meeting = target.l2_bytes // 2 // gcd(pitch_bytes, numbers.l2_set_bytes) if pitch_bytes else k
    if max(meeting, LEAST_STEPS) < (k_block or k):
        # R4: steps whose lines share sets of L2 evict each other: 512 steps 4 KB apart, by 512
        # columns, 82 -> 102 GFLOP/s.
        k_block, group = even_part(k, max(meeting, LEAST_STEPS)), 1
    depth = k_block or k
    row_tiles = 0
    if m * depth * item > target.l2_bytes * 7 // 8:
        # R6: choose row blocks whose part of the scalar operand fills 3/8 of L2.
        most = max(8 * tile.rows, target.l2_bytes * 3 // 8 // (depth * item))
        row_tiles = ceil(even_part(m, most) / tile.rows)
    elif not k_block:
        k_block = block_of_sum(k, 1)
    return ProductPoint(tile, k_block, row_tiles, 4, prefetch, spread, group)


def _grouped_passes(
    m: int, n: int, k: int, width: int, item: int, target: Target
) -> tuple[int, int]:
    """Return (steps per pass, panels per group), if a pass over a group of panels fits L2.

    m, n, k: the sizes of the product.
    width: columns of a panel.
    item: bytes per element. A pass's part of the scalar operand stays in L2 together with the
    group's part of the output. A group has a few hundred columns, so that the scalar operand is
    read few times; eight tasks or more remain. Otherwise return (0, 1), one pass; also if a
    narrower last panel would double the code of the passes.

    Cold weights, (rows, k, n): 128x3072x768 +4 % with AVX-512, +11 % with AVX2 (93 % of its peak);
    197x3072x768, whose blocks of rows read all weights twice, +18 % and +10 %; 197x768x768 with
    AVX2 +12 %.
    """
    if n % width:
        return 0, 1
    panels = n // width
    group = divisor_at_most(panels, max(1, min(GROUP_COLUMNS // width, panels // FEW_TASKS)))
    k_block = ceil(even_part(k, PASS_STEPS) / BLOCK_STEPS) * BLOCK_STEPS
    fits = m * k_block * item <= target.l2_bytes * 7 // 16
    return (k_block, group) if group > 1 and fits else (0, 1)


def choice_of(c: TiledContraction, default: ProductPoint) -> Choice[ProductPoint]:
    """Return the choice among the points of a matrix product, of which one is the plan's."""
    return Choice(c, default, partial(_axes, c, default), partial(_fault, c, default))


def first_point(c: TiledContraction, *, parallel: bool) -> ProductPoint:
    """Return the point of the rules, from which the search for a cheaper one starts.

    parallel: whether outer loops are tasks.
    """
    rows = c.view.axes[c.rows[-1]] if c.rows else 1
    point = product_numbers(
        rows, c.columns, c.steps, c.lanes, c.step_bytes, c.target, _pitch(c) * c.element_bytes,
        c.row_count // likely_rows(rows), c.temporaries, c.together,
    )  # fmt: skip
    point = _with_legal_passes(c, point)
    if not c.packs:
        point = replace(point, prefetch=0, spread=False)
    if c.has_symbolic_rows:
        point = _with_symbolic_rows(c, point, parallel=parallel)
    elif _streams_result(c, point.tile):
        return _with_epilogue(c, _with_tasks(c, ProductPoint(point.tile, row_tiles=1)))
    if not c.packs and _wants_copy(c, point.tile):
        point = replace(point, copy=_panels_per_copy(c, point), group=1)
    apart = not point.copy and _has_short_last_panel(c, panel_width(c, point))
    return _with_epilogue(c, _with_tasks(c, replace(point, short_last=apart)))


def _with_tasks(c: TiledContraction, point: ProductPoint) -> ProductPoint:
    """Return the point with tasks of panels, unless outer loops have enough tasks."""
    rows = point.row_tiles * point.tile.rows
    blocks = ceil(c.row_count / rows) if rows and not point.copy else 1
    outer = blocks * prod(likely(c.view.axes[a]) for a in c.batch)
    return replace(point, panel_tasks=outer < MANY_TASKS)


def _with_symbolic_rows(
    c: TiledContraction, point: ProductPoint, *, parallel: bool
) -> ProductPoint:
    point = replace(point, row_tiles=0, unroll=SYMBOLIC_UNROLL, rest=_rest_rows(c, point.tile))
    if c.batch:
        # R5: many products with weights of their own, as in Winograd, read the weights as
        # fast without prefetches, which are a tenth of the code over all heights.
        point = replace(point, prefetch=0, spread=False)
    is_one_panel = c.columns <= panel_width(c, point)
    if is_one_panel and not splits_k(in_blocks(c, point), point):
        point = replace(point, prefetch=0)  # there is no next panel
    # R21: rows of a single panel are tasks.
    alone = is_one_panel and not c.batch and not point.k_block and parallel
    return replace(point, task_tiles=CHUNK_TILES if alone else 0)


def _with_epilogue(c: TiledContraction, point: ProductPoint) -> ProductPoint:
    if c.has_symbolic_rows and splits_k(in_blocks(c, point), point):
        return point
    if not shares_epilogue(c, point.tile.vectors, tile_heights(c, point), c.steps):
        return point
    by_panel = c.has_symbolic_rows and not point.task_tiles
    return replace(point, epilogue="panel" if by_panel else "tile")


def _streams_result(c: TiledContraction, tile: RegisterTile) -> bool:
    """Return whether to write the result row by row, because sums are short.

    The result is then more data than the operands.  Written panel by panel, each row of a panel
    would be in another page.  Sixteen times 224 x 16 x 960: 45 -> 104 GFLOP/s.
    """
    rows, k = c.row_count, c.steps
    access = c.view.inputs[c.vector_operand]
    contiguous = lane_stride(c.view, access, c.vector_axis, c.lanes) == 1
    stays = c.packs or (c.instruction is None and contiguous and not _rows_meet(c))
    operand, result = (n * c.columns * c.step_bytes for n in (k, rows))
    return (
        stays
        and k <= FEW_STEPS
        and rows > tile.rows
        and operand <= c.target.l2_bytes // 4
        and result > c.target.l2_bytes // 4
    )


def _wants_copy(c: TiledContraction, tile: RegisterTile) -> bool:
    """Return whether to pack a computed operand by a copy.

    A copy pays for strided columns, and for rows with cache-conflict misses: rows 4 KB apart share
    two sets of the caches, and 1024^3 ran at 39 % of peak without the copy.  An instruction for
    narrow types needs a copy, which stores the terms of a lane side by side.
    """
    if c.instruction is not None:
        return True
    rows = c.row_count
    access = c.view.inputs[c.vector_operand]
    if lane_stride(c.view, access, c.vector_axis, c.lanes) != 1:
        return rows > 1
    return rows > (FEW_TILES if _rows_meet(c) else MANY_TILES) * tile.rows


def _pitch(c: TiledContraction) -> int:
    """Return the distance in elements between two steps of a transposed scalar operand, else 0."""
    access = c.view.inputs[1 - c.vector_operand]
    if not c.reduced or not c.rows or axis_stride(access, c.rows[-1]) != 1:
        return 0
    return axis_stride(access, c.base(c.reduced[-1])) or 0


def _rows_meet(c: TiledContraction) -> bool:
    """Return whether the vector operand's row pitch causes cache-conflict misses."""
    access = c.view.inputs[c.vector_operand]
    pitch = axis_stride(access, c.reduced[-1]) if c.reduced else None
    return pitch is None or not pitch * c.element_bytes % numbers_of(c.target).l1_set_bytes


def _panels_per_copy(c: TiledContraction, point: ProductPoint) -> int:
    """Return how many panels to pack together, to read several cache lines of each row.

    The packed panels fit in a quarter of L2, and enough tasks remain.
    """
    width = point.tile.vectors * c.lanes
    k = prod(c.extent(a) for a in c.reduced)
    panels = ceil(c.columns / width)
    most = min(4, c.target.l2_bytes // 4 // (k * width * c.element_bytes), panels * 2 // MANY_TASKS)
    return divisor_at_most(panels, max(1, most))


def _has_short_last_panel(c: TiledContraction, width: int) -> bool:
    """Return whether a product of symbolic rows has many panels, of which the last is narrower.

    Then the last panel gets tiles of half the height, which make its code a third as large; the
    panel takes only a small part of the time.
    """
    return c.has_symbolic_rows and c.columns % width != 0 and c.columns >= MANY_PANELS * width


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


def _with_legal_passes(c: TiledContraction, point: ProductPoint) -> ProductPoint:
    """Return the point with legal passes over the reduction.

    If the output cannot hold partial sums, there is one pass.  If the target asks for fixed sums
    (machine-independent results), the sizes of the passes do not depend on caches.
    """
    if not c.sums_in_memory:
        return replace(point, k_block=0, group=1)
    if not c.target.fixed_sums:
        return point
    first, *others = c.reduced
    inner = prod(c.extent(a) for a in others)
    block = block_of_sum(c.extent(first), inner)
    return replace(point, k_block=block * inner // c.terms, group=1)


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

    default: the point of the rules, whose tile and sums are always legal.
    """
    width, is_symbolic = panel_width(c, point), c.has_symbolic_rows
    panels, rest = divmod(c.columns, width)
    in_passes, apart = splits_k(in_blocks(c, point), point), point.epilogue != "leaf"
    is_panel, has_prefetch = point.epilogue == "panel", point.prefetch > 0 or point.spread
    only_symbolic = point.rest > 0 or point.task_tiles > 0 or point.short_last
    longest = max(MOST_TERMS, _longest_sum(c, default))
    faults = {
        "the register tile does not fit in the registers": point.tile != default.tile
        and point.tile not in c.fitting_tiles,
        "the output cannot hold sums between passes": point.k_block > 0 and not c.sums_in_memory,
        "fixed sums have one size of passes": c.target.fixed_sums
        and point.k_block != default.k_block,
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
