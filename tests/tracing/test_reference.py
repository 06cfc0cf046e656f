"""Mutable cells of traced functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright import ops
from tilewright.support.diagnostics import TypeMismatch, UnsupportedOp

XS = np.linspace(0.1, 1, 6)


@tilewright.function
def tripled(x: Any) -> Any:
    cell = tilewright.ref(x)
    cell.write(cell.read() * 3)
    return cell.read()


def program(xs: Any, k: Any) -> Any:
    total, count = tilewright.ref(k), tilewright.ref(0)

    def step(_: Any, x: Any) -> Any:
        tilewright.cond(x > 0.5, lambda: count.write(count.read() + 1), lambda: None)
        total.write(total.read() * ops.sin(x) + tripled(x))
        return None, total.read()

    _, ys = tilewright.scan(step, None, xs)
    return total.read(), count.read(), ys


def expected(xs: Any, k: Any) -> Any:
    total, ys = k, []
    for x in xs:
        total = total * np.sin(x) + 3 * x
        ys.append(total)
    return total, np.sum(xs > 0.5), np.array(ys)


def test_results_and_gradients() -> None:
    k = np.asarray(2.0)
    for got, wanted in zip(tilewright.function(program)(XS, k), expected(XS, k), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-14)
    slopes = tilewright.grad(lambda xs, k: program(xs, k)[0], wrt=(0, 1))(XS, k)
    step = 1e-6
    for n in range(len(XS)):
        moved = np.eye(len(XS))[n] * step
        slope = (expected(XS + moved, k)[0] - expected(XS - moved, k)[0]) / (2 * step)
        np.testing.assert_allclose(slopes[0][n], slope, rtol=1e-8)
    np.testing.assert_allclose(slopes[1], np.prod(np.sin(XS)), rtol=1e-12)


def test_a_batch_of_cells() -> None:
    made = tilewright.vmap(tripled)(XS)
    np.testing.assert_allclose(made, 3 * XS)


def test_a_gradient_refuses_the_cell_of_an_enclosing_function() -> None:
    def enclosing(x: Any) -> Any:
        cell = tilewright.ref(x)
        return tilewright.grad(lambda y: cell.read() * y)(x)

    with pytest.raises(UnsupportedOp, match="takes a reference"):
        tilewright.function(enclosing)(np.asarray(2.0))


def test_a_cell_keeps_its_type() -> None:
    def changed(x: Any) -> Any:
        tilewright.ref(x).write(np.zeros(3))
        return x

    with pytest.raises(TypeMismatch, match=r"graph\.write at test_reference.*keeps its type"):
        tilewright.function(changed)(np.asarray(2.0))
