"""Emit a scan whose reads and stores are vectors along the scan axis.

    for b = 0 to n / 8:
      v = body(x[8 b .. 8 b + 7])        one vector
      s0 = s + v[0]   s1 = s0 + v[1]  .. the accumulators of each lane, in order
      store then([s0, .., s7]), y[8 b .. 8 b + 7]

The lanes are combined one after the other, so the results are those of a scan without vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from xdsl.ir import SSAValue

from ...dialects import loop
from ...support.affine import Index, Key, constant, variable
from .access import extract
from .body import DeferredProduct
from .context import Leaf, Point
from .emitter import LANE
from .reduction import Accumulators


class VectorScan:
    """The emission of one scan of a leaf, whose vector axis is the scan axis.

    leaf: the scan.
    tiled: the parallel axes of the register tile, each point of which has its own accumulators.
    outer: the positions along the axes that are fixed outside of the tile.
    """

    def __init__(self, leaf: Leaf, tiled: Sequence[str], outer: dict[Key, Index]) -> None:
        assert leaf.vec is not None, "the scan has a vector axis"
        self.leaf, self.axis = leaf, leaf.vec
        self.combined = leaf.combined()
        places = product(*([constant(p) for p in range(leaf.extents[a])] for a in tiled))
        self.cells: list[dict[Key, Index]] = [
            {**leaf.base, **outer, **dict(zip(tiled, place, strict=True))} for place in places
        ]

    def emit(self) -> None:
        """Emit the initial values, and the loop over vectors."""
        leaf = self.leaf
        trips, rest = divmod(leaf.extents[self.axis], leaf.lanes)
        before = [Point({**cell, self.axis: constant(-1)}, 1) for cell in self.cells]
        start = [leaf.start(i, point, 1) for point in before for i in self.combined]
        sums = leaf.emitter.loop(
            0,
            trips,
            (0, trips - 1),
            start,
            lambda index, carried: self._step(index, carried, leaf.lanes),
            name=self.axis,
        )
        if rest:
            self._step(constant(trips), sums, rest)

    def _step(self, index: Index, accumulators: Sequence[SSAValue], active: int) -> Accumulators:
        """Emit one vector of each cell; return the accumulators after its last active lane."""
        count, carried = len(self.combined), list[SSAValue]()
        place = index * self.leaf.lanes + variable(LANE)
        for number, cell in enumerate(self.cells):
            point = Point({**cell, self.axis: place}, active)
            own = accumulators[number * count : (number + 1) * count]
            carried += self._scan(point, own)
        return carried

    def _scan(self, point: Point, accumulators: Sequence[SSAValue]) -> Accumulators:
        leaf, emitter, own = self.leaf, self.leaf.emitter, list(accumulators)
        mapped = leaf.map(point)
        rows: list[list[SSAValue]] = []
        for lane in range(leaf.lanes):
            if mapped is not None and lane < point.active:
                carried = dict(zip(self.combined, own, strict=True))
                values = [self._lane(value, lane) for value in mapped]
                folded = leaf.fold(values, [carried.get(i) for i in range(len(leaf.outputs))])
                own = [folded[i] for i in self.combined]
            rows.append(own)
        packs = [emitter.value(loop.PackOp.make(lanes)) for lanes in zip(*rows, strict=True)]
        for i, value in zip(self.combined, leaf.finish(packs, point), strict=True):
            leaf.write(i, value, point)
        return own

    def _lane(self, value: SSAValue | DeferredProduct, lane: int) -> SSAValue | DeferredProduct:
        if isinstance(value, DeferredProduct):
            lhs, rhs = (self._scalar(each, lane) for each in (value.lhs, value.rhs))
            return DeferredProduct(lhs, rhs)
        return self._scalar(value, lane)

    def _scalar(self, value: SSAValue, lane: int) -> SSAValue:
        is_vector = loop.lanes_of(value.type) > 1
        return extract(self.leaf.emitter, value, lane) if is_vector else value
