"""loop-split-launches: split kernels into parts of one launch each.

    packed.call @f(%x, %y)                            %b = packed.alloc : memref<64xf32>
                                                      packed.call @f_phase0(%x, %b)
                                                      packed.call @f_phase1(%b, %y)
    func.func @f(%x, %y) {                     ==>
      %b = loop.alloc "local" ..                      func.func @f_phase0(%x, %b) {
      loop.for bind blockIdx.x %i = 0 to 8 ..           loop.for bind blockIdx.x %i = 0 to 8 ..
      loop.for bind blockIdx.x %i = 0 to 2 ..         func.func @f_phase1(%b, %y) {
                                                        loop.for bind blockIdx.x %i = 0 to 2 ..

Blocks of threads run in any order, so no part of a launch can wait for another part.  Each loop
that is bound to blocks becomes a kernel, and so does each run of statements without such loops.
Buffers that several launches use move to main, the function that calls the kernels.

Before: kernels are functions of loop ops.  After: a loop bound to blocks has a kernel of its own,
with copies of the ops that it shares with other statements.
Exact: each statement computes the same values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block

from ...analysis.threads.fork_join import BLOCK, bound_loops
from ...analysis.threads.statements import Statement
from ...machines.target_passes import TargetedPass
from ...support.passes import ExactPass
from .split_phases import split_kernels


@dataclass(frozen=True)
class SplitLaunches(TargetedPass, ExactPass):
    """Split each kernel at its loops bound to blocks, so that each such loop is one launch."""

    name = "loop-split-launches"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        split_kernels(op, self.target, launches_of)


def launches_of(_: Block, statements: Sequence[Statement]) -> list[list[Statement]] | None:
    """Group the statements of a kernel by launch; return None if no loop is bound to blocks."""
    groups: list[list[Statement]] = []
    is_grid = False
    for statement in statements:
        was_grid, is_grid = is_grid, _has_bound_loops(statement, BLOCK)
        if groups and not is_grid and not was_grid:
            groups[-1].append(statement)
        else:
            groups.append([statement])
    return groups if any(_has_bound_loops(s, BLOCK) for s in statements) else None


def _has_bound_loops(statement: Statement, level: str) -> bool:
    return any(bound_loops(op, level) for op in statement.ops)
