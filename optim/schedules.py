"""Learning rates as functions of the step, which counts from 0.

A schedule takes the step as a float scalar of the trace, and returns a float scalar.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

from ..tracing.array import Array, elementwise

Rate: TypeAlias = "float | Callable[[Array], Array]"
"""A learning rate: a number, or a function of the step."""


def linear(start: float, end: float, steps: int) -> Callable[[Array], Array]:
    """Return a schedule: the rate changes linearly from ``start`` to ``end`` in ``steps`` steps.

    After these steps, the rate is ``end``.
    """
    return lambda step: start + (end - start) * _share(step, steps)


def cosine(
    rate: float, steps: int, *, warmup: int = 0, end: float = 0.0
) -> Callable[[Array], Array]:
    """Return a schedule: the rate decays from ``rate`` to ``end`` as half a period of a cosine.

    steps: the number of all steps, after which the rate stays.
    warmup: the number of first steps, in which the rate grows from ``rate / warmup`` to ``rate``;
    the decay takes the other steps.
    """

    def at(step: Array) -> Array:
        share = _share(elementwise("max", step - float(warmup), 0.0), max(steps - warmup, 1))
        decayed = end + (rate - end) * (0.5 * (1.0 + elementwise("cos", math.pi * share)))
        if not warmup:
            return decayed
        grown = elementwise("min", (step + 1.0) / float(warmup), 1.0)
        return decayed * grown

    return at


def exponential(rate: float, factor: float, every: int = 1) -> Callable[[Array], Array]:
    """Return a schedule whose rate begins at ``rate`` and is multiplied by ``factor`` regularly.

    every: the number of steps between two multiplications.
    """

    def at(step: Array) -> Array:
        periods = elementwise("floor", step / float(every))
        return rate * elementwise("exp", periods * math.log(factor))

    return at


def _share(step: Array, steps: int) -> Array:
    """Return the fraction of ``steps`` that is done, at most 1."""
    return elementwise("min", step / float(steps), 1.0)
