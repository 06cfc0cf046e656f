"""cpu-plan: write the schedule of every kernel from the target's numbers, without measurements.

In: kernels in buffer form.  Out: one sched.script per kernel, next to it in the module.  The rules
R1-R28 and their reasons are in tiles.py, product.py, convolution.py, transposed_result.py,
pointwise.py and contiguous.py.

Before: te-bufferize and te-deduplicate ran.  After: each kernel has a script.  Exact: kernels are
unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ....analysis.attention import find_attention
from ....analysis.sharing import share_axes
from ....dialects.sched import ScriptOp
from ....dialects.te import ComputeOp, ComputeView, IrregularOp, KernelOp, TensorOp, kernels_of
from ....dialects.te.role import Border, JoinsReader, Transform
from ....support.passes import ExactPass, TargetedPass
from ....support.target import Target
from .attention import plan_attention
from .convolution import Adjust, keep
from .expansion import plan_expansion
from .irregular import plan_irregular
from .pointwise import plan_halos, plan_rows
from .script import Script
from .single import lanes_of, plan_elementwise, plan_single, widths_of
from .winograd import plan_winograd


@dataclass(frozen=True)
class CpuPlan(TargetedPass, ExactPass):
    """Write the schedule of every kernel."""

    name = "cpu-plan"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        scripted = {o.kernel_name for o in op.ops if isinstance(o, ScriptOp)}
        for kernel in kernels_of(op):
            if kernel.label not in scripted:
                op.body.block.insert_op_after(plan_kernel(kernel, self.target), kernel)


def plan_kernel(kernel: KernelOp, target: Target, adjust: Adjust = keep) -> ScriptOp:
    """Return the schedule of one kernel in buffer form.

    adjust: replaces the plan of a direct convolution; for searches.
    """
    script = Script(kernel.label)
    ops = [op for op in kernel.body.walk() if isinstance(op, TensorOp)]
    if len(ops) == 1 and isinstance(ops[0], IrregularOp):
        plan_irregular(script, ops[0], target)
    computes = [op for op in ops if isinstance(op, ComputeOp)]
    main = [op for op in computes if not op.has_role(Border)]
    views = [op.view() for op in main]
    arguments: list[SSAValue] = list(kernel.body.block.args)
    constants = {arguments[i] for i in kernel.constant_positions}
    if any(isinstance(view.role, Transform) for view in views):
        plan_winograd(script, views, constants, target)
    elif len(main) == 1:
        plan_single(script, views[0], constants, target, adjust)
    elif _are_independent(views):
        for view in views:
            plan_elementwise(script, view, constants, target)
    elif main:
        lanes = min(lanes_of(v, target) for v in views)
        attention = find_attention(main[-1])
        if attention is not None:
            plan_attention(script, attention, lanes, constants, target)
        elif main[0].has_role(JoinsReader):
            plan_expansion(script, views, constants, target)
        else:
            plan_rows(script, views, share_axes(main), lanes, target)
    halos = [op.view() for op in computes if op.has_role(Border)]
    if halos:
        plan_halos(script, halos, widths_of(halos[0], target))
    return script.build()


def _are_independent(views: Sequence[ComputeView]) -> bool:
    """True if no compute reads another one's result, for example the copies of a concat."""
    written = {o.value for view in views for o in view.outputs}
    return not any(a.value in written for view in views for a in view.reads)
