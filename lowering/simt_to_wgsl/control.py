"""Handlers of loops, branches, sizes, thread and block ids, barriers and casts."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import Operation

from ...dialects import loop, simt
from ...dialects.shape import MOST, extent_of
from ...support.affine import Index
from ..lane_lists import emit_nothing, emit_repeat
from ..loop_to_llvm.arithmetic import emit_conversion
from ..loop_to_llvm.op_emitter import Handlers
from ..source_text import emit_if
from ..warpgroup_code import barrier_code
from .emitter import WgslEmitter

_BARRIERS = {
    "shared": ("workgroupBarrier();",),
    "global": ("storageBarrier();", "workgroupBarrier();"),
}


def emit_for(e: WgslEmitter, op: loop.ForOp) -> None:
    """Emit loop.for; carried values are variables, assigned at the end of the body.

    Errors: LoweringError for a loop that is bound to threads, or parallel.
    """
    e.begin_carried(op)
    lows, highs = op.bounds()
    low, high = _end(e, lows, "max"), _end(e, highs, "min")
    range_ = (
        max(index.range(e.range_of)[0] for index in lows),
        min(index.range(e.range_of)[1] for index in highs) - 1,
    )
    name = e.declare_position(op.variable, range_, "i")
    e.line(f"for (var {name}: i32 = {low}; {name} < {high}; {name} = {name} + 1) {{")
    e.emit_body(op)


def _end(e: WgslEmitter, bounds: list[Index], function: str) -> str:
    """Return the largest or the smallest of some loop bounds.

    function: max or min.
    """
    text, *others = [e.index_text(bound) for bound in bounds]
    for other in others:
        text = f"{function}({text}, {other})"
    return text


def emit_size(e: WgslEmitter, op: loop.SizeOp) -> None:
    """Emit loop.size as a variable."""
    text = e.size_text(extent_of(op.dim))
    name = e.declare_position(op.res, op.dim.range(MOST), "n")
    e.line(f"let {name}: i32 = {text};")


def emit_id(e: WgslEmitter, op: simt.IdOp) -> None:
    """Emit simt.thread_id or simt.block_id as a variable."""
    is_thread, axis = isinstance(op, simt.ThreadIdOp), op.dimension.data
    bound = op.bound.value
    range_ = 0, MOST if bound is None else bound - 1
    name = e.declare_position(op.res, range_, f"{'t' if is_thread else 'b'}{axis}_")
    if not is_thread and e.folds_grid and axis == "x":
        e.line(f"let {name}: i32 = i32(group_id.x + group_id.y * group_count.x);")
        e.line(f"if ({name} >= {e.size_text(extent_of(op.bound))}) {{")
        e.line("    return;")
        e.line("}")
    else:
        e.line(f"let {name}: i32 = i32({'thread' if is_thread else 'group'}_id.{axis});")


def emit_barrier(e: WgslEmitter, op: simt.BarrierOp) -> None:
    """Emit simt.barrier for the memory that it orders."""
    for text in barrier_code(op, _BARRIERS):
        e.line(text)


def emit_cast(e: WgslEmitter, op: Operation) -> None:
    """Emit a conversion; an i64 that becomes a position saturates to the range of i32."""
    source, result = op.operands[0], op.results[0]
    if not e.narrows(op):
        emit_conversion(e, op)
        return
    e.define(result, e.position_of_long(e.type_of(result), e.values[source]))


HANDLERS: Handlers = {
    arith.IndexCastOp: emit_cast,
    loop.CastOp: emit_cast,
    loop.ForOp: emit_for,
    loop.IfOp: emit_if,
    loop.SizeOp: emit_size,
    loop.YieldOp: emit_nothing,
    loop.PrefetchOp: emit_nothing,
    loop.RepeatOp: emit_repeat,
    simt.ThreadIdOp: emit_id,
    simt.BlockIdOp: emit_id,
    simt.BarrierOp: emit_barrier,
}
