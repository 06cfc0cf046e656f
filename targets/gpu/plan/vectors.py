"""Vectors of adjacent points of a compute: the widest that all of its accesses allow.

In: the view of a compute and an axis.  Out: the number of lanes of a vector along the axis.

A thread of an elementwise compute has a vector of adjacent points along the last axis, if that
makes its accesses to results whole and aligned: at most as many points as fit in 16 bytes of the
widest element, or in 64 bytes of the positions of maxima.  Its reads may have one of these forms:
- adjacent elements at a multiple of the vector's size, which the thread loads at once.  A read with
  padding is loaded at once, too, if no vector crosses the border;
- adjacent elements with a shift or in reversed order, which simt-align-loads reads from one or two
  aligned vectors;
- elements that do not depend on the axis, and positions, which need no vector;
- elements that are near to those of the next thread: the thread loads them one by one;
- elements of a gather, which are anywhere.

A thread of a scan whose rows are contiguous accesses vectors along the scan axis.

Shorter vectors leave at least 128 blocks of 256 threads, one for each multiprocessor of a large
GPU.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

from xdsl.ir import BlockArgument, SSAValue

from ....analysis.strides import symbolic_strides
from ....dialects.dtypes import bit_width
from ....dialects.te import Access, AtOp, ComputeView
from ....dialects.te.view import positions_of
from ....support.affine import Index, Key, Range, constant

VECTOR_BYTES = 16
"""The widest access of a thread."""

LANE_COUNTS = (16, 8, 4, 2)
"""The numbers of lanes of vectors, the widest first."""

_MOST_TAPS = 16
"""The most unrolled points of a reduced axis."""

_NEAR = 4
"""The most elements by which one step of the axis moves a read whose lanes are loaded one by one:
the elements of a warp then lie in at most 4 times as many lines as the results."""


@dataclass(frozen=True)
class Turn:
    """Points of an axis, at equal distances, that read adjacent elements of an operand.

    axis, step, count: the axis, the distance of the points and their number.
    """

    axis: str
    step: int
    count: int


def vector_lanes(views: Sequence[ComputeView], axis: str) -> int:
    """Return the lanes of the vectors that a thread accesses along an axis; 1 for no vectors.

    views: the computes, all of which must allow the vectors.
    """
    lanes = VECTOR_BYTES
    for view in views:
        if not isinstance(view.axes[axis], int):
            return 1
        lanes = gcd(lanes, view.extents[axis])
        has_positions = any(out.combiner == "by" for out in view.outputs)
        # Positions are wider than the compared elements: a thread stores up to four vectors.
        most = 4 * VECTOR_BYTES if has_positions else VECTOR_BYTES
        for access in view.outputs:
            lanes = min(lanes, aligned_lanes(view, access, axis, most))
        for number, access in enumerate(view.reads):
            lanes = min(lanes, _read_lanes(view, number, access, axis, lanes))
    return lanes


def scanned_lanes(view: ComputeView) -> int:
    """Return the lanes of the vectors that a thread accesses along the axis of a scan; 1 for none.

    A thread loads and stores vectors, and combines their lanes in order.
    """
    starts = all(out.reduces and out.init is not None for out in view.outputs)
    return vector_lanes([view], view.scan) if view.scan is not None and starts else 1


def taps_of(view: ComputeView, axis: str, lanes: int) -> list[str]:
    """Return the reduced axes to unroll, so that the shift of each vector along ``axis`` is known.

    Such an axis occurs in the same index as ``axis``, such as the columns of a window.
    """
    if lanes == 1:
        return []
    lasts = [index for a in view.inputs for index in a.indices or () if axis in index.variables()]
    shifting = {key for index in lasts for key in index.variables()}
    taps = [a for a in view.reduced_axes() if a in shifting]
    return [a for a in taps if isinstance(view.axes[a], int) and view.extents[a] <= _MOST_TAPS]


def is_constant(view: ComputeView, access: Access, axis: str, count: int) -> bool:
    """Return whether a read is the same for each of ``count`` adjacent, aligned points of an axis.

    Such points share the loaded element.
    """
    places = _lane_positions(view, access, axis, count)
    return places is not None and all(place == places[0] for place in places)


def aligned_lanes(view: ComputeView, access: Access, axis: str, most: int = VECTOR_BYTES) -> int:
    """Return the lanes of the widest aligned vectors along an axis that an access can use.

    most: the bytes of the widest vectors.

    1 if it can only use single elements.  An access that is constant along the axis limits nothing.
    Otherwise adjacent points must be adjacent elements, and the address of each vector a multiple
    of its size; buffers start at multiples of 16 bytes.
    """
    if access.is_index:
        return VECTOR_BYTES
    if access.is_whole or axis not in access.axes():
        return 1 if access.is_whole else VECTOR_BYTES
    if access.pad is not None or access.clip is not None:
        return 1
    widths = _widths(access, most)
    return next((n for n in widths if _is_aligned(view, access, axis, n)), 1)


def _widths(access: Access, most: int) -> list[int]:
    """Return the numbers of elements of a vector of at most ``most`` bytes, largest first."""
    return [n for n in LANE_COUNTS if n * bit_width(access.element_type) <= 8 * most]


def _is_aligned(view: ComputeView, access: Access, axis: str, lanes: int) -> bool:
    places = _lane_positions(view, access, axis, lanes)
    return places is not None and _are_adjacent(places) and _starts_vector(access, places[0], lanes)


def _read_lanes(view: ComputeView, number: int, access: Access, axis: str, most: int) -> int:
    """Return the most lanes of a vector of points with which a thread makes a read.

    number: the position of the read among the reads of the compute.  most: the lanes that the other
    accesses allow.
    """
    if access.is_index or (access.axes().isdisjoint({axis}) and not access.is_whole):
        return most
    widths = [n for n in _widths(access, 4 * VECTOR_BYTES) if n <= most]
    if access.is_whole:
        return next((n for n in widths if _is_gathered(view, number, axis, n)), 1)
    if access.clip is not None:
        return 1
    return next((n for n in widths if _is_loaded(view, access, axis, n)), 1)


def _is_loaded(view: ComputeView, access: Access, axis: str, lanes: int) -> bool:
    """Return whether a thread can load the lanes of a read at once, or lanes near to each other."""
    is_vector = access.pad is None and _is_aligned(view, access, axis, lanes)
    is_same = is_vector or is_constant(view, access, axis, lanes)
    return is_same or _is_near(view, access, axis, lanes)


def _is_near(view: ComputeView, access: Access, axis: str, lanes: int) -> bool:
    """Return whether the lanes of a read are as near to those of the next thread as the results."""
    places = _lane_positions(view, access, axis, lanes)
    if places is None or any(dim.value is None for dim in access.dims[1:]):
        return False
    strides = symbolic_strides(access.extents)
    numbers = [stride.value or 0 for stride in strides]
    for place in places:
        if any(_TILE in atom.operand.variables() for index in place for atom in index.atoms()):
            return False
        step = sum(i.coefficient(_TILE) * n for i, n in zip(place, numbers, strict=True))
        if abs(step) > _NEAR * lanes:
            return False
    return True


_TILE, _PART, _VECTOR = "@tile", "@part", "@vector"
"""Axes over tiles of an axis, over the parts of a tile, and over vectors of results."""


def _lane_positions(
    view: ComputeView, access: Access, axis: str, lanes: int
) -> list[list[Index]] | None:
    """Return the position of each lane, as a function of the number of the vector.

    None if the vectors do not divide the axis.
    """
    extent = view.axes[axis]
    if not isinstance(extent, int) or extent % lanes:
        return None
    tiles = positions_of(extent // lanes)

    def range_of(key: Key) -> Range:
        return tiles if key == _TILE else view.range_of(key)

    found: list[list[Index]] = []
    for lane in range(lanes):
        place = {axis: Index({_TILE: lanes}, lane)}
        found.append([e.substitute(place, range_of) for e in access.indices or ()])
    return found


def turn_of(view: ComputeView, access: Access, inner: tuple[str, int], most: int) -> Turn | None:
    """Return the points of an axis that read an aligned vector; None if no points do.

    inner: the axis of the vectors of results, and their lanes.  The first lane stands for all.
    most: the most points.
    """
    last = list(access.indices or ())[-1]
    if access.pad is not None or access.clip is not None:
        return None
    for count in (n for n in _widths(access, VECTOR_BYTES) if n <= most):
        for axis in dict.fromkeys(key for key in last.variables() if isinstance(key, str)):
            quotients = [a.divisor for a in last.atoms() if axis in a.operand.variables()]
            for step in [inner[1]] if axis == inner[0] else sorted({1, *quotients}):
                if _is_turn(view, access, Turn(axis, step, count), inner):
                    return Turn(axis, step, count)
    return None


def _is_turn(view: ComputeView, access: Access, turn: Turn, inner: tuple[str, int]) -> bool:
    tile, extent = turn.step * turn.count, view.axes[turn.axis]
    if not isinstance(extent, int) or extent % tile:
        return False
    # Axes over tiles, over the steps of a tile, and over the vectors of results.
    counts = {_TILE: extent // tile, _PART: 1 if turn.axis == inner[0] else turn.step}
    counts[_VECTOR] = view.extents[inner[0]] // inner[1]

    def range_of(key: Key) -> Range:
        return positions_of(counts[str(key)]) if key in counts else view.range_of(key)

    places: list[list[Index]] = []
    for point in range(turn.count):
        part = {} if counts[_PART] == 1 else {_PART: 1}
        place = {inner[0]: Index({_VECTOR: inner[1]})}
        place[turn.axis] = Index({_TILE: tile, **part}, point * turn.step)
        places.append([e.substitute(place, range_of) for e in access.indices or ()])
    return _are_adjacent(places) and _starts_vector(access, places[0], turn.count)


def _starts_vector(access: Access, place: Sequence[Index], lanes: int) -> bool:
    """Return whether the address of a position is a multiple of the size of a vector."""
    pitch = access.dims[-1].value if len(access.dims) > 1 else 0
    return pitch is not None and pitch % lanes == 0 and place[-1].divisor() % lanes == 0


def _are_adjacent(places: Sequence[Sequence[Index]]) -> bool:
    """Return whether the positions of lanes are adjacent elements in the last dimension."""
    first = places[0]
    return all(
        list(place[:-1]) == list(first[:-1]) and place[-1] == first[-1] + lane
        for lane, place in enumerate(places)
    )


def _is_gathered(view: ComputeView, number: int, axis: str, lanes: int) -> bool:
    """Return whether the body reads a whole operand by vectors, or at computed positions.

    number: the position of the operand among the reads.  Vectors are aligned, and adjacent along
    the last dimension; at computed positions, each lane loads its own element.
    """
    if number >= len(view.inputs):
        return False
    argument = view.body.block.args[number]
    users = {use.operation for use in argument.uses}
    return all(isinstance(op, AtOp) and _has_lanes(view, op, axis, lanes) for op in users)


def _has_lanes(view: ComputeView, op: AtOp, axis: str, lanes: int) -> bool:
    *outer, last = (_position(view, value, axis) for value in op.indices)
    if last is None or any(index is None for index in outer):
        return True  # computed positions, which differ by lane
    whole = Access(op.x, [index or constant(0) for index in (*outer, last)])
    return _is_aligned(view, whole, axis, lanes)


def _position(view: ComputeView, value: SSAValue, axis: str) -> Index | None:
    """Return the position along an axis that a value of the body holds.

    0 if the value does not depend on the axis.  None if the value is computed from the axis.
    """
    if isinstance(value, BlockArgument):
        access = view.inputs[value.index]
        if access.is_index and access.indices:
            return access.indices[0]
    return None if axis in view.axes_behind(value) else constant(0)


__all__ = ["LANE_COUNTS", "VECTOR_BYTES", "aligned_lanes", "vector_lanes"]
