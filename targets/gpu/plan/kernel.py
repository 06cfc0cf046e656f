"""The schedule of one kernel for a GPU: choose a rule of gpu-plan for each compute.

In: a kernel in buffer form and the limits of the target.  Out: the kernel's script.  Each compute
becomes a grid of its own, so loop-split-launches makes one launch of each.  Loops and computes
without parallel axes have no rule; they stay loops, which the backend runs on one thread.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import BFloat16Type, Float16Type

from ....analysis.patterns.pattern import Attention, pattern_of
from ....dialects.loop import AllocOp, SizeOp
from ....dialects.sched import ScriptOp
from ....dialects.te import ComputeOp, KernelOp, ReturnOp, ScatterOp, SortOp
from ....machines.gpu_limits import gpu_limits
from ....machines.target import Target
from .attention import AttentionPlanner, attention_tiles
from .computes import plan_each
from .register_attention import RegisterPlanner, register_attention_tiles
from .row_attention import RowAttentionPlanner, row_attention_of
from .row_groups import row_groups
from .rows import Rows, plan_rows, rows_of
from .script import Script
from .tensor_attention import TensorPlanner, tensor_attention_tiles
from .turned_weights import divide_sums


def plan_kernel(kernel: KernelOp, target: Target, *, is_strict: bool = False) -> ScriptOp:
    """Return the schedule of one kernel in buffer form.

    is_strict: whether to avoid instructions whose sums have a larger error than sums in f32.
    """
    script, limits = Script(kernel.label), gpu_limits(target)
    computes = [op for op in kernel.body.walk() if isinstance(op, ComputeOp)]
    if (attention := _attention(script, kernel, target)) is not None:
        attention.plan()
        return script.build()
    if is_strict and (rows := _rows(kernel, computes, target)) is not None:
        plan_rows(script, rows, limits)
        return script.build()
    for op in kernel.body.block.ops:
        if isinstance(op, ScatterOp | SortOp):
            _plan_irregular(script, op)
    if is_strict:
        plan_each(script, kernel, target, None)
    else:
        groups = row_groups(kernel, target)
        members = {name for rows in groups for name in rows.names}
        made = divide_sums(script, kernel, target, members)
        plan_each(script, made, target, groups)
    return script.build()


def _attention(
    script: Script, kernel: KernelOp, target: Target
) -> AttentionPlanner | RowAttentionPlanner | None:
    """Return the planner of a kernel that is an attention, if the attention gets tiles."""
    attention, limits = pattern_of(kernel), gpu_limits(target)
    if not isinstance(attention, Attention):
        return None
    element_type = attention.exps.view().outputs[0].element_type
    if isinstance(element_type, Float16Type | BFloat16Type):
        if (registers := register_attention_tiles(attention, target)) is not None:
            return RegisterPlanner(script, attention, registers, limits)
        if (tensor := tensor_attention_tiles(attention, target)) is not None:
            return TensorPlanner(script, attention, tensor, limits)
    tiles = attention_tiles(attention, limits)
    if tiles is not None:
        return AttentionPlanner(script, attention, tiles, limits)
    rows = row_attention_of(attention, target)
    return None if rows is None else RowAttentionPlanner(script, kernel, attention, rows, target)


def _plan_irregular(script: Script, op: ScatterOp | SortOp) -> None:
    """Make tasks of the rows of a sort, or of the points on a scatter's longest axis.

    Along that axis no two points write the same element; the other axes keep their order.  Without
    such an axis one thread processes all points.
    """
    if isinstance(op, SortOp):
        script.tasks(script.match(op.label))
        return
    view = op.view()
    sizes = {axis: view.axes[axis] for axis in view.independent_axes()}
    static = {axis: size for axis, size in sizes.items() if isinstance(size, int) and size > 1}
    if static:
        script.tasks(script.match(op.label), max(static, key=lambda axis: static[axis]))


def _rows(kernel: KernelOp, computes: Sequence[ComputeOp], target: Target) -> Rows | None:
    """Return how threads share the rows of a kernel; None if its computes do not share rows.

    None also if two computes have the same name, or other ops access the buffers.
    """
    others = [op for op in kernel.body.block.ops if not isinstance(op, ComputeOp)]
    alone = all(isinstance(op, AllocOp | SizeOp | ReturnOp) for op in others)
    if not alone or len({op.label for op in computes}) < len(computes):
        return None
    views = [op.view() for op in computes]
    return rows_of(views, target)
