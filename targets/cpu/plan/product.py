"""Schedules of matrix products: rules R1-R8 and R24 of cpu-plan."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, gcd, prod

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from ....analysis.strides import axis_stride, lane_stride
from ....dialects.shape import Extent, likely
from ....machines.target import Target
from .contraction import (
    Contraction,
    likely_rows,
    pack_groups,
    pack_weights,
    split_blocks,
    unit_tiles,
    vectorize,
)
from .epilogue import finish_rows, share_epilogue, shares_epilogue, sums_in_passes
from .instruction import with_instruction
from .script import Made, Script
from .tile_product import plan_tile_product, plan_tiles
from .tiles import (
    NARROW_CODE_COST,
    NARROW_VECTORS,
    RegisterTile,
    block_of_sum,
    choose_register_tile,
    divisor_at_most,
    even_part,
    even_sections,
    load_costs,
)

BLOCK_STEPS = 16
"""Steps of a reduction block; the tiles of rows share the next panel's prefetch (R5)."""

FAR_BYTES = 2048
"""Row pitches that are multiples of this cause cache-conflict misses (R8)."""

FEW_TILES, MANY_TILES = 4, 16
"""Tiles of rows from which on a copy of a panel pays: with, and without cache conflicts (R8)."""

LEAST_STEPS = 32
"""Fewest steps of a pass that hide the load and store of its sums (R4)."""

CACHE_WAY_BYTES = 1 << 16
"""Addresses at multiples of this share a set of L2 on common processors (R4)."""

PASS_STEPS, GROUP_COLUMNS, FEW_TASKS = 256, 192, 8
"""Steps per pass, columns per group of panels, and fewest groups for enough tasks (R4)."""

FEW_STEPS = 32
"""R6: a sum of at most this many terms takes less time than the store of its result."""

MANY_TASKS = 16
"""Outer loops with this many iterations need no parallel inner loops (R21)."""

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


@dataclass(frozen=True)
class ProductPlan:
    """Parameters of a matrix product's schedule.

    A panel is a block of columns as wide as a register tile.
    k_block: reduction elements per pass (0: all).  row_block: rows per block (0: all).  unroll:
    reduction steps per loop iteration.  prefetch: distance in elements of the next panel's
    prefetches (0: none).  rows_outermost: whether blocks of rows are outside the panels.  spread:
    whether each tile of rows prefetches a part of the next panel instead, which helps if weights
    are not in the caches: 128x768x768: 145 -> 158 GFLOP/s with AVX-512, 64x4096x1024: 88 -> 100
    with AVX2.  group: panels per pass.  finishes_panels: whether one loop applies the epilogue to
    all rows of a panel.
    """

    tile: RegisterTile
    k_block: int
    row_block: int
    unroll: int
    prefetch: int
    rows_outermost: bool
    spread: bool = False
    group: int = 1
    finishes_panels: bool = False


def plan_product_numbers(
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
) -> ProductPlan:
    """Choose the parameters of an (outer * rows, k) x (k, n) product (rules R1-R7 of cpu-plan).

    item: bytes per element.  pitch_bytes: the distance in memory between steps of the scalar
    operand, if the operand is transposed.  outer: the number of groups of ``rows`` rows; no
    register tile crosses groups.  temporaries: see fits_registers.  together: see step_cycles.
    """
    height = likely_rows(rows)
    columns, m = ceil(n / lanes), outer * height
    sums = ceil(height / together) * together
    limit = 8 if height == 1 else (target.vector_registers - 2) // (sums + together)
    if height <= 4 and limit:
        # R7: weights stream from memory once; rows are wide, so the hardware prefetches them.
        k_block = block_of_sum(k, 1)
        return ProductPlan(RegisterTile(height, min(columns, limit)), k_block, 0, 1, 0, False)
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
    # R5: prefetch the panel 96 steps ahead; if several tiles of rows read the panel, each tile
    # prefetches a part of the next panel.
    prefetch = 96 * tile.vectors * lanes
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
    meeting = target.l2_bytes // 2 // gcd(pitch_bytes, CACHE_WAY_BYTES) if pitch_bytes else k
    if max(meeting, LEAST_STEPS) < (k_block or k):
        # R4: steps whose lines share sets of L2 evict each other: 512 steps 4 KB apart, by 512
        # columns, 82 -> 102 GFLOP/s.
        k_block, group = even_part(k, max(meeting, LEAST_STEPS)), 1
    depth = k_block or k
    row_block, rows_outermost = 0, False
    if m * depth * item > target.l2_bytes * 7 // 8:
        # R6: choose row blocks whose part of the scalar operand fills 3/8 of L2.
        most = max(8 * tile.rows, target.l2_bytes * 3 // 8 // (depth * item))
        row_block = ceil(even_part(m, most) / tile.rows) * tile.rows
        rows_outermost = True
    elif not k_block:
        k_block = block_of_sum(k, 1)
    return ProductPlan(tile, k_block, row_block, 4, prefetch, rows_outermost, spread, group)


def _grouped_passes(
    m: int, n: int, k: int, width: int, item: int, target: Target
) -> tuple[int, int]:
    """Return the steps per pass and panels per group, if a pass over a group of panels fits L2.

    Otherwise return (0, 1), also if a narrower last panel would double the code of the passes.
    Rule R4 of cpu-plan: a pass's part of the scalar operand stays in L2 together with the group's
    part of the output.  A group has a few hundred columns, so that the scalar operand is read few
    times; eight tasks or more remain.

    Cold weights, (rows, k, n): 128x3072x768 +4 % with AVX-512, +11 % with AVX2 (93 % of its peak);
    197x3072x768, whose blocks of rows read all weights twice, +18 % and +10 %; 197x768x768
    with AVX2 +12 %.
    """
    if n % width:
        return 0, 1
    panels = n // width
    group = divisor_at_most(panels, max(1, min(GROUP_COLUMNS // width, panels // FEW_TASKS)))
    k_block = ceil(even_part(k, PASS_STEPS) / BLOCK_STEPS) * BLOCK_STEPS
    fits = m * k_block * item <= target.l2_bytes * 7 // 16
    return (k_block, group) if group > 1 and fits else (0, 1)


def plan_product(script: Script, leaf: SSAValue, c: Contraction, *, parallel: bool = True) -> None:
    """Write the schedule of a matrix product.

    parallel: whether outer loops are tasks.
    """
    c = with_instruction(c)
    if (tiles := plan_tiles(c)) is not None:
        plan_tile_product(script, leaf, c, tiles, parallel=parallel)
    else:
        _plan_vectors(script, leaf, c, parallel=parallel)


def _plan_vectors(script: Script, leaf: SSAValue, c: Contraction, *, parallel: bool) -> None:
    """Write the schedule of a matrix product by vector instructions (rules R1-R8 of cpu-plan).

    parallel: whether outer loops are tasks.
    """
    m = c.row_count
    k = c.steps
    pitch_bytes = _pitch(c) * c.element_bytes
    rows = c.view.axes[c.rows[-1]] if c.rows else 1
    outer = m // likely_rows(rows)
    numbers = plan_product_numbers(
        rows, c.columns, k, c.lanes, c.step_bytes, c.target, pitch_bytes, outer, c.temporaries,
        c.together,
    )  # fmt: skip
    numbers = _with_legal_passes(c, numbers)
    if c.has_symbolic_rows:
        # Blocks of rows need a static number of rows.
        numbers = replace(numbers, rows_outermost=False, unroll=SYMBOLIC_UNROLL)
        if c.batch:
            # R5: many products with weights of their own, as in Winograd, read the weights as
            # fast without prefetches, which are a tenth of the code over all heights.
            numbers = replace(numbers, prefetch=0, spread=False)
    streams = not c.has_symbolic_rows and _streams_result(c, m, k, numbers.tile)
    if streams:
        numbers = ProductPlan(numbers.tile, 0, numbers.tile.rows, 4, 0, True)
    width = numbers.tile.vectors * c.lanes
    spread = numbers.spread and c.packs
    if spread:
        c = _in_blocks(c)
    if c.packs:
        steps = _pass_size(c, numbers) * c.step(c.reduced[0]) if numbers.group > 1 else 0
        is_reused = m > numbers.tile.rows
        leaf = pack_weights(script, leaf, c, width, steps, group=numbers.group, is_reused=is_reused)
    leaf = split_blocks(script, leaf, c)
    copy: Made | None = None
    if not c.packs and not streams and _wants_copy(c, m, numbers.tile):
        rank = len(c.view.inputs[c.vector_operand].dims)
        copy, leaf = script.cache_read(leaf, c.vector_operand, rank)
    heights = _heights(c, numbers)
    in_passes = c.has_symbolic_rows and _splits_k(c, numbers)
    shares = not in_passes and shares_epilogue(c, numbers.tile.vectors, heights, k)
    if shares and c.has_symbolic_rows and not _row_chunk(c, numbers, parallel=parallel):
        numbers = replace(numbers, finishes_panels=True)
    leaves = _product_loops(script, leaf, c, numbers, copy, parallel)
    if shares and not numbers.finishes_panels:
        leaves = [share_epilogue(script, o, c, numbers.tile.vectors, heights) for o in leaves]
    inner = c.reduced[-1] if c.reduced else ""
    unrolls = {inner: _unroll(c, numbers)} if inner else {}
    distance = ((numbers.k_block or k) * width if spread else numbers.prefetch) * c.terms
    if c.has_symbolic_rows and c.columns <= width and not in_passes:
        distance = 0  # there is no next panel
    distance = distance if c.packs else 0
    vectorize(script, leaves[0], c, unrolls, distance, spread=spread)
    for last in leaves[1:]:
        vectorize(script, last, c, unrolls, distance if in_passes else 0, spread=spread)


def _streams_result(c: Contraction, rows: int, k: int, tile: RegisterTile) -> bool:
    """Return whether to write the result row by row, because sums are short (cpu-plan R6).

    The result is then more data than the operands.  Written panel by panel, each row of a panel
    would be in another page.  Sixteen times 224 x 16 x 960: 45 -> 104 GFLOP/s.
    """
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


def _in_blocks(c: Contraction) -> Contraction:
    """Split the innermost reduction axis into blocks, so that tiles of rows can share prefetches.

    Rule R5 of cpu-plan: for each block, every tile prefetches its part of the next panel's block.
    """
    axis, size = c.reduced[-1], BLOCK_STEPS * c.terms
    if c.split_of(axis) is not None or c.extent(axis) % size:
        return c
    return c.split_last(size)


def _wants_copy(c: Contraction, rows: int, tile: RegisterTile) -> bool:
    """Return whether to pack a computed operand by a copy (rule R8 of cpu-plan).

    A copy pays for strided columns, and for rows with cache-conflict misses: rows 4 KB apart share
    two sets of the caches, and 1024^3 ran at 39 % of peak without the copy.  An instruction for
    narrow types needs a copy, which stores the terms of a lane side by side.
    """
    if c.instruction is not None:
        return True
    access = c.view.inputs[c.vector_operand]
    if lane_stride(c.view, access, c.vector_axis, c.lanes) != 1:
        return rows > 1
    return rows > (FEW_TILES if _rows_meet(c) else MANY_TILES) * tile.rows


def _pitch(c: Contraction) -> int:
    """Return the distance in elements between two steps of a transposed scalar operand, else 0."""
    access = c.view.inputs[1 - c.vector_operand]
    if not c.reduced or not c.rows or axis_stride(c.view, access, c.rows[-1]) != 1:
        return 0
    return axis_stride(c.view, access, c.base(c.reduced[-1])) or 0


def _rows_meet(c: Contraction) -> bool:
    """Return whether the vector operand's row pitch causes cache-conflict misses (cpu-plan R8)."""
    access = c.view.inputs[c.vector_operand]
    pitch = axis_stride(c.view, access, c.reduced[-1]) if c.reduced else None
    return pitch is None or pitch * c.element_bytes % FAR_BYTES == 0


def _panels_per_copy(c: Contraction, numbers: ProductPlan) -> int:
    """Return how many panels to pack together, to read several cache lines of each row.

    Rule R8 of cpu-plan: the packed panels fit in a quarter of L2, and enough tasks remain.
    """
    width = numbers.tile.vectors * c.lanes
    k = prod(c.extent(a) for a in c.reduced)
    panels = ceil(c.columns / width)
    most = min(4, c.target.l2_bytes // 4 // (k * width * c.element_bytes), panels * 2 // MANY_TASKS)
    return divisor_at_most(panels, max(1, most))


def _pack_on_the_way(
    script: Script, made: Made, c: Contraction, width: int, loop: SSAValue
) -> None:
    """Compute the packed copy of a group of panels inside the loop over the groups (cpu-plan R8).

    made: the copy.  width: columns of a panel.  loop: the loop over groups.
    """
    access = c.view.inputs[c.vector_operand]
    indices = access.indices or []
    column = next(d for d, e in enumerate(indices) if c.vector_axis in set(e.variables()))
    copy = script.fuse_into(made.handle, loop)
    dims = [AffineExpr.dimension(d) for d in range(len(indices))]
    stride = indices[column].coefficient(c.vector_axis)
    if stride > 1 and column == len(indices) - 1:
        # A strided window: store the elements that one tap reads contiguously.
        phases = (*dims[:column], dims[column] % stride, dims[column] // stride)
        copy = script.relayout(copy, AffineMapAttr(AffineMap(len(dims), 0, phases)))
        sizes = {**dict.fromkeys(made.axes[:column], 1), made.axes[column]: stride * c.lanes}
        copy, _ = script.tile(copy, sizes)
        script.vectorize(copy, made.axes[column], c.lanes)
        return
    if c.instruction is not None:
        pack_groups(script, made, c, width, copy)
        return
    others = [dims[d] for d in range(len(indices)) if d != column]
    if len(set(indices[column].variables())) == 1:
        layout = (dims[column] // width, *others, dims[column] % width)
    else:
        # A sliding window: keep rows whole, because taps do not start at panel boundaries.
        layout = (*others, dims[column])
    copy = script.relayout(copy, AffineMapAttr(AffineMap(len(dims), 0, layout)))
    depth = max(range(len(indices)), key=lambda d: (d != column, d))
    if lane_stride(c.view, access, c.vector_axis, c.lanes) == 1:
        sizes = {made.axes[column]: width, made.axes[depth]: 4}
    else:
        # Square tiles, so that all elements of each cache line that is read are used.
        sizes = {made.axes[depth]: c.lanes, made.axes[column]: c.lanes}
    copy, _ = script.tile(copy, sizes)
    script.vectorize(copy, made.axes[column], c.lanes)


def _product_loops(
    script: Script,
    leaf: SSAValue,
    c: Contraction,
    numbers: ProductPlan,
    copy: Made | None,
    parallel: bool,
) -> list[SSAValue]:
    """Write the loops: batch, blocks of rows, columns, passes over the reduction, rows.

    Return the innermost computes (leaves); if the tiles of the last panel have other heights, this
    panel has its own leaves.  copy: the packed copy of the vector operand.  parallel: whether outer
    loops are tasks.
    """

    def share(loop: SSAValue) -> SSAValue:
        return script.parallel(loop) if parallel else loop

    width = numbers.tile.vectors * c.lanes
    tasks = 1
    if c.batch:
        leaf, loops = script.tile(leaf, unit_tiles(c, c.batch))
        for loop in loops:
            share(loop)
        tasks = prod(likely(c.view.axes[a]) for a in c.batch)
    if numbers.rows_outermost and copy is None:
        blocks = _row_blocks(c, numbers.row_block)
        leaf, loops = script.tile(leaf, blocks)
        for loop in loops:
            share(loop)
        tasks *= prod(ceil(c.extent(axis) / size) for axis, size in blocks.items())
        leaf = _split_k(script, leaf, c, numbers)
    together = width * numbers.group if copy is None else width * _panels_per_copy(c, numbers)
    leaf, loops = script.tile(leaf, {c.vector_axis: together})
    chunk = _row_chunk(c, numbers, parallel=parallel)
    loop = share(loops[0]) if tasks < MANY_TASKS and not chunk else loops[0]
    rows = {**unit_tiles(c, c.rows[:-1]), c.rows[-1]: numbers.tile.rows} if c.rows else {}
    if copy is not None:
        _pack_on_the_way(script, copy, c, width, loop)
        panels = {c.vector_axis: width}
        if numbers.rows_outermost:
            # L2 holds several panels: each pass over the rows uses them all.
            leaf = _split_k(script, leaf, c, numbers)
            return [script.tile(leaf, {**rows, **panels}, even=list(rows))[0]]
        leaf, _ = script.tile(leaf, panels)
    elif numbers.group > 1:
        leaf = _split_k(script, leaf, c, numbers)
        leaf, _ = script.tile(leaf, {c.vector_axis: width})
        return [script.tile(leaf, rows, even=list(rows))[0] if rows else leaf]
    elif numbers.rows_outermost:
        return [script.tile(leaf, rows, even=list(rows))[0]]
    leaf = _split_k(script, leaf, c, numbers)
    if not rows:
        return [leaf]
    apart = copy is None and _has_short_last_panel(c, width)
    leaves, loop = _tiles_of_rows(script, leaf, c, numbers, chunk, apart=apart)
    if chunk:
        share(loop)
    return leaves


def _tiles_of_rows(
    script: Script,
    leaf: SSAValue,
    c: Contraction,
    numbers: ProductPlan,
    chunk: int,
    *,
    apart: bool,
) -> tuple[list[SSAValue], SSAValue]:
    """Tile the rows; return the innermost computes (leaves), and the innermost loop over rows.

    chunk: tiles per task; 0: rows are not tasks.  apart: whether the last panel has tiles of half
    the height, and hence its own leaf.
    """
    rows = {**unit_tiles(c, c.rows[:-1]), c.rows[-1]: numbers.tile.rows}
    leaves: list[SSAValue] = []
    if apart:
        leaf, last = script.split_handle(leaf, last=1)
        half = rows | {c.rows[-1]: -(-numbers.tile.rows // 2)}
        leaves.append(script.tile(last, half, even=list(half))[0])
    rest = _rest_rows(c, numbers)
    leaf, loops = script.tile(leaf, rows, even=list(rows), rest=rest, chunk=chunk)
    return [leaf, *leaves], loops[-1]


def _has_short_last_panel(c: Contraction, width: int) -> bool:
    """Return whether a product of symbolic rows has many panels, of which the last is narrower.

    Then the last panel gets tiles of half the height, which make its code a third as large; the
    panel takes only a small part of the time.  Rule R3 of cpu-plan.
    """
    return c.has_symbolic_rows and c.columns % width != 0 and c.columns >= MANY_PANELS * width


def _row_chunk(c: Contraction, numbers: ProductPlan, *, parallel: bool) -> int:
    """Return how many tiles of symbolic rows form a task, if there is a single panel; else 0.

    Rule R21 of cpu-plan.
    """
    alone = c.columns <= numbers.tile.vectors * c.lanes and not c.batch and not numbers.k_block
    return CHUNK_TILES if alone and c.has_symbolic_rows and parallel else 0


def _heights(c: Contraction, numbers: ProductPlan) -> set[int]:
    """Return the heights of all register tiles of the schedule."""
    if c.has_symbolic_rows:
        rest = _rest_rows(c, numbers) or numbers.tile.rows
        return {numbers.tile.rows, *range(1, rest + 1)}
    height = c.extent(c.rows[-1]) if c.rows else 1
    block = min(numbers.row_block or height, height)
    extents = [n for n in (block, height % block) if n]
    return {size for n in extents for _, size in even_sections(n, numbers.tile.rows)}


def _rest_rows(c: Contraction, numbers: ProductPlan) -> int:
    """Return the height of the tiles that cover the remainder of symbolic rows (cpu-plan R3).

    0 if all tiles have nearly equal heights instead, so that there is no remainder.
    """
    rows, flight = numbers.tile.rows, c.target.fma_latency * c.target.fma_ports
    weights = c.steps * c.columns * prod(likely(c.view.axes[a]) for a in c.batch)
    most = SMALL_WEIGHTS if rows // 2 * numbers.tile.vectors >= flight else TINY_WEIGHTS
    if not c.has_symbolic_rows or weights > most or rows < 2 * LEAST_REST_ROWS:
        return 0
    return max(LEAST_REST_ROWS, rows // (4 if weights <= TINY_WEIGHTS else 2))


def _row_blocks(c: Contraction, rows: int) -> dict[str, int]:
    """Return the extent along each axis of rows of a block with about ``rows`` rows."""
    blocks = {c.rows[-1]: rows}
    for axis, inner in zip(c.rows[-2::-1], c.rows[:0:-1], strict=True):
        rows = max(1, rows // c.extent(inner))
        blocks = {axis: rows, **blocks}
    return blocks


def _with_legal_passes(c: Contraction, numbers: ProductPlan) -> ProductPlan:
    """Return the plan with passes over the reduction that are legal.

    If the output cannot hold partial sums, there is one pass.  If the target asks for fixed sums
    (machine-independent results), the sizes of the passes do not depend on caches.
    """
    if not c.sums_in_memory:
        return replace(numbers, k_block=0, group=1)
    if not c.target.fixed_sums:
        return numbers
    first, *others = c.reduced
    inner = prod(c.extent(a) for a in others)
    block = block_of_sum(c.extent(first), inner)
    return replace(numbers, k_block=block * inner // c.terms, group=1)


def _splits_k(c: Contraction, numbers: ProductPlan) -> bool:
    """Return whether the first reduction axis is processed in several passes (cpu-plan R4)."""
    if not numbers.k_block or not c.reduced:
        return False
    return _pass_size(c, numbers) < c.extent(c.reduced[0])


def _split_k(script: Script, leaf: SSAValue, c: Contraction, numbers: ProductPlan) -> SSAValue:
    """Split the first reduction axis into passes, and apply the epilogue after them.

    Rules R4 and R29 of cpu-plan.
    """
    if numbers.finishes_panels:
        return finish_rows(script, leaf, c)
    if not _splits_k(c, numbers):
        return leaf
    first, size = c.reduced[0], _pass_size(c, numbers)
    if c.has_symbolic_rows:
        return sums_in_passes(script, leaf, c, first, size)
    return script.split_reduction(leaf, first, size)


def _pass_size(c: Contraction, numbers: ProductPlan) -> int:
    """Return how many elements of the first reduction axis a pass covers."""
    _, *others = c.reduced
    size = max(1, numbers.k_block * c.terms // prod(c.extent(a) for a in others))
    if others:
        return size
    # Every pass, including the last, is then a whole number of unrolled steps.
    unroll = _unroll(c, numbers) * c.terms
    return ceil(size / unroll) * unroll


def _unroll(c: Contraction, numbers: ProductPlan) -> int:
    """Return the steps of the innermost reduction axis per loop iteration (rule R3 of cpu-plan)."""
    return divisor_at_most(c.extent(c.reduced[-1]) // c.terms, numbers.unroll)
