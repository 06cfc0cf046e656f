"""Lower unique elements or slices: sort the positions of slices, then number runs of equal slices.

    x as rows, one per slice (or element)
      -> te.loops that sorts row positions by a stable merge sort, without moving rows; for each
         distinct row it returns the position of its first occurrence and its count, for each row
         the number of its distinct row, and in total the number of distinct rows
      -> a gather of the distinct rows

Rows compare lexicographically; NaN equals NaN and is greater than every number.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import i1, i64
from xdsl.ir import SSAValue

from ....dialects import packed
from ....dialects.dtypes import is_bool, is_float, is_unsigned
from ....dialects.graph import UniqueOp
from ....dialects.index_syntax import INDEX
from ....dialects.loop import CompareOp
from ....dialects.shape import (
    MOST,
    Dim,
    Extent,
    dims_of,
    element_count,
    extent_of,
    tensor_type,
    type_of,
)
from ....dialects.te import LoopsOp
from ....dialects.te.build import position, read, whole
from ....dialects.te.loops_builder import LoopsBuilder, Place
from ....dialects.te.scalars import Scalars, signless
from ..builder import Lowered, Rule, TeBuilder, axes_of, element_of, is_empty, shape_of
from ..move import reshape_positions
from .data_rules import require_numbers, sizes_value, start_of


def lower_unique(
    op: UniqueOp, builder: TeBuilder, size: SSAValue | None = None
) -> Sequence[SSAValue]:
    """Lower to loops that number the distinct rows, and a gather of these rows.

    A row is an element, or a slice along the op's axis.
    size: a tensor<1xi64> with the number of valid rows, if it is data-dependent in a region of
    control flow; None if all rows are valid.
    """
    rows = None if is_empty(op.x) else _rows(op, builder)
    numbering = _Numbering(op, rows, size).build()
    first, inverse, counts, number, *_ = builder.append(numbering).results
    builder.bind(op.symbol, number)
    first = start_of("unique_first", first, type_of(op.first), builder)
    inverse = start_of("unique_inverse", inverse, type_of(op.inverse), builder)
    counts = start_of("unique_counts", counts, type_of(op.counts), builder)
    if rows is None:
        return [builder.full(type_of(op.out), 0), first, inverse, counts]
    source = rows if op.axis is None else builder.value(op.x)
    return [_gather(op, source, first, number, builder), first, inverse, counts]


def _other_dims(op: UniqueOp) -> list[Dim]:
    """Return the sizes of one slice along the op's axis; none if the op compares elements."""
    dims = list(dims_of(type_of(op.x)))
    return [] if op.axis is None else [*dims[: op.axis], *dims[op.axis + 1 :]]


def _rows(op: UniqueOp, builder: TeBuilder) -> SSAValue:
    """Return a matrix with one row per slice along the axis, or per element."""
    x, dims = builder.value(op.x), dims_of(type_of(op.x))
    (rows,) = dims_of(type_of(op.inverse))
    if op.axis == 0 and len(dims) == 2 and rows.is_at_least(1):
        return x
    if any(dim.value is None for dim in dims):
        return _dynamic_rows(op, builder)
    shape, (count,) = shape_of(op.x), shape_of(op.inverse)
    axes = {"k": count, "e": prod(shape) // count}
    if op.axis is None:
        places = reshape_positions({"k": count}, shape)
    else:
        others = [*shape[: op.axis], *shape[op.axis + 1 :]]
        inner = reshape_positions({"e": axes["e"]}, others)
        places = [*inner[: op.axis], "k", *inner[op.axis :]]
    return builder.pointwise(
        "unique_rows", axes, [read(x, places)], element_of(op.x), lambda _, x: x
    )


def _dynamic_rows(op: UniqueOp, builder: TeBuilder) -> SSAValue:
    """Return the rows of a tensor of symbolic sizes as a view, with the axis moved to the front."""
    x, others = builder.value(op.x), _other_dims(op)
    (count,), width = dims_of(type_of(op.inverse)), element_count(others)
    if op.axis:
        names = list(axes_of(op.x))
        order = [names[op.axis], *names[: op.axis], *names[op.axis + 1 :]]
        axes = {name: axes_of(op.x)[name] for name in order}
        reads = [read(x, names)]
        x = builder.pointwise("unique_slices", axes, reads, element_of(op.x), lambda _, x: x)
    type_ = tensor_type(signless(element_of(op.x)), (count, width))
    rows = builder.append(packed.ViewOp(x, type_)).results[0]
    if count.is_at_least(1):
        return rows
    axes = {"k": _one_or_more(count), "e": extent_of(width)}

    def body(s: Scalars, x: SSAValue, *point: SSAValue) -> SSAValue:
        return s.at(x, point, 0)

    inputs = [whole(rows), position("k"), position("e")]
    return builder.pointwise("unique_rows", axes, inputs, type_.element_type, body)


def _one_or_more(count: Dim) -> Extent:
    """Return how many rows to allocate for ``count`` rows: at least 1, so that row 0 exists."""
    return extent_of(count if count.is_at_least(1) else count.max(1))


def _gather(
    op: UniqueOp, source: SSAValue, first: SSAValue, number: SSAValue, builder: TeBuilder
) -> SSAValue:
    """Append a compute that reads the distinct elements or slices; return its result.

    source: the tensor to read.  first: the positions of the distinct slices.  number: the number of
    valid positions; slices after them are 0.
    """
    axes = axes_of(op.out)
    names, axis = list(axes), op.axis or 0

    def body(
        s: Scalars, x: SSAValue, number: SSAValue, first: SSAValue, *point: SSAValue
    ) -> SSAValue:
        places = list(point) if op.axis is not None else [*point, s.constant(0, INDEX)]
        places[axis] = s.cast(first, i64, INDEX)
        found = s.at(x, places, 0)
        valid = s.compare("lt", s.cast(point[axis], INDEX, i64), number)
        return s.select(valid, found, s.like(0, found))

    inputs = [
        whole(source),
        read(number, (0,)),
        read(first, (names[axis],)),
        *map(position, names),
    ]
    return builder.pointwise("unique_values", axes, inputs, element_of(op.out), body)


class _Numbering:
    """The builder of the te.loops that find distinct rows.

    Its arguments are the rows and the number of valid rows; its results are, per distinct row, the
    position of the first occurrence, per row the number of its distinct row, per distinct row the
    number of occurrences, and the number of distinct rows.
    rows: a matrix; None if rows have no elements, so that all rows are equal.  size: the number of
    valid rows; None if all are valid.
    """

    def __init__(self, op: UniqueOp, rows: SSAValue | None, size: SSAValue | None) -> None:
        (count,) = dims_of(type_of(op.inverse))
        self.most, self.op, self.element = _one_or_more(count), op, element_of(op.x)
        most = Dim.of(self.most)
        self.width = 0 if rows is None else extent_of(element_count(_other_dims(op)))
        each = tensor_type(i64, (most,))
        ins = [x for x in (rows, size) if x is not None]
        types = [each, each, each, tensor_type(i64, (1,))]
        if most.value is None:  # a local buffer has a static size
            types += [tensor_type(i64, (2, most)), *([each] * 3 if op.unsorted else [])]
        self.loops = loops = LoopsBuilder("unique", ins, types)
        self.rows, given = loops.buffers[0], loops.buffers[len(ins) - 1]
        made = loops.buffers[len(ins) :]
        self.first, self.inverse, self.counts, self.number = made[:4]
        self._spare = made[4:]
        self.zero, self.one = loops.constant(0, INDEX), loops.constant(1, INDEX)
        self.length = loops.size(extent_of(count))
        if size is not None:
            self.length = loops.min(loops.cast(loops.get(given, 0), i64, INDEX), self.length)

    def build(self) -> LoopsOp:
        loops = self.loops
        none = loops.constant(0, i64)
        with loops.loop(0, loops.end(self.most)) as i:
            for buffer in (self.first, self.inverse, self.counts):
                loops.put(none, buffer, i)
        self._number_in_order(*self._sort())
        if self.op.unsorted:
            self._number_by_occurrence()
        return loops.build()

    def _buffer(self, *shape: int) -> SSAValue:
        """Return an i64 buffer of ``shape`` x the largest number of rows, for row positions."""
        if isinstance(self.most, int):
            return self.loops.local(i64, *shape, self.most)
        return self._spare.pop(0)

    def _position(self, buffer: SSAValue, *places: Place) -> SSAValue:
        """Load a row position from a buffer at the indices ``places``, clamped to the rows."""
        loops = self.loops
        return loops.inside(loops.cast(loops.get(buffer, *places), i64, INDEX), self.most)

    # ---- comparison of rows

    def _less(self, x: SSAValue, y: SSAValue) -> SSAValue:
        """Return whether element x comes strictly before element y."""
        loops = self.loops
        if not is_float(self.element):
            unsigned = is_unsigned(self.element) or is_bool(self.element)
            return loops.compare("lt", x, y, unsigned=unsigned)
        x, y = loops.widen(x), loops.widen(y)
        less_or_nan = loops.append(CompareOp.make("ult", x, y))
        return loops.bit_and(less_or_nan, loops.append(CompareOp.make("ord", x, x)))

    def _before(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """Return whether row ``left`` comes strictly before row ``right``."""
        loops = self.loops
        if self.width == 0:
            return loops.constant(0, i1)
        none, all_ = loops.constant(0, i1), loops.constant(1, i1)
        with loops.fold(0, loops.end(self.width), none, all_) as walk:
            before, tied = walk.carried
            x, y = (loops.get(self.rows, row, walk.index) for row in (left, right))
            less, more = self._less(x, y), self._less(y, x)
            differs = loops.bit_or(less, more)
            before = loops.bit_or(before, loops.bit_and(tied, less))
            walk.next(before, loops.bit_and(tied, loops.bit_not(differs)))
        return walk.results[0]

    def _sort(self) -> tuple[SSAValue, Place]:
        """Sort the row positions by their rows.

        Returns a buffer of two halves, and the number of the half (0 or 1) that holds the sorted
        positions.
        """
        loops = self.loops
        order = self._buffer(2)
        with loops.loop(0, self.length) as i:
            loops.put(loops.cast(i, INDEX, i64), order, 0, i)
        if not isinstance(self.most, int):
            return order, self._sort_dynamic(order)
        levels = (self.most - 1).bit_length()
        with loops.fold(0, levels, self.one, self.zero) as level:
            width, plane = level.carried
            level.next(*self._merge_pairs(order, width, plane))
        return order, levels % 2

    def _sort_dynamic(self, order: SSAValue) -> SSAValue:
        """Sort a symbolic number of row positions; return the number of the half with the result.

        order: the buffer of two halves, whose half 0 holds the positions.
        """
        loops = self.loops
        with loops.fold(0, MOST.bit_length(), self.one, self.zero) as level:
            width, plane = level.carried
            plane = loops.inside(plane, 2)
            is_sorted = loops.compare("ge", width, self.length)
            # A width that covers all positions leaves one run, and no pairs.
            pair, other = self._merge_pairs(order, width, plane, loops.bit_not(is_sorted))
            level.next(loops.select(is_sorted, width, pair), loops.select(is_sorted, plane, other))
        return loops.inside(level.results[1], 2)

    def _merge_pairs(
        self, order: SSAValue, width: SSAValue, plane: SSAValue, needed: SSAValue | None = None
    ) -> tuple[SSAValue, SSAValue]:
        """Merge pairs of adjacent sorted runs into the other half of the buffer.

        order: the buffer of two halves.  width: the length of the runs.  plane: the half (0 or 1)
        that holds the runs.  needed: the condition under which to merge; None to merge always.
        Returns the length of the merged runs, and the half that holds them.
        """
        loops = self.loops
        pair, other = loops.add(width, width), loops.sub(self.one, plane)
        rounded = loops.add(self.length, loops.sub(pair, self.one))
        pairs = loops.div(rounded, pair, unsigned=True)
        if needed is not None:
            pairs = loops.select(needed, pairs, self.zero)
        with loops.loop(0, pairs) as number:
            low = loops.inside(loops.mul(number, pair), self.most)
            self._merge(order, low, width, plane, other)
        return pair, other

    def _merge(
        self, order: SSAValue, low: SSAValue, width: SSAValue, source: SSAValue, target: SSAValue
    ) -> None:
        """Merge two adjacent sorted runs into the other half of the buffer; the left run wins ties.

        order: the buffer of two halves.  low: the start of the left run.  width: the length of a
        run.
        source, target: the half that holds the runs, and the half that gets the result.
        """
        loops = self.loops
        middle = loops.min(loops.add(low, width), self.length)
        high = loops.min(loops.add(middle, width), self.length)
        last = loops.sub(self.length, self.one)
        with loops.fold(low, high, low, middle) as walk:
            left, right = walk.carried
            # Reads of an exhausted run are clamped; their values are unused.
            places = (loops.inside(loops.min(n, last), self.most) for n in (left, right))
            x, y = (self._position(order, source, place) for place in places)
            sooner = loops.bit_or(loops.compare("ge", left, middle), self._before(y, x))
            takes_right = loops.bit_and(sooner, loops.compare("lt", right, high))
            taken = loops.select(takes_right, y, x)
            loops.put(loops.cast(taken, INDEX, i64), order, target, walk.index)
            step = loops.select(takes_right, self.one, self.zero)
            walk.next(loops.add(left, loops.sub(self.one, step)), loops.add(right, step))

    # ---- numbering

    def _number_in_order(self, order: SSAValue, plane: Place) -> None:
        """Number the distinct rows in ascending order, and store the results of the te.loops.

        A row is distinct from the previous sorted row if that row is less than this one.
        order: the buffer of two halves.  plane: the half that holds the sorted row positions.
        """
        loops = self.loops
        with loops.fold(0, self.length, self.zero) as walk:
            (found,) = walk.carried
            i = walk.index
            row = self._position(order, plane, i)
            previous = loops.select(loops.compare("eq", i, self.zero), i, loops.sub(i, self.one))
            new = self._before(self._position(order, plane, previous), row)
            new = loops.bit_or(new, loops.compare("eq", i, self.zero))
            after = loops.add(found, loops.select(new, self.one, self.zero))
            at = loops.inside(loops.sub(after, self.one), self.most)
            with loops.when(new):
                loops.put(loops.cast(row, INDEX, i64), self.first, at)
            loops.put(
                loops.add(loops.get(self.counts, at), loops.constant(1, i64)), self.counts, at
            )
            loops.put(loops.cast(at, INDEX, i64), self.inverse, row)
            walk.next(after)
        loops.put(loops.cast(walk.results[0], INDEX, i64), self.number, 0)

    def _number_by_occurrence(self) -> None:
        """Replace the numbers of the distinct rows by numbers in the order of first occurrences."""
        loops = self.loops
        first, counts, renumbered = (self._buffer() for _ in range(3))
        number = loops.cast(loops.get(self.number, 0), i64, INDEX)
        with loops.loop(0, [number, loops.end(self.most)]) as i:
            loops.put(loops.get(self.first, i), first, i)
            loops.put(loops.get(self.counts, i), counts, i)
        with loops.fold(0, self.length, self.zero) as walk:
            (found,) = walk.carried
            row = loops.cast(walk.index, INDEX, i64)
            old = self._position(self.inverse, walk.index)
            new = loops.compare("eq", loops.get(first, old), row)
            with loops.when(new):
                at = loops.inside(found, self.most)
                loops.put(loops.cast(at, INDEX, i64), renumbered, old)
                loops.put(row, self.first, at)
                loops.put(loops.get(counts, old), self.counts, at)
            loops.put(loops.get(renumbered, old), self.inverse, walk.index)
            walk.next(loops.add(found, loops.select(new, self.one, self.zero)))


def lower_dynamic_unique(op: UniqueOp, builder: TeBuilder) -> Lowered:
    """Lower a unique op on a value of data-dependent size; ignore the elements beyond the size."""
    axis = op.axis or 0
    others = [n for n in range(len(shape_of(op.x))) if n != axis]
    require_numbers(op, builder, op.x, others)
    (size,) = builder.data.dims_of(op.inverse)
    given = sizes_value([size], builder) if size.value is None else None
    return lower_unique(op, builder, given)


RULES: dict[type, Rule] = {UniqueOp: lower_unique}

DATA_RULES: dict[type, Rule] = {UniqueOp: lower_dynamic_unique}
"""The lowering of ops with a data-dependent size in an operand or result."""
