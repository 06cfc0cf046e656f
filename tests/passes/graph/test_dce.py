"""graph-dce erases dead ops, and only those."""

from __future__ import annotations

from hypothesis import given
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from tilewright.analysis.verify import verify_module
from tilewright.dialects.graph import BindOp, CastOp, ReshapeOp
from tilewright.passes.graph.dce import Dce

from ...sweeps import examples
from .programs import Graph, Sample, check_pass, main_of, ops_of, program, programs


def test_an_unused_chain_disappears() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        g.apply("abs", g.apply("neg", x))
        return [g.apply("floor", x)]

    assert ops_of(check_pass(program(body, (2, 3)), Dce())) == ["floor"]


def test_a_result_and_what_it_needs_stay() -> None:
    def body(g: Graph, x: SSAValue, y: SSAValue) -> list[SSAValue]:
        return [g.apply("abs", g.apply("neg", x))]

    after = check_pass(program(body, (2, 3), (1,)), Dce())
    assert ops_of(after) == ["neg", "abs"]
    assert len(main_of(after).body.block.args) == 2


def test_names_for_sizes_stay() -> None:
    def body(g: Graph, x: SSAValue) -> list[SSAValue]:
        size = g.add(CastOp(x, i64))
        g.block.add_op(BindOp(size, ["u0"]))
        g.add(ReshapeOp(x, (1, 1)))
        return [x]

    module = program(body, (1,))
    Dce().apply(None, module)  # type: ignore[arg-type]
    verify_module(module)
    assert ops_of(module) == ["cast", "bind"]


@examples(40)
@given(programs())
def test_random_programs_compute_the_same(sample: Sample) -> None:
    after = check_pass(sample.module, Dce())
    for op in main_of(after).body.block.ops:
        assert not op.results or any(result.first_use for result in op.results)
