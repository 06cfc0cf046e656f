"""sched.double_buffer: fill one copy of a buffer for a later iteration while another is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint, Rewriter

from ....dialects.loop import AllocOp, ForOp
from ....dialects.te import Access, ComputeOp
from ....dialects.te.view import loop_variable_range
from ....support.affine import Index, constant, divide, variable
from ....support.blocks import op_in_block
from ...rewrite.stores import copy_compute
from ..engine.placement import append_to, block_of, computes_of, insert_loop
from ..engine.step import Handles, Step
from ..engine.substitution import substitute
from .local_buffers import stored_plainly
from .loop_buffer import LoopBuffer, loop_buffers


def double_buffer(step: Step) -> Handles:
    """Double a buffer that a loop fills; fill the next copy before using the current one.

        loop.for %k = 0 to 8 {
          %b = loop.alloc "local" : memref<16xf32>
          te.compute @copy [c: 16] ins(%X[%k * 16 + c] : ..) outs(%b[c] : ..)
          te.compute @use [c: 16] ins(%b[c] : ..) .. }
        %d = sched.double_buffer %copy
    ==>
        %b = loop.alloc "local" : memref<2x16xf32>
        te.compute @copy [c: 16] ins(%X[c] : ..) outs(%b[0, c] : ..)
        loop.for %k = 0 to 8 {
          loop.for %f = %k + 1 to min(8, %k + 2) {
            te.compute @copy [c: 16] ins(%X[%f * 16 + c] : ..) outs(%b[%f mod 2, c] : ..) }
          te.compute @use [c: 16] ins(%b[%k mod 2, c] : ..) .. }

    The fill of a buffer is the computes that write it, here @copy; its uses are the computes that
    read it.
    out: the number of the compute's output that is the buffer, by default 0.
    stages: the number of copies of the buffer, by default 2. Each iteration fills the copy that the
    iteration ``stages - 1`` later uses.
    late: 1 if the fill writes a local buffer, and a copy after the uses moves the elements into the
    shared buffer. A processor that executes instructions in order then does not wait for the loads
    before the uses. ``stages = 1`` is then allowed: one shared buffer.
    Handles: the fills, also those before the loop, and with ``late`` the copies. If the end of the
    loop is not constant, each fill before the loop has a guard.
    Before: the buffer is allocated in a serial loop from a constant (``fuse_into`` does that); the
    fill precedes the uses and reads nothing that the loop writes.
    Errors: ScheduleError otherwise, naming the compute that the fill depends on; for fewer than two
    stages without ``late``; with ``late`` for a fill of several computes, or by a reduction.
    """
    is_late, stages = bool(step.number("late", 0)), step.number("stages", 2)
    if stages < (1 if is_late else 2):
        raise step.error("too few stages", expected="2, or 1 with late", got=stages)
    added: list[ComputeOp] = []
    for buffer in loop_buffers(step, has_end=False):
        _require_early(step, buffer)
        if is_late:
            _require_single(step, buffer)
        added += _pipeline(buffer, stages, is_late=is_late)
    return [[*step.with_copies(step.computes()), *added]]


def _require_early(step: Step, buffer: LoopBuffer) -> None:
    """Check that a fill for a later iteration may run before the uses of the current iteration."""
    fills = buffer.fills()
    for op in (c for top in fills for c in computes_of(top)):
        for _, writer in buffer.written_inside(op.view()):
            raise step.error(
                f"@{op.label} reads what @{writer.label} writes in the loop",
                expected="a fill that depends on nothing in the loop",
                hint=f"keep @{writer.label} out of the loop, or inline it",
            )
    last = fills[-1]
    for op in buffer.computes():
        top = op_in_block(op, buffer.loop.body.block)
        if top not in fills and top.is_before_in_block(last):
            raise step.error(
                f"@{op.label} reads the buffer before {buffer.name} has filled it",
                expected="a buffer that is filled first and used then",
            )
        if top in fills and op not in buffer.writers():
            raise step.error(
                f"@{op.label} uses the buffer in a loop that fills it",
                hint="fuse the producer into the loop around it",
            )


def _require_single(step: Step, buffer: LoopBuffer) -> None:
    tops = buffer.fills()
    views = [top.view() for top in tops if isinstance(top, ComputeOp)]
    if len(tops) > 1 or not views or views[0].reduced_axes() or views[0].scan is not None:
        raise step.error(
            f"{buffer.name} may write elements of the buffer several times",
            expected="one compute without sums that fills the buffer",
            hint="leave out late, or copy the operand by cache_read",
        )


def _pipeline(buffer: LoopBuffer, stages: int, *, is_late: bool) -> list[ComputeOp]:
    """Fill the buffer ``stages - 1`` iterations ahead; return the copies that late fills need.

    is_late: whether a fill writes a local buffer, from which a copy after the uses moves the
    elements.
    """
    loop, fills = buffer.loop, buffer.fills()
    if buffer.high is not None:
        stages = min(stages, buffer.high - buffer.low)
    alloc = _move(buffer, stages) if stages > 1 else _hoist(buffer)
    distance = max(stages - 1, 1)
    for ahead in range(distance):
        _fill_before(buffer, fills, ahead)
    begin, end = loop.body.block.first_op, loop.body.block.last_op
    assert begin is not None, "a loop body ends with loop.yield"
    assert end is not None, "a loop body ends with loop.yield"
    copies = [_late_copy(buffer, alloc, top) for top in fills] if is_late else []
    _guarded(buffer, begin, fills, variable(buffer.variable) + distance)
    if copies:
        _guarded(buffer, end, copies, variable(buffer.variable) + distance)
    return copies


def _move(buffer: LoopBuffer, stages: int) -> AllocOp:
    """Replace a buffer by ``stages`` copies of it, and return the new allocation, before the loop.

    The new dimension is the outermost one. Iterations use the copies in turn.
    """
    position = variable(buffer.variable) - buffer.low
    turn = divide("mod", position, stages, loop_variable_range)
    shape = [stages, *buffer.shape]
    return buffer.move(shape, buffer.loop, lambda access, _: [turn, *(access.indices or [])])


def _hoist(buffer: LoopBuffer) -> AllocOp:
    """Move the allocation of a buffer before the loop that fills it; return the allocation.

    All iterations then use the same memory.
    """
    buffer.alloc.detach()
    block_of(buffer.loop).insert_op_before(buffer.alloc, buffer.loop)
    return buffer.alloc


def _fill_before(buffer: LoopBuffer, fills: Sequence[Operation], ahead: int) -> None:
    """Copy the ops that fill the buffer to before the loop, for iteration number ``ahead``.

    If the end of the loop is unknown, this iteration may not exist, so the copies get a guard.
    """
    position = constant(buffer.low + ahead)
    clones = [top.clone() for top in fills]
    for top, clone in zip(fills, clones, strict=True):
        buffer.step.record_copy(top, clone)
    if buffer.high is None:
        _guarded(buffer, buffer.loop, clones, position)
        return
    for clone in clones:
        block_of(buffer.loop).insert_op_before(clone, buffer.loop)
        substitute(clone, {buffer.variable: position})


def _guarded(
    buffer: LoopBuffer, before: Operation, tops: Sequence[Operation], position: Index
) -> ForOp:
    """Move ops that fill a buffer into a new loop, which guards iteration number ``position``.

    The guard runs its body once if the buffer's loop has this iteration, and otherwise not at all.
    before: the op before which the guard is inserted.
    tops: the ops to move.
    Returns the guard.
    """
    guard = insert_loop(before, [position], [*buffer.loop.bounds()[1], position + 1])
    for top in tops:
        append_to(guard, top)
        substitute(top, {buffer.variable: variable(guard.variable)})
    return guard


def _late_copy(buffer: LoopBuffer, alloc: AllocOp, top: Operation) -> ComputeOp:
    """Let a fill write a new local buffer; return the compute that copies it to the shared buffer.

    The caller inserts the copy, which has the same loops as the fill.
    alloc: the allocation of the shared buffer.
    top: the compute that fills the shared buffer.
    """
    step = buffer.step
    assert isinstance(top, ComputeOp), "a late fill is a compute"
    view = top.view()
    (output,) = view.outputs
    stage = AllocOp.make(MemRefType(output.element_type, buffer.shape), "local")
    Rewriter.insert_op(stage, InsertPoint.at_start(buffer.loop.body.block))
    inner = (output.indices or [])[len(output.indices or []) - len(buffer.shape) :]
    label = step.fresh_label(f"{view.name}_{alloc.scope.data}")
    copy = copy_compute(label, view.axes, Access(stage.res, inner), replace(output))
    copy.location = top.location
    copied = copy.view()
    copy.update(replace(copied, nest=view.nest, tile=dict(view.tile)))
    top.update(replace(view, outputs=[stored_plainly(output, stage.res, inner)]))
    return copy
