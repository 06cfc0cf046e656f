"""Patterns of several ops: what they match, and what they leave alone."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.ir import Block

from tilewright.dialects.graph import AddOp, ExpOp, MaxOp, MulOp, NegOp, SigmoidOp, TanhOp
from tilewright.passes.graph.op_patterns import Pattern, constant, find_matches, op, value
from tilewright.support.diagnostics import TilewrightError
from tilewright.support.entry import entry_of
from tilewright.support.ir_parser import IrParser
from tilewright.support.registry import new_context

T = "tensor<4xf32>"


def block_of(*lines: str) -> Block:
    """Return the block of a program: lines such as "%a = exp %x", the last value is returned."""
    body = [
        f"{name} = graph.{kind} {operands} : {T}"
        for name, kind, operands in (
            (line.split(" = ")[0], *line.split(" = ")[1].split(" ", 1)) for line in lines
        )
    ]
    last = lines[-1].split(" = ")[0]
    head = f'func.func @main(%x: {T}, %y: {T}) -> {T} attributes {{tw.arg_names = ["x", "y"], '
    head += 'tw.result_names = ["z"]} {'
    zero = f"%zero = graph.constant <[0.0, 0.0, 0.0, 0.0] : {T}> : {T}"
    text = "\n".join([head, zero, *body, f"func.return {last} : {T}", "}"])
    return entry_of(IrParser(new_context(), text).parse_module()).body.block


def found(block: Block, **patterns: Pattern) -> list[tuple[str, list[str]]]:
    """Return the name of each match, and the names of its results."""
    matches = find_matches(block, list(patterns.items()))
    return [(m.name, [f"{each.results[0].name_hint}" for each in m.ops]) for m in matches]


X = value()
SWISH = op(MulOp, X, op(SigmoidOp, X))
RELU = op(MaxOp, value(), constant(0))


def test_one_value_at_two_operands_is_one_value() -> None:
    yes = block_of("%s = sigmoid %x", "%m = mul %x, %s")
    no = block_of("%s = sigmoid %y", "%m = mul %x, %s")
    assert found(yes, swish=SWISH) == [("swish", ["s", "m"])]
    assert found(no, swish=SWISH) == []


def test_operands_of_commutative_ops_match_in_both_orders() -> None:
    swapped = block_of("%s = sigmoid %x", "%m = mul %s, %x")
    assert found(swapped, swish=SWISH) == [("swish", ["s", "m"])]
    minus = block_of("%s = sigmoid %x", "%m = sub %s, %x")
    assert found(minus, swish=SWISH) == []


def test_a_constant_has_the_numbers_of_its_pattern() -> None:
    assert found(block_of("%r = max %x, %zero"), relu=RELU) == [("relu", ["r"])]
    assert found(block_of("%r = max %x, %y"), relu=RELU) == []
    one = op(MaxOp, value(), constant(1))
    assert found(block_of("%r = max %x, %zero"), one=one) == []


def test_a_result_that_other_ops_use_ends_a_match() -> None:
    chain = op(NegOp, op(ExpOp))
    alone = block_of("%e = exp %x", "%n = neg %e", "%t = tanh %n")
    used = block_of("%e = exp %x", "%n = neg %e", "%a = add %n, %e")
    assert found(alone, chain=chain) == [("chain", ["e", "n"])]
    assert found(used, chain=chain) == []


def test_earlier_patterns_and_later_roots_have_precedence() -> None:
    program = block_of("%e = exp %x", "%n = neg %e", "%t = tanh %n")
    long, short = op(TanhOp, op(NegOp)), op(NegOp, op(ExpOp))
    assert found(program, short=short, long=long) == [("long", ["n", "t"])]
    neg = op(NegOp)
    assert found(program, neg=neg, short=short) == [("neg", ["n"])]
    assert found(program, short=short, neg=neg) == [("short", ["e", "n"])]


def test_alternatives_and_conditions() -> None:
    either = op(AddOp, op(ExpOp) | op(TanhOp), value())
    program = block_of("%e = exp %x", "%t = tanh %y", "%a = add %e, %y", "%b = add %t, %a")
    assert found(program, either=either) == [("either", ["e", "a"]), ("either", ["t", "b"])]
    several = op((ExpOp, TanhOp), where=lambda each: each.x.name_hint == "y")
    assert found(program, several=several) == [("several", ["t"])]


def test_matches_of_random_programs_equal_a_search_of_all_pairs() -> None:
    rng = np.random.default_rng(0)
    kinds = {"exp": ExpOp, "neg": NegOp, "tanh": TanhOp}
    for _ in range(50):
        names, lines = ["%x", "%y"], list[str]()
        for number in range(8):
            kind, source = rng.choice([*kinds]), rng.choice(names)
            lines.append(f"%v{number} = {kind} {source}")
            names.append(f"%v{number}")
        block = block_of(*lines)
        outer, inner = (kinds[str(name)] for name in rng.choice([*kinds], 2))
        taken, wanted = set[object](), list[list[str]]()
        for root in reversed(list(block.ops)):
            source = root.operands[0].owner if isinstance(root, outer) else None
            if not isinstance(source, inner) or taken & {root, source}:
                continue
            if source.out.has_one_use():
                taken |= {root, source}
                wanted.append([f"{source.out.name_hint}", f"{root.results[0].name_hint}"])
        got = [names for _, names in found(block, pair=op(outer, op(inner)))]
        assert got == wanted[::-1]


def test_a_pattern_has_a_most_size() -> None:
    pattern: Pattern = value()
    for _ in range(70):
        pattern = op(NegOp, pattern)
    with pytest.raises(TilewrightError, match="the pattern deep is too large"):
        find_matches(block_of("%n = neg %x"), [("deep", pattern)])
