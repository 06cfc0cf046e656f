"""cpu-plan: write the schedule of every kernel from the target's numbers, without measurements.

In: kernels in buffer form.  Out: one sched.script per kernel, next to it in the module.

Before: te-bufferize and te-deduplicate ran.  After: each kernel has a script.  Exact: kernels are
unchanged.

The rules, and the files that state their reasons:

R1   tiles.py              the register tile with the fewest modelled cycles
R2   tiles.py              which tiles fit in the registers
R3   product.py            unrolled steps of a sum; also attention.py, few_queries.py
R4   product.py            passes over the reduction and groups of panels, by L2
R5   product.py            prefetch of the next panel
R6   product.py            blocks of rows; short sums written row by row
R7   product.py            a single row streams its weights
R8   product.py            packing of strided or conflicting operands; also convolution.py
R9   convolution.py        channel blocks of one loop, by the hardware prefetcher
R10  convolution.py        blocks of pixels
R11  convolution.py        small maps: each group of channels covers all pixels
R12  convolution.py        passes over channels, by L2
R13  convolution.py        weights of a pass, by L1
R14  convolution.py        rows of a task, by L2
R15  convolution.py        unrolled taps, and rows of a register tile
R16  pointwise.py          tiles of sliding windows; packed weights and gathers
R17  pointwise.py          rows whose intermediates stay in L1
R18  pointwise.py          chunks of elementwise tasks
R19  attention.py          blocks of queries and keys
R20  expansion.py          a 1x1 convolution in the kernel of its depthwise reader
R21  tiles.py              tasks of equal load
R22  winograd.py           direct convolution or Winograd
R23  convolution.py        weights that other layers evicted
R24  tiles.py              long sums in blocks
R25  contiguous.py         merged axes; also pointwise.py, irregular.py
R26  pointwise.py          blocks of columns
R27  transposed_result.py  vectors along the channels of a row-major result
R28  pointwise.py          rows narrower than a vector; packing from single elements
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
from ....dialects.shape import size_parameters
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
from .symbolic import plan_symbolic
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
    computes = [op for op in ops if isinstance(op, ComputeOp)]
    main = [op for op in computes if not op.has_role(Border)]
    arguments: list[SSAValue] = list(kernel.body.block.args)
    constants = {arguments[i] for i in kernel.constant_positions}
    if len(ops) == 1 and isinstance(ops[0], IrregularOp):
        plan_irregular(script, ops[0], target)
    elif size_parameters(kernel):
        _plan_symbolic(script, main, target)
    elif main:
        _plan_computes(script, main, constants, target, adjust)
    halos = [op.view() for op in computes if op.has_role(Border)]
    if halos and not size_parameters(kernel):
        plan_halos(script, halos, widths_of(halos[0], target))
    return script.build()


def _plan_symbolic(script: Script, main: Sequence[ComputeOp], target: Target) -> None:
    """Plan computes of symbolic sizes; several that share axes get no steps."""
    views = [op.view() for op in main]
    for view in views if _are_independent(views) else ():
        plan_symbolic(script, view, target)


def _plan_computes(
    script: Script,
    main: Sequence[ComputeOp],
    constants: set[SSAValue],
    target: Target,
    adjust: Adjust,
) -> None:
    """Plan the computes of a kernel by what they form together."""
    views = [op.view() for op in main]
    if any(isinstance(view.role, Transform) for view in views):
        plan_winograd(script, views, constants, target)
    elif len(main) == 1:
        plan_single(script, views[0], constants, target, adjust)
    elif _are_independent(views):
        for view in views:
            plan_elementwise(script, view, constants, target)
    else:
        lanes = min(lanes_of(v, target) for v in views)
        attention = find_attention(main[-1])
        if attention is not None:
            plan_attention(script, attention, lanes, constants, target)
        elif main[0].has_role(JoinsReader):
            plan_expansion(script, views, constants, target)
        else:
            plan_rows(script, views, share_axes(main), lanes, target)


def _are_independent(views: Sequence[ComputeView]) -> bool:
    """True if no compute reads another one's result, for example the copies of a concat."""
    written = {o.value for view in views for o in view.outputs}
    return not any(a.value in written for view in views for a in view.reads)
