"""Every op case through the whole pipeline: each pass keeps the graph interpreter's results."""

from __future__ import annotations

import pytest

from tilewright.machines.target import Target
from tilewright.testing.op_case import check_passes

from ..sweeps import sampled
from .case import OpCase
from .cases import CASES

SSE2 = Target("llvm -mcpu=x86-64")
AVX2 = Target("llvm -mcpu=x86-64-v3")
AVX512 = Target("llvm -mcpu=x86-64-v4")


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    "case", sampled(CASES, lambda case: case.name, one_in=8, each_family=False)
)
def test_every_pass_keeps_the_results(case: OpCase) -> None:
    check_passes(case, AVX2)


OTHERS = {"sse2": SSE2, "avx512": AVX512}
PAIRS = [
    (case, name)
    for number, case in enumerate(CASES)
    for name in (("sse2", "avx512") if number % 2 else ("avx512", "sse2"))
]
"""Cases and other vector lengths; which length comes first alternates from case to case."""


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    "pair",
    sampled(PAIRS, lambda pair: f"{pair[0].name}-{pair[1]}", one_in=20, each_family=False),
)
def test_every_pass_keeps_the_results_for_other_vector_lengths(pair: tuple[OpCase, str]) -> None:
    """Check a sample of the pairs, by night all of them."""
    case, name = pair
    check_passes(case, OTHERS[name])
