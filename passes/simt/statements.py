"""Straight-line statements of kernels with loops bound to threads, and new bound loops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.threads.fork_join import (
    THREAD,
    block_program,
    bound_loops,
    is_block_loop,
    parts_of,
    thread_of,
)
from ...dialects.loop import (
    ForOp,
    LoadOp,
    ReduceOp,
    StoreOp,
    YieldOp,
    make_loop_body,
    str_attr,
)
from ...dialects.simt import BarrierOp
from ...support.affine import Index, constant


@dataclass(frozen=True)
class ThreadStatement:
    """Straight-line ops in loops that are bound to threads, outermost loop first.

    Without loops, one thread runs the ops.
    """

    loops: Sequence[ForOp]
    ops: Sequence[Operation]

    @property
    def names(self) -> list[str]:
        """The thread indices that the loops are bound to, such as threadIdx.x."""
        return [thread_of(op) for op in self.loops]

    @property
    def reductions(self) -> list[ReduceOp]:
        """The loop.reduce ops of the statement."""
        return [op for op in self.ops if isinstance(op, ReduceOp)]

    @property
    def loads(self) -> list[LoadOp]:
        """The loads of the statement."""
        return [op for op in self.ops if isinstance(op, LoadOp)]

    @property
    def stores(self) -> list[StoreOp]:
        """The stores of the statement."""
        return [op for op in self.ops if isinstance(op, StoreOp)]

    @property
    def first(self) -> Operation:
        """The outermost loop of the statement; without loops, its first op."""
        return self.loops[0] if self.loops else self.ops[0]


def statements_of(function: FuncOp) -> list[ThreadStatement]:
    """Return the statements of a kernel, in order, that have no inner loops and branches."""
    return _statements(block_program(function))


def _statements(block: Block) -> list[ThreadStatement]:
    found: list[ThreadStatement] = []
    for part in parts_of(block):
        first = part[0]
        if isinstance(first, ForOp) and is_block_loop(first):
            found += _statements(first.body.block)
        elif not isinstance(first, BarrierOp):
            loops: list[ForOp] = []
            ops = list(part)
            while inner := [op for op in ops if bound_loops(op, THREAD)]:
                loops.append(cast(ForOp, inner[0]))
                ops = [op for op in loops[-1].body.block.ops if not isinstance(op, YieldOp)]
            if not any(op.regions for op in ops):
                found.append(ThreadStatement(loops, ops))
    return found


def bound_loop(name: str, ends: Sequence[Index]) -> ForOp:
    """Return an empty loop from 0 that is bound to the thread index ``name``.

    ends: its upper bounds, of which the least applies.
    """
    made = ForOp.make([constant(0)], ends, Region(make_loop_body()))
    made.properties["thread"] = str_attr(name)
    return made


def wrap(ops: Sequence[Operation], name: str, ends: Sequence[Index]) -> ForOp:
    """Move ops of one block into a new loop at the position of the last op; return the loop.

    name: the thread index to which the loop is bound.  ends: its upper bounds.
    """
    made = bound_loop(name, ends)
    Rewriter.insert_op(made, InsertPoint.before(ops[-1]))
    for op in ops:
        op.detach()
    made.body.block.add_ops([*ops, YieldOp.create()])
    return made
