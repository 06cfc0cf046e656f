"""The schedule of one kernel: choose the planning rules by the kind of its computes.

In: a kernel in buffer form and the target.  Out: the kernel's script (sched.script).
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from ....analysis.patterns.pattern import Attention, Irregular, computes_of, pattern_of
from ....dialects.sched import ScriptOp
from ....dialects.te import ComputeOp, KernelOp, SortOp
from ....dialects.te.role import Border, Transform
from ....machines.target import Target
from .attention import plan_attention
from .batch_tasks import is_legal, kernel_of_images
from .computes import plan_computes
from .irregular import plan_irregular
from .one_compute import widths_of
from .points.choice import Chooser, keep
from .pointwise import plan_halos
from .script import Script
from .winograd import plan_winograd


def plan_kernel(kernel: KernelOp, target: Target, choose: Chooser = keep) -> ScriptOp:
    """Return the schedule of one kernel in buffer form.

    choose: returns the point (set of numbers) for each choice of the plan; by default that of the
    rules.
    """
    images = kernel_of_images(kernel, target) if kernel.sizes else None
    if images is not None and is_legal(made := plan_kernel(images, target, choose), kernel):
        return made
    script = Script(kernel.label, choose)
    arguments: list[SSAValue] = list(kernel.body.block.args)
    constants = {arguments[i] for i in kernel.constant_positions}
    match pattern_of(kernel):
        case Irregular(ops=(op,)):
            if not kernel.sizes or isinstance(op, SortOp):
                plan_irregular(script, op, target)
        case Irregular():
            pass
        case Attention() as attention:
            plan_attention(script, attention, constants, target)
        case _:
            main = computes_of(kernel)
            if any(op.has_role(Transform) for op in main):
                plan_winograd(script, [op.view() for op in main], constants, target)
            else:
                plan_computes(script, main, constants, target, is_symbolic=bool(kernel.sizes))
    computes = [op for op in kernel.body.walk() if isinstance(op, ComputeOp)]
    halos = [op.view() for op in computes if op.has_role(Border)]
    if halos:
        plan_halos(script, halos, widths_of(halos[0], target))
    return script.build()
