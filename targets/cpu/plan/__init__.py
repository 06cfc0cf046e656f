"""cpu-plan: write the schedule of every kernel from the target's numbers, without measurements.

In: kernels in buffer form.  Out: one sched.script per kernel, next to it in the module.

Before: te-bufferize and te-deduplicate ran.  After: each kernel has a script.  Exact: kernels are
unchanged.

What the plan chooses by modelled cycles, and in which files:

points/product.py        register tiles, panels, loop orders and epilogues of products
points/convolution.py    the same for convolutions
reduction_tile.py        the accumulators of other reductions
epilogue.py              epilogues in a loop after the register tiles
../cost/tasks.py         chunks of elementwise computes, reductions and rows, one task each
fused_depthwise.py       the rows of a task of a 1x1 and a depthwise convolution
winograd.py              direct convolution or Winograd
instruction.py           machine instructions for sums of products of narrow types
tile_product.py          products by tile instructions, or by vectors
tile_convolution.py      the same for convolutions

What it still chooses by limits that were measured on some processors:

points/product.py        steps and tiles of symbolic rows, short sums, copies of strided operands
tiles.py                 blocks of long sums, tiles of symbolic rows
attention.py             blocks of queries and keys; also few_queries.py, query_groups.py
pointwise.py             tiles of windows, blocks of columns, rows narrower than a vector
merged_axes.py           which contiguous axes become one
fused_depthwise.py       whether the two convolutions share a kernel
winograd.py              tiles per task, and images of symbolic sizes
transposed_result.py     vectors along the channels of a row-major result
block_product.py         products of digits and weights of few bits
symbolic_rows.py         rows and tiles of symbolic sizes; also symbolic.py, symbolic_tile.py

The numbers of the schedule of a product or a convolution are a *point*; space.py lists the points
of a kernel, for searches.  points/cheapest_product.py and cheapest_convolution.py choose the point
of the fewest modelled cycles from a neutral point, first on one core, then on several.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ....machines.target_passes import TargetedPass
from ....support.passes import ExactPass
from ...library.plans import write_schedules
from ..instructions.intrinsics import make_intrinsic
from .instruction import declare_intrinsics
from .kernel import plan_kernel

__all__ = ["CpuPlan", "declare_intrinsics", "plan_kernel"]


@dataclass(frozen=True)
class CpuPlan(TargetedPass, ExactPass):
    """Add a sched.script with the schedule of each kernel to the module."""

    name = "cpu-plan"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        write_schedules(op, lambda kernel: plan_kernel(kernel, self.target), make_intrinsic)
