"""graph-fold-constants evaluates ops that do not depend on inputs, without expanding splats."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from xdsl.dialects.builtin import ModuleOp, i64
from xdsl.ir import SSAValue

from tilewright.dialects.graph import (
    BroadcastOp,
    ConstantOp,
    GatherOp,
    IotaOp,
    MatmulOp,
    NormalizeOp,
    ReshapeOp,
    SizeOp,
    TransposeOp,
)
from tilewright.passes.graph.constant_values import known_array, static_sizes, vector_along
from tilewright.passes.graph.fold_constants import FoldConstants

from ...sweeps import examples
from .programs import Graph, Sample, check_pass, main_of, ops_of, program, programs


def returned(module: ModuleOp, number: int = 0) -> SSAValue:
    last = main_of(module).body.block.last_op
    assert last is not None
    return last.operands[number]


def test_batch_norm_statistics_become_one_vector() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        variance = g.constant([1, 2, 3])
        deviation = g.apply("sqrt", g.apply("add", variance, g.full(1e-5, variance)))
        factor = g.apply("div", g.constant([4, 5, 6]), deviation)
        return [g.apply("mul", x, g.add(BroadcastOp(factor, (1, 3, 2, 2), (1,))))]

    after = check_pass(program(body, (1, 3, 2, 2)), FoldConstants())
    assert [n for n in ops_of(after) if n not in ("broadcast",)] == ["mul"]
    vector = vector_along(returned(after).owner.operands[1], 1)
    expected = np.array([4, 5, 6]) / np.sqrt(np.array([1, 2, 3]) + 1e-5)
    assert vector is not None
    np.testing.assert_allclose(vector.stored, expected, rtol=1e-6)


def test_what_reads_an_input_stays() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        return [g.apply("add", g.apply("neg", x), g.full(1, x))]

    module = program(body, (2, 3))
    assert ops_of(check_pass(module, FoldConstants())) == ops_of(module)


def test_repeated_elements_are_evaluated_once_and_stay_repeated() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        scaled = g.apply("mul", g.per_channel([1, 2, 3], x), g.full(2, x))
        return [g.apply("exp", scaled)]

    after = check_pass(program(body, (64, 3, 64, 64)), FoldConstants())
    assert ops_of(after) == ["broadcast"]
    op = returned(after).owner
    assert isinstance(op, BroadcastOp)
    assert op.axes == (1,)
    np.testing.assert_allclose(known_array(op.x), np.exp([2, 4, 6]), rtol=1e-6)


def test_a_broadcast_that_repeats_nothing_is_a_constant() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        return [g.add(BroadcastOp(g.constant([1, 2]), (1, 2, 1), (1,)))]

    assert ops_of(check_pass(program(body, (1,)), FoldConstants())) == []


@pytest.mark.parametrize(("size", "names"), [(512, []), (513, ["broadcast", "add"])])
def test_results_over_a_megabyte_need_operands_of_half_their_size(
    size: int, names: list[str]
) -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        column = g.constant(np.arange(size).reshape(size, 1))
        row = g.add(BroadcastOp(g.constant(np.arange(512)), (size, 512), (1,)))
        return [g.apply("add", g.add(BroadcastOp(column, (size, 512), (0, 1))), row)]

    assert ops_of(check_pass(program(body, (1,)), FoldConstants()))[-2:] == names


def test_large_weights_are_transposed() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        weight = g.constant(np.arange(1024 * 512).reshape(1024, 512))
        return [g.transpose(weight, 1, 0)]

    assert ops_of(check_pass(program(body, (1,)), FoldConstants())) == []


def test_all_families_and_several_results() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        table = g.constant(np.arange(6).reshape(3, 2))
        rows = g.add(GatherOp(table, g.add(IotaOp((2,), 0, i64)), 0))
        product = g.add(MatmulOp(rows, g.add(TransposeOp(table, (1, 0)))))
        sizes = g.add(SizeOp((4, 5)))
        g.add(op := NormalizeOp(g.add(ReshapeOp(product, (6,))), axes=(0,), eps=1e-5))
        return [*op.results, sizes]

    after = check_pass(program(body, (1,)), FoldConstants())
    assert ops_of(after) == []
    assert returned(after, 3).owner.array.tolist() == [4, 5]


def test_an_error_of_the_run_stays_one() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        g.add(GatherOp(g.constant([1, 2]), g.constant([7], "int64"), 0))
        return [x]

    module = program(body, (1,))
    FoldConstants().apply(None, module)  # type: ignore[arg-type]
    assert ops_of(module) == ["gather"]


def test_symbolic_sizes_are_not_evaluated() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        ones = g.add(BroadcastOp(g.constant(1), ("b", 3), ()))
        return [g.apply("neg", ones), g.add(SizeOp(("b",))), g.add(IotaOp(("b",), 0, i64))]

    module = program(body, ("b", 3))
    FoldConstants().apply(None, module)  # type: ignore[arg-type]
    assert ops_of(module) == ["broadcast", "neg", "size", "iota"]


@examples(60)
@given(programs())
def test_random_programs_compute_the_same(sample: Sample) -> None:
    after = check_pass(sample.module, FoldConstants())
    for op in main_of(after).body.block.ops:
        if op.results and all(known_array(v) is not None for v in op.operands):
            is_repetition = isinstance(op, BroadcastOp) and (
                np.prod(static_sizes(op.out)) > np.prod(static_sizes(op.x))
            )
            assert isinstance(op, ConstantOp) or is_repetition
