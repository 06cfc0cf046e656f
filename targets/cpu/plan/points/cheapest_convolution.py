"""The point of a direct convolution that takes the fewest modelled cycles.

In: a convolution, and the legal point of the rules.  Out: the cheapest point near it.  First the
cycles on one core decide; then those on several cores, among points that compute the same sums and
are as fast on one core.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial

from .....dialects.shape import Dim
from .....machines.cpu_numbers import numbers_of
from ...cost.search import cheapest, on_cores, some_of
from ..contraction import TiledContraction
from .choice import Choice
from .convolution import (
    MOST_SYMBOLIC_ROWS,
    PASSES,
    ConvolutionPoint,
    choice_of,
    neutral_point,
    rows_of_narrow_images,
)
from .convolution_cost import ConvolutionCosts


def convolution_choice(c: TiledContraction) -> Choice[ConvolutionPoint]:
    """Return the choice of a point (the numbers of a schedule) for a direct convolution.

    The plan's point is the cheapest that is found from a neutral one.
    """
    return choice_of(c, partial(_default, c))


def _default(c: TiledContraction) -> ConvolutionPoint:
    best = _cheapest(choice_of(c, partial(neutral_point, c)), c)
    if c.has_symbolic_rows and not best.pass_major:
        # Small images have too few tasks otherwise.
        best = replace(best, both_parallel=best.rows_outermost or best.row_group > 0)
    return replace(best, narrow_rows=rows_of_narrow_images(c, best))


def _cheapest(choice: Choice[ConvolutionPoint], c: TiledContraction) -> ConvolutionPoint:
    costs = ConvolutionCosts(c)
    cost, least = cache(costs.cost), costs.least_cycles
    # A tile for images of symbolic width is the best of several widths.
    fitting = [] if isinstance(c.view.axes[c.rows[-1]], Dim) else c.fitting_tiles

    def tiles(point: ConvolutionPoint) -> Iterator[ConvolutionPoint]:
        yield from (replace(point, tile=tile) for tile in fitting)

    def passes(point: ConvolutionPoint) -> Iterator[ConvolutionPoint]:
        for size in PASSES:
            if size < costs.blocks:
                yield replace(point, k_block=size, pass_major=point.pass_major and size > 0)

    def cycles(point: ConvolutionPoint) -> float:
        return cost(point).cycles

    orders = partial(_orders, _groups(c))
    moves = [tiles, passes, orders]
    best = cheapest(choice.default, moves, cycles, choice.fault, least, 1.0)
    # The passes of the sums stay, so that results do not depend on the cores.
    several = on_cores(cost, best, numbers_of(c.target).cores)
    return cheapest(best, [orders, tiles], several, choice.fault, least)


def _groups(c: TiledContraction) -> Sequence[int]:
    """Return numbers of output rows of a block to try; 0 stands for all rows."""
    height = c.view.axes[c.rows[-2]]
    if isinstance(height, Dim):
        return [0, *(1 << n for n in range(MOST_SYMBOLIC_ROWS.bit_length()))]
    # Blocks of two heights need twice the code.
    return [0, *some_of([n for n in range(1, height) if height % n == 0])]


def _orders(groups: Sequence[int], point: ConvolutionPoint) -> Iterator[ConvolutionPoint]:
    for rows in groups:
        base = replace(
            point, row_group=rows, rows_outermost=False, pass_major=False, both_parallel=False
        )
        yield base
        if rows:
            yield replace(base, both_parallel=True)
            yield replace(base, rows_outermost=True)
            yield replace(base, rows_outermost=True, both_parallel=True)
            if point.k_block:
                yield replace(base, rows_outermost=True, pass_major=True)
