"""simt-branch-single-trips: loops of at most one iteration become branches.

    loop.for %f = %k + 2 to min(64, %k + 3) {       %f = loop.index [%k + 2]
      simt.async_copy { .. %f .. } }           ==>  %end = loop.index [64]
                                                    %runs = loop.cmp "slt" %f, %end
                                                    loop.if %runs {
                                                      simt.async_copy { .. %f .. } }

``sched.double_buffer`` fills the buffer of a later iteration in such a loop, which is a guard for
the last iterations. The compiler of the device code would not see that there is at most one
iteration, and would unroll the loop with the copies in it.

Before: mapped kernels.  After: no loop without results has bounds that prove at most one iteration.
Exact: the same operations on the same values.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Region
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.loop import CompareOp, ForOp, IfOp, IndexOp, YieldOp
from ...support.blocks import take_body
from .kernels import mapped_kernels


@dataclass(frozen=True)
class BranchSingleTrips(ModulePass):
    """Turn loops of at most one iteration into branches in all mapped kernels of a module."""

    name = "simt-branch-single-trips"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in mapped_kernels(op):
            branch_single_trips(function)


def branch_single_trips(function: FuncOp) -> None:
    """Turn loops of at most one iteration into branches in one kernel."""
    for op in list(function.walk()):
        if isinstance(op, ForOp) and has_single_trip(op):
            _branch(op)


def has_single_trip(op: ForOp) -> bool:
    """Return whether the bounds of a loop prove that it has at most one iteration."""
    lows, highs = op.bounds()
    distances = [high - lows[0] for high in highs]
    return (
        not op.results
        and len(lows) == 1
        and any(each.is_constant and each.const <= 1 for each in distances)
    )


def _branch(op: ForOp) -> None:
    """Replace a loop by its body, in a branch for each upper bound that may exclude it."""
    (low,), highs = op.bounds()
    first = IndexOp.make(low)
    first.res.name_hint = op.variable.name_hint
    op.variable.replace_all_uses_with(first.res)
    made = take_body(op.body.block)
    for high in highs:
        if (high - low).is_constant and (high - low).const > 0:
            continue
        end = IndexOp.make(high)
        test = CompareOp.make("slt", first.res, end.res)
        branch = IfOp(operands=[test.res], regions=[Region(Block([*made, YieldOp.create()]))])
        made = [end, test, branch]
    Rewriter.insert_op([first, *made], InsertPoint.before(op))
    Rewriter.erase_op(op)
