"""cpu-plan: write the schedule of every kernel from the target's numbers, without measurements.

In: kernels in buffer form.  Out: one sched.script per kernel, next to it in the module.

Before: te-bufferize and te-deduplicate ran.  After: each kernel has a script.  Exact: kernels are
unchanged.

The rules, and the files that state their reasons (the numbers of rules that a cost replaced stay
unused):

R1   tiles.py              the register tile with the fewest modelled cycles
R2   tiles.py              which tiles fit in the registers
R3   points/product.py     steps and tiles of symbolic rows; also attention.py, few_queries.py
R6   points/product.py     short sums written row by row
R8   points/product.py     packing of strided operands; also convolution.py
R16  pointwise.py          tiles of sliding windows; packed weights and gathers
R17  pointwise.py          rows whose intermediates stay in L1
R18  pointwise.py          chunks of elementwise tasks
R19  attention.py          blocks of queries and keys
R20  fused_depthwise.py    a 1x1 convolution in the kernel of its depthwise reader
R21  tile_product.py       tasks of equal load; also product.py, tile_convolution.py
R22  winograd.py           direct convolution or Winograd
R24  tiles.py              long sums in blocks
R25  merged_axes.py        merged axes; also pointwise.py, irregular.py
R26  pointwise.py          blocks of columns
R27  transposed_result.py  vectors along the channels of a row-major result
R28  pointwise.py          rows narrower than a vector; packing from single elements
R29  epilogue.py           epilogues in a loop after the register tile
R30  instruction.py        machine instructions for sums of products of narrow types
R31  block_product.py      products of digits and weights of few bits
R32  tile_product.py       products by instructions on tiles; convolutions: tile_convolution.py

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
