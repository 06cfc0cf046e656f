"""Unique elements or slices: sort positions by their slices, then number runs of equal slices.

    x as rows, one per slice -> a nest that sorts row positions by a stable merge sort, without
    moving rows, and returns the first occurrence, the count and the number of each distinct row,
    and the number of distinct rows -> a gather of the distinct rows

Rows compare lexicographically; NaN equals NaN and is greater than every number.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import TensorType, i1, i64
from xdsl.ir import SSAValue

from ...dialects.dtypes import is_bool, is_float, is_unsigned
from ...dialects.graph import UniqueOp
from ...dialects.index_syntax import INDEX
from ...dialects.loop import CompareOp
from ...dialects.shape import type_of
from ...dialects.te import NestOp
from ...dialects.te.build import Result, position, read, whole
from ...dialects.te.nest_builder import Nest, Place
from ...dialects.te.scalars import Scalars, signless
from .builder import Builder, Lowered, Rule, axes_of, element_of, is_empty, shape_of
from .data_rules import require_numbers, sizes_value
from .move import reshape_positions


def lower_unique(
    op: UniqueOp, builder: Builder, size: SSAValue | None = None
) -> Sequence[SSAValue]:
    """Number the distinct rows, then gather them.

    size: the number of valid rows as a tensor<1xi64> if it is data-dependent; None: all.
    """
    rows = None if is_empty(op.x) else _rows(op, builder)
    numbering = _Numbering(op, rows, size).build()
    first, inverse, counts, number = builder.append(numbering).results
    builder.data.counts[op.symbol] = number
    if rows is None:
        return [builder.full(type_of(op.out), 0), first, inverse, counts]
    source = rows if op.axis is None else builder.value(op.x)
    return [_gather(op, source, first, number, builder), first, inverse, counts]


def _rows(op: UniqueOp, builder: Builder) -> SSAValue:
    """Return a matrix with one row per element, or per slice along the axis."""
    x, shape = builder.value(op.x), shape_of(op.x)
    (count,) = shape_of(op.inverse)
    if op.axis == 0 and len(shape) == 2:
        return x
    axes = {"k": count, "e": prod(shape) // count}
    if op.axis is None:
        places = reshape_positions({"k": count}, shape)
    else:
        others = [*shape[: op.axis], *shape[op.axis + 1 :]]
        inner = reshape_positions({"e": axes["e"]}, others)
        places = [*inner[: op.axis], "k", *inner[op.axis :]]
    result = Result(("k", "e"), signless(element_of(op.x)))
    return builder.compute("unique_rows", axes, [read(x, places)], result, lambda _, x: x)


def _gather(
    op: UniqueOp, source: SSAValue, first: SSAValue, number: SSAValue, builder: Builder
) -> SSAValue:
    """Return the elements or slices at ``first``; zeros beyond their number."""
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
    result = Result(tuple(names), signless(element_of(op.out)))
    return builder.compute("unique_values", axes, inputs, result, body)


class _Numbering:
    """The nest of one op: (rows, size) -> (first, inverse, counts, number of distinct rows).

    rows: a matrix; None for rows without elements, which are all equal.
    """

    def __init__(self, op: UniqueOp, rows: SSAValue | None, size: SSAValue | None) -> None:
        (self.most,) = shape_of(op.inverse)
        self.op, self.element = op, element_of(op.x)
        self.width = 0 if rows is None else prod(shape_of(op.x)) // self.most
        each = TensorType(i64, (self.most,))
        ins = [x for x in (rows, size) if x is not None]
        self.nest = nest = Nest("unique", ins, [each, each, each, TensorType(i64, (1,))])
        self.rows, given = nest.buffers[0], nest.buffers[len(ins) - 1]
        self.first, self.inverse, self.counts, self.number = nest.buffers[-4:]
        self.zero, self.one = nest.constant(0, INDEX), nest.constant(1, INDEX)
        self.length = nest.constant(self.most, INDEX)
        if size is not None:
            self.length = nest.min(nest.cast(nest.get(given, 0), i64, INDEX), self.length)

    def build(self) -> NestOp:
        """Return the nest."""
        nest = self.nest
        none = nest.constant(0, i64)
        with nest.loop(0, self.most) as i:
            for buffer in (self.first, self.inverse, self.counts):
                nest.put(none, buffer, i)
        self._number_in_order(*self._sort())
        if self.op.unsorted:
            self._number_by_occurrence()
        return nest.build()

    def _position(self, buffer: SSAValue, *places: Place) -> SSAValue:
        """Return the row position stored in a buffer."""
        nest = self.nest
        return nest.inside(nest.cast(nest.get(buffer, *places), i64, INDEX), self.most)

    # ---- comparison of rows

    def _less(self, x: SSAValue, y: SSAValue) -> SSAValue:
        """Return whether x comes strictly before y."""
        nest = self.nest
        if not is_float(self.element):
            unsigned = is_unsigned(self.element) or is_bool(self.element)
            return nest.compare("lt", x, y, unsigned=unsigned)
        x, y = nest.widen(x), nest.widen(y)
        less_or_nan = nest.append(CompareOp.make("ult", x, y))
        return nest.bit_and(less_or_nan, nest.append(CompareOp.make("ord", x, x)))

    def _before(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """Return whether row ``left`` comes strictly before row ``right``."""
        nest = self.nest
        if self.width == 0:
            return nest.constant(0, i1)
        with nest.fold(0, self.width, nest.constant(0, i1), nest.constant(1, i1)) as walk:
            before, tied = walk.carried
            x, y = (nest.get(self.rows, row, walk.index) for row in (left, right))
            less, more = self._less(x, y), self._less(y, x)
            differs = nest.bit_or(less, more)
            before = nest.bit_or(before, nest.bit_and(tied, less))
            walk.next(before, nest.bit_and(tied, nest.bit_not(differs)))
        return walk.results[0]

    def _sort(self) -> tuple[SSAValue, int]:
        """Return a buffer, and the number of its plane that holds the sorted positions."""
        nest = self.nest
        order = nest.local(i64, 2, self.most)
        with nest.loop(0, self.length) as i:
            nest.put(nest.cast(i, INDEX, i64), order, 0, i)
        levels = (self.most - 1).bit_length()
        with nest.fold(0, levels, self.one, self.zero) as level:
            width, plane = level.carried
            pair, other = nest.add(width, width), nest.sub(self.one, plane)
            rounded = nest.add(self.length, nest.sub(pair, self.one))
            with nest.loop(0, nest.div(rounded, pair, unsigned=True)) as number:
                low = nest.inside(nest.mul(number, pair), self.most)
                self._merge(order, low, width, plane, other)
            level.next(pair, other)
        return order, levels % 2

    def _merge(
        self, order: SSAValue, low: SSAValue, width: SSAValue, source: SSAValue, target: SSAValue
    ) -> None:
        """Merge two sorted runs of a plane into the other plane; the left run wins ties."""
        nest = self.nest
        middle = nest.min(nest.add(low, width), self.length)
        high = nest.min(nest.add(middle, width), self.length)
        last = nest.sub(self.length, self.one)
        with nest.fold(low, high, low, middle) as walk:
            left, right = walk.carried
            # Reads of an exhausted run are clamped; their values are unused.
            places = (nest.inside(nest.min(n, last), self.most) for n in (left, right))
            x, y = (self._position(order, source, place) for place in places)
            sooner = nest.bit_or(nest.compare("ge", left, middle), self._before(y, x))
            takes_right = nest.bit_and(sooner, nest.compare("lt", right, high))
            taken = nest.select(takes_right, y, x)
            nest.put(nest.cast(taken, INDEX, i64), order, target, walk.index)
            step = nest.select(takes_right, self.one, self.zero)
            walk.next(nest.add(left, nest.sub(self.one, step)), nest.add(right, step))

    # ---- numbering

    def _number_in_order(self, order: SSAValue, plane: int) -> None:
        """Number rows in ascending order: a row is new if its predecessor is strictly less."""
        nest = self.nest
        with nest.fold(0, self.length, self.zero) as walk:
            (found,) = walk.carried
            i = walk.index
            row = self._position(order, plane, i)
            previous = nest.select(nest.compare("eq", i, self.zero), i, nest.sub(i, self.one))
            new = self._before(self._position(order, plane, previous), row)
            new = nest.bit_or(new, nest.compare("eq", i, self.zero))
            after = nest.add(found, nest.select(new, self.one, self.zero))
            at = nest.inside(nest.sub(after, self.one), self.most)
            with nest.when(new):
                nest.put(nest.cast(row, INDEX, i64), self.first, at)
            nest.put(nest.add(nest.get(self.counts, at), nest.constant(1, i64)), self.counts, at)
            nest.put(nest.cast(at, INDEX, i64), self.inverse, row)
            walk.next(after)
        nest.put(nest.cast(walk.results[0], INDEX, i64), self.number, 0)

    def _number_by_occurrence(self) -> None:
        """Renumber the distinct rows in order of first occurrence."""
        nest = self.nest
        first, counts, renumbered = (nest.local(i64, self.most) for _ in range(3))
        number = nest.cast(nest.get(self.number, 0), i64, INDEX)
        with nest.loop(0, [number, self.most]) as i:
            nest.put(nest.get(self.first, i), first, i)
            nest.put(nest.get(self.counts, i), counts, i)
        with nest.fold(0, self.length, self.zero) as walk:
            (found,) = walk.carried
            row = nest.cast(walk.index, INDEX, i64)
            old = self._position(self.inverse, walk.index)
            new = nest.compare("eq", nest.get(first, old), row)
            with nest.when(new):
                nest.put(nest.cast(found, INDEX, i64), renumbered, old)
                nest.put(row, self.first, found)
                nest.put(nest.get(counts, old), self.counts, found)
            nest.put(nest.get(renumbered, old), self.inverse, walk.index)
            walk.next(nest.add(found, nest.select(new, self.one, self.zero)))


def lower_open_unique(op: UniqueOp, builder: Builder) -> Lowered:
    """Ignore elements or slices beyond the size."""
    axis = op.axis or 0
    others = [n for n in range(len(shape_of(op.x))) if n != axis]
    require_numbers(op, builder, op.x, others)
    (size,) = builder.data.dims_of(op.inverse)
    given = sizes_value([size], builder) if size.value is None else None
    return lower_unique(op, builder, given)


RULES: dict[type, Rule] = {UniqueOp: lower_unique}

DATA_RULES: dict[type, Rule] = {UniqueOp: lower_open_unique}
"""The lowering of those with a data-dependent size in an operand or result."""
