"""Lower te.loops: inline its region on the buffers."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Operation, SSAValue

from ...dialects.te import LoopsOp


def lower_loops(op: LoopsOp) -> None:
    """Inline the region of a te.loops in buffer form before the op."""
    insert_body(op.body.block, [*op.ins, *op.outs], op)


def insert_body(body: Block, buffers: Sequence[SSAValue], before: Operation) -> None:
    """Move the ops of a region of te.loops before an op; replace its arguments by buffers."""
    block = before.parent_block()
    assert block is not None, "the op stands in a block"
    for argument, buffer in zip(list(body.args), buffers, strict=True):
        argument.replace_all_uses_with(buffer)
    for op in list(body.ops):
        op.detach()
        for inner in op.walk():
            inner.location = before.location
        block.insert_op_before(op, before)
