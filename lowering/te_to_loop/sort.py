"""Lower te.sort to loops, with the algorithm that a cost model chooses.

Networks of comparators sort several rows at once, if a schedule gives the sort lanes (network.py).
The other algorithms sort row by row:

Insertion sort, for few results, keeps the best ``k`` elements so far in the result buffers, in
order.  An element that does not come before the last of them costs only one comparison.  Merge sort
works bottom up between two halves (planes) of scratch memory, without a branch per element, and
keeps at most ``k`` elements of a run.  Its first runs are so short that they are sorted by counting
for each element how many come before it.  Both algorithms are stable, because an element passes
only elements that it strictly precedes.  Long rows use radix sort (radix.py), or for few results a
threshold (selection.py).  The cost model estimates the cycles for a row in random order.  Rows of
symbolic length use insertion sort for few results, and otherwise a heap (heap.py).  Exact.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from math import ceil, log

from xdsl.dialects.builtin import i1, i32
from xdsl.ir import SSAValue

from ...dialects.index_syntax import INDEX
from ...dialects.shape import Dim
from ...dialects.te import SortOp
from ...dialects.te.loops_builder import LoopsBuilder, Place
from .heap import HeapSort
from .loops import insert_body
from .network import NetworkSizes, NetworkSort
from .radix import RadixSort, radix_cycles
from .selection import Selection, can_select, selection_cycles
from .sorted_row import SortedRow, other_sizes, tensor_of

MOST_INSERTED = 32
"""Most results for insertion sort: an insertion may move all of them."""

INSERTION_CYCLES, MERGE_CYCLES, RUN_CYCLES = 12, 10, 8
"""Cycles to pass a result, to merge an element, and to place an element in its first run.

Ice Lake, rows of 31, 23 results: 1.2 us by insertion, 0.3 us by merge sort.
"""

RUN = 8
"""Length of the first runs: all pairs of a run are compared at once (7 rows of 31: 2x faster)."""


def lower_sort(op: SortOp) -> None:
    """Lower a sort in buffer form: insert its loops before it; the caller erases the sort.

    A task of the loops sorts ``chunk`` rows.
    """
    loops = LoopsBuilder(op.label, [op.x], [tensor_of(v.type) for v in op.outs])
    chunk, lanes = (op.options.get(name) for name in ("chunk", "lanes"))
    most = None if chunk is None else int(chunk)
    network = None if lanes is None else NetworkSizes.of(op, int(lanes))
    row = SortedRow(op, loops, [])
    if network is not None and network.cycles() < _Sort(row, network.length, network.count).cycles:
        NetworkSort(op, loops, network).emit(most)
    else:
        with loops.points(other_sizes(op), most) as others:
            _emit_row(SortedRow(op, loops, others))
    insert_body(loops.entry, [op.x, *op.outs], op)


def _emit_row(row: SortedRow) -> None:
    if isinstance(row.length, int) and isinstance(row.count, int):
        _Sort(row, row.length, row.count).emit()
        return
    loops = row.loops
    # Main reports a call with fewer elements than results before it runs this kernel.
    is_valid = loops.compare("ge", loops.size(row.length), loops.size(row.count))
    if not Dim.of(row.count).is_at_least(1):
        has_any = loops.compare("lt", loops.constant(0, INDEX), loops.size(row.count))
        is_valid = loops.bit_and(is_valid, has_any)
    with loops.when(is_valid):
        if isinstance(row.count, int) and row.count <= MOST_INSERTED:
            _insert_all(row, row.count)
        else:
            HeapSort(row).emit()


def _insert_all(row: SortedRow, count: int) -> None:
    """Emit an insertion sort of a row, which keeps only the first ``count`` results."""
    loops = row.loops
    with loops.loop(0, count) as i:
        _insert(row, i, i)
    if count == row.length:
        return
    with loops.loop(count, loops.end(row.length)) as i:
        comes = row.before(row.load(i), row.result(count - 1)[0])
        with loops.when(comes):
            _insert(row, i, count - 1)


def _insert(row: SortedRow, i: SSAValue, kept: Place) -> None:
    """Emit the insertion of element ``i`` of a row into the sorted results.

    A loop over the results carries an element, which begins as element ``i``.  From the first
    result that comes after element ``i`` on, each iteration stores the carried element and carries
    the result that it replaces.
    kept: the number of results so far.
    """
    loops = row.loops
    start = (row.load(i), row.as_position(i), loops.constant(0, i1))
    with loops.fold(0, kept, *start) as carry:
        value, position, found = carry.carried
        old, old_position = row.result(carry.index)
        comes = loops.bit_or(found, row.before(value, old))
        kept_position = loops.select(comes, position, old_position)
        row.write(carry.index, loops.select(comes, value, old), kept_position)
        later = loops.select(comes, old_position, position)
        carry.next(loops.select(comes, old, value), later, comes)
    value, position, _ = carry.results
    row.write(kept, value, position)


class _Sort:
    """The builder of loops that sort a row and store its first ``count`` elements."""

    def __init__(self, row: SortedRow, length: int, count: int) -> None:
        self.row, self.loops, self.element = row, row.loops, row.element
        self.length, self.count = length, count
        self.choices = self._choices()

    @property
    def cycles(self) -> float:
        """The estimated cycles of the fastest algorithm for a row in random order."""
        return min(self.choices.values())

    def emit(self) -> None:
        """Emit the algorithm that needs the fewest cycles for a row in random order."""
        min(self.choices, key=lambda choice: self.choices[choice])()

    def _choices(self) -> dict[Callable[[], None], float]:
        """Return the emitters of all algorithms that can be used, with their cycles."""
        length, count, runs = self.length, self.count, ceil(self.length / RUN)
        sizes = [RUN << level for level in range(1, (runs - 1).bit_length() + 1)]
        merged = sum(ceil(length / size) * min(size, count) for size in sizes)
        choices: dict[Callable[[], None], float] = {
            self._merge_sort: RUN_CYCLES * length + MERGE_CYCLES * merged,
            self._radix_sort: radix_cycles(self.element, length),
        }
        if count <= MOST_INSERTED:
            passed = count**2 * (0.5 + log(length / count)) if count else 0
            choices[self._insert] = INSERTION_CYCLES * passed + length
        if can_select(length, count):
            cycles = selection_cycles(self.element, length, count)
            choices[Selection(self.row, length, count).emit] = cycles
        return choices

    def _insert(self) -> None:
        _insert_all(self.row, self.count)

    # ---- radix sort

    def _radix_sort(self) -> None:
        def write(i: SSAValue, position: SSAValue, value: SSAValue) -> None:
            self.row.write(i, value, self.loops.cast(position, i32, self.row.position_type))

        loops = RadixSort(self.loops, self.element, self.length, self.row.load)
        loops.emit(self.count, write, descending=self.row.descending)

    # ---- merge sort

    def _scratch(self) -> tuple[SSAValue, SSAValue]:
        """Allocate the buffers of the merge sort; return those of the keys and of the positions.

        Each has two planes, padded to whole runs.
        """
        loops, length = self.loops, ceil(self.length / RUN) * RUN
        keys = loops.local(self.element, 2, length)
        return keys, loops.local(self.row.position_type, 2, length)

    def _merge_sort(self) -> None:
        loops = self.loops
        keys, order = self._scratch()
        one, zero = loops.constant(1, INDEX), loops.constant(0, INDEX)
        runs, run = ceil(self.length / RUN), loops.constant(RUN, INDEX)
        with loops.loop(0, runs) as number:
            self._sort_run(loops.mul(number, run), keys, order)
        levels = (runs - 1).bit_length()
        with loops.fold(0, levels, run, zero) as level:
            width, plane = level.carried
            pair = loops.add(width, width)
            rounded = loops.add(pair, loops.constant(self.length - 1, INDEX))
            other = loops.sub(one, plane)
            with loops.loop(0, loops.div(rounded, pair, unsigned=True)) as number:
                self._merge(loops.mul(number, pair), width, (keys, order), plane, other)
            level.next(pair, other)
        with loops.loop(0, self.count) as i:
            position = loops.get(order, levels % 2, i)
            self.row.write(i, loops.get(keys, levels % 2, i), position)

    def _sort_run(self, low: SSAValue, keys: SSAValue, order: SSAValue) -> None:
        """Emit the sort of one short run of the row into plane 0 of the buffers.

        If the run extends past the end of the row, the positions after the end come last.
        low: the start of the run.
        keys, order: the buffers that get the sorted elements and their positions.
        """
        loops, last = self.loops, self.loops.constant(self.length - 1, INDEX)
        one, zero = loops.constant(1, INDEX), loops.constant(0, INDEX)
        at = [loops.add(low, loops.constant(n, INDEX)) for n in range(RUN)]
        inside = [loops.compare("le", i, last) for i in at]
        values = [self.row.load(loops.min(i, last)) for i in at]
        places = [low] * RUN
        for first, second in combinations(range(RUN), 2):
            before = self.row.before(values[second], values[first])
            passes = loops.bit_and(before, inside[second])
            places[first] = loops.add(places[first], loops.select(passes, one, zero))
            places[second] = loops.add(places[second], loops.select(passes, zero, one))
        for i, value, place in zip(at, values, places, strict=True):
            loops.put(value, keys, 0, place)
            loops.put(self.row.as_position(i), order, 0, place)

    def _merge(
        self,
        low: SSAValue,
        width: SSAValue,
        planes: tuple[SSAValue, SSAValue],
        source: SSAValue,
        target: SSAValue,
    ) -> None:
        """Emit the merge of two adjacent sorted runs into the other plane; the left run wins ties.

        The merge stops after as many elements as the row has results.  It loads the next elements
        while it compares the current ones (for 509 x 33 this is 2 times as fast).
        low: the start of the left run.
        width: the length of a run.
        planes: the buffers of keys and of positions, each of two planes.
        source, target: the plane (0 or 1) that holds the runs, and the one that gets the result.
        """
        loops, (keys, order) = self.loops, planes
        end, last = loops.constant(self.length, INDEX), loops.constant(self.length - 1, INDEX)
        middle = loops.min(loops.add(low, width), end)
        high = loops.min(loops.add(middle, width), end)
        one, count = loops.constant(1, INDEX), loops.constant(self.count, INDEX)
        stop = loops.min(loops.add(low, count), high)

        def last_of(first: SSAValue, after: SSAValue) -> SSAValue:
            """Return the last element of a run that an earlier merge has stored."""
            return loops.sub(loops.min(loops.add(first, count), after), one)

        is_pair = loops.compare("lt", middle, high)
        left_last = last_of(low, middle)
        right_last = loops.select(is_pair, last_of(middle, high), left_last)

        def key(at: SSAValue, last: SSAValue) -> SSAValue:
            # Reads of an exhausted run are clamped; their values are unused.
            return loops.get(keys, source, loops.min(at, last))

        first = key(low, left_last), key(middle, right_last)
        with loops.fold(low, stop, low, middle, *first) as walk:
            left, right, x, y = walk.carried
            next_left, next_right = loops.add(left, one), loops.add(right, one)
            next_x, next_y = key(next_left, left_last), key(next_right, right_last)
            sooner = loops.bit_or(loops.compare("ge", left, middle), self.row.before(y, x))
            takes_right = loops.bit_and(sooner, loops.compare("lt", right, high))
            loops.put(loops.select(takes_right, y, x), keys, target, walk.index)
            taken = loops.min(loops.select(takes_right, right, left), last)
            loops.put(loops.get(order, source, taken), order, target, walk.index)
            walk.next(
                loops.select(takes_right, left, next_left),
                loops.select(takes_right, next_right, right),
                loops.select(takes_right, x, next_x),
                loops.select(takes_right, next_y, y),
            )
