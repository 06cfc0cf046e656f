"""Choices of plans: the point that rules chose for a kernel, and the space of all other points.

A point is a frozen dataclass of numbers.  A writer asks the chooser of its script for the point,
and then writes what the point says.  `keep` keeps the point of the plan; a search chooses others.
`cheapest` returns the point of the fewest modelled cycles near another one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Generic, Protocol, TypeAlias, TypeVar

from ...cost.parts import KernelCost

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

P = TypeVar("P", bound="DataclassInstance")

Axes: TypeAlias = Mapping[str, Sequence[object]]
"""The values to try for each field of a point, by the field's name."""


@dataclass(frozen=True)
class Choice(Generic[P]):
    """A choice that a plan makes among several points for one compute.

    A point is a frozen dataclass whose fields are the numbers of a schedule, such as the sizes of
    the register tile.
    subject: the description of the compute that the point schedules, such as a `TiledContraction`.
    default: the point that the rules of the pass cpu-plan choose.
    axes: takes a point, and returns for each field the values to try while the other fields keep
    theirs.
    fault: takes a point, and returns why the point is illegal, as a sentence; "" for a legal point.
    """

    subject: object
    default: P
    axes: Callable[[P], Axes]
    fault: Callable[[P], str]


class Chooser(Protocol):
    """The callback by which a plan gets the point for each choice, from rules or a search."""

    def __call__(self, choice: Choice[P]) -> P:
        """Return a legal point for a choice of the plan."""
        ...


def keep(choice: Choice[P]) -> P:
    """Return the point that the rules of cpu-plan chose: the chooser of plans without a search."""
    return choice.default


SWEEPS, LEAST_GAIN, MOST_COSTS = 2, 1.005, 150
"""How often `cheapest` tries all moves; how many times more cycles its point must take than another
one, so that it moves there; and the largest number of costs that it computes."""


def cheapest(
    start: P,
    moves: Sequence[Callable[[P], Iterable[P]]],
    cost: Callable[[P], float],
    fault: Callable[[P], str],
) -> P:
    """Return the legal point of the lowest cost that is found from a legal point.

    One kind of move after another is tried: the cheapest of the points that it leads to becomes the
    next point, if it is cheaper than the last one.
    start: the first point, which is kept unless another one is cheaper.
    moves: for each kind of move, a function from a point to other points, legal or not, such as the
    points with other register tiles.
    cost: the modelled cycles of a point; infinite for a point that the model does not cover.
    fault: takes a point, and returns why the point is illegal; "" for a legal point.
    """
    costs: dict[P, float] = {start: cost(start)}
    best = start
    for _ in range(SWEEPS):
        before = best
        for move in moves:
            points, bound = list(move(best)), costs[best] / LEAST_GAIN
            for point in points:
                if point not in costs and len(costs) < MOST_COSTS:
                    costs[point] = cost(point)
            cheaper = [point for point in points if costs.get(point, inf) < bound]
            cheaper.sort(key=costs.__getitem__)
            best = next((point for point in cheaper if not fault(point)), best)
        if best == before:
            break
    return best


def on_cores(
    cost: Callable[[P], KernelCost | None], best: P, cores: Sequence[int]
) -> Callable[[P], float]:
    """Return a cost for `cheapest`: the cycles of all cores until the busiest one is done.

    The cost is infinite for a point that is slower than ``best`` on one core.
    cost: the modelled cost of a point for one thread; None if the model does not cover the point.
    best: the point that was chosen for one core.
    cores: the counts of cores over which the cost is a mean.
    """
    first = cost(best)
    assert first is not None, "the model covers the point for one core"

    def cycles(point: P) -> float:
        found = cost(point)
        if found is None or found.cycles > first.cycles * LEAST_GAIN:
            return inf
        return found.busiest_core(cores)

    return cycles


def legal_axes(point: P, default: P, values: Axes, fault: Callable[[P], str]) -> Axes:
    """Return the legal values of each field of a point, while the other fields keep their values.

    Only fields with at least two legal values are listed.
    point: the point, a dataclass whose fields are the numbers of a schedule.
    default: the point of the rules, whose value of a field comes first.
    values: for each field, further values to try, legal or not.
    fault: takes a point, and returns why the point is illegal; "" for a legal point.
    """
    found: dict[str, Sequence[object]] = {}
    for field, options in values.items():
        every = dict.fromkeys([getattr(default, field), getattr(point, field), *options])
        legal = tuple(v for v in every if not fault(replace(point, **{field: v})))
        if len(legal) > 1:
            found[field] = legal
    return found
