"""graph-expose-fusion rewrites idioms so that kernels need no copies for them."""

from __future__ import annotations

import pytest
from hypothesis import given
from xdsl.ir import SSAValue

from tilewright.dialects.graph import ConcatOp, ReshapeOp, SliceOp
from tilewright.passes.graph.expose_fusion import ExposeFusion

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


@examples(40)
@given(programs())
def test_random_programs_compute_the_same(sample: Sample) -> None:
    check_pass(sample.module, ExposeFusion())
