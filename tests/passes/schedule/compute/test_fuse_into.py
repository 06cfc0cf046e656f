"""sched.fuse_into and peel: producers inside loops, borders, computes that must stay outside."""

from __future__ import annotations

import pytest

from tilewright.dialects.loop import AllocOp
from tilewright.support.diagnostics import ScheduleError

from ..kernels import Scheduled, assert_same_results, blurs, conv_chain, schedule, softmax

ROWS = "%d0 = sched.match {{name = dv}}\n%d, %i = sched.tile %d0 {{i = {0}}}\n"
FUSE = "%{0}0 = sched.match {{name = {0}}}\n%{0} = sched.fuse_into %{0}0, %i\n"


def local_shapes(done: Scheduled) -> list[tuple[int, ...]]:
    return [op.res.type.get_shape() for op in done.kernel.walk() if isinstance(op, AllocOp)]


@pytest.mark.parametrize("rows", [1, 3, 4, 12])
def test_a_chain_into_a_row_loop(rows: int) -> None:
    script = ROWS.format(rows) + "".join(FUSE.format(n) for n in ("sm", "ex", "mx"))
    done = assert_same_results(softmax(12, 9), script, rtol=1e-6)
    assert local_shapes(done)[:3] == [(rows,), (rows, 9), (rows,)]


def test_a_producer_read_elsewhere_keeps_its_buffer() -> None:
    script = "%s0 = sched.match {name = sm}\n%s, %i = sched.tile %s0 {i = 5}\n" + FUSE.format("ex")
    done = assert_same_results(softmax(12, 9), script, rtol=1e-6)
    assert sorted(local_shapes(done)) == [(12,), (12,), (12, 9)]


def test_a_part_of_what_others_need_is_refused() -> None:
    script = (
        "%s0 = sched.match {name = sm}\n%s, %i0 = sched.tile %s0 {i = 3}\n"
        "%i1 = sched.peel %i0 {front = 1}\n"
    )
    assert_same_results(softmax(12, 9), script, rtol=1e-6)
    late = "%e0 = sched.match {name = ex}\n%e, %i = sched.tile %e0 {i = 5}\n" + FUSE.format("mx")
    assert_same_results(softmax(12, 9), late, rtol=1e-6)
    early = "%x0 = sched.match {name = mx}\n%x, %i = sched.tile %x0 {i = 5}\n" + FUSE.format("ex")
    with pytest.raises(ScheduleError, match="@ex is not before the loop"):
        schedule(softmax(12, 9), early)


def test_readers_before_the_loop_are_refused() -> None:
    with pytest.raises(ScheduleError, match="@sm reads @ex before the loop"):
        schedule(softmax(12, 9), ROWS.format(3) + FUSE.format("ex"))


def test_an_unread_producer_is_refused() -> None:
    with pytest.raises(ScheduleError, match="nothing in the loop reads @mx"):
        schedule(softmax(12, 9), ROWS.format(3) + FUSE.format("mx"))


def test_an_empty_loop_handle_is_refused() -> None:
    with pytest.raises(ScheduleError, match="the loop handle is empty"):
        schedule(
            softmax(12, 9),
            "%s0 = sched.match {name = sm}\n%s, %i = sched.split_reduction %s0 {j = 5}\n"
            + FUSE.format("ex"),
        )


def test_a_tiled_producer_is_refused() -> None:
    script = ROWS.format(3) + (
        "%s0 = sched.match {name = sm}\n%s, %k = sched.tile %s0 {i = 5}\n"
        "%f = sched.fuse_into %s, %i"
    )
    with pytest.raises(ScheduleError, match="@sm is not before the loop"):
        schedule(softmax(12, 9), script)


CONV = (
    "%r0 = sched.match {{name = relu}}\n%r, %h, %w = sched.tile %r0 {{h = {0}, w = {1}}}\n"
    "%c0 = sched.match {{name = conv}}\n%c = sched.fuse_into %c0, {2}\n"
    "%x0 = sched.match {{name = double}}\n%x{4} = sched.fuse_into %x0, {2}{3}\n"
)


@pytest.mark.parametrize("loop", ["%h", "%w"])
@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("pad", [0, 1, 2])
def test_halo(loop: str, stride: int, pad: int) -> None:
    script = CONV.format(2, 3, loop, " {halo = 1}", ", %border")
    done = assert_same_results(conv_chain(9, 10, stride, pad), script)
    assert all(a.pad is None for op in done.computes("conv") for a in op.view().inputs)
    assert bool(done.computes("double_fill")) == (pad > 0)


BLURS = (
    "%b0 = sched.match {{name = second}}\n%b, %h, %w = sched.tile %b0 {{h = {0}, w = {1}}}\n"
    "%f0 = sched.match {{name = first}}\n%f, %f_border = sched.fuse_into %f0, {2} {{halo = 1}}\n"
    "%d0 = sched.match {{name = double}}\n%d, %d_border = sched.fuse_into %d0, {2} {{halo = 1}}\n"
)


@pytest.mark.parametrize("loop", ["%h", "%w"])
@pytest.mark.parametrize("pad", [0.0, 5.0])
def test_a_chain_of_halos(loop: str, pad: float) -> None:
    done = assert_same_results(blurs(12, 10, pad), BLURS.format(4, 5, loop))
    assert (8, 12 if loop == "%h" else 9) in local_shapes(done)


def test_different_pad_values_are_refused() -> None:
    read = "%u[h + r - 1, w + s - 1] pad {0} : memref<8x8xf32>"
    text = blurs(8, 8).replace(
        "%u[h + r - 1, w + s - 1] pad 0.0 : memref<8x8xf32>",
        f"{read.format('0.0')}, {read.format('1.0')}",
    )
    head, tail = text.split("@second")
    text = head + "@second" + tail.replace("body(%x: f32)", "body(%x: f32, %y: f32)")
    script = BLURS.format(4, 5, "%h")
    with pytest.raises(ScheduleError, match="@first is read with different pad values"):
        schedule(text, script)


def test_an_unpadded_read_needs_no_fill() -> None:
    assert_same_results(conv_chain(9, 10, 1, 0), CONV.format(3, 4, "%w", "", ""))


def test_a_border_without_a_halo_is_refused() -> None:
    with pytest.raises(ScheduleError) as err:
        schedule(conv_chain(9, 10, 1, 1), CONV.format(2, 3, "%h", "", ""))
    assert str(err.value) == (
        "sched.fuse_into in @k: "
        "the part of @double that @conv reads leaves its domain along axis h\n"
        "    expected: 0..8\n"
        "    got: -1..8\n"
        "    hint: give halo = 1, or peel the loop"
    )


@pytest.mark.parametrize("pad", [1, 2])
def test_peeled_loops_need_no_halo(pad: int) -> None:
    script = (
        "%r0 = sched.match {name = relu}\n%r, %h0 = sched.tile %r0 {h = 2}\n"
        "%h = sched.peel %h0 {front = 1, back = 1}\n"
        "%c0 = sched.match {name = conv}\n%c = sched.fuse_into %c0, %h\n"
        "%x0 = sched.match {name = double}\n%x = sched.fuse_into %x0, %h"
    )
    done = assert_same_results(conv_chain(10, 6, 1, pad), script)
    assert not done.computes("double_fill")


def test_two_readers_share_the_slice() -> None:
    text = conv_chain(8, 8, 1, 1, channels=4)
    text = text.replace("ins(%y[o, h, w] :", "ins(%t[o, h, w] : memref<4x8x8xf32>, %y[o, h, w] :")
    text = text.replace("body(%x: f32) {\n      %z", "body(%u: f32, %x: f32) {\n      %z")
    text = text.replace("maximumf %x, %z", "addf %x, %u")
    for loop in ("%h", "%w"):
        assert_same_results(text, CONV.format(3, 4, loop, " {halo = 1}", ", %border"))


def test_a_producer_with_two_outputs() -> None:
    x = "memref<12x9xf32>"
    text = f"""
te.kernel @k(%X: {x}, %Y: {x}) {{
  %a = loop.alloc "local" : {x}
  %b = loop.alloc "local" : memref<9x12xf32>
  te.compute @two [i: 12, j: 9]
    ins(%X[i, j] : {x}) outs(%a[i, j] : {x}, %b[j, i] : memref<9x12xf32>)
    body(%x: f32) {{
      %p = arith.mulf %x, %x : f32
      te.yield %p, %x : f32, f32
    }}
  te.compute @add [i: 12, j: 9]
    ins(%a[i, j] : {x}, %b[-j + 8, -i + 11] : memref<9x12xf32>) outs(%Y[i, j] : {x})
    body(%x: f32, %y: f32) {{
      %p = arith.addf %x, %y : f32
      te.yield %p : f32
    }}
  te.return
}}"""
    script = "%d0 = sched.match {name = add}\n%d, %i = sched.tile %d0 {i = 4}\n"
    # A producer whose reads move apart is stored whole.
    done = assert_same_results(text, script + FUSE.format("two"))
    assert sorted(local_shapes(done)) == [(9, 12), (12, 9)]
    text = text.replace("-i + 11", "i")
    done = assert_same_results(text, script + FUSE.format("two"))
    assert sorted(local_shapes(done)) == [(4, 9), (9, 4)]


def test_handles_of_leaves_follow_peeling() -> None:
    done = assert_same_results(
        softmax(12, 9),
        ROWS.format(2) + "%p = sched.peel %i {front = 1, back = 2}\n"
        "%v = sched.vectorize %d {axis = j, lanes = 4}",
        rtol=1e-6,
    )
    leaves = done.computes("dv")
    assert len(leaves) == 4
    assert all(op.view().tile for op in leaves)


def test_peel_needs_iterations() -> None:
    with pytest.raises(ScheduleError, match="front or back of at least 1"):
        schedule(softmax(12, 9), ROWS.format(2) + "%p = sched.peel %i")
