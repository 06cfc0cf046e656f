"""Sort several rows at once, one row per lane of vectors, by networks of comparators.

    run = keys of the first P elements, in vectors of one key per row
    sort the run: each 8 keys in registers, then mergers of 8 and 8 keys, 16 and 16 ...
    results = run
    for each further run of P elements:
      sort the run
      results[i] = min(results[i], run[P - 1 - i]); merge the results
    for each row and rank < k: write x and the position of the key

``P`` is the least power of 2 that is not below ``k``, and at least 8.  A comparator puts the lesser
of two keys first; it is one minimum and one maximum of vectors, and which keys it compares does not
depend on the data.  A key has the order of its element in the upper 32 bits and the position of
the element below them.  So keys differ, and the sort is stable.  Exact.
Source: Batcher, Sorting networks and their applications, 1968; the mergers are bitonic.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, prod

from xdsl.dialects import arith
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from ...dialects.dtypes import bit_width
from ...dialects.index_syntax import INDEX
from ...dialects.loop import LoadOp, PackOp, TransposeOp, vector_type
from ...dialects.te import SortOp
from ...dialects.te.loops_builder import LoopsBuilder, Place, row_major_places
from ...support.affine import Index, constant, variable
from .sort_key import extended, filled, key_type, sort_key
from .sorted_row import SortedRow, other_sizes

RUN = 8
"""Keys that are sorted in registers."""

STAGES = 3
"""Consecutive stages of a merger that run in registers, on 8 keys."""

LAST = (1 << 63) - 1
"""A key after the keys of all elements."""

KEY_CYCLES, PACK_CYCLES, COMPARATOR_CYCLES, WRITE_CYCLES = 4, 1, 1.4, 3
"""Cycles to make a vector of keys, to put one scalar into it, for a comparator, for a result.

Zen 4, 256 rows of 64, 8 results: 0.44 us a row by insertion, 0.04 us by networks; with vectors of 4
rows 0.06 us.
"""


@dataclass(frozen=True)
class NetworkSizes:
    """The sizes of a sort by networks.

    length: the elements of a row.  count: the results of a row.  others: the sizes of the axes
    that are not sorted.  is_last: whether the sorted axis is the last one.  lanes: the rows per
    vector.
    """

    length: int
    count: int
    others: tuple[int, ...]
    is_last: bool
    lanes: int

    @staticmethod
    def of(op: SortOp, lanes: int) -> NetworkSizes | None:
        """Return the sizes of a sort; None if networks cannot sort it.

        Networks need static sizes and keys of 32 bits.
        """
        row = SortedRow(op, LoopsBuilder(op.label, [], []), [])
        others = tuple(size for size in other_sizes(op) if isinstance(size, int))
        length, count = row.length, row.count
        if not (isinstance(length, int) and isinstance(count, int) and count):
            return None
        if len(others) < len(other_sizes(op)) or bit_width(key_type(row.element)) > 32:
            return None
        return NetworkSizes(length, count, others, op.axis.data == len(others), lanes)

    @property
    def width(self) -> int:
        """The keys of a run: a power of 2, at least as many as there are results."""
        return max(RUN, 1 << (self.count - 1).bit_length())

    @property
    def runs(self) -> int:
        """The number of runs of a row."""
        return ceil(self.length / self.width)

    @property
    def is_along_rows(self) -> bool:
        """Whether the rows of a vector are adjacent in memory."""
        return not self.is_last and 2 * self.others[-1] > self.lanes

    @property
    def blocks(self) -> tuple[int, ...]:
        """The sizes of the loops over vectors of rows."""
        if self.is_along_rows:
            return (*self.others[:-1], ceil(self.others[-1] / self.lanes))
        return (ceil(prod(self.others) / self.lanes),)

    @property
    def used(self) -> int:
        """The keys that a run has at most, in whole groups of `RUN`."""
        return min(self.width, ceil(self.length / RUN) * RUN)

    def levels(self) -> Iterator[tuple[int, int]]:
        """Yield the half length of each merger in a run, and the keys up to its last merger."""
        half = RUN
        while half < self.used:
            mergers = ceil((self.used - half) / (2 * half))
            yield half, min(self.used, mergers * 2 * half)
            half *= 2

    def cycles(self) -> float:
        """Return the estimated cycles to sort one row."""
        results, runs = 1 << (self.count - 1).bit_length(), ceil(self.length / RUN)
        comparators = runs * len(list(sorting_network(min(RUN, self.length))))
        if self.width == RUN:
            comparators += (runs - 1) * results * (1 + results.bit_length() / 2)
        else:
            merged = sum(end / 2 * (2 * half).bit_length() for half, end in self.levels())
            joined = self.width * (1 + self.width.bit_length() / 2)
            comparators += self.runs * merged + (self.runs - 1) * joined
        packed = 0 if self.is_along_rows else PACK_CYCLES * (1 if self.is_last else self.lanes)
        vector = (KEY_CYCLES + packed) * self.length + COMPARATOR_CYCLES * comparators
        return vector * prod(self.blocks) / prod(self.others) + WRITE_CYCLES * self.count


def sorting_network(length: int) -> Iterator[tuple[int, int]]:
    """Yield the comparators of Batcher's odd-even merge sort: pairs of positions, lower first."""
    half = 1
    while half < length:
        distance = half
        while distance:
            for low in range(distance % half, length - distance):
                inside = (low - distance % half) % (2 * distance) < distance
                if inside and low // (2 * half) == (low + distance) // (2 * half):
                    yield low, low + distance
            distance //= 2
        half *= 2


def merger(length: int) -> Iterator[tuple[int, int]]:
    """Yield the comparators that sort a bitonic sequence, whose length is a power of 2."""
    distance = length // 2
    while distance:
        yield from ((n, n + distance) for n in range(length) if not n & distance)
        distance //= 2


class NetworkSort:
    """The builder of loops that sort all rows of an op."""

    def __init__(self, op: SortOp, loops: LoopsBuilder, sizes: NetworkSizes) -> None:
        self.op, self.loops, self.sizes = op, loops, sizes
        self.lanes = sizes.lanes
        self.type = vector_type(sizes.lanes, i64)

    def emit(self, chunk: int | None) -> None:
        """Emit the loops over vectors of rows; a task sorts about ``chunk`` rows."""
        sizes, per_task = self.sizes, None if chunk is None else max(1, chunk // self.lanes)
        with self.loops.rows(prod(sizes.blocks), per_task) as block:
            self.block = row_major_places(block, sizes.blocks)
            self._place_rows()
            planes = 1 if sizes.runs == 1 or sizes.width == RUN else 2
            self.keys = self.loops.local(i64, planes, sizes.width, self.lanes)
            if sizes.width == RUN:
                self._sort_few()
            else:
                self._sort_runs()
            self._write()

    # ---- rows and keys

    def _place_rows(self) -> None:
        """Set the position of the first row; the last vector of rows may begin earlier.

        ``first``: the first lane whose row is in no vector before this one.
        """
        loops, sizes, lanes = self.loops, self.sizes, self.lanes
        rows = sizes.others[-1] if sizes.is_along_rows else prod(sizes.others)
        start = loops.index(self.block[-1] * lanes)
        self.start = loops.min(start, loops.constant(max(0, rows - lanes), INDEX))
        self.first = loops.inside(loops.sub(start, self.start), lanes)
        self.active = min(rows, lanes)

    def _row(self, lane: Place) -> SortedRow:
        """Return the row of a lane; lanes without a row have the last row."""
        sizes = self.sizes
        offset = variable(lane) if isinstance(lane, SSAValue) else lane
        place = variable(self.start) + offset
        if sizes.is_along_rows:
            return SortedRow(self.op, self.loops, [*self.block[:-1], place])
        row = self.loops.inside(self.loops.index(place), prod(sizes.others))
        return SortedRow(self.op, self.loops, row_major_places(row, sizes.others))

    def _elements(self, start: Index, count: int) -> list[SSAValue]:
        """Emit reads of consecutive elements of all rows; return a vector of rows per element."""
        loops, lanes, rows = self.loops, self.lanes, [self._row(n) for n in range(self.lanes)]
        if self.sizes.is_along_rows:
            return [self._along_rows(start + n) for n in range(count)]
        if not self.sizes.is_last:
            return [
                loops.append(PackOp.make([row.load(start + n) for row in rows]))
                for n in range(count)
            ]
        elements: list[SSAValue] = []
        for n in range(0, count, lanes):
            active = min(lanes, count - n)
            squares = [row.load_lanes(start + n, lanes, active) for row in rows]
            transpose = TransposeOp.make(squares)
            loops.append(transpose)
            elements += transpose.rows[:active]
        return elements

    def _along_rows(self, at: Index) -> SSAValue:
        x = self.loops.buffers[0]
        places = [*self.block[:-1], variable(self.start)]
        places.insert(self.op.axis.data, at)
        type_ = vector_type(self.lanes, self.loops.get_type(x))
        lanes = None if self.active == self.lanes else self.active
        return self.loops.append(LoadOp.make(x, places, type_, lanes=lanes))

    def _sorted_keys(self, start: Index, count: int) -> list[SSAValue]:
        """Emit code that sorts up to `RUN` consecutive elements; return their keys in order."""
        return self._compared(self._keys(start, count), sorting_network(count))

    def _keys(self, start: Index, count: int) -> list[SSAValue]:
        loops, descending = self.loops, self.op.descending is not None
        element = loops.get_type(loops.buffers[0])
        first = loops.splat(loops.cast(loops.index(start), INDEX, i64), self.lanes)
        keys: list[SSAValue] = []
        for n, x in enumerate(self._elements(start, count)):
            order = extended(loops, sort_key(loops, x, element, descending=descending), i64)
            upper = loops.emit(arith.ShLIOp, [order, filled(loops, 32, order)], order.type)
            position = loops.add(first, filled(loops, n, first))
            keys.append(loops.bit_or(upper, position))
        return keys

    def _compared(
        self, keys: Sequence[SSAValue], comparators: Iterator[tuple[int, int]]
    ) -> list[SSAValue]:
        keys = list(keys)
        for low, high in comparators:
            pair = keys[low], keys[high]
            keys[low], keys[high] = self.loops.min(*pair), self.loops.max(*pair)
        return keys

    def _get(self, plane: Place, at: Place) -> SSAValue:
        return self.loops.get(self.keys, plane, at, 0, lanes=self.lanes)

    def _put(self, key: SSAValue, plane: Place, at: Place) -> None:
        self.loops.put(key, self.keys, plane, at, 0)

    def _last_key(self) -> SSAValue:
        return self.loops.splat(self.loops.constant(LAST, i64), self.lanes)

    # ---- at most RUN results

    def _sort_few(self) -> None:
        """Emit the sort of rows with at most `RUN` results, which runs in registers.

        If the row is long, most groups of elements contain no result; they are not sorted.
        """
        loops, length, count = self.loops, self.sizes.length, self.sizes.count
        for n, key in enumerate(self._sorted_keys(constant(0), min(RUN, length))[:count]):
            self._put(key, 0, n)
        with loops.loop(1, max(1, length // RUN)) as group:
            self._join_few(variable(group) * RUN, RUN)
        if length > RUN and length % RUN:
            self._join_few(constant(length // RUN * RUN), length % RUN)

    def _join_few(self, start: Index, group: int) -> None:
        loops, count = self.loops, self.sizes.count
        keys = self._keys(start, group)
        if self.sizes.length <= RUN * self.lanes * count:
            self._merge_few(keys)
            return
        least = keys[0]
        for key in keys[1:]:
            least = loops.min(least, key)
        comes = loops.compare("lt", least, self._get(0, count - 1))
        with loops.when(loops.reduce("or", comes)):
            self._merge_few(keys)

    def _merge_few(self, keys: Sequence[SSAValue]) -> None:
        """Emit the merger of the results so far and of the keys of a group of elements."""
        count = self.sizes.count
        ordered = self._compared(keys, sorting_network(len(keys)))
        width = 1 << (count - 1).bit_length()
        merged: list[SSAValue] = []
        for n in range(width):
            pair = [self._get(0, n)] if n < count else []
            pair += ordered[width - 1 - n :][:1]
            merged.append(
                self.loops.min(*pair) if len(pair) == 2 else (pair or [self._last_key()])[0]
            )
        for n, key in enumerate(self._compared(merged, merger(width))[:count]):
            self._put(key, 0, n)

    # ---- more results

    def _sort_runs(self) -> None:
        """Emit the sort of each run, and of the mergers of the run and the results so far."""
        loops, sizes = self.loops, self.sizes
        if sizes.runs == 1:
            self._sort_run(0, None)
            return
        with loops.loop(0, sizes.runs) as run:
            plane = loops.inside(run, 2)
            self._sort_run(plane, run)
            with loops.when(loops.compare("ne", run, loops.constant(0, INDEX))):
                self._merge(sizes.width, sizes.width, is_joined=True)

    def _sort_run(self, plane: Place, run: SSAValue | None) -> None:
        """Emit the sort of a run into a plane of the keys.

        run: the number of the run; None if there is one.
        """
        loops, sizes = self.loops, self.sizes
        groups, length = sizes.width // RUN, sizes.length
        first = constant(0) if run is None else variable(run) * groups
        with loops.loop(first, [first + groups, length // RUN]) as group:
            at = (variable(group) - first) * RUN
            for n, key in enumerate(self._sorted_keys(variable(group) * RUN, RUN)):
                self._put(key, plane, at + n)
        if run is None:
            self._end_run(plane)
        elif length % sizes.width:
            is_last = loops.compare("eq", run, loops.constant(sizes.runs - 1, INDEX))
            with loops.when(is_last):
                self._end_run(plane)
        for half, end in sizes.levels():
            self._merge(2 * half, end, plane=plane)

    def _end_run(self, plane: Place) -> None:
        """Emit the sort of the last elements of the row, which do not fill a group."""
        sizes = self.sizes
        at, rest = sizes.length // RUN * RUN, sizes.length % RUN
        start = at - (sizes.runs - 1) * sizes.width
        ordered = self._sorted_keys(constant(at), rest) if rest else []
        for n, key in enumerate(ordered):
            self._put(key, plane, start + n)
        with self.loops.loop(start + rest, sizes.width) as n:
            self._put(self._last_key(), plane, n)

    def _merge(self, span: int, end: int, *, plane: Place = 0, is_joined: bool = False) -> None:
        """Emit mergers of ``span`` keys each in a plane, up to the key ``end``.

        The first stage compares keys in opposite order.
        is_joined: merge the results in plane 0 with the run in plane 1; else each half of the
        keys of a merger is in order.
        """
        stages = span.bit_length() - 1
        is_first, passes = True, ceil(stages / STAGES)
        ends = [stages * n // passes for n in range(passes + 1)]
        for low, high in pairwise(reversed(ends)):
            self._merge_in_registers(span, 1 << (low - high), end, plane, is_first, is_joined)
            span, is_first = span >> (low - high), False

    def _merge_in_registers(
        self, span: int, count: int, end: int, plane: Place, is_first: bool, is_joined: bool
    ) -> None:
        """Emit consecutive stages of mergers.

        span: the keys of a merger at the first of these stages.
        count: the keys that are loaded at once; each stage halves their distance.
        is_first: whether the first stage of the mergers is among these stages.
        """
        loops, step = self.loops, span // count
        is_mirrored = is_first and not is_joined
        with loops.loop(0, ceil(end / span)) as block, loops.loop(0, step) as i:
            base = variable(block) * span
            up, down = (base + variable(i), base - variable(i) + (step - 1))
            places = [
                (down if is_mirrored and 2 * n >= count else up) + n * step for n in range(count)
            ]
            keys = [self._get(plane, place) for place in places]
            comparators = list(merger(count))
            if is_mirrored:
                comparators[: count // 2] = [(n, count - 1 - n) for n in range(count // 2)]
            if is_first and is_joined:
                others = [self._get(1, constant(span - 1) - place) for place in places]
                keys = [loops.min(*pair) for pair in zip(keys, others, strict=True)]
            for key, place in zip(self._compared(keys, iter(comparators)), places, strict=True):
                self._put(key, plane, place)

    # ---- results

    def _write(self) -> None:
        """Emit the writes of the results; the memory order of the results determines the loops."""
        loops, count = self.loops, self.sizes.count
        lanes: tuple[Place, Place] = self.first, self.active
        if self.sizes.is_last:
            with loops.loop(*lanes) as lane, loops.loop(0, count) as rank:
                self._write_one(rank, lane)
            return
        with loops.loop(0, count) as rank, loops.loop(*lanes) as lane:
            self._write_one(rank, lane)

    def _write_one(self, rank: SSAValue, lane: SSAValue) -> None:
        loops, row = self.loops, self._row(lane)
        key = loops.get(self.keys, 0, rank, lane)
        position = loops.bit_and(key, loops.constant((1 << 32) - 1, i64))
        value = row.load(loops.inside(loops.cast(position, i64, INDEX), self.sizes.length))
        row.write(rank, value, loops.cast(position, i64, row.position_type))
