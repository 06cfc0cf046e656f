"""c-plan: write the schedules of kernels for C source: rows of several computes in common loops.

    softmax: max, exp, sum, div over [row, column]
==>
    loop.for %row { max over %column; exp over %column; sum over %column; div over %column }

A kernel of one compute keeps the loops of its axes, in their order.  Several computes share the
loops of all axes that they can share (analysis/patterns/sharing.py), so that a buffer between two
of them holds one row.  Nothing is tiled or vectorized: a person reads these loops, and the C
compiler unrolls them for its processor.

Before: te-bufferize and te-deduplicate ran.  After: each kernel of several computes that share
loops has a script.  Exact: kernels are unchanged.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...analysis.patterns.sharing import are_independent, share_axes
from ...dialects.sched import FuseIntoOp, ScriptBuilder, ScriptOp, TileOp
from ...dialects.te import ComputeOp, KernelOp, TensorOp, kernels_of
from ...support.passes import ExactPass


@dataclass(frozen=True)
class CPlan(ExactPass):
    """Write the schedules of the kernels whose computes share loops."""

    name = "c-plan"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        scripted = {o.kernel_name for o in op.ops if isinstance(o, ScriptOp)}
        for kernel in kernels_of(op):
            if kernel.label not in scripted:
                op.body.block.insert_op_after(plan_kernel(kernel), kernel)


def plan_kernel(kernel: KernelOp) -> ScriptOp:
    """Return the schedule of one kernel; without steps if its computes share no loop."""
    script = ScriptBuilder(kernel.label)
    ops = [op for op in kernel.body.walk() if isinstance(op, TensorOp)]
    computes = [op for op in ops if isinstance(op, ComputeOp)]
    if len(computes) < max(2, len(ops)) or are_independent([op.view() for op in computes]):
        return script.build()
    shared = share_axes(computes).root_axes
    if shared:
        last = script.match(computes[-1].label)
        loop = script.add(TileOp, last, params={}, by_axis=dict.fromkeys(shared, 1))[-1]
        for op in reversed(computes[:-1]):
            script.add(FuseIntoOp, script.match(op.label), loop, params={})
    return script.build()


__all__ = ["CPlan", "plan_kernel"]
