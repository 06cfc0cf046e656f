"""Prefetches of one input of a leaf: some steps ahead, or what the leaf needs the next time.

    tile(vec = n, lanes = 16, prefetch_operand = 1, prefetch = 64)

Each load of the input asks for what lies 64 elements further on.

    loop.for %i = 0 to 7 {                      // B is the same in every iteration
      te.compute @mm [n: 32, o: 8 red, k: 16 red] ins(.., %B[o, k, n] ..)
        tile(.., prefetch_operand = 1, prefetch = 4096, prefetch_spread = 1)

The seven iterations share the work: for each block of the innermost reduced axis (16 x 32 elements,
32 cache lines), each asks for 5 other lines of the block that lies 4096 elements further on.  So
what comes next arrives at an even pace, and no iteration waits for memory alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.ir import Operation, SSAValue

from ...dialects import loop
from ...dialects.dtypes import storage_bytes
from ...dialects.te import Access, ComputeView
from ...support.affine import Index, constant, variable
from .access import element_type_of
from .emitter import LANE, Emitter

CACHE_LINE_BYTES = 64

MAX_BURST = 16
"""Lines asked for at once before a loop; more are spread over its steps."""


@dataclass(frozen=True, slots=True)
class Iterations:
    """Which of several iterations this is; all of them read the same elements of an input."""

    number: Index
    count: int


def iterations_around(op: Operation, access: Access) -> Iterations:
    """Return the loops right around an op that an access does not depend on, as one loop."""
    moving = {key for index in access.indices or () for key in index.variables()}
    number, count = constant(0), 1
    parent = op.parent_op()
    while isinstance(parent, loop.ForOp):
        bounds = parent.static_bounds
        if bounds is None or parent.is_parallel or parent.variable in moving:
            break
        number += (variable(parent.variable) - bounds[0]) * count
        count *= bounds[1] - bounds[0]
        parent = parent.parent_op()
    return Iterations(number, count)


class Prefetch:
    """What the register tile of a compute says about prefetching, and how far it was done.

    iterations: that share the work, None if each load asks for itself.
    """

    def __init__(self, view: ComputeView, lanes: int, op: Operation | None) -> None:
        tile = view.tile
        operand = tile.get("prefetch_operand")
        self.operand = operand if isinstance(operand, int) else None
        self.distance, self.level = int(tile.get("prefetch", 0)), int(tile.get("prefetch_level", 3))
        self.vector, self.lanes, self._done = tile.get("vec"), lanes, 0
        self.extents = view.axes
        self.iterations: Iterations | None = None
        if self.operand is not None and op is not None and tile.get("prefetch_spread"):
            self.iterations = iterations_around(op, view.inputs[self.operand])

    def at_load(self, emitter: Emitter, number: int, mem: SSAValue, indices: list[Index]) -> None:
        """Ask for what a vector load reads some steps later, once per cache line."""
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

    def share(self, emitter: Emitter, mem: SSAValue, indices: list[Index], lines: int) -> None:
        """Ask for this iteration's part of a block; indices: of the block's first element."""
        assert self.iterations is not None, "the work is spread"
        line = CACHE_LINE_BYTES // storage_bytes(element_type_of(mem))
        first = self.iterations.number * (lines * line) + self.distance
        for n in range(lines):
            self._ask(emitter, mem, indices, first + n * line)

    def _ask(self, emitter: Emitter, mem: SSAValue, indices: list[Index], ahead: Index) -> None:
        first = [e.without(LANE) for e in indices]
        emitter.add(loop.PrefetchOp.make(mem, [*first[:-1], first[-1] + ahead], self.level))
