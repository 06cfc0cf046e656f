"""Lower te to loop: a kernel becomes loops, loads, stores and scalar or vector arithmetic."""

from __future__ import annotations

from .te_to_loop import TeToLoop, lower_kernel, lower_op

__all__ = ["TeToLoop", "lower_op", "lower_kernel"]
