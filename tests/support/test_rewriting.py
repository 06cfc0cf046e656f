"""The pattern driver reaches a fixpoint, keeps locations, and stops patterns that never end."""

from __future__ import annotations

import pytest
from xdsl.dialects.arith import AddiOp, ConstantOp, MuliOp, SubiOp
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, ModuleOp, StringAttr, i32, i64
from xdsl.dialects.test import TestOp as OpaqueOp
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from tilewright.support.diagnostics import TypeMismatch
from tilewright.support.rewriting import (
    PatternDriver,
    RewriteLimitError,
    apply_patterns,
    erase_dead_ops,
    replace_op,
    rewrites,
)

LOCATION = FileLineColLoc(StringAttr("model.onnx"), IntAttr(1), IntAttr(2))


class AddToMul(RewritePattern):
    @rewrites(AddiOp)
    def match_and_rewrite(self, op: AddiOp, rewriter: PatternRewriter) -> None:
        replace_op(rewriter, op, MuliOp(op.lhs, op.rhs))


class MulToAdd(RewritePattern):
    @rewrites(MuliOp)
    def match_and_rewrite(self, op: MuliOp, rewriter: PatternRewriter) -> None:
        rewriter.replace(op, AddiOp(op.lhs, op.rhs))


class MulToSub(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: MuliOp, rewriter: PatternRewriter) -> None:
        rewriter.replace(op, SubiOp(op.lhs, op.rhs))


class CountVisits(RewritePattern):
    def __init__(self) -> None:
        self.visited: list[str] = []

    @rewrites(MuliOp, SubiOp)
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        self.visited.append(op.name)


class FoldSum(RewritePattern):
    """A sum of constants; needs its operands rewritten first."""

    @rewrites(AddiOp)
    def match_and_rewrite(self, op: AddiOp, rewriter: PatternRewriter) -> None:
        lhs, rhs = op.lhs.owner, op.rhs.owner
        if isinstance(lhs, ConstantOp) and isinstance(rhs, ConstantOp):
            total = lhs.value.value.data + rhs.value.value.data
            rewriter.replace(op, ConstantOp.from_int_and_width(total, 32))


def program() -> ModuleOp:
    one = ConstantOp.from_int_and_width(1, 32)
    two = AddiOp(one.result, one.result)
    four = AddiOp(two.result, two.result)
    for op in (one, two, four):
        op.location = LOCATION
    return ModuleOp([one, two, four, OpaqueOp(operands=[four.result])])


def names(module: ModuleOp) -> list[str]:
    return [op.name for op in module.body.block.ops]


def test_patterns_chain_over_types_in_either_decoration() -> None:
    module = program()
    assert apply_patterns(module, AddToMul(), MulToSub())
    assert names(module) == ["arith.constant", "arith.subi", "arith.subi", "test.op"]
    assert not apply_patterns(module, AddToMul(), MulToSub())


def test_new_ops_inherit_the_location() -> None:
    module = program()
    apply_patterns(module, AddToMul(), MulToSub())
    assert all(op.location == LOCATION for op in list(module.body.block.ops)[:3])


def test_users_are_tried_again_and_dead_ops_can_go() -> None:
    module = program()
    apply_patterns(module, FoldSum())
    assert erase_dead_ops(module)
    constant, user = module.body.block.ops
    assert isinstance(constant, ConstantOp)
    assert constant.value.value.data == 4
    assert user.operands[0] is constant.result
    assert not erase_dead_ops(module)


def test_only_ops_of_the_named_types_are_tried() -> None:
    counter = CountVisits()
    apply_patterns(program(), counter)
    assert counter.visited == []


def test_patterns_that_undo_each_other_are_stopped_by_name() -> None:
    with pytest.raises(RewriteLimitError, match="do not come to an end") as caught:
        PatternDriver([AddToMul(), MulToAdd()], rewrites_per_op=3).run(program())
    assert "by MulToAdd" in str(caught.value) or "by AddToMul" in str(caught.value)


def test_dead_ops_with_effects_stay() -> None:
    module = ModuleOp([OpaqueOp(result_types=[i32])])
    assert not erase_dead_ops(module)
    assert names(module) == ["test.op"]


class ToIndex(RewritePattern):
    @rewrites(AddiOp)
    def match_and_rewrite(self, op: AddiOp, rewriter: PatternRewriter) -> None:
        replace_op(rewriter, op, OpaqueOp(result_types=[i64]))


def test_a_pattern_does_not_change_the_type_of_a_result() -> None:
    with pytest.raises(TypeMismatch, match="replaced by a value of another type") as caught:
        apply_patterns(program(), ToIndex())
    text = str(caught.value)
    assert "arith.addi" in text
    assert "expected: i32\n    got: i64\n    hint: the pattern is ToIndex" in text
