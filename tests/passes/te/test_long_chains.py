"""Chains of thousands of computes: grouping costs the same per compute, and numbers are right."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

import tilewright
from tilewright import te
from tilewright.dialects.te.compute import ComputeOp
from tilewright.frontend.te.program import make_program, signature_of
from tilewright.passes.te.outline import MOST_MEMBERS, group_computes


def _chain(length: int) -> tuple[te.Tensor, te.Tensor]:
    """Return the input and the output of alternating row sums and elementwise computes."""
    first = x = te.placeholder((4, 4), name="A")
    for number in range(length):
        k = te.reduce_axis((0, 4), name="k")
        weight = 1.0 + number % 5

        def summed(i: Any, j: Any, x: Any = x, k: Any = k, weight: float = weight) -> Any:
            return te.sum(x[i, k], axis=k) * 0.25 + j * weight

        def halved(i: Any, j: Any, x: Any = x) -> Any:
            return x[i, j] * 0.5 + 1.0

        x = te.compute((4, 4), halved if number % 2 else summed, name=f"x{number}")
    return first, x


def _expected(a: np.ndarray[Any, Any], length: int) -> np.ndarray[Any, Any]:
    for number in range(length):
        columns = np.arange(4) * (1.0 + number % 5)
        mean = np.broadcast_to(a.sum(1, keepdims=True) * 0.25, (4, 4))
        a = a * 0.5 + 1.0 if number % 2 else mean + columns
    return a


@pytest.fixture
def views(monkeypatch: pytest.MonkeyPatch) -> list[ComputeOp]:
    """The computes whose views are decoded, once per decoding."""
    found: list[ComputeOp] = []
    decode = ComputeOp.view

    def view(op: ComputeOp) -> Any:
        found.append(op)
        return decode(op)

    monkeypatch.setattr(ComputeOp, "view", view)
    return found


def test_the_cost_of_groups_grows_with_the_number_of_computes(views: list[ComputeOp]) -> None:
    counts: list[int] = []
    for length in (100, 400):
        _, out = _chain(length)
        module = make_program(signature_of([out], None), "main")
        main = next(op for op in module.ops if isinstance(op, FuncOp))
        views.clear()
        groups = group_computes(main.body.block, 256 * 1024)
        counts.append(len(views))
        assert max(map(len, groups)) == MOST_MEMBERS
        ops = [op for op in main.body.block.ops if isinstance(op, ComputeOp)]
        assert [op for group in groups for op in group] == ops
    assert counts[1] < 5 * counts[0]


def _is_right(length: int) -> None:
    first, out = _chain(length)
    mod: Any = tilewright.build([first, out], strict_plan=True)
    a = np.linspace(-1, 1, 16, dtype=np.float32).reshape(4, 4)
    np.testing.assert_allclose(mod(a), _expected(a, length), rtol=1e-5)


def test_a_chain_longer_than_kernels_is_right() -> None:
    _is_right(2 * MOST_MEMBERS + 5)


@pytest.mark.nightly
def test_a_chain_of_5000_computes_is_right() -> None:
    _is_right(5000)
