"""Choices of plans: the point that rules chose for a kernel, and the space of all other points.

A point is a frozen dataclass of numbers.  A writer asks the chooser of its script for the point,
and then writes what the point says.  `keep` keeps the point of the plan; a search chooses others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Generic, Protocol, TypeAlias, TypeVar

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
    find_default: returns the point that the pass cpu-plan chooses; a search for other points never
    calls it.
    axes_near: takes the default and a point, and returns for each field the values to try while the
    other fields keep those of the point.
    fault_near: takes the default and a point, and returns why the point is illegal, as a sentence;
    "" for a legal point.
    """

    subject: object
    find_default: Callable[[], P]
    axes_near: Callable[[P, P], Axes]
    fault_near: Callable[[P, P], str]

    @cached_property
    def default(self) -> P:
        """The point that the pass cpu-plan chooses."""
        return self.find_default()

    def axes(self, point: P) -> Axes:
        """Return for each field the values to try while the other fields keep theirs."""
        return self.axes_near(self.default, point)

    def fault(self, point: P) -> str:
        """Return why a point is illegal, as a sentence; "" for a legal point."""
        return self.fault_near(self.default, point)


class Chooser(Protocol):
    """The callback by which a plan gets the point for each choice, from rules or a search."""

    def __call__(self, choice: Choice[P]) -> P:
        """Return a legal point for a choice of the plan."""
        ...


def keep(choice: Choice[P]) -> P:
    """Return the point that the rules of cpu-plan chose: the chooser of plans without a search."""
    return choice.default


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
