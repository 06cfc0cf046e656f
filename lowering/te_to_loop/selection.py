"""Select the few first elements of a long row by a threshold and a buffer of candidates.

    candidates = x[0:first]
    for each block of x[first:]:
      when the buffer is nearly full:
        candidates = results = first k of sorted candidates
      append the elements of the block that come before results[k - 1] to the candidates
    results = first k of sorted candidates

The buffer is sorted by radix sort (radix.py).  The selection is stable: candidates are in the order
of their positions, and elements equal to the threshold come after all results.  In the worst case
every element becomes a candidate; because each sort keeps only ``k`` elements of the buffer, the
number of cycles is still linear in the length of the row.
"""

from __future__ import annotations

from math import log

from xdsl.dialects.builtin import i1, i32
from xdsl.ir import Attribute, SSAValue

from ...dialects.index_syntax import INDEX
from ...dialects.loop import BroadcastOp, ReduceOp, str_attr
from ...support.affine import variable
from .radix import RadixSort, radix_cycles
from .sorted_row import SortedRow

LANES = 16
"""Elements per block: one vector comparison decides whether any of them is a candidate."""

RESULTS_PER_BUFFER, LEAST_BUFFER = 4, 512
"""Elements of the buffer per result, and in total at least; a sort discards 3/4 of the buffer."""

BLOCK_CYCLES, CANDIDATE_CYCLES = 6, 40
"""Cycles to compare a block, and to append a candidate of a row in random order.

Ice Lake, 64 of 100,000 floats: 1.2 ms by radix sort, 0.09 ms by selection.
"""


def _capacity(count: int) -> int:
    return max(RESULTS_PER_BUFFER * count, LEAST_BUFFER)


def can_select(length: int, count: int) -> bool:
    """Return whether `Selection` can be used: the row is longer than the buffer of candidates.

    length: the number of elements of the row.
    count: the number of results, which determines the size of the buffer.
    """
    return length > _capacity(count)


def selection_cycles(element: Attribute, length: int, count: int) -> float:
    """Return the estimated cycles of the selection for a row in random order.

    length: the number of elements of the row.
    count: the number of results.
    """
    capacity = _capacity(count)
    # After n elements, a fraction count / n of the next ones are candidates: n grows by
    # capacity / count per refill.
    refills = log(length / capacity) / log(capacity / count)
    candidates = CANDIDATE_CYCLES * refills * (capacity - count)
    sorts = (1 + refills) * radix_cycles(element, capacity)
    return BLOCK_CYCLES * length / LANES + candidates + sorts


class Selection:
    """The builder of loops that select the first results of a long row.

    length: the number of elements of the row.
    count: the number of results.
    """

    def __init__(self, row: SortedRow, length: int, count: int) -> None:
        self.row, self.loops = row, row.loops
        self.length, self.count = length, count
        self.capacity = _capacity(count)

    def emit(self) -> None:
        """Emit the loops; after the last block, the remaining candidates are sorted once more."""
        loops, row, capacity = self.loops, self.row, self.capacity
        self.values = loops.local(row.element, capacity)
        self.positions = loops.local(row.position_type, capacity)
        self.used = loops.local(INDEX, 1)
        self.sort = RadixSort(loops, row.element, capacity, lambda i: loops.get(self.values, i))
        first = capacity - (capacity - self.length) % LANES
        blocks = (self.length - first) // LANES
        with loops.loop(0, first) as i:
            loops.put(row.load(i), self.values, i)
            loops.put(row.as_position(i), self.positions, i)
        loops.put(loops.constant(first, INDEX), self.used, 0)
        full, last = (loops.constant(n, INDEX) for n in (capacity - LANES, blocks))
        with loops.loop(0, blocks + 1) as block:
            is_full = loops.compare("gt", loops.get(self.used, 0), full)
            with loops.when(loops.bit_or(is_full, loops.compare("eq", block, last))):
                self._sort_candidates()
            # The last iteration scans a block again; its candidates are unused.
            self._scan(loops.inside(block, blocks), first)

    def _sort_candidates(self) -> None:
        """Emit the sort of the candidates; only the first ``count``, the results so far, remain."""
        loops, row = self.loops, self.row

        def write(i: SSAValue, number: SSAValue, value: SSAValue) -> None:
            at = loops.inside(loops.cast(number, i32, INDEX), self.capacity)
            row.write(i, value, loops.get(self.positions, at))

        used = loops.get(self.used, 0)
        self.sort.emit(self.count, write, descending=row.descending, used=used)
        with loops.loop(0, self.count) as i:
            value, position = row.result(i)
            loops.put(value, self.values, i)
            loops.put(position, self.positions, i)
        loops.put(loops.constant(self.count, INDEX), self.used, 0)

    def _scan(self, block: SSAValue, first: int) -> None:
        """Emit the code that appends elements of one block of the row to the candidates.

        These are the elements that come before the last result so far.
        block: the number of the block.
        first: the position in the row at which the first block begins.
        """
        loops, row = self.loops, self.row
        start = variable(block) * LANES + first
        threshold, _ = row.result(self.count - 1)
        lanes = row.load_lanes(start, LANES)
        every = loops.emit(BroadcastOp, [threshold], lanes.type)
        comes = row.before(lanes, every)
        with loops.when(loops.emit(ReduceOp, [comes], i1, {"kind": str_attr("or")})):
            with loops.fold(start, start + LANES, loops.get(self.used, 0)) as walk:
                (used,) = walk.carried
                value, at = row.load(walk.index), loops.inside(used, self.capacity)
                loops.put(value, self.values, at)
                loops.put(row.as_position(walk.index), self.positions, at)
                more = loops.add(used, loops.constant(1, INDEX))
                walk.next(loops.select(row.before(value, threshold), more, used))
            loops.put(walk.results[0], self.used, 0)
