"""Spaces: the schedules that a search chooses from, as points of named choices.

    space.knobs                     names and choices
    space.schedule(point)           the text of a schedule, or a ScheduleError
    space.values(point)             the choices as JSON

A point has the index of one choice for each knob, so that any optimizer of categorical parameters
can search a space.  A point need not be legal: `Space.schedule` refuses an illegal one, and the
search continues.
"""

from __future__ import annotations

import math
import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import TypeAlias

Value: TypeAlias = "int | str | bool | Sequence[Value]"
"""A choice of a knob; JSON represents it."""

Point: TypeAlias = tuple[int, ...]
"""The index of a choice for each knob, in the order of the knobs."""


@dataclass(frozen=True)
class Knob:
    """A parameter of schedules, with its possible values.

    name: the name of the parameter.
    choices: the values.
    """

    name: str
    choices: tuple[Value, ...]


class Space(ABC):
    """The schedules of a kernel that a search chooses from.

    name: the kind of the space, for records.  knobs: the parameters of schedules.
    start: the point to measure first, or None.
    ranked: the most new points among which a search chooses by the prior.
    """

    name: str
    knobs: tuple[Knob, ...]
    start: Point | None = None
    ranked: int = 64

    @abstractmethod
    def schedule(self, point: Point) -> str:
        """Return the text of a point's schedule.

        Errors: ScheduleError for a point without a legal schedule.
        """

    def prior(self, point: Point) -> float | None:
        """Return the time of a point in cycles that a cost model predicts; None without a model."""
        del point
        return None

    @property
    def size(self) -> int:
        """The number of points, legal or not."""
        return prod(len(knob.choices) for knob in self.knobs)

    def values(self, point: Point) -> dict[str, Value]:
        """Return the choices of a point, by knob name."""
        pairs = zip(self.knobs, point, strict=True)
        return {knob.name: knob.choices[index] for knob, index in pairs}

    def point(self, values: Mapping[str, object]) -> Point | None:
        """Return the point that consists of these choices.

        values: the choices by knob name.  Return None if a knob is missing in them, or does not
        have the choice.
        """
        found = [_index(knob, values.get(knob.name)) for knob in self.knobs]
        return tuple(n for n in found if n is not None) if None not in found else None

    def nearest(self, values: Mapping[str, object]) -> Point | None:
        """Return the point whose choices are nearest to values, which may be from another space.

        A knob without a value has its choice of the start, or its first choice.  Return None if no
        knob has a value.
        """
        if not any(knob.name in values for knob in self.knobs):
            return None
        first = self.start or (0,) * len(self.knobs)
        return tuple(
            _nearest(knob, values[knob.name], usual) if knob.name in values else usual
            for knob, usual in zip(self.knobs, first, strict=True)
        )

    def draw(self, rng: random.Random) -> Point:
        """Return a random point."""
        return tuple(rng.randrange(len(knob.choices)) for knob in self.knobs)


def _index(knob: Knob, value: object) -> int | None:
    wanted = _plain(value)
    return next((n for n, each in enumerate(knob.choices) if _plain(each) == wanted), None)


def _nearest(knob: Knob, value: object, usual: int) -> int:
    """Return the index of the choice that equals a value, or of the nearest positive number."""
    index = _index(knob, value)
    if index is not None:
        return index
    numbers = {n: x for n, x in enumerate(knob.choices) if type(x) is int and x > 0}
    if type(value) is not int or value <= 0 or not numbers:
        return usual
    return min(numbers, key=lambda n: abs(math.log(numbers[n] / value)))


def _plain(value: object) -> object:
    return [*map(_plain, value)] if isinstance(value, list | tuple) else value
