"""graph-cse computes equal values once."""

from __future__ import annotations

from hypothesis import given
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue

from tilewright.dialects.graph import BroadcastOp, ReduceOp
from tilewright.passes.graph.cse import Cse
from tilewright.support.locations import name_location

from ...sweeps import examples
from .programs import Graph, Sample, check_pass, main_of, ops_of, program, programs


def test_equal_chains_are_computed_once() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        pair = [g.apply("add", g.apply("exp", x), g.full(1, x)) for _ in range(2)]
        return [g.apply("mul", *pair)]

    after = check_pass(program(body, (2, 3)), Cse())
    assert ops_of(after) == ["exp", "broadcast", "add", "mul"]


def test_what_differs_in_a_property_or_type_is_computed_twice() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        sums = [g.add(ReduceOp(x, kind="sum", axes=(axis,))) for axis in (0, 1)]
        wide = [g.add(BroadcastOp(x, (n, 3, 3), (1, 2))) for n in (2, 4)]
        return [*sums, *wide]

    module = program(body, (3, 3))
    assert ops_of(check_pass(module, Cse())) == ops_of(module)


def test_an_attribute_of_one_of_them_keeps_both() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        return [g.apply("exp", x), g.apply("exp", x)]

    module = program(body, (2,))
    first = main_of(module).body.block.first_op
    assert first is not None
    first.attributes["note"] = StringAttr("any")
    assert ops_of(check_pass(module, Cse())) == ["exp", "exp"]


def test_the_first_location_stays() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        pair = [g.apply("exp", x), g.apply("exp", x)]
        for value, name in zip(pair, "ab", strict=True):
            value.owner.location = name_location(name)
        return pair

    after = check_pass(program(body, (2,)), Cse())
    (op,) = [op for op in after.walk() if op.name == "graph.exp"]
    assert op.location == name_location("a")


@examples(40)
@given(programs())
def test_random_programs_compute_the_same(sample: Sample) -> None:
    after = check_pass(sample.module, Cse())
    keys = [
        (
            op.name,
            tuple(map(id, op.operands)),
            str(op.properties),
            str(op.attributes),
            str(op.result_types),
        )
        for op in main_of(after).body.block.ops
    ]
    assert len(set(keys)) == len(keys)
