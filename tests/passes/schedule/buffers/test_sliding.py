"""sched.rolling_buffer and double_buffer: data passed between iterations of a loop."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import MemRefType

from tilewright.dialects.loop import AllocOp
from tilewright.support.diagnostics import ScheduleError

from ..kernels import Scheduled, assert_same_loops, blurs, conv_chain, matmul, schedule, window

SLIDE = (
    "%d = sched.match {{name = down}}\n%a = sched.match {{name = across}}\n"
    "%t, %i = sched.tile %d {{h = {rows}}}\n%f = sched.fuse_into %a, %i\n"
    "%r = sched.rolling_buffer %f\n"
)


def work(done: Scheduled, name: str) -> int:
    """Return the number of points of the computes with a name, over all iterations of loops."""
    total = 0
    for op in done.computes(name):
        points = 1
        for extent in op.view().axes.values():
            points *= extent
        parent = op.parent_op()
        while parent is not done.kernel:
            low, high = parent.static_bounds
            points *= high - low
            parent = parent.parent_op()
        total += points
    return total


@pytest.mark.parametrize("rows", [1, 2, 3])
@pytest.mark.parametrize("stride", [1, 2])
def test_only_new_rows_are_computed(rows: int, stride: int) -> None:
    text = window(12, 5, taps=4, stride=stride)
    done = assert_same_loops(text, SLIDE.format(rows=rows))
    assert work(done, "across") == work(
        schedule(text, "%a = sched.match {name = across}"), "across"
    )


def test_a_remainder_starts_anew() -> None:
    done = assert_same_loops(window(11, 5, dtype="i32"), SLIDE.format(rows=2))
    assert len(done.computes("across")) == 3


def test_a_pipeline_with_borders() -> None:
    script = (
        "%s = sched.match {name = second}\n%t, %i = sched.tile %s {h = 2}\n"
        "%f = sched.match {name = first}\n%g, %g_border = sched.fuse_into %f, %i {halo = 1}\n"
        "%d = sched.match {name = double}\n%e, %e_border = sched.fuse_into %d, %i {halo = 1}\n"
        "%q = sched.rolling_buffer %e\n%r = sched.rolling_buffer %g"
    )
    for rows in (8, 9, 13):
        assert_same_loops(blurs(rows, 6), script)


def test_a_window_in_an_inner_loop_of_parallel_ones() -> None:
    script = (
        "%d = sched.match {name = down}\n%a = sched.match {name = across}\n"
        "%t, %o = sched.tile %d {h = 6}\n%p = sched.parallel %o\n%u, %i = sched.tile %t {h = 1}\n"
        "%f = sched.fuse_into %a, %i\n%r = sched.rolling_buffer %f"
    )
    assert_same_loops(window(13, 4), script)


def test_a_compute_between_two_windows() -> None:
    script = (
        "%r0 = sched.match {name = relu}\n%r, %i = sched.tile %r0 {h = 1}\n"
        "%c0 = sched.match {name = conv}\n%c = sched.fuse_into %c0, %i\n"
        "%x0 = sched.match {name = double}\n%x, %x_border = sched.fuse_into %x0, %i {halo = 1}\n"
        "%w = sched.rolling_buffer %x\n%s, %k = sched.split_reduction %c {c = 2}"
    )
    assert_same_loops(conv_chain(7, 6, 1, 1), script)


def test_a_rolling_buffer_is_not_filled_in_parallel() -> None:
    with pytest.raises(ScheduleError, match="write the same elements of %t"):
        schedule(window(12, 4), SLIDE.format(rows=1) + "%p = sched.parallel %i")


COPY = (
    "%c = sched.match {{name = mm}}\n%t, %i = sched.tile %c {{m = {rows}}}\n"
    "%a, %r = sched.cache_read %t {{operand = 0}}\n%f = sched.fuse_into %a, %i\n"
    "%d = sched.double_buffer %f\n"
)


@pytest.mark.parametrize("rows", [1, 4, 5])
def test_the_next_rows_are_copied_while_these_are_used(rows: int) -> None:
    done = assert_same_loops(matmul(11, 4, 6), COPY.format(rows=rows))
    alloc = next(op for op in done.kernel.walk() if isinstance(op, AllocOp))
    assert isinstance(alloc.res.type, MemRefType)
    assert alloc.res.type.get_shape() == (2, rows, 6)


def test_a_filled_border_is_doubled_too() -> None:
    script = (
        "%s = sched.match {name = second}\n%t, %i = sched.tile %s {h = 2}\n"
        "%f = sched.match {name = first}\n%g, %g_border = sched.fuse_into %f, %i {halo = 1}\n"
        "%b = sched.double_buffer %g"
    )
    done = assert_same_loops(blurs(8, 6), script)
    assert len(done.computes("first")) == 2
    body = done.kernel.body.block
    before = [op for op in done.computes("first_fill") if op.parent_block() is body]
    assert len(before) == 3, "the first tile has no border below"
    assert len(done.computes("first_fill")) == len(before) + 4
