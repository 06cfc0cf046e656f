"""Every op case through the whole pipeline: each pass keeps the graph interpreter's results."""

from __future__ import annotations

import pytest

from tilewright.support.target import Target
from tilewright.testing.op_case import check_passes

from ..sweeps import sampled
from .case import OpCase
from .cases import CASES

SSE2 = Target("llvm -mcpu=x86-64")
AVX2 = Target("llvm -mcpu=x86-64-v3")
AVX512 = Target("llvm -mcpu=x86-64-v4")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_pass_keeps_the_results(case: OpCase) -> None:
    check_passes(case, AVX2)


@pytest.mark.parametrize("target", [SSE2, AVX512], ids=["sse2", "avx512"])
@pytest.mark.parametrize("case", sampled(CASES, lambda case: case.name, one_in=10))
def test_every_pass_keeps_the_results_for_other_vector_lengths(
    case: OpCase, target: Target
) -> None:
    """Check a sample of the cases, by night all."""
    check_passes(case, target)
