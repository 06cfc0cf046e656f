"""Emit a tile with a reduced vector axis: combine vectors, then the lanes of the result.

    te.compute @mx [i: 1, j: 1000 red] ins(%X[i, j]) outs(%m[i] max -inf) ..
        tile(vec = j, lanes = 8, j = 4)

Here four partial results, each a vector of 8 lanes, accumulate maxima along j; the elements of a
tail change only their own lanes of a partial result.  A tree combines the partial results, and
another tree combines the lanes.  The order of combination depends only on extents and lanes.  Long
sums are split into blocks.

With ``together = 4`` in the tile, the lanes of four adjacent results are reduced by common
instructions, and these results become the lanes of one vector, to which ``then`` and one store
apply.  Each result is combined in the order of its separate tree over lanes, but with about half of
the instructions.

If the extent of the axis is symbolic, one loop runs the whole rounds (one vector per partial
result; for sums, one block of rounds after the other), and another loop runs the remaining vectors,
with masks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import TypeVar

from xdsl.ir import SSAValue

from ...analysis.patterns.combiners import adds_zero, identity, is_zero
from ...analysis.strides import lane_stride
from ...dialects import loop
from ...dialects.shape import Dim, extent_of
from ...support.affine import ZERO, Index, Key, constant, variable
from .access import OUTSIDE, extract, position
from .context import Leaf, Point
from .emitter import EVERY, LANE, combine
from .reduction import Accumulators, Walk, reduce_over

_LANE_REDUCTIONS = ("add", "mul", "max", "min", "maxnum", "and", "or", "xor")
_DEFAULT_PARTIALS = 4

BLOCK_ROUNDS, MOST_ROUNDS = 128, 256
"""A sum of more than ``MOST_ROUNDS`` rounds is split into blocks of ``BLOCK_ROUNDS`` rounds, so
that the error grows only as the square root of a block's length and of the number of blocks (2.2 M
terms: 3e-6 -> 1.3e-7)."""

MIN_ROUNDS = 16
"""Rows with fewer rounds have no separate sum, because adding two sums takes half a round."""

_T = TypeVar("_T")


def tree(values: Sequence[_T], combine: Callable[[_T, _T], _T]) -> _T:
    """Combine adjacent values pairwise, then adjacent results, until one is left; return it.

    combine: combines two values.
    """
    while len(values) > 1:
        paired = [combine(a, b) for a, b in zip(values[::2], values[1::2], strict=False)]
        values = [*paired, values[-1]] if len(values) % 2 else paired
    return values[0]


class HorizontalReduction:
    """A register tile whose vectors run along a reduced axis.

    tiled: the other axes of the tile.
    outer: the positions along the axes that are fixed outside of the tile.
    """

    def __init__(self, leaf: Leaf, tiled: Sequence[str], outer: dict[Key, Index]) -> None:
        assert leaf.vec is not None, "the tile has a vector axis"
        self.leaf, self.vec = leaf, leaf.vec
        self.outer = {**leaf.base, **outer}
        extent, wanted = leaf.axes[leaf.vec], leaf.view.unrolls.get(leaf.vec, _DEFAULT_PARTIALS)
        self.symbolic = extent if isinstance(extent, Dim) else None
        self.full, self.tail = (0, 0) if isinstance(extent, Dim) else divmod(extent, leaf.lanes)
        most = wanted or 1 if isinstance(extent, Dim) else self.full
        self.partials = max(1, min(wanted or most, most))
        self.tiled = tiled
        positions = [[constant(p) for p in range(leaf.extents[a])] for a in tiled]
        self.cells = [
            Point({**self.outer, **dict(zip(tiled, fixed, strict=True))}, leaf.lanes)
            for fixed in product(*positions)
        ]
        self.adds_zeros = self._adds_zeros()

    def _adds_zeros(self) -> bool:
        """Return whether lanes that no element fills add 0, because loads set them to 0."""
        leaf, view = self.leaf, self.leaf.view
        zeros = {
            argument
            for access, argument in zip(view.inputs, view.body.block.args, strict=True)
            if access.value is not None
            and access.indices is not None
            and (access.pad is None or is_zero(access.pad))
            and lane_stride(view, access, self.vec, leaf.lanes)
        }
        return adds_zero(zeros, leaf.outputs, leaf.group.yielded())

    def emit(self) -> None:
        """Emit the loops over reduced axes, the combination of lanes, and the stores."""
        leaf, walk = self.leaf, Walk(self.outer)
        run = self._run_apart if self._rows_are_long() else self._run
        if self.symbolic is not None:
            run = self._run_symbolic
        accumulators = reduce_over(leaf, leaf.reduced, walk, self._start(), run, self._prepare)
        count = len(leaf.outputs)
        size = self.partials * count
        totals = (
            tree([own[u : u + count] for u in range(0, size, count)], self._combine)
            for own in (accumulators[i : i + size] for i in range(0, len(accumulators), size))
        )
        if self._has_rows():
            self._finish_rows(list(totals))
            return
        for cell, vectors in zip(self.cells, totals, strict=True):
            self._finish(leaf, Point(cell.values, 1), self._across_lanes(vectors))

    def _has_rows(self) -> bool:
        """Return whether common instructions reduce the vectors of several adjacent results."""
        together = int(self.leaf.view.tile.get("together", 1))
        divides = bool(self.tiled) and self.leaf.extents[self.tiled[-1]] % together == 0
        return together > 1 and divides and self._combines_lanes()

    def _start(self) -> Accumulators:
        return [
            self._neutral(i)
            for _ in self.cells
            for _ in range(self.partials)
            for i in range(len(self.leaf.outputs))
        ]

    def _adds(self) -> bool:
        """Return whether all outputs are sums, which are inexact in floats."""
        return all(output.combiner == "add" for output in self.leaf.outputs)

    def _rows_are_long(self) -> bool:
        """Return whether each row of a sum should be summed alone, before rows are added.

        A row is the vector axis at one position of the other reduced axes. Separate sums reduce the
        error if there are many rows, and if each row has enough terms.
        """
        if self.symbolic is not None:
            return False  # its rounds are summed in blocks
        rounds = self.full // self.partials
        return self._adds() and rounds >= MIN_ROUNDS and self._has_many_rows(rounds)

    def _has_many_rows(self, rounds: int) -> bool:
        """Return whether all rows together have more than MOST_ROUNDS steps.

        rounds: the number of steps of one row.  The result is also true if the number of rows is
        symbolic.
        """
        extents = [self.leaf.axes[a] for a in self.leaf.reduced]
        numbers = [extent for extent in extents if isinstance(extent, int)]
        return len(numbers) < len(extents) or prod(numbers) * rounds > MOST_ROUNDS

    def _run_apart(self, walk: Walk, accumulators: Accumulators) -> Accumulators:
        """Sum one row from 0, and add the sum to the accumulators; return the new accumulators.

        walk: the current point of the loops around the vector axis.
        """
        return self._add_block(accumulators, self._run(walk, self._start()))

    def _add_block(self, sums: Accumulators, block: Accumulators) -> Accumulators:
        emitter = self.leaf.emitter
        return [combine(emitter, "add", a, b) for a, b in zip(sums, block, strict=True)]

    def _neutral(self, position: int) -> SSAValue:
        """Return the first value of an output's partial results: the identity of its combiner.

        For the combiner ``by``, it is the initial value of the output, which must be an identity.
        position: the position of the output.
        """
        leaf = self.leaf
        output = leaf.outputs[position]
        if output.combiner == "by" and output.init is not None:
            return leaf.emitter.constant(output.init, leaf.lanes)
        return leaf.neutral(position, leaf.lanes)

    def _prepare(self, walk: Walk, axes: Sequence[str]) -> None:
        """Emit the reads that are invariant in some loops and along the vector axis.

        They are emitted before these loops.
        walk: the current point of the loops around them.
        axes: the reduced axes of these loops.
        """
        leaf, moving = self.leaf, {*axes, self.vec}
        for j in leaf.read_order:
            if moving & set(leaf.uses[j]) or leaf.view.inputs[j].indices is None:
                continue
            for cell in self.cells:
                value = leaf.read(j, cell.moved(walk.values, walk.inside))
                if value is not OUTSIDE:
                    leaf.emitter.splat(value, leaf.lanes)

    def _run(self, walk: Walk, accumulators: Accumulators) -> Accumulators:
        """Emit the reduction along the vector axis; return the new partial results.

        A loop runs whole rounds, in which each partial result gets one vector; then follow the
        remaining vectors and the tail.
        walk: the current point of the loops around the vector axis.
        accumulators: the partial results so far.
        """
        leaf, lanes, partials = self.leaf, self.leaf.lanes, self.partials
        trips, rest = divmod(self.full, partials)
        lane = variable(LANE)
        self._prepare(walk, ())

        def round_at(base: Index, carried: Accumulators, count: int) -> Accumulators:
            starts = [(base + lane + u * lanes, lanes) for u in range(count)]
            return self._points(walk, carried, starts)

        def rounds(first: Index, carried: Accumulators, span: tuple[int, int]) -> Accumulators:
            start, stop = span
            if stop - start == 1:
                return round_at((first + start) * (partials * lanes), carried, partials)
            return leaf.emitter.loop(
                start,
                stop,
                (start, stop - 1),
                carried,
                lambda i, inner: round_at((first + i) * (partials * lanes), inner, partials),
            )

        blocks = trips // BLOCK_ROUNDS if trips > MOST_ROUNDS and self._adds() else 0
        if blocks:
            accumulators = leaf.emitter.loop(
                0,
                blocks,
                (0, blocks - 1),
                accumulators,
                lambda b, carried: self._add_block(
                    carried, rounds(b * BLOCK_ROUNDS, self._start(), (0, BLOCK_ROUNDS))
                ),
            )
        if trips > blocks * BLOCK_ROUNDS:
            accumulators = rounds(constant(0), accumulators, (blocks * BLOCK_ROUNDS, trips))
        if rest:
            done = constant(trips * partials * lanes)
            accumulators = round_at(done, accumulators, rest)
        if self.tail:
            start = lane + self.full * lanes
            accumulators = self._points(walk, accumulators, [(start, self.tail)])
        return accumulators

    def _run_symbolic(self, walk: Walk, accumulators: Accumulators) -> Accumulators:
        """Emit the reduction along a vector axis of symbolic extent; return the partial results.

        A loop runs whole rounds, in which each partial result gets one vector; another loop runs
        the remaining vectors with masks.
        walk: the current point of the loops around the vector axis.
        accumulators: the partial results so far.
        """
        assert self.symbolic is not None, "the extent is symbolic"
        emitter, lanes, partials = self.leaf.emitter, self.leaf.lanes, self.partials
        whole, lane = self.symbolic // (partials * lanes), variable(LANE)
        end = emitter.extent(extent_of(whole))
        self._prepare(walk, ())

        def round_at(number: Index, carried: Accumulators) -> Accumulators:
            first = number * (partials * lanes) + lane
            return self._points(
                walk, carried, [(first + u * lanes, lanes) for u in range(partials)]
            )

        def block(number: Index, carried: Accumulators) -> Accumulators:
            first, start = number * BLOCK_ROUNDS, self._start()
            ends = [end, first + BLOCK_ROUNDS]
            return self._add_block(carried, emitter.loop([first], ends, EVERY, start, round_at))

        if self._adds() and not Dim.const(BLOCK_ROUNDS).is_at_least(whole):
            blocks = emitter.extent(extent_of(whole.ceildiv(BLOCK_ROUNDS)))
            accumulators = emitter.loop([ZERO], [blocks], EVERY, accumulators, block)
        else:
            accumulators = emitter.loop([ZERO], [end], EVERY, accumulators, round_at)
        first = emitter.extent(extent_of(whole * partials))
        vectors = emitter.extent(extent_of(self.symbolic.ceildiv(lanes)))
        return emitter.loop(
            [first], [vectors], EVERY, accumulators, lambda i, own: self._masked(walk, own, i)
        )

    def _masked(self, walk: Walk, accumulators: Accumulators, number: Index) -> Accumulators:
        """Emit one step of the reduction with masked lanes; return the new partial results.

        In each cell, one vector is combined with the first partial result.  Lanes that lie after
        the end of the axis do not change the result.
        walk: the current point of the loops around the vector axis.
        accumulators: the partial results so far.
        number: the number of the vector along the axis.
        """
        assert self.symbolic is not None, "the extent is symbolic"
        leaf, count, out = self.leaf, len(self.leaf.outputs), list(accumulators)
        emitter, place = leaf.emitter, number * leaf.lanes + variable(LANE)
        positions = position(emitter, place, leaf.lanes_of(leaf.lanes))
        size = emitter.value(loop.IndexOp.make(emitter.extent(self.symbolic)))
        is_inside = emitter.value(
            loop.CompareOp.make("slt", positions, emitter.splat(size, leaf.lanes))
        )
        for cell_number, cell in enumerate(self.cells):
            values = {**cell.values, **walk.values, self.vec: place}
            mapped = leaf.map(Point(values, leaf.lanes, walk.inside, ragged=True))
            if mapped is None:
                continue
            first = cell_number * self.partials * count
            carried = accumulators[first : first + count]
            for slot, (new, old) in enumerate(
                zip(leaf.fold(mapped, carried), carried, strict=True)
            ):
                out[first + slot] = emitter.value(
                    loop.SelectOp.create(operands=[is_inside, new, old], result_types=[old.type])
                )
        return out

    def _points(
        self, walk: Walk, accumulators: Accumulators, starts: Sequence[tuple[Index, int]]
    ) -> Accumulators:
        leaf, count = self.leaf, len(self.leaf.outputs)
        accumulators = list(accumulators)
        for u, (start, active) in enumerate(starts):
            for number, cell in enumerate(self.cells):
                values = {**cell.values, **walk.values, self.vec: start}
                mapped = leaf.map(Point(values, active, walk.inside))
                if mapped is None:
                    continue
                first = (number * self.partials + u) * count
                carried = accumulators[first : first + count]
                folded = leaf.fold(mapped, carried)
                if active < leaf.lanes and not self.adds_zeros:
                    folded = [
                        self._keep(n, o, active) for n, o in zip(folded, carried, strict=True)
                    ]
                accumulators[first : first + count] = folded
        return accumulators

    def _keep(self, value: SSAValue, other: SSAValue, lanes: int) -> SSAValue:
        return self.leaf.emitter.value(
            loop.KeepLanesOp.create(
                operands=[value, other],
                result_types=[other.type],
                properties={"lanes": loop.int_attr(lanes)},
            )
        )

    def _finish_rows(self, totals: Sequence[list[SSAValue]]) -> None:
        """Reduce the lanes of several adjacent results together; store the results as vectors.

        totals: for each result, its accumulators, one vector per output.
        """
        count, axis = int(self.leaf.view.tile["together"]), self.tiled[-1]
        tile: dict[str, int | str] = {"vec": axis, "lanes": count}
        group = replace(self.leaf.group, view=replace(self.leaf.view, tile=tile))
        results = Leaf(group, self.leaf.emitter)
        for first in range(0, len(self.cells), count):
            cell = self.cells[first].values
            values = {**cell, axis: cell[axis] + variable(LANE)}
            rows = zip(*totals[first : first + count], strict=True)
            combined = [
                loop.ReduceRowsOp.make(output.combiner, row)
                for output, row in zip(results.outputs, rows, strict=True)
            ]
            self._finish(results, Point(values, count), [*map(results.emitter.value, combined)])

    def _finish(self, leaf: Leaf, point: Point, combined: list[SSAValue]) -> None:
        """Emit the last steps for a result: add old values in memory, apply ``then``, and store.

        combined: the reduced value of each output.
        """
        for i, output in enumerate(leaf.outputs):
            if output.combiner != "by" and not self._starts_neutral(i):
                start = leaf.start(i, point, leaf.lanes if point.active > 1 else 1)
                combined[i] = combine(leaf.emitter, output.combiner, start, combined[i])
        for i, value in enumerate(leaf.finish(combined, point)):
            leaf.write(i, value, point)

    def _starts_neutral(self, position: int) -> bool:
        output = self.leaf.outputs[position]
        type_ = self.leaf.group.yielded()[position].type
        return output.init is not None and output.init == identity(output.combiner, type_)

    def _combine(self, lhs: list[SSAValue], rhs: list[SSAValue]) -> list[SSAValue]:
        """Combine two sets of accumulators; return the result.

        lhs, rhs: one accumulator per output.
        """
        leaf = self.leaf
        return leaf.fold(rhs, lhs)

    def _combines_lanes(self) -> bool:
        return all(output.combiner in _LANE_REDUCTIONS for output in self.leaf.outputs)

    def _across_lanes(self, vectors: list[SSAValue]) -> list[SSAValue]:
        """Reduce the lanes of each vector; return the scalars.

        vectors: one vector per output.
        """
        leaf, emitter = self.leaf, self.leaf.emitter
        if self._combines_lanes():
            return [
                emitter.value(
                    loop.ReduceOp.create(
                        operands=[vector],
                        result_types=[loop.lane_type(vector.type)],
                        properties={"kind": loop.str_attr(output.combiner)},
                    )
                )
                for vector, output in zip(vectors, leaf.outputs, strict=True)
            ]
        rows = [
            [extract(emitter, vector, lane) for vector in vectors] for lane in range(leaf.lanes)
        ]
        return tree(rows, self._combine)
