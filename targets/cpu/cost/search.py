"""The search of the cheapest point near another one, on one core or on several.

In: a point (a frozen dataclass of numbers), moves from a point to others, a modelled cost, and a
check that a point is legal.  Out: the cheapest legal point that the search found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import ceil, inf
from operator import itemgetter
from typing import TypeVar

from .parts import KernelCost

P = TypeVar("P")

SWEEPS, MOST_COSTS = 2, 150
"""How often `cheapest` tries all moves, and the largest number of costs that it computes."""

LEAST_GAIN, MOST_LOSS = 1.03, 1.01
"""How many times more cycles a point must take than another one, so that the search moves there:
smaller gains are within the error of the model.  How many times more cycles on one core a point for
several cores may take."""


MOST_VALUES = 8
"""The most values of a number that a search tries."""


def some_of(values: Sequence[int]) -> Sequence[int]:
    """Return at most `MOST_VALUES` of some values, at equal distances in their order."""
    return values[:: ceil(len(values) / MOST_VALUES) or 1]


def cheapest(
    start: P,
    moves: Sequence[Callable[[P], Iterable[P]]],
    cost: Callable[[P], float],
    fault: Callable[[P], str],
    least: Callable[[P], float] = lambda _: 0.0,
    gain: float = LEAST_GAIN,
) -> P:
    """Return the legal point of the lowest cost that is found from a legal point.

    One kind of move after another is tried: the cheapest of the points that it leads to becomes the
    next point, if it is cheaper than the last one.
    start: the first point, which is kept unless another one is cheaper.
    moves: for each kind of move, a function from a point to other points, legal or not, such as the
    points with other register tiles.
    cost: the modelled cycles of a point; infinite for a point that the model does not cover.
    fault: takes a point, and returns why the point is illegal; "" for a legal point.
    least: a lower bound of a point's cost, which takes less time than the cost.
    gain: how many times more the cost of a point must be, so that the search leaves it.
    """
    costs: dict[P, float] = {start: cost(start)}
    best = start
    for _ in range(SWEEPS):
        before = best
        for move in moves:
            bound = costs[best] / gain
            points = list(move(best))
            bounded = zip(map(least, points), points, strict=True)
            for low, point in sorted(bounded, key=itemgetter(0)):
                if low >= bound:
                    break
                if point not in costs and len(costs) < MOST_COSTS:
                    costs[point] = cost(point)
                if costs.get(point, inf) < bound and not fault(point):
                    best, bound = point, costs[point]
        if best == before:
            break
    return best


def on_cores(
    cost: Callable[[P], KernelCost | None], best: P, cores: Sequence[int]
) -> Callable[[P], float]:
    """Return a cost for `cheapest`: the cycles of all cores until the busiest one is done.

    The cost is infinite for a point that is slower than ``best`` on one core by more than
    `MOST_LOSS`.
    cost: the modelled cost of a point for one thread; None if the model does not cover the point.
    best: the point that was chosen for one core.
    cores: the counts of cores over which the cost is a mean.
    """
    first = cost(best)
    assert first is not None, "the model covers the point for one core"

    def cycles(point: P) -> float:
        found = cost(point)
        if found is None or found.cycles > first.cycles * MOST_LOSS:
            return inf
        return found.busiest_core(cores)

    return cycles
