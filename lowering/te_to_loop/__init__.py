"""te to loop: kernels become loops, loads, stores and scalar or vector arithmetic."""

from __future__ import annotations

from .te_to_loop import TeToLoop, lower_compute, lower_kernel

__all__ = ["TeToLoop", "lower_compute", "lower_kernel"]
