"""sched.pad_einsum: pad axes so that tiles divide them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from xdsl.ir import Operation

from ....analysis.patterns.combiners import annihilates
from ....dialects.index_syntax import typed_scalar
from ....dialects.shape import Dim, Extent, extent_of
from ....dialects.te import Access, ComputeView, identity_indices
from ....support.affine import INFINITY, Index
from ....support.blocks import returned
from ...rewrite.stores import copy_compute
from ..engine.axes import sliceable_axes
from ..engine.placement import block_of
from ..engine.step import Handles, Step
from .cache_write import redirect_output
from .clip_stores import clipped
from .local_buffers import make_buffer, replace_read


def pad_einsum(step: Step) -> Handles:
    """Round the extents of axes up to multiples; read operands through zero-padded copies.

        te.compute @mm [m: 30, n: 16, k: 50 red] ins(%A[m, k] : .., %B[k, n] : ..)
            outs(%C[m, n] add 0.0 : ..) body { a * b }
        %p = sched.pad_einsum %c {m = 8, k = 16}
    ==>
        te.compute @mm_in0 [c0: 32, c1: 64] ins(%A[c0, c1] pad 0.0 : ..) outs(%a[c0, c1] : ..)
        te.compute @mm_in1 [c0: 64, c1: 16] ins(%B[c0, c1] pad 0.0 : ..) outs(%b[c0, c1] : ..)
        te.compute @mm [m: 32, n: 16, k: 64 red] ins(%a[m, k] : .., %b[k, n] : ..)
            outs(%c[m, n] add 0.0 : ..) body { a * b }
        te.compute @mm_out0 [m: 30, n: 16] ins(%c[m, n] : ..) outs(%C[m, n] : ..)

    An operand that stays in range for the longer axes is read directly. To move a copy into a loop,
    match it by its name and use ``fuse_into``. A symbolic extent is rounded up, too.
    <axis>: the number to whose multiple the extent of this axis is rounded up.
    clip: 1 if outputs have no copy. Then the compute itself stores only elements inside,
    ``outs(%C[m, n] clip [0 to 30, 0 to 16] add 0.0 : ..)``, and post operands are zero outside;
    ``cache_write`` can then move the accumulators to a buffer.
    Before: one compute, not tiled, that starts from initial values. A padded parallel axis indexes
    every output. If a reduced axis is padded, every output is a sum, and zeros in an operand that
    the axis indexes make the added terms zero. A padded symbolic axis is, without other terms, an
    index of an operand.
    Errors: ScheduleError otherwise, naming the reduction whose terms would not vanish.
    """
    multiples, clip = step.sizes(), bool(step.number("clip", 0))
    op = step.only_compute()
    view = op.view()
    if not multiples:
        raise step.error("no axis is padded", expected=f"a multiple for {', '.join(view.axes)}")
    _require_untiled(step, view)
    _require_padded_reads(step, view)
    longer = _longer(step, view, multiples)
    for axis in longer:
        _check_axis(step, view, axis)
    if not longer:
        return [[op]]
    wide = replace(view, axes={**view.axes, **longer})
    copied = range(len(view.inputs if clip else view.reads))
    copies = [c for operand in copied for c in padded_copy(step, view, wide, operand)]
    if clip:
        _clip_outputs(step, view, wide, longer)
    for copy in copies:
        copy.location = op.location
    block_of(op).insert_ops_before(copies, op)
    op.update(wide)
    for out, output in enumerate(view.outputs):
        if output.axes() & set(longer) and not clip:
            redirect_output(step, op, wide, out, copied=view.axes)
    return [[op]]


def _longer(step: Step, view: ComputeView, multiples: Mapping[str, int]) -> dict[str, Extent]:
    """Return the new extents of the axes that padding makes longer.

    multiples: for each axis to pad, the number to whose multiple its extent is rounded up.
    """
    longer: dict[str, Extent] = {}
    for axis, multiple in multiples.items():
        step.require_axis(view, axis)
        extent = extent_of(Dim.of(view.axes[axis]).ceildiv(multiple) * multiple)
        if extent != view.axes[axis]:
            longer[axis] = extent
    return longer


def _clip_outputs(
    step: Step, view: ComputeView, wide: ComputeView, longer: Mapping[str, Extent]
) -> None:
    """Let a padded compute store only elements inside of its outputs.

    Its reads of post operands give zeros outside of the operands.
    view, wide: the compute before and after padding; ``wide`` is changed.  longer: the new extents
    of the padded axes.
    """
    wide.post = [read_zeros(read, longer) for read in wide.post]
    wide.outputs = [clipped(step, out, view.axes, longer) for out in wide.outputs]


def read_zeros(read: Access, longer: Mapping[str, Extent]) -> Access:
    """Return a read that gives zeros outside of its operand, if a longer axis indexes it.

    Other reads, and reads that are padded already, are returned unchanged.
    longer: the new extents of the axes that padding makes longer.
    """
    if read.value is None or read.pad is not None or not read.axes() & set(longer):
        return read
    return replace(read, pad=typed_scalar(0, read.element_type))


def _require_untiled(step: Step, view: ComputeView) -> None:
    keys = {k for a in view.accesses() for k in a.axes()}
    if view.register_tile or any(not isinstance(k, str) for k in keys):
        raise step.error(
            f"@{view.name} is tiled",
            expected="a compute as it was written",
            hint="use pad_einsum before tile, fuse_into and vectorize",
        )


def _require_padded_reads(step: Step, view: ComputeView) -> None:
    if any(a.indices is None for a in view.reads):
        raise step.error(
            f"@{view.name} reads a whole operand at computed positions, also at the new points",
            expected="operands that are read element by element",
        )
    step.require_initialized(view, view.outputs)


def _check_axis(step: Step, view: ComputeView, axis: str) -> None:
    if axis in sliceable_axes(view):
        return
    legal = [*sliceable_axes(view), *(a for a in view.reduced_axes() if _vanishes(view, a))]
    expected = f"one of {', '.join(legal) or 'none'}"
    step.require_unscanned(view, axis, legal)
    if axis not in view.reduced_axes():
        raise step.error(f"axis {axis} does not index every output", expected=expected)
    if not _vanishes(view, axis):
        raise step.error(
            f"what @{view.name} reduces does not vanish where operands along axis {axis} are zero",
            expected=expected,
            hint="use tile or split_reduction: they make a remainder",
        )


def _vanishes(view: ComputeView, axis: str) -> bool:
    """Return whether points added at the end of a reduced axis change no output.

    They change none if an input that the axis indexes is 0 there, and a term with this 0 adds
    nothing to any output, as in a sum of products.
    """
    for access, argument in zip(view.inputs, view.body.block.args, strict=True):
        if access.value is None or not _ends_with(view, access, axis):
            continue
        zero = replace(access, pad=typed_scalar(0, access.element_type))
        if annihilates(zero, argument, view.outputs, list(returned(view.body.block))):
            return True
    return False


def _ends_with(view: ComputeView, access: Access, axis: str) -> bool:
    """Return whether a read has no padding, and ``axis`` alone indexes a dimension of equal size.

    Points added to the axis then read beyond the end of the operand.
    """
    sizes = zip(access.indices or [], access.extents, strict=True)
    return access.pad is None and any(
        e.variable() == axis and n == view.axes[axis] for e, n in sizes
    )


def padded_copy(step: Step, view: ComputeView, wide: ComputeView, operand: int) -> list[Operation]:
    """Let a read use a zero-padded copy if padding makes it leave its operand; return the new ops.

    view, wide: the compute before and after padding; ``wide`` is changed.  operand: the number of
    the read.
    """
    access = wide.reads[operand]
    if access.value is None or access.pad is not None:
        return []
    indices = access.indices or []
    spans = [
        _span(step, view, wide, index, size)
        for index, size in zip(indices, access.extents, strict=True)
    ]
    firsts = [first for first, _ in spans]
    shape = [extent_of(Dim.of(end) - first) for first, end in spans]
    if tuple(shape) == access.extents:
        return []
    axes = {f"c{i}": n for i, n in enumerate(shape)}
    alloc = make_buffer(access.element_type, shape)
    places = identity_indices(axes)
    positions = [place + first for place, first in zip(places, firsts, strict=True)]
    source = Access(access.value, positions, pad=typed_scalar(0, access.element_type))
    target = Access(alloc.res, places)
    moved = [index - first for index, first in zip(indices, firsts, strict=True)]
    replace_read(wide, operand, replace(access, value=alloc.res, indices=moved))
    label = step.fresh_label(f"{wide.name}_in{operand}")
    return [alloc, copy_compute(label, axes, source, target)]


def _span(
    step: Step, view: ComputeView, wide: ComputeView, index: Index, size: Extent
) -> tuple[int, Extent]:
    """Return the first and the end position that a copy covers along a dimension.

    The range includes all positions of the operand, and the positions outside of it that ``wide``
    reads.
    index: the index of the read along the dimension.  size: the size of the operand along it.
    """
    axis = index.variable()
    if isinstance(axis, str) and view.axes[axis] == size:
        return 0, wide.axes[axis]
    low, high = index.range(wide.range_of)
    if isinstance(size, int) and high < INFINITY // 2:
        return min(low, 0), max(size, high + 1)
    if all(wide.axes[str(key)] == view.axes[str(key)] for key in index.variables()):
        return 0, size
    raise step.error(
        f"@{view.name} reads a symbolic dimension at {index}",
        expected="a padded axis of a symbolic extent as an index on its own",
    )
