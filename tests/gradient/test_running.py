"""Gradients of running sums, products, maxima and minima, against torch and numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright import ops

torch = pytest.importorskip("torch")

KINDS = {
    "sum": torch.cumsum,
    "prod": torch.cumprod,
    "max": lambda x, axis: torch.cummax(x, axis).values,
    "min": lambda x, axis: torch.cummin(x, axis).values,
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("exclusive", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_first_and_second_derivatives(kind: str, exclusive: bool, reverse: bool) -> None:
    """Elements without ties; products with a zero."""
    x = np.array([[0.5, -1.5, 0.0, 2.0, 1.25], [3.0, 1.0, -2.0, 0.75, -0.5]])
    head, v = np.random.default_rng(1).uniform(0.5, 1.5, (2, 2, 5))

    def mine(x: Any, v: Any) -> Any:
        def loss(x: Any) -> Any:
            y = ops.cumulative(x, kind=kind, axis=1, exclusive=exclusive, reverse=reverse)
            return (y[:, 1:4] * head[:, 1:4]).sum()

        return tilewright.grad(loss)(x), tilewright.hvp(loss, [x], [v])[0]

    found = tilewright.function(mine, target="interpreter")(x, v)
    a = torch.tensor(x, requires_grad=True)
    b = a.flip(1) if reverse else a
    y = KINDS[kind](b, 1)
    if exclusive:
        y = torch.cat([torch.zeros_like(y[:, :1]), y[:, :-1]], 1)
    y = y.flip(1) if reverse else y
    loss = (y[:, 1:4] * torch.tensor(head[:, 1:4])).sum()
    (first,) = torch.autograd.grad(loss, a, create_graph=True)
    second = torch.zeros_like(a)
    if kind == "prod":
        (second,) = torch.autograd.grad(first, a, torch.tensor(v))
    for made, wanted in zip(found, (first, second), strict=True):
        np.testing.assert_allclose(np.asarray(made), wanted.detach().numpy(), atol=1e-14)
