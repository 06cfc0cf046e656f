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

Here each row prefetches a 48th part, the iteration of rows 8..15 the parts 8..15; the next 48 rows
begin again, and find most lines in the cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.ir import Operation, Region, SSAValue

from ...dialects import loop
from ...dialects.dtypes import storage_bytes
from ...dialects.te import Access, ComputeOp, ComputeView
from ...support.affine import Index, Key, constant, divide, unknown_range, variable
from .access import element_type_of
from .emitter import Emitter

CACHE_LINE_BYTES = 64

MAX_BURST = 16
"""Most lines prefetched at once before a loop; more are spread over its iterations."""


SHARING_ROWS = 48
"""Rows that share the prefetches if their number is known only at run time.

With more, few rows prefetch too little of the next data; with less, it comes faster than memory
delivers.
"""


@dataclass(frozen=True, slots=True)
class Iterations:
    """The parts of this iteration, ``parts`` from ``number`` on, among ``count`` equal ones.

    Iterations that read the same elements of an input have one part each; with a symbolic number of
    them, each row of an iteration has one.
    """

    number: Index
    count: int
    parts: int = 1


def shared_iterations(region: Region) -> dict[Operation, Iterations]:
    """Return the iterations that share prefetches, by compute whose tile spreads them."""
    return {
        op: iterations_around(op)
        for op in region.walk()
        if isinstance(op, ComputeOp) and op.view().tile.get("prefetch_spread")
    }


def iterations_around(op: ComputeOp) -> Iterations:
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


def _rows_around(op: ComputeOp, parent: Operation | None, moving: set[Key]) -> Iterations | None:
    """Return the parts of a compute's rows, if a serial loop runs a symbolic number of tiles."""
    if not isinstance(parent, loop.ForOp) or parent.is_parallel or parent.static_bounds is not None:
        return None
    if parent.variable in moving:
        return None
    view = op.view()
    indices = [e for access in view.inputs for e in access.indices or ()]
    row = next((e for e in indices if parent.variable in set(e.variables())), None)
    if row is None:
        return None
    axes = [axis for axis in view.axes if axis in set(row.variables())]
    first = row.substitute(dict.fromkeys(axes, constant(0)), unknown_range)
    number = divide("mod", first, SHARING_ROWS, unknown_range)
    return Iterations(number, SHARING_ROWS, prod(view.extents[axis] for axis in axes))


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

    number: position of the block.  lines: cache lines to prefetch in the block.  all_axes: reduced
    axes of the input.
    """

    number: Index
    lines: int
    all_axes: Sequence[str]


class Prefetch:
    """The prefetch parameters of a compute's register tile, and the number of loads so far.

    iterations: that share the prefetches; None if each load prefetches at a fixed distance.
    """

    def __init__(self, view: ComputeView, lanes: int, iterations: Iterations | None) -> None:
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

    def burst(self, mem: SSAValue, axes: Sequence[str]) -> int:
        """Return the number of lines that each iteration prefetches per block of some axes."""
        if self.iterations is None:
            return 0
        return -(-self._lines(mem, axes) * self.iterations.parts // self.iterations.count)

    def _lines(self, mem: SSAValue, axes: Sequence[str]) -> int:
        """Return the cache lines of a block of some axes."""
        elements = prod(self.extents[a] for a in (*axes, str(self.vector)))
        return -(-elements * storage_bytes(element_type_of(mem)) // CACHE_LINE_BYTES)

    def share(self, emitter: Emitter, mem: SSAValue, indices: list[Index], block: Block) -> None:
        """Prefetch a block's lines of this iteration's part.

        indices: indices of the first element that the compute reads.
        """
        assert self.iterations is not None, "the work is spread"
        line = CACHE_LINE_BYTES // storage_bytes(element_type_of(mem))
        part = -(-self._lines(mem, block.all_axes) // self.iterations.count)
        first = self.iterations.number * (part * line) + block.number * (block.lines * line)
        for n in range(block.lines):
            self._ask(emitter, mem, indices, first + (self.distance + n * line))

    def _ask(self, emitter: Emitter, mem: SSAValue, indices: list[Index], ahead: Index) -> None:
        emitter.add(loop.PrefetchOp.make(mem, [*indices[:-1], indices[-1] + ahead], self.level))
