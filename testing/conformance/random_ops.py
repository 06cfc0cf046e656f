"""Operators that draw random numbers: the properties that their results have for every draw.

The suite's expected values are numpy's draws, which no other generator reproduces. Shapes and
dtypes are compared as in every case; values only have to satisfy the operator's definition.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Check: TypeAlias = Callable[[Sequence[Array], Sequence[Array]], str]
"""Describes the error in outputs for inputs; empty if there is none."""


def random_check(op: str, inputs: Sequence[Array]) -> Check | None:
    """Return a function that checks the results of an operator that draws random numbers.

    The function takes the inputs and the outputs, and returns a text that describes the error in
    the outputs, or "" if there is none. None for an operator that draws no numbers.
    inputs: the inputs of the operator; for some of them Dropout draws nothing.
    """
    if op == "Dropout" and not _drops(inputs):
        return None
    return _CHECKS.get(op)


def _drops(inputs: Sequence[Array]) -> bool:
    """Return whether a Dropout is in training mode and drops elements."""
    return len(inputs) == 3 and bool(inputs[2]) and float(inputs[1]) > 0


def _bernoulli(inputs: Sequence[Array], outputs: Sequence[Array]) -> str:
    """Check that every element is 0 or 1, and equals the probability where that is 0 or 1.

    Return a description of the error, or "".
    """
    (chance,), (out,) = inputs, outputs
    if not np.isin(out, (0, 1)).all():
        return "an element is neither 0 nor 1"
    certain = np.isin(chance, (0, 1))
    return "" if np.array_equal(out[certain], chance[certain]) else "a certain element differs"


def _dropout(inputs: Sequence[Array], outputs: Sequence[Array]) -> str:
    """Check that some elements are 0 and all others are the input times ``1 / (1 - ratio)``.

    If the operator returns a mask, it must say which elements are 0.
    Return a description of the error, or "".
    """
    x, ratio, out = inputs[0], float(inputs[1]), outputs[0]
    kept = outputs[1] if len(outputs) > 1 else out != 0
    if kept.all() or not kept.any():
        return "all elements have the same fate"
    if out[~kept].any():
        return "a dropped element is not 0"
    scaled = np.isclose(out[kept], x[kept] / (1 - ratio), rtol=1e-6)
    return "" if scaled.all() else "a kept element is not scaled by 1 / (1 - ratio)"


_CHECKS: Mapping[str, Check] = {"Bernoulli": _bernoulli, "Dropout": _dropout}
