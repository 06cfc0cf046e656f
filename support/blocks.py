"""The ops around an op, and the terminator of a block."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

OpT = TypeVar("OpT", bound=Operation)


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


def terminator(block: Block, op_type: type[OpT]) -> OpT:
    """Return the terminator of a block, an op of the given type, such as te.yield."""
    last = block.last_op
    assert isinstance(last, op_type), f"a block ends with {op_type.name}"
    return last


def returned(block: Block) -> Sequence[SSAValue]:
    """Return the operands of the terminator of a block, such as te.yield or func.return."""
    assert block.last_op is not None, "a block ends with a terminator"
    return block.last_op.operands


def before_end(block: Block) -> InsertPoint:
    """Return the position before the terminator of a block."""
    return InsertPoint.before(terminator(block, Operation))


def copy_ops(
    source: Block, known: dict[SSAValue, SSAValue], append: Callable[[Operation], object]
) -> list[SSAValue]:
    """Copy the ops of a block, except its terminator; return the copies of its operands.

    known: maps values of the block, such as its arguments, to the values that the copies use; the
    results of the ops are added.  append: inserts a copy.
    """
    for op in list(source.ops)[:-1]:
        append(op.clone(known))
    return [known.get(value, value) for value in returned(source)]


def take_body(block: Block) -> list[Operation]:
    """Detach the ops of a block, except its terminator, and return them."""
    body = list(block.ops)[:-1]
    for op in body:
        op.detach()
    return body
