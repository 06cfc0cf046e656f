"""Operators as C source, compiled by the C compiler without a warning, against the interpreter."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright
from tilewright.interp.compare import expect_close
from tilewright.support.diagnostics import TilewrightError
from tilewright.targets.c import loading

from ...ops.case import OpCase, interpreted
from ...ops.cases import CASES
from ...sweeps import sampled

FLAGS = ("-O1", "-fPIC", "-shared", "-Wall", "-Wextra", "-Werror", "-pedantic")
COMPUTED = ("non", "nms", "unique", "while")
"""The families whose results have sizes that depend on values."""


@pytest.fixture(autouse=True)
def _without_warnings(monkeypatch: pytest.MonkeyPatch) -> None:
    if loading.c_compiler() is None:
        pytest.skip("no C compiler")
    monkeypatch.setattr(loading, "FLAGS", FLAGS)


def family(case: OpCase) -> str:
    return case.name.partition("_")[0]


@pytest.mark.parametrize(
    "case",
    sampled(
        (case for case in CASES if family(case) not in COMPUTED),
        lambda case: case.name,
        one_in=6,
        each_family=False,
    ),
)
def test_an_operator_gives_what_the_interpreter_gives(case: OpCase) -> None:
    module, arrays, expected = interpreted(case)
    made = tilewright.compile_module(module, target="c", cache=False, strict_plan=True)
    for got, want in zip(made.run(arrays), expected, strict=True):
        expect_close(np.asarray(got), want, case.name)


def test_sizes_that_depend_on_values_are_refused() -> None:
    case = next(case for case in CASES if family(case) == "unique")
    with pytest.raises(TilewrightError, match=r"C source has static sizes(?s:.*)target llvm"):
        tilewright.compile_module(case.function()[0], target="c", cache=False)
