"""sched.split_reduction: a reduced axis in blocks, accumulated in memory."""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, Region

from ...dialects.te import ComputeOp, ComputeView
from ...support.affine import Index, constant, variable
from .placement import append_to, insert_loop
from .step import Handles, Step


def split_reduction(step: Step) -> Handles:
    """Split a reduced axis into blocks: a first, a middle and a last leaf.

        te.compute @mm [m: 6, n: 16, k: 100 red] .. outs(%C[m, n] add 0.0 : ..) body .. then ..
        %leaves, %loop = sched.split_reduction %c {k = 30}
    ==>
        te.compute @mm [m: 6, n: 16, k: 30 red] .. outs(%C[m, n] add 0.0 : ..) body ..
        loop.for %b = 1 to 3 {
          te.compute @mm [.., k: 30 red] ins(%A[m, %b * 30 + k] ..) outs(%C[m, n] add acc : ..) ..
        }
        te.compute @mm [.., k: 10 red] ins(%A[m, k + 90] ..) outs(%C[m, n] add acc) .. then ..

    The first leaf initializes, the others continue from memory, the last one finishes with
    ``then``.  An extent of at most one block leaves the compute as it is (no loop); two blocks
    make no middle leaf (no loop).
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
        if view.axes[axis] <= size:
            leaves.append(op)
        else:
            _split(op, view, axis, size, leaves, loops)
    return [leaves, loops]


def _check(step: Step, view: ComputeView, axis: str) -> None:
    step.extent(view, axis)
    if axis not in view.reduced_axes():
        raise step.error(
            f"axis {axis} of @{view.name} is not reduced",
            expected=f"one of {', '.join(view.reduced_axes()) or 'none'}",
            hint="use tile",
        )
    if view.tile:
        raise step.error(
            f"the register tile of @{view.name} is declared",
            hint="use split_reduction before vectorize",
        )
    for output in view.outputs:
        assert isinstance(output.type, MemRefType), "scheduled kernels are in buffer form"
        element = output.type.get_element_type()
        accumulator = getattr(output.init, "type", element)
        if accumulator != element:
            raise step.error(
                f"@{view.name} accumulates in another type than it stores",
                expected=accumulator,
                got=element,
                hint="keep the reduction in one leaf",
            )


def _split(
    op: ComputeOp,
    view: ComputeView,
    axis: str,
    size: int,
    leaves: list[ComputeOp],
    loops: list[Operation],
) -> None:
    blocks = -(-view.axes[axis] // size)
    first = op.clone()
    op.parent_block().insert_op_before(first, op)  # pyright: ignore[reportOptionalMemberAccess]
    _drop_then(first)
    _narrow(first, replace(view, post=[]), axis, constant(0), size)
    leaves.append(first)
    continued = replace(view, outputs=[replace(o, init=None) for o in view.outputs])
    if blocks > 2:
        loop = insert_loop(op, 1, blocks - 1)
        middle = op.clone()
        append_to(loop, middle)
        _drop_then(middle)
        _narrow(middle, replace(continued, post=[]), axis, Index({loop.variable: size}), size)
        leaves.append(middle)
        loops.append(loop)
    done = (blocks - 1) * size
    _narrow(op, continued, axis, constant(done), view.axes[axis] - done)
    leaves.append(op)


def _narrow(op: ComputeOp, view: ComputeView, axis: str, offset: Index, extent: int) -> None:
    smaller = replace(view, axes={**view.axes, axis: extent})
    op.update(smaller.substitute({axis: offset + variable(axis)}))


def _drop_then(op: ComputeOp) -> None:
    op.detach_region(op.then)
    op.add_region(Region())
