"""graph-eliminate-transposes removes transposes and keeps the results."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from tilewright.dialects.graph import (
    BroadcastOp,
    CastOp,
    ConcatOp,
    ConstantOp,
    ConvOp,
    MatmulOp,
    PadOp,
    SelectOp,
    SliceOp,
    TransposeOp,
)
from tilewright.passes.graph.eliminate_transposes import EliminateTransposes
from tilewright.passes.graph.simplify import Simplify

from ...sweeps import examples
from .programs import Graph, Sample, check_pass, ops_of, program, programs

TO_NCHW, TO_NHWC = (0, 3, 1, 2), (0, 2, 3, 1)
SHAPE = (2, 3, 4, 5)


def transposes(module: ModuleOp) -> int:
    return Counter(ops_of(module))["transpose"]


def after(module: ModuleOp) -> ModuleOp:
    return check_pass(module, EliminateTransposes())


def test_transposes_around_elementwise_ops_cancel() -> None:
    def body(g: Graph, x: SSAValue, y: SSAValue) -> list[SSAValue]:
        a, b = g.transpose(x, *TO_NCHW), g.transpose(y, *TO_NCHW)
        scaled = g.apply("mul", a, g.per_channel(np.arange(5), a))
        shifted = g.apply("add", scaled, g.constant(np.arange(120).reshape(2, 5, 3, 4)))
        total = g.apply("max", g.apply("add", shifted, b), g.full(0, a))
        chosen = g.add(SelectOp(g.apply("lt", total, a), total, g.apply("neg", b)))
        return [g.transpose(chosen, *TO_NHWC)]

    assert transposes(after(program(body, SHAPE, SHAPE))) == 0


def test_concat_pad_and_slice_turn_their_axes() -> None:
    def body(g: Graph, x: SSAValue, y: SSAValue) -> list[SSAValue]:
        cut = SliceOp(g.transpose(x, *TO_NCHW), (0, 4, 2, 0), (2, 2, 3, 4), (1, -3, -1, 1))
        parts = [g.add(cut), g.transpose(y, *TO_NCHW)]
        joined = g.add(ConcatOp(parts, 1))
        padded = g.add(PadOp(joined, (0, 0, 1, 0), (0, 1, 0, 2), "edge"))
        return [g.transpose(padded, *TO_NHWC)]

    assert ops_of(after(program(body, SHAPE, (2, 3, 4, 1)))) == ["slice", "concat", "pad"]


def test_a_group_with_other_users_moves_only_if_that_saves_transposes() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        y = g.apply("neg", g.transpose(x, *TO_NCHW))
        return [g.transpose(y, *TO_NHWC), y]

    moved = after(program(body, SHAPE))
    assert ops_of(moved) == ["neg", "transpose"]

    def unprofitable(g: Graph, x: SSAValue, y: SSAValue) -> list[SSAValue]:
        return [g.apply("add", g.transpose(x, *TO_NCHW), y)]

    module = program(unprofitable, SHAPE, (2, 5, 3, 4))
    assert ops_of(after(module)) == ops_of(module)


def test_an_input_in_the_other_order_costs_what_it_saves() -> None:
    def body(g: Graph, x: SSAValue, y: SSAValue) -> list[SSAValue]:
        total = g.apply("add", g.transpose(x, *TO_NCHW), y)
        return [g.transpose(total, *TO_NHWC)]

    moved = after(program(body, SHAPE, (2, 5, 3, 4)))
    assert ops_of(moved) == ["transpose", "add"]


def test_a_transpose_within_a_group_is_not_counted_as_saved() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        y = g.apply("neg", g.transpose(x, 1, 0))
        return [g.apply("add", y, g.transpose(y, 1, 0))]

    module = program(body, (3, 3))
    assert ops_of(after(module)) == ops_of(module)


def test_transposes_stop_at_a_convolution() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        w = g.constant(np.ones((5, 5, 1, 1)))
        window = {"strides": (1, 1), "dilations": (1, 1), "pads": (0, 0, 0, 0)}
        out = g.apply("neg", g.add(ConvOp(g.transpose(x, *TO_NCHW), w, **window)))
        return [g.transpose(out, *TO_NHWC)]

    module = program(body, SHAPE)
    assert ops_of(after(module)) == ops_of(module)


@pytest.mark.parametrize("flags", [(False, False), (True, False), (False, True), (True, True)])
def test_transposes_of_matrices_become_flags(flags: tuple[bool, bool]) -> None:
    def body(g: Graph, x: SSAValue, y: SSAValue) -> list[SSAValue]:
        a, b = g.transpose(x, 0, 2, 1), g.transpose(y, 0, 2, 1)
        return [g.add(MatmulOp(a, b, transpose_lhs=flags[0], transpose_rhs=flags[1]))]

    module = program(body, (2, 4, 4), (2, 4, 4))
    done = after(module)
    assert ops_of(done) == ["matmul"]
    (matmul,) = [op for op in done.walk() if isinstance(op, MatmulOp)]
    assert (matmul.transpose_lhs, matmul.transpose_rhs) == (not flags[0], not flags[1])


def test_a_transpose_of_the_batch_stays_before_a_matmul() -> None:
    def body(g: Graph, x: SSAValue, y: SSAValue) -> list[SSAValue]:
        return [g.add(MatmulOp(g.transpose(x, 1, 0, 2), y))]

    module = program(body, (4, 2, 3), (2, 3, 5))
    assert ops_of(after(module)) == ops_of(module)


def test_constants_and_broadcasts_are_turned_at_once() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        weights = g.transpose(g.constant(np.arange(6).reshape(2, 3)), 1, 0)
        row = g.add(BroadcastOp(x, (4, 2, 3), (1, 2)))
        return [weights, g.transpose(row, 1, 0, 2), g.transpose(row, 2, 1, 0)]

    done = after(program(body, (2, 3)))
    assert ops_of(done) == ["broadcast", "transpose", "broadcast"]
    assert not [
        op for op in done.walk()
        if isinstance(op, TransposeOp) and isinstance(op.x.owner, ConstantOp | BroadcastOp)
    ]  # fmt: skip


def test_moving_axes_of_size_one_is_a_reshape() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        return [g.transpose(x, 0, 2, 3, 1)]

    assert ops_of(after(program(body, (1, 5, 1, 1)))) == ["reshape"]
    assert ops_of(after(program(body, (1, 5, 1, 2)))) == ["transpose"]


def test_a_cast_keeps_its_type_and_name() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        from xdsl.dialects.builtin import i8

        y = g.add(CastOp(g.transpose(x, 1, 0), i8))
        y.name_hint = "narrow"
        return [g.transpose(y, 1, 0)]

    done = after(program(body, (2, 3)))
    assert ops_of(done) == ["cast"]


@examples(150)
@given(programs())
def test_random_programs_compute_the_same(sample: Sample) -> None:
    Simplify().apply(None, sample.module)  # type: ignore[arg-type]
    done = after(sample.module)
    assert transposes(done) <= transposes(sample.module)
    for op in done.walk():
        if isinstance(op, TransposeOp):
            assert not isinstance(op.x.owner, TransposeOp | ConstantOp | BroadcastOp)
            assert op.perm != tuple(range(len(op.perm)))
