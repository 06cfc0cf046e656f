"""The first index that is out of range, with its position and the bounds."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright.interp.indices import Outside, check_indices, find_outside
from tilewright.support.diagnostics import IndexOutside


@pytest.mark.parametrize(
    ("indices", "sizes", "wraps", "expected"),
    [
        ([[0, 4], [5, 6]], [5], False, Outside(0, 5, 5, (1, 0))),
        ([[0, 4], [-5, -6]], [5], True, Outside(-5, 5, -6, (1, 1))),
        ([[0, 4], [3, 4]], [5], True, None),
        # A size per element of the last axis: the first column with a wrong index counts.
        ([[0, 9], [4, 2], [3, 7]], [4, 7], False, Outside(0, 4, 4, (1, 0))),
        ([[0, 6], [3, 7]], [4, 7], False, Outside(0, 7, 7, (1, 1))),
        ([[0, -7], [3, 6]], [4, 7], True, None),
    ],
)
def test_the_first_index_out_of_range(
    indices: list[list[int]], sizes: list[int], wraps: bool, expected: Outside | None
) -> None:
    assert find_outside(np.array(indices), sizes, wraps=wraps) == expected


def test_the_error_names_operator_bounds_and_position() -> None:
    with pytest.raises(IndexOutside) as caught:
        check_indices("Gather 'rows'", np.array([0, 9]), [8], wraps=True)
    error = caught.value
    assert (error.expected, error.got, error.where) == (
        "-8..7",
        "9 at [1] of the indices",
        "Gather 'rows'",
    )


def test_an_empty_axis_has_no_index() -> None:
    with pytest.raises(IndexOutside) as caught:
        check_indices("Gather", np.array([0]), [0], wraps=False)
    assert caught.value.expected == "no index into an empty axis"
