"""Handlers of loops, branches, sizes, thread and block ids, barriers, copies and shuffles."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import chain

from xdsl.dialects import arith, scf
from xdsl.dialects import gpu as upstream
from xdsl.dialects.builtin import i32
from xdsl.ir import Operation, Region, SSAValue

from ...dialects import gpu, loop, simt
from ...dialects.shape import MOST, extent_of
from ...support.affine import Index
from ...support.blocks import returned
from ..device_kernels import check_serial
from ..loop_to_llvm.op_emitter import Handlers
from .builder import INDEX, KernelBuilder


def emit_for(b: KernelBuilder, op: loop.ForOp) -> None:
    """Emit loop.for as scf.for, which carries each lane of a vector as a separate value.

    Errors: LoweringError for a loop that is bound to threads, or parallel.
    """
    check_serial(op)
    lows, highs = op.bounds()
    low, high = _end(b, lows, arith.MaxSIOp), _end(b, highs, arith.MinSIOp)
    inits = [b.lanes[value] for value in op.inits]
    flat = list(chain(*inits))
    b.ranges[op.variable] = b.loop_range(lows, highs)
    with b.block(INDEX, *(value.type for value in flat)) as body:
        variable, *carried = body.args
        b.define(op.variable, [variable])
        _define_parts(b, op.body.block.args[1:], inits, carried)
        b.emit_body(op.body.block)
        yielded = returned(op.body.block)
        b.append(scf.YieldOp(*chain(*(b.lanes[value] for value in yielded))))
    made = scf.ForOp(low, high, b.number(INDEX, 1), flat, Region(body))
    b.append(made)
    _define_parts(b, op.res, inits, made.results)


def _define_parts(
    b: KernelBuilder,
    values: Sequence[SSAValue],
    like: Sequence[Sequence[SSAValue]],
    lanes: Sequence[SSAValue],
) -> None:
    """Record the lanes of several values, given as one flat list.

    lanes: the lanes of all values, in order.
    like: for each value, a sequence with as many items as the value has lanes.
    """
    start = 0
    for value, part in zip(values, like, strict=True):
        b.define(value, lanes[start : start + len(part)])
        start += len(part)


def _end(b: KernelBuilder, bounds: Sequence[Index], made: type[Operation]) -> SSAValue:
    """Append the largest or the smallest of several loop bounds; return it.

    made: the op that computes the larger or the smaller of two values.
    """

    def extremum(lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        return b.pure(made.create(operands=[lhs, rhs], result_types=[INDEX]))

    return reduce(extremum, [b.position(bound) for bound in bounds])


def emit_if(b: KernelBuilder, op: loop.IfOp) -> None:
    """Emit loop.if as scf.if without results."""
    (condition,) = b.lanes[op.condition]
    with b.block() as body:
        b.emit_body(op.body.block)
        b.append(scf.YieldOp())
    b.append(scf.IfOp(condition, [], Region(body)))


def emit_size(b: KernelBuilder, op: loop.SizeOp) -> None:
    """Define the result of loop.size as the size that is known at the start of the kernel."""
    b.ranges[op.res] = op.dim.range(MOST)
    b.define(op.res, [b.size(extent_of(op.dim))])


def emit_id(b: KernelBuilder, op: simt.IdOp) -> None:
    """Emit simt.thread_id or simt.block_id as the op of the gpu dialect."""
    bound = op.bound.value
    b.ranges[op.res] = (0, MOST if bound is None else bound - 1)
    made = gpu.ThreadIdOp if isinstance(op, simt.ThreadIdOp) else gpu.BlockIdOp
    b.define(op.res, [b.add(made(op.dimension.data))])


def emit_barrier(b: KernelBuilder, op: Operation) -> None:
    """Emit simt.barrier as gpu.barrier, which orders accesses to all memory."""
    b.append(upstream.BarrierOp())


def emit_async_copy(b: KernelBuilder, op: simt.AsyncCopyOp) -> None:
    """Emit simt.async_copy as a plain load and store, so that no wait is needed."""
    b.emit_body(op.body.block)


def emit_async_wait(_: KernelBuilder, op: simt.AsyncCommitOp | simt.AsyncWaitOp) -> None:
    """Emit nothing for simt.async_commit or simt.async_wait: the copies are already done."""


def emit_shuffle(b: KernelBuilder, op: simt.ShuffleOp) -> None:
    """Emit simt.shuffle as gpu.shuffle.

    The second result of gpu.shuffle, whether the other lane exists, is not used, because the rows
    of a block are whole warps.
    """
    (value,) = b.lanes[op.value]
    mask, width = (b.number(i32, number) for number in (op.mask.data, simt.WARP))
    made = gpu.ShuffleOp(value, mask, width, "xor")
    b.append(made)
    b.define(op.res, [made.res])


HANDLERS: Handlers = {
    loop.ForOp: emit_for,
    loop.IfOp: emit_if,
    loop.SizeOp: emit_size,
    simt.ThreadIdOp: emit_id,
    simt.BlockIdOp: emit_id,
    simt.BarrierOp: emit_barrier,
    simt.AsyncCopyOp: emit_async_copy,
    simt.AsyncCommitOp: emit_async_wait,
    simt.AsyncWaitOp: emit_async_wait,
    simt.ShuffleOp: emit_shuffle,
}
