"""Every op case through the whole pipeline: each pass keeps what the graph interpreter gives."""

from __future__ import annotations

import pytest

from tilewright.driver.check import validate_pipeline
from tilewright.support.target import Target

from .cases import CASES, OpCase

TARGETS = {
    "sse2": Target("llvm -mcpu=x86-64"),
    "avx2": Target("llvm -mcpu=x86-64-v3"),
    "avx512": Target("llvm -mcpu=x86-64-v4"),
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_pass_keeps_the_results(case: OpCase, target: str) -> None:
    module, _ = case.function()
    validate_pipeline(module, TARGETS[target], case.arrays())
