"""Build the loops of non-maximum suppression, which handle each class in a task.

    highest[q] = the largest key of block q;  top = the largest of all
    while top is a key and fewer than ``limit`` boxes are kept:
        take the box of top; find the new largest key of its block, below top, and the new top
        if no kept box overlaps it: keep it

A box is compared only with boxes that are already kept, a vector of kept boxes at a time. loop.for
has no condition, so blocks of iterations are skipped when nothing is left to do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

from xdsl.dialects.builtin import i32, i64
from xdsl.ir import Attribute, SSAValue

from ....dialects.dtypes import compute_type
from ....dialects.graph import NmsOp
from ....dialects.index_syntax import INDEX
from ....dialects.shape import Dim, dims_of, extent_of, tensor_type, type_of
from ....dialects.te import LoopsOp
from ....dialects.te.loops_builder import LoopsBuilder, Place

BLOCK, LANES = 64, 16
"""Boxes per block, a whole number of vectors of LANES keys."""

NO_KEY = -(1 << 63)
"""Less than the key of every box."""

NUMBERS = (1 << 32) - 1
"""The lower half of a key is NUMBERS minus the number of its box."""

COORDINATES = 4
LARGE_LIMIT = 4096
"""With a larger limit and a symbolic number of boxes, the kept boxes are in an arena, not local."""

FIELDS = COORDINATES + 1
"""The lower and upper corner of a kept box, and its area."""


def build_suppression(op: NmsOp, boxes: SSAValue, keys: SSAValue) -> LoopsOp:
    """Return a te.loops that selects boxes by non-maximum suppression.

    boxes, keys: its arguments, the corners of the boxes and their sort keys.
    The results of the te.loops are the numbers of the selected boxes per batch and class, their
    counts, and scratch memory.
    """
    return _Suppression(op, boxes, keys).build()


def end_of(loops: LoopsBuilder, size: Dim) -> Place:
    """Return a size as an operand that can end a loop; a symbolic size becomes a loop.size."""
    return loops.size(size) if size.value is None else size.value


@dataclass(frozen=True)
class _TaskBuffer:
    """A buffer of one task: local if its size is static, else a slice of a result of the te.loops.

    task: the indices of the slice in the result; empty for a local buffer.
    """

    buffer: SSAValue
    task: Sequence[SSAValue] = ()

    def at(self, *places: Place) -> tuple[SSAValue, tuple[Place, ...]]:
        """Return the operands of an access to an element of the task's buffer.

        places: the indices of the element in the task's part of the buffer.
        Returns the buffer, and the indices in the whole buffer.
        """
        return self.buffer, (*self.task, *places)


class _Suppression:
    """The builder of the loops that select boxes.

    task: the batch and the class of the current task.
    highest: the largest key of each block of boxes, in vectors.
    kept: the corners and the area of each selected box, in vectors.
    top: the largest key of all blocks.
    """

    highest: _TaskBuffer
    kept: _TaskBuffer
    top: SSAValue
    task: tuple[SSAValue, SSAValue]

    def __init__(self, op: NmsOp, boxes: SSAValue, keys: SSAValue) -> None:
        self.op, self.float = op, compute_type(type_of(op.boxes).element_type)
        self.batches, self.classes, self.count = dims_of(type_of(op.scores))
        self.blocks, self.most = dims_of(type_of(keys))[2], self.count.min(op.limit)
        self.groups, self.rows = self.blocks.ceildiv(LANES), self.most.ceildiv(LANES).max(1)
        if op.limit <= LARGE_LIMIT:
            self.rows = Dim.const(op.limit).ceildiv(LANES)
        each = (self.batches, self.classes)
        scratch = [(i64, (self.groups,)), (self.float, (self.rows, Dim.const(FIELDS)))]
        types = [tensor_type(i64, (*each, self.most)), tensor_type(i64, each)]
        types += [
            tensor_type(element, (*each, *sizes, LANES))
            for element, sizes in scratch
            if sizes[0].value is None
        ]
        self.loops = LoopsBuilder("nms", [boxes, keys], types)
        self.boxes, self.keys, self.places, self.number, *self.spare = self.loops.buffers

    def build(self) -> LoopsOp:
        """Return a te.loops with the loops."""
        loops = self.loops
        with (
            loops.loop(0, end_of(loops, self.batches), parallel=True) as batch,
            loops.loop(0, end_of(loops, self.classes), parallel=True) as class_,
        ):
            self.task = batch, class_
            self._start()
            steps, none = loops.constant(BLOCK, INDEX), loops.constant(0, INDEX)
            with (
                loops.loop(0, end_of(loops, self.blocks)),
                loops.loop(0, loops.select(self._is_unfinished(), steps, none)),
                loops.when(self._is_unfinished()),
            ):
                self._take()
        return loops.build()

    # ---- keys

    def _start(self) -> None:
        """Emit the loops that compute the largest key of each block, and of all blocks."""
        loops = self.loops
        self.highest = self._scratch(i64, self.groups)
        self.kept = self._scratch(self.float, self.rows, Dim.const(FIELDS))
        self.top = loops.local(i64, 1)
        loops.put(loops.constant(0, i64), self.number, *self.task)
        nothing = loops.splat(loops.constant(NO_KEY, i64), LANES)
        with loops.loop(0, end_of(loops, self.groups)) as group:
            self._put(nothing, self.highest, group, 0)
        with loops.loop(0, end_of(loops, self.blocks)) as block:
            self._set_highest(block, lambda keys: keys)
        self._find_top()

    def _scratch(self, element: Attribute, *sizes: Dim) -> _TaskBuffer:
        shape = [size.value for size in sizes if size.value is not None]
        if len(shape) == len(sizes):
            return _TaskBuffer(self.loops.local(element, *shape, LANES))
        return _TaskBuffer(self.spare.pop(0), self.task)

    def _get(self, scratch: _TaskBuffer, *places: Place) -> SSAValue:
        """Load a vector from a task's buffer at the indices ``places``."""
        buffer, at = scratch.at(*places)
        return self.loops.get(buffer, *at, lanes=LANES)

    def _put(self, value: SSAValue, scratch: _TaskBuffer, *places: Place) -> None:
        buffer, at = scratch.at(*places)
        self.loops.put(value, buffer, *at)

    def _set_highest(self, block: SSAValue, left: Callable[[SSAValue], SSAValue]) -> None:
        """Compute the largest remaining key of a block of boxes and store it in ``highest``.

        left: a function that takes a vector of keys, and replaces the keys of boxes that no longer
        count by NO_KEY.
        """
        loops = self.loops
        vectors = [
            left(loops.get(self.keys, *self.task, block, start, lanes=LANES))
            for start in range(0, BLOCK, LANES)
        ]
        found = loops.reduce("max", reduce(loops.max, vectors))
        self._put(found, self.highest, *self._cell(block, self.groups))

    def _cell(self, number: SSAValue, vectors: Dim) -> tuple[SSAValue, SSAValue]:
        """Return where a buffer of vectors holds an element: the vector's number and the lane.

        number: the number of the element in the buffer.
        vectors: the number of vectors in the buffer, which bounds the first result.
        """
        loops, lanes = self.loops, self.loops.constant(LANES, INDEX)
        vector = loops.div(number, lanes, unsigned=True)
        lane = loops.rem(number, lanes, unsigned=True)
        return loops.inside(vector, extent_of(vectors)), loops.inside(lane, LANES)

    def _find_top(self) -> None:
        """Store the largest item of ``highest`` in ``top``."""
        loops = self.loops
        nothing = loops.splat(loops.constant(NO_KEY, i64), LANES)
        with loops.fold(0, end_of(loops, self.groups), nothing) as search:
            keys = self._get(self.highest, search.index, 0)
            search.next(loops.max(search.carried[0], keys))
        loops.put(loops.reduce("max", search.results[0]), self.top, 0)

    def _is_unfinished(self) -> SSAValue:
        """Return whether boxes are left and fewer boxes than the limit are selected."""
        loops = self.loops
        top = loops.get(self.top, 0)
        is_left = loops.compare("gt", top, loops.constant(NO_KEY, i64))
        number = loops.cast(loops.get(self.number, *self.task), i64, INDEX)
        return loops.bit_and(is_left, loops.compare("lt", number, self._size(self.most)))

    def _size(self, dim: Dim) -> SSAValue:
        return self.loops.size(extent_of(dim))

    def _take(self) -> None:
        """Take the box with the largest key out of the remaining boxes.

        It is selected if it overlaps none of the boxes that are already selected.
        """
        loops = self.loops
        key = loops.get(self.top, 0)
        numbers = loops.constant(NUMBERS, i64)
        number = loops.cast(loops.sub(numbers, loops.bit_and(key, numbers)), i64, INDEX)
        with loops.within(number, extent_of(self.count)) as box:
            self._take_box(box, key)

    def _take_box(self, box: SSAValue, key: SSAValue) -> None:
        """Take a box out of the remaining boxes; select it if no selected box overlaps it.

        key: the key of the box, which is the largest one.
        """
        loops = self.loops
        block = loops.div(box, loops.constant(BLOCK, INDEX), unsigned=True)
        taken = loops.splat(key, LANES)
        nothing = loops.splat(loops.constant(NO_KEY, i64), LANES)
        self._set_highest(
            loops.inside(block, extent_of(self.blocks)),
            lambda keys: loops.select(loops.compare("lt", keys, taken), keys, nothing),
        )
        self._find_top()
        fields = self._fields(box)
        with loops.when(self._is_free(fields)):
            self._keep(box, fields)

    # ---- boxes

    def _fields(self, box: SSAValue) -> list[SSAValue]:
        """Return the lower corner, the upper corner and the area of a box."""
        loops, batch = self.loops, self.task[0]
        a, b, c, d = (loops.widen(loops.get(self.boxes, batch, box, n)) for n in range(COORDINATES))
        if self.op.center:
            half = [loops.mul(size, loops.like(0.5, size)) for size in (c, d)]
            low = [loops.sub(*pair) for pair in zip((a, b), half, strict=True)]
            high = [loops.add(*pair) for pair in zip((a, b), half, strict=True)]
        else:
            low, high = [loops.min(a, c), loops.min(b, d)], [loops.max(a, c), loops.max(b, d)]
        area = loops.mul(*(loops.sub(h, lo) for lo, h in zip(low, high, strict=True)))
        return [*low, *high, area]

    def _is_free(self, fields: Sequence[SSAValue]) -> SSAValue:
        """Return whether a box overlaps no selected box by more than the limit.

        fields: the corners and the area of the box.
        """
        loops = self.loops
        box = [loops.splat(field, LANES) for field in fields]
        kept = loops.cast(loops.get(self.number, *self.task), i64, INDEX)
        rounded = loops.add(kept, loops.constant(LANES - 1, INDEX))
        used = loops.div(rounded, loops.constant(LANES, INDEX), unsigned=True)
        none, one = (loops.splat(loops.constant(n, i32), LANES) for n in (0, 1))
        with loops.fold(0, loops.min(used, self._size(self.rows)), none) as search:
            other = [self._get(self.kept, search.index, n, 0) for n in range(FIELDS)]
            drops = self._overlap(box, other)
            search.next(loops.select(drops, one, search.carried[0]))
        found = loops.reduce("or", search.results[0])
        return loops.compare("eq", found, loops.constant(0, i32))

    def _overlap(self, box: Sequence[SSAValue], other: Sequence[SSAValue]) -> SSAValue:
        """Return whether two boxes overlap by more than the limit, in each lane.

        The result is false if an area is NaN or not positive.

        box, other: the corners and the area of the two boxes.
        """
        loops = self.loops
        sides = [
            loops.sub(
                self._either("lt", box[2 + n], other[2 + n]), self._either("gt", box[n], other[n])
            )
            for n in (0, 1)
        ]
        shared = loops.mul(*sides)
        union = loops.sub(loops.add(box[4], other[4]), shared)
        limit = loops.splat(loops.constant(self.op.iou, self.float), LANES)
        drops = loops.compare("gt", loops.div(shared, union), limit)
        zero = loops.splat(loops.constant(0, self.float), LANES)
        for size in (*sides, box[4], other[4], union):
            drops = loops.bit_and(drops, loops.compare("gt", size, zero))
        return drops

    def _either(self, order: str, x: SSAValue, y: SSAValue) -> SSAValue:
        """Return the smaller (order: ``lt``) or the larger (order: ``gt``) of two coordinates.

        One instruction computes it, so the result is not defined for NaN. The area of such a box is
        NaN, too, and the result is unused.
        """
        return self.loops.select(self.loops.compare(order, x, y), x, y)

    def _keep(self, box: SSAValue, fields: Sequence[SSAValue]) -> None:
        """Append a box to the selected boxes.

        fields: the corners and the area of the box. If the box begins a new vector of selected
        boxes, the fields of the other lanes of this vector become 0: a box of area 0 overlaps no
        box, and no later comparison loads an uninitialized field.
        """
        loops = self.loops
        number = loops.get(self.number, *self.task)
        with loops.within(loops.cast(number, i64, INDEX), extent_of(self.most)) as slot:
            self._keep_at(slot, box, fields, number)

    def _keep_at(
        self, slot: SSAValue, box: SSAValue, fields: Sequence[SSAValue], number: SSAValue
    ) -> None:
        """Store a selected box: its corners, its area and its number.

        slot: the position of the box among the selected boxes, as an index.  fields: the corners
        and the area of the box.  number: how many boxes were selected before this one, as i64.
        """
        loops = self.loops
        row, lane = self._cell(slot, self.rows)
        with loops.when(loops.compare("eq", lane, loops.constant(0, INDEX))):
            zeros = loops.splat(loops.constant(0, self.float), LANES)
            for n in range(FIELDS):
                self._put(zeros, self.kept, row, n, 0)
        for n, field in enumerate(fields):
            self._put(field, self.kept, row, n, lane)
        place, (batch, class_) = box, self.task
        row_of = loops.add(loops.mul(batch, self._size(self.classes)), class_)
        place = loops.add(loops.mul(row_of, self._size(self.count)), box)
        loops.put(loops.cast(place, INDEX, i64), self.places, *self.task, slot)
        loops.put(loops.add(number, loops.constant(1, i64)), self.number, *self.task)
