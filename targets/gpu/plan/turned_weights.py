"""Weights of products of few rows, stored with contiguous columns: one launch for each product.

    Y[m, n] = sum A[m, k] * B[k, n]    B is constant, few rows m
    Y[m, n] = sum A[m, k] * B'[n, k]   B' has the elements of B, stored by columns

In: a kernel and the target.  Out: steps that store weights in this layout, and a copy of the kernel
after these steps, whose computes get schedules of their own.

Strips of columns (strips.py) of a short matrix are too few blocks, so the model divides their sums
into parts, which a second launch adds (streams.py).  If the matrix is constant, its columns become
contiguous at compile time.  Then a block or a warp computes each result (rows.py,
thin_products.py), so that all multiprocessors have blocks, threads read whole cache lines, and
there is no second launch.  The rule applies if the sum is then faster undivided.
"""

from __future__ import annotations

from collections.abc import Collection

from xdsl.ir import BlockArgument

from ....dialects.te import ComputeView, KernelOp
from ....machines.target import Target
from ....support.affine import ZERO
from .rewrites import after_steps, changed_views, named_computes
from .script import Script
from .splits import split_sums, splits_of
from .sums import has_rows, has_strips, parts_of_sum


def divide_sums(
    script: Script, kernel: KernelOp, target: Target, grouped: Collection[str]
) -> KernelOp:
    """Write the steps that store weights by columns, and those that divide sums into parts.

    grouped: the names of computes that share a launch with others.
    Returns the kernel after these steps, a copy; without such steps, the kernel itself.
    """
    kernel = _turn_weights(script, kernel, target, grouped)
    return split_sums(script, kernel, splits_of(kernel, target, grouped))


def _turn_weights(
    script: Script, kernel: KernelOp, target: Target, grouped: Collection[str]
) -> KernelOp:
    for op in named_computes(kernel):
        view = op.view()
        is_product = op.label not in grouped and has_strips(view, target)
        dimensions = _weights(kernel, view) if is_product else {}
        if not dimensions or parts_of_sum(view, target)[1] == 1:
            continue
        turned = _turned(kernel, view, dimensions)
        own, _ = changed_views(kernel, turned, view.name)
        if has_rows(own, target) and parts_of_sum(own, target)[1] == 1:
            _write(script, view, dimensions)
            kernel = turned
    return kernel


def _weights(kernel: KernelOp, view: ComputeView) -> dict[int, int]:
    """Return the dimension along the sum of each matrix of a product, by the operand's number.

    Empty if the sum has several axes, or if a matrix is not constant or is packed already.
    """
    along = [axis for axis in view.reduced_axes() if view.axes[axis] != 1]
    column = (view.outputs[0].indices or [ZERO])[-1].variable()
    found: dict[int, int] = {}
    for operand, access in enumerate(view.inputs):
        if access.is_index or not {*along, column} <= {*access.axes()}:
            continue
        value = access.value
        if not isinstance(value, BlockArgument) or value.index not in kernel.constant_positions:
            return {}
        places = [index.variable() for index in access.indices or ()]
        if len(along) != 1 or value.index in kernel.pack_maps or places.count(along[0]) != 1:
            return {}
        found[operand] = places.index(along[0])
    return found


def _write(script: Script, view: ComputeView, dimensions: dict[int, int]) -> None:
    handle = script.match(view.name)
    for operand, dimension in dimensions.items():
        handle = script.store_innermost(handle, operand, len(view.inputs[operand].dims), dimension)


def _turned(kernel: KernelOp, view: ComputeView, dimensions: dict[int, int]) -> KernelOp:
    return after_steps(kernel, lambda steps: _write(steps, view, dimensions))
