"""Schedules of matrix products, as rules R1-R8."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, prod

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from ....analysis.strides import lane_stride
from ....support.target import Target
from .contraction import Contraction, pack_weights, split_blocks, unit_tiles, vectorize
from .script import Script
from .tiles import RegisterTile, choose_register_tile, divisor_at_most, even_part


@dataclass(frozen=True)
class ProductPlan:
    """Parameters of a matrix product's schedule.

    k_block: reduction elements per pass (0: all).  row_block: rows per block (0: all).
    unroll: reduction steps per trip.  prefetch: distance in elements (0: none).
    """

    tile: RegisterTile
    k_block: int
    row_block: int
    unroll: int
    prefetch: int
    rows_outermost: bool


def plan_product_numbers(
    m: int, n: int, k: int, lanes: int, item: int, target: Target
) -> ProductPlan:
    """R1-R7: choose the numbers of an (m, k) x (k, n) product; item: bytes per element."""
    columns = ceil(n / lanes)
    if m <= 4:
        # R7: weights stream once from memory; wide rows, the hardware prefetches.
        limit = 8 if m == 1 else (target.vector_registers - 2) // (m + 1)
        return ProductPlan(RegisterTile(m, min(columns, limit)), 0, 0, 1, 0, False)
    panel_in_l1 = k * 2 * lanes * item <= target.l1_bytes // 2
    tile = choose_register_tile(m, n, lanes, target, vector_cost=0.04 if panel_in_l1 else 0.08)
    k_block = 0
    if k > 1024:
        # R4: a panel of up to 1024 steps streams from L2 fast enough; beyond, blocks of 384-512.
        small = k % 512 == 0 and m * 512 * item <= target.l2_bytes * 3 // 8
        k_block = even_part(k, 512 if small else 384)
    depth = k_block or k
    row_block, rows_outermost = 0, False
    if m * depth * item > target.l2_bytes * 7 // 8:
        # R6: row blocks whose share of the scalar operand fills 3/8 of L2.
        most = max(8 * tile.rows, target.l2_bytes * 3 // 8 // (depth * item))
        row_block = ceil(even_part(m, most) / tile.rows) * tile.rows
        rows_outermost = True
    # R5: prefetch the panel 96 steps ahead.
    prefetch = 96 * tile.vectors * lanes
    return ProductPlan(tile, k_block, row_block, 4, prefetch, rows_outermost)


def plan_product(script: Script, c: Contraction) -> None:
    """Write the schedule of a matrix product."""
    m = c.extent(c.rows[0]) if c.rows else 1
    k = prod(c.extent(a) for a in c.reduced)
    numbers = plan_product_numbers(m, c.columns, k, c.lanes, c.element_bytes, c.target)
    width = numbers.tile.vectors * c.lanes
    leaf = script.match(c.view.name)
    if c.packs:
        leaf = pack_weights(script, leaf, c, width, 0)
    leaf = split_blocks(script, leaf, c)
    copy: SSAValue | None = None
    if not c.packs and c.batch and _wants_copy(c):
        copy, leaf = script.cache_read(leaf, c.vector_operand)
    if c.batch:
        leaf, loops = script.tile(leaf, unit_tiles(c, c.batch))
        loops = [script.parallel(x) for x in loops]
        if copy is not None:
            _pack_on_the_way(script, copy, c, width, loops[-1])
            leaf = script.match(c.view.name)
    parallel = not c.batch
    leaf = _product_loops(script, leaf, c, numbers, width, parallel)
    inner = c.reduced[-1] if c.reduced else ""
    unrolls = {inner: _unroll(c, numbers)} if inner else {}
    vectorize(script, leaf, c, unrolls, numbers.prefetch if c.packs else 0)


def _wants_copy(c: Contraction) -> bool:
    """R8: pack a dynamic operand if its columns are not contiguous."""
    access = c.view.inputs[c.vector_operand]
    return lane_stride(c.view, access, c.vector_axis, c.lanes) != 1


def _pack_on_the_way(
    script: Script, copy: SSAValue, c: Contraction, width: int, loop: SSAValue
) -> None:
    """R8: one packed copy per batch entry, before the column tiles exist."""
    access = c.view.inputs[c.vector_operand]
    indices = access.indices or []
    column = next(d for d, e in enumerate(indices) if c.vector_axis in set(e.variables()))
    copy = script.fuse_into(copy, loop)
    dims = [AffineExpr.dimension(d) for d in range(len(indices))]
    others = [dims[d] for d in range(len(indices)) if d != column]
    split = (dims[column] // width, *others, dims[column] % width)
    copy = script.relayout(copy, AffineMapAttr(AffineMap(len(dims), 0, split)))
    name = f"{c.view.name}_in{c.vector_operand}"
    copy = script.match(name)
    depth = max(range(len(indices)), key=lambda d: (d != column, d))
    copy, _ = script.tile(copy, {f"c{column}": width, f"c{depth}": 4})
    script.vectorize(copy, f"c{column}", c.lanes)


def _product_loops(
    script: Script,
    leaf: SSAValue,
    c: Contraction,
    numbers: ProductPlan,
    width: int,
    parallel: bool,
) -> SSAValue:
    column = {c.vector_axis: width}
    rows = {c.rows[0]: numbers.tile.rows} if c.rows else {}
    row_names = list(rows)
    if numbers.rows_outermost and rows:
        leaf, loops = script.tile(leaf, {c.rows[0]: numbers.row_block})
        if parallel:
            script.parallel(loops[0])
        leaf = _split_k(script, leaf, c, numbers)
        leaf, _ = script.tile(leaf, {**column, **rows}, even=row_names)
        return leaf
    leaf, loops = script.tile(leaf, column)
    if parallel:
        script.parallel(loops[0])
    leaf = _split_k(script, leaf, c, numbers)
    if rows:
        leaf, _ = script.tile(leaf, rows, even=row_names)
    return leaf


def _split_k(script: Script, leaf: SSAValue, c: Contraction, numbers: ProductPlan) -> SSAValue:
    """R4: pass by pass over the first reduction axis."""
    if not numbers.k_block or not c.reduced:
        return leaf
    first, *others = c.reduced
    size = max(1, numbers.k_block // prod(c.extent(a) for a in others))
    if not others:
        # Every pass, the last one too, then is a whole number of unrolled steps.
        unroll = _unroll(c, numbers)
        size = ceil(size / unroll) * unroll
    if size >= c.extent(first):
        return leaf
    return script.split_reduction(leaf, first, size)


def _unroll(c: Contraction, numbers: ProductPlan) -> int:
    """R3: steps of the innermost reduction axis per trip."""
    return divisor_at_most(c.extent(c.reduced[-1]), numbers.unroll)
