"""The schedule of one kernel: choose the planning rules by the kind of its computes.

In: a kernel in buffer form and the target.  Out: the kernel's script (sched.script).
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ....analysis.patterns.sharing import are_independent, share_axes
from ....dialects.sched import ScriptOp
from ....dialects.te import ComputeOp, IrregularOp, KernelOp, SortOp, TensorOp
from ....dialects.te.role import Border, JoinsReader, Transform
from ....machines.target import Target
from .attention import plan_if_attention
from .batch_tasks import is_legal, kernel_of_images
from .fused_depthwise import plan_expansion
from .irregular import plan_irregular
from .one_compute import lanes_of, plan_elementwise, plan_single, widths_of
from .points.choice import Chooser, keep
from .pointwise import plan_halos, plan_rows
from .script import Script
from .symbolic import plan_symbolic_kernel
from .winograd import plan_winograd


def plan_kernel(kernel: KernelOp, target: Target, choose: Chooser = keep) -> ScriptOp:
    """Return the schedule of one kernel in buffer form.

    choose: returns the points of the plan's choices; `keep` keeps those of the rules.
    """
    images = kernel_of_images(kernel, target) if kernel.sizes else None
    if images is not None and is_legal(made := plan_kernel(images, target, choose), kernel):
        return made
    script = Script(kernel.label, choose)
    ops = [op for op in kernel.body.walk() if isinstance(op, TensorOp)]
    computes = [op for op in ops if isinstance(op, ComputeOp)]
    main = [op for op in computes if not op.has_role(Border)]
    arguments: list[SSAValue] = list(kernel.body.block.args)
    constants = {arguments[i] for i in kernel.constant_positions}
    if len(ops) == 1 and isinstance(ops[0], IrregularOp):
        if not kernel.sizes or isinstance(ops[0], SortOp):
            plan_irregular(script, ops[0], target)
    elif kernel.sizes:
        plan_symbolic_kernel(script, main, constants, target)
    elif main:
        _plan_computes(script, main, constants, target)
    halos = [op.view() for op in computes if op.has_role(Border)]
    if halos:
        plan_halos(script, halos, widths_of(halos[0], target))
    return script.build()


def _plan_computes(
    script: Script,
    main: Sequence[ComputeOp],
    constants: set[SSAValue],
    target: Target,
) -> None:
    """Plan the computes of a kernel by the pattern that they form, such as an attention."""
    views = [op.view() for op in main]
    if any(isinstance(view.role, Transform) for view in views):
        plan_winograd(script, views, constants, target)
    elif len(main) == 1:
        plan_single(script, views[0], constants, target)
    elif are_independent(views):
        for view in views:
            plan_elementwise(script, view, constants, target)
    elif plan_if_attention(script, main, constants, target):
        return
    elif main[0].has_role(JoinsReader):
        plan_expansion(script, views, constants, target)
    else:
        lanes = min(lanes_of(v, target) for v in views)
        plan_rows(script, views, share_axes(main), lanes, target)
