"""sched.split_reduction: split a reduced axis into blocks that accumulate in memory."""

from __future__ import annotations

from xdsl.ir import Operation

from ....dialects.te import ComputeOp, ComputeView
from ....support.affine import Index, constant
from ...rewrite.sections import sections
from ..engine.pieces import Piece, in_loops, in_order, narrow
from ..engine.placement import append_to, insert_loop
from ..engine.step import Handles, Step


def split_reduction(step: Step) -> Handles:
    """Split a reduced axis into blocks: a first, a loop of middle blocks, and a last one.

        te.compute @mm [m: 6, n: 16, k: 100 red] .. outs(%C[m, n] add 0.0 : ..) body .. then ..
        %leaves, %loop = sched.split_reduction %c {k = 30}
    ==>
        te.compute @mm [m: 6, n: 16, k: 30 red] .. outs(%C[m, n] add 0.0 : ..) body ..
        loop.for %b = 1 to 3 {
          te.compute @mm [.., k: 30 red] ins(%A[m, %b * 30 + k] ..) outs(%C[m, n] add acc : ..) ..
        }
        te.compute @mm [.., k: 10 red] ins(%A[m, k + 90] ..) outs(%C[m, n] add acc) .. then ..

    The compute of the first block initializes the output, the others add their sums to it in
    memory, and the last one applies ``then``. With one block the compute does not change; with two
    blocks there is no loop. A compute that continues from memory and has no ``then`` becomes one
    compute in a loop over all full blocks, and one for the remainder.
    <axis>: the number of positions per block, as ``k = 30`` above.
    Handles: the computes, and the loops.
    Before: the axis is reduced; the register tile is not declared; the outputs have the
    accumulator's type.
    Errors: ScheduleError otherwise.
    """
    axis, size = step.only_size()
    leaves: list[ComputeOp] = []
    loops: list[Operation] = []
    for op in step.computes():
        view = op.view()
        _check(step, view, axis)
        if view.extents[axis] <= size:
            leaves.append(op)
        else:
            _split(op, view, axis, size, leaves, loops)
    return [leaves, loops]


def _check(step: Step, view: ComputeView, axis: str) -> None:
    step.require_reduced(view, axis, "use tile")
    step.require_no_register_tile(view)
    for output in view.outputs:
        step.require_stored_accumulator(view, output, "keep the reduction in one leaf")


def _split(
    op: ComputeOp,
    view: ComputeView,
    axis: str,
    size: int,
    leaves: list[ComputeOp],
    loops: list[Operation],
) -> None:
    extent = view.extents[axis]
    if not view.then.blocks and all(output.init is None for output in view.outputs):
        for piece, loop in in_loops(op, view, axis, sections(extent, size)):
            piece[0].update(piece[1])
            leaves.append(piece[0])
            loops.append(loop)
        return
    blocks = -(-extent // size)
    done = (blocks - 1) * size
    pieces = in_order(op, view, min(blocks, 3))
    first, last = pieces[0], pieces[-1]
    _narrow(first, axis, constant(0), size)
    leaves.append(first[0])
    if blocks > 2:
        middle = pieces[1]
        loop = insert_loop(op, 1, blocks - 1)
        append_to(loop, middle[0])
        _narrow(middle, axis, Index({loop.variable: size}), size)
        leaves.append(middle[0])
        loops.append(loop)
    _narrow(last, axis, constant(done), extent - done)
    leaves.append(last[0])


def _narrow(piece: Piece, axis: str, first: Index, extent: int) -> None:
    op, view = piece
    op.update(narrow(view, axis, first, extent))
