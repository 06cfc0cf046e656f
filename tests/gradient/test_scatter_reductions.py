"""Gradients of scatters that multiply elements or keep the largest or smallest: against torch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright import ops

KINDS = {"mul": "prod", "max": "amax", "min": "amin"}

torch = pytest.importorskip("torch")


def both(kind: str, weighted: Any) -> tuple[list[Any], list[Any]]:
    """Return our gradients and torch's of a weighted scatter with zeros, ties and duplicates."""
    rng = np.random.default_rng(3)
    x, u = rng.integers(-2, 3, (3, 4)).astype(float), rng.integers(-2, 3, (6, 4)).astype(float)
    rows, head = rng.integers(0, 3, (6, 4)), rng.uniform(0.5, 1.5, (3, 4))

    def loss(x: Any, u: Any) -> Any:
        return weighted(ops.scatter_elements(x, rows, u, axis=0, kind=kind), head)

    mine = tilewright.function(tilewright.grad(loss, wrt=(0, 1)), target="interpreter")(x, u)
    a, b = (torch.tensor(each, requires_grad=True) for each in (x, u))
    made = a.scatter_reduce(0, torch.tensor(rows), b, KINDS[kind], include_self=True)
    theirs = torch.autograd.grad(weighted(made, torch.tensor(head)), (a, b))
    return [np.asarray(each) for each in mine], [each.numpy() for each in theirs]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", KINDS)
def test_zeros_ties_and_duplicate_positions(kind: str) -> None:
    for mine, theirs in zip(*both(kind, lambda y, g: (y * y * g).sum()), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-14, atol=1e-14)
        assert theirs.any()


def test_second_derivative_of_a_product() -> None:
    """The derivatives of ``x0 x1 x2``, where position 1 is not written."""

    def product(x: Any) -> Any:
        return ops.scatter_elements(x[:2] + 0, np.array([0, 0]), x[1:], axis=0, kind="mul")

    def curvature(x: Any, v: Any) -> Any:
        return tilewright.grad(lambda z: (tilewright.grad(lambda t: product(t)[0])(z) * v).sum())(x)

    x, v = np.array([2.0, 3.0, 5.0]), np.array([1.0, 0.0, 0.0])
    made = tilewright.function(curvature, target="interpreter")(x, v)
    np.testing.assert_allclose(np.asarray(made), [0, 5, 3], rtol=1e-14)
