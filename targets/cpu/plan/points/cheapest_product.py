"""The point of a matrix product that takes the fewest modelled cycles.

In: a matrix product.  Out: the cheapest point that a search from a neutral one finds.  Symbolic
sizes count as likely ones.  First the cycles on one core decide; then those on several cores, among
points that compute the same sums and are nearly as fast on one core.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from math import ceil, inf

from .....dialects.shape import multiple_of
from .....machines.cpu_numbers import numbers_of
from ...cost.search import LEAST_GAIN, cheapest, on_cores, some_of
from ...cost.tasks import REST_COST
from ..contraction import TiledContraction
from ..tiles import CODE_COST, NARROW_CODE_COST, NARROW_VECTORS, even_part, sums_in_code
from .choice import Choice
from .product import (
    BLOCK_STEPS,
    BLOCKS,
    PASSES,
    ProductPoint,
    choice_of,
    completed,
    first_point,
    needs_copy,
    panel_width,
    prefetch_distance,
    writes_rows,
)
from .product_cost import ProductCosts


def product_choice(c: TiledContraction, *, parallel: bool) -> Choice[ProductPoint]:
    """Return the choice of a point (the numbers of a schedule) for a matrix product.

    The plan's point is the cheapest that is found from `first_point`.
    parallel: whether outer loops are tasks.
    """

    def find() -> ProductPoint:
        best = _cheapest(choice_of(c, partial(first_point, c)), c, parallel)
        return completed(c, best, parallel=parallel)

    return choice_of(c, find)


def _cheapest(choice: Choice[ProductPoint], c: TiledContraction, parallel: bool) -> ProductPoint:
    costs = ProductCosts(c)
    cost = cache(costs.cost)

    def cycles(point: ProductPoint) -> float:
        found = cost(point)
        return inf if found is None else found.cycles * _code_factor(c, point) * _padding(c, point)

    tiles = partial(_tiles, c)
    orders = partial(_orders, c, _passes(c, choice.default.k_block))
    moves, least = [tiles, orders, partial(_prefetches, c)], costs.least_cycles
    best = cheapest(choice.default, moves, cycles, choice.fault, least, gain=1)
    if not parallel:
        return best
    # The passes of the sums stay, so that results do not depend on the cores.
    orders = partial(_orders, c, [best.k_block])
    several = on_cores(cost, best, numbers_of(c.target).cores)
    most_padding = _padding(c, best) * LEAST_GAIN

    def busiest(point: ProductPoint) -> float:
        is_padded = _padding(c, point) > most_padding
        return inf if is_padded else several(point) * _code_factor(c, point)

    found = best
    for last in ((tiles, orders), (orders, tiles)):
        moves = [_tasks, partial(_prefetches, c), *last]
        other = cheapest(best, moves, busiest, choice.fault, least, gain=1)
        found = min(found, other, key=busiest)
        # A second search pays only if cores wait for each other.
        if busiest(found) <= LEAST_GAIN * cycles(best):
            break
    return found


def _code_factor(c: TiledContraction, point: ProductPoint) -> float:
    """Return how many times more a point costs for its code.

    Several passes, and a shorter last block of rows, need more kinds of register tiles.  Symbolic
    rows have tiles of all heights up to that of the point's tile, also in a narrower last panel.
    """
    block = 0 if point.copy else point.row_tiles * point.tile.rows
    has_rest, in_passes = block > 0 and c.row_count % block > 0, 0 < point.k_block < c.steps
    if not c.has_symbolic_rows:
        return 1 + REST_COST * (has_rest + in_passes)
    has_rest, sums = c.columns % panel_width(c, point) > 0, 0
    if multiple_of(c.view.axes[c.rows[-1]]) % point.tile.rows:
        sums = sums_in_code(point.tile.rows, c.columns, point.tile.vectors, c.lanes)
    is_narrow = c.columns <= NARROW_VECTORS * c.lanes
    each = NARROW_CODE_COST if is_narrow else CODE_COST
    return 1 + REST_COST * (has_rest + in_passes) + sums * each


def _padding(c: TiledContraction, point: ProductPoint) -> float:
    """Return the size of the packed weights with the padding of the last panel, relative to theirs.

    It is 1 if tiles use weights several times.  Weights that are used once take the time of memory,
    and the prefetcher of the processor also loads the padding: 1152 to 48 columns in panels of 48
    and of 32 take 7.7 and 9.2 us (Zen 4).
    """
    if not c.packs or c.row_count > point.tile.rows:
        return 1.0
    width = panel_width(c, point)
    return ceil(c.columns / width) * width / c.columns


def _passes(c: TiledContraction, first: int) -> Sequence[int]:
    """Return the steps per pass to try, in whole blocks of steps; 0 stands for one pass.

    first: the steps per pass of the first point, which fixed sums keep.
    """
    if c.target.fixed_sums:
        return [first]
    sizes = (ceil(even_part(c.steps, n) / BLOCK_STEPS) * BLOCK_STEPS for n in PASSES if n < c.steps)
    return sorted({0, first, *sizes})


def _tiles(c: TiledContraction, point: ProductPoint) -> Iterator[ProductPoint]:
    columns, rows = c.columns, point.row_tiles * point.tile.rows
    for tile in c.fitting_tiles:
        group, copy = point.group, point.copy
        if max(group, copy) > 1:
            panels, rest = divmod(columns, tile.vectors * c.lanes)
            group = 1 if rest or panels % group else group
            copy = min(copy, 1) if rest or (copy and panels % copy) else copy
        for blocks in {point.row_tiles, ceil(rows / tile.rows)}:
            yield replace(point, tile=tile, row_tiles=blocks, group=group, copy=copy)


def _orders(
    c: TiledContraction, passes: Sequence[int], point: ProductPoint
) -> Iterator[ProductPoint]:
    panels, rest = divmod(c.columns, panel_width(c, point))
    several = some_of([n for n in range(2, panels + 1) if panels % n == 0 and not rest])
    blocks = [n for n in BLOCKS if n < ceil(c.row_count / point.tile.rows)]
    if c.has_symbolic_rows or len(c.rows) > 1:
        blocks = []
    for size in passes:
        base = replace(point, k_block=size, group=1, row_tiles=0)
        if blocks and writes_rows(c):
            yield from (replace(base, row_tiles=n) for n in blocks)
            continue
        if not c.packs:
            yield from (replace(base, copy=copy) for copy in (1, *several))
        if needs_copy(c):
            continue
        base = replace(base, copy=0)
        yield base
        if size:
            yield from (replace(base, group=n) for n in several)
        yield from (replace(base, row_tiles=n) for n in blocks)


def _tasks(point: ProductPoint) -> Iterator[ProductPoint]:
    yield replace(point, panel_tasks=not point.panel_tasks)


def _prefetches(c: TiledContraction, point: ProductPoint) -> Iterator[ProductPoint]:
    yield replace(point, spread=not point.spread)
    if c.packs and not point.prefetch:
        yield replace(point, prefetch=prefetch_distance(c))
