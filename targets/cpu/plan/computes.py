"""The schedule of a kernel's computes, which form no attention: one, several independent, or rows.

In: the computes of a kernel in order, of known or of symbolic sizes.  Out: the steps of their
schedules.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ....analysis.patterns.sharing import are_independent, share_axes
from ....dialects.te import ComputeOp
from ....dialects.te.role import JoinsReader
from ....machines.target import Target
from .fused_depthwise import plan_expansion
from .one_compute import lanes_of, plan_elementwise, plan_single
from .pointwise import plan_rows
from .script import Script
from .symbolic import plan_symbolic_compute
from .symbolic_rows import plan_rows as plan_symbolic_rows


def plan_computes(
    script: Script,
    main: Sequence[ComputeOp],
    constants: set[SSAValue],
    target: Target,
    *,
    is_symbolic: bool,
) -> None:
    """Plan the computes of a kernel that form no attention.

    main: the computes. Independent ones get schedules of their own; if one of them reads another's
    result, all run row by row in shared loops.
    constants: the arguments of the kernel that are weights.
    is_symbolic: whether some size of the kernel is known only at run time.
    """
    views = [op.view() for op in main]
    if are_independent(views) or (len(main) == 1 and not is_symbolic):
        alone = plan_single if len(main) == 1 else plan_elementwise
        for view in views:
            (plan_symbolic_compute if is_symbolic else alone)(script, view, constants, target)
    elif is_symbolic:
        plan_symbolic_rows(script, views, share_axes(main), target)
    elif main[0].has_role(JoinsReader):
        plan_expansion(script, views, constants, target)
    else:
        lanes = min(lanes_of(v, target) for v in views)
        plan_rows(script, views, share_axes(main), lanes, target)
