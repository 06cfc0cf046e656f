"""Register tiles of computes with symbolic sizes, with vectors along an axis.

In: the view of a compute.  Out: the sizes of the tile, and how it covers the ends of symbolic axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd, prod

from xdsl.ir import SSAValue

from ....analysis.strides import lane_stride
from ....dialects.shape import Dim
from ....dialects.te import ComputeView
from ....machines.target import Target
from ....support.affine import variable
from .epilogue import operations_of
from .pointwise import (
    MAX_UNROLLED_TAPS,
    WINDOW_ROWS,
    crossing_axis,
    is_blocked,
    slides_along,
)
from .tiles import divisor_at_most, even_part

ROWS = 6
"""Rows of a register tile of two vectors: 12 accumulators leave registers for the operands."""
BLOCKED_ROWS = 4
"""Pixels of a tile of one vector of blocked channels."""
COLUMN_VECTORS = 2
ROW_VECTORS = 8
ELEMENT_VECTORS = 4
"""Vectors of a tile without a sum, as in the plan of constant sizes."""
CHAIN_VECTORS, SHORT_CHAIN = 2, 8
"""Vectors of a tile without a sum along a symbolic axis, whose remainder repeats the code, if a
compute has more than SHORT_CHAIN operations; fewer operations are as fast in one vector.  Gelu and
SiLU of 15 to 131072 elements have 15 % less code than with four vectors, an addition a third
less."""
UNROLL = 4


def axis_of_squares(
    view: ComputeView, lanes: int, static: Sequence[str], symbolic: Sequence[str]
) -> str | None:
    """Return a static axis for vectors whose operands are transposed in registers, or None.

    Results are contiguous along that axis, but reads are contiguous along a symbolic axis.  The
    distance between the lanes of a read is symbolic, so vectors along the static axis cannot be
    loaded directly: a square of lanes x lanes elements is loaded and transposed instead.
    """
    if view.reduced_axes() or view.scan or any(a.is_whole or a.pad for a in view.reads):
        return None
    for axis in reversed(static):
        if any(lane_stride(view, out, axis, lanes) != 1 for out in view.outputs):
            continue
        apart = [a for a in view.reads if lane_stride(view, a, axis, lanes) is None]
        crossing = crossing_axis(view, axis, lanes, symbolic)
        if crossing and all(lane_stride(view, a, crossing, lanes) == 1 for a in apart):
            return axis
    return None


@dataclass(frozen=True)
class SymbolicTile:
    """The sizes of a register tile in loop order, and how it covers symbolic axes.

    even: axes whose tiles have nearly equal sizes.
    rest: the tile size in the remainder of a symbolic axis; 0: single elements.
    unrolls: steps per loop iteration, by reduction axis.
    """

    sizes: dict[str, int]
    unrolls: dict[str, int]
    even: tuple[str, ...] = ()
    rest: int = 0


def tile_of(
    view: ComputeView, vector: str, lanes: int, free: Sequence[str], target: Target
) -> SymbolicTile:
    """Choose the register tile of a compute with vectors of ``lanes`` along the axis ``vector``.

    free: the parallel axes that the tile covers.
    """
    rows = [a for a in free if isinstance(view.axes[a], Dim) and a != vector]
    extent, crossing = view.axes[vector], crossing_axis(view, vector, lanes, free)
    sizes = {axis: 1 for axis in free if axis != vector}
    if crossing is not None:
        # Squares, which are transposed in registers; the last squares of a row overlap.
        others = [axis for axis in free if axis not in (crossing, vector)]
        width = min(lanes, points) if isinstance(points := view.axes[crossing], int) else lanes
        pair = {vector: lanes, crossing: width}
        if isinstance(extent, Dim):
            pair = {crossing: width, vector: lanes}
        return SymbolicTile({**dict.fromkeys(others, 1), **pair}, {}, rest=lanes)
    if rows and is_blocked(view, vector):
        others = [axis for axis in free if axis not in (vector, rows[-1])]
        window = _is_window(view, rows[-1])
        order = [a for a in others if a not in rows] + [vector] + [a for a in others if a in rows]
        sizes = {**{a: lanes if a == vector else 1 for a in order}}
        sizes[rows[-1]] = WINDOW_ROWS if window and _overlaps(view, rows[-1]) else BLOCKED_ROWS
        unrolls = dict.fromkeys(view.reduced_axes(), 0) if window else _unrolls(view)
        return SymbolicTile(sizes, unrolls, even=(rows[-1],))
    shared = _channels_of_one_input(view, vector, free)
    if shared is not None and isinstance(extent, Dim):
        axis, count = shared
        sizes[axis] = count
        sizes[vector] = COLUMN_VECTORS * lanes
        return SymbolicTile(sizes, _unrolls(view), rest=rest_of(view, vector, lanes))
    tall = _rows_of_product(view, vector, free)
    if tall is not None:
        points = view.axes[tall]
        sizes[tall] = even_part(points, ROWS) if isinstance(points, int) else ROWS
    vectors = ROW_VECTORS
    if not view.reduced_axes():
        vectors = _vectors_of_elements(view, vector, lanes, target)
    width = (COLUMN_VECTORS if tall is not None else vectors) * lanes
    sizes[vector] = min(extent, width) if isinstance(extent, int) else width
    return SymbolicTile(sizes, _unrolls(view), rest=rest_of(view, vector, lanes))


def _vectors_of_elements(view: ComputeView, vector: str, lanes: int, target: Target) -> int:
    if isinstance(view.axes[vector], int):
        return ELEMENT_VECTORS
    reads = (access for access in view.reads if access.indices is not None)
    packs = any(lane_stride(view, access, vector, lanes) not in (0, 1) for access in reads)
    return 1 if packs or has_short_chain(view, target) else CHAIN_VECTORS


def has_short_chain(view: ComputeView, target: Target) -> bool:
    """Return whether a compute has no reduction and few operations."""
    return not view.reduced_axes() and operations_of(view.body, target) <= SHORT_CHAIN


def _channels_of_one_input(
    view: ComputeView, vector: str, free: Sequence[str]
) -> tuple[str, int] | None:
    """Return a static axis whose points reduce the same input vectors, and its points per tile.

    For example, all output channels of a convolution read the same input. None without such an
    axis.
    vector: the axis along which vectors run.
    free: the axes to choose from.
    """
    moved = [a for a in view.inputs if a.indices is not None and vector in a.axes()]
    if not view.reduced_axes() or len(moved) != 1:
        return None
    indices = moved[0].indices or []
    for axis in free:
        extent = view.axes[axis]
        if axis == vector or isinstance(extent, Dim) or any(axis in e.terms for e in indices):
            continue
        atoms = [a for e in indices for a in e.atoms() if axis in {*a.operand.variables()}]
        if all(a.kind == "floordiv" and a.operand == variable(axis) for a in atoms):
            count = divisor_at_most(gcd(extent, *(a.divisor for a in atoms)), ROWS)
            if count > 1:
                return axis, count
    return None


def _rows_of_product(view: ComputeView, vector: str, free: Sequence[str]) -> str | None:
    """Return the axis of a product whose positions multiply the same vectors by different scalars.

    None if there is no such axis.
    vector: the axis along which vectors run.
    free: the axes to choose from; those of symbolic extent come first.
    """
    summed = [access for access in view.inputs if access.axes() & {*view.reduced_axes()}]
    scalars = [access.axes() for access in summed if vector not in access.axes()]
    vectors = [access.axes() for access in summed if vector in access.axes()]
    rows = [
        axis
        for axis in free
        if axis != vector
        and any(axis in axes for axes in scalars)
        and any(axis not in axes for axes in vectors)
    ]
    symbolic = [axis for axis in rows if isinstance(view.axes[axis], Dim)]
    return next(reversed(symbolic or rows), None)


def _is_window(view: ComputeView, axis: str) -> bool:
    taps = [view.axes[a] for a in view.reduced_axes() if view.axes[a] != 1]
    if any(isinstance(n, Dim) for n in taps) or not slides_along(view, axis):
        return False
    return prod(n for n in taps if isinstance(n, int)) <= MAX_UNROLLED_TAPS


def _overlaps(view: ComputeView, axis: str) -> bool:
    """Return whether the windows of adjacent positions along an axis overlap."""
    reduced = {*view.reduced_axes()}
    windows = [e for access in view.inputs for e in access.indices or () if axis in e.terms]
    return any(
        e.coefficient(axis)
        <= sum(
            n * (view.extents[a] - 1)
            for a, n in e.terms.items()
            if isinstance(a, str) and a in reduced
        )
        for e in windows
    )


def _unrolls(view: ComputeView) -> dict[str, int]:
    for axis in view.reduced_axes()[-1:]:
        extent = view.axes[axis]
        if isinstance(extent, int) and extent > 1:
            return {axis: divisor_at_most(extent, UNROLL)}
    return {}


def rest_of(view: ComputeView, vector: str, lanes: int) -> int:
    """Return the tile size in a vector axis's remainder: ``lanes``, or 0 for single elements."""
    is_symbolic = isinstance(view.axes[vector], Dim)
    return lanes if is_symbolic and is_alone_along(view, vector) else 0


def is_linear_along(view: ComputeView, axis: str) -> bool:
    """Return whether no index contains a quotient or remainder of the axis."""
    indices = [index for access in view.accesses() for index in access.indices or ()]
    return not any(axis in set(a.operand.variables()) for e in indices for a in e.atoms())


def is_alone_along(view: ComputeView, axis: str) -> bool:
    """Return whether no index combines an axis with another axis of symbolic extent.

    A vector that overlaps the vector before it can then be proved to lie inside the buffers.
    """
    if Dim.of(view.axes[axis]).lower_bound() is None:
        return False
    indices = [index for access in view.accesses() for index in access.indices or ()]
    others = {
        key for index in indices if axis in set(index.variables()) for key in index.variables()
    }
    return all(
        isinstance(key, SSAValue) or isinstance(view.axes.get(str(key)), int)
        for key in others - {axis}
    )
