"""Long chains, shared parts and deep nests: questions about them end, with the right answers.

Without a memo, each level of these inputs doubles the work or more: 2 ** 60 steps.
"""

from __future__ import annotations

import pytest
from xdsl.parser import Parser

from tilewright.analysis.bounds.loop_ranges import LoopRanges
from tilewright.dialects.loop import ForOp
from tilewright.support.affine import Index, Key, Ordered, constant, divide, variable
from tilewright.support.affine import Range as Ends
from tilewright.support.registry import new_context

LEVELS = 60


def range_of_key(_key: Key) -> Ends:
    return 0, 99


def shared_parts(levels: int) -> Index:
    """Return an expression whose every level uses the one below it twice."""
    index = variable("i")
    for _ in range(levels):
        half = divide("floordiv", index + 1, 2, range_of_key)
        index = half + divide("mod", index + 1, 2, range_of_key) * 2
    return index


def value_of_shared_parts(value: int, levels: int) -> int:
    for _ in range(levels):
        value = (value + 1) // 2 + (value + 1) % 2 * 2
    return value


def test_parts_that_an_expression_shares_are_visited_once() -> None:
    index = shared_parts(LEVELS)
    assert set(index.variables()) == {"i"}
    assert len(set(index.atoms())) == 2 * LEVELS
    low, high = index.range(range_of_key)
    moved = index.substitute({"i": variable("j")}, range_of_key)
    assert Ordered(moved) == Ordered(index.substitute({"i": variable("j")}, range_of_key))
    for value in range(100):
        found = index.substitute({"i": constant(value)}, range_of_key)
        assert found == constant(value_of_shared_parts(value, LEVELS))
        assert low <= found.const <= high


def test_an_expression_may_be_nested_deeper_than_the_stack() -> None:
    index, value = variable("i"), 17
    for level in range(600):
        index = divide("mod", index * 5 + level, 97, range_of_key)
        value = (value * 5 + level) % 97
    assert list(index.variables()) == ["i"]
    assert len(list(index.atoms())) == 600
    assert index.substitute({"i": constant(17)}, range_of_key) == constant(value)
    assert index.range(range_of_key) == (0, 96)
    assert index.show(str).count("mod") == 600


SUM = """func.func @f() {{
  %zero = arith.constant 0 : index
  %r = loop.for %i = 0 to {trips} iter_args(%c = %zero : index) {{
    %v0 = arith.subi %i, %i : index
    {sums}
    %w = arith.addi %v{last}, %c : index
    loop.yield %w : index
  }}
  func.return
}}"""


def range_of_result(text: str) -> Ends:
    module = Parser(new_context(), text).parse_module()
    outermost = next(op for op in module.walk() if isinstance(op, ForOp))
    return LoopRanges().of(outermost.results[0])


def test_the_change_of_a_carried_value_is_found_once_per_part() -> None:
    """A sum of two equal parts, 40 levels deep, is no change of the carried value."""
    lines = [f"%v{n} = arith.addi %v{n - 1}, %v{n - 1} : index" for n in range(1, 40)]
    text = SUM.format(trips=1000, sums="\n    ".join(lines), last=39)
    low, high = range_of_result(text)
    assert low <= 0 <= high


@pytest.mark.parametrize("depth", [1, 2, 6])
@pytest.mark.parametrize("trips", [3, 60])
def test_carried_values_of_a_deep_nest_have_a_range(depth: int, trips: int) -> None:
    text, carried = "", "%zero"
    for level in range(depth):
        text += f"%r{level} = loop.for %i{level} = 0 to {trips} "
        text += f"iter_args(%c{level} = {carried} : index) {{\n"
        carried = f"%c{level}"
    text += f"%next = arith.addi {carried}, %one : index\n"
    text += "%rest = arith.remsi %next, %most : index\nloop.yield %rest : index\n}\n"
    for level in reversed(range(1, depth)):
        text += f"loop.yield %r{level} : index\n}}\n"
    given = "%zero = arith.constant 0 : index\n%one = arith.constant 1 : index\n"
    given += "%most = arith.constant 100000 : index\n"
    low, high = range_of_result(f"func.func @f() {{\n{given}{text}func.return\n}}")
    assert -100000 < low <= trips**depth % 100000 <= high < 100000
