"""The schedule of one kernel for a GPU: a rule per compute.

In: a kernel in buffer form and the limits of the target.  Out: its script.  Each compute becomes a
grid of its own, so loop-split-launches makes one launch of each.  What has no rule keeps its loops,
which the backend runs on one thread: scatters, sorts and loops, and computes without parallel axes.
"""

from __future__ import annotations

from ....dialects.sched import ScriptOp
from ....dialects.te import ComputeOp, ComputeView, KernelOp
from ....support.gpu_limits import GpuLimits
from .product import plan_product, product_of
from .script import Script
from .spread import spread


def plan_kernel(kernel: KernelOp, limits: GpuLimits) -> ScriptOp:
    """Return the schedule of one kernel in buffer form."""
    script = Script(kernel.label)
    computes = [op for op in kernel.body.walk() if isinstance(op, ComputeOp)]
    if len(computes) == 1 and (product := product_of(computes[0].view(), limits)) is not None:
        plan_product(script, computes[0].view(), product)
        return script.build()
    by_name: dict[str, list[ComputeView]] = {}
    for op in computes:
        by_name.setdefault(op.label, []).append(op.view())
    for views in by_name.values():
        spread(script, views, limits)
    return script.build()
