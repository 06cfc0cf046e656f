"""check_pass finds passes that change the results of a program or miss their rewrite."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from tilewright.dialects.graph import AddOp, MulOp, NegOp
from tilewright.support.diagnostics import TilewrightError
from tilewright.testing.pass_case import check_pass, check_same_results, parsed, small_integers

PROGRAM = """
func.func @main(%x: tensor<2x3xf32>, %k: tensor<4xui8>, %b: tensor<5xi1>) -> tensor<2x3xf32> {
  %y = graph.mul %x, %x : tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
"""


class Rewritten(ModulePass):
    """A pass that replaces products of main."""

    def apply(self, ctx: object, op: ModuleOp) -> None:
        for mul in [inner for inner in op.walk() if isinstance(inner, MulOp)]:
            block = mul.parent
            assert block is not None
            block.insert_op_after(new := self.made(mul), mul)
            mul.out.replace_uses_with_if(new.results[0], lambda use: use.operation is not new)

    def made(self, mul: MulOp):
        raise NotImplementedError


class Sum(Rewritten):
    name = "test-sum"

    def made(self, mul: MulOp):
        return AddOp(mul.lhs, mul.rhs)


class Again(Rewritten):
    name = "test-again"

    def made(self, mul: MulOp):
        return MulOp(mul.rhs, mul.lhs)


class Unsorted(ModulePass):
    """A pass that leaves a use before its definition."""

    name = "test-unsorted"

    def apply(self, ctx: object, op: ModuleOp) -> None:
        (mul,) = [inner for inner in op.walk() if isinstance(inner, MulOp)]
        neg = NegOp(mul.out)
        block = mul.parent
        assert block is not None
        block.insert_op_before(neg, mul)


def test_a_pass_that_changes_results_is_found() -> None:
    with pytest.raises(TilewrightError, match="result 0 changed"):
        check_pass(PROGRAM, Sum())


def test_a_pass_that_breaks_the_program_is_found() -> None:
    with pytest.raises(Exception, match="not visible"):
        check_pass(PROGRAM, Unsorted())


def test_the_expected_program_is_compared_up_to_names() -> None:
    check_pass(PROGRAM, "graph-cse,graph-dce", after=PROGRAM.replace("%y", "%z"), idempotent=True)
    with pytest.raises(AssertionError, match=r"-.*graph\.add"):
        check_pass(PROGRAM, "graph-cse", after=PROGRAM.replace("graph.mul", "graph.add"))


def test_a_second_run_that_changes_something_is_found() -> None:
    check_pass(PROGRAM, Again())
    with pytest.raises(AssertionError, match="programs differ"):
        check_pass(PROGRAM, Again(), idempotent=True)


def test_lowered_programs_are_compared_with_those_they_come_from() -> None:
    check_pass(PROGRAM, "graph-to-te,te-fuse-elementwise,te-outline,te-bufferize")
    te = parsed(PROGRAM)
    with pytest.raises(TilewrightError, match="changed"):
        check_same_results(te, parsed(PROGRAM.replace("graph.mul", "graph.add")))


def test_an_unknown_pass_is_an_error() -> None:
    with pytest.raises(TilewrightError, match="unknown pass"):
        check_pass(PROGRAM, "graph-cs")


def test_small_integers_are_of_the_declared_types() -> None:
    arrays = small_integers(parsed(PROGRAM))
    assert [a.dtype.name for a in arrays] == ["float32", "uint8", "bool"]
    assert [a.shape for a in arrays] == [(2, 3), (4,), (5,)]
    assert all(np.abs(a.astype(int)).max() <= 3 for a in arrays)
    with pytest.raises(TilewrightError, match="the module has no entry on tensors"):
        small_integers(ModuleOp([]))
