"""sched.reverse_compute_at: move an elementwise consumer into a loop of its producer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import prod

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....dialects.loop import AllocOp, ForOp
from ....dialects.te import Access, ComputeOp, ComputeView
from ....support.affine import Index, Key, Range, variable
from ....support.blocks import enclosing
from ..engine.footprint import InnerVariables, Slice
from ..engine.nest import is_reduced_loop
from ..engine.nest_edit import one_of
from ..engine.pieces import copies
from ..engine.placement import (
    append_to,
    block_of,
    comes_before,
    computes_in,
    erase_unused,
    is_inside,
    loops_in,
    users,
)
from ..engine.step import Handles, Step
from ..loops.parallel import check_parallel_loops
from .compute_at import loops_at
from .fuse_into import move_access


def reverse_compute_at(step: Step) -> Handles:
    """Move an elementwise consumer into the producer's loop, right after the producer.

        te.compute @mm [m: 64, n: 48, k: 8 red] .. outs(%t[m, n] add 0.0 : ..) nest [mo, mi, n, k]
        te.compute @relu [i: 64, j: 48] ins(%t[i, j] : ..) outs(%C[i, j] : ..)
        %r, %p = sched.reverse_compute_at %relu, %mm {axis = mo}
    ==>
        loop.for %mo = 0 to 8 {
          %s = loop.alloc "local" : memref<8x48xf32>
          te.compute @mm [mi: 8, n: 48, k: 8 red] .. outs(%s[mi, n] add 0.0 : ..) nest [mi, n, k]
          te.compute @relu [i: 8, j: 48] ins(%s[i, j] : ..) outs(%C[%mo * 8 + i, j] : ..)
        }

    The producer's loops from the outermost to the axis become loop.for ops. A local buffer without
    other readers shrinks to a slice; ``fuse_epilogue`` leaves the values in registers instead.
    axis: the loop of the producer into which the consumer moves.
    Handles: the innermost computes (leaves) of the consumer, then those of the producer.
    Before: the consumer is elementwise and reads each element of the producer at its own point;
    neither the loop of the axis nor a loop around it is reduced; an iteration computes a box of
    elements; the consumer's other operands are complete before the loops.
    Errors: ScheduleError otherwise, and for an axis that does not exist, is a vector or is scanned.
    """
    consumer, producers = step.only_compute(0), step.computes(1)
    axis, view = step.word("axis"), consumer.view()
    read = _the_read(step, consumer, view, producers)
    made = loops_at(step, producers, axis)
    _check_finished(step, made.loops, producers[0].label, axis)
    _check_others(step, consumer, made.loops, read)
    assert read.value is not None, "a consumer reads a buffer"
    parts = [_written(step, loop, read.value, axis) for loop in made.loops]
    inside = [*made.leaves, consumer]
    alone = isinstance(read.value.owner, AllocOp) and all(
        u in inside or any(is_inside(u, loop) for loop in made.loops) for u in users(read.value)
    )
    _define_before(consumer, made.loops)
    leaves = list(copies(consumer, len(parts)))
    for part, leaf in zip(parts, leaves, strict=True):
        append_to(part.loop, leaf)
        axes = dict(view.extents)
        values: dict[Key, Index] = {}
        for index, held in zip(read.indices or [], part.slices, strict=True):
            name = index.variable()
            if isinstance(name, str):
                axes[name], values[name] = held.size, held.base + variable(name)
        leaf.update(replace(view, axes=axes).substitute(values))
        if alone:
            _contract(part, read.value, leaf)
    check_parallel_loops(step.kernel, step.where)
    erase_unused([read.value])
    return [leaves, made.leaves]


@dataclass(frozen=True)
class _ProducerSlice:
    """The part of the producer's buffer that one iteration of a loop computes.

    slices: one slice per dimension.
    """

    loop: ForOp
    slices: list[Slice]


def _the_read(
    step: Step, consumer: ComputeOp, view: ComputeView, producers: Sequence[ComputeOp]
) -> Access:
    """Return the consumer's read of the producer.

    view: the consumer.
    Errors: ScheduleError unless each point of the consumer reads the element of that point.
    """
    written = {v for op in producers for v in op.outs}
    reads = [a for a in view.reads if a.value in written]
    label = producers[0].label
    if not reads:
        readers = {
            op.label
            for value in written
            for op in users(value)
            if isinstance(op, ComputeOp) and op not in producers
        }
        raise step.error(
            f"@{view.name} does not read @{label}",
            expected=one_of(f"@{n}" for n in sorted(readers)),
        )
    step.require_elementwise(view, f"compute @{label} at a loop of @{view.name}")
    first = reads[0]
    plain = [e.variable() for e in first.indices or []]
    own = first.indices is not None and all(
        size == 1 if name is None else view.extents.get(str(name)) == size
        for name, size in zip(plain, first.shape, strict=True)
    )
    names = [n for n in plain if n is not None]
    if not own or len(set(names)) < len(names) or any(r.indices != first.indices for r in reads):
        raise step.error(
            f"@{view.name} does not read @{label} at its own points",
            expected="one index per dimension, each an axis of the same extent",
            got=", ".join(str(e) for r in reads for e in r.indices or []) or "the whole operand",
            hint=f"compute @{label} at a loop of @{view.name}",
        )
    return first


def _check_finished(step: Step, loops: Sequence[ForOp], label: str, axis: str) -> None:
    """Check that no loop of ``axis``, and no loop around one, reduces the producer.

    Otherwise the producer's results would not be final inside of these loops.
    label: the label of the producer.
    """
    for loop in loops:
        chain = [loop, *(op for op in enclosing(loop) if isinstance(op, ForOp))]
        if any(is_reduced_loop(op, label) for op in chain):
            legal = [name for op in reversed(chain) if (name := _independent(op, label))]
            raise step.error(
                f"what @{label} computes is not finished in loop {axis}: it is reduced, or stands "
                "inside of a reduced loop",
                expected=one_of(legal),
            )


def _independent(loop: ForOp, label: str) -> str:
    """Return the name of the axis of a loop, if neither the loop nor a loop around it is reduced.

    Empty if the loop, or a loop around it, is a reduction loop of the compute ``label``.
    """
    chain = [loop, *(op for op in enclosing(loop) if isinstance(op, ForOp))]
    finished = not any(is_reduced_loop(op, label) for op in chain)
    return (loop.variable.name_hint or "") if finished else ""


def _define_before(consumer: ComputeOp, loops: Sequence[ForOp]) -> None:
    """Move each allocation that the consumer writes in front of the loops, if it follows them."""
    for alloc in (v.owner for v in consumer.outs):
        if not isinstance(alloc, AllocOp):
            continue
        block = block_of(alloc)
        tops = [top for top in map(block.find_ancestor_op_in_block, loops) if top is not None]
        first = min(tops, key=block.get_operation_index, default=None)
        if first is not None and first.is_before_in_block(alloc):
            alloc.detach()
            block.insert_op_before(alloc, first)


def _check_others(step: Step, consumer: ComputeOp, loops: Sequence[ForOp], read: Access) -> None:
    """Check that the consumer follows the loops, and its other operands are written before them.

    read: the consumer's read of the producer.
    """
    if not all(comes_before(loop, consumer) for loop in loops):
        raise step.error(
            f"@{consumer.label} stands before the loop", expected="a consumer behind the producer"
        )
    for value in (*consumer.ins, *consumer.post):
        for op in users(value):
            own = value is read.value and any(is_inside(op, loop) for loop in loops)
            if own or not isinstance(op, ComputeOp) or value not in op.outs:
                continue
            if not all(comes_before(op, loop) for loop in loops):
                raise step.error(
                    f"@{consumer.label} also reads @{op.label}, which is not complete before the "
                    "loop",
                    expected="operands that are computed earlier",
                    hint=f"move @{op.label} first",
                )


def _written(step: Step, loop: ForOp, buffer: SSAValue, axis: str) -> _ProducerSlice:
    """Return the box of elements of a buffer that one iteration of a loop writes.

    axis: the name of the loop, for messages.
    Errors: ScheduleError if the written elements do not provably fill a box.
    """
    inner = InnerVariables(loop)
    slices: list[Slice] | None = None
    points = 0
    label = ""
    for op in computes_in(loop):
        if buffer not in op.outs:
            continue
        view, label = op.view(), op.label
        output = next(o for o in view.outputs if o.value is buffer)
        found = [inner.slice_of(e, view) for e in output.indices or []]
        whole = [s for s in found if s is not None]
        if len(whole) < len(found):
            raise _no_box(step, label, axis)
        joined = whole if slices is None else _joined(slices, whole, view.range_of)
        if joined is None:
            raise _no_box(step, label, axis)
        slices = joined
        if not output.reduces or output.init is not None:
            points += _points(op, view, output, loop)
    if slices is None or points != prod(s.size for s in slices):
        raise _no_box(step, label, axis)
    return _ProducerSlice(loop, slices)


def _joined(
    first: Sequence[Slice], second: Sequence[Slice], range_of: Callable[[Key], Range]
) -> list[Slice] | None:
    unions = [a.union(b, range_of) for a, b in zip(first, second, strict=True)]
    found = [u for u in unions if u is not None]
    return found if len(found) == len(unions) else None


def _points(op: ComputeOp, view: ComputeView, output: Access, loop: ForOp) -> int:
    """Return how many elements of an output a compute writes in one iteration of a loop.

    op, view: the compute, inside of the loop, and its definition.
    Returns a negative number if the number of elements varies.
    """
    used = output.axes()
    count = prod(n for a, n in view.extents.items() if a in used)
    for inner in loops_in(loop):
        if is_inside(op, inner) and inner.variable in used:
            bounds = inner.static_bounds
            count *= -1 if bounds is None else bounds[1] - bounds[0]
    return count


def _no_box(step: Step, label: str, axis: str) -> Exception:
    return step.error(
        f"one iteration of loop {axis} does not compute a box of elements of @{label}",
        expected="a loop that no fused loop cuts through",
        hint="use fuse_epilogue, or a loop further out",
    )


def _contract(part: _ProducerSlice, buffer: SSAValue, leaf: Operation) -> None:
    """Allocate a buffer for a slice in its loop, and let the computes in the loop use it.

    part: the slice and its loop.
    buffer: the producer's buffer, which the new buffer replaces in this loop.
    leaf: the consumer in the loop.
    """
    assert isinstance(buffer.type, MemRefType)
    alloc = AllocOp.make(MemRefType(buffer.type.element_type, [s.size for s in part.slices]))
    alloc.res.name_hint = buffer.name_hint
    inner = InnerVariables(part.loop)
    Rewriter.insert_op(alloc, InsertPoint.at_start(part.loop.body.block))
    for op in computes_in(part.loop):
        view = op.view()
        for access in view.accesses():
            if access.value is buffer:
                move_access(access, alloc.res, part.slices, view, inner)
        op.update(view)
