"""Products whose operands threads cannot copy, or load, by words: copies of another layout.

    C[m, n] += A[m, k] * B'[k, n]     B'[k, n] = B[k, n], with zeros from n = 4001 to 4007
    C[m, n] += A[m, k] * B'[n, k]     B'[n, k] = B[k, n], elements of 8 bits

In: a kernel and the target.  Out: steps that copy operands, and a copy of the kernel after these
steps, whose computes get schedules of their own.

A launch before a product by matrix instructions copies each operand whose rows are no multiples of
16 bytes to a buffer with longer rows, which end with zeros.  Then tiles are copied by 16 bytes,
asynchronously (async_stages.py), and not by single elements, which a thread loads and stores one by
one.  An operand of bytes is copied with its sum last, so that a thread loads the four bytes of a
register at once; constant operands get this layout at compile time.  The rule applies if the
modelled time, including that of the copies, is not longer: the model assumes that several blocks
hide the waits of copies by single elements.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ....dialects.te import Access, ComputeView, KernelOp
from ....machines.gpu_numbers import numbers_of
from ....machines.target import Target
from .async_stages import ASYNC_COPY
from .channels_last import copy_seconds
from .product import ProductAxes, divides, inside_elements, product_axes
from .rewrites import after_steps, changed_views, named_computes
from .script import Script
from .tensor_product import TensorProduct, product_seconds, tensor_product_of
from .tile_cost import ACCURACY


@dataclass(frozen=True)
class _Layouts:
    """The layouts that a product's operands get.

    multiples: the axes to pad; the extent of each becomes a multiple of the number.
    last: by the number of an operand, the dimension that becomes its last one; the reduction axis
    indexes this dimension.
    """

    multiples: Mapping[str, int]
    last: Mapping[int, int]

    def write(self, script: Script, view: ComputeView) -> None:
        """Write the steps that change the layouts."""
        handle = script.match(view.name)
        if self.multiples:
            handle = script.pad(handle, self.multiples)
        for operand, dimension in self.last.items():
            handle = script.store_innermost(
                handle, operand, len(view.inputs[operand].dims), dimension
            )

    def applied(self, kernel: KernelOp, view: ComputeView) -> KernelOp:
        """Return a copy of a kernel in which the operands of a product have these layouts."""
        return after_steps(kernel, lambda steps: self.write(steps, view))


def align_products(script: Script, kernel: KernelOp, target: Target) -> KernelOp:
    """Write the steps that align the operands of products; return the kernel after these steps.

    A product is aligned if that saves modelled time.  The returned kernel is a copy, which also has
    the computes that copy operands; without a product to align, it is the kernel itself.
    """
    if not target.has(ASYNC_COPY):
        return kernel
    for op in named_computes(kernel):
        view = op.view()
        layouts = _layouts(view, target)
        if layouts is not None and _is_faster(kernel, view, layouts, target):
            layouts.write(script, view)
            kernel = layouts.applied(kernel, view)
    return kernel


def _layouts(view: ComputeView, target: Target) -> _Layouts | None:
    """Return the layouts in which all rows of a product's operands are aligned.

    None if the rows are aligned already, and for a compute that is no product by matrix
    instructions.
    """
    axes, multiples, last = product_axes(view), dict[str, int](), dict[int, int]()
    if axes is None or not isinstance(plain := tensor_product_of(view, target), TensorProduct):
        return None
    if plain.form is not None:
        return None
    for operand, access in enumerate(view.inputs):
        axis = _last_axis(access)
        dimension = _dimension(access, axes) if plain.is_exact and axis != axes.k else None
        is_aligned = inside_elements(access) % plain.row == 0
        if dimension is not None:
            last[operand], axis = dimension, axes.k
            is_aligned = divides(plain.row, view.axes[axis])
        if is_aligned:
            continue
        if axis not in (axes.m, axes.n, axes.k) or not isinstance(view.axes[axis], int):
            return None
        multiples[axis] = plain.row
    return _Layouts(multiples, last) if multiples or last else None


def _last_axis(access: Access) -> str | None:
    last = list(access.indices or ())[-1]
    axis = last.variable()
    return axis if isinstance(axis, str) and last.coefficient(axis) == 1 else None


def _dimension(access: Access, axes: ProductAxes) -> int | None:
    """Return the only dimension of an operand that the reduction axis of a product indexes.

    None if several dimensions, or none, have this axis as their index.
    access: the read of the operand.
    axes: the axes of the product.
    """
    found = [n for n, index in enumerate(access.indices or ()) if index.variable() == axes.k]
    is_alone = len(found) == 1 and list(access.indices or ())[found[0]].coefficient(axes.k) == 1
    return found[0] if is_alone else None


def _is_faster(kernel: KernelOp, view: ComputeView, layouts: _Layouts, target: Target) -> bool:
    """Return whether the cost model prefers a product with aligned operands.

    The modelled time with the layouts includes the launches that copy the operands. True if this
    time is at most the time of the product as it is, up to the accuracy of the model, and if the
    aligned product copies tiles asynchronously.
    """
    numbers, plain = numbers_of(target), tensor_product_of(view, target)
    own, copies = changed_views(kernel, layouts.applied(kernel, view), view.name)
    tiles = tensor_product_of(own, target)
    if not isinstance(tiles, TensorProduct) or not isinstance(plain, TensorProduct):
        return False
    seconds = product_seconds(own, tiles, numbers)
    seconds += sum(copy_seconds(each, numbers) for each in copies)
    return tiles.stages > 1 and seconds <= ACCURACY * product_seconds(view, plain, numbers)
