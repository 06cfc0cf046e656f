"""The ops around an op, and the values that the terminator of a block returns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.ir import Block, Operation, SSAValue


def enclosing(op: Operation) -> Iterator[Operation]:
    """Yield the ops around an op, innermost first."""
    parent = op.parent_op()
    while parent is not None:
        yield parent
        parent = parent.parent_op()


def op_in_block(op: Operation, block: Block) -> Operation:
    """Return the op directly in a block that is or contains ``op``.

    Before: the block, or a region of its ops, contains ``op``.
    """
    found = block.find_ancestor_op_in_block(op)
    assert found is not None, f"{op.name} stands outside of the block"
    return found


def returned(block: Block) -> Sequence[SSAValue]:
    """Return the operands of the terminator of a block, such as te.yield or func.return."""
    assert block.last_op is not None, "a block ends with a terminator"
    return block.last_op.operands
