"""Gradients of every float op case in f64: by differences, te definitions and torch."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
import pytest

from tilewright.dialects.graph import StopGradientOp
from tilewright.gradient.graph_gradient import append_gradients
from tilewright.gradient.reverse import GRADIENTS, REGION_GRADIENTS
from tilewright.support.diagnostics import NoGradient
from tilewright.support.entry import entry_of

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


def of_torch(row: Row, arrays: Sequence[Array]) -> tuple[Any, list[Any]]:
    """Return the result of a row by torch, and its variables; skip an operator torch lacks."""
    import torch

    from .torch_ops import TORCH

    function = TORCH.get(type(row.op))
    if function is None:
        pytest.skip("torch has no such operator")
    # torch has no integers of 4 bits.
    tensors = [torch.tensor(a.astype(np.int8) if a.dtype.kind == "V" else a) for a in arrays]
    variables = [x.requires_grad_() for x in tensors if x.is_floating_point()]
    results = function(row.op, *tensors)
    return (results[row.result] if isinstance(results, tuple) else results), variables


def torch_gradients(result: Any, variables: list[Any], head: Array, *, again: bool) -> list[Any]:
    """Return torch's gradients; ``again``: whether they will be differentiated, too."""
    import torch

    if not result.requires_grad:
        return [torch.zeros_like(x) for x in variables]
    made = torch.autograd.grad(
        result,
        variables,
        torch.from_numpy(head),
        allow_unused=True,
        materialize_grads=True,
        create_graph=again,
        retain_graph=True,
    )
    return list(made)


def assert_equal(found: Sequence[Array], wanted: Sequence[Any], bound: float) -> None:
    """Compare arrays with torch's tensors, within a part of the largest element of each."""
    for got, tensor in zip(found, wanted, strict=True):
        want = tensor.detach().numpy(force=True)
        scale = max(1.0, float(np.abs(want).max(initial=0)))
        np.testing.assert_allclose(got, want, rtol=0, atol=bound * scale)


@pytest.mark.one_in(8)
@pytest.mark.parametrize("row", DIFFERENTIABLE, ids=lambda row: row.name)
def test_gradient_equals_that_of_torch(row: Row) -> None:
    """Torch computes the result and the gradients in f64; both agree to 1e-9 of the largest."""
    module = program(row.case, "f64")
    arrays = values(row.case, module)
    result, variables = of_torch(row, arrays)
    y = computed(module, arrays)[row.result]
    head = row.head(module, y)
    found = computed(row.differentiated(module), [*arrays, head])
    wanted = torch_gradients(result, variables, head, again=False)
    assert_equal([y, *found], [result, *wanted], 1e-9)


@pytest.mark.one_in(24)
@pytest.mark.parametrize("row", DIFFERENTIABLE, ids=lambda row: row.name)
def test_second_derivatives_equal_those_of_torch(row: Row) -> None:
    """The gradients of each gradient, with random cotangents, agree to 1e-8 of the largest."""
    module = program(row.case, "f64")
    arrays = values(row.case, module)
    result, variables = of_torch(row, arrays)
    head = row.head(module, computed(module, arrays)[row.result])
    wrt = [n for n, dtype in enumerate(argument_dtypes(module)) if dtype in DTYPES]
    rng = np.random.default_rng(9)
    for number, gradient in enumerate(torch_gradients(result, variables, head, again=True)):
        seed = rng.uniform(0.5, 1.5, gradient.shape)
        made = row.differentiated(module)
        append_gradients(entry_of(made), wrt, result=number, takes_head=True)
        found = computed(made, [*arrays, head, seed])[len(wrt) :]
        assert_equal(found, torch_gradients(gradient, variables, seed, again=False), 1e-8)


def test_every_rule_has_a_case() -> None:
    ops = {type(op) for row in ROWS for op in row.case.function()[1].body.block.ops}
    missing = (GRADIENTS.keys() | REGION_GRADIENTS.keys()) - ops
    assert not missing
