"""Pack rows of accumulators into vectors, for an instruction that multiplies matrices.

    te.compute @mm [m: 2, n: 4, ko: 16 red, ki: 8 red] ..
        tile(vec = n, lanes = 4, intrinsic = smmla)
==>  before the loop over ko: two accumulators of a row and two of the next one in each vector
    %l = loop.join (loop.slice %row0 0), (loop.slice %row1 0) : vector<2xi32> to vector<4xi32>
    %h = loop.join (loop.slice %row0 2), (loop.slice %row1 2) : ..
in the loop
    %a = loop.join %x0, %x1 : vector<8xi8> to vector<16xi8>       (eight bytes of both rows)
    %b = loop.slice %w 0 : vector<32xi8> to vector<16xi8>
    %s = loop.intrinsic @smmla(%l, %a, %b) : ..
and after the loop the rows are separated again.  If the number of rows is odd, the last row is used
as both rows.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import cast

from xdsl.dialects.builtin import VectorType
from xdsl.ir import SSAValue

from ...dialects import loop
from .context import Leaf, Point
from .emitter import LoopEmitter
from .instruction import LeafInstruction


class MatrixRows:
    """The cells (result vectors) of a tile, in groups that one instruction multiplies.

    An instruction that multiplies matrices computes several rows of results.  The cells of a group
    are such rows: they read the same lanes of the right operand.  A matrix is a vector of
    accumulators, in which each row of the group has some lanes.
    """

    def __init__(self, leaf: Leaf, instruction: LeafInstruction, cells: Sequence[Point]) -> None:
        self.leaf, self.instruction = leaf, instruction
        columns: dict[Hashable, list[int]] = {}
        for number, cell in enumerate(cells):
            columns.setdefault(self._column(cell), []).append(number)
        self.groups: list[list[int]] = []
        rows = instruction.intrinsic.rows
        for numbers in columns.values():
            for first in range(0, len(numbers), rows):
                group = numbers[first : first + rows]
                self.groups.append([*group, *[group[-1]] * (rows - len(group))])

    def _column(self, cell: Point) -> Hashable:
        """Return a key that is equal for cells that read the same lanes of the right operand."""
        wide = self.instruction.lane_inputs
        axes = {a for n in wide for a in self.leaf.view.inputs[n].axes()}
        return (cell.active, *(cell.values.get(a) for a in self.leaf.view.axes if a in axes))

    def joined(self, sums: Sequence[SSAValue]) -> list[SSAValue]:
        """Pack the accumulators of cells into matrices; return the matrices of all groups.

        sums: the accumulators of each cell (result vector).
        """
        rows, emitter = self.instruction.intrinsic.rows, self.leaf.emitter
        return [
            _joined(emitter, [_part(emitter, sums[n], part, rows) for n in group])
            for group in self.groups
            for part in range(rows)
        ]

    def rows_of(self, matrices: Sequence[SSAValue]) -> list[SSAValue]:
        """Unpack the matrices of all groups; return the accumulators of each result vector."""
        rows, emitter = self.instruction.intrinsic.rows, self.leaf.emitter
        sums: dict[int, SSAValue] = {}
        for number, group in enumerate(self.groups):
            own = matrices[number * rows : (number + 1) * rows]
            for place, cell in enumerate(group):
                if cell not in sums:
                    parts = [_part(emitter, matrix, place, rows) for matrix in own]
                    sums[cell] = _joined(emitter, parts)
        return [sums[cell] for cell in sorted(sums)]

    def step(self, points: Sequence[Point], matrices: Sequence[SSAValue]) -> list[SSAValue]:
        """Emit one reduction step, which adds products to all matrices; return the new matrices.

        points: the point of each cell (result vector) at this step.
        """
        rows = self.instruction.intrinsic.rows
        made: list[SSAValue] = []
        for number, group in enumerate(self.groups):
            cells = [self.leaf.operands(points[n]) for n in group]
            for part in range(rows):
                total = matrices[number * rows + part]
                operands = [
                    self._operand(position, cells, part) for position in range(len(cells[0]))
                ]
                made.append(self.instruction.use(self.leaf.emitter, total, operands))
        return made

    def _operand(self, position: int, cells: Sequence[Sequence[SSAValue]], part: int) -> SSAValue:
        """Return an operand of the instruction for a group of cells (result vectors).

        For the left operand, it joins the vectors of all cells.  For the right operand, it is part
        ``part`` of the vector that the cells share.
        position: the position of the operand.
        cells: the operands of each cell.
        """
        emitter, rows = self.leaf.emitter, self.instruction.intrinsic.rows
        own = [cell[position] for cell in cells]
        is_wide = self.instruction.has_lanes(position)
        key: Hashable = ("part", own[0], part) if is_wide else ("rows", *own)
        found = emitter.scope.reads.get(key)
        if found is None:
            found = _part(emitter, own[0], part, rows) if is_wide else _joined(emitter, own)
            emitter.scope.reads[key] = found
        return cast(SSAValue, found)


def _part(emitter: LoopEmitter, vector: SSAValue, number: int, count: int) -> SSAValue:
    """Return part ``number`` of a vector that is divided into ``count`` equal parts."""
    assert isinstance(vector.type, VectorType), vector.type
    size = vector.type.get_shape()[0] // count
    return emitter.value(loop.SliceOp.make(vector, number * size, size))


def _joined(emitter: LoopEmitter, vectors: Sequence[SSAValue]) -> SSAValue:
    """Return one vector with the lanes of several vectors, whose number is a power of two."""
    if len(vectors) == 1:
        return vectors[0]
    half = len(vectors) // 2
    parts = (_joined(emitter, own) for own in (vectors[:half], vectors[half:]))
    return emitter.value(loop.JoinOp.make(*parts))
