"""The first difference of two programs, compared with xDSL's own comparison of structures."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from xdsl.dialects.builtin import ModuleOp, StringAttr, i32
from xdsl.ir import Operation

from tilewright import ir
from tilewright.support.ir_parser import IrParser
from tilewright.support.registry import new_context

LOOPS = """
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %a = graph.matmul %x, %w : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<4x8xf32>
  %y = graph.tanh %a : tensor<4x8xf32>
  func.return %y : tensor<4x8xf32>
}
func.func @branches(%c: i1, %n: index) -> index {
  cf.cond_br %c, ^bb1(%n : index), ^bb2(%n : index)
^bb1(%i: index):
  cf.br ^bb2(%i : index)
^bb2(%j: index):
  %k = "test.op"(%j, %c) {kind = "one", part = 2 : i64} : (index, i1) -> index
  func.return %k : index
}
"""


def parsed(text: str = LOOPS) -> ModuleOp:
    ctx = new_context()
    ctx.allow_unregistered = True
    return IrParser(ctx, text).parse_module()


@pytest.mark.parametrize(
    ("old", "new", "path", "what"),
    [
        ("graph.tanh", "graph.exp", "func.func @main / 1: graph.tanh", "name of the op"),
        ('kind = "one"', 'kind = "two"', "4: test.op", "attribute 'kind'"),
        (", part = 2 : i64", "", "test.op", "attribute 'part'"),
        ("(%j, %c)", "(%n, %c)", "test.op", "operand 0"),
        ("^bb2(%n : index)", "^bb1(%n : index)", "cf.cond_br", "successor 1"),
        ("%y : tensor<4x8xf32>\n}", "%a : tensor<4x8xf32>\n}", "func.return", "operand 0"),
        (
            "  %y = graph.tanh %a : tensor<4x8xf32>",
            "  %z = graph.exp %a : tensor<4x8xf32>\n  %y = graph.tanh %a : tensor<4x8xf32>",
            "1: graph.tanh",
            "name of the op",
        ),
    ],
)
def test_the_first_difference_is_named(old: str, new: str, path: str, what: str) -> None:
    before, after = parsed(), parsed(LOOPS.replace(old, new, 1))
    found = ir.diff(before, after)
    assert found is not None
    assert path.rpartition(": ")[2] in found.path
    assert found.what.startswith(what)
    assert found.before != found.after
    reverse = ir.diff(after, before)
    assert reverse is not None
    assert (reverse.before, reverse.after) == (found.after, found.before)
    assert ir.structural_hash(before) != ir.structural_hash(after)


def test_names_and_locations_do_not_count() -> None:
    before = parsed()
    after = parsed(LOOPS.replace("%a", "%other").replace("^bb2", "^end"))
    assert ir.diff(before, after) is None
    assert ir.structural_hash(before) == ir.structural_hash(after)


def test_an_op_at_the_end_is_found() -> None:
    before, after = parsed(), parsed(LOOPS + "func.func private @more() -> ()\n")
    found = ir.diff(before, after)
    assert found is not None
    assert (found.path, found.what) == ("builtin.module", "op 2 of region 0")
    assert (found.before, found.after) == ("(absent)", "func.func")


def _swap_operands(op: Operation) -> None:
    op.operands = tuple(reversed(op.operands))


def _mark(op: Operation) -> None:
    op.attributes["mark"] = StringAttr("x")


def _retype(op: Operation) -> None:
    for block in [block for region in op.regions for block in region.blocks]:
        block.insert_arg(i32, len(block.args))


def _move(op: Operation) -> None:
    if op.prev_op is not None:
        other = op.prev_op
        other.detach()
        assert op.parent is not None
        op.parent.insert_op_after(other, op)


@pytest.mark.parametrize("change", [_swap_operands, _mark, _retype, _move])
def test_it_agrees_with_the_comparison_of_xdsl(change: Callable[[Operation], None]) -> None:
    count = len(list(parsed().walk()))
    for number in random.Random(7).sample(range(count), 8):
        before, after = parsed(), parsed()
        change(list(after.walk())[number])
        found = ir.diff(before, after)
        assert (found is None) == before.is_structurally_equivalent(after), (number, found)
        hashes = {ir.structural_hash(each) for each in (before, after)}
        assert (found is None) == (len(hashes) == 1), (number, found)


def test_deep_programs_need_no_recursion() -> None:
    def nested() -> Operation:
        op: Operation = ModuleOp([])
        for _ in range(2000):
            op = ModuleOp([op])
        return op

    assert ir.diff(nested(), nested()) is None
    assert ir.structural_hash(nested()) == ir.structural_hash(nested())
