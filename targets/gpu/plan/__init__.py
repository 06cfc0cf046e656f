"""gpu-plan: write the schedule of every kernel for the blocks and threads of a GPU.

In: kernels in buffer form.  Out: one sched.script per kernel, next to it in the module.  All GPU
backends share the plan; its numbers come from the target.

Before: te-bufferize and te-deduplicate ran.  After: each kernel has a script.  Exact: kernels are
unchanged.

The rules, and the files that state their reasons:

G1   thread_per_point.py    one thread per point of the parallel axes
G2   thread_per_point.py    the number of threads per block
G3   product.py             tiles of both operands of a product in shared memory
G4   product.py             the tile of a block and of a thread
G5   rows.py                a warp or block per row of reductions, softmax and normalizations
G6   rows.py                which rows are worth a warp
G7   product.py             tiles beyond the ends of a product
G8   kernel.py              the threads of scatters and sorts
G9   thread_per_point.py    four points per thread that read one element
G10  tensor_product.py      matrix instructions for products of narrow numbers
G11  tile_cost.py           the tiles of a block, a warp and a thread
G12  attention.py           one kernel for an attention, with online softmax
G13  attention.py           the tiles of an attention
G14  convolution.py         convolutions as products of filters and pixels
G15  convolution.py         the form and the tiles of a convolution
G16  async_stages.py        the tiles of a product that are in flight
G17  tensor_attention.py    matrix instructions for an attention of 16-bit floats
G18  vectors.py             vectors of adjacent points per thread
G19  transpose.py           tiles of transposes in shared memory
G20  windows.py             depthwise convolutions and pools of planes in shared memory
G21  strips.py              strips of columns for sums along columns and products of few rows
G22  streams.py, splits.py  sums in parts, in two launches
G23  row_groups.py          computes that share rows, in a kernel with other computes
G24  thin_products.py       a warp per column for products of few rows
G25  register_attention.py  scores in registers, keys and values copied ahead
G26  channels_last.py       convolutions of packed images, channels last
G27  tensor_tiles.py        products of warpgroups, from swizzled tiles
G28  aligned_products.py    copies of operands whose rows are no multiples of 16 bytes
G29  channels_last.py       filters with adjacent channels for convolutions of f32
G30  row_attention.py       a block per row for an attention of few queries
G31  turned_weights.py      weights of products of few rows, stored by columns
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
