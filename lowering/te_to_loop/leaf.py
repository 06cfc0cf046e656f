"""Emit a register tile: accumulate all cells over the reduction, then store each cell.

    te.compute @mm [m: 6, n: 16, k: 768 red] .. tile(vec = n, lanes = 8, k = 4)

becomes 12 loop-carried vector accumulators in one loop over k.  A cell is one position along the
parallel axes and one vector of the vector axis; cells share loads and ops of the body.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from xdsl.ir import SSAValue

from ...dialects.te.view import positions_of
from ...support.affine import Index, Key, constant, variable
from .access import OUTSIDE
from .context import Leaf, Point
from .emitter import LANE, combine
from .matrix_rows import MatrixRows
from .reduction import Accumulators, Walk, reduce_over
from .transpose import read_squares

_SHARED_SCALARS = 4
"""The most loop-invariant scalars per tile that are broadcast before a loop."""


MAPPED_TOGETHER = 4
"""Number of cells whose long chains are interleaved; a single chain waits for its own results."""

FINISHED_TOGETHER = 2
"""Number of cells whose epilogues are interleaved, while all other accumulators are live."""


class LeafTile:
    """A register tile, which consists of cells (result vectors).

    tiled: the axes of the tile except the vector axis.
    outer: the positions along the axes that are fixed outside of the tile.
    vector: the start and the length of the tile along the vector axis.
    """

    def __init__(
        self, leaf: Leaf, tiled: Sequence[str], outer: dict[Key, Index], vector: tuple[Index, int]
    ) -> None:
        self.leaf = leaf
        self.outer = {**leaf.base, **outer}
        start, length = vector
        width = leaf.lanes
        chunks = [(c, min(width, length - c)) for c in range(0, length, width)]
        positions = {a: [constant(p) for p in range(leaf.extents[a])] for a in tiled}
        self.cells: list[Point] = []
        for fixed in product(*positions.values()):
            values: dict[Key, Index] = {**self.outer, **dict(zip(tiled, fixed, strict=True))}
            for chunk, active in chunks:
                if leaf.vec is not None:
                    values = {**values, leaf.vec: start + variable(LANE) + chunk}
                self.cells.append(Point(values, active))
        self.stored: dict[tuple[int, int], SSAValue] = {}
        self.combined = leaf.combined()
        self.matrices = None
        if leaf.instruction is not None and leaf.instruction.intrinsic.is_matrix:
            self.matrices = MatrixRows(leaf, leaf.instruction, self.cells)

    def emit(self) -> None:
        """Emit the initial values, the reduction and the stores."""
        leaf = self.leaf
        if leaf.view.scan is not None:
            self._scan(leaf.view.scan)
            return
        walk = Walk(self.outer)
        if not self.combined:
            self._store_mapped(walk)
            return
        sums = self._start(walk)
        if self.matrices is not None:
            sums = self.matrices.joined(sums)
        sums = reduce_over(leaf, leaf.reduced, walk, sums, self._step, self._prepare)
        if self.matrices is not None:
            sums = self.matrices.rows_of(sums)
        self._finish(walk, sums)

    def _store_mapped(self, walk: Walk) -> None:
        """Emit the body and the stores of a tile without a reduction.

        The cells are stored in groups, so that few values are live.  Within a group, long chains of
        dependent operations are interleaved.
        """
        leaf, together = self.leaf, MAPPED_TOGETHER if self.leaf.body.has_long_chain else 1
        points = [cell.moved(walk.values, walk.inside) for cell in self.cells]
        read_squares(leaf, points)
        for first in range(0, len(points), together):
            part = points[first : first + together]
            for point, values in zip(part, leaf.map_together(part), strict=True):
                for i, value in enumerate(leaf.fold(values, [None] * len(leaf.outputs))):
                    leaf.write(i, value, point)

    def _scan(self, axis: str) -> None:
        """Emit a loop along the scan axis, which stores the accumulators after every step."""
        leaf, extent = self.leaf, self.leaf.axes[axis]
        before = Walk({**self.outer, axis: constant(-1)})

        def body(index: Index, accumulators: list[SSAValue]) -> Accumulators:
            walk = Walk({**self.outer, axis: index})
            accumulators = self._step(walk, accumulators)
            self._finish(walk, accumulators)
            return accumulators

        end = [leaf.emitter.extent(extent)]
        start = self._start(before)
        leaf.emitter.loop([constant(0)], end, positions_of(extent), start, body, name=axis)

    def _start(self, walk: Walk) -> Accumulators:
        leaf = self.leaf
        return [
            leaf.neutral(i, leaf.lanes)
            if leaf.adds_to_memory(i)
            else leaf.start(i, cell.moved(walk.values, walk.inside), leaf.lanes)
            for cell in self.cells
            for i in self.combined
        ]

    def _prepare(self, walk: Walk, axes: Sequence[str]) -> None:
        """Emit, before some loops, the reads that are invariant in these loops.

        walk: the current point of the loops around them.
        axes: the reduced axes of these loops.
        """
        leaf = self.leaf
        leaf.prefetch_block(walk.values, axes)
        if leaf.instruction is not None:
            return
        invariant = [j for j in leaf.read_order if not set(axes) & set(leaf.uses[j])]
        for j in invariant:
            for cell in self.cells:
                value = leaf.read(j, cell.moved(walk.values, walk.inside))
                few = len(invariant) * len(self.cells) <= _SHARED_SCALARS
                if value is not OUTSIDE and few and leaf.view.inputs[j].indices is not None:
                    leaf.emitter.splat(value, leaf.lanes)

    def _step(self, walk: Walk, accumulators: Accumulators) -> Accumulators:
        count = len(self.combined)
        accumulators = list(accumulators)
        self.leaf.prefetch_block(walk.values, ())
        if self.matrices is not None:
            points = [cell.moved(walk.values, walk.inside) for cell in self.cells]
            return self.matrices.step(points, accumulators)
        for number in range(len(self.cells)):
            first = number * count
            old = accumulators[first : first + count]
            accumulators[first : first + count] = self._map_cell(number, walk, old)
        return accumulators

    def _map_cell(self, number: int, walk: Walk, accumulators: Accumulators) -> Accumulators:
        """Emit the body of one cell (result vector); return its new accumulators.

        The values of outputs without reduction are recorded, and stored later.
        number: the number of the cell.
        walk: the current point of the loops over reduced axes.
        """
        leaf = self.leaf
        if leaf.instruction is not None:
            point = self.cells[number].moved(walk.values, walk.inside)
            return [leaf.instruction.use(leaf.emitter, accumulators[0], leaf.operands(point))]
        mapped = leaf.map(self.cells[number].moved(walk.values, walk.inside))
        if mapped is None:
            return accumulators
        carried: list[SSAValue | None] = [None] * len(leaf.outputs)
        for slot, i in enumerate(self.combined):
            carried[i] = accumulators[slot]
        folded = leaf.fold(mapped, carried)
        for i, value in enumerate(folded):
            if carried[i] is None:
                self.stored[number, i] = value
        return [folded[i] for i in self.combined]

    def _finish(self, walk: Walk, accumulators: Accumulators) -> None:
        """Emit the region ``then`` and the stores of all cells (result vectors).

        The code of several cells is interleaved.
        walk: the point of the loops over reduced axes.
        accumulators: the reduced values of all cells.
        """
        leaf, count = self.leaf, len(self.combined)
        together = FINISHED_TOGETHER if leaf.then is not None and leaf.then.has_long_chain else 1
        numbers = range(len(self.cells))
        for first in range(0, len(self.cells), together):
            part = numbers[first : first + together]
            points = [self.cells[n].moved(walk.values, walk.inside) for n in part]
            own = [
                self._with_memory(point, accumulators[n * count : (n + 1) * count])
                for n, point in zip(part, points, strict=True)
            ]
            finished = leaf.finish_together(list(zip(own, points, strict=True)))
            for number, point, values in zip(part, points, finished, strict=True):
                self._write_cell(number, point, values)

    def _with_memory(self, point: Point, accumulators: Accumulators) -> Accumulators:
        """Add old values in memory to the accumulators of outputs that continue a sum.

        See `Leaf.adds_to_memory`.  Returns the accumulators of all outputs.
        """
        leaf = self.leaf
        return [
            combine(leaf.emitter, leaf.outputs[i].combiner, leaf.start(i, point, leaf.lanes), own)
            if leaf.adds_to_memory(i)
            else own
            for i, own in zip(self.combined, accumulators, strict=True)
        ]

    def _write_cell(self, number: int, point: Point, finished: Sequence[SSAValue]) -> None:
        combined = iter(finished)
        for i, output in enumerate(self.leaf.outputs):
            value = next(combined) if output.reduces else self.stored[number, i]
            self.leaf.write(i, value, point)
