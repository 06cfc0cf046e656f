"""Vectorize reads of an operand that is contiguous along another axis, by transposes in registers.

    te.compute @t [i: 8, j: 8] ins(%x[j, i] ..) outs(%y[i, j] ..) tile(vec = j, lanes = 8)

Eight strided loads would read 64 elements one by one.  Instead, eight contiguous vectors are loaded
along ``i``, and ``loop.transpose`` turns them into vectors along ``j``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import SSAValue

from ...dialects import loop
from ...dialects.shape import MOST
from ...support.affine import Index, Key, constant, variable
from .access import load, place, shape_of
from .context import Leaf, Point
from .emitter import LANE


def read_squares(leaf: Leaf, cells: Sequence[Point]) -> None:
    """Emit the reads of inputs that are contiguous along a tile axis other than the vector axis.

    Such an input is loaded in squares, which have as many rows as a vector has lanes, and is
    transposed; the results are recorded as the values that the cells read.  A square at the border
    may lack rows or lanes, but fewer than half of them; the missing ones are not loaded.
    cells: the result vectors of the tile.
    """
    width = leaf.lanes
    if leaf.vec is None or width & (width - 1):
        return
    wide = [cell for cell in cells if width < 2 * cell.active]
    if not wide:
        return
    for number, access in enumerate(leaf.view.inputs):
        if access.value is None or access.indices is None or access.pad is not None:
            continue
        for axis in _unrolled(leaf, wide):
            if width < 2 * leaf.extents[axis] <= 2 * width and _crosses(leaf, number, axis, wide):
                _read_input(leaf, number, axis, wide)
                break


def _unrolled(leaf: Leaf, cells: Sequence[Point]) -> list[str]:
    """Return the parallel axes of the tile: each cell has a constant position along them.

    cells: the result vectors of the tile.
    """
    return [a for a in leaf.parallel if all(cell.values[a].is_constant for cell in cells)]


def _crosses(leaf: Leaf, number: int, axis: str, cells: Sequence[Point]) -> bool:
    """Return whether an input is contiguous along ``axis``, and strided along the vector axis.

    number: the number of the input.
    cells: the result vectors of the tile.
    """
    if axis not in leaf.uses[number] or leaf.vec not in leaf.uses[number]:
        return False
    along = _stride(leaf, number, cells[0].values, cells[0].active)
    access = leaf.view.inputs[number]
    if along is None and any(dim.value is None for dim in access.dims):
        along = MOST  # a symbolic distance
    across = _stride(leaf, number, _row(leaf, cells[0], axis, 0), leaf.extents[axis])
    return along not in (None, 0, 1) and across == 1


def _stride(leaf: Leaf, number: int, values: Mapping[Key, Index], active: int) -> int | None:
    access = leaf.view.inputs[number]
    assert access.value is not None, "an operand that is read has a buffer"
    range_of = leaf.lanes_of(active).range_of
    indices = [e.substitute(values, range_of) for e in access.indices or ()]
    return place(indices, shape_of(access.value), range_of).stride


def _row(leaf: Leaf, cell: Point, axis: str, lane: int) -> dict[Key, Index]:
    """Return the position of a vector load along ``axis`` that reads one row of a square.

    cell: the first result vector of the square.
    lane: the lane of the cell to which the row belongs.
    """
    assert leaf.vec is not None, "there are lanes"
    position = cell.values[leaf.vec].substitute({LANE: constant(lane)}, leaf.range_of)
    return {**cell.values, axis: variable(LANE), leaf.vec: position}


def _read_input(leaf: Leaf, number: int, axis: str, cells: Sequence[Point]) -> None:
    access, lanes = leaf.view.inputs[number], leaf.lanes_of(leaf.extents[axis])
    assert access.value is not None, "an operand that is read has a buffer"
    squares: dict[tuple[Index | None, ...], list[Point]] = {}
    for cell in cells:
        key = tuple(cell.values.get(a) for a in leaf.uses[number] if a != axis)
        squares.setdefault(key, []).append(cell)
    for square in squares.values():
        loaded: list[SSAValue] = []
        for lane in range(square[0].active):
            values = _row(leaf, square[0], axis, lane)
            row = [e.substitute(values, lanes.range_of) for e in access.indices or ()]
            loaded.append(load(leaf.emitter, access.value, row, lanes))
            leaf.prefetch.at_load(leaf.emitter, number, access.value, row)
        rest = [loaded[-1]] * (leaf.lanes - len(loaded))
        turned = loop.TransposeOp.make([*loaded, *rest])
        leaf.emitter.add(turned)
        for cell in square:
            number_in_square, _ = cell.values[axis].range(leaf.range_of)
            leaf.keep_read(number, cell, turned.rows[number_in_square])
