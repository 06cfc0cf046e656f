"""Bounds of expressions over sizes, shared among functions, but not where facts are known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.analysis.bounds.loop_ranges import LoopRanges
from tilewright.dialects.shape import MOST, Dim, size_index
from tilewright.support.affine import Atom, Index, Ordered

SIZES = ("s", "8 * s", "40 * s - 20 * floordiv(5 * s + 5, 6)", "s + 127 * t", "max(s - t, 0) * 3")


@pytest.mark.parametrize("text", SIZES)
@given(
    divisor=st.integers(2, 9),
    shift=st.integers(-3, 3),
    factor=st.sampled_from([-4, -1, 1, 3]),
    s=st.integers(1, 300),
    t=st.integers(1, 300),
)
def test_a_quotient_of_sizes_lies_between_its_bounds(
    text: str, divisor: int, shift: int, factor: int, s: int, t: int
) -> None:
    inner = size_index(Dim.parse(text)) + shift
    quotient = Index({Atom("floordiv", inner, divisor): factor})
    ranges = LoopRanges()
    value = (Dim.parse(text).evaluate({"s": s, "t": t}) + shift) // divisor * factor
    assert ranges.lower(quotient) <= value <= ranges.upper(quotient)


ROWS, COLUMNS = Dim.sym("rows"), Dim.sym("columns")


def test_bounds_of_sizes_hold_in_every_function() -> None:
    difference = size_index(2 * ROWS - 2 * ((ROWS + 1) // 2))
    assert LoopRanges().upper(difference) == LoopRanges().upper(difference) == MOST
    assert LoopRanges().upper(-difference + 3) == 3


def test_a_fact_about_sizes_holds_in_its_scope_alone() -> None:
    difference = size_index(ROWS - COLUMNS)
    ranges = LoopRanges()
    assert ranges.upper(difference) == MOST - 1
    with ranges.of_sizes([COLUMNS - ROWS]):
        assert ranges.upper(difference) == 0
        assert LoopRanges().upper(difference) == MOST - 1
    assert ranges.upper(difference) == MOST - 1


def test_the_order_of_terms_tells_expressions_apart() -> None:
    one, other = Index({ROWS: 1, COLUMNS: 2}), Index({COLUMNS: 2, ROWS: 1})
    assert one == other
    assert Ordered(one) != Ordered(other)
    assert Ordered(one) == Ordered(Index({ROWS: 1, COLUMNS: 2}))
