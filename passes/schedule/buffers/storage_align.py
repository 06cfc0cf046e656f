"""sched.storage_align: align the stride of an axis in a local buffer."""

from __future__ import annotations

from math import gcd, prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter

from ....dialects.te import Access, ComputeView
from ..engine.step import Handles, Step
from .local_buffers import computes_using, local_outputs, output_of, shown


def storage_align(step: Step) -> Handles:
    """Pad a local buffer so that the stride of an axis is a multiple of a factor plus an offset.

        %t = loop.alloc "local" : memref<64x48xf32>
        te.compute @copy [i: 64, j: 48] .. outs(%t[i, j] : ..)
        %s = sched.storage_align %c {axis = i, factor = 32, offset = 8}
    ==>
        %t = loop.alloc "local" : memref<64x72xf32>

    The stride of ``i`` grows from 48 elements to 72 = 2 * 32 + 8.  The dimension after the axis
    grows; no op accesses the added elements.
    axis: the axis whose stride is aligned.
    factor, offset: the stride becomes a multiple of ``factor``, plus ``offset``.
    out: the number of the output that is the buffer; the handle holds a compute that writes it.
    Before: output ``out`` is a loop.alloc; the axis indexes one dimension of it, not the last; no
    reader pads the dimension that grows or reads the whole buffer at computed positions.
    Errors: ScheduleError otherwise; for an offset that no stride can have.
    """
    axis, factor, offset = step.word("axis"), step.number("factor"), step.number("offset", 0)
    if factor < 1 or not 0 <= offset < factor:
        raise step.error(
            "a stride is a multiple of the factor plus the offset",
            expected="factor of at least 1, offset in 0..factor - 1",
            got=f"factor = {factor}, offset = {offset}",
        )
    dims: dict[SSAValue, int] = {}
    for alloc in local_outputs(step, "use cache_write or cache_read: they make one"):
        dims[alloc.res] = 0
    for op in step.computes():
        view = op.view()
        output = output_of(step, view, step.number("out", 0))
        assert output.value is not None
        dims[output.value] = _dimension(step, view, output, axis)
    for buffer, dim in dims.items():
        _align(step, buffer, dim, factor, offset)
    return [step.computes()]


def _dimension(step: Step, view: ComputeView, output: Access, axis: str) -> int:
    """Return the one dimension of an output, before the last dimension, that an axis indexes.

    Errors: ScheduleError if the axis indexes none or several of these dimensions.
    """
    step.extent(view, axis)
    indices = output.indices or []
    before_last = [d for d, e in enumerate(indices[:-1]) if axis in e.variables()]
    if len(before_last) == 1:
        return before_last[0]
    legal = [a for a in view.extents if sum(a in e.variables() for e in indices[:-1]) == 1]
    raise step.error(
        f"axis {axis} of @{view.name} does not run along one dimension before the last",
        expected=f"one of {', '.join(legal) or 'none'}",
        got=f"[{', '.join(map(shown, indices))}]",
    )


def _align(step: Step, buffer: SSAValue, dim: int, factor: int, offset: int) -> None:
    type_ = buffer.type
    assert isinstance(type_, MemRefType)
    shape = list(type_.get_shape())
    if DYNAMIC_INDEX in shape[dim + 1 :]:
        raise step.error(
            f"the stride of dimension {dim} is known only at run time",
            expected="integers as sizes of the dimensions behind it",
            got=type_,
            hint="align the buffer of a tile: split the axes, then compute_at",
        )
    inner = prod(shape[dim + 2 :])
    sizes = range(shape[dim + 1], shape[dim + 1] + factor)
    size = next((n for n in sizes if n * inner % factor == offset), None)
    if size is None:
        raise step.error(
            f"the stride of dimension {dim} is a multiple of {inner}",
            expected=f"an offset that is a multiple of {gcd(inner, factor)}",
            got=offset,
        )
    for user in computes_using(step, buffer):
        _require_inside(step, user.view(), buffer, dim + 1)
    shape[dim + 1] = size
    Rewriter.replace_value_with_new_type(buffer, MemRefType(type_.element_type, shape))


def _require_inside(step: Step, view: ComputeView, buffer: SSAValue, dim: int) -> None:
    """Check that no access of a compute depends on the size of dimension ``dim``, which grows."""
    for access in view.accesses():
        if access.value is not buffer:
            continue
        if access.indices is None:
            raise step.error(
                f"@{view.name} reads the whole operand at computed positions",
                hint="keep this buffer as it is",
            )
        _, high = access.indices[dim].range(view.range_of)
        if access.pad is not None and high >= access.shape[dim]:
            raise step.error(
                f"@{view.name} pads dimension {dim}, which would grow",
                hint="use fuse_into with halo = 1 first: the buffer then holds the border",
            )
