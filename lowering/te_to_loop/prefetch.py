"""Prefetches of one input of a leaf: some steps ahead, or what the leaf needs the next time.

    tile(vec = n, lanes = 16, prefetch_operand = 1, prefetch = 64)

Each load of the input asks for what lies 64 elements further on.

    loop.for %i = 0 to 5 {                      // B is the same in every iteration
      te.compute @mm [m: 13, n: 32, o: 8 red, k: 16 red] ins(.., %B[o, k, n] ..)
        tile(.., prefetch_operand = 1, prefetch = 4096, prefetch_spread = 1)
    }
    loop.for %j = 0 to 2 {                      // and here
      te.compute @mm [m: 12, n: 32, o: 8 red, k: 16 red] ins(.., %B[o, k, n] ..) ..

The seven iterations share the work: each asks for its own part of the 4096 elements that lie 4096
further on, 37 of 256 cache lines in a row, 5 for each block of the innermost reduced axis.  So what
comes next arrives at an even pace, and no iteration waits for memory alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.ir import Operation, Region, SSAValue

from ...dialects import loop
from ...dialects.dtypes import storage_bytes
from ...dialects.te import Access, ComputeOp, ComputeView
from ...support.affine import Index, Key, constant, variable
from .access import element_type_of
from .emitter import Emitter

CACHE_LINE_BYTES = 64

MAX_BURST = 16
"""Lines asked for at once before a loop; more are spread over its steps."""


@dataclass(frozen=True, slots=True)
class Iterations:
    """Which of several iterations this is; all of them read the same elements of an input."""

    number: Index
    count: int


def shared_iterations(region: Region) -> dict[Operation, Iterations]:
    """For each compute of a kernel whose tile spreads prefetches: who shares them."""
    return {
        op: iterations_around(op)
        for op in region.walk()
        if isinstance(op, ComputeOp) and op.view().tile.get("prefetch_spread")
    }


def iterations_around(op: ComputeOp) -> Iterations:
    """Return the iterations that read what a compute's prefetched operand is, as one loop.

    Those of the loops around it that the operand does not move in, and of loops beside these that
    lead to computes which read the same, in the order in which they run.
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
            return Iterations(number, together)
        number += (variable(parent.variable) - trips[0]) * together
        node = parent


def _prefetched(op: ComputeOp) -> Access:
    view = op.view()
    return view.inputs[int(view.tile["prefetch_operand"])]


def _trips(op: loop.ForOp, moving: set[Key]) -> tuple[int, int] | None:
    """Return the bounds of a loop in which nothing moves, None of any other."""
    return None if op.is_parallel or op.variable in moving else op.static_bounds


def _count(op: Operation, access: Access, moving: set[Key]) -> int:
    """Return how often computes in an op read what an access does."""
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
    """One of the blocks that the reduced axes are walked in.

    number: which of them.  lines: to ask for in it.  all_axes: reduced axes of the input.
    """

    number: Index
    lines: int
    all_axes: Sequence[str]


class Prefetch:
    """What the register tile of a compute says about prefetching, and how far it was done.

    iterations: that share the work, None if each load asks for itself.
    """

    def __init__(self, view: ComputeView, lanes: int, iterations: Iterations | None) -> None:
        tile = view.tile
        operand = tile.get("prefetch_operand")
        self.operand = operand if isinstance(operand, int) else None
        self.distance, self.level = int(tile.get("prefetch", 0)), int(tile.get("prefetch_level", 3))
        self.vector, self.lanes, self._done = tile.get("vec"), lanes, 0
        self.extents = view.axes
        self.iterations = iterations

    def at_load(self, emitter: Emitter, number: int, mem: SSAValue, indices: list[Index]) -> None:
        """Ask for what a vector load reads some steps later, once per cache line.

        indices: of its first lane, so that lanes that lie unevenly apart have an address too.
        """
        if number != self.operand or self.iterations is not None:
            return
        vector_bytes = self.lanes * storage_bytes(element_type_of(mem))
        if self._done % max(1, CACHE_LINE_BYTES // vector_bytes) == 0:
            self._ask(emitter, mem, indices, constant(self.distance))
        self._done += 1

    def burst(self, mem: SSAValue, axes: Sequence[str]) -> int:
        """Return how many lines each iteration asks for per block of some axes; 0: none."""
        if self.iterations is None:
            return 0
        elements = prod(self.extents[a] for a in (*axes, str(self.vector)))
        lines = -(-elements * storage_bytes(element_type_of(mem)) // CACHE_LINE_BYTES)
        return -(-lines // self.iterations.count)

    def share(self, emitter: Emitter, mem: SSAValue, indices: list[Index], block: Block) -> None:
        """Ask for some lines of this iteration's part.

        indices: of the first element that the compute reads.
        """
        assert self.iterations is not None, "the work is spread"
        line = CACHE_LINE_BYTES // storage_bytes(element_type_of(mem))
        part = self.burst(mem, block.all_axes)
        first = self.iterations.number * (part * line) + block.number * (block.lines * line)
        for n in range(block.lines):
            self._ask(emitter, mem, indices, first + (self.distance + n * line))

    def _ask(self, emitter: Emitter, mem: SSAValue, indices: list[Index], ahead: Index) -> None:
        emitter.add(loop.PrefetchOp.make(mem, [*indices[:-1], indices[-1] + ahead], self.level))
