"""Non-maximum suppression: per batch and class, keep the best box, drop boxes that overlap it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import TensorType, i8, i64
from xdsl.ir import SSAValue

from ...dialects.graph import NmsOp
from ...dialects.index_syntax import INDEX
from ...dialects.te.loops_builder import LoopsBuilder
from .builder import Builder, Rule, shape_of
from .data_rules import all_axes, over_numbers

COORDINATES = 4


def lower_nms(op: NmsOp, builder: Builder) -> Sequence[SSAValue]:
    """Build one serial loops, because each class appends its boxes after the previous class."""
    batches, classes, boxes = shape_of(op.scores)
    types = [TensorType(i64, shape_of(op.out)), TensorType(i64, (1,))]
    loops = LoopsBuilder("nms", [builder.value(op.boxes), builder.value(op.scores)], types)
    state = _State(op, loops, boxes, alive=loops.local(i8, boxes))
    _, _, out, count = loops.buffers
    zero = loops.constant(0, i64)
    loops.put(zero, count, 0)
    rows = shape_of(op.out)[0]
    with loops.loop(0, rows) as row, loops.loop(0, 3) as column:
        loops.put(zero, out, row, column)
    with loops.loop(0, batches) as batch, loops.loop(0, classes) as class_:
        state.start(batch, class_)
        with loops.loop(0, min(op.limit, boxes)):
            best = state.best(batch, class_)
            with loops.when(loops.compare("lt", best, loops.constant(boxes, INDEX))):
                row = loops.inside(loops.cast(loops.get(count, 0), i64, INDEX), rows)
                for column, number in enumerate((batch, class_, best)):
                    loops.put(loops.cast(number, INDEX, i64), out, row, column)
                loops.put(loops.add(loops.get(count, 0), loops.constant(1, i64)), count, 0)
                state.drop_overlapping(batch, best)
    kept, size = builder.append(loops.build()).results
    builder.data.counts[op.symbol] = size
    return [kept]


@dataclass
class _State:
    """The boxes of a class that are neither kept nor dropped yet; ``alive`` holds 1 for each."""

    op: NmsOp
    loops: LoopsBuilder
    count: int
    alive: SSAValue

    def start(self, batch: SSAValue, class_: SSAValue) -> None:
        """Mark all boxes with a sufficient score as alive."""
        loops = self.loops
        with loops.loop(0, self.count) as i:
            taken = loops.constant(1, i8)
            if self.op.above is not None:
                score = loops.widen(loops.get(loops.buffers[1], batch, class_, i))
                high = loops.compare("gt", score, loops.like(self.op.above, score))
                taken = loops.select(high, taken, loops.constant(0, i8))
            loops.put(taken, self.alive, i)

    def best(self, batch: SSAValue, class_: SSAValue) -> SSAValue:
        """Return the first alive box with the highest score; the number of boxes if none."""
        loops = self.loops
        scores, none = loops.buffers[1], loops.constant(self.count, INDEX)
        first = loops.widen(loops.get(scores, batch, class_, 0))
        with loops.fold(0, self.count, first, none) as search:
            top, at = search.carried
            score = loops.widen(loops.get(scores, batch, class_, search.index))
            higher = loops.compare("gt", score, top)
            wins = loops.bit_or(higher, loops.compare("eq", at, none))
            wins = loops.bit_and(wins, self._is_alive(search.index))
            search.next(loops.select(wins, score, top), loops.select(wins, search.index, at))
        return search.results[1]

    def _is_alive(self, box: SSAValue) -> SSAValue:
        loops = self.loops
        return loops.compare("ne", loops.get(self.alive, box), loops.constant(0, i8))

    def drop_overlapping(self, batch: SSAValue, best: SSAValue) -> None:
        """Drop the kept box and the boxes that overlap it too much."""
        loops = self.loops
        low, high = self._corners(batch, best)
        area = _area(loops, low, high)
        with loops.loop(0, self.count) as i:
            other_low, other_high = self._corners(batch, i)
            sides = [
                loops.sub(loops.min(a, b), loops.max(c, d))
                for a, b, c, d in zip(high, other_high, low, other_low, strict=True)
            ]
            shared = loops.mul(*sides)
            other = _area(loops, other_low, other_high)
            union = loops.sub(loops.add(area, other), shared)
            ratio = loops.div(shared, union)
            drops = loops.compare("gt", ratio, loops.like(self.op.iou, ratio))
            for size in (*sides, area, other, union):
                drops = loops.bit_and(drops, loops.compare("gt", size, loops.like(0, size)))
            with loops.when(drops):
                loops.put(loops.constant(0, i8), self.alive, i)
        loops.put(loops.constant(0, i8), self.alive, best)

    def _corners(self, batch: SSAValue, box: SSAValue) -> tuple[list[SSAValue], list[SSAValue]]:
        """Return the lower and the upper corner of a box."""
        loops = self.loops
        a, b, c, d = (
            loops.widen(loops.get(loops.buffers[0], batch, box, n)) for n in range(COORDINATES)
        )
        if not self.op.center:
            pairs = ((a, c), (b, d))
            return [loops.min(*p) for p in pairs], [loops.max(*p) for p in pairs]
        half = [loops.mul(size, loops.like(0.5, size)) for size in (c, d)]
        pairs = list(zip((a, b), half, strict=True))
        return [loops.sub(*p) for p in pairs], [loops.add(*p) for p in pairs]


def _area(loops: LoopsBuilder, low: Sequence[SSAValue], high: Sequence[SSAValue]) -> SSAValue:
    return loops.mul(*(loops.sub(h, lo) for lo, h in zip(low, high, strict=True)))


RULES: dict[type, Rule] = {NmsOp: lower_nms}

DATA_RULES: dict[type, Rule] = {
    NmsOp: over_numbers(lower_nms, lambda op: list(map(all_axes, op.operands)))
}
"""The lowering of those with a data-dependent size in an operand or result."""
