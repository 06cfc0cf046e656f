"""Non-maximum suppression: per batch and class, keep the best box, drop boxes that overlap it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import i8, i64
from xdsl.ir import SSAValue

from ...dialects.dtypes import compute_type
from ...dialects.graph import NmsOp
from ...dialects.index_syntax import INDEX
from ...dialects.shape import Dim, Extent, dims_of, extent_of, tensor_type, type_of
from ...dialects.te.loops_builder import LoopsBuilder, Place
from .builder import Builder, Rule
from .data_rules import all_axes, over_numbers, valid_start

COORDINATES = 4


def lower_nms(op: NmsOp, builder: Builder) -> Sequence[SSAValue]:
    """Build one serial loops, because each class appends its boxes after the previous class."""
    batches, classes, boxes = dims_of(type_of(op.scores))
    rows = extent_of(builder.data.most(op.bound))
    types = [tensor_type(i64, (rows, 3)), tensor_type(i64, (1,))]
    if boxes.value is None:
        types.append(tensor_type(i8, (boxes,)))  # a local buffer has a static size
    loops = LoopsBuilder("nms", [builder.value(op.boxes), builder.value(op.scores)], types)
    out, count, *rest = loops.buffers[2:]
    alive = loops.local(i8, boxes.value) if boxes.value is not None else rest[0]
    state = _State(op, loops, extent_of(boxes), alive)
    zero = loops.constant(0, i64)
    loops.put(zero, count, 0)
    ends = (_end(loops, size) for size in (Dim.of(rows), batches, classes))
    with loops.loop(0, next(ends)) as row, loops.loop(0, 3) as column:
        loops.put(zero, out, row, column)
    with loops.loop(0, next(ends)) as batch, loops.loop(0, next(ends)) as class_:
        state.start(batch, class_)
        with loops.loop(0, _end(loops, boxes.min(op.limit))):
            best = state.best(batch, class_)
            with loops.when(loops.compare("lt", best, loops.size(extent_of(boxes)))):
                if boxes.value is None:  # the proof knows no bounds of a carried position
                    best = loops.inside(best, extent_of(boxes))
                row = loops.inside(loops.cast(loops.get(count, 0), i64, INDEX), rows)
                for column, number in enumerate((batch, class_, best)):
                    loops.put(loops.cast(number, INDEX, i64), out, row, column)
                loops.put(loops.add(loops.get(count, 0), loops.constant(1, i64)), count, 0)
                state.drop_overlapping(batch, best)
    kept, size, *_ = builder.append(loops.build()).results
    builder.bind(op.symbol, size)
    return [valid_start("nms_boxes", kept, op.out, builder)]


def _end(loops: LoopsBuilder, size: Dim) -> Place:
    """Return a size as the end of a loop."""
    return loops.size(size) if size.value is None else size.value


@dataclass
class _State:
    """The boxes of a class that are neither kept nor dropped yet; ``alive`` holds 1 for each."""

    op: NmsOp
    loops: LoopsBuilder
    count: Extent
    alive: SSAValue

    def start(self, batch: SSAValue, class_: SSAValue) -> None:
        """Mark all boxes with a sufficient score as alive."""
        loops = self.loops
        with loops.loop(0, _end(loops, Dim.of(self.count))) as i:
            taken = loops.constant(1, i8)
            if self.op.above is not None:
                score = loops.widen(loops.get(loops.buffers[1], batch, class_, i))
                high = loops.compare("gt", score, loops.like(self.op.above, score))
                taken = loops.select(high, taken, loops.constant(0, i8))
            loops.put(taken, self.alive, i)

    def best(self, batch: SSAValue, class_: SSAValue) -> SSAValue:
        """Return the first alive box with the highest score; the number of boxes if none."""
        loops = self.loops
        scores, none = loops.buffers[1], loops.size(self.count)
        first = loops.constant(0.0, compute_type(loops.get_type(scores)))
        with loops.fold(0, _end(loops, Dim.of(self.count)), first, none) as search:
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
        with loops.loop(0, _end(loops, Dim.of(self.count))) as i:
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
