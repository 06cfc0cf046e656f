"""graph-simplify removes ops without effect, and only those."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from xdsl.dialects.builtin import ModuleOp, f16, f32, f64, i32
from xdsl.ir import SSAValue

from tilewright.dialects.graph import (
    BroadcastOp,
    CastOp,
    ConcatOp,
    PadOp,
    ReshapeOp,
    SelectOp,
    SliceOp,
    TransposeOp,
)
from tilewright.passes.graph.constant_values import uniform_value
from tilewright.passes.graph.simplify import Simplify

from ...sweeps import examples
from .programs import Graph, Sample, check_pass, main_of, ops_of, program, programs

Rule = Callable[[Graph, SSAValue], SSAValue]

DISAPPEARS: dict[str, Rule] = {
    "x + 0": lambda g, x: g.apply("add", x, g.full(0, x)),
    "0 + x": lambda g, x: g.apply("add", g.full(0, x), x),
    "x - 0": lambda g, x: g.apply("sub", x, g.full(0, x)),
    "x * 1": lambda g, x: g.apply("mul", x, g.constant([[1] * 3] * 2)),
    "x / 1": lambda g, x: g.apply("div", x, g.full(1, x)),
    "x ** 1": lambda g, x: g.apply("pow", x, g.full(1, x)),
    "neg neg": lambda g, x: g.apply("neg", g.apply("neg", x)),
    "max(x, x)": lambda g, x: g.apply("max", x, x),
    "min(x, x)": lambda g, x: g.apply("min", x, x),
    "select true": lambda g, x: g.add(SelectOp(g.full(True, x, "bool"), x, g.apply("neg", x))),
    "select false": lambda g, x: g.add(SelectOp(g.full(False, x, "bool"), g.apply("neg", x), x)),
    "select same": lambda g, x: g.add(SelectOp(g.apply("lt", x, g.full(0, x)), x, x)),
    "cast": lambda g, x: g.add(CastOp(x, f32)),
    "reshape": lambda g, x: g.add(ReshapeOp(x, (2, 3))),
    "reshape back": lambda g, x: g.add(ReshapeOp(g.add(ReshapeOp(x, (6,))), (2, 3))),
    "transpose": lambda g, x: g.transpose(x, 0, 1),
    "transpose back": lambda g, x: g.transpose(g.transpose(x, 1, 0), 1, 0),
    "broadcast": lambda g, x: g.add(BroadcastOp(x, (2, 3), (0, 1))),
    "slice": lambda g, x: g.add(SliceOp(x, (0, 0), (2, 3), (1, 1))),
    "pad": lambda g, x: g.add(PadOp(x, (0, 0), (0, 0))),
    "concat": lambda g, x: g.add(ConcatOp([x], 0)),
}

STAYS: dict[str, Rule] = {
    "0 - x": lambda g, x: g.apply("sub", g.full(0, x), x),
    "1 / x": lambda g, x: g.apply("div", g.full(1, x), x),
    "x + 1": lambda g, x: g.apply("add", x, g.full(1, x)),
    "x * 0": lambda g, x: g.apply("mul", x, g.full(0, x)),
    "x + mixed": lambda g, x: g.apply("add", x, g.per_channel([0, 0, 1], x)),
    "abs neg": lambda g, x: g.apply("abs", g.apply("neg", x)),
    "cast away": lambda g, x: g.add(CastOp(g.add(CastOp(x, i32)), f32)),
    "cast narrow": lambda g, x: g.add(CastOp(g.add(CastOp(x, f16)), f32)),
    "reversed slice": lambda g, x: g.add(SliceOp(x, (1, 0), (2, 3), (-1, 1))),
    "part": lambda g, x: g.add(SliceOp(x, (1, 0), (1, 3), (1, 1))),
    "transpose": lambda g, x: g.transpose(x, 1, 0),
    "select": lambda g, x: g.add(SelectOp(g.apply("lt", x, g.full(0, x)), x, g.apply("neg", x))),
}


def lone(rule: Rule) -> ModuleOp:
    return program(lambda g, x: [rule(g, x)], (2, 3))


@pytest.mark.parametrize("name", DISAPPEARS)
def test_what_changes_nothing_disappears(name: str) -> None:
    func = main_of(check_pass(lone(DISAPPEARS[name]), Simplify()))
    last = func.body.block.last_op
    assert last is not None
    assert last.operands[0] is func.body.block.args[0]


@pytest.mark.parametrize("name", STAYS)
def test_what_changes_something_stays(name: str) -> None:
    module = lone(STAYS[name])
    assert ops_of(check_pass(module, Simplify())) == ops_of(module)


def test_chains_of_movement_become_one_op() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        flat = g.add(ReshapeOp(g.add(ReshapeOp(x, (6, 1, 1))), (3, 2, 1)))
        turned = g.transpose(g.transpose(x, 2, 0, 1), 2, 0, 1)
        row = g.add(BroadcastOp(x, (4, 1, 2, 3), (1, 2, 3)))
        return [flat, turned, g.add(BroadcastOp(row, (5, 4, 7, 2, 3), (1, 2, 3, 4)))]

    after = check_pass(program(body, (1, 2, 3)), Simplify())
    assert ops_of(after) == ["reshape", "transpose", "broadcast"]
    broadcast = [op for op in after.walk() if isinstance(op, BroadcastOp)]
    assert broadcast[0].axes == (2, 3, 4)


def test_squares_and_cubes_are_products_but_not_in_f64() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        return [g.apply("pow", x, g.full(2, x)), g.apply("pow", x, g.full(3, x))]

    after = check_pass(program(body, (3,)), Simplify())
    assert ops_of(after).count("mul") == 3
    assert "pow" not in ops_of(after)

    def wide(g: Graph, x: SSAValue) -> list[SSAValue]:
        x = g.add(CastOp(x, f64))
        return [g.apply("pow", x, g.full(2, x, "float64"))]

    assert ops_of(check_pass(program(wide, (3,)), Simplify()))[-1] == "pow"


def test_a_number_repeated_over_symbolic_sizes_is_known() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        zero = g.add(BroadcastOp(g.constant(0), ("b", 3), ()))
        return [g.apply("add", x, zero)]

    module = program(body, ("b", 3))
    Simplify().apply(None, module)  # type: ignore[arg-type]
    assert "add" not in ops_of(module)


def test_locations_survive() -> None:
    from tilewright.support.locations import name_location

    module = program(
        lambda g, x: [g.transpose(g.transpose(x, 1, 0, 2), 1, 2, 0)],
        (1, 2, 3),
    )
    for op in module.walk():
        op.location = name_location("node")
    after = check_pass(module, Simplify())
    made = [op for op in after.walk() if isinstance(op, TransposeOp)]
    assert [str(op.location) for op in made] == [str(name_location("node"))]


@examples(60)
@given(programs())
def test_random_programs_compute_the_same(sample: Sample) -> None:
    after = check_pass(sample.module, Simplify())
    for op in after.walk():
        owners = [operand.owner for operand in op.operands]
        if isinstance(op, ReshapeOp | TransposeOp | BroadcastOp):
            assert not isinstance(owners[0], type(op))
            assert op.x.type != op.out.type or isinstance(op, TransposeOp)
        if op.name in ("graph.add", "graph.sub"):
            assert uniform_value(op.operands[1]) != 0
        if op.name in ("graph.max", "graph.min", "graph.select"):
            assert op.operands[-1] is not op.operands[-2]
