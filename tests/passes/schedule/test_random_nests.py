"""Random schedules of the classic primitives; random_nests.py runs more of them."""

from __future__ import annotations

import pytest

from .random_nests import Drawn
from .random_programs import FAMILIES

pytestmark = pytest.mark.slow

SEEDS = range(3)


@pytest.mark.parametrize("buffers", [False, True], ids=["loops", "buffers"])
@pytest.mark.parametrize("family", FAMILIES)
def test_a_schedule_changes_no_result(family: str, buffers: bool) -> None:
    for seed in SEEDS:
        Drawn(family, seed, buffers=buffers).check()


@pytest.mark.parametrize("family", ["matmul", "pooling", "recurrence"])
def test_machine_code_of_a_schedule(family: str) -> None:
    assert all(Drawn(family, seed).check_native() for seed in SEEDS)
