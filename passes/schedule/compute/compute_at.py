"""sched.compute_at: move a producer into a loop of a consumer's nest."""

from __future__ import annotations

from collections.abc import Sequence

from ....dialects.te import ComputeOp, ComputeView
from ....dialects.te.loop_nest import VECTOR
from ..engine.nest import LoweredNest, is_whole, loops_around, made_loops, make_nest, nest_of
from ..engine.nest_edit import check_registers, one_of, plain_view, require_loop
from ..engine.placement import computes_in, is_inside
from ..engine.step import Handles, Step
from ..loops.parallel import check_parallel_loops
from .fuse_into import fuse_producer


def compute_at(step: Step) -> Handles:
    """Move a producer into a consumer's loop; compute only the part that an iteration reads.

        te.compute @exp [i: 64, j: 128] .. outs(%e[i, j] : memref<64x128xf32>)
        te.compute @scale [i: 64, j: 128] ins(%e[i, j] : ..) .. nest [io, ii, j] ..
        %p, %c = sched.compute_at %exp, %scale {axis = io}
    ==>
        loop.for %io = 0 to 16 {
          %s = loop.alloc "local" : memref<4x128xf32>
          te.compute @exp [i: 4, j: 128] ins(%x[%io * 4 + i, j] ..) outs(%s[i, j] : ..)
          te.compute @scale [ii: 4, j: 128] ins(%s[ii, j] : ..) .. nest [ii, j]
        }

    The consumer's loops from the outermost to ``axis`` become loop.for ops; its inner loops and the
    producer's nest stay pending. For padded reads the buffer includes a border filled with the pad
    value.
    axis: the loop of the consumer into which the producer moves.
    whole: axes of the producer that keep all their positions, although the loop reads only a part.
    Handles: the innermost computes (leaves) of the producer, then those of the consumer.
    Before: the consumer, or a compute in that loop, reads the producer; all loops of the producer
    are pending.
    Errors: ScheduleError otherwise, and for an axis that does not exist, is a vector or is scanned,
    or stands between the loops of a guarded split.
    """
    producers, consumers = step.computes(0), step.computes(1)
    producer = producers[0]
    axis = step.word("axis")
    if around := list(made_loops(step.kernel, producer.label)):
        raise step.error(
            f"loops {', '.join(around)} of @{producer.label} exist already",
            expected=f"compute_at of @{producer.label} before that of what it reads",
        )
    _check_reads(step, producers, consumers, axis)
    made = loops_at(step, consumers, axis)
    leaves, _ = fuse_producer(step, producers, made.loops, halo=True, whole=step.words("whole"))
    check_parallel_loops(step.kernel, step.where)
    return [leaves, made.leaves]


def loops_at(step: Step, computes: Sequence[ComputeOp], axis: str) -> LoweredNest:
    """Return the loop.for ops of loop ``axis``, and the innermost computes inside of them.

    If the loop is still pending, the function first makes it, and all pending loops outside of it.
    computes: the innermost computes (leaves) that were made from one compute.
    """
    if there := loops_around(step.kernel, computes, axis):
        return LoweredNest(list(computes), there)
    made = LoweredNest()
    for op in computes:
        view = plain_view(step, op)
        _check_axis(step, view, axis)
        part = make_nest(op, until=axis)
        made.leaves += part.leaves
        made.loops += part.loops
    return made


def places(step: Step, view: ComputeView) -> list[str]:
    """Return the names of a compute's loops into which ``compute_at`` can move a producer.

    The loop.for ops that already exist come first, then the pending loops, outermost first.
    """
    made, nest = list(made_loops(step.kernel, view.name)), nest_of(view)
    whole = [i for i, e in enumerate(nest.order) if is_whole(view, e)]
    legal = nest.order[: min(whole, default=len(nest.order))]
    between = {
        axis
        for split in nest.guarded_splits()
        for axis in nest.axes[nest.axes.index(split.outer) : nest.axes.index(split.inner)]
    }
    return [*made, *(e.axis for e in legal if e.mark != VECTOR and e.axis not in between)]


def _check_axis(step: Step, view: ComputeView, axis: str) -> None:
    legal = places(step, view)
    if axis in legal:
        check_registers(step, view, axis)
        return
    entry = require_loop(step, view, axis)
    rule = "is a vector" if entry.mark == VECTOR else "is scanned, guarded, or in such a loop"
    raise step.error(f"loop {axis} of @{view.name} {rule}", expected=one_of(legal))


def _check_reads(
    step: Step, producers: Sequence[ComputeOp], consumers: Sequence[ComputeOp], axis: str
) -> None:
    """Check that one of the consumers, or a compute in their loop ``axis``, reads the producers."""
    label = consumers[0].label
    loops = made_loops(step.kernel, label).get(axis, [])
    producer = producers[0]
    readers = [
        op
        for op in computes_in(step.kernel)
        if op not in producers and any(v in producer.outs for v in (*op.ins, *op.post))
    ]
    if any(op in consumers or any(is_inside(op, loop) for loop in loops) for op in readers):
        return
    written = {v for op in consumers for v in op.outs}
    is_reversed = any(v in written for op in producers for v in (*op.ins, *op.post))
    hint = f"@{producer.label} reads @{label}: use reverse_compute_at, or place @{label} instead: "
    raise step.error(
        f"nothing in loop {axis} of @{label} reads @{producer.label}",
        expected=_loops_of_readers(step, readers),
        hint=hint + _loops_of_readers(step, producers) if is_reversed else "",
    )


def _loops_of_readers(step: Step, readers: Sequence[ComputeOp]) -> str:
    """Return, for a message, the loops of each reader into which its producer can move."""
    found = {op.label: places(step, op.view()) for op in readers}
    return "; ".join(f"{one_of(loops)} of @{label}" for label, loops in found.items()) or "none"
