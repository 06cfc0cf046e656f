"""Gradients of determinants of singular matrices: the minors, which numpy computes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright import ops


@pytest.mark.one_in(3)
@pytest.mark.parametrize("rank", [3, 2, 1])
def test_a_singular_matrix(rank: int) -> None:
    rng = np.random.default_rng(rank)
    x = rng.standard_normal((2, 4, 4))
    x[:, :, rank:] = x[:, :, :1]
    x = x[:, :, [3, 1, 0, 2]]  # The equal columns are not the last ones.

    def total(x: Any) -> Any:
        determinants: Any = ops.det(x)
        return determinants.sum()

    gradient = tilewright.grad(total)
    made = tilewright.function(gradient, target="interpreter")(x)
    minors = np.empty_like(x)
    for i, j in np.ndindex(4, 4):
        part = np.delete(np.delete(x, i, 1), j, 2)
        minors[:, i, j] = (-1) ** (i + j) * np.linalg.det(part)
    np.testing.assert_allclose(np.asarray(made), minors, rtol=0, atol=1e-14)
    assert (abs(minors).max() > 0.1) == (rank == 3)
