"""The gradient of every float op case: by differences in f64, and each rule against the te form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp, f64

from tilewright.dialects.graph import StopGradientOp
from tilewright.dialects.shape import type_of
from tilewright.gradient.graph_gradient import append_gradients
from tilewright.gradient.reverse import GRADIENTS, REGION_GRADIENTS
from tilewright.interp.program import interpret
from tilewright.support.diagnostics import NoGradient, TilewrightError
from tilewright.support.entry import entry_of

from ..ops.case import OpCase
from ..ops.cases import CASES
from ..sweeps import sampled
from .differences import Array, assert_gradients

REFUSED = {
    "det": "te.loops updates its elements in place",
    "loop": "without a constant limit",
    "while": "data-dependent size",
    "unique": "data-dependent size",
    "nonzero": "data-dependent size",
    "compress": "data-dependent size",
}
"""Ops without a gradient, with a part of the reason."""


def in_f64(case: OpCase) -> ModuleOp | None:
    """Return the program of a case in f64; None if it has no float input or result there."""
    inputs = tuple(replace(i, dtype="float64") if i.dtype == "float32" else i for i in case.inputs)
    if all(i.dtype != "float64" for i in inputs):
        return None
    try:
        module, main = replace(case, inputs=inputs).function()
        module.verify()
    except TilewrightError:
        return None  # The case has constants in f32.
    results = [type_of(r).element_type for r in main.body.block.last_op.operands]
    return module if results[0] == f64 else None


def differentiated(module: ModuleOp, *, derives: bool = False) -> tuple[ModuleOp, list[int]]:
    made = module.clone()
    main = entry_of(made)
    wrt = [n for n, a in enumerate(main.args) if type_of(a).element_type == f64]
    append_gradients(main, wrt, takes_head=True, derives=derives)
    made.verify()
    return made, wrt


def values(case: OpCase, module: ModuleOp) -> list[Array]:
    """Return operands in f64, without ties and steps at the points of the case."""
    rng = np.random.default_rng(5)
    types = [type_of(a).element_type for a in entry_of(module).args]
    arrays: Sequence[Array] = case.arrays(3)
    return [
        a.astype(np.float64) + 1e-3 * rng.standard_normal(a.shape) if t == f64 else a
        for a, t in zip(arrays, types, strict=True)
    ]


FLOATS = [case for case in CASES if any(i.dtype == "float32" for i in case.inputs)]


@pytest.mark.parametrize("case", sampled(FLOATS, lambda case: case.name, one_in=2))
def test_gradient(case: OpCase) -> None:
    module = in_f64(case)
    if module is None:
        pytest.skip("not a function of f64")
    op = list(entry_of(module).body.block.ops)[-2]
    reason = REFUSED.get(op.name.removeprefix("graph."))
    if reason is not None:
        with pytest.raises(NoGradient, match=reason):
            differentiated(module)
        return
    made, wrt = differentiated(module)
    arrays = values(case, module)
    (y, *_) = interpret(module, arrays)
    if isinstance(op, StopGradientOp):
        assert not interpret(made, [*arrays, y])[-1].any()
        return
    if not np.all(np.isfinite(y)):
        pytest.skip("the function is not finite here")
    head = np.random.default_rng(1).uniform(0.5, 1.5, y.shape)
    found = interpret(made, [*arrays, head])[-len(wrt) :]
    gradients: list[Array | None] = [None] * len(arrays)
    for number, gradient in zip(wrt, found, strict=True):
        gradients[number] = gradient
    assert_gradients(
        lambda *a: interpret(module, list(a))[0], arrays, gradients, head, tolerance=1e-5
    )
    if type(op) in GRADIENTS:
        derived, _ = differentiated(module, derives=True)
        for rule, te in zip(found, interpret(derived, [*arrays, head])[-len(wrt) :], strict=True):
            np.testing.assert_allclose(rule, te, rtol=1e-9, atol=1e-9)


def test_every_rule_has_a_case() -> None:
    made = filter(None, (in_f64(case) for case in FLOATS))
    ops = {type(op) for module in made for op in entry_of(module).body.block.ops}
    missing = (GRADIENTS.keys() | REGION_GRADIENTS.keys()) - ops
    # test_graph_gradient.py has a cast.
    assert {op.__name__ for op in missing} <= {"CastOp"}
