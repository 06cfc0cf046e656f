"""sched.rolling_buffer: keep the rows of a sliding window that consecutive iterations share."""

from __future__ import annotations

from dataclasses import dataclass, replace

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Operation

from ....dialects.loop import AllocOp, ForOp
from ....dialects.te import Access, ComputeOp, ComputeView
from ....support.affine import Index, Key, RangeOf, constant, divide, variable
from ....support.blocks import enclosing
from ...rewrite.loops import set_bounds
from ..engine.footprint import InnerVariables
from ..engine.placement import block_of
from ..engine.step import Handles, Step
from ..engine.substitution import substitute
from .local_buffers import shown
from .loop_buffer import LoopBuffer, loop_buffers


def rolling_buffer(step: Step) -> Handles:
    """Keep the rows that the next iteration of a serial loop reads again; compute only new rows.

        loop.for %r = 0 to 62 {
          %t = loop.alloc "local" : memref<3x64xf32>
          te.compute @blurx [h: 3, w: 64] ins(%X[%r + h, w] : ..) outs(%t[h, w] : ..)
          te.compute @blury [h: 1, w: 64, k: 3 red] ins(%t[h + k, w] : ..) outs(%Y[%r + h, w] ..) }
        %b = sched.rolling_buffer %blurx
    ==>
        %t = loop.alloc "local" rolling : memref<3x64xf32>
        te.compute @blurx [h: 2, w: 64] ins(%X[h, w] : ..) outs(%t[h, w] : ..)
        loop.for %r = 0 to 62 {
          te.compute @blurx [h: 1, w: 64] ins(%X[%r + h + 2, w] ..) outs(%t[(%r + h + 2) mod 3, w])
          te.compute @blury [..] ins(%t[(%r + h + k) mod 3, w] : ..) outs(%Y[%r + h, w] ..) }

    The first iteration's rows that are not new are computed before the loop. In a chain of
    stencils, apply the step to the buffers from the first producer to the last.
    out: the number of the output that is the buffer, by default 0.
    Before: the buffer is allocated in a serial loop with constant bounds (``fuse_into`` does that);
    its window moves along one dimension by less than its size; the compute is not tiled in that
    dimension; the loop does not change what the compute reads.
    Errors: ScheduleError otherwise, naming the operand that changes between iterations.
    """
    for buffer in loop_buffers(step, has_end=True):
        _roll(step, buffer)
    return [step.with_copies(step.computes())]


@dataclass(frozen=True)
class _MovingWindow:
    """A window of ``size`` positions in dimension ``dim`` that moves by ``shift`` per iteration."""

    dim: int
    size: int
    shift: int

    @property
    def overlap(self) -> int:
        """The number of positions that two consecutive iterations share."""
        return self.size - self.shift


@dataclass(frozen=True)
class _WindowFill:
    """A compute that writes rows of the window, and what counts these rows.

    op: the compute.
    axis: the axis of the compute that runs over the rows; None if a loop does.
    loop: the loop around the compute that runs over the rows; None if an axis does.
    """

    op: ComputeOp
    axis: str | None = None
    loop: ForOp | None = None


def _roll(step: Step, buffer: LoopBuffer) -> None:
    window = _find_window(step, buffer)
    rows = [_rows(step, buffer, window, op) for op in buffer.writers()]
    _require_inside(step, buffer, window)
    firsts: list[Operation] = []
    for top in buffer.fills():
        first = top.clone()
        step.record_copy(top, first)
        block_of(buffer.loop).insert_op_before(first, buffer.loop)
        firsts.append(first)
    for part in rows:
        _narrow(part, _copy_of(step, part), buffer, window)
    moved = buffer.move(
        list(buffer.shape), firsts[0], lambda a, ranges: _rolled(a, buffer, window, ranges)
    )
    moved.properties["rolling"] = UnitAttr()
    for first in firsts:
        substitute(first, {buffer.variable: constant(buffer.low)})


def _find_window(step: Step, buffer: LoopBuffer) -> _MovingWindow:
    """Return the window: the dimension along which the buffer's contents move with the loop.

    Errors: ScheduleError if the contents do not move, or if two iterations have no row in common.
    """
    op = next(o for o in step.computes() if buffer.alloc.res in o.outs)
    view = op.view()
    for dim, index in enumerate(_written(view, buffer).indices or []):
        shift = _shift(view, index, buffer.variable)
        if shift <= 0:
            continue
        if shift >= buffer.shape[dim]:
            raise step.error(
                f"consecutive iterations share nothing of @{op.label}",
                expected=f"a move by less than {buffer.shape[dim]} along dimension {dim}",
                got=shift,
                hint="tile the consumer by less, or leave the buffer as it is",
            )
        return _MovingWindow(dim, buffer.shape[dim], shift)
    if any(_loop_along(buffer, op, e) for e in _written(view, buffer).indices or []):
        raise step.error(
            f"@{op.label} is tiled inside the loop that its buffer belongs to",
            expected="one compute that fills the whole window",
            hint="use rolling_buffer before the compute is tiled",
        )
    raise step.error(
        f"what the loop needs of @{op.label} does not move from iteration to iteration",
        expected="a slice whose position depends on the loop",
        hint="move it into a loop over the axis that the window slides along: compute_at, or "
        "fuse_into in a script",
    )


def _written(view: ComputeView, buffer: LoopBuffer) -> Access:
    return next(o for o in view.outputs if o.value is buffer.alloc.res)


def _shift(view: ComputeView, index: Index, position: Key) -> int:
    """Return by how many positions the window moves per iteration of the loop.

    An element that an iteration stores at position p is the element that the next iteration stores
    at position p minus the result.
    view: the compute that stores the elements.
    index: the index of its output along the dimension in question.
    position: the variable of the loop.
    Returns 0 if the window does not move along this dimension, or by an unknown distance.
    """
    ahead = _next(view, index, {position: variable(position) + 1})
    if ahead != index:
        distance = index - ahead
        return distance.const if distance.is_constant else 0
    axis = index.variable()
    reads = [e for access in view.reads for e in access.indices or []]
    # In reads of another rolling buffer, the variables are in a mod, as in (%r + h + 2) mod 3.
    for read in (*reads, *(atom.operand for e in reads for atom in e.atoms())):
        step, moves = read.coefficient(axis), read.coefficient(position)
        if step and moves:
            return moves // step if moves % step == 0 else 0
    return 0


def _next(view: ComputeView, index: Index, values: dict[Key, Index]) -> Index:
    return index.substitute(values, view.range_of)


def _rows(step: Step, buffer: LoopBuffer, window: _MovingWindow, op: ComputeOp) -> _WindowFill:
    """Return how a compute runs over the rows of the window: along one of its axes, or a loop.

    Errors: ScheduleError unless a later iteration computes the shared rows from the same elements,
    and the axis has the size of the window.
    """
    view = op.view()
    index = (_written(view, buffer).indices or [])[window.dim]
    values: dict[Key, Index] = {buffer.variable: variable(buffer.variable) + 1}
    rows = _WindowFill(op, loop=_loop_along(buffer, op, index))
    moves = rows.loop is not None and index.coefficient(rows.loop.variable) == 1
    if rows.loop is not None and _fills_border(rows.loop, view, index, buffer, window):
        values[rows.loop.variable] = variable(rows.loop.variable) - window.shift
    elif not moves or _next(view, index, values) != index - window.shift:
        axis = index.variable()
        if not isinstance(axis, str) or view.extents[axis] != window.size:
            raise step.error(
                f"@{view.name} is tiled along dimension {window.dim} of the buffer",
                expected=f"a single axis of extent {window.size}",
                got=shown(index),
                hint="use rolling_buffer before the compute is tiled",
            )
        rows = _WindowFill(op, axis=axis)
        values[axis] = variable(axis) - window.shift
    _require_same(step, buffer, window, view, values)
    return rows


def _fills_border(
    loop: ForOp, view: ComputeView, index: Index, buffer: LoopBuffer, window: _MovingWindow
) -> bool:
    """Return whether a loop only fills window rows that lie outside of the producer's domain.

    The compute in the loop then reads nothing, and stores the pad value. The loop's variable is a
    position in the window. Its bounds are the ends of the window, or depend on the variable of the
    outer loop.
    index: the index of the store along the window.
    """
    ahead: dict[Key, Index] = {buffer.variable: variable(buffer.variable) + 1}
    lows, highs = loop.bounds()
    ends = {0: lows, window.size: highs}
    return (
        not view.reads
        and index.without(loop.variable).variable() in view.extents
        and index.coefficient(loop.variable) == 1
        and all(
            e == constant(end) or _next(view, e, ahead) == e - window.shift
            for end, bounds in ends.items()
            for e in bounds
        )
    )


def _loop_along(buffer: LoopBuffer, op: ComputeOp, index: Index) -> ForOp | None:
    """Return the loop inside the buffer's loop whose variable occurs in ``index``, or None."""
    for loop in enclosing(op):
        if loop is buffer.loop:
            break
        if isinstance(loop, ForOp) and index.coefficient(loop.variable):
            return loop
    return None


def _require_same(
    step: Step,
    buffer: LoopBuffer,
    window: _MovingWindow,
    view: ComputeView,
    values: dict[Key, Index],
) -> None:
    """Check that two consecutive iterations compute a shared row from the same elements.

    view: the compute.  values: the axes and loop variables of the row in the next iteration.
    """
    for access in view.accesses():
        for dim, index in enumerate(access.indices or []):
            if access.value is buffer.alloc.res and dim == window.dim:
                continue
            if (ahead := _next(view, index, values)) != index:
                raise step.error(
                    f"@{view.name} computes other values for a row in the next iteration",
                    expected=f"an access that stays at {shown(index)}",
                    got=shown(ahead),
                    hint="roll the buffers that it reads first, from the first producer on",
                )
    for value, writer in buffer.written_inside(view):
        owner = value.owner
        if not (isinstance(owner, AllocOp) and owner.rolling is not None):
            raise step.error(
                f"@{view.name} reads what @{writer.label} writes anew in every iteration",
                expected="operands that stay the same, or rolling buffers",
                hint=f"use rolling_buffer on @{writer.label} first",
            )


def _require_inside(step: Step, buffer: LoopBuffer, window: _MovingWindow) -> None:
    """Check that each padded read of the buffer provably stays inside the window.

    A padded read that may leave the window would give a row of another iteration instead of the pad
    value.
    """
    inner = InnerVariables(buffer.loop)
    for op in buffer.computes():
        view = op.view()
        for access in view.reads:
            if access.value is not buffer.alloc.res or access.pad is None:
                continue
            index = (access.indices or [])[window.dim]
            if not inner.stays_inside(index, view, window.size):
                raise step.error(
                    f"@{view.name} pads its reads of {buffer.name}",
                    hint="use fuse_into with halo = 1: the buffer then holds the border",
                )


def _copy_of(step: Step, part: _WindowFill) -> _WindowFill:
    (op,) = step.copies[part.op]
    loop = step.copies[part.loop][0] if part.loop is not None else None
    assert isinstance(op, ComputeOp)
    assert loop is None or isinstance(loop, ForOp)
    return _WindowFill(op, part.axis, loop)


def _narrow(
    part: _WindowFill, first: _WindowFill, buffer: LoopBuffer, window: _MovingWindow
) -> None:
    """Let the compute in the loop write only new rows, and its copy before the loop the others.

    The others are the rows that the first two iterations share.
    part: the compute in the loop, with its axis or loop over rows.
    first: its copy before the loop, likewise.
    """
    if part.axis is not None:
        _narrow_axis(part.op, part.axis, window.overlap, window.shift)
        _narrow_axis(first.op, part.axis, 0, window.overlap)
        return
    assert part.loop is not None
    assert first.loop is not None
    for rows, starts in ((part, True), (first, False)):
        loop, view = rows.loop, rows.op.view()
        assert loop is not None
        index = (_written(view, buffer).indices or [])[window.dim]
        fixed = {k: c for k, c in index.terms.items() if not isinstance(k, str)}
        rest = Index(fixed, index.const).without(loop.variable)
        lows, highs = loop.bounds()
        edge = constant(window.overlap) - rest
        set_bounds(loop, [*lows, edge] if starts else lows, highs if starts else [*highs, edge])


def _narrow_axis(op: ComputeOp, axis: str, first: int, size: int) -> None:
    view = op.view()
    smaller = replace(view, axes={**view.extents, axis: size})
    op.update(smaller.substitute({axis: variable(axis) + first}))


def _rolled(
    access: Access, buffer: LoopBuffer, window: _MovingWindow, range_of: RangeOf
) -> list[Index]:
    indices = list(access.indices or [])
    moved = (variable(buffer.variable) - buffer.low) * window.shift
    indices[window.dim] = divide("mod", indices[window.dim] + moved, window.size, range_of)
    return indices
