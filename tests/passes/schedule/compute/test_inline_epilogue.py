"""sched.inline and fuse_epilogue: elementwise computes join their neighbours."""

from __future__ import annotations

import pytest

from tilewright.dialects.loop import AllocOp
from tilewright.support.diagnostics import ScheduleError

from ..kernels import assert_same_results, conv_chain, matmul, schedule, softmax

INLINE = (
    "%p = sched.match {{name = {0}}}\n%c = sched.match {{name = {1}}}\n%f = sched.inline %p, %c"
)
EPILOGUE = INLINE.replace("sched.inline", "sched.fuse_epilogue")


def test_inline_removes_the_producer() -> None:
    done = assert_same_results(conv_chain(6, 7, 1, 0), INLINE.format("double", "conv"))
    assert [op.label for op in done.computes()] == ["conv", "relu"]
    assert sum(isinstance(op, AllocOp) for op in done.kernel.walk()) == 1


def test_inline_keeps_a_producer_that_others_read() -> None:
    done = assert_same_results(softmax(4, 6), INLINE.format("ex", "sm"), rtol=1e-6)
    assert [op.label for op in done.computes()] == ["mx", "ex", "sm", "dv"]


def test_inline_into_every_leaf() -> None:
    done = assert_same_results(
        conv_chain(6, 7, 1, 0),
        "%c = sched.match {name = conv}\n%t, %i = sched.tile %c {h = 3}\n"
        "%p = sched.match {name = double}\n%f = sched.inline %p, %t\n"
        "%v = sched.vectorize %f {axis = w, lanes = 4, c = 3}",
    )
    assert len(done.computes("conv")) == 2


def test_inline_of_a_padded_read_is_refused() -> None:
    with pytest.raises(ScheduleError) as err:
        schedule(conv_chain(6, 7, 1, 1), INLINE.format("double", "conv"))
    assert str(err.value) == (
        "sched.inline in @k: @conv pads its reads of @double\n    hint: use fuse_into with halo = 1"
    )


@pytest.mark.parametrize(
    ("producer", "consumer", "message"),
    [
        ("mx", "ex", "@mx is not elementwise"),
        ("ex", "mx", "@mx does not read @ex"),
    ],
)
def test_refusals_of_inline(producer: str, consumer: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        schedule(softmax(4, 6), INLINE.format(producer, consumer))


def test_epilogue_becomes_then() -> None:
    done = assert_same_results(conv_chain(6, 7, 1, 1), EPILOGUE.format("conv", "relu"))
    (conv,) = done.computes("conv")
    assert [op.label for op in done.computes()] == ["double", "conv"]
    assert [op.name for op in conv.then.block.ops] == [
        "arith.constant", "arith.maximumf", "te.yield",
    ]  # fmt: skip


def test_inline_into_the_epilogue() -> None:
    text = matmul(5, 6, 4).replace(
        "  te.compute @mm",
        """  %b2 = loop.alloc "local" : memref<6xf32>
  te.compute @double [n: 6]
    ins(%bias[n] : memref<6xf32>) outs(%b2[n] : memref<6xf32>)
    body(%x: f32) {
      %r = arith.addf %x, %x : f32
      te.yield %r : f32
    }
  te.compute @mm""",
    )
    text = text.replace("post(%bias[n]", "post(%b2[n]")
    done = assert_same_results(text, INLINE.format("double", "mm"))
    assert [op.label for op in done.computes()] == ["mm"]


def test_epilogue_inside_a_loop() -> None:
    assert_same_results(
        conv_chain(6, 7, 1, 1),
        "%r0 = sched.match {name = relu}\n%r, %h = sched.tile %r0 {h = 2}\n"
        "%c0 = sched.match {name = conv}\n%c = sched.fuse_into %c0, %h\n"
        "%f = sched.fuse_epilogue %c, %r",
    )


@pytest.mark.parametrize(
    ("producer", "consumer", "message"),
    [
        ("ex", "dv", "@ex is not a reduction with one output"),
        ("mx", "dv", "@dv does not read @mx exactly once"),
        ("mx", "ex", "@ex does not compute the points of @mx"),
        ("sm", "dv", "@dv does not compute the points of @sm"),
    ],
)
def test_refusals_of_epilogue(producer: str, consumer: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        schedule(softmax(4, 6), EPILOGUE.format(producer, consumer))


def test_an_epilogue_in_another_loop_is_refused() -> None:
    with pytest.raises(ScheduleError, match="are in different loops"):
        schedule(
            conv_chain(6, 7, 1, 1),
            "%c = sched.match {name = conv}\n"
            "%r0 = sched.match {name = relu}\n%r, %h = sched.tile %r0 {h = 2}\n"
            "%f = sched.fuse_epilogue %c, %r",
        )
