"""Op cases with the reference backend: compiled, loaded and called as machine code is.

The levels of all cases run in test_stages.py, so `make test` takes a sample here.
"""

from __future__ import annotations

import pytest

from tilewright import compile_module
from tilewright.interp.compare import expect_close
from tilewright.testing.op_case import assert_close

from ..sweeps import sampled
from .case import OpCase, interpreted
from .cases import CASES


@pytest.mark.parametrize("case", sampled(CASES, lambda case: case.name, one_in=12))
def test_the_reference_backend_runs_every_operator(case: OpCase) -> None:
    module, arrays, expected = interpreted(case)
    compiled = compile_module(module, target="interpreter", cache=False)
    results = compiled.run(list(arrays))
    for result, want in zip(results, expected, strict=True):
        if case.ulp <= 1:
            assert_close(
                result.numpy(), want, max(2 * case.ulp, 4 if want.dtype.kind == "f" else 0)
            )
        else:
            expect_close(result.numpy(), want, case.name)
