"""Handlers of thread and block ids and of barriers; loops and branches are in source_text.py."""

from __future__ import annotations

from ...dialects import simt
from ...dialects.shape import MOST, extent_of
from ..loop_to_llvm.op_emitter import Handlers
from ..source_text import CONTROL_HANDLERS
from ..warpgroup_code import barrier_code
from .emitter import WgslEmitter

_BARRIERS = {
    "shared": ("workgroupBarrier();",),
    "global": ("storageBarrier();", "workgroupBarrier();"),
}


def emit_id(e: WgslEmitter, op: simt.IdOp) -> None:
    """Emit simt.thread_id or simt.block_id as a variable.

    If the launch spreads a one-dimensional grid over x and y, the block index is computed from both
    ids, and the threads of surplus blocks return.
    """
    is_thread, axis = isinstance(op, simt.ThreadIdOp), op.dimension.data
    bound = op.bound.value
    range_ = 0, MOST if bound is None else bound - 1
    is_folded = not is_thread and e.folds_grid and axis == "x"
    text = f"i32({'thread' if is_thread else 'group'}_id.{axis})"
    if is_folded:
        text = "i32(group_id.x + group_id.y * group_count.x)"
    name = e.define_position(op.res, range_, f"{'t' if is_thread else 'b'}{axis}_", text)
    if is_folded:
        with e.braces(f"if ({name} >= {e.size_text(extent_of(op.bound))})"):
            e.line("return;")


def emit_barrier(e: WgslEmitter, op: simt.BarrierOp) -> None:
    """Emit simt.barrier as the barrier calls for the memory that it orders."""
    for text in barrier_code(op, _BARRIERS):
        e.line(text)


HANDLERS: Handlers = {
    **CONTROL_HANDLERS,
    simt.ThreadIdOp: emit_id,
    simt.BlockIdOp: emit_id,
    simt.BarrierOp: emit_barrier,
}
