"""Products whose operands have rows that are no multiples of 16 bytes: aligned copies.

    C[m, n] += A[m, k] * B'[k, n]     B'[k, n] = B[k, n], with zeros from n = 4001 to 4007

In: a kernel and the target.  Out: steps that copy operands, and a copy of the kernel after these
steps, whose computes get schedules of their own.

Rule of gpu-plan:
G28  A launch before a product by matrix instructions copies each operand whose rows are no
     multiples of 16 bytes to a buffer with longer rows, which end with zeros.  Then tiles are
     copied by 16 bytes, asynchronously (G16), and not by single elements, which a thread loads and
     stores one by one.  The rule applies if the modelled time, including that of the copies, is not
     longer: the model assumes that several blocks hide the waits of copies by single elements.
"""

from __future__ import annotations

from collections.abc import Mapping

from ....dialects.te import Access, ComputeOp, ComputeView, KernelOp
from ....machines.gpu_numbers import numbers_of
from ....machines.target import Target
from ....passes.schedule.interpreter import apply_script
from .async_stages import ASYNC_COPY
from .channels_last import copy_seconds, product_seconds
from .product import inside_elements, product_axes
from .script import Script
from .tensor_product import TensorProduct, tensor_product_of
from .tile_cost import ACCURACY


def align_products(script: Script, kernel: KernelOp, target: Target) -> KernelOp:
    """Align the operands of products; return a copy of the kernel with the copying computes."""
    if not target.has(ASYNC_COPY):
        return kernel
    labels = [op.label for op in kernel.body.walk() if isinstance(op, ComputeOp)]
    for op in kernel.body.block.ops:
        if isinstance(op, ComputeOp) and labels.count(op.label) == 1:
            view = op.view()
            multiples = _multiples(view, target)
            if multiples and _is_faster(kernel, view, multiples, target):
                script.pad(script.match(view.name), multiples)
                kernel = _aligned(kernel, view, multiples)
    return kernel


def _multiples(view: ComputeView, target: Target) -> dict[str, int]:
    """Return the axes to pad, each with the number of which its extent becomes a multiple.

    Empty if all rows are aligned, and for other computes than products by matrix instructions.
    """
    axes, found = product_axes(view), dict[str, int]()
    if axes is None or not isinstance(plain := tensor_product_of(view, target), TensorProduct):
        return found
    for access in view.inputs:
        if inside_elements(access) % plain.row:
            axis = _last_axis(access)
            if axis not in (axes.m, axes.n, axes.k) or not isinstance(view.axes[axis], int):
                return {}
            found[axis] = plain.row
    return found


def _last_axis(access: Access) -> str | None:
    """Return the axis that alone indexes the last dimension of an operand; None without one."""
    last = list(access.indices or ())[-1]
    axis = last.variable()
    return axis if isinstance(axis, str) and last.coefficient(axis) == 1 else None


def _is_faster(
    kernel: KernelOp, view: ComputeView, multiples: Mapping[str, int], target: Target
) -> bool:
    """Return whether a product with aligned copies takes no longer than without, as modelled."""
    numbers, plain = numbers_of(target), tensor_product_of(view, target)
    known = {op.label for op in kernel.body.walk() if isinstance(op, ComputeOp)}
    made = [op for op in _aligned(kernel, view, multiples).body.walk() if isinstance(op, ComputeOp)]
    (own,) = (op.view() for op in made if op.label == view.name)
    tiles = tensor_product_of(own, target)
    if not isinstance(tiles, TensorProduct) or not isinstance(plain, TensorProduct):
        return False
    copies = [op.view() for op in made if op.label not in known]
    seconds = product_seconds(own, tiles, numbers)
    seconds += sum(copy_seconds(each, numbers) for each in copies)
    return tiles.stages > 1 and seconds <= ACCURACY * product_seconds(view, plain, numbers)


def _aligned(kernel: KernelOp, view: ComputeView, multiples: Mapping[str, int]) -> KernelOp:
    """Return a copy of a kernel in which the operands of a product are aligned."""
    steps, copy = Script(kernel.label), kernel.clone()
    steps.pad(steps.match(view.name), multiples)
    apply_script(steps.build(), copy)
    return copy


__all__ = ["align_products"]
