"""Sort a row of symbolic length with a heap of the first results, in the result buffers.

The heap holds the best elements so far; its root is the one that is last in sorted order.  An
element of the row that precedes the root replaces it.  At the end, the roots are moved one by one
to the positions after the heap, from the last result to the first.  This needs at most ``2 n
log2(k)`` comparisons for a row of n elements with k results, and no scratch buffer, whose size
would be symbolic.  Equal elements are ordered by their positions.  Exact.
"""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue

from ...dialects.index_syntax import INDEX
from ...dialects.shape import MOST
from .sorted_row import SortedRow


class _HeapElement(NamedTuple):
    """An element of the sorted row: its value and its position in the row."""

    value: SSAValue
    position: SSAValue


class HeapSort:
    """The builder of loops that sort one row, which has at least as many elements as results."""

    def __init__(self, row: SortedRow) -> None:
        self.row, self.loops = row, row.loops
        self.count = self.loops.size(row.count)
        self.zero, self.one = (self.loops.constant(n, INDEX) for n in (0, 1))

    def emit(self) -> None:
        """Emit the loops that build the heap, replace roots, and move the roots to the results."""
        loops, row = self.loops, self.row
        levels = self._levels()
        with loops.loop(0, loops.end(row.count)) as i:
            row.write(i, row.load(i), row.as_position(i))
        with loops.loop(0, loops.div(self.count, loops.constant(2, INDEX), unsigned=True)) as i:
            half = loops.div(self.count, loops.constant(2, INDEX), unsigned=True)
            start = self._inside(loops.sub(half, loops.add(i, self.one)))
            self._sink(_HeapElement(*row.result(start)), start, self.count, levels)
        with loops.loop(loops.end(row.count), loops.end(row.length)) as i:
            value = row.load(i)
            with loops.when(row.before(value, row.result(0)[0])):
                element = _HeapElement(value, row.as_position(i))
                self._sink(element, self.zero, self.count, levels)
        with loops.loop(1, loops.end(row.count)) as i:
            end = self._inside(loops.sub(self.count, i))
            last, root = _HeapElement(*row.result(end)), row.result(0)
            row.write(end, *root)
            self._sink(last, self.zero, end, levels)

    def _levels(self) -> SSAValue:
        """Emit the computation of the number of levels of the heap; return it."""
        loops = self.loops
        with loops.fold(0, MOST.bit_length(), self.one, self.zero) as level:
            width, levels = level.carried
            reached = loops.compare("le", width, self.count)
            level.next(
                loops.add(width, width),
                loops.add(levels, loops.select(reached, self.one, self.zero)),
            )
        return level.results[1]

    def _sink(
        self, element: _HeapElement, start: SSAValue, size: SSAValue, levels: SSAValue
    ) -> None:
        """Put an element into the heap at node ``start``, or below it.

        The element moves down, past children that come later in sorted order and move up.
        size: the number of nodes of the heap.
        levels: the number of its levels.
        """
        loops, row = self.loops, self.row
        with loops.fold(0, levels, start, loops.constant(1, i1)) as walk:
            node, sinks = walk.carried
            left = loops.add(loops.add(node, node), self.one)
            right = loops.add(left, self.one)
            at, beside = self._inside(left), self._inside(right)
            child, sibling = _HeapElement(*row.result(at)), _HeapElement(*row.result(beside))
            is_right = loops.bit_and(
                loops.compare("lt", right, size), self._precedes(child, sibling)
            )
            later = _HeapElement(
                *(loops.select(is_right, b, a) for a, b in zip(child, sibling, strict=True))
            )
            moves = loops.bit_and(sinks, loops.compare("lt", left, size))
            moves = loops.bit_and(moves, self._precedes(element, later))
            with loops.when(moves):
                row.write(self._inside(node), *later)
            walk.next(loops.select(moves, loops.select(is_right, beside, at), node), moves)
        row.write(self._inside(walk.results[0]), *element)

    def _precedes(self, x: _HeapElement, y: _HeapElement) -> SSAValue:
        """Return whether element ``x`` comes before ``y`` in sorted order; positions break ties."""
        loops, row = self.loops, self.row
        is_equal = loops.bit_not(row.before(y.value, x.value))
        is_first = loops.bit_and(is_equal, loops.compare("lt", x.position, y.position))
        return loops.bit_or(row.before(x.value, y.value), is_first)

    def _inside(self, place: SSAValue) -> SSAValue:
        return self.loops.inside(place, self.row.count)
