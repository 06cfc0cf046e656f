"""Running sums and similar scans are one compute; other recurrences are loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright import te
from tilewright.dialects.te.compute import ComputeOp

STEPS, WIDTH = 21, 37
Step = Callable[[te.Scalar, te.Scalar], Any]


def running(step: Step, dtype: str, init: float | None = None) -> tuple[te.Tensor, te.Tensor]:
    """Return X, and the scan whose step takes the previous state and an element of X."""
    x = te.placeholder((STEPS, WIDTH), dtype, name="X")
    s = te.state((STEPS, WIDTH), dtype, name="s")
    first = te.compute(
        (1, WIDTH), lambda t, i: x[0, i] if init is None else te.const(init, dtype), name="first"
    )
    update = te.compute((STEPS, WIDTH), lambda t, i: step(s[t - 1, i], x[t, i]), name="update")
    return x, te.scan(first, update, s, name="S")


CASES: dict[str, tuple[Step, Any]] = {
    "sum": (lambda s, x: s + x, np.add),
    "sum, the state last": (lambda s, x: x * 1 + s, np.add),
    "product": (lambda s, x: s * x, np.multiply),
    "largest": (te.maximum, np.maximum),
    "smallest": (te.minimum, np.minimum),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "uint32", "int64"])
def test_running_combinations(case: str, dtype: str) -> None:
    step, function = CASES[case]
    x, scanned = running(step, dtype)
    assert isinstance(scanned.op.ir, ComputeOp)
    assert scanned.op.ir.view().scan == "t"
    rng = np.random.default_rng(0)
    data = rng.integers(0 if dtype == "uint32" else -2, 3, x.shape).astype(dtype)
    if dtype.startswith("float") and "est" in case:
        data[5, 3], data[0, 7] = np.nan, -0.0
    got = np.asarray(tilewright.build([scanned])(data))
    np.testing.assert_array_equal(got, function.accumulate(data, 0, dtype=dtype))


def test_the_init_is_kept_as_it_is() -> None:
    x, scanned = running(lambda s, x: s + x, "float32", init=-0.0)
    assert isinstance(scanned.op.ir, ComputeOp)
    data = np.random.default_rng(0).standard_normal(x.shape).astype("f4")
    got = np.asarray(tilewright.build([scanned])(data))
    assert np.signbit(got[0]).all()
    data[0] = 0
    np.testing.assert_allclose(got, np.cumsum(data, 0), rtol=1e-4, atol=1e-5)


def _halved(s: te.Scalar, x: te.Scalar) -> Any:
    return s * 0.5 + x


@pytest.mark.parametrize(("step", "dtype"), [(_halved, "float32"), (lambda s, x: s + x, "float16")])
def test_what_does_more_stays_a_loop(step: Step, dtype: str) -> None:
    x, scanned = running(step, dtype)
    assert "packed.loop" in tilewright.build([scanned]).get_source("te")
    data = (np.random.default_rng(0).integers(-4, 5, x.shape) / 4).astype(dtype)
    rows = [data[0]]
    for row in data[1:]:
        rows.append((rows[-1] * np.asarray(0.5, dtype) if step is _halved else rows[-1]) + row)
    np.testing.assert_array_equal(np.asarray(tilewright.build([scanned])(data)), np.stack(rows))


def test_a_step_that_looks_elsewhere_stays_a_loop() -> None:
    x = te.placeholder((5, 6), name="X")
    s = te.state((5, 6), name="s")
    first = te.compute((1, 6), lambda t, i: x[0, i], name="first")
    update = te.compute((5, 6), lambda t, i: s[t - 1, 5 - i] + x[t, i], name="update")
    data = np.random.default_rng(0).integers(-4, 5, (5, 6)).astype("f4")
    rows = [data[0]]
    for row in data[1:]:
        rows.append(rows[-1][::-1] + row)
    scanned = te.scan(first, update, s)
    np.testing.assert_array_equal(np.asarray(tilewright.build([scanned])(data)), np.stack(rows))


def test_the_step_is_the_stage_of_a_running_sum() -> None:
    x, scanned = running(lambda s, x: s + x, "float32")
    state = te.state((STEPS, WIDTH), name="s")
    first = te.compute((1, WIDTH), lambda t, i: x[0, i])
    update = te.compute((STEPS, WIDTH), lambda t, i: state[t - 1, i] + x[t, i])
    scanned = te.scan(first, update, state)
    s = te.create_schedule(scanned.op, validate=True)
    _, columns = s[update].split(update.op.axis[1], factor=16)
    s[update].vectorize(columns)
    data = np.random.default_rng(0).integers(-4, 5, x.shape).astype("f4")
    np.testing.assert_array_equal(np.asarray(tilewright.build(s)(data)), np.cumsum(data, 0))
