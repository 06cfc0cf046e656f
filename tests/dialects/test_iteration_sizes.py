"""Bounds of sizes over the iteration number of a loop hold in each iteration."""

from __future__ import annotations

import pytest

from tilewright.dialects.iteration_sizes import largest_size, smallest_size
from tilewright.dialects.shape import Dim
from tilewright.support.diagnostics import UnsupportedOp

SIZES = (
    "i.0 + 1",
    "n - i.0 + 3",
    "max(n - i.0, 0)",
    "min(i.0 + 1, n) * 4",
    "floordiv(i.0 + 2, 3)",
    "mod(i.0, 4) + n",
    "n * i.0 + 2 * i.0 * i.0 - 3 * i.0",
    "max(max(n - i.0, 0) - 1, 0)",
    "floordiv(n, i.0 + 1)",
)


@pytest.mark.parametrize("text", SIZES)
def test_bounds_hold_in_every_iteration(text: str) -> None:
    size, steps = Dim.parse(text), Dim.sym("k")
    most, least = largest_size(size, "i.0", steps), smallest_size(size, "i.0", steps)
    assert least is not None
    assert "i.0" not in most.symbols() | least.symbols()
    for n in range(1, 9):
        for k in range(9):
            ends = {"n": n, "k": k}
            found = [size.evaluate({**ends, "i.0": i}) for i in range(k + 1)]
            assert max(found) <= most.evaluate(ends)
            assert min(found) >= least.evaluate(ends)


def test_bounds_of_linear_sizes_are_reached() -> None:
    assert largest_size(Dim.parse("n - i.0"), "i.0", Dim.sym("k")) == Dim.sym("n")
    assert largest_size(Dim.parse("n + 2 * i.0"), "i.0", Dim.sym("k")) == Dim.parse("n + 2 * k")
    assert smallest_size(Dim.parse("n - i.0"), "i.0", Dim.sym("k")) == Dim.parse("n - k")


def test_the_product_of_a_size_that_may_be_negative_has_no_bound() -> None:
    size = Dim.sym("i.0") * Dim.parse("min(i.0 - 4, n)")
    with pytest.raises(UnsupportedOp, match="largest value"):
        largest_size(size, "i.0", Dim.sym("k"))
    assert smallest_size(size, "i.0", Dim.sym("k")) is None


def test_two_maxima_become_one_where_a_constant_decides() -> None:
    assert Dim.parse("max(max(n - m, 0) - 1, 0)") == Dim.parse("max(n - m - 1, 0)")
    assert Dim.parse("min(min(n + m, 9) + 1, 8)") == Dim.parse("min(n + m + 1, 8)")
    assert Dim.parse("max(max(n - m, 3) - 1, 0)") != Dim.parse("max(n - m - 1, 0)")
