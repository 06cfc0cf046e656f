"""Non-maximum suppression: per batch and class, keep the best box, drop boxes that overlap it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import TensorType, i8, i64
from xdsl.ir import SSAValue

from ...dialects.graph import NmsOp
from ...dialects.index_syntax import INDEX
from ...dialects.te.nest_builder import Nest
from .builder import Builder, Rule, shape_of
from .data_rules import all_axes, over_numbers

COORDINATES = 4


def lower_nms(op: NmsOp, builder: Builder) -> Sequence[SSAValue]:
    """Build one serial nest, because each class appends its boxes after the previous class."""
    batches, classes, boxes = shape_of(op.scores)
    types = [TensorType(i64, shape_of(op.out)), TensorType(i64, (1,))]
    nest = Nest("nms", [builder.value(op.boxes), builder.value(op.scores)], types)
    state = _State(op, nest, boxes, alive=nest.local(i8, boxes))
    _, _, out, count = nest.buffers
    zero = nest.constant(0, i64)
    nest.put(zero, count, 0)
    rows = shape_of(op.out)[0]
    with nest.loop(0, rows) as row, nest.loop(0, 3) as column:
        nest.put(zero, out, row, column)
    with nest.loop(0, batches) as batch, nest.loop(0, classes) as class_:
        state.start(batch, class_)
        with nest.loop(0, min(op.limit, boxes)):
            best = state.best(batch, class_)
            with nest.when(nest.compare("lt", best, nest.constant(boxes, INDEX))):
                row = nest.inside(nest.cast(nest.get(count, 0), i64, INDEX), rows)
                for column, number in enumerate((batch, class_, best)):
                    nest.put(nest.cast(number, INDEX, i64), out, row, column)
                nest.put(nest.add(nest.get(count, 0), nest.constant(1, i64)), count, 0)
                state.drop_overlapping(batch, best)
    kept, size = builder.append(nest.build()).results
    builder.data.counts[op.symbol] = size
    return [kept]


@dataclass
class _State:
    """The boxes of a class that are neither kept nor dropped yet; ``alive`` holds 1 for each."""

    op: NmsOp
    nest: Nest
    count: int
    alive: SSAValue

    def start(self, batch: SSAValue, class_: SSAValue) -> None:
        """Mark all boxes with a sufficient score as alive."""
        nest = self.nest
        with nest.loop(0, self.count) as i:
            taken = nest.constant(1, i8)
            if self.op.above is not None:
                score = nest.widen(nest.get(nest.buffers[1], batch, class_, i))
                high = nest.compare("gt", score, nest.like(self.op.above, score))
                taken = nest.select(high, taken, nest.constant(0, i8))
            nest.put(taken, self.alive, i)

    def best(self, batch: SSAValue, class_: SSAValue) -> SSAValue:
        """Return the first alive box with the highest score; the number of boxes if none."""
        nest = self.nest
        scores, none = nest.buffers[1], nest.constant(self.count, INDEX)
        first = nest.widen(nest.get(scores, batch, class_, 0))
        with nest.fold(0, self.count, first, none) as search:
            top, at = search.carried
            score = nest.widen(nest.get(scores, batch, class_, search.index))
            higher = nest.compare("gt", score, top)
            wins = nest.bit_or(higher, nest.compare("eq", at, none))
            wins = nest.bit_and(wins, self._is_alive(search.index))
            search.next(nest.select(wins, score, top), nest.select(wins, search.index, at))
        return search.results[1]

    def _is_alive(self, box: SSAValue) -> SSAValue:
        nest = self.nest
        return nest.compare("ne", nest.get(self.alive, box), nest.constant(0, i8))

    def drop_overlapping(self, batch: SSAValue, best: SSAValue) -> None:
        """Drop the kept box and the boxes that overlap it too much."""
        nest = self.nest
        low, high = self._corners(batch, best)
        area = _area(nest, low, high)
        with nest.loop(0, self.count) as i:
            other_low, other_high = self._corners(batch, i)
            sides = [
                nest.sub(nest.min(a, b), nest.max(c, d))
                for a, b, c, d in zip(high, other_high, low, other_low, strict=True)
            ]
            shared = nest.mul(*sides)
            other = _area(nest, other_low, other_high)
            union = nest.sub(nest.add(area, other), shared)
            ratio = nest.div(shared, union)
            drops = nest.compare("gt", ratio, nest.like(self.op.iou, ratio))
            for size in (*sides, area, other, union):
                drops = nest.bit_and(drops, nest.compare("gt", size, nest.like(0, size)))
            with nest.when(drops):
                nest.put(nest.constant(0, i8), self.alive, i)
        nest.put(nest.constant(0, i8), self.alive, best)

    def _corners(self, batch: SSAValue, box: SSAValue) -> tuple[list[SSAValue], list[SSAValue]]:
        """Return the lower and the upper corner of a box."""
        nest = self.nest
        a, b, c, d = (
            nest.widen(nest.get(nest.buffers[0], batch, box, n)) for n in range(COORDINATES)
        )
        if not self.op.center:
            pairs = ((a, c), (b, d))
            return [nest.min(*p) for p in pairs], [nest.max(*p) for p in pairs]
        half = [nest.mul(size, nest.like(0.5, size)) for size in (c, d)]
        pairs = list(zip((a, b), half, strict=True))
        return [nest.sub(*p) for p in pairs], [nest.add(*p) for p in pairs]


def _area(nest: Nest, low: Sequence[SSAValue], high: Sequence[SSAValue]) -> SSAValue:
    return nest.mul(*(nest.sub(h, lo) for lo, h in zip(low, high, strict=True)))


RULES: dict[type, Rule] = {NmsOp: lower_nms}

DATA_RULES: dict[type, Rule] = {
    NmsOp: over_numbers(lower_nms, lambda op: list(map(all_axes, op.operands)))
}
"""The lowering of those with a data-dependent size in an operand or result."""
