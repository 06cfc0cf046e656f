"""Networks of comparators sort every row, by the 0-1 principle (Knuth, vol. 3, 5.3.4).

`tests/ops/test_irregular.py` sorts rows by their machine code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import pytest

from tilewright.lowering.te_to_loop.network import RUN, merger, sorting_network


def compared(keys: Sequence[int], comparators: Iterator[tuple[int, int]]) -> list[int]:
    keys = list(keys)
    for low, high in comparators:
        assert low < high
        keys[low], keys[high] = sorted((keys[low], keys[high]))
    return keys


@pytest.mark.parametrize("length", range(1, RUN + 1))
def test_a_network_sorts_all_rows_of_zeros_and_ones(length: int) -> None:
    for keys in product((0, 1), repeat=length):
        assert compared(keys, sorting_network(length)) == sorted(keys)


@pytest.mark.parametrize("length", [1, 2, 8, 32])
def test_a_merger_sorts_all_bitonic_rows_of_zeros_and_ones(length: int) -> None:
    ends = range(length + 1)
    for first, second, inside in product(ends, ends, (0, 1)):
        keys = [inside if first <= n < second else 1 - inside for n in range(length)]
        assert compared(keys, merger(length)) == sorted(keys)
