"""Computes without a product that copy a tile or a plane of an operand to shared memory.

In: the view of a compute.  Out: its schedule by transpose.py or windows.py, if one of them applies.
"""

from __future__ import annotations

from ....dialects.te import ComputeView
from ....machines.gpu import GpuLimits
from .script import Script
from .transpose import gather_of, plan_gather, plan_transpose, transpose_of
from .windows import plan_windows, windows_of


def plan_shared(script: Script, view: ComputeView, limits: GpuLimits) -> bool:
    """Plan a transpose, or windows of planes, with copies in shared memory; else return False."""
    if (transpose := transpose_of(view)) is not None:
        plan_transpose(script, view, transpose, limits)
        return True
    if (gather := gather_of(view)) is not None:
        plan_gather(script, view, gather, limits)
        return True
    if (windows := windows_of(view, limits)) is not None:
        plan_windows(script, view, windows, limits)
        return True
    return False
