"""A tile in registers: cells times accumulators through the reduction, one store at the end.

    te.compute @mm [m: 6, n: 16, k: 768 red] .. tile(vec = n, lanes = 8, k = 4)

becomes 12 vector accumulators carried by one loop over k.  A cell is one position of the
parallel axes and one vector of the vector axis; cells share loads and body ops.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from xdsl.ir import SSAValue

from ...support.affine import Index, Key, constant, variable
from .access import OUTSIDE
from .context import Leaf, Point
from .emitter import LANE
from .reduction import Accumulators, Walk, reduce_over

_SHARED_SCALARS = 4
"""Most loop-invariant scalars per tile whose vectors are made before a loop."""


class Tile:
    """Cells of one tile; outer: values of axes that loops around the tile run over.

    vector: start and length of the part of the vector axis that is covered.
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

    def emit(self) -> None:
        """Emit initial values, the reduction and the stores."""
        leaf = self.leaf
        if leaf.view.scan is not None:
            self._scan(leaf.view.scan)
            return
        walk = Walk(self.outer)
        if not self.combined:
            # Stored at once, so that few values are live.
            for number in range(len(self.cells)):
                self._map_cell(number, walk, [])
                self._finish_cell(number, walk, [])
            return
        accumulators = self._start(walk)
        accumulators = reduce_over(
            leaf, leaf.reduced, walk, accumulators, self._step, self._prepare
        )
        self._finish(walk, accumulators)

    def _scan(self, axis: str) -> None:
        """Run over the scan axis and store every partial result."""
        leaf, extent = self.leaf, self.leaf.extents[axis]
        before = Walk({**self.outer, axis: constant(-1)})

        def body(index: Index, accumulators: list[SSAValue]) -> Accumulators:
            walk = Walk({**self.outer, axis: index})
            accumulators = self._step(walk, accumulators)
            self._finish(walk, accumulators)
            return accumulators

        leaf.emitter.loop(0, extent, (0, extent - 1), self._start(before), body)

    def _start(self, walk: Walk) -> Accumulators:
        leaf = self.leaf
        return [
            leaf.start(i, cell.moved(walk.values, walk.inside), leaf.lanes)
            for cell in self.cells
            for i in self.combined
        ]

    def _prepare(self, walk: Walk, axes: Sequence[str]) -> None:
        """Read what no loop over these axes changes before the loops."""
        leaf = self.leaf
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
        for number in range(len(self.cells)):
            first = number * count
            old = accumulators[first : first + count]
            accumulators[first : first + count] = self._map_cell(number, walk, old)
        return accumulators

    def _map_cell(self, number: int, walk: Walk, accumulators: Accumulators) -> Accumulators:
        """Emit the body of one cell; return its accumulators, keep what is only stored."""
        leaf = self.leaf
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
        count = len(self.combined)
        for number in range(len(self.cells)):
            first = number * count
            self._finish_cell(number, walk, accumulators[first : first + count])

    def _finish_cell(self, number: int, walk: Walk, accumulators: Accumulators) -> None:
        """Emit ``then`` and the stores of one cell."""
        leaf = self.leaf
        point = self.cells[number].moved(walk.values, walk.inside)
        finished = iter(leaf.finish(accumulators, point) if self.combined else [])
        for i, output in enumerate(leaf.outputs):
            value = next(finished) if output.reduces else self.stored[number, i]
            leaf.write(i, value, point)
