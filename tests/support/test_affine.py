"""Index expressions: every rewrite preserves the values, and flat addresses become linear."""

from __future__ import annotations

from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.support.affine import Index, Key, constant, divide, variable

EXTENT = 48


def range_of(_key: Key) -> tuple[int, int]:
    return 0, EXTENT - 1


def value(index: Index, point: int) -> int:
    """Return the value of an expression at a value of its one variable."""
    fixed = index.substitute({"i": constant(point)}, range_of)
    assert fixed.is_constant
    return fixed.const


@given(
    st.integers(1, 5),
    st.integers(0, 3),
    st.lists(st.tuples(st.sampled_from(["floordiv", "mod"]), st.integers(1, 12)), max_size=4),
)
def test_divisions_of_divisions_keep_their_values(
    factor: int, shift: int, steps: list[tuple[str, int]]
) -> None:
    index = variable("i") * factor + shift
    expected = [p * factor + shift for p in range(EXTENT)]
    for kind, divisor in steps:
        index = divide("mod" if kind == "mod" else "floordiv", index, divisor, range_of)
        expected = [v % divisor if kind == "mod" else v // divisor for v in expected]
    assert [value(index, p) for p in range(EXTENT)] == expected


@pytest.mark.parametrize("sizes", [(4, 12), (2, 4, 6), (3, 1, 4, 4), (2, 2, 2, 2, 3), (48, 1)])
def test_the_flat_address_of_a_split_axis_is_the_axis(sizes: tuple[int, ...]) -> None:
    flat, left = constant(0), variable("i")
    for d, size in reversed(list(enumerate(sizes))):
        flat = flat + divide("mod", left, size, range_of) * prod(sizes[d + 1 :])
        left = divide("floordiv", left, size, range_of)
    assert flat.merge_atoms() == variable("i")


def test_a_flat_address_of_other_sizes_stays() -> None:
    index = divide("floordiv", variable("i"), 4, range_of) * 5
    index = index + divide("mod", variable("i"), 4, range_of)
    assert index.merge_atoms() == index


@given(st.integers(1, 3), st.integers(2, 4), st.integers(2, 4), st.integers(1, 3))
def test_a_remainder_without_the_part_of_a_quotient_is_a_smaller_one(
    divisor: int, a: int, b: int, factor: int
) -> None:
    """Of e mod a*b and a * ((e floordiv a) mod b) the difference is e mod a."""
    e = divide("floordiv", variable("i"), divisor, range_of)
    part = divide("mod", divide("floordiv", e, a, range_of), b, range_of)
    whole = divide("mod", e, a * b, range_of)
    found = (whole * factor - part * (a * factor)).cancel_remainders(range_of)
    assert [value(found, p) for p in range(EXTENT)] == [
        p // divisor % a * factor for p in range(EXTENT)
    ]
    small = divide("mod", e, a, range_of) * factor
    assert found == small or e.range(range_of)[1] < a * b
    other = whole * factor - part * (a * factor + 1)
    assert other.cancel_remainders(range_of) == other
