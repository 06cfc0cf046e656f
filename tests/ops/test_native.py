"""Every op case compiled to machine code, against the graph interpreter.

The code runs in a worker process on arrays that touch inaccessible pages, first before, then
behind them: a read or write outside an argument is a failed test.

Elementwise ops and movements are as exact as their case says: integers, bools and what is rounded
once (also in f16 and bf16) bit by bit, math functions to one epsilon. The order of a sum is the
compiler's choice: driver.check.relative_bound, 1e-5 for f32.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

from tilewright.dialects.weights import save_weights
from tilewright.driver.check import expect_close
from tilewright.interp.graph import run_graph
from tilewright.support.target import Target
from tilewright.testing.worker import Worker

from .cases import CASES, OpCase, assert_close

NATIVE = str(Path(__file__).with_name("native.py"))
TARGETS = {
    "host": str(Target.host()),
    "sse2": "llvm -mcpu=x86-64",
    "avx2": "llvm -mcpu=x86-64-v3",
    "avx512": "llvm -mcpu=skylake-avx512",
    "amx": "llvm -mcpu=sapphirerapids",
}


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with Worker() as worker:
        yield worker


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_machine_code_gives_what_the_interpreter_gives(case, target, worker, tmp_path) -> None:
    module, func = case.function()
    weights = str(tmp_path / "weights")
    save_weights(module, weights)
    if not set(Target(TARGETS[target]).features) <= set(Target.host().features):
        assert worker.call(f"{NATIVE}:compiles", str(module), weights, TARGETS[target]) is not None
        return
    arrays = case.arrays()
    expected = run_graph(func, *arrays)
    for results in worker.call(f"{NATIVE}:run", str(module), weights, TARGETS[target], arrays):
        for got, want in zip(results, expected, strict=True):
            if case.ulp <= 1:
                assert_close(got, want, case.ulp)
            else:
                expect_close(got, want, case.name)
