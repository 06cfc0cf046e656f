"""sched.split_mask: masks by position in computes that run only where a point is masked."""

from __future__ import annotations

import pytest

from tilewright.dialects.loop import ForOp

from ..kernels import Scheduled, assert_same_loops

TYPE = "memref<8x12xf32>"


def masked(body: str) -> str:
    """Return a kernel that stores selected elements; body: from %x, %i and %j to %y."""
    return f"""
te.kernel @k(%X: {TYPE}, %Y: {TYPE}) {{
  te.compute @mask [i: 8, j: 12] ins(%X[i, j] : {TYPE}, index[i], index[j])
    outs(%Y[i, j] : {TYPE})
    body(%x: f32, %i: index, %j: index) {{
      %low = arith.constant -1.0 : f32
      %two = arith.constant 2.0 : f32
      %most = arith.constant 9 : index
      {body}
      te.yield %y : f32
    }}
  te.return
}}
"""


CAUSAL = """%d = arith.mulf %x, %two : f32
      %c = arith.cmpi sle, %j, %i : index
      %y = arith.select %c, %d, %low : f32"""
TWICE = """%c = arith.cmpi sle, %j, %i : index
      %s = arith.select %c, %x, %low : f32
      %e = arith.cmpi slt, %j, %most : index
      %y = arith.select %e, %s, %low : f32"""
TILES = "%m = sched.match {name = mask}\n%t, %i, %j = sched.tile %m {i = 4, j = 4}\n"


def guards(done: Scheduled) -> list[ForOp]:
    """Return the loops of at most one iteration."""
    loops = [op for op in done.kernel.walk() if isinstance(op, ForOp)]
    return [op for op in loops if any(e.is_constant and e.const == 1 for e in op.bounds()[1])]


def test_a_mask_runs_in_the_tiles_that_it_covers() -> None:
    done = assert_same_loops(masked(CAUSAL), TILES + "%s = sched.split_mask %t")
    assert [op.label for op in done.computes()] == ["mask", "mask_mask"]
    plain, last = done.computes()
    assert (len(plain.view().inputs), len(last.view().inputs)) == (3, 3)
    assert len(guards(done)) == 1


def test_each_mask_has_a_compute() -> None:
    done = assert_same_loops(masked(TWICE), TILES + "%s = sched.split_mask %t")
    assert len(done.computes()) == 3
    assert len(guards(done)) == 2


@pytest.mark.parametrize(
    "body",
    ["%y = arith.mulf %x, %two : f32", CAUSAL.replace("%low : f32", "%x : f32")],
    ids=["no mask", "no constant"],
)
def test_other_computes_do_not_change(body: str) -> None:
    done = assert_same_loops(masked(body), TILES + "%s = sched.split_mask %t")
    assert [op.label for op in done.computes()] == ["mask"]


def test_a_mask_that_always_covers_a_point_stays() -> None:
    """Without tiles, positions do not depend on a loop."""
    done = assert_same_loops(
        masked(CAUSAL), "%m = sched.match {name = mask}\n%s = sched.split_mask %m"
    )
    assert [op.label for op in done.computes()] == ["mask"]
