"""Lower non-maximum suppression: per batch and class, drop boxes that overlap a better box.

    scores (b, c, n), boxes (b, n, 4)
      -> keys (b, c, blocks, 64): an integer per box, ordered as the scores; padded to whole blocks
      -> te.loops @nms: per batch and class, the numbers (b * classes + c) * n + box of the kept
         boxes in order, and how many are kept; each batch and class is a task
      -> te.loops @nms_gather: the numbers of all classes, one after another, and their count
      -> rows (kept, 3): each number as batch, class and box

``nms_loops.py`` has the loops of @nms.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

from xdsl.dialects import arith
from xdsl.dialects.builtin import i32, i64
from xdsl.ir import SSAValue

from ....dialects.graph import NmsOp
from ....dialects.index_syntax import INDEX
from ....dialects.shape import Dim, dims_of, extent_of, tensor_type, type_of
from ....dialects.te import LoopsOp
from ....dialects.te.build import position, read
from ....dialects.te.loops_builder import LoopsBuilder
from ....dialects.te.scalars import Scalars
from ....support.affine import variable
from ..builder import Rule, TeBuilder
from .data_rules import all_axes, over_numbers, start_of
from .nms_loops import BLOCK, NO_KEY, NUMBERS, build_suppression, end_of
from .selection import decoded_places


def lower_nms(op: NmsOp, builder: TeBuilder) -> Sequence[SSAValue]:
    """Lower to loops that select boxes of each class, and loops that list all selected boxes.

    Returns the number of selected boxes, and the rows (batch, class, box) of the selected boxes.
    """
    if builder.data.most(op.bound).value == 0:
        nothing = builder.full(tensor_type(i64, (1,)), 0)
        builder.bind(op.symbol, nothing)
        return [builder.full(type_of(op.out), 0)]
    loops = build_suppression(op, builder.value(op.boxes), _keys(op, builder))
    kept, counts, *_ = builder.append(loops).results
    places, total = builder.append(_gathered(op, kept, counts, builder)).results
    builder.bind(op.symbol, total)
    shape, size = dims_of(type_of(op.scores)), dims_of(type_of(op.out))[0]
    places = start_of("nms_places", places, tensor_type(i64, (size,)), builder)
    return [decoded_places("nms_boxes", places, shape, ("k", "r"), extent_of(size), builder)]


def _keys(op: NmsOp, builder: TeBuilder) -> SSAValue:
    """Append a compute of the sort key of each box; return its result.

    The high bits of a key are the score as an ordered integer, the low bits are the complement of
    the box number. So the larger of two keys belongs to the higher score, or for equal scores to
    the box with the lower number. Boxes with an insufficient score, and boxes of the padding, have
    NO_KEY.
    """
    batches, classes, boxes = dims_of(type_of(op.scores))
    blocks = boxes.ceildiv(BLOCK).max(1)
    sizes = (batches, classes, blocks, Dim.const(BLOCK))
    axes = dict(zip("bcqi", map(extent_of, sizes), strict=True))
    number = variable("q") * BLOCK + variable("i")

    def body(s: Scalars, score: SSAValue, number: SSAValue) -> SSAValue:
        score = s.widen(score)
        bits = _ordered(s, score)
        high = s.emit(arith.ShLIOp, [s.cast(bits, i32, i64), s.constant(32, i64)], i64)
        low = s.sub(s.constant(NUMBERS, i64), s.cast(number, INDEX, i64))
        if op.above is None:
            counts = s.compare("eq", score, score)
        else:
            counts = s.compare("gt", score, s.like(op.above, score))
        return s.select(counts, s.bit_or(high, low), s.constant(NO_KEY, i64))

    inputs = [read(builder.value(op.scores), ("b", "c", number), pad=nan), position(number)]
    return builder.pointwise("nms_keys", axes, inputs, i64, body)


def _ordered(s: Scalars, score: SSAValue) -> SSAValue:
    """Return an i32 whose order is that of the f32 score; it is the same for both zeros."""
    bits = s.emit(arith.BitcastOp, [score], i32)
    magnitude = s.bit_and(bits, s.constant(0x7FFFFFFF, i32))
    negative = s.compare("lt", bits, s.constant(0, i32))
    return s.select(negative, s.sub(s.constant(0, i32), magnitude), bits)


def _gathered(op: NmsOp, kept: SSAValue, counts: SSAValue, builder: TeBuilder) -> LoopsOp:
    """Return loops that concatenate the selected boxes of all classes.

    kept: the numbers of the selected boxes.  counts: how many there are per batch and class.  In a
    region of control flow the result has its largest size, with zeros at the end.
    """
    batches, classes, most = dims_of(type_of(kept))
    rows = extent_of(builder.data.most(op.bound))
    types = [tensor_type(i64, (rows,)), tensor_type(i64, (1,))]
    loops = LoopsBuilder("nms_gather", [kept, counts], types)
    places, number, out, total = loops.buffers
    zero = loops.constant(0, i64)
    if op.symbol in builder.data.largest:
        with loops.loop(0, end_of(loops, Dim.of(rows))) as row:
            loops.put(zero, out, row)
    loops.put(zero, total, 0)
    ends = (end_of(loops, size) for size in (batches, classes))
    with loops.loop(0, next(ends)) as batch, loops.loop(0, next(ends)) as class_:
        count = loops.cast(loops.get(number, batch, class_), i64, INDEX)
        before = loops.cast(loops.get(total, 0), i64, INDEX)
        with (
            loops.loop(0, [count, end_of(loops, most)]) as i,
            loops.within(loops.add(before, i), rows) as row,
        ):
            loops.put(loops.get(places, batch, class_, i), out, row)
        loops.put(loops.cast(loops.add(before, count), INDEX, i64), total, 0)
    return loops.build()


RULES: dict[type, Rule] = {NmsOp: lower_nms}

DATA_RULES: dict[type, Rule] = {
    NmsOp: over_numbers(lower_nms, lambda op: list(map(all_axes, op.operands)))
}
"""The lowering of ops with a data-dependent size in an operand or result."""
