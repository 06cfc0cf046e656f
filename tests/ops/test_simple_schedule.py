"""Op cases without plans: the simple schedule of every kernel lowers, and keeps the results."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.driver.passes.planning import Planning
from tilewright.interp.compare import expect_close
from tilewright.interp.program import interpret
from tilewright.machines.target import Target
from tilewright.targets.cpu import plan
from tilewright.targets.cpu.backend import CPU

from ..sweeps import sampled
from .case import OpCase, interpreted
from .cases import CASES

AVX2 = Target("llvm -mcpu=x86-64-v3")


def refuse(kernel, *_):
    raise NotImplementedError(kernel.label)


@pytest.fixture(autouse=True)
def no_plans(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setattr(plan, "plan_kernel", refuse)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


@pytest.mark.filterwarnings("ignore::tilewright.PlanWarning")
@pytest.mark.parametrize("case", sampled(CASES, lambda case: case.name, one_in=8))
def test_every_case_lowers_and_keeps_its_results(case: OpCase) -> None:
    module, arrays, expected = interpreted(case)
    run_pipeline(module, case.context(), AVX2, planning=Planning(CPU.plan))
    for got, want in zip(interpret(module, arrays), expected, strict=True):
        expect_close(got, want, case.name)


@pytest.mark.filterwarnings("ignore::tilewright.PlanWarning")
@pytest.mark.parametrize("case", CASES[::12], ids=lambda case: case.name)
def test_machine_code_of_a_sample_is_right_on_any_number_of_threads(case: OpCase) -> None:
    module, arrays, expected = interpreted(case)
    made = tilewright.compile_module(module, cache=False)
    results = [made.run(arrays, threads=threads) for threads in (1, 2, 3)]
    for got, want, *others in zip(results[0], expected, *results[1:], strict=True):
        expect_close(np.asarray(got), want, case.name)
        for other in others:
            np.testing.assert_array_equal(np.asarray(got), np.asarray(other))
