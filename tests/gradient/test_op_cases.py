"""The gradient of every float op case in f64: by differences, te definitions and torch."""

from __future__ import annotations

from fnmatch import fnmatchcase

import numpy as np
import pytest

from tilewright.dialects.graph import StopGradientOp
from tilewright.gradient.reverse import GRADIENTS, REGION_GRADIENTS
from tilewright.support.diagnostics import NoGradient

from ..ops.case import Array
from ..sweeps import sampled
from .differences import assert_gradients
from .rows import (
    DIFFERENTIABLE,
    DTYPES,
    FLOAT_CASES,
    ROWS,
    Row,
    argument_dtypes,
    computed,
    program,
    values,
)

WITHOUT_ROWS = {
    "results are no floats": "is_nan_* eq_* lt_* le_* cast_i32 bitcast* non_zero_* nms_*",
    "results are integers or have 8 bits": "quantize_*",
    "a product of bytes: units and sums are f32": "split_digits digit_matmul",
}
"""The float cases without a float result in f64, by reason."""


def test_every_float_case_has_a_row_or_a_reason() -> None:
    names = {row.case.name for row in ROWS}
    patterns = [p for each in WITHOUT_ROWS.values() for p in each.split()]
    for case in FLOAT_CASES:
        has_reason = any(fnmatchcase(case.name, pattern) for pattern in patterns)
        assert (case.name in names) != has_reason, case.name


@pytest.mark.parametrize("row", sampled(ROWS, lambda row: row.name, one_in=4))
def test_gradient(row: Row) -> None:
    module = program(row.case, "f64")
    if row.refusal is not None:
        with pytest.raises(NoGradient, match=row.refusal):
            row.differentiated(module)
        return
    made = row.differentiated(module)
    arrays = values(row.case, module)
    y = computed(module, arrays)[row.result]
    head = row.head(module, y)
    found = computed(made, [*arrays, head])
    if isinstance(row.op, StopGradientOp):
        assert not found[0].any()
        return
    assert np.isfinite(y).all()
    gradients: list[Array | None] = [None] * len(arrays)
    numbers = [n for n, dtype in enumerate(argument_dtypes(module)) if dtype in DTYPES]
    for number, gradient in zip(numbers, found, strict=True):
        gradients[number] = gradient
    assert_gradients(
        lambda *a: computed(module, a)[row.result], arrays, gradients, head, tolerance=1e-5
    )
    if type(row.op) in GRADIENTS:
        derived = computed(row.differentiated(module, derives=True), [*arrays, head])
        for rule, te in zip(found, derived, strict=True):
            np.testing.assert_allclose(rule, te, rtol=1e-9, atol=1e-9)


@pytest.mark.one_in(8)
@pytest.mark.parametrize("row", DIFFERENTIABLE, ids=lambda row: row.name)
def test_gradient_equals_that_of_torch(row: Row) -> None:
    """Torch computes the result and the gradients in f64; both agree to 1e-9 of the largest."""
    import torch

    from .torch_ops import TORCH

    function = TORCH.get(type(row.op))
    if function is None:
        pytest.skip("torch has no such operator")
    module = program(row.case, "f64")
    made = row.differentiated(module)
    arrays = values(row.case, module)
    y = computed(module, arrays)[row.result]
    head = row.head(module, y)
    # torch has no integers of 4 bits.
    tensors = [torch.tensor(a.astype(np.int8) if a.dtype.kind == "V" else a) for a in arrays]
    variables = [x.requires_grad_() for x in tensors if x.is_floating_point()]
    results = function(row.op, *tensors)
    result = results[row.result] if isinstance(results, tuple) else results
    expected = tuple(torch.zeros_like(x) for x in variables)
    if result.requires_grad:
        seeds = torch.from_numpy(head)
        expected = torch.autograd.grad(
            result, variables, seeds, allow_unused=True, materialize_grads=True
        )
    pairs = zip([y, *computed(made, [*arrays, head])], [result, *expected], strict=True)
    for got, tensor in pairs:
        want = tensor.detach().numpy()
        scale = max(1.0, float(np.abs(want).max(initial=0)))
        np.testing.assert_allclose(got, want, rtol=0, atol=1e-9 * scale)


def test_every_rule_has_a_case() -> None:
    ops = {type(op) for row in ROWS for op in row.case.function()[1].body.block.ops}
    missing = (GRADIENTS.keys() | REGION_GRADIENTS.keys()) - ops
    assert not missing
