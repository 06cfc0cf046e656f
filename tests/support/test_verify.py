"""The strict verifier accepts valid IR and finds errors that xDSL's own verifier misses."""

from __future__ import annotations

import pytest
from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from tilewright.support.diagnostics import TilewrightError
from tilewright.support.verify import strict_verify

RIGHT = {
    "argument": "func.func @f(%a: i32) { %b = arith.addi %a, %a : i32 func.return }",
    "outer value": """
        func.func @f(%c: i1, %a: i32) {
          %b = arith.addi %a, %a : i32
          scf.if %c { %d = arith.addi %b, %a : i32 }
          func.return
        }""",
    "blocks": """
        func.func @f(%c: i1, %a: i32) {
          %b = arith.addi %a, %a : i32
          "cf.cond_br"(%c, %b, %a)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 1, 1>}>
            : (i1, i32, i32) -> ()
        ^bb1(%x: i32):
          "cf.br"(%b)[^bb2] : (i32) -> ()
        ^bb2(%y: i32):
          %d = arith.addi %b, %y : i32
          func.return
        }""",
}

WRONG = {
    "used before it is defined": """
        func.func @f(%a: i32) {
          %d = arith.addi %b, %a : i32
          %b = arith.addi %a, %a : i32
          func.return
        }""",
    "used in its own region": """
        func.func @f(%c: i1, %a: i32) {
          %b = scf.if %c -> (i32) {
            scf.yield %b : i32
          } else {
            scf.yield %a : i32
          }
          func.return
        }""",
    "defined on one of two ways": """
        func.func @f(%c: i1, %a: i32) {
          "cf.cond_br"(%c)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
        ^bb1:
          %b = arith.addi %a, %a : i32
          "cf.br"()[^bb2] : () -> ()
        ^bb2:
          %d = arith.addi %b, %a : i32
          func.return
        }""",
}


def parsed(text: str) -> ModuleOp:
    ctx = Context()
    for name, factory in get_all_dialects().items():
        ctx.register_dialect(name, factory)
    module = Parser(ctx, text).parse_module()
    module.verify()
    return module


@pytest.mark.parametrize("name", RIGHT)
def test_right_programs_pass(name: str) -> None:
    strict_verify(parsed(RIGHT[name]))


@pytest.mark.parametrize("name", WRONG)
def test_a_value_must_dominate_its_uses(name: str) -> None:
    with pytest.raises(TilewrightError, match="is used where its definition is not visible"):
        strict_verify(parsed(WRONG[name]))


def test_a_value_of_another_function_is_not_visible() -> None:
    module = parsed(
        "func.func @f(%a: i32) { %b = arith.addi %a, %a : i32 func.return }\n"
        "func.func @g(%a: i32) { %b = arith.addi %a, %a : i32 func.return }"
    )
    first, second = (next(iter(func.body.block.ops)) for func in module.body.block.ops)
    second.operands[0] = first.results[0]
    with pytest.raises(TilewrightError, match=r"arith\.addi.*not visible"):
        strict_verify(module)


def test_branches_hand_over_what_the_block_takes() -> None:
    text = """
        func.func @f(%a: i32, %b: i64) {
          "cf.br"(%a)[^bb1] : (i32) -> ()
        ^bb1(%x: i32):
          func.return
        }"""
    module = parsed(text)
    strict_verify(module)
    func = next(iter(module.body.block.ops))
    branch = func.body.blocks[0].last_op
    branch.operands[0] = func.body.blocks[0].args[1]
    with pytest.raises(TilewrightError, match=r"cf\.br.*\n\s+expected: i32\n\s+got: i64"):
        strict_verify(module)


def test_integers_below_the_graph_level_carry_no_sign() -> None:
    text = "func.func @f(%a: ui8) {{ {} func.return }}"
    strict_verify(parsed(text.format('"test.op"(%a) : (ui8) -> ()')))
    module = parsed(text.format("%b = arith.addi %a, %a : ui8"))
    with pytest.raises(TilewrightError, match=r"arith\.addi: an integer type carries a sign"):
        strict_verify(module)


def test_a_terminator_ends_its_block() -> None:
    module = parsed("func.func @f() { func.return }")
    block = next(iter(module.body.block.ops)).regions[0].block
    block.add_op(block.first_op.clone())
    with pytest.raises(TilewrightError, match="not the last op of its block"):
        strict_verify(module)


def test_a_function_returns_its_types() -> None:
    module = parsed("func.func @f(%a: i32, %b: i64) -> i32 { func.return %a : i32 }")
    block = next(iter(module.body.block.ops)).regions[0].block
    block.last_op.operands[0] = block.args[1]
    with pytest.raises(TilewrightError, match=r"func\.return.*\n\s+expected: i32\n\s+got: i64"):
        strict_verify(module)


def test_isolated_regions_see_nothing_outside() -> None:
    module = parsed("func.func @f(%a: i32) { %b = arith.addi %a, %a : i32 func.return }")
    (func,) = module.body.block.ops
    outer = func.regions[0].block.first_op
    nested = parsed("func.func @g(%c: i32) { %d = arith.addi %c, %c : i32 func.return }")
    (inner,) = nested.body.block.ops
    inner.detach()
    func.regions[0].block.insert_op_before(inner, func.regions[0].block.last_op)
    strict_verify(module)
    inner.regions[0].block.first_op.operands[0] = outer.results[0]
    with pytest.raises(TilewrightError, match="not visible"):
        strict_verify(module)
