"""Directional derivatives by central differences in f64, the reference of all gradients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Function: TypeAlias = Callable[..., Array]

STEP = 1e-5


def assert_gradients(
    function: Function,
    arguments: Sequence[Array],
    gradients: Sequence[Array | None],
    head: Array,
    *,
    tolerance: float = 1e-8,
) -> None:
    """Compare gradients with central differences along a random direction per argument.

    function: takes the arguments and returns y.  gradients: those of ``sum(head * y)``, or None for
    arguments that are not varied.
    """
    rng = np.random.default_rng(7)
    for number, gradient in enumerate(gradients):
        if gradient is None:
            continue
        assert gradient.shape == arguments[number].shape
        direction = rng.uniform(0.5, 1.5, gradient.shape) * rng.choice([-1, 1], gradient.shape)

        def moved(step: float, number: int = number, direction: Array = direction) -> float:
            given = list(arguments)
            given[number] = given[number] + step * direction
            return float(np.sum(head * function(*given)))

        expected = (moved(STEP) - moved(-STEP)) / (2 * STEP)
        actual = float(np.sum(gradient * direction))
        scale = max(1e-3, float(np.sum(np.abs(gradient))), abs(expected))
        assert np.isfinite(actual), f"argument {number}: the gradient is {actual}"
        assert abs(actual - expected) <= tolerance * scale, (
            f"argument {number}: {actual:.12g} in a direction, by differences {expected:.12g}"
        )
