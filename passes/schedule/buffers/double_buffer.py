"""sched.double_buffer: fill one copy of a buffer for the next iteration while another is in use."""

from __future__ import annotations

from ....dialects.te.view import loop_variable_range
from ....support.affine import constant, divide, variable
from ..engine.placement import append_to, block_of, computes_of, insert_loop
from ..engine.step import Handles, Step
from ..engine.substitution import substitute
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

    ``out`` (0) selects the output of the compute.  The result handle includes the first fill.
    Before: the buffer is allocated in a serial loop with constant bounds (``fuse_into`` does that);
    the fill precedes the uses and reads nothing that the loop writes.
    Errors: ScheduleError otherwise, naming the compute that the fill depends on.
    """
    for buffer in loop_buffers(step):
        _require_early(step, buffer)
        _double(buffer)
    return [step.with_copies(step.computes())]


def _require_early(step: Step, buffer: LoopBuffer) -> None:
    """Check that the next fill may run before the current use."""
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
        top = buffer.loop.body.block.find_ancestor_op_in_block(op)
        assert top is not None, "the buffer belongs to the loop"
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


def _double(buffer: LoopBuffer) -> None:
    loop, key = buffer.loop, buffer.variable
    fills, shape = buffer.fills(), [2, *buffer.shape]
    turn = divide("mod", variable(key) - buffer.low, 2, loop_variable_range)
    buffer.move(shape, loop, lambda access, _: [turn, *(access.indices or [])])
    for top in fills:
        first = top.clone()
        buffer.step.record_copy(top, first)
        block_of(loop).insert_op_before(first, loop)
        substitute(first, {key: constant(buffer.low)})
    begin = loop.body.block.first_op
    assert begin is not None, "a loop body ends with loop.yield"
    next_one = variable(key) + 1
    ahead = insert_loop(begin, [next_one], [constant(buffer.high), next_one + 1])
    for top in fills:
        append_to(ahead, top)
        substitute(top, {key: variable(ahead.variable)})
