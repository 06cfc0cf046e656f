"""Searches of a space behind one interface: ask for the next point, tell its cost.

    search = SEARCHES["evolution"](space, seed=0)
    while (point := search.ask()) is not None:
        search.tell(point, cost(point))

The cost of a point that has no measurement is infinite. A search never asks for a point twice, and
returns None when no point is left. Every search begins with the point ``start`` of its space.
"""

from __future__ import annotations

import math
import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from itertools import product

from .space import Point, Space

TRIES = 200
"""Draws of an unseen point, until a search gives up, or goes through a small space in order."""

SMALL_SPACE = 1 << 14
"""The points of a small space."""


class Search(ABC):
    """The base class of searches of a space.

    seed: the seed of the random numbers.  costs: the costs of the points so far.
    """

    def __init__(self, space: Space, seed: int = 0) -> None:
        self.space, self.rng = space, random.Random(seed)
        self.costs: dict[Point, float] = {}
        self._asked: set[Point] = set()
        self._suggested: list[Point] = []

    def suggest(self, point: Point) -> None:
        """Ask for a point before all others but the start."""
        self._suggested.append(point)

    def ask(self) -> Point | None:
        """Return the next point to measure, which was not asked before; None at the end."""
        first = (self.space.start, *self._suggested)
        unseen = (each for each in first if each is not None and each not in self._asked)
        point = next(unseen, None) or self._fresh()
        if point is not None:
            self._asked.add(point)
        return point

    def tell(self, point: Point, cost: float) -> None:
        """Record the cost of a point; `ask` need not have returned this point."""
        self._asked.add(point)
        self.costs[point] = cost

    def best(self, count: int) -> list[Point]:
        """Return up to ``count`` points with the lowest costs, the best first."""
        finite = [point for point, cost in self.costs.items() if math.isfinite(cost)]
        return sorted(finite, key=self.costs.__getitem__)[:count]

    def _fresh(self) -> Point | None:
        for _ in range(TRIES):
            point = self.propose()
            if point is not None and point not in self._asked:
                return point
        return self._next_in_order() if self.space.size <= SMALL_SPACE else None

    def _next_in_order(self) -> Point | None:
        """Return the first point, in grid order, that `ask` has not returned yet; or None.

        In this order, the choice of the last knob changes fastest.
        """
        ranges = (range(len(knob.choices)) for knob in self.space.knobs)
        return next((point for point in product(*ranges) if point not in self._asked), None)

    @abstractmethod
    def propose(self) -> Point | None:
        """Return a candidate for the next point to measure; None at the end.

        Subclasses implement this method; `ask` skips candidates that it has returned before.
        """


class RandomSearch(Search):
    """A search that draws random points."""

    def propose(self) -> Point | None:
        return self.space.draw(self.rng)


class GridSearch(Search):
    """A search of all points in order, in which the last knob changes fastest."""

    def __init__(self, space: Space, seed: int = 0) -> None:
        super().__init__(space, seed)
        ranges = [range(len(knob.choices)) for knob in space.knobs]
        self._points: Iterator[Point] = product(*ranges)

    def _fresh(self) -> Point | None:
        return next((point for point in self._points if point not in self._asked), None)

    def propose(self) -> Point | None:
        return next(self._points, None)


class EvolutionarySearch(Search):
    """A search by mutations and crossovers of the best points.

    If the space has a prior, it ranks these new points (children).

    POPULATION: the number of best points that are parents. BATCH: the number of children from which
    the prior chooses one; fewer in a space with a slow prior (`Space.ranked`). FRESH: the fraction
    of children that are random points.
    """

    POPULATION, BATCH, FRESH = 8, 16, 0.25

    def propose(self) -> Point | None:
        if self.rng.random() < self.FRESH / 2:
            return self.space.draw(self.rng)  # also points that the prior dislikes
        return self.preferred([self.child() for _ in range(min(self.BATCH, self.space.ranked))])

    def preferred(self, points: Iterable[Point]) -> Point | None:
        """Return the most promising of several points that `ask` has not returned, or None.

        This is the point with the least modelled time (`Space.prior`); without a model, the first
        one.
        """
        fresh = [point for point in dict.fromkeys(points) if point not in self._asked]
        priors = {point: self.space.prior(point) for point in fresh}
        return min(fresh, key=lambda point: priors[point] or 0.0, default=None)

    def child(self) -> Point:
        """Return a random point, a mutation of a good point, or a mixture of two good points."""
        parents = self.best(self.POPULATION)
        if not parents or self.rng.random() < self.FRESH:
            return self.space.draw(self.rng)
        point = self.rng.choice(parents)
        if len(parents) > 1 and self.rng.random() < 0.4:
            other = self.rng.choice(parents)
            point = tuple(self.rng.choice(pair) for pair in zip(point, other, strict=True))
        return neighbor(self.space, point, self.rng)


class CoordinateSearch(Search):
    """A search that changes one knob at a time, and then all of those that gained.

    It first tries every choice of every knob alone, and then the best choices of all knobs
    together.  It then begins again from the best point; if no point is better, it tries neighbors
    of the best one.  This suits knobs whose gains add up.

    LEAST_GAIN: the relative gain from which on a choice counts as better.
    """

    LEAST_GAIN = 0.005

    def __init__(self, space: Space, seed: int = 0) -> None:
        super().__init__(space, seed)
        self._base = space.start or space.draw(self.rng)

    def propose(self) -> Point | None:
        while True:
            points = (*self._changes(), self._together())
            fresh = next((point for point in points if point not in self._asked), None)
            (best,) = self.best(1) or [self._base]
            if fresh is not None or best == self._base:
                return fresh or neighbor(self.space, best, self.rng)
            self._base = best

    def _changes(self) -> Iterator[Point]:
        """Yield the points that differ from the base in one knob."""
        for number, knob in enumerate(self.space.knobs):
            for choice in range(len(knob.choices)):
                if choice != self._base[number]:
                    yield (*self._base[:number], choice, *self._base[number + 1 :])

    def _together(self) -> Point:
        """Return a point with the best choice of each knob, as far as the choice gains."""
        made = list(self._base)
        least = [self.costs.get(self._base, math.inf) * (1 - self.LEAST_GAIN)] * len(made)
        for point in self._changes():
            cost = self.costs.get(point, math.inf)
            number = next(n for n, choice in enumerate(point) if choice != self._base[n])
            if cost < least[number]:
                made[number], least[number] = point[number], cost
        return tuple(made)


class AnnealingSearch(Search):
    """A search by simulated annealing: a walk that accepts worse points less and less often.

    TEMPERATURE: the first relative increase of cost that is accepted with probability 1/e.
    COOLING: the factor of the temperature after each point.
    """

    TEMPERATURE, COOLING = 0.3, 0.96

    def __init__(self, space: Space, seed: int = 0) -> None:
        super().__init__(space, seed)
        self._at: Point | None = None
        self._temperature = self.TEMPERATURE

    def tell(self, point: Point, cost: float) -> None:
        super().tell(point, cost)
        at = math.inf if self._at is None else self.costs[self._at]
        self._temperature *= self.COOLING
        worse = cost / at - 1 if math.isfinite(at) and at > 0 else -1.0
        accepted = worse <= 0 or self.rng.random() < math.exp(-worse / self._temperature)
        if math.isfinite(cost) and accepted:
            self._at = point

    def propose(self) -> Point | None:
        if self._at is None or self.rng.random() < 0.05:
            return self.space.draw(self.rng)
        return neighbor(self.space, self._at, self.rng)


def neighbor(space: Space, point: Point, rng: random.Random) -> Point:
    """Return a random point that differs from ``point`` in one knob, or rarely in two.

    Half of the new choices are neighbors of the old choices, because most choices are numbers in
    ascending order.
    rng: the random numbers.
    """
    made = list(point)
    free = [n for n, knob in enumerate(space.knobs) if len(knob.choices) > 1]
    for _ in range(1 if rng.random() < 0.7 else 2) if free else ():
        number = rng.choice(free)
        count = len(space.knobs[number].choices)
        step = rng.choice((-1, 1)) if rng.random() < 0.5 else rng.randrange(1, count)
        made[number] = (
            min(max(made[number] + step, 0), count - 1)
            if abs(step) == 1
            else (made[number] + step) % count
        )
    return tuple(made)
