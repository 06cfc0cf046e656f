"""Schedules of computes with symbolic sizes: tasks over symbolic rows, vectors along a static axis.

In: the views of the computes of a kernel.  Out: the steps of their schedule; none for a compute
without a static axis for vectors.

A tile of a sum has several rows of a symbolic axis, so that each vector of the other operand is
loaded once for all of them; the remaining rows run one by one.  Other computes run row by row;
those that share rows run one after the other in each row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.ir import SSAValue

from ....analysis.sharing import Sharing
from ....dialects.shape import Dim
from ....dialects.te import ComputeView
from ....support.target import Target
from .pointwise import plan_leaf, vector_axis
from .product import plan_product
from .script import Script
from .single import direct_contraction, lanes_of
from .tiles import divisor_at_most

ROWS = 6
"""Rows of a register tile of two vectors: 12 accumulators leave registers for the operands."""
COLUMN_VECTORS = 2
ROW_VECTORS = 8
UNROLL = 4


def plan_symbolic(
    script: Script, view: ComputeView, constants: set[SSAValue], target: Target
) -> None:
    """Tile the parallel axes of a compute, and vectorize an axis of static extent."""
    if all(isinstance(view.axes[axis], int) for axis in view.reduced_axes()):
        contraction = direct_contraction(view, constants, target)
        if contraction is not None and len(contraction.rows) == 1:
            plan_product(script, script.match(view.name), contraction)
            return
    free = [axis for axis in view.parallel_axes() if view.axes[axis] != 1]
    symbolic = [axis for axis in free if isinstance(view.axes[axis], Dim)]
    static = [axis for axis in free if axis not in symbolic]
    lanes = lanes_of(view, target)
    vector = vector_axis(view, lanes, static)
    if view.scan is not None or vector is None or not symbolic:
        return
    reduced = view.reduced_axes()
    sizes = {axis: 1 for axis in free if axis != vector}
    if reduced:
        sizes[symbolic[-1]] = ROWS
    vectors = COLUMN_VECTORS if reduced else ROW_VECTORS
    sizes[vector] = min(view.extents[vector], vectors * lanes)
    leaf, loops = script.tile(script.match(view.name), sizes)
    for loop in loops[:-1]:
        script.parallel(loop)
    script.vectorize(leaf, vector, lanes, _unrolls(view))


def plan_symbolic_rows(
    script: Script, views: Sequence[ComputeView], sharing: Sharing, target: Target
) -> None:
    """Plan computes that share outer axes: all of them for one row, then for the next."""
    shared = sharing.root_axes
    leaves = [script.match(view.name) for view in views]
    leaves[-1], loops = script.tile(leaves[-1], dict.fromkeys(shared, 1))
    for number in reversed(range(len(views) - 1)):
        leaves[number] = script.fuse_into(leaves[number], loops[-1])
    for loop in loops:
        script.parallel(loop)
    lanes = min(lanes_of(view, target) for view in views)
    for leaf, view, axes in zip(leaves, views, sharing.axis_of, strict=True):
        row = replace(view, axes={**view.axes, **{axes[a]: 1 for a in shared}})
        free = [a for a in row.parallel_axes() if row.axes[a] != 1]
        if not any(isinstance(extent, Dim) for extent in row.axes.values()):
            plan_leaf(script, leaf, row, lanes, free)


def _unrolls(view: ComputeView) -> dict[str, int]:
    """Return the unrolled steps of the innermost reduced axis, if its extent is static."""
    for axis in view.reduced_axes()[-1:]:
        extent = view.axes[axis]
        if isinstance(extent, int) and extent > 1:
            return {axis: divisor_at_most(extent, UNROLL)}
    return {}
