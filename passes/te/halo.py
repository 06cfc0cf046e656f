"""Fill the border around a value that has a halo, in the kernel that writes the value.

Input: the storage of a value, and its buffer in a kernel.  Output: for each side of each dimension,
a te.compute with ``role(border)`` that stores the pad value.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, SSAValue

from ...analysis.patterns.combiners import is_zero
from ...dialects.loop.size import size_at_start
from ...dialects.shape import Dim, Extent
from ...dialects.te import Access, ComputeOp, ComputeView, axis_ranges
from ...dialects.te.role import Border
from ...support.affine import Index, variable
from ..rewrite.stores import fill_compute
from .storage import Storage


def halo_fills(storage: Storage, buffer: SSAValue, label: str, block: Block) -> list[ComputeOp]:
    """Return computes that write the pad value to the border around a value's elements.

    There is one compute per side. They write disjoint boxes, so that they are independent tasks.
    Where a value is a slice of a larger buffer, the side between two slices has no border.
    storage: the storage of the value.  buffer: its buffer in the kernel.  label: the name of the
    computes.  block: the body of the kernel, which gets loop.size ops for symbolic positions.
    """
    if storage.pad is None:
        return []
    fills: list[ComputeOp] = []
    for dim, (low, high) in enumerate(storage.halo):
        # Boxes of earlier dimensions cover the corners, so this one spans only their interior.
        spans: list[tuple[Extent, Extent]] = [
            (0, size) if d < dim else (-before, size + before + after)
            for d, (size, (before, after)) in enumerate(
                zip(storage.shape, storage.halo, strict=True)
            )
        ]
        offset, size = storage.offset[dim], storage.shape[dim]
        is_first, is_last = offset == 0, offset + size == storage.root_shape[dim]
        for start, width, is_outside in ((-low, low, is_first), (size, high, is_last)):
            if width and is_outside:
                box = [*spans[:dim], (start, width), *spans[dim + 1 :]]
                starts = [size_at_start(block, first) for first, _ in box]
                fills.append(_fill(storage, buffer, starts, [n for _, n in box], label))
    return fills


def _fill(
    storage: Storage,
    buffer: SSAValue,
    starts: Sequence[Index],
    extents: Sequence[Extent],
    label: str,
) -> ComputeOp:
    """Return a compute that writes the pad value to a box of positions.

    storage: the storage of the value, which has the pad value.
    buffer: the buffer of the value in the kernel.
    starts, extents: the first position and the extent of the box, per dimension.
    label: the name of the compute.
    """
    assert storage.pad is not None
    axes = {f"d{d}": extent for d, extent in enumerate(extents)}
    indices = [variable(f"d{d}") + start for d, start in enumerate(starts)]
    output = Access(buffer, storage.place(indices, axis_ranges(axes)))
    return fill_compute(label, axes, output, storage.pad, Border())


def slides_over_dynamic_image(access: Access, view: ComputeView) -> bool:
    """Return whether a read slides a window over a zero-padded image of symbolic height or width.

    access: the read, whose pad value must be 0.
    view: the compute that reads.
    """
    reduced = {*view.reduced_axes()}
    keys = [{k for k in e.variables() if isinstance(k, str)} for e in access.indices or ()]
    is_dynamic = any(k & reduced and any(isinstance(view.axes[a], Dim) for a in k) for k in keys)
    return is_dynamic and is_zero(access.pad)
