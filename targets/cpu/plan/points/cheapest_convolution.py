"""The point of a direct convolution that takes the fewest modelled cycles.

In: a convolution, and the legal point of the rules.  Out: the cheapest point near it.  First the
cycles on one core decide; then those on several cores, among points that compute the same sums and
are as fast on one core.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from math import inf

from .....machines.cpu_numbers import numbers_of
from ...cost.search import cheapest, on_cores, some_of
from ..contraction import TiledContraction
from .choice import Choice
from .convolution import PASSES, ConvolutionPoint, blocked_axis, choice_of, first_point
from .convolution_cost import ConvolutionCosts


def convolution_choice(c: TiledContraction) -> Choice[ConvolutionPoint]:
    """Return the choice of a point (the numbers of a schedule) for a direct convolution.

    The plan's point is the cheapest that is found from the one of the rules; it is that one if the
    cost model does not cover the convolution.
    """
    return choice_of(c, _cheapest(choice_of(c, first_point(c)), c))


def _cheapest(choice: Choice[ConvolutionPoint], c: TiledContraction) -> ConvolutionPoint:
    costs = ConvolutionCosts(c)
    cost = cache(costs.cost)
    if cost(choice.default) is None:
        return choice.default

    def cycles(point: ConvolutionPoint) -> float:
        found = cost(point)
        return inf if found is None else found.cycles

    def tiles(point: ConvolutionPoint) -> Iterator[ConvolutionPoint]:
        # Adjacent pixels of a first layer share loads, which the model does not know.
        if blocked_axis(c):
            most = cycles(point)
            fitting = [t for t in c.fitting_tiles if costs.least_cycles(t) < most]
            yield from (replace(point, tile=tile) for tile in fitting)

    def passes(point: ConvolutionPoint) -> Iterator[ConvolutionPoint]:
        blocks = c.extent(blocked_axis(c)) if blocked_axis(c) else 1
        for size in PASSES:
            if size < blocks:
                yield replace(point, k_block=size, pass_major=point.pass_major and size > 0)

    def prefetches(point: ConvolutionPoint) -> Iterator[ConvolutionPoint]:
        yield replace(point, spread_prefetch=not point.spread_prefetch)

    groups = _groups(c)

    def orders(point: ConvolutionPoint) -> Iterator[ConvolutionPoint]:
        yield from _orders(point, groups)

    best = cheapest(choice.default, [tiles, passes, orders, prefetches], cycles, choice.fault)
    # The passes of the sums stay, so that results do not depend on the cores.
    cores = numbers_of(c.target).cores
    return cheapest(best, [orders, tiles], on_cores(cost, best, cores), choice.fault)


def _groups(c: TiledContraction) -> Sequence[int]:
    """Return numbers of output rows of a block to try; 0 stands for all rows."""
    height = c.likely_extent(c.rows[-2])
    # Blocks of two heights need twice the code.
    return [0, *some_of([n for n in range(1, height) if height % n == 0])]


def _orders(point: ConvolutionPoint, groups: Sequence[int]) -> Iterator[ConvolutionPoint]:
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
