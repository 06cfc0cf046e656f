"""Handlers of loops, branches, sizes, thread and block ids, and barriers."""

from __future__ import annotations

from ...dialects import loop, simt
from ...dialects.shape import MOST, extent_of
from ...support.affine import Index
from ..device_kernels import Exchange, exchanges_of
from ..lane_lists import emit_nothing, emit_repeat
from ..loop_to_llvm.op_emitter import Handlers
from ..source_text import emit_if
from ..warpgroup_code import barrier_code
from .emitter import CEmitter


def emit_for(e: CEmitter, op: loop.ForOp) -> None:
    """Emit loop.for; carried values are variables that the end of the body assigns.

    Errors: LoweringError for a loop that is parallel or bound to threads.
    """
    e.begin_carried(op)
    lows, highs = op.bounds()
    low, high = _end(e, lows, ">"), _end(e, highs, "<")
    if op.unroll_factor > 1:
        e.line(f"#pragma unroll {op.unroll_factor}")
    range_ = (
        max(index.range(e.range_of)[0] for index in lows),
        min(index.range(e.range_of)[1] for index in highs) - 1,
    )
    type_name, name = e.declare_position(op.variable, range_, "i")
    e.line(f"for ({type_name} {name} = {low}; {name} < {high}; ++{name}) {{")
    e.emit_body(op)


def _end(e: CEmitter, bounds: list[Index], sign: str) -> str:
    """Return the largest (sign: >) or smallest (<) of some loop bounds as C code.

    Several bounds need a variable, in which their extremum is computed.
    """
    texts = [e.index_text(bound) for bound in bounds]
    if len(bounds) == 1:
        return texts[0]
    ranges = [bound.range(e.range_of) for bound in bounds]
    type_name = e.position_type((min(r[0] for r in ranges), max(r[1] for r in ranges)))
    out = e.name("b")
    e.line(f"{type_name} {out} = {texts[0]};")
    for text in texts[1:]:
        e.line(f"{out} = {out} {sign} {text} ? {out} : {text};")
    return out


def emit_size(e: CEmitter, op: loop.SizeOp) -> None:
    """Emit loop.size."""
    text = e.size_text(extent_of(op.dim))
    type_name, name = e.declare_position(op.res, op.dim.range(MOST), "n")
    e.line(f"{type_name} {name} = {text};")


def emit_id(e: CEmitter, op: simt.IdOp) -> None:
    """Emit simt.thread_id or simt.block_id."""
    bound = op.bound.value
    is_thread = isinstance(op, simt.ThreadIdOp)
    range_ = 0, MOST if bound is None else bound - 1
    letter = "t" if is_thread else "b"
    type_name, name = e.declare_position(op.res, range_, f"{letter}{op.dimension.data}_")
    text = _index(e.dialect.thread, op.position) if is_thread else _block_index(e, op)
    e.line(f"{type_name} {name} = {text};")


def _block_index(e: CEmitter, op: simt.IdOp) -> str:
    """Return the expression of a block index.

    If the launch may exchange dimensions of the grid, because y or z would have too many blocks,
    the expression depends on sizes.
    """
    own, launch = _index(e.dialect.block, op.position), simt.launch_of(op)
    if launch is None or e.dialect.most_blocks is None:
        return own
    for exchange in reversed(exchanges_of(launch, e.dialect.most_blocks)):
        if op.position in (0, exchange.position):
            other = _index(e.dialect.block, exchange.position if op.position == 0 else 0)
            own = f"{_happens(e, exchange)} ? {other} : {own}"
    return own


def _happens(e: CEmitter, exchange: Exchange) -> str:
    """Return the condition under which the launch exchanges dimensions of the grid, as C code."""
    test = f"{e.size_text(extent_of(exchange.size))} > {e.dialect.most_blocks}"
    return test if exchange.unless is None else f"!({_happens(e, exchange.unless)}) && {test}"


def _index(pattern: str, position: int) -> str:
    return pattern.format(number=position, axis=simt.DIMENSIONS[position])


def emit_barrier(e: CEmitter, op: simt.BarrierOp) -> None:
    """Emit simt.barrier."""
    e.line(barrier_code(op, e.dialect.barriers))


HANDLERS: Handlers = {
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
