"""Partial results of a reduction whose length is known only at run time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright import te
from tilewright.support.diagnostics import ScheduleError


def total() -> tuple[Any, list[Any]]:
    n = te.var("n")
    x = te.placeholder((3, n), name="X")
    k = te.reduce_axis((0, n), name="k")
    y = te.compute((3,), lambda i: te.sum(x[i, k], axis=k), name="Y")
    return te.create_schedule(y.op), [x, y]


def test_a_second_leaf_reduces_what_the_factor_leaves() -> None:
    s, (x, y) = total()
    s[y].rfactor(y.op.reduce_axis[0], 4)
    module = tilewright.build(s, [x, y], cache=False)
    for length in (1, 3, 4, 5, 8, 21):
        values = np.arange(3 * length, dtype=np.float32).reshape(3, length)
        np.testing.assert_array_equal(np.asarray(module(values)), values.sum(1))


def test_a_multiple_of_the_factor_needs_no_second_leaf() -> None:
    n = te.var("n")
    x = te.placeholder((3, 8 * n), name="X")
    k = te.reduce_axis((0, 8 * n), name="k")
    y = te.compute((3,), lambda i: te.sum(x[i, k], axis=k), name="Y")
    s = te.create_schedule(y.op)
    s[y].rfactor(k, 4)
    assert len(s.kernel_of("Y_rf").made.computes("Y_rf")) == 1
    module = tilewright.build(s, [x, y], cache=False)
    for length in (0, 1, 5):
        values = np.arange(24 * length, dtype=np.float32).reshape(3, 8 * length)
        np.testing.assert_array_equal(np.asarray(module(values)), values.sum(1))


@pytest.mark.parametrize("options", [{}, {"factor": 4, "part": "outer"}], ids=["whole", "outer"])
def test_other_parts_have_no_number(options: dict[str, Any]) -> None:
    s, (_, y) = total()
    with pytest.raises(ScheduleError, match="axis k of @Y has a symbolic extent, n"):
        s[y].rfactor(y.op.reduce_axis[0], **options)
