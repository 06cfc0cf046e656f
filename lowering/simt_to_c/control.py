"""Handlers of thread and block ids and of barriers; loops and branches are in source_text.py."""

from __future__ import annotations

from ...dialects import simt
from ...dialects.shape import MOST, extent_of
from ..device_kernels import Exchange, exchanges_of
from ..loop_to_llvm.op_emitter import Handlers
from ..source_text import CONTROL_HANDLERS
from ..warpgroup_code import barrier_code
from .emitter import CEmitter


def emit_id(e: CEmitter, op: simt.IdOp) -> None:
    """Emit simt.thread_id or simt.block_id as a variable with the language's built-in id."""
    bound = op.bound.value
    is_thread = isinstance(op, simt.ThreadIdOp)
    range_ = 0, MOST if bound is None else bound - 1
    letter = "t" if is_thread else "b"
    text = _index(e.dialect.thread, op.position) if is_thread else _block_index(e, op)
    e.define_position(op.res, range_, f"{letter}{op.dimension.data}_", text)


def _block_index(e: CEmitter, op: simt.IdOp) -> str:
    """Return the index of the block along one dimension of the grid, as C code.

    A launch may exchange dimensions of the grid whose block count is dynamic (device_kernels.py).
    The code then compares the sizes, as the launch does, to find out which built-in id has the
    index.
    op: the simt.block_id.
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
    """Return the condition under which the launch exchanges two dimensions, as C code."""
    test = f"{e.size_text(extent_of(exchange.size))} > {e.dialect.most_blocks}"
    return test if exchange.unless is None else f"!({_happens(e, exchange.unless)}) && {test}"


def _index(pattern: str, position: int) -> str:
    return pattern.format(number=position, axis=simt.DIMENSIONS[position])


def emit_barrier(e: CEmitter, op: simt.BarrierOp) -> None:
    """Emit simt.barrier as the language's barrier statement for the memory that it orders."""
    e.line(barrier_code(op, e.dialect.barriers))


HANDLERS: Handlers = {
    **CONTROL_HANDLERS,
    simt.ThreadIdOp: emit_id,
    simt.BlockIdOp: emit_id,
    simt.BarrierOp: emit_barrier,
}
