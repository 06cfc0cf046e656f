"""The functions of torch that device_check times compute the results of the cases."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright.runtime.device.launch_list import Region
from tilewright.runtime.measure.device_case import drawn, relative_error

from .bundle import by_onnxruntime
from .cases import LARGE, SMALL, OperatorCase, cases

CASES = [case for case in cases(SMALL, is_timed=False) if case.dtype in ("f32", "i8")]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_function_of_torch_computes_the_case(case: OperatorCase) -> None:
    torch = pytest.importorskip("torch")
    from .peers import function_of

    operator, usual = case.operator, "int8" if case.dtype == "i8" else "float32"
    regions = [
        Region("input", 0, name, "int64" if name in operator.indices else usual, shape)
        for name, shape in operator.inputs.items()
    ]
    inputs = [drawn(case.name, x, draw) for x, draw in zip(regions, case.draws, strict=True)]
    (expected,) = by_onnxruntime(case.reference())(*inputs)
    function = function_of({"operator": operator.peer, "dtype": case.dtype})
    got = function(*map(torch.from_numpy, inputs)).numpy()
    assert got.shape == np.asarray(expected).shape
    assert relative_error(got, np.asarray(expected)) <= 1e-6


def test_the_large_operators_have_the_functions_of_small_ones() -> None:
    words = {operator.peer.split()[0] for operator in SMALL}
    assert {operator.peer.split()[0] for operator in LARGE} == words
