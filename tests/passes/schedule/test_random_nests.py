"""Random schedules of the classic primitives; random_nests.py runs more of them."""

from __future__ import annotations

import pytest

from .random_nests import FAMILIES, Drawn

pytestmark = pytest.mark.slow

SEEDS = range(4)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_schedule_changes_no_result(family: str) -> None:
    for seed in SEEDS:
        Drawn(family, seed).check()


@pytest.mark.parametrize("family", ["matmul", "pooling"])
def test_machine_code_of_a_schedule(family: str) -> None:
    assert all(Drawn(family, seed).check_native() for seed in SEEDS)
