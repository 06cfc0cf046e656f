"""Products of few rows with a matrix whose columns are contiguous: a warp per column.

In: the view of a compute.  Out: the steps of its schedule; None for any other compute.

    Y[m, n] = sum A[m, k] * B[n, k]    few rows m

The threads of a warp read adjacent elements of a column of B, and each multiplies its element by
those of all rows of A: each element of B is loaded once.  The sums of a thread stay in registers,
and the warp adds them in a tree.  The order of a sum depends on its length alone.  A block has up
to four warps, as in rows.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd, prod

from ....dialects.simt import WARP
from ....dialects.te import Access, ComputeView
from ....machines.gpu import GpuLimits
from ....passes.schedule.engine.axes import sliceable_axes
from ....support.affine import ZERO
from ....support.names import Names
from .script import Script
from .thread_per_point import grid_of

_MOST_SUMS, _MOST_WARPS = 16, 4
"""The most sums of a thread, and the most warps of a block."""


@dataclass(frozen=True)
class ThinProduct:
    """The axes of a thin product: few rows (A) times a matrix with contiguous columns (B).

    along: the reduction axis.
    columns: the axes of B's columns.
    rows: the axes of A's rows.
    warps: the warps of a block, each of which computes one column.
    """

    along: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    warps: int


def thin_product_of(view: ComputeView, limits: GpuLimits) -> ThinProduct | None:
    """Choose how warps share a thin product; None for any other compute."""
    if len(view.outputs) != 1 or view.scan is not None or limits.threads < WARP:
        return None
    (out,), reduced = view.outputs, [a for a in view.reduced_axes() if view.axes[a] != 1]
    if out.combiner != "add" or out.init is None or len(reduced) != 1:
        return None
    if not all(isinstance(extent, int) and extent > 0 for extent in view.axes.values()):
        return None
    (along,) = reduced
    reads = [a for a in view.inputs if not a.is_index and along in a.axes()]
    if len(reads) != 2 or not all(_ends_with(access, along) for access in reads):
        return None
    parallel = [a for a in sliceable_axes(view) if view.extents[a] > 1]
    matrix = max(reads, key=lambda access: _points(view, access, parallel))
    rows = tuple(a for a in parallel if a not in matrix.axes())
    columns = tuple(a for a in parallel if a in matrix.axes())
    sums = prod(view.extents[a] for a in rows)
    if not columns or not 1 < sums <= _MOST_SUMS or view.extents[along] < WARP:
        return None
    warps = gcd(view.extents[columns[-1]], min(_MOST_WARPS, limits.threads // WARP))
    return ThinProduct(along, columns, rows, warps)


def _points(view: ComputeView, access: Access, axes: list[str]) -> int:
    return prod(view.extents[a] for a in axes if a in access.axes())


def _ends_with(access: Access, axis: str) -> bool:
    """Return whether adjacent positions on an axis are adjacent elements of an operand."""
    *outer, last = access.indices or [ZERO]
    others = [*outer, last.without(axis)]
    is_inner = last.terms.get(axis) == 1 and all(axis not in e.variables() for e in others)
    return access.pad is None and is_inner


# ---- the schedule


def plan_thin_product(
    script: Script, view: ComputeView, thin: ThinProduct, limits: GpuLimits
) -> None:
    """Write the steps of the schedule of a thin product."""
    names = Names(view.axes)
    turn, lane, block, warp, batch = (
        names.fresh(name) for name in ("turn", "lane", "block", "warp", "batch")
    )
    column = thin.columns[-1]
    outer = [a for a in sliceable_axes(view) if a not in (column, *thin.rows)]
    sums, final = script.rfactor(script.match(view.name), thin.along, WARP, (turn, lane))
    final = script.split(final, column, thin.warps, (block, warp))
    final = script.reorder(final, [*outer, block, warp, *thin.rows, lane])
    blocks, counts = [block, *outer], [view.extents[column] // thin.warps]
    if len(outer) > 1:
        final = script.fuse(final, outer, batch)
        blocks = [block, batch]
    counts += [prod(view.extents[a] for a in outer)] * (len(blocks) - 1)
    final = script.bind(final, {**grid_of(blocks, counts, limits), warp: "threadIdx.y"})
    sums, final = script.compute_at(sums, final, block)
    script.vectorize(final, lane, WARP)
    rest = [a for a in view.reduced_axes() if a != thin.along]
    sums = script.reorder(sums, [*outer, column, lane, *rest, turn, *thin.rows])
    sums = script.bind(sums, {column: "threadIdx.y", lane: "threadIdx.x"})
    for axis in thin.rows:
        sums = script.unroll(sums, axis)
    script.share(sums, 0)
