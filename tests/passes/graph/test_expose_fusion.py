"""graph-expose-fusion rewrites idioms so that kernels need no copies for them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from tilewright.analysis.verify import verify_module
from tilewright.dialects.graph import (
    BroadcastOp,
    ConcatOp,
    MatmulOp,
    ReduceOp,
    ReshapeOp,
    SliceOp,
    SoftmaxOp,
)
from tilewright.dialects.shape import Dim, dims_of, element_count, type_of
from tilewright.passes.graph.expose_fusion import ExposeFusion
from tilewright.support.registry import new_context
from tilewright.support.rewriting import erase_dead_ops

from ...sweeps import examples
from .programs import Graph, Sample, check_pass, ops_of, program, programs


def test_numbers_go_before_all_movements() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        moved = g.transpose(g.add(ReshapeOp(g.apply("exp", x), (3, 2, 2))), 2, 0, 1)
        return [g.apply("sub", g.full(2, moved), moved)]

    after = check_pass(program(body, (3, 4)), ExposeFusion())
    assert ops_of(after) == ["exp", "broadcast", "sub", "reshape", "transpose"]


def test_a_movement_with_another_reader_stays() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        moved = g.transpose(g.apply("exp", x), 1, 0)
        return [g.apply("mul", moved, g.full(2, moved)), moved]

    module = program(body, (3, 4))
    assert ops_of(check_pass(module, ExposeFusion())) == ops_of(module)


def halves(first: int, axis: int, signs: tuple[int, int]):
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        parts: list[SSAValue] = []
        for start, sign in zip((first, 0), signs, strict=True):
            starts, sizes = [0, 0], [4, 4]
            starts[axis], sizes[axis] = start, 2
            part = g.add(SliceOp(x, starts, sizes, [1, 1]))
            parts.append(part if sign > 0 else g.apply("neg", part))
        return [g.add(ConcatOp(parts, axis))]

    return program(body, (4, 4))


@pytest.mark.parametrize("signs", [(1, 1), (-1, 1), (1, -1), (-1, -1)])
@pytest.mark.parametrize("axis", [0, 1])
def test_halves_that_change_places_need_no_concat(axis: int, signs: tuple[int, int]) -> None:
    after = check_pass(halves(2, axis, signs), ExposeFusion())
    assert "concat" not in ops_of(after)


@pytest.mark.parametrize("first", [0, 1])
def test_other_parts_are_joined_as_before(first: int) -> None:
    assert "concat" in ops_of(check_pass(halves(first, 1, (-1, 1)), ExposeFusion()))


def gemm_between_reshapes(
    shape: tuple[int | str, ...], *, last: str = "reshape", bias_per_row: bool = False
) -> ModuleOp:
    """Two products with bias and relu on the rows of x, reshaped before and after."""
    rows = element_count([Dim.of(n) for n in shape[:2]])

    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        y = g.add(ReshapeOp(x, (rows, 4)))
        for columns in (5, 3):
            w = g.constant(np.arange(dims_of(type_of(y))[1].value * columns).reshape(-1, columns))
            y = g.add(MatmulOp(y, w))
            axes, source = ((0,), (14,)) if bias_per_row else ((1,), (columns,))
            bias = g.constant(np.arange(np.prod(source)).reshape(source))
            y = g.apply("add", y, g.add(BroadcastOp(bias, dims_of(type_of(y)), axes)))
            y = g.add(SoftmaxOp(g.apply("mul", y, g.apply("tanh", y)), 1))
        if last == "return":
            return [y]
        back = g.add(ReshapeOp(y, (*shape[:2], 3)))
        return [back, g.add(ReduceOp(y, kind="sum", axes=(0,)))] if last == "reduce" else [back]

    return program(body, shape)


@pytest.mark.parametrize("shape", [(2, 7, 4), (2, 7, 2, 2), (1, 7, 4)])
def test_products_between_two_reshapes_keep_the_leading_axes(shape: tuple[int, ...]) -> None:
    after = check_pass(gemm_between_reshapes(shape), ExposeFusion(), exact=False)
    assert ops_of(after).count("reshape") == (len(shape) > 3)
    products = [op for op in after.walk() if isinstance(op, MatmulOp)]
    assert [type_of(op.out).get_shape() for op in products] == [(*shape[:2], 5), (*shape[:2], 3)]


def test_open_sizes_keep_the_leading_axes() -> None:
    module = gemm_between_reshapes(("b", "s", 4))
    ExposeFusion().apply(new_context(), module)
    erase_dead_ops(module)
    verify_module(module)
    assert "reshape" not in ops_of(module)


@pytest.mark.parametrize("last", ["return", "reduce"])
def test_rows_that_are_read_in_another_way_stay_merged(last: str) -> None:
    module = gemm_between_reshapes((2, 7, 4), last=last)
    assert ops_of(check_pass(module, ExposeFusion(), exact=False)) == ops_of(module)


def test_values_per_row_stay_merged() -> None:
    module = gemm_between_reshapes((2, 7, 4), bias_per_row=True)
    assert ops_of(check_pass(module, ExposeFusion(), exact=False)) == ops_of(module)


@examples(40)
@given(programs())
def test_random_programs_compute_the_same(sample: Sample) -> None:
    check_pass(sample.module, ExposeFusion())
