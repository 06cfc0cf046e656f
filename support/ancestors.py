"""The ops around an op: its parents, and its ancestor in a given block."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block, Operation


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
