"""Prefetches of one input of a leaf: at a fixed distance, or for the leaf's next execution.

    tile(vec = n, lanes = 16, prefetch_operand = 1, prefetch = 64)

Each load of the input prefetches the element 64 elements further on.

    loop.for %i = 0 to 5 {                      // B is the same in every iteration
      te.compute @mm [m: 13, n: 32, o: 8 red, k: 16 red] ins(.., %B[o, k, n] ..)
        tile(.., prefetch_operand = 1, prefetch = 4096, prefetch_spread = 1)
    }
    loop.for %j = 0 to 2 {                      // and in these
      te.compute @mm [m: 12, n: 32, o: 8 red, k: 16 red] ins(.., %B[o, k, n] ..) ..

The seven iterations share the prefetches: each prefetches its own part of the 4096 elements that
lie 4096 further on, 37 of 256 consecutive cache lines, 5 per block of the innermost reduced axis.
The next data then arrives at an even pace, and no single iteration waits for memory.

    loop.for %i = 0 to %trips {                 // the number of rows is known only at run time
      te.compute @mm [m: 8, n: 32, o: 8 red, k: 16 red] ins(%A[%i * 8 + m, o, k], %B[o, k, n] ..) ..

Here each of n rows prefetches an n-th part, or a 48th one of more rows: the iteration of rows 8..15
prefetches the parts 8..15, and the next 48 rows begin again, and find most lines in the cache.  The
number of lines is a run-time value, so a loop prefetches them.  A single tile of rows prefetches
nothing: it reads each panel once, as a stream that the hardware prefetches better (3 x 768 x 3072
with cold weights 1.4 times as fast, 7 x 3072 x 768 1.2 times).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.ir import Operation, Region, SSAValue

from ...dialects import loop
from ...dialects.dtypes import storage_bytes
from ...dialects.shape import Dim, Extent, extent_of
from ...dialects.te import Access, ComputeOp, ComputeView
from ...support.affine import Index, Key, Range, constant, divide, unknown_range, variable
from .access import element_type_of
from .emitter import Emitter

CACHE_LINE_BYTES = 64

MAX_BURST = 16
"""Most lines prefetched at once before a loop; more are spread over its iterations."""


SHARING_ROWS = 48
"""Rows that share the prefetches if their number is known only at run time.

With less, the next data comes faster than memory delivers.  Fewer rows share among themselves:
9 x 768 x 3072 with cold weights in 1/48 per row 0.87 times as fast as in 1/9, 12 rows 0.87.
"""


@dataclass(frozen=True, slots=True)
class Iterations:
    """Part ``number`` of this iteration, among ``count`` equal ones of iterations.

    They read the same elements of an input.
    """

    number: Index
    count: int


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of this iteration, ``rows`` from ``first`` on, among a symbolic number of them.

    first: modulo ``SHARING_ROWS``.  tallest: the most rows of an iteration.
    """

    first: Index
    rows: int
    tallest: int
    total: Dim

    @property
    def sharing(self) -> Dim:
        """The number of rows that share the prefetches."""
        return self.total.max(1).min(SHARING_ROWS)

    def lines_of(self, lines: int) -> Dim:
        """Return how many of some lines these rows prefetch; none if they are the only tile."""
        has_several = (self.total // (self.tallest + 1)).min(1)
        return Dim.const(lines * self.rows).ceildiv(self.sharing) * has_several


Sharing: TypeAlias = Iterations | Rows


def shared_iterations(region: Region) -> dict[Operation, Sharing]:
    """Return the iterations that share prefetches, by compute whose tile spreads them."""
    return {
        op: iterations_around(op)
        for op in region.walk()
        if isinstance(op, ComputeOp) and op.view().tile.get("prefetch_spread")
    }


def iterations_around(op: ComputeOp) -> Sharing:
    """Return the iterations that read the elements of a compute's prefetched operand, as one loop.

    They belong to the surrounding loops in which the operand is invariant, and to sibling loops
    whose computes read the same elements, in execution order.
    """
    access = _prefetched(op)
    moving = {key for index in access.indices or () for key in index.variables()}
    number, node = constant(0), op
    while True:
        block = node.parent_block()
        assert block is not None, "a compute stands in a block"
        counts = [(other, _count(other, access, moving)) for other in block.ops]
        place = next(i for i, (other, _) in enumerate(counts) if other is node)
        number += sum(count for _, count in counts[:place])
        together = sum(count for _, count in counts)
        parent = block.parent_op()
        if not isinstance(parent, loop.ForOp) or (trips := _trips(parent, moving)) is None:
            return _rows_around(op, parent, moving) or Iterations(number, together)
        number += (variable(parent.variable) - trips[0]) * together
        node = parent


def _rows_around(op: ComputeOp, parent: Operation | None, moving: set[Key]) -> Rows | None:
    """Return the rows of a compute, if a serial loop runs a symbolic number of tiles."""
    if not isinstance(parent, loop.ForOp) or parent.is_parallel or parent.static_bounds is not None:
        return None
    if parent.variable in moving:
        return None
    for access in op.view().inputs:
        for index, total in zip(access.indices or (), access.dims, strict=False):
            if parent.variable not in set(index.variables()):
                continue
            axes = [axis for axis in op.view().axes if axis in set(index.variables())]
            first = index.substitute(dict.fromkeys(axes, constant(0)), unknown_range)
            number = divide("mod", first, SHARING_ROWS, unknown_range)
            return Rows(number, _size(op, axes), _tallest(parent, op, axes), total)
    return None


def _tallest(parent: loop.ForOp, op: ComputeOp, axes: Sequence[str]) -> int:
    """Return the most rows of the computes in the loops next to the one of a compute."""
    block = parent.parent_block()
    assert block is not None, "a loop stands in a block"
    computes = [other for other in block.walk() if isinstance(other, ComputeOp)]
    return max(_size(other, axes) for other in computes if other.label == op.label)


def _size(op: ComputeOp, axes: Sequence[str]) -> int:
    """Return the positions of a compute on some axes."""
    return prod(op.view().extents[axis] for axis in axes)


def _prefetched(op: ComputeOp) -> Access:
    view = op.view()
    return view.inputs[int(view.tile["prefetch_operand"])]


def _trips(op: loop.ForOp, moving: set[Key]) -> tuple[int, int] | None:
    """Return the bounds of a serial loop in which the access is invariant, else None."""
    return None if op.is_parallel or op.variable in moving else op.static_bounds


def _count(op: Operation, access: Access, moving: set[Key]) -> int:
    """Return how often computes in an op read the elements of an access."""
    if isinstance(op, ComputeOp):
        if "prefetch_operand" not in op.view().tile:
            return 0
        other = _prefetched(op)
        return int((other.value, other.indices) == (access.value, access.indices))
    if not isinstance(op, loop.ForOp) or (trips := _trips(op, moving)) is None:
        return 0
    return (trips[1] - trips[0]) * sum(_count(o, access, moving) for o in op.body.block.ops)


@dataclass(frozen=True, slots=True)
class Block:
    """One block of the loops over the reduced axes.

    number: position of the block.  lines: cache lines to prefetch in the block.  axes: reduced axes
    in the block.  all_axes: reduced axes of the input.
    """

    number: Index
    lines: Extent
    axes: Sequence[str]
    all_axes: Sequence[str]


class Prefetch:
    """The prefetch parameters of a compute's register tile, and the number of loads so far.

    iterations: that share the prefetches; None if each load prefetches at a fixed distance.
    """

    def __init__(self, view: ComputeView, lanes: int, iterations: Sharing | None) -> None:
        tile = view.tile
        operand = tile.get("prefetch_operand")
        self.operand = operand if isinstance(operand, int) else None
        self.distance, self.level = int(tile.get("prefetch", 0)), int(tile.get("prefetch_level", 3))
        self.vector, self.lanes, self._done = tile.get("vec"), lanes, 0
        self.extents = view.extents
        self.iterations = iterations

    def at_load(self, emitter: Emitter, number: int, mem: SSAValue, indices: list[Index]) -> None:
        """Prefetch the address of a vector load at the prefetch distance, once per cache line.

        indices: indices of the first lane, so that lanes without a constant stride have an address
        too.
        """
        if number != self.operand or self.iterations is not None:
            return
        vector_bytes = self.lanes * storage_bytes(element_type_of(mem))
        if self._done % max(1, CACHE_LINE_BYTES // vector_bytes) == 0:
            self._ask(emitter, mem, indices, constant(self.distance))
        self._done += 1

    def burst(self, mem: SSAValue, axes: Sequence[str]) -> Extent:
        """Return the number of lines that each iteration prefetches per block of some axes."""
        lines = self._lines(mem, axes)
        match self.iterations:
            case Rows():
                return extent_of(self.iterations.lines_of(lines))
            case Iterations():
                return -(-lines // self.iterations.count)
            case None:
                return 0

    def _lines(self, mem: SSAValue, axes: Sequence[str]) -> int:
        """Return the cache lines of a block of some axes."""
        elements = prod(self.extents[a] for a in (*axes, str(self.vector)))
        return -(-elements * storage_bytes(element_type_of(mem)) // CACHE_LINE_BYTES)

    def share(self, emitter: Emitter, mem: SSAValue, indices: list[Index], block: Block) -> None:
        """Prefetch a block's lines of this iteration's part.

        indices: indices of the first element that the compute reads.
        """
        line = CACHE_LINE_BYTES // storage_bytes(element_type_of(mem))
        first = self._first_line(emitter, mem, block)

        def ask(number: Index, _carried: object = ()) -> tuple[()]:
            self._ask(emitter, mem, indices, (first + number) * line + self.distance)
            return ()

        if isinstance(block.lines, int):
            for n in range(block.lines):
                ask(constant(n))
            return
        most = self._lines(mem, block.axes)
        emitter.loop([constant(0)], [emitter.extent(block.lines)], (0, most), (), ask)

    def _first_line(self, emitter: Emitter, mem: SSAValue, block: Block) -> Index:
        """Return the first line that this iteration prefetches in a block."""
        if isinstance(self.iterations, Rows):
            lines = self._lines(mem, block.axes)
            sharing = emitter.extent(extent_of(self.iterations.sharing))
            first = quotient(emitter, self.iterations.first * lines, sharing, (0, lines))
            return block.number * lines + first
        assert self.iterations is not None, "the work is spread"
        assert isinstance(block.lines, int), "the number of iterations is known"
        part = -(-self._lines(mem, block.all_axes) // self.iterations.count)
        return self.iterations.number * part + block.number * block.lines

    def _ask(self, emitter: Emitter, mem: SSAValue, indices: list[Index], ahead: Index) -> None:
        emitter.add(loop.PrefetchOp.make(mem, [*indices[:-1], indices[-1] + ahead], self.level))


def quotient(emitter: Emitter, lhs: Index, rhs: Index, bounds: Range) -> Index:
    """Return the quotient of two run-time values; ``bounds``: its least and greatest value."""
    operands = [emitter.value(loop.IndexOp.make(index)) for index in (lhs, rhs)]
    result = emitter.value(arith.DivUIOp.create(operands=operands, result_types=[operands[0].type]))
    emitter.ranges[result] = bounds
    return variable(result)
