"""Schedules of matrix products and convolutions of symbolic sizes.

In: a compute.  Out: the steps of its schedule, if it is a contraction whose sum has a static
length.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from ....dialects.te import ComputeView
from ....machines.target import Target
from .block_product import plan_block_product
from .convolution import plan_convolution
from .one_compute import direct_contraction
from .product import plan_product
from .script import Script
from .transposed_result import plan_dynamic_channels


def plan_if_contraction(
    script: Script, view: ComputeView, constants: set[SSAValue], target: Target
) -> bool:
    """Plan a contraction; return False, without steps, for any other compute.

    constants: the arguments of the kernel that are weights.
    """
    if plan_block_product(script, view, constants, target):
        return True
    if not all(isinstance(view.axes[axis], int) for axis in view.reduced_axes()):
        return False
    contraction = direct_contraction(view, constants, target)
    if contraction is None:
        return plan_dynamic_channels(script, view, constants, target)
    if contraction.has_pixels:
        plan_convolution(script, script.match(view.name), contraction)
    elif contraction.rows:
        plan_product(script, script.match(view.name), contraction.with_tasks_of_rows())
    return bool(contraction.rows)
