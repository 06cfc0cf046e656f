"""sched.split_scan: a scan by parts, and the combined elements before each part."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tilewright.interp.te import run_kernel
from tilewright.support.diagnostics import ScheduleError

from ..kernels import example_inputs, schedule


def scan(index: str = "j", combiner: str = "add", init: str = "0.0", dtype: str = "f32") -> str:
    """Return a scan along 12 elements of 3 rows; index: the element that is read."""
    memory = f"memref<3x12x{dtype}>"
    return f"""
te.kernel @k(%X: {memory}, %Y: {memory}) {{
  te.compute @c [i: 3, j: 12 scan] ins(%X[i, {index}] : {memory})
    outs(%Y[i, j] {combiner} {init} : {dtype} : {memory}) body(%x: {dtype}) {{
      te.yield %x : {dtype}
    }} then(%x: {dtype}) {{
      %y = arith.addf %x, %x : {dtype}
      te.yield %y : {dtype}
    }}
  te.return
}}
"""


def split(factor: int, name: str = "c") -> str:
    return (
        f"%{name}0 = sched.match {{name = {name}}}\n"
        f"%{name}1, %{name}2, %{name}3 = sched.split_scan %{name}0 "
        f"{{axis = j, factor = {factor}, into = [p, e]}}"
    )


@pytest.mark.parametrize(
    ("index", "combiner", "init", "function"),
    [
        ("j", "add", "0.0", np.cumsum),
        ("j * -1 + 11", "add", "0.0", lambda x, axis: np.cumsum(x[:, ::-1], axis=axis)),
        ("j", "mul", "1.0", np.cumprod),
        ("j", "max", "-99.0", np.maximum.accumulate),
    ],
)
@pytest.mark.parametrize("factor", [4, 12, 1])
def test_parts_give_the_same(
    index: str, combiner: str, init: str, function: Callable[..., np.ndarray], factor: int
) -> None:
    done = schedule(scan(index, combiner, init), split(factor))
    assert [op.label for op in done.computes()] == ["c_sums", "c_before", "c"]
    x, y = example_inputs(done.kernel)
    run_kernel(done.kernel, x, y)
    np.testing.assert_array_equal(y, 2 * function(x, axis=1))


def test_parts_of_parts_give_the_same() -> None:
    again = split(2, "c_before").replace("axis = j", "axis = p").replace("[p, e]", "[q, r]")
    done = schedule(scan(), f"{split(3)}\n{again}")
    x, y = example_inputs(done.kernel)
    run_kernel(done.kernel, x, y)
    np.testing.assert_array_equal(y, 2 * np.cumsum(x, axis=1))


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (split(5), "parts of 5 elements do not divide axis j"),
        (split(4).replace("axis = j", "axis = i"), "axis i of @c is not scanned"),
    ],
)
def test_what_it_refuses(script: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        schedule(scan(), script)
