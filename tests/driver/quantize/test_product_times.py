"""Times of products follow from the kernels of a profile."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tilewright.driver.quantize.product_times import product_times


def profile(*steps: tuple[float, list[str]]) -> SimpleNamespace:
    return SimpleNamespace(steps=[SimpleNamespace(time_s=t, nodes=n) for t, n in steps])


def test_a_kernel_counts_for_the_products_that_it_computes() -> None:
    made = profile((1e-6, ["a", "relu"]), (4e-6, ["a", "b"]), (8e-6, ["relu"]))
    assert product_times(made, {0: ["a"], 1: ["b"]}) == pytest.approx({0: 3, 1: 2})


def test_what_is_around_products_counts_where_no_product_is() -> None:
    made = profile((1e-6, ["a", "q"]), (4e-6, ["q"]), (8e-6, ["other"]))
    around = {"x": ["q"], "y": ["q"]}
    times = product_times(made, {"x": ["a"], "y": ["b"]}, around)
    assert times == pytest.approx({"x": 3, "y": 2})
