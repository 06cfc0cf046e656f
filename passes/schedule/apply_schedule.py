"""te-apply-schedule: run the sched scripts of a module on its kernels.

    te.kernel @k(..) { te.compute @mm [m: 96, n: 48, k: 64 red] .. }
    sched.script @k { %c = sched.match {name = mm}  %t, %i = sched.tile %c {m = 6}  .. }
==>
    te.kernel @k(..) { loop.for %i = 0 to 16 { te.compute @mm [m: 6, n: 48, k: 64 red] .. } }

Before: kernels are in buffer form.  After: no scripts and no serial loops of one trip are left; the
iterations of parallel and bound loops are independent, also of kernels without a script. If the
target is a GPU, a step that exceeds the limits of a launch is an error.
Exact: bitwise, except that the script chooses the summation order of each element.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.rewriter import Rewriter

from ...dialects.sched import ScriptOp
from ...dialects.te import KernelOp, kernels_of
from ...machines.gpu_limits import known_limits
from ...machines.target_passes import LimitedPass
from ...support.diagnostics import ScheduleError
from .interpreter import apply_script
from .loops.parallel import check_parallel_loops
from .one_trip_loops import inline_one_trip_loops
from .validate import check_script


@dataclass(frozen=True)
class ApplySchedule(LimitedPass):
    """Run the sched scripts of a module on its kernels."""

    name = "te-apply-schedule"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        scripts = scripts_of(op)
        for script, kernel in scripts:
            apply_script(script, kernel, limits=known_limits(self.target))
            inline_one_trip_loops(kernel)
            Rewriter.erase_op(script)
        scheduled = {kernel for _, kernel in scripts}
        for kernel in (kernel for kernel in kernels_of(op) if kernel not in scheduled):
            check_parallel_loops(kernel)


def check_scripts(module: ModuleOp) -> None:
    """Apply the scripts of a module to copies of its kernels; run the interpreter after each step.

    Errors: ScheduleError that names the first step that changes the results of a kernel.
    """
    scheduled: dict[str, KernelOp] = {}
    for script, kernel in scripts_of(module):
        scheduled[kernel.label] = check_script(scheduled.get(kernel.label, kernel), script)


def scripts_of(module: ModuleOp) -> list[tuple[ScriptOp, KernelOp]]:
    """Return the scripts of a module in order, each with its kernel.

    Errors: ScheduleError if no kernel has the name of a script.
    """
    kernels = {kernel.label: kernel for kernel in kernels_of(module)}
    scripts = [op for op in module.ops if isinstance(op, ScriptOp)]
    for script in scripts:
        if script.kernel_name not in kernels:
            raise ScheduleError(
                f"no kernel is named @{script.kernel_name}",
                expected=f"one of {', '.join(kernels) or 'none'}",
                where=script.name,
            )
    return [(script, kernels[script.kernel_name]) for script in scripts]
