"""Lower te.loops: inline its region on the buffers."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Operation, SSAValue

from ...dialects.te import LoopsOp


def lower_loops(op: LoopsOp) -> None:
    """Insert the ops of the region of a te.loops in buffer form before the te.loops."""
    insert_body(op.body.block, [*op.ins, *op.outs], op)


def insert_body(body: Block, buffers: Sequence[SSAValue], before: Operation) -> None:
    """Move the ops of a te.loops region before an op.

    body: the block of the region.
    buffers: the buffers that replace the arguments of the block.
    """
    block = before.parent_block()
    assert block is not None, "the op stands in a block"
    for argument, buffer in zip(list(body.args), buffers, strict=True):
        argument.replace_all_uses_with(buffer)
    for op in list(body.ops):
        op.detach()
        for inner in op.walk():
            inner.location = before.location
        block.insert_op_before(op, before)
