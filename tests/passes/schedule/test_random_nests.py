"""Random schedules of the classic primitives; ``tw fuzz --family schedule.matmul`` runs more."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.parser import Parser

from tilewright.interp.te import run_kernel
from tilewright.support.registry import new_context
from tilewright.testing.fuzz.families import check_drawn
from tilewright.testing.fuzz.schedules import drawn_schedule
from tilewright.testing.fuzz.te_programs import TE_PROGRAMS

from .kernels import example_inputs

pytestmark = pytest.mark.slow

SEEDS = range(3)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("buffers", [False, True], ids=["loops", "buffers"])
@pytest.mark.parametrize("family", TE_PROGRAMS)
def test_a_schedule_changes_no_result(family: str, buffers: bool) -> None:
    for seed in SEEDS:
        schedule = drawn_schedule(family, seed, buffers=buffers)
        for plain, kernel in zip(schedule.plain_kernels, schedule.kernels, strict=True):
            kernel.verify()
            text = str(kernel)
            assert str(Parser(new_context(), text).parse_module().body.block.first_op) == text
            expected = example_inputs(plain, seed)
            got = [a.copy() for a in expected]
            run_kernel(plain, *expected)
            run_kernel(kernel, *got)
            for a, b in zip(got, expected, strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-5 if family == "softmax" else 0, atol=0)


@pytest.mark.parametrize("family", ["matmul", "pooling", "recurrence"])
def test_machine_code_of_a_schedule(family: str) -> None:
    for seed in SEEDS:
        outcome = check_drawn(f"schedule.{family}", seed, "run", ())
        assert not outcome.is_failure, outcome
