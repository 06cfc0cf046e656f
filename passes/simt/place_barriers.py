"""simt-place-barriers: make threads wait where the statements of a block exchange data.

    loop.for %k = 0 to 4 {                       loop.for %k = 0 to 4 {
                                                   simt.barrier shared
      loop.for bind threadIdx.x %t = 0 to 8 {      loop.for bind threadIdx.x %t = 0 to 8 {
        .. loop.store %v, %s[%t] .. }                .. loop.store %v, %s[%t] .. }
                                            ==>    simt.barrier shared
      loop.for bind threadIdx.x %t = 0 to 8 {      loop.for bind threadIdx.x %t = 0 to 8 {
        .. loop.load %s[%t * -1 + 7] .. }            .. loop.load %s[%t * -1 + 7] .. }
    }                                            }

A barrier is placed before a statement that conflicts with an access since the last barrier. Two
accesses conflict if they use the same buffer and one of them writes, unless the same thread makes
both or they provably use different elements. The body of a serial loop is analyzed twice, because
the end of an iteration precedes the start of the next one. A loop that conflicts with accesses
before it gets one barrier before its first iteration. A barrier inside of a loop that may have no
iterations does not count after the loop. At the end, the pass removes each barrier that the other
barriers make unnecessary.

Before: kernels with bound loops (analysis/threads/fork_join.py), whose local buffers have one part
per thread. After: no two statements between barriers exchange data. Exact: barriers compute
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.threads.fork_join import (
    BLOCK,
    block_program,
    bound_loops,
    is_block_loop,
    parts_of,
    thread_sizes,
)
from ...analysis.threads.thread_accesses import Accesses, Names, ThreadAccess, by_buffer, is_local
from ...dialects.loop import AllocOp, ForOp, StoreOp
from ...dialects.simt import BarrierOp
from ...support.affine import Index, variable
from ...support.passes import ExactPass
from .kernels import fork_join_kernels


@dataclass(frozen=True)
class PlaceBarriers(ExactPass):
    """Insert the barriers of all fork-join kernels of a module."""

    name = "simt-place-barriers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in fork_join_kernels(op):
            place_barriers(function)


def place_barriers(function: FuncOp) -> None:
    """Insert the barriers of one kernel."""
    written = {op.mem for op in function.walk() if isinstance(op, StoreOp)}
    exchanged = frozenset(buffer for buffer in written if not is_local(buffer))
    accesses = Accesses(thread_sizes(function), exchanged)
    _walk(function, accesses, is_placing=True)
    for barrier in [op for op in function.walk() if isinstance(op, BarrierOp)]:
        _drop_if_free(function, accesses, barrier)


def _walk(function: FuncOp, accesses: Accesses, *, is_placing: bool) -> bool:
    """Analyze a kernel; return whether statements exchange data without a barrier between them.

    accesses: keeps the results of earlier walks.  is_placing: whether missing barriers are
    inserted.
    """
    walk = _Walk(accesses, is_placing)
    walk.uniform += [op.variable for op in bound_loops(function, BLOCK)]
    walk.block(block_program(function), {})
    return walk.has_race


def _drop_if_free(function: FuncOp, accesses: Accesses, barrier: BarrierOp) -> None:
    """Remove a barrier if the kernel has no race without it.

    For example, a barrier at the start of a loop's body may make the barrier at its end
    unnecessary.
    accesses: keeps the results of earlier walks.
    """
    behind = barrier.next_op
    assert behind is not None, "a barrier stands before a statement"
    barrier.detach()
    if _walk(function, accesses, is_placing=False):
        Rewriter.insert_op(barrier, InsertPoint.before(behind))
    else:
        barrier.erase()


class _Walk:
    """A walk over the code of a kernel, in program order, that finds where threads must wait.

    is_placing: whether missing barriers are inserted; if not, a missing barrier only sets
    ``has_race``.
    pending: the accesses to buffers since the last barrier.
    uniform: the variables that have the same value in all threads.
    """

    def __init__(self, accesses: Accesses, is_placing: bool) -> None:
        self.accesses, self.is_placing = accesses, is_placing
        self.has_race = False
        self.pending: list[ThreadAccess] = []
        self.uniform: list[SSAValue] = []

    def block(self, block: Block, names: Names) -> None:
        """Analyze the statements and loops of a block in order.

        names: for each loop variable and id, the thread index or the value that replaces it.
        """
        for part in list(parts_of(block)):
            first = part[0]
            if isinstance(first, BarrierOp):
                self.pending = []
            elif isinstance(first, ForOp) and is_block_loop(first):
                self.loop(first, names)
            else:
                self.statement(part, names)

    def statement(self, ops: Sequence[Operation], names: Names) -> None:
        """Insert a barrier before a statement if it conflicts with a pending access.

        The accesses of the statement then are pending, too.
        names: for each loop variable and id, the thread index or the value that replaces it.
        """
        own = self.accesses.of(ops, names)
        self._wait_before(ops[0], own)
        self.pending += own

    def loop(self, op: ForOp, names: Names) -> None:
        """Analyze a serial loop; its body is analyzed for the first and for a later iteration.

        names: for each loop variable and id, the thread index or the value that replaces it.
        """
        inner = self.accesses.inside(op, names)
        runs = _runs(op)
        if self.is_placing:
            self._wait_before(op, self.accesses.of(op.body.block.ops, inner))
        before = list(self.pending)
        self.uniform.append(op.variable)
        self.block(op.body.block, inner)
        if op.variable not in inner:
            self._next_iterations(op, inner)
        self.uniform.pop()
        self._rename(op.variable, self.accesses.earlier(op.variable))
        if not runs:
            self.pending = [*before, *(a for a in self.pending if a not in before)]

    def _next_iterations(self, op: ForOp, names: Names) -> None:
        """Analyze a loop's body again, with the accesses of its previous iteration pending.

        If the body has no barrier, the accesses of all earlier iterations are pending, too.
        names: for each loop variable and id, the thread index or the value that replaces it.
        """
        self._rename(op.variable, variable(op.variable) + -1)
        self.block(op.body.block, names)
        if not _has_barrier(op.body.block):
            self._rename(op.variable, self.accesses.earlier(op.variable))
            self.block(op.body.block, names)

    def _rename(self, key: SSAValue, index: Index) -> None:
        self.pending = [self.accesses.shifted(a, key, index) for a in self.pending]

    def _wait_before(self, op: Operation, own: Sequence[ThreadAccess]) -> None:
        if self.has_race and not self.is_placing:
            return
        found = by_buffer(own)
        pairs = ((a, b) for a in self.pending for b in found.get(a.buffer, ()))
        conflicts = (a for a, b in pairs if self._conflict(a, b))
        conflicting = list(conflicts if self.is_placing else islice(conflicts, 1))
        if not conflicting:
            return
        self.has_race = True
        if not self.is_placing:
            return
        is_global = any(not isinstance(access.buffer.owner, AllocOp) for access in conflicting)
        Rewriter.insert_op(BarrierOp("global" if is_global else "shared"), InsertPoint.before(op))
        self.pending = []

    def _conflict(self, one: ThreadAccess, other: ThreadAccess) -> bool:
        """Return whether two threads may access the same element of the buffer of both accesses."""
        if not (one.is_write or other.is_write):
            return False
        if one.op is other.op and one.indices == other.indices:
            return False  # One store of one compute: its iterations are independent.
        if self.accesses.are_apart(one, other, self.uniform):
            return False
        return not self.accesses.is_same_thread(one, other)


def _runs(op: ForOp) -> bool:
    """Return whether a loop provably has an iteration."""
    bounds = op.static_bounds
    return bounds is not None and bounds[0] < bounds[1]


def _has_barrier(block: Block) -> bool:
    """Return whether every execution of a block passes a barrier."""
    return any(
        isinstance(op, BarrierOp)
        or (isinstance(op, ForOp) and _runs(op) and _has_barrier(op.body.block))
        for op in block.ops
    )
