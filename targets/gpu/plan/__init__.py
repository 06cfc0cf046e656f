"""gpu-plan: write the schedule of every kernel for the blocks and threads of a GPU.

In: kernels in buffer form.  Out: one sched.script per kernel, next to it in the module.  All GPU
backends share the plan; its numbers come from the target.

Before: te-bufferize and te-deduplicate ran.  After: each kernel has a script.  Exact: kernels are
unchanged.

The schedules, and the files that write them and state their reasons:

thread_per_point.py     one thread per point of the parallel axes, or per four points
product.py              tiles of both operands of a product in shared memory, also beyond its ends
rows.py                 a warp or block per row of reductions, softmax and normalizations
kernel.py               the threads of scatters and sorts
tensor_product.py       matrix instructions for products of narrow numbers
tile_cost.py            the tiles of a block, a warp and a thread
attention.py            one kernel for an attention, with online softmax
convolution.py          convolutions as products of filters and pixels
async_stages.py         the tiles of a product that are in flight
tensor_attention.py     matrix instructions for an attention of 16-bit floats
vectors.py              vectors of adjacent points per thread
transpose.py            tiles of transposes in shared memory
windows.py              depthwise convolutions and pools of planes in shared memory
strips.py               strips of columns for sums along columns and products of few rows
streams.py, splits.py   sums in parts, in two launches
row_groups.py           computes that share rows, in a kernel with other computes
thin_products.py        a warp per column for products of few rows
register_attention.py   scores in registers, keys and values copied ahead
channels_last.py        convolutions of images or filters with adjacent channels
tensor_tiles.py         products of warpgroups, from swizzled tiles
aligned_products.py     copies of operands whose rows are no multiples of 16 bytes
row_attention.py        a block per row and part of the keys for an attention of few queries
scans.py                blocks of threads for the rows and columns of scans
turned_weights.py       weights of products of few rows, stored by columns

The tiles of products, convolutions and sums, and the parts of split sums, have the least time of a
model (tile_cost.py, streams.py).  The other numbers are limits that were measured on some GPUs.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ....dialects.sched import ScriptOp
from ....dialects.te import KernelOp
from ....machines.target_passes import TargetedPass
from ....support.passes import ExactPass
from ....support.precision import Precision, parse_precision
from ...library.plans import write_schedules
from ..intrinsics import make_matrix_intrinsic
from .kernel import plan_kernel

__all__ = ["GpuPlan", "plan_kernel"]


@dataclass(frozen=True)
class GpuPlan(TargetedPass, ExactPass):
    """Add a sched.script with the schedule of each kernel to the module.

    precision: default or strict, which allows no instructions whose sums have a larger error than
    sums in f32.
    """

    name = "gpu-plan"

    precision: str = "default"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        is_strict = parse_precision(self.precision) is Precision.STRICT

        def plan(kernel: KernelOp) -> ScriptOp:
            return plan_kernel(kernel, self.target, is_strict=is_strict)

        write_schedules(op, plan, make_matrix_intrinsic)
