"""Operators that draw random numbers: what holds of their results whatever the draw.

The suite's expected values are numpy's draws, which no other generator gives. Shapes and dtypes
are compared as of every case; of values, what the operator's definition says for all draws.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Law: TypeAlias = Callable[[Sequence[Array], Sequence[Array]], str]
"""What is wrong with outputs for inputs; empty if nothing is."""


def law_of(op: str, inputs: Sequence[Array]) -> Law | None:
    """Return what holds of an operator's results if it draws for these inputs, else None."""
    if op == "Dropout" and not _drops(inputs):
        return None
    return _LAWS.get(op)


def _drops(inputs: Sequence[Array]) -> bool:
    """Whether a Dropout is in training and drops some."""
    return len(inputs) == 3 and bool(inputs[2]) and float(inputs[1]) > 0


def _bernoulli(inputs: Sequence[Array], outputs: Sequence[Array]) -> str:
    """Every element is 0 or 1, and what the input says where that is certain."""
    (chance,), (out,) = inputs, outputs
    if not np.isin(out, (0, 1)).all():
        return "an element is neither 0 nor 1"
    certain = np.isin(chance, (0, 1))
    return "" if np.array_equal(out[certain], chance[certain]) else "a certain element differs"


def _dropout(inputs: Sequence[Array], outputs: Sequence[Array]) -> str:
    """An element is 0 or scaled by ``1 / (1 - ratio)``; the mask says which; there are both."""
    x, ratio, out = inputs[0], float(inputs[1]), outputs[0]
    kept = outputs[1] if len(outputs) > 1 else out != 0
    if kept.all() or not kept.any():
        return "all elements have the same fate"
    if out[~kept].any():
        return "a dropped element is not 0"
    scaled = np.isclose(out[kept], x[kept] / (1 - ratio), rtol=1e-6)
    return "" if scaled.all() else "a kept element is not scaled by 1 / (1 - ratio)"


_LAWS: Mapping[str, Law] = {"Bernoulli": _bernoulli, "Dropout": _dropout}
