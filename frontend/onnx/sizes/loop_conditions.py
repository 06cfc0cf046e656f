"""Find the carried values that determine how often a loop runs.

In: the block of a converted body, the condition and the carried values that it computes.  Out: the
positions of the carried values on which the condition depends, in this and in earlier iterations.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ....dialects.graph import mentioned_symbols
from ....dialects.shape import symbols_of


def deciding_values(
    block: Block, condition: SSAValue, following: Sequence[SSAValue], symbol: str
) -> list[int] | None:
    """Return the positions of the carried values that determine when the loop ends, ascending.

    Return None if the condition depends on values whose sizes change.
    block: the body, whose arguments are the carried values.  condition: decides about another
    iteration.  following: the carried values for the next iteration.  symbol: the size symbol of
    the iteration number; the sizes of a value change if its type contains this symbol.
    """
    found, seen = set[int](), set[SSAValue]()
    left = [condition]
    while left:
        value = left.pop()
        if value in seen or not _is_inside(value, block):
            continue
        seen.add(value)
        if symbol in symbols_of(value.type):
            return None
        if isinstance(value, BlockArgument):
            if value.block is block:
                found.add(value.index)
                left.append(following[value.index])
            continue
        assert isinstance(value.owner, Operation), "not a block argument"
        for op in value.owner.walk():
            if symbol in mentioned_symbols(op):
                return None
            left += op.operands
    return sorted(found)


def _is_inside(value: SSAValue, block: Block) -> bool:
    """Return whether a value is defined in a block or its nested regions."""
    around = value.block if isinstance(value, BlockArgument) else value.owner.parent_block()
    while around is not None and around is not block:
        parent = around.parent_op()
        around = None if parent is None else parent.parent_block()
    return around is block
