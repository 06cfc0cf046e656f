"""Optimizers: functions from parameters, gradients and a state to new parameters and a state.

A state is a tree: the number of steps done, ``count``, and trees of arrays like the parameters.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ..tracing.array import Array, elementwise
from ..tracing.tree import flatten, map_trees
from .schedules import Rate

Step: TypeAlias = "Callable[[Array, Array, Sequence[Array], Array, Array], Sequence[Array]]"
"""The update of one parameter, from the parameter, its gradient, its moments, the rate and the
number of the step, which counts from 1: the new parameter, then its new moments."""


@dataclass(frozen=True)
class Optimizer:
    """An optimizer: the rule by which parameters follow from gradients, such as `adam` returns.

    moments: the names of the trees of arrays in its state, each with the tree of the parameters.
    rate: the learning rate: a number, or a function of the number of the step (a schedule).
    step: the update of one parameter: a function of the parameter, its gradient, its moments, the
    rate and the number of the step, from 1, that returns the new parameter and the new moments.
    """

    moments: tuple[str, ...]
    rate: Rate
    step: Step

    def init(self, params: Any) -> dict[str, Any]:
        """Return the state before the first step, as arrays of numpy.

        params: the tree of the initial parameters.
        """
        zeros = {name: map_trees(_zeros, params) for name in self.moments}
        return {"count": np.zeros((), np.int64), **zeros}

    def update(self, params: Any, gradients: Any, state: Any) -> tuple[Any, dict[str, Any]]:
        """Return the new parameters and the new state after one step, inside of a traced function.

        params, gradients: trees of arrays of the same structure.
        state: the state before the step, from `init` or from the step before.
        Errors: TypeMismatch for trees of different structures.
        """
        leaves, structure = flatten(params)
        is_wide = any(leaf.dtype == "float64" for leaf in leaves)
        count = state["count"] + 1
        done = state["count"].astype("float64" if is_wide else "float32")
        rate = self.rate(done) if callable(self.rate) else self.rate + 0.0 * done
        weak = Array(rate.value, is_weak=True), Array((done + 1.0).value, is_weak=True)
        rows = map_trees(
            lambda p, g, *moments: _StateRow(self.step(p, g, moments, *weak)),
            params, gradients, *(state[name] for name in self.moments),
        )  # fmt: skip
        columns = zip(*(row.values for row in flatten(rows)[0]), strict=True)
        made, *moments = (structure.build(column) for column in columns)
        return made, {"count": count, **dict(zip(self.moments, moments, strict=True))}


@dataclass(frozen=True)
class _StateRow:
    """The results of updating one parameter: its new value, then its new moments.

    It is a leaf in the tree of the parameters.
    """

    values: Sequence[Array]


def _zeros(x: Any) -> np.ndarray[Any, Any]:
    return np.zeros_like(np.asarray(x), order="C")


def sgd(
    rate: Rate, *, momentum: float = 0.0, nesterov: bool = False, weight_decay: float = 0.0
) -> Optimizer:
    """Return stochastic gradient descent, as torch.optim.SGD computes it.

    rate: the learning rate.  momentum, nesterov: as in torch.
    weight_decay: this multiple of a parameter is added to its gradient.
    """

    def step(
        p: Array, g: Array, moments: Sequence[Array], rate: Array, _number: Array
    ) -> Sequence[Array]:
        g = g + weight_decay * p if weight_decay else g
        if not momentum:
            return (p - rate * g,)
        velocity = momentum * moments[0] + g
        move = g + momentum * velocity if nesterov else velocity
        return p - rate * move, velocity

    return Optimizer(("velocity",) if momentum else (), rate, step)


def adam(
    rate: Rate = 1e-3,
    *,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: float = 1e-8,
    weight_decay: float = 0.0,
) -> Optimizer:
    """Return Adam, as torch.optim.Adam computes it.

    rate: the learning rate.  betas: the weights of the old mean and of the old mean square.  eps: a
    number that is added to the denominator.  weight_decay: this multiple of a parameter is added to
    its gradient.
    """
    return _adam(rate, betas, eps, gradient_decay=weight_decay)


def adamw(
    rate: Rate = 1e-3,
    *,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: float = 1e-8,
    weight_decay: float = 1e-2,
) -> Optimizer:
    """Return Adam with decoupled weight decay, as torch.optim.AdamW computes it.

    rate, betas, eps: see `adam`.  weight_decay: a step first multiplies each parameter by
    ``1 - rate * weight_decay``.
    """
    return _adam(rate, betas, eps, decay=weight_decay)


def _adam(
    rate: Rate,
    betas: tuple[float, float],
    eps: float,
    *,
    gradient_decay: float = 0.0,
    decay: float = 0.0,
) -> Optimizer:
    first, second = betas

    def step(
        p: Array, g: Array, moments: Sequence[Array], rate: Array, number: Array
    ) -> Sequence[Array]:
        g = g + gradient_decay * p if gradient_decay else g
        p = p * (1.0 - rate * decay) if decay else p
        mean = moments[0] + (1 - first) * (g - moments[0])
        squares = second * moments[1] + (1 - second) * (g * g)
        size = elementwise("sqrt", squares) / elementwise("sqrt", _share(second, number)) + eps
        return p - (rate / _share(first, number)) * (mean / size), mean, squares

    return Optimizer(("mean", "squares"), rate, step)


def _share(beta: float, number: Array) -> Array:
    """Return ``1 - beta ** number`` without cancellation, which would lose four digits in f32.

    number: the number of the step, from 1.
    """
    return -elementwise("expm1", number * math.log(beta))
