"""Schedules of computes with symbolic sizes: tasks over symbolic rows, vectors along an axis.

In: the computes of a kernel.  Out: the steps of their schedule; none for a small compute without an
axis for vectors.  A symbolic axis has whole tiles, tiles of one vector of which the last overlaps,
and, if it is shorter than a vector, single elements.

A tile of a sum has several rows of a symbolic axis, so that each vector of the other operand is
loaded once for all of them; the remaining rows run one by one.  Other computes run row by row;
those that share rows run one after the other in each row.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.ir import SSAValue

from ....analysis.sharing import Sharing, are_independent, share_axes
from ....dialects.shape import Dim
from ....dialects.te import ComputeOp, ComputeView
from ....dialects.te.role import Transform
from ....support.target import Target
from .attention import plan_if_attention
from .convolution import plan_convolution
from .pointwise import pack_constants, row_vector_axis, vector_axis
from .product import plan_product
from .script import Script
from .single import direct_contraction, lanes_of
from .symbolic_rows import (
    gathered_axis,
    is_plain_along,
    moves_positions,
    plan_rows,
    points_of,
    share,
)
from .symbolic_tile import axis_of_squares, tile_of
from .transposed_result import plan_open_channels
from .winograd import plan_winograd

SCAN_VECTORS = 4
"""Vectors of a prefix sum of columns that run together."""


def plan_symbolic_kernel(
    script: Script, main: Sequence[ComputeOp], constants: set[SSAValue], target: Target
) -> None:
    """Plan computes of symbolic sizes; row by row if some read others."""
    views = [op.view() for op in main]
    if any(isinstance(view.role, Transform) for view in views):
        plan_winograd(script, views, constants, target)
        return
    if are_independent(views):
        for view in views:
            _plan_one(script, view, constants, target)
        return
    if plan_if_attention(script, main, constants, target):
        return
    plan_rows(script, views, share_axes(main), target)


def _plan_one(script: Script, view: ComputeView, constants: set[SSAValue], target: Target) -> None:
    """Tile the parallel axes of a compute, and vectorize one, if possible of static extent."""
    if all(isinstance(view.axes[axis], int) for axis in view.reduced_axes()):
        contraction = direct_contraction(view, constants, target)
        if contraction is not None and len(contraction.rows) == 1:
            plan_product(script, script.match(view.name), contraction)
            return
        if contraction is not None and contraction.has_pixels:
            plan_convolution(script, script.match(view.name), contraction)
            return
        if contraction is None and plan_open_channels(script, view, constants, target):
            return
    free = [axis for axis in view.parallel_axes() if view.axes[axis] != 1]
    if view.scan is not None:
        _plan_scan(script, view, [axis for axis in free if axis != view.scan], target)
        return
    symbolic = [axis for axis in free if isinstance(view.axes[axis], Dim)]
    static = [axis for axis in free if axis not in symbolic]
    lanes = lanes_of(view, target)
    vector = vector_axis(view, lanes, [a for a in static if not moves_positions(view, a)])
    vector = vector or axis_of_squares(view, lanes, static, symbolic)
    vector = vector or axis_of_squares(view, lanes, symbolic, symbolic)
    if vector is None:
        plain = [axis for axis in symbolic if is_plain_along(view, axis)]
        vector = row_vector_axis(view, lanes, plain) or gathered_axis(view, lanes, free)
    if vector is None:
        outer = symbolic or static
        rows = Sharing(tuple(outer), ({axis: axis for axis in outer},))
        plan_rows(script, [view], rows, target)
        return
    leaf = pack_constants(script, script.match(view.name), view, vector, lanes, constants)
    plan = tile_of(view, vector, lanes, free)
    sizes = plan.sizes
    leaf, loops = script.tile(leaf, sizes, even=plan.even, rest=plan.rest)
    shared = loops[:-1] or loops
    done = {*list(sizes)[: len(shared)]}
    tile = prod(sizes[axis] for axis in done)
    share(script, shared, tile * points_of(view, done))
    script.vectorize(leaf, vector, lanes, plan.unrolls)


def _plan_scan(script: Script, view: ComputeView, free: Sequence[str], target: Target) -> None:
    """Tile the axes that a prefix sum does not run along; these are tasks, and one has vectors."""
    if not free:
        return
    lanes = lanes_of(view, target)
    vector = row_vector_axis(view, lanes, [a for a in free if isinstance(view.axes[a], int)])
    sizes = {axis: 1 for axis in free if axis != vector}
    if vector is not None:
        sizes[vector] = min(SCAN_VECTORS * lanes, view.extents[vector])
    leaf, loops = script.tile(script.match(view.name), sizes)
    share(script, loops, prod(sizes.values()) * points_of(view, {*free}))
    if vector is not None:
        script.vectorize(leaf, vector, lanes)
