"""Schedules of matrix products, whose points the modelled cycles choose.

In: a contraction, and its point (points/product.py).  Out: the steps of its schedule.
"""

from __future__ import annotations

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from ....analysis.strides import lane_stride
from .contraction import (
    TiledContraction,
    pack_groups,
    pack_weights,
    split_blocks,
    vectorize,
)
from .epilogue import finish_rows, share_epilogue, sums_in_passes
from .instruction import with_instruction
from .points.cheapest_product import product_choice
from .points.product import (
    ProductPoint,
    in_blocks,
    panel_width,
    pass_size,
    splits_k,
    steps_per_trip,
    tile_heights,
)
from .script import CreatedCompute, Script
from .tile_product import plan_tile_product, plan_tiles


def plan_product(
    script: Script, leaf: SSAValue, c: TiledContraction, *, parallel: bool = True
) -> None:
    """Write the schedule of a matrix product; ``leaf`` is the handle of its compute.

    parallel: whether outer loops are tasks.
    """
    c = with_instruction(c)
    if (tiles := plan_tiles(c)) is not None:
        plan_tile_product(script, leaf, c, tiles, parallel=parallel)
    else:
        point = script.choose(product_choice(c, parallel=parallel))
        _write(script, leaf, c, point, parallel=parallel)


def _write(
    script: Script, leaf: SSAValue, c: TiledContraction, point: ProductPoint, *, parallel: bool
) -> None:
    c, width, steps = in_blocks(c, point), panel_width(c, point), c.steps
    in_passes = c.has_symbolic_rows and splits_k(c, point)
    if c.packs:
        outer = pass_size(c, point) * c.step(c.reduced[0]) if point.group > 1 else 0
        is_reused = c.row_count > point.tile.rows
        leaf = pack_weights(script, leaf, c, width, outer, group=point.group, is_reused=is_reused)
    leaf = split_blocks(script, leaf, c)
    copy: CreatedCompute | None = None
    if point.copy:
        rank = len(c.view.inputs[c.vector_operand].dims)
        copy, leaf = script.cache_read(leaf, c.vector_operand, rank)
    leaves = _product_loops(script, leaf, c, point, copy, parallel)
    if point.epilogue == "tile":
        heights = tile_heights(c, point)
        leaves = [share_epilogue(script, o, c, point.tile.vectors, heights) for o in leaves]
    unrolls = {c.reduced[-1]: steps_per_trip(c, point)} if c.reduced else {}
    distance = (point.k_block or steps) if point.spread else point.prefetch
    distance *= width * c.terms
    vectorize(script, leaves[0], c, unrolls, distance, spread=point.spread)
    for last in leaves[1:]:
        vectorize(script, last, c, unrolls, distance if in_passes else 0, spread=point.spread)


def _pack_on_the_way(
    script: Script, made: CreatedCompute, c: TiledContraction, width: int, loop: SSAValue
) -> None:
    """Compute the packed copy of a group of panels inside the loop over the groups.

    made: the copy.
    width: columns of a panel.
    loop: the loop over groups.
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
    c: TiledContraction,
    point: ProductPoint,
    copy: CreatedCompute | None,
    parallel: bool,
) -> list[SSAValue]:
    """Write the loops: batch, blocks of rows, columns, passes over the reduction, rows.

    point: the numbers of the schedule.
    copy: the packed copy of the vector operand; None without a copy.
    parallel: whether outer loops are tasks.
    Returns the innermost computes (leaves); if the tiles of the last panel have other heights, this
    panel has its own leaves.
    """

    def share(loop: SSAValue) -> SSAValue:
        return script.parallel(loop) if parallel else loop

    width = panel_width(c, point)
    if c.batch:
        leaf, loops = script.tile(leaf, dict.fromkeys(c.batch, 1))
        for loop in loops:
            share(loop)
    if point.row_tiles and copy is None:
        blocks = _row_blocks(c, point.row_tiles * point.tile.rows)
        leaf, loops = script.tile(leaf, blocks)
        for loop in loops:
            share(loop)
        leaf = _split_k(script, leaf, c, point)
    together = width * (point.copy or point.group)
    leaf, loops = script.tile(leaf, {c.vector_axis: together})
    loop = share(loops[0]) if point.panel_tasks and not point.task_tiles else loops[0]
    rows = {**dict.fromkeys(c.rows[:-1], 1), c.rows[-1]: point.tile.rows} if c.rows else {}
    if copy is not None:
        _pack_on_the_way(script, copy, c, width, loop)
        panels = {c.vector_axis: width}
        if point.row_tiles:
            # L2 holds several panels: each pass over the rows uses them all.
            leaf = _split_k(script, leaf, c, point)
            return [script.tile(leaf, {**rows, **panels}, even=list(rows))[0]]
        leaf, _ = script.tile(leaf, panels)
    elif point.group > 1:
        leaf = _split_k(script, leaf, c, point)
        leaf, _ = script.tile(leaf, {c.vector_axis: width})
        return [script.tile(leaf, rows, even=list(rows))[0] if rows else leaf]
    elif point.row_tiles:
        return [script.tile(leaf, rows, even=list(rows))[0]]
    leaf = _split_k(script, leaf, c, point)
    if not rows:
        return [leaf]
    leaves, loop = _tiles_of_rows(script, leaf, c, point)
    if point.task_tiles:
        share(loop)
    return leaves


def _tiles_of_rows(
    script: Script,
    leaf: SSAValue,
    c: TiledContraction,
    point: ProductPoint,
) -> tuple[list[SSAValue], SSAValue]:
    rows = {**dict.fromkeys(c.rows[:-1], 1), c.rows[-1]: point.tile.rows}
    leaves: list[SSAValue] = []
    if point.short_last:
        leaf, last = script.split_handle(leaf, last=1)
        half = rows | {c.rows[-1]: -(-point.tile.rows // 2)}
        leaves.append(script.tile(last, half, even=list(half))[0])
    leaf, loops = script.tile(leaf, rows, even=list(rows), rest=point.rest, chunk=point.task_tiles)
    return [leaf, *leaves], loops[-1]


def _row_blocks(c: TiledContraction, rows: int) -> dict[str, int]:
    """Return the extent along each axis of rows of a block with about ``rows`` rows."""
    blocks = {c.rows[-1]: rows}
    for axis, inner in zip(c.rows[-2::-1], c.rows[:0:-1], strict=True):
        rows = max(1, rows // c.extent(inner))
        blocks = {axis: rows, **blocks}
    return blocks


def _split_k(script: Script, leaf: SSAValue, c: TiledContraction, point: ProductPoint) -> SSAValue:
    if point.epilogue == "panel":
        return finish_rows(script, leaf, c)
    if not splits_k(c, point):
        return leaf
    first, size = c.reduced[0], pass_size(c, point)
    if c.has_symbolic_rows:
        return sums_in_passes(script, leaf, c, first, size)
    return script.split_reduction(leaf, first, size)
