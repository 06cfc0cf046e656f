"""The gradient of every float op case as machine code, in f32, bf16 and with symbolic sizes.

The reference is the same gradient in f64 by the interpreter, which test_op_cases.py compares with
differences and torch, at the operands that the code gets. A gradient is a chain of a few operators,
which each round to the type: an error is at most `EPSILONS` epsilons of the largest element. At
other sizes than those of the case, sums are longer, and the error is at most twice as large.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import ml_dtypes
import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import tilewright
from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.interp.compare import scaled_error
from tilewright.support.diagnostics import TilewrightError

from ..ops.case import Array, OpCase
from ..ops.symbolic import SymbolicCase, symbolic_cases
from .rows import DIFFERENTIABLE, Row, computed, program, retyped, values, widened

EPSILONS = 8

LOOSE = {
    ("scan", "f32"): 64,
    ("scan", "bf16"): 16,
    ("scan_reverse", "f32"): 256,
    ("scan_reverse", "bf16"): 32,
}
"""The epsilons of cases whose gradient is ``1 - tanh(x)^2`` near 1: the difference cancels."""

IN_OTHER_PIXELS = {("roi_align_avg_2", "bf16"): "the derivative jumps where a position rounds up"}
"""The cases without a bound, with a reason."""

OTHER_TYPES = ("resample", "resample_periods")
"""The cases whose weights are f32 if x is bf16: resample_f16 is such a case."""


def check(
    row: Row, case: OpCase, module: ModuleOp, gradients: CompiledModule, epsilons: float
) -> None:
    """Compare the gradients of a row by machine code with those in f64.

    case: the case at the sizes of the call.  module: its program in the type of the code.
    """
    exact = program(case, "f64")
    arrays = values(case, module)
    y = computed(exact, widened(arrays))[row.result]
    head = row.head(module, y)
    expected = computed(row.differentiated(exact), widened([*arrays, head]))
    check_close(gradients.run([*arrays, head]), expected, epsilons)


def check_close(got: Sequence[Array], expected: Sequence[Array], epsilons: float) -> None:
    """Compare arrays with f64 references, within epsilons of each largest element."""
    for result, want in zip(map(np.asarray, got), expected, strict=True):
        assert result.shape == want.shape
        np.testing.assert_array_equal(np.isfinite(result.astype(np.float64)), np.isfinite(want))
        bound = epsilons * float(ml_dtypes.finfo(result.dtype).eps)
        assert scaled_error(result, want) <= bound


def compiled(row: Row, module: ModuleOp) -> CompiledModule:
    """Return the machine code of the gradients."""
    return tilewright.compile_module(row.differentiated(module), cache=False, strict_plan=True)


@pytest.mark.one_in(24)
@pytest.mark.parametrize("element", ["f32", "bf16"])
@pytest.mark.parametrize("row", DIFFERENTIABLE, ids=lambda row: row.name)
def test_machine_code(row: Row, element: str) -> None:
    if element == "bf16" and row.case.name in OTHER_TYPES:
        pytest.skip("the weights are f32")
    module = program(row.case, element)
    gradients = compiled(row, module)
    key = (row.case.name, element)
    epsilons = np.inf if key in IN_OTHER_PIXELS else LOOSE.get(key, EPSILONS)
    check(row, row.case, module, gradients, epsilons)


def symbolic_rows() -> list[tuple[Row, SymbolicCase]]:
    """Return the rows with a symbolic batch, and with all sizes symbolic that may be."""
    made = []
    for row in DIFFERENTIABLE:
        cases = list(symbolic_cases(row.case))
        ends = {one.name: one for one in (*cases[:1], *cases[-1:])}
        made += [(row, one) for one in ends.values()]
    return made


def other_sizes(one: SymbolicCase) -> Mapping[str, int]:
    """Return sizes which differ from those of the case, and from each other."""
    return {symbol: size + 1 + n for n, (symbol, size) in enumerate(one.originals.items())}


@pytest.mark.one_in(40)
@pytest.mark.parametrize(
    ("row", "one"),
    [pytest.param(row, one, id=f"{row.name}-{one.name}") for row, one in symbolic_rows()],
)
def test_one_module_for_all_sizes(row: Row, one: SymbolicCase) -> None:
    gradients = compiled(row, retyped(one.module(), "f32"))
    epsilons = LOOSE.get((row.case.name, "f32"), EPSILONS)
    check(row, row.case, program(row.case, "f32"), gradients, epsilons)
    other = one.at(other_sizes(one))
    try:
        module = program(other, "f32")
    except TilewrightError:
        return  # The op is not defined at these sizes.
    check(row, other, module, gradients, 2 * epsilons)
