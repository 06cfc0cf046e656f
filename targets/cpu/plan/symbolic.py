"""Schedules of computes with dynamic (symbolic) sizes: tasks over rows, vectors along an axis.

In: the computes of a kernel.  Out: the steps of their schedule; none for a small compute without an
axis for vectors.  A symbolic axis has whole tiles, then tiles of one vector of which the last
overlaps the vector before it, and, if the axis is shorter than a vector, single elements.

A tile of a reduction has several rows of a symbolic axis, so that each vector of the other operand
is loaded once for all these rows; the remaining rows run one by one.  Other computes run row by
row; computes that share rows run one after the other in each row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from xdsl.ir import SSAValue

from ....analysis.patterns.sharing import Sharing
from ....dialects.shape import Dim
from ....dialects.te import ComputeView
from ....machines.target import Target
from .block_product import plan_block_product
from .convolution import plan_convolution
from .one_compute import direct_contraction, lanes_of, widths_of
from .pointwise import pack_constants, row_vector_axis
from .product import plan_product
from .reduction_tile import sum_in_blocks
from .script import Script
from .symbolic_rows import (
    gathered_axis,
    packed_axis,
    plan_rows,
    points_of,
    reads_anywhere,
    share,
    swept_axis,
)
from .symbolic_tile import (
    SymbolicTile,
    axis_of_squares,
    has_short_chain,
    is_linear_along,
    rest_of,
    tile_of,
)
from .transposed_result import plan_dynamic_channels

MOST_POSITIONS = 4
"""The most rows of a tile whose remainder of single elements takes less time than a kernel call."""

SCAN_VECTORS = 4
"""Vectors of columns per tile of a prefix sum."""


def plan_symbolic_compute(
    script: Script, view: ComputeView, constants: set[SSAValue], target: Target
) -> None:
    """Plan a compute of symbolic sizes: tile its parallel axes, and vectorize one of them.

    Vectors run along an axis of static extent if possible.
    constants: the arguments of the kernel that are weights.
    """
    if _plan_if_contraction(script, view, constants, target):
        return
    free = [axis for axis in view.parallel_axes() if view.axes[axis] != 1]
    if view.scan is not None:
        _plan_scan(script, view, [axis for axis in free if axis != view.scan], target)
        return
    found = _vectors_of(view, free, target)
    if found is None:
        symbolic = [axis for axis in free if isinstance(view.axes[axis], Dim)]
        outer = symbolic or free
        rows = Sharing(tuple(outer), ({axis: axis for axis in outer},))
        plan_rows(script, [view], rows, target)
        return
    vector, lanes = found
    leaf = pack_constants(script, script.match(view.name), view, vector, lanes, constants)
    plan = tile_of(view, vector, lanes, free, target)
    if _is_one_row(view, plan, vector, free) and has_short_chain(view, target):
        # Single elements at the end of the only row take less time than the call of a kernel for
        # overlapping vectors: sums of 15 to 16383 elements are up to 5 % faster, in half the code.
        plan = replace(plan, rest=0)
    sizes = plan.sizes
    leaf, loops = script.tile(leaf, sizes, even=plan.even, rest=plan.rest)
    shared = loops[:-1] or loops
    done = {*list(sizes)[: len(shared)]}
    tile = prod(sizes[axis] for axis in done)
    share(script, shared, tile * points_of(view, done), target)
    script.vectorize(sum_in_blocks(script, leaf, view), vector, lanes, plan.unrolls)


def _plan_if_contraction(
    script: Script, view: ComputeView, constants: set[SSAValue], target: Target
) -> bool:
    """Plan a contraction; return False, without steps, for any other compute.

    constants: the arguments of the kernel that are weights.
    """
    if plan_block_product(script, view, constants, target):
        return True
    if not all(isinstance(view.axes[axis], int) for axis in view.reduced_axes()):
        return False
    contraction = direct_contraction(view, constants, target)
    if contraction is None:
        return plan_dynamic_channels(script, view, constants, target)
    if contraction.has_pixels:
        plan_convolution(script, script.match(view.name), contraction)
    elif contraction.rows:
        plan_product(script, script.match(view.name), contraction.with_tasks_of_rows())
    return bool(contraction.rows)


def _is_one_row(view: ComputeView, plan: SymbolicTile, vector: str, free: Sequence[str]) -> bool:
    """Return whether a tile covers all axes but the vector axis completely, with few positions.

    False also if the extent of the vector axis is a maximum of sizes, as in a loop that removes
    elements: the compiler cannot prove then that the loop over the remaining elements stays inside
    the axis.
    plan: the tile.
    vector: the axis along which vectors run.
    free: the parallel axes of the compute.
    """
    extent = view.axes[vector]
    if isinstance(extent, Dim) and extent.depth():
        return False
    others = [axis for axis in free if axis != vector]
    positions = prod(plan.sizes[axis] for axis in others)
    return positions <= MOST_POSITIONS and all(plan.sizes[a] == view.axes[a] for a in others)


def _vectors_of(view: ComputeView, free: Sequence[str], target: Target) -> tuple[str, int] | None:
    widths = widths_of(view, target)
    found = _vector_along(view, widths[0], free)
    if found is not None or swept_axis(view, widths[0]) is not None:
        return None if found is None else (found, widths[0])
    for lanes in widths:
        found = _vector_along(view, lanes, free) or packed_axis(view, lanes, free)
        if found is not None:
            return found, lanes
    return None


def _vector_along(view: ComputeView, lanes: int, free: Sequence[str]) -> str | None:
    """Return an axis along which results are contiguous, if possible of static extent; or None.

    lanes: lanes of a vector.
    free: the axes to choose from.
    """
    symbolic = [axis for axis in free if isinstance(view.axes[axis], Dim)]
    static = [axis for axis in free if axis not in symbolic]
    vector = row_vector_axis(view, lanes, [] if reads_anywhere(view) else static)
    vector = vector or axis_of_squares(view, lanes, static, symbolic)
    vector = vector or axis_of_squares(view, lanes, symbolic, symbolic)
    if vector is not None:
        return vector
    linear = [axis for axis in symbolic if is_linear_along(view, axis)]
    return row_vector_axis(view, lanes, linear) or gathered_axis(view, lanes, free)


def _plan_scan(script: Script, view: ComputeView, free: Sequence[str], target: Target) -> None:
    """Plan a prefix sum: make tasks along the other axes, and vectors along one of them.

    free: the axes except that of the sum.
    """
    if not free:
        return
    lanes = lanes_of(view, target)
    vector = row_vector_axis(view, lanes, [a for a in free if is_linear_along(view, a)])
    sizes = {axis: 1 for axis in free if axis != vector}
    rest = 0
    if vector is not None:
        extent, rest = view.axes[vector], rest_of(view, vector, lanes)
        width = SCAN_VECTORS * lanes
        sizes[vector] = min(width, extent) if isinstance(extent, int) else width
    leaf, loops = script.tile(script.match(view.name), sizes, rest=rest)
    share(script, loops, prod(sizes.values()) * points_of(view, {*free}), target)
    if vector is not None:
        script.vectorize(leaf, vector, lanes)
