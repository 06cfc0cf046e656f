"""Schedules of computes with symbolic sizes: tasks over symbolic rows, vectors along a static axis.

In: the view of a compute.  Out: the steps of its schedule; none if no static axis has vectors.

A tile of a sum has several rows of a symbolic axis, so that each vector of the other operand is
loaded once for all of them; the remaining rows run one by one.  Other computes run row by row.
"""

from __future__ import annotations

from ....dialects.shape import Dim
from ....dialects.te import ComputeView
from ....support.target import Target
from .pointwise import vector_axis
from .script import Script
from .single import lanes_of
from .tiles import divisor_at_most

ROWS = 6
"""Rows of a register tile of two vectors: 12 accumulators leave registers for the operands."""
COLUMN_VECTORS = 2
ROW_VECTORS = 8
UNROLL = 4


def plan_symbolic(script: Script, view: ComputeView, target: Target) -> None:
    """Tile the parallel axes of a compute, and vectorize an axis of static extent."""
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


def _unrolls(view: ComputeView) -> dict[str, int]:
    """Return the unrolled steps of the innermost reduced axis, if its extent is static."""
    for axis in view.reduced_axes()[-1:]:
        extent = view.axes[axis]
        if isinstance(extent, int) and extent > 1:
            return {axis: divisor_at_most(extent, UNROLL)}
    return {}
