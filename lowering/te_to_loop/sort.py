"""A te.sort as loops, row by row: insertion for few results of many elements, or a merge sort.

Insertion keeps the best ``k`` elements seen so far in order, in the results themselves; an element
that does not come before the last of them costs one comparison.  The merge sort goes bottom up,
between two planes of scratch, without a branch per element, and keeps ``k`` elements of a run.
It begins with runs of a few, in which the place of an element is the number of those before it.
Both are stable because an element passes only those that it strictly comes before.  Long rows are
sorted by their bytes instead (radix.py).  What takes the fewest cycles is chosen.  Exact.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from math import ceil, log, prod

from xdsl.dialects.builtin import MemRefType, TensorType, i1, i32
from xdsl.ir import SSAValue

from ...dialects.dtypes import is_float
from ...dialects.index_syntax import INDEX
from ...dialects.loop import CompareOp
from ...dialects.te import SortOp
from ...dialects.te.nest_builder import Nest, Place, row_major_places
from .nest import insert_body
from .radix import RadixSort, radix_cycles

MOST_INSERTED = 32
"""Most results that insertion keeps in order: each element may move all of them on."""

INSERTION_CYCLES, MERGE_CYCLES, RUN_CYCLES = 12, 10, 8
"""Cycles to pass a result, to merge an element, and to put one in place in its first run.

Ice Lake, rows of 31, 23 results: 1.2 us by insertion, 0.3 us by merges.
"""

RUN = 8
"""Elements of the first runs: all their pairs are compared at once (7 rows of 31: 2x faster)."""


def lower_sort(op: SortOp) -> None:
    """Put the loops of a sort in buffer form before it."""
    types = [_tensor(v.type) for v in op.outs]
    nest = Nest(op.label, [op.x], types)
    _Sort(op, nest).emit()
    insert_body(nest.entry, [op.x, *op.outs], op)


def _tensor(type_: object) -> TensorType:
    assert isinstance(type_, MemRefType), f"not a buffer: {type_}"
    return TensorType(type_.get_element_type(), type_.get_shape())


class _Sort:
    """The loops of one sort."""

    def __init__(self, op: SortOp, nest: Nest) -> None:
        self.nest = nest
        self.x, self.values, self.positions = nest.buffers
        self.axis, self.descending = op.axis.data, op.descending is not None
        self.shape, self.out_shape = (_tensor(b.type).get_shape() for b in nest.buffers[:2])
        self.element = _tensor(self.x.type).get_element_type()
        self.position_type = _tensor(self.positions.type).get_element_type()
        self.length, self.count = self.shape[self.axis], self.out_shape[self.axis]
        self.rows = prod(self.shape) // self.length
        chunk = op.options.get("chunk")
        self.chunk = self.rows if chunk is None else int(chunk)

    def emit(self) -> None:
        """Emit the loop over rows, in tasks of ``chunk`` rows where a schedule asks for it."""
        with self.nest.rows(self.rows, self.chunk) as row:
            self._cheapest()(row)

    def _cheapest(self) -> Callable[[SSAValue], None]:
        """Return what sorts a row of elements in random order in the fewest cycles."""
        length, count, runs = self.length, self.count, ceil(self.length / RUN)
        sizes = [RUN << level for level in range(1, (runs - 1).bit_length() + 1)]
        merged = sum(ceil(length / size) * min(size, count) for size in sizes)
        choices: dict[Callable[[SSAValue], None], float] = {
            self._merge_sort: RUN_CYCLES * length + MERGE_CYCLES * merged,
            self._radix_sort: radix_cycles(self.element, length),
        }
        if count <= MOST_INSERTED:
            passed = count**2 * (0.5 + log(length / count)) if count else 0
            choices[self._insertion] = INSERTION_CYCLES * passed + length
        return min(choices, key=lambda choice: choices[choice])

    # Order

    def _before(self, x: SSAValue, y: SSAValue) -> SSAValue:
        """Return whether x comes strictly before y; NaN is greater than every number."""
        if self.descending:
            x, y = y, x
        nest = self.nest
        if not is_float(self.element):
            return nest.compare("lt", x, y)
        x, y = nest.widen(x), nest.widen(y)
        less_or_nan = nest.append(CompareOp.make("ult", x, y))
        return nest.bit_and(less_or_nan, nest.append(CompareOp.make("ord", x, x)))

    # Places

    def _places(self, row: SSAValue, at: Place) -> list[Place]:
        """Return the position of an element of a row: row-major over the other axes."""
        others = [n for axis, n in enumerate(self.shape) if axis != self.axis]
        places: list[Place] = list(row_major_places(row, others))
        places.insert(self.axis, at)
        return places

    def _load(self, row: SSAValue, at: Place) -> SSAValue:
        return self.nest.get(self.x, *self._places(row, at))

    def _as_position(self, index: SSAValue) -> SSAValue:
        return self.nest.cast(index, INDEX, self.position_type)

    # Insertion

    def _insertion(self, row: SSAValue) -> None:
        nest, count = self.nest, self.count
        with nest.loop(0, count) as i:
            self._insert(row, i, i)
        if count == self.length:
            return
        last = self._places(row, count - 1)
        with nest.loop(count, self.length) as i:
            comes = self._before(self._load(row, i), nest.get(self.values, *last))
            with nest.when(comes):
                self._insert(row, i, count - 1)

    def _insert(self, row: SSAValue, i: SSAValue, kept: Place) -> None:
        """Put element i into its place among the first ``kept`` results; the rest move on by one.

        The element carried along is exchanged for the first one that it comes before, and from
        there on every element for its predecessor.
        """
        nest = self.nest
        start = (self._load(row, i), self._as_position(i), nest.constant(0, i1))
        with nest.fold(0, kept, *start) as carry:
            value, position, found = carry.carried
            place = self._places(row, carry.index)
            old, old_position = nest.get(self.values, *place), nest.get(self.positions, *place)
            comes = nest.bit_or(found, self._before(value, old))
            nest.put(nest.select(comes, value, old), self.values, *place)
            nest.put(nest.select(comes, position, old_position), self.positions, *place)
            later = nest.select(comes, old_position, position)
            carry.next(nest.select(comes, old, value), later, comes)
        value, position, _ = carry.results
        place = self._places(row, kept)
        nest.put(value, self.values, *place)
        nest.put(position, self.positions, *place)

    # Radix sort

    def _radix_sort(self, row: SSAValue) -> None:
        def write(i: SSAValue, position: SSAValue, value: SSAValue) -> None:
            place = self._places(row, i)
            self.nest.put(value, self.values, *place)
            self.nest.put(self.nest.cast(position, i32, self.position_type), self.positions, *place)

        loops = RadixSort(self.nest, self.element, self.length, lambda i: self._load(row, i))
        loops.emit(self.count, write, descending=self.descending)

    # Merge sort

    def _scratch(self) -> tuple[SSAValue, SSAValue]:
        """Return two planes of keys and of positions, of whole runs."""
        nest, length = self.nest, ceil(self.length / RUN) * RUN
        keys = nest.local(self.element, 2, length)
        return keys, nest.local(self.position_type, 2, length)

    def _merge_sort(self, row: SSAValue) -> None:
        nest = self.nest
        keys, order = self._scratch()
        one, zero = nest.constant(1, INDEX), nest.constant(0, INDEX)
        runs, run = ceil(self.length / RUN), nest.constant(RUN, INDEX)
        with nest.loop(0, runs) as number:
            self._sort_run(row, nest.mul(number, run), keys, order)
        levels = (runs - 1).bit_length()
        with nest.fold(0, levels, run, zero) as level:
            width, plane = level.carried
            pair = nest.add(width, width)
            rounded = nest.add(pair, nest.constant(self.length - 1, INDEX))
            other = nest.sub(one, plane)
            with nest.loop(0, nest.div(rounded, pair, unsigned=True)) as number:
                self._merge(nest.mul(number, pair), width, (keys, order), plane, other)
            level.next(pair, other)
        with nest.loop(0, self.count) as i:
            place = self._places(row, i)
            nest.put(nest.get(keys, levels % 2, i), self.values, *place)
            nest.put(nest.get(order, levels % 2, i), self.positions, *place)

    def _sort_run(self, row: SSAValue, low: SSAValue, keys: SSAValue, order: SSAValue) -> None:
        """Put the elements from ``low`` on in order; those beyond the row come last."""
        nest, last = self.nest, self.nest.constant(self.length - 1, INDEX)
        one, zero = nest.constant(1, INDEX), nest.constant(0, INDEX)
        at = [nest.add(low, nest.constant(n, INDEX)) for n in range(RUN)]
        inside = [nest.compare("le", i, last) for i in at]
        values = [self._load(row, nest.min(i, last)) for i in at]
        places = [low] * RUN
        for first, second in combinations(range(RUN), 2):
            before = self._before(values[second], values[first])
            passes = nest.bit_and(before, inside[second])
            places[first] = nest.add(places[first], nest.select(passes, one, zero))
            places[second] = nest.add(places[second], nest.select(passes, zero, one))
        for i, value, place in zip(at, values, places, strict=True):
            nest.put(value, keys, 0, place)
            nest.put(self._as_position(i), order, 0, place)

    def _merge(
        self,
        low: SSAValue,
        width: SSAValue,
        planes: tuple[SSAValue, SSAValue],
        source: SSAValue,
        target: SSAValue,
    ) -> None:
        """Merge two sorted runs of a plane into the other plane; the left one wins ties.

        No more elements than there are results: of no run are more compared.  The elements that
        may come next are read while the present ones are compared (509 x 33: 2x faster).
        """
        nest, (keys, order) = self.nest, planes
        end, last = nest.constant(self.length, INDEX), nest.constant(self.length - 1, INDEX)
        middle = nest.min(nest.add(low, width), end)
        high = nest.min(nest.add(middle, width), end)
        stop = nest.min(nest.add(low, nest.constant(self.count, INDEX)), high)
        one = nest.constant(1, INDEX)

        def key(at: SSAValue) -> SSAValue:
            # A run that is used up is read at a place that exists; what is read is not used.
            return nest.get(keys, source, nest.min(at, last))

        with nest.fold(low, stop, low, middle, key(low), key(middle)) as walk:
            left, right, x, y = walk.carried
            next_left, next_right = nest.add(left, one), nest.add(right, one)
            next_x, next_y = key(next_left), key(next_right)
            sooner = nest.bit_or(nest.compare("ge", left, middle), self._before(y, x))
            takes_right = nest.bit_and(sooner, nest.compare("lt", right, high))
            nest.put(nest.select(takes_right, y, x), keys, target, walk.index)
            taken = nest.min(nest.select(takes_right, right, left), last)
            nest.put(nest.get(order, source, taken), order, target, walk.index)
            walk.next(
                nest.select(takes_right, left, next_left),
                nest.select(takes_right, next_right, right),
                nest.select(takes_right, x, next_x),
                nest.select(takes_right, next_y, y),
            )


__all__ = ["lower_sort"]
