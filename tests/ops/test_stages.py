"""Every op case through the whole pipeline: each pass keeps the graph interpreter's results."""

from __future__ import annotations

import pytest

from tilewright.dialects.graph import ELEMENTWISE
from tilewright.support.target import Target
from tilewright.testing.op_case import check_passes

from ..sweeps import is_sample, sampled
from .case import OpCase
from .cases import CASES

SSE2 = Target("llvm -mcpu=x86-64")
AVX2 = Target("llvm -mcpu=x86-64-v3")
AVX512 = Target("llvm -mcpu=x86-64-v4")


def marks_of(case: OpCase) -> list[pytest.MarkDecorator]:
    """Return the markers of a case: by day, a sample stands for all elementwise ops."""
    is_elementwise = isinstance(case.function()[1].body.block.first_op, tuple(ELEMENTWISE.values()))
    return [pytest.mark.nightly] * (is_elementwise and not is_sample(case.name, 5))


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=case.name, marks=marks_of(case)) for case in CASES]
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


@pytest.mark.parametrize(
    "pair",
    sampled(PAIRS, lambda pair: f"{pair[0].name}-{pair[1]}", one_in=10, each_family=False),
)
def test_every_pass_keeps_the_results_for_other_vector_lengths(pair: tuple[OpCase, str]) -> None:
    """Check a sample of the pairs, by night all of them."""
    case, name = pair
    check_passes(case, OTHERS[name])
