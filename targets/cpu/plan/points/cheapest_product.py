"""The point of a matrix product that takes the fewest modelled cycles.

In: a matrix product, and a legal point.  Out: the cheapest point near it.  First the cycles on one
core decide; then those on several cores, among points that compute the same sums and are as fast on
one core.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from math import ceil, inf

from .....machines.cpu_numbers import numbers_of
from ...cost.search import cheapest, on_cores
from ..contraction import TiledContraction
from ..tiles import RegisterTile, even_part
from .choice import Choice
from .product import BLOCK_STEPS, BLOCKS, PASSES, ProductPoint, choice_of, first_point, panel_width
from .product_cost import ProductCosts


def product_choice(c: TiledContraction, *, parallel: bool) -> Choice[ProductPoint]:
    """Return the choice of a point (the numbers of a schedule) for a matrix product.

    The plan's point is the cheapest that is found from the one of the rules; it is that one if the
    cost model does not cover the product.
    parallel: whether outer loops are tasks.
    """
    return choice_of(c, _cheapest(choice_of(c, first_point(c, parallel=parallel)), c, parallel))


def _cheapest(choice: Choice[ProductPoint], c: TiledContraction, parallel: bool) -> ProductPoint:
    costs = ProductCosts(c)
    cost = cache(costs.cost)
    if cost(choice.default) is None:
        return choice.default

    def cycles(point: ProductPoint) -> float:
        found = cost(point)
        return inf if found is None else found.cycles

    def tiles(point: ProductPoint) -> Iterator[ProductPoint]:
        most = cycles(point)
        return _tiles(c, [t for t in c.fitting_tiles if costs.least_cycles(t) < most], point)

    orders = partial(_orders, c, _passes(c))
    best = cheapest(choice.default, [tiles, orders, _prefetches], cycles, choice.fault)
    if not parallel:
        return best
    # The passes of the sums stay, so that results do not depend on the cores.
    moves = [_tasks, tiles, partial(_orders, c, [best.k_block])]
    cores = numbers_of(c.target).cores
    return cheapest(best, moves, on_cores(cost, best, cores), choice.fault)


def _passes(c: TiledContraction) -> Sequence[int]:
    """Return the steps per pass to try, in whole blocks of steps; 0 stands for one pass."""
    sizes = (ceil(even_part(c.steps, n) / BLOCK_STEPS) * BLOCK_STEPS for n in PASSES if n < c.steps)
    return sorted({0, *sizes})


def _tiles(
    c: TiledContraction, tiles: Sequence[RegisterTile], point: ProductPoint
) -> Iterator[ProductPoint]:
    for tile in tiles:
        block = ceil(point.row_tiles * point.tile.rows / tile.rows)
        other = replace(point, tile=tile, row_tiles=block)
        panels, rest = divmod(c.columns, panel_width(c, other))
        if rest or panels % point.group:
            other = replace(other, group=1)
        if point.copy > 1 and (rest or panels % point.copy):
            other = replace(other, copy=1)
        yield other


def _orders(
    c: TiledContraction, passes: Sequence[int], point: ProductPoint
) -> Iterator[ProductPoint]:
    panels, rest = divmod(c.columns, panel_width(c, point))
    several = [n for n in range(2, panels + 1) if panels % n == 0 and not rest]
    tiles = ceil(c.row_count / point.tile.rows)
    for size in passes:
        base = replace(point, k_block=size, group=1, row_tiles=0)
        for copy in (1, *several) if point.copy else (0,):
            yield replace(base, copy=copy)
        if size and not point.copy:
            yield from (replace(base, group=n) for n in several)
        yield from (replace(base, row_tiles=n) for n in BLOCKS if n < tiles)


def _tasks(point: ProductPoint) -> Iterator[ProductPoint]:
    yield replace(point, panel_tasks=not point.panel_tasks)


def _prefetches(point: ProductPoint) -> Iterator[ProductPoint]:
    yield replace(point, spread=not point.spread)
