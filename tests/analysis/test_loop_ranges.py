"""Bounds of expressions over sizes, and of quotients of expressions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.analysis.loop_ranges import LoopRanges
from tilewright.analysis.size_index import size_index
from tilewright.dialects.shape import Dim
from tilewright.support.affine import Atom, Index

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
