"""Prefetch one input of an innermost compute (leaf): for later loads, or for its next run.

    tile(vec = n, lanes = 16, prefetch_operand = 1, prefetch = 64)

Each load of the input prefetches the element that is 64 elements after it.

    loop.for %i = 0 to 5 {                      // B is the same in every iteration
      te.compute @mm [m: 13, n: 32, o: 8 red, k: 16 red] ins(.., %B[o, k, n] ..)
        tile(.., prefetch_operand = 1, prefetch = 4096, prefetch_spread = 1)
    }
    loop.for %j = 0 to 2 {                      // and in these
      te.compute @mm [m: 12, n: 32, o: 8 red, k: 16 red] ins(.., %B[o, k, n] ..) ..

The seven iterations share the prefetches of the next 4096 elements, which begin 4096 elements after
those that are read.  Each iteration prefetches a different part of them: 37 of 256 consecutive
cache lines, 5 per block of the innermost reduced axis.  The next data then arrives at an even pace,
and no single iteration waits for memory.

    loop.for %i = 0 to %trips {                 // the number of rows is known only at run time
      te.compute @mm [m: 8, n: 32, o: 8 red, k: 16 red] ins(%A[%i * 8 + m, o, k], %B[o, k, n] ..) ..

Here each of n rows prefetches 1/n of the data, or 1/48 if there are more than 48 rows: the
iteration of rows 8..15 prefetches the parts 8..15.  The next 48 rows begin again with the first
part, and most of their lines are already in the cache.  The kernel divides once, to compute the
part of a row as a fixed-point number.  The lines of an iteration are between two multiples of this
number, and a loop prefetches them.  If there are only a few tiles of rows, nothing is prefetched:
they would request more lines at once than a core can wait for, while the first tile reads the panel
as a stream, which the hardware prefetches faster.  With cold weights on Zen 4, this makes 7 x 1024
x 2816 run 1.36 times as fast, 12 rows 1.6 times, 14 rows 1.38 times, and 3 x 768 x 3072 1.4 times.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.ir import Operation, Region, SSAValue

from ...dialects import loop
from ...dialects.dtypes import storage_bytes
from ...dialects.shape import Dim
from ...dialects.te import Access, ComputeOp, ComputeView
from ...support.affine import (
    INFINITY,
    Index,
    Key,
    constant,
    divide,
    unknown_range,
    variable,
)
from .access import element_type_of
from .emitter import NO_OVERFLOW, LoopEmitter

CACHE_LINE_BYTES = 64

MAX_BURST = 16
"""The most lines prefetched at once before a loop; more are spread over its iterations."""


SHARING_ROWS = 48
"""The most rows that share the prefetches if the number of rows is known only at run time.

With a lower limit, prefetches are requested faster than memory delivers them.  If there are fewer
rows, each prefetches a larger part: 9 x 768 x 3072 with cold weights and 1/48 per row runs 0.87
times as fast as with 1/9 per row, and 12 rows also 0.87 times as fast.
"""

PARTS = 1 << 16
"""The unit of the fixed-point number of lines per row is 1/``PARTS`` of a line.

More than the square of ``SHARING_ROWS``, so that the parts of all rows end with the last line.
"""


@dataclass(frozen=True, slots=True)
class Iterations:
    """The part of an iteration in prefetches that several iterations share.

    The iterations read the same elements, and each prefetches 1/count of the elements that are read
    next.
    number: the number of the iteration's part, from 0.
    count: the number of these iterations.
    """

    number: Index
    count: int


@dataclass(frozen=True, slots=True)
class PrefetchedRows:
    """The part of an iteration in prefetches that a symbolic number of rows share.

    Each row prefetches an equal part.
    first: the first row of the iteration, modulo ``SHARING_ROWS``.
    rows: the number of rows of the iteration.
    tallest: the largest number of rows of any iteration.
    total: the number of all rows.
    """

    first: Index
    rows: int
    tallest: int
    total: Dim

    def pace(self, lines: int) -> Dim:
        """Return how many of ``lines`` cache lines each row prefetches, in 1/``PARTS`` of a line.

        Returns 0 if a tile would have to prefetch more than ``MAX_BURST`` lines, because there are
        few rows.
        """
        few = self.tallest * max(1, -(-lines // MAX_BURST) - 1)
        has_many = (self.total // (few + 1)).min(1)
        return Dim.const(lines * PARTS).ceildiv(self.total.max(1).min(SHARING_ROWS)) * has_many


Sharing: TypeAlias = Iterations | PrefetchedRows


def shared_iterations(region: Region) -> dict[Operation, Sharing]:
    """Return how loop iterations share prefetches, by compute.

    The result contains the computes in a region whose tile has ``prefetch_spread``.
    """
    tiled = [op for op in region.walk() if isinstance(op, ComputeOp) and op.tile.data]
    views: dict[Operation, ComputeView] = {
        op: op.view() for op in tiled if "prefetch_operand" in op.tile.data
    }
    return {
        op: iterations_around(op, views)
        for op in tiled
        if op in views and views[op].tile.get("prefetch_spread")
    }


def iterations_around(op: ComputeOp, views: Mapping[Operation, ComputeView]) -> Sharing:
    """Return how loop iterations share the prefetches of a compute.

    The iterations that share them read the same elements of the prefetched operand.  They belong to
    loops around the compute in which the operand is invariant, and to sibling loops whose computes
    read the same elements.  They are numbered in execution order, as if they were one loop.
    views: the computes whose tiles prefetch.
    """
    access = _prefetched(views[op])
    moving = {key for index in access.indices or () for key in index.variables()}
    number, node = constant(0), op
    while True:
        block = node.parent_block()
        assert block is not None, "a compute stands in a block"
        counts = [(other, _count(other, access, moving, views)) for other in block.ops]
        place = next(i for i, (other, _) in enumerate(counts) if other is node)
        number += sum(count for _, count in counts[:place])
        together = sum(count for _, count in counts)
        parent = block.parent_op()
        if not isinstance(parent, loop.ForOp) or (trips := _trips(parent, moving)) is None:
            rows = _rows_around(op, parent, moving, views)
            return rows or Iterations(number, together)
        number += (variable(parent.variable) - trips[0]) * together
        node = parent


def _rows_around(
    op: ComputeOp,
    parent: Operation | None,
    moving: set[Key],
    views: Mapping[Operation, ComputeView],
) -> PrefetchedRows | None:
    """Return the rows of a compute's iteration, if a serial loop runs a symbolic number of tiles.

    Returns None if there is no such loop.
    parent: the op around the compute, which may be such a loop.
    moving: the variables on which the position of the prefetched operand depends.
    views: the computes whose tiles prefetch.
    """
    if not isinstance(parent, loop.ForOp) or parent.is_parallel or parent.static_bounds is not None:
        return None
    if parent.variable in moving:
        return None
    view = views[op]
    for access in view.inputs:
        for index, total in zip(access.indices or (), access.dims, strict=False):
            if parent.variable not in set(index.variables()):
                continue
            axes = [axis for axis in view.axes if axis in set(index.variables())]
            first = index.substitute(dict.fromkeys(axes, constant(0)), unknown_range)
            number = divide("mod", first, SHARING_ROWS, unknown_range)
            return PrefetchedRows(
                number, _size(view, axes), _tallest(parent, op, axes, views), total
            )
    return None


def _tallest(
    parent: loop.ForOp, op: ComputeOp, axes: Sequence[str], views: Mapping[Operation, ComputeView]
) -> int:
    """Return the largest number of rows of a tile, in a loop and its sibling loops.

    Only computes with the label of ``op`` count.
    parent: the loop.
    op: the compute in the loop.
    axes: the axes over rows.
    views: the computes whose tiles prefetch.
    """
    block = parent.parent_block()
    assert block is not None, "a loop stands in a block"
    computes = [other for other in block.walk() if isinstance(other, ComputeOp)]
    named = [other for other in computes if other.label == op.label]
    return max(_size(views.get(other) or other.view(), axes) for other in named)


def _size(view: ComputeView, axes: Sequence[str]) -> int:
    """Return the product of a compute's extents along some axes."""
    return prod(view.extents[axis] for axis in axes)


def _prefetched(view: ComputeView) -> Access:
    return view.inputs[int(view.tile["prefetch_operand"])]


def _trips(op: loop.ForOp, moving: set[Key]) -> tuple[int, int] | None:
    """Return the bounds of a serial loop in which the prefetched operand is invariant.

    Returns None for another loop.
    moving: the variables on which the position of the operand depends.
    """
    return None if op.is_parallel or op.variable in moving else op.static_bounds


def _count(
    op: Operation, access: Access, moving: set[Key], views: Mapping[Operation, ComputeView]
) -> int:
    """Return how many iterations of computes inside an op read the elements of an access.

    moving: the variables on which the position of the access depends.
    views: the computes whose tiles prefetch.
    """
    if isinstance(op, ComputeOp):
        view = views.get(op)
        if view is None:
            return 0
        other = _prefetched(view)
        return int((other.value, other.indices) == (access.value, access.indices))
    if not isinstance(op, loop.ForOp) or (trips := _trips(op, moving)) is None:
        return 0
    return (trips[1] - trips[0]) * sum(_count(o, access, moving, views) for o in op.body.block.ops)


@dataclass(frozen=True, slots=True)
class PrefetchedBlock:
    """A block of the prefetched input: the elements that the loops over ``axes`` read.

    number: the number of the block, in the order in which the outer loops read blocks.
    axes: the reduced axes inside the block.
    all_axes: all reduced axes on which the input depends.
    """

    number: Index
    axes: Sequence[str]
    all_axes: Sequence[str]


class Prefetch:
    """The prefetch parameters of a register tile, and the number of loads so far.

    view: the compute, whose tile has the parameters.
    lanes: the number of lanes of a vector.
    iterations: how loop iterations share the prefetches; None if each load prefetches at a fixed
    distance instead.
    covered: the reduced axes inside an instruction, which reads several elements per lane.
    """

    def __init__(
        self,
        view: ComputeView,
        lanes: int,
        iterations: Sharing | None,
        covered: Sequence[str] = (),
    ) -> None:
        tile = view.tile
        operand = tile.get("prefetch_operand")
        self.operand = operand if isinstance(operand, int) else None
        self.distance, self.level = int(tile.get("prefetch", 0)), int(tile.get("prefetch_level", 3))
        self.vector, self.lanes, self._done = tile.get("vec"), lanes, 0
        self.extents, self._per_lane = view.extents, prod(view.extents[a] for a in covered)
        self.iterations = iterations

    def has_loads_of(self, number: int) -> bool:
        """Return whether prefetches belong to the vector loads of an input, by its position."""
        return number == self.operand and self.iterations is None

    def at_load(
        self, emitter: LoopEmitter, number: int, mem: SSAValue, indices: list[Index]
    ) -> None:
        """Emit the prefetch that belongs to a vector load, once per cache line.

        It does nothing for inputs that are not prefetched, or if iterations share the prefetches.
        number: the position of the input.
        mem: the buffer.
        indices: the indices of the first lane.
        """
        if not self.has_loads_of(number):
            return
        vector_bytes = self.lanes * self._per_lane * storage_bytes(element_type_of(mem))
        if self._done % max(1, CACHE_LINE_BYTES // vector_bytes) == 0:
            self._ask(emitter, mem, indices, constant(self.distance))
        self._done += 1

    def is_at(self, mem: SSAValue, axes: Sequence[str], innermost: Sequence[str]) -> bool:
        """Return whether shared prefetches are emitted at the current point of the reduction.

        They are emitted before the innermost loop, or inside it if an iteration would otherwise
        have too many lines to prefetch at once.  If rows share them, they are always emitted before
        this loop.
        mem: the buffer.
        axes: the reduced axes of the loops inside the current point.
        innermost: the innermost reduced axis, as a list.
        """
        if isinstance(self.iterations, PrefetchedRows):
            return bool(axes)
        return bool(axes) is not (self._burst(mem, innermost) > MAX_BURST)

    def _burst(self, mem: SSAValue, axes: Sequence[str]) -> int:
        """Return how many cache lines of a block each iteration prefetches.

        mem: the buffer.
        axes: the reduced axes inside the block.
        """
        assert isinstance(self.iterations, Iterations), "the number of iterations is known"
        return -(-self._lines(mem, axes) // self.iterations.count)

    def _lines(self, mem: SSAValue, axes: Sequence[str]) -> int:
        """Return how many cache lines of a buffer the tile reads along reduced axes.

        mem: the buffer.
        axes: the axes.
        """
        elements = prod(self.extents[a] for a in (*axes, str(self.vector))) * self._per_lane
        return -(-elements * storage_bytes(element_type_of(mem)) // CACHE_LINE_BYTES)

    def share(
        self, emitter: LoopEmitter, mem: SSAValue, indices: list[Index], block: PrefetchedBlock
    ) -> None:
        """Emit this iteration's part of the prefetches of a block.

        mem: the buffer.
        indices: the indices of the first element that the compute reads.
        """
        line = CACHE_LINE_BYTES // storage_bytes(element_type_of(mem))

        def ask(number: Index, _carried: object = ()) -> tuple[()]:
            self._ask(emitter, mem, indices, number * line + self.distance)
            return ()

        if isinstance(self.iterations, PrefetchedRows):
            lines = self._lines(mem, block.axes)
            start, stop = self._part_of_rows(emitter, lines)
            start, stop = (block.number * lines + end for end in (start, stop))
            emitter.loop([start], [stop], (0, INFINITY), (), ask)
            return
        assert self.iterations is not None, "the work is spread"
        burst = self._burst(mem, block.axes)
        first = self.iterations.number * self._burst(mem, block.all_axes) + block.number * burst
        for n in range(burst):
            ask(first + n)

    def begin(self, emitter: LoopEmitter, mem: SSAValue, innermost: Sequence[str]) -> None:
        """Emit, before all loops over reduced axes, values that the prefetches of each block use.

        mem: the buffer.
        innermost: the reduced axes inside a block.
        """
        if isinstance(self.iterations, PrefetchedRows):
            self._part_of_rows(emitter, self._lines(mem, innermost))

    def _part_of_rows(self, emitter: LoopEmitter, lines: int) -> tuple[Index, Index]:
        """Return the lines of a block that this iteration prefetches: the first one, and the end.

        lines: the number of lines of the block.
        """
        rows = self.iterations
        assert isinstance(rows, PrefetchedRows), "the number of rows is symbolic"
        pace = emitter.extent(rows.pace(lines))
        stop = rows.first + rows.rows
        return _line(emitter, rows.first, pace, lines), _line(emitter, stop, pace, lines)

    def _ask(self, emitter: LoopEmitter, mem: SSAValue, indices: list[Index], ahead: Index) -> None:
        emitter.add(loop.PrefetchOp.make(mem, [*indices[:-1], indices[-1] + ahead], self.level))


def _line(emitter: LoopEmitter, row: Index, pace: Index, lines: int) -> Index:
    """Emit the computation of the line of a block at which the part of a row begins.

    It is emitted once per scope.  Returns the line.
    row: the number of the row.
    pace: the lines that a row prefetches, in units of 1/``PARTS`` line.
    lines: the number of lines of the block.
    """
    memo, key = emitter.scope.memo, ("line", row, pace)
    if key not in memo:
        factors = [emitter.value(loop.IndexOp.make(index)) for index in (row, pace)]
        product = arith.MuliOp.create(
            operands=factors, result_types=[factors[0].type], properties=dict(NO_OVERFLOW)
        )
        parts = emitter.value(product)
        bounds = emitter.ranges[parts] = (0, 2 * lines * PARTS)
        line = divide("floordiv", variable(parts), PARTS, lambda _: bounds)
        memo[key] = emitter.value(loop.IndexOp.make(line))
        emitter.ranges[memo[key]] = (0, 2 * lines)
    return variable(memo[key])
