"""Where a loop runs, its end is the one without a maximum."""

from __future__ import annotations

import pytest

from tilewright.analysis.bounds.running_loops import ends_if_running
from tilewright.dialects.shape import Dim, size_index
from tilewright.support.affine import Index, constant

ENDS = {
    "max(n - m, 0)": [("n - m", 0)],
    "4 * max(n - m, 2) + 1": [("4 * n - 4 * m + 1", 9)],
    "floordiv(max(n - 3, 0) + 7, 8)": [("floordiv(n + 4, 8)", 0)],
}


@pytest.mark.parametrize("text", ENDS)
def test_the_end_of_a_running_loop_has_no_maximum(text: str) -> None:
    found = list(ends_if_running(size_index(Dim.parse(text))))
    assert found == [(size_index(Dim.parse(end)), constant(n)) for end, n in ENDS[text]]


@pytest.mark.parametrize("text", ["n - m", "min(n, 8)", "n - max(m, 2)", "max(n - m, 0) * n"])
def test_other_ends_stay(text: str) -> None:
    assert not list(ends_if_running(size_index(Dim.parse(text))))
    assert not list(ends_if_running(Index()))
