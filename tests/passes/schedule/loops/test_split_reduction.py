"""sched.split_reduction: first, middle and last leaf."""

from __future__ import annotations

import pytest

from tilewright.dialects.loop import ForOp
from tilewright.support.diagnostics import ScheduleError

from ..kernels import argmax, assert_same_results, matmul, schedule

SPLIT = "%c = sched.match {{name = {0}}}\n%s, %b = sched.split_reduction %c {{{1}}}"


@pytest.mark.parametrize(("size", "leaves"), [(10, 1), (9, 2), (5, 2), (4, 3), (3, 3), (1, 3)])
def test_leaves(size: int, leaves: int) -> None:
    done = assert_same_results(matmul(3, 4, 10), SPLIT.format("mm", f"k = {size}"))
    views = [op.view() for op in done.computes("mm")]
    assert len(views) == leaves
    assert [v.outputs[0].init is not None for v in views] == [True, *[False] * (leaves - 1)]
    assert [len(v.post) for v in views] == [*[0] * (leaves - 1), 1]
    assert [bool(v.then.blocks) for v in views] == [*[False] * (leaves - 1), True]


def test_a_combine_region_stays_in_every_leaf() -> None:
    done = assert_same_results(argmax(5, 20), SPLIT.format("am", "j = 6"))
    assert all(op.combine.blocks for op in done.computes("am"))


def test_a_middle_loop_of_one_trip_disappears() -> None:
    done = schedule(matmul(3, 4, 12), SPLIT.format("mm", "k = 4"))
    assert not [op for op in done.kernel.walk() if isinstance(op, ForOp)]


def test_two_reduced_axes() -> None:
    assert_same_results(
        matmul(3, 4, 24),
        "%c = sched.match {name = mm}\n%d = sched.split_axis %c {k = 4, into = [ko, ki]}\n"
        "%s, %b = sched.split_reduction %d {ko = 2}\n%u, %e = sched.split_reduction %s {ki = 3}",
    )


def test_parallel_axes_are_refused() -> None:
    with pytest.raises(
        ScheduleError, match=r"axis m of @mm is not reduced\n    expected: one of k"
    ):
        schedule(matmul(3, 4, 12), SPLIT.format("mm", "m = 2"))


def test_a_wider_accumulator_is_refused() -> None:
    wide = """
te.kernel @k(%X: memref<8xf16>, %Y: memref<1xf16>) {
  te.compute @sum [o: 1, i: 8 red]
    ins(%X[i] : memref<8xf16>) outs(%Y[o] add 0.0 : f32 : memref<1xf16>)
    body(%x: f16) {
      %w = arith.extf %x : f16 to f32
      te.yield %w : f32
    } then(%v: f32) {
      %n = arith.truncf %v : f32 to f16
      te.yield %n : f16
    }
  te.return
}"""
    with pytest.raises(ScheduleError) as err:
        schedule(wide, SPLIT.format("sum", "i = 4"))
    assert str(err.value) == (
        "sched.split_reduction in @k: @sum accumulates in another type than it stores\n"
        "    expected: f32\n    got: f16\n    hint: keep the reduction in one leaf"
    )
