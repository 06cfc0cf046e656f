"""sched.replicate: compute results several times, one copy for each group of readers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue

from ....dialects.loop import AllocOp
from ....dialects.shape import Extent
from ....dialects.te import Access, ComputeOp, ComputeView
from ....support.affine import Index, constant, divide, variable
from ..engine.placement import block_of, erase_unused, writers
from ..engine.step import Handles, Step
from .local_buffers import computes_using


def replicate(step: Step) -> Handles:
    """Compute results in several equal copies, so that each group of readers has its own copy.

        te.compute @max [m: 16, n: 64 red] ins(%s[m, n] ..) outs(%x[m] maxnum -inf : ..)
        te.compute @exp [m: 16, n: 64] ins(%s[m, n] .., %x[m] ..) outs(%e[m, n] ..)
        sched.replicate %max {axis = copy, copies = 4, width = 2}
    ==>
        te.compute @max [m: 16, copy: 4, n: 64 red] .. outs(%x[m, copy] maxnum -inf : ..)
        te.compute @exp [m: 16, n: 64] ins(%s[m, n] .., %x[m, n floordiv 2 mod 4] ..) ..

    The handles hold all computes that write the buffers. Each of these computes gets the parallel
    axis ``axis``, and at position p of this axis reads and writes copy number p. A compute outside
    of the handles reads a copy that depends on the position in the last dimension of its result:
    ``width`` adjacent elements read the same copy. So a thread that computes elements of one copy
    only needs no result of another thread. All handles stay valid.
    Before: the outputs are local buffers that only computes use; no compute has a pending nest.
    Errors: ScheduleError otherwise.
    Exact: all copies are equal, because the same operations compute them.
    """
    axis, copies = step.word("axis"), step.number("copies")
    width = step.number("width", 1)
    if copies < 2 or width < 1:
        raise step.error(
            "too few copies",
            expected="at least two copies, and a width of at least 1",
            got=f"copies = {copies}, width = {width}",
        )
    computes = [op for position in range(len(step.handles)) for op in step.computes(position)]
    buffers = _buffers(step, computes)
    moved = {buffer: _with_copies(buffer, copies) for buffer in buffers}
    for op in dict.fromkeys(op for buffer in buffers for op in computes_using(step, buffer)):
        view = op.view()
        _require_plain(step, view, axis)
        if op in computes:
            view = replace(view, axes=_with_axis(view, axis, copies))
            position = variable(axis)
        else:
            own = _last(step, view)
            quotient = divide("floordiv", variable(own), width, view.range_of)
            position = divide("mod", quotient, copies, view.range_of)
        for access in view.accesses():
            if access.value is not None and access.value in moved:
                _move(step, view, access, moved[access.value], position)
        op.update(view)
    erase_unused(buffers)
    return []


def _buffers(step: Step, computes: Sequence[ComputeOp]) -> list[SSAValue]:
    """Return the buffers that these computes write.

    Errors: ScheduleError if one is an argument of the kernel, or if another compute writes it.
    """
    found = dict.fromkeys(value for op in computes for value in op.outs)
    for buffer in found:
        if not isinstance(buffer.owner, AllocOp):
            raise step.error(
                "an output is an argument of the kernel",
                expected="a local buffer",
                hint="use cache_write first: it makes one",
            )
        for op in writers(buffer):
            if op not in computes:
                raise step.error(
                    f"@{op.label} writes the buffer, too",
                    expected="handles of all computes that write the buffer",
                )
    return list(found)


def _with_copies(buffer: SSAValue, copies: int) -> SSAValue:
    """Allocate a buffer with another innermost dimension of size ``copies``; return it."""
    old = cast(AllocOp, buffer.owner)
    made = old.resized([*cast(MemRefType, buffer.type).get_shape(), copies])
    block_of(old).insert_op_before(made, old)
    return made.res


def _require_plain(step: Step, view: ComputeView, axis: str) -> None:
    if view.nest is not None or view.tile:
        raise step.error(
            f"@{view.name} has loops that are not made yet, or a register tile",
            hint="use replicate before the loops of the compute are split",
        )
    if axis in view.axes:
        raise step.error(f"@{view.name} has an axis {axis}", hint="choose another name")


def _last(step: Step, view: ComputeView) -> str:
    found = (view.outputs[0].indices or [constant(0)])[-1].variable()
    if not isinstance(found, str):
        raise step.error(
            f"no axis of @{view.name} indexes the last dimension of its result",
            hint="use replicate before the loops of the compute are split",
        )
    return found


def _with_axis(view: ComputeView, axis: str, copies: int) -> dict[str, Extent]:
    """Return the axes of a compute and one more parallel axis, which counts the copies.

    axis, copies: the name and the extent of the new axis, which comes after the other parallel
    axes.
    """
    parallel = view.parallel_axes()
    return {
        **{name: view.axes[name] for name in parallel},
        axis: copies,
        **{name: extent for name, extent in view.axes.items() if name not in parallel},
    }


def _move(step: Step, view: ComputeView, access: Access, buffer: SSAValue, position: Index) -> None:
    """Redirect an access to the new buffer, whose last dimension counts the copies.

    position: the index of the copy that the access uses.
    """
    if access.indices is None or access.clip is not None or access.pad is not None:
        raise step.error(
            f"@{view.name} uses the buffer at computed, clipped or padded positions",
            expected="index expressions inside of the buffer",
        )
    access.value, access.indices = buffer, [*access.indices, position]
