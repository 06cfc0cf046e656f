"""te-merge-all-axes: merge adjacent axes at all positions, such as the rows and columns of images.

    te.kernel @mean(%x: memref<8x64x32x32xf32>, %y: memref<8x64xf32>) {
      te.compute @mean [b: 8, c: 64, h: 32 red, w: 32 red] ins(%x[b, c, h, w] …) outs(%y[b, c] …)
==>
    te.kernel @mean(%x: memref<512x1024xf32>, %y: memref<512xf32>) {
      te.compute @mean [c: 512, w: 1024 red] ins(%x[c, w] …) outs(%y[c] …)

te-merge-axes leaves dimensions after the channels apart; this pass merges them, and sums over them,
too, if their sizes are static and the kernel has no contraction.  GPUs need that: the threads of a
warp share one long axis.  Main passes views, as for te-merge-axes.

Before: kernels in buffer form, without loops.  After: no two such axes are left in a kernel without
a schedule.  Exact: the same elements, in the same order of reduction.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...support.passes import ExactPass
from .merge_axes import merge_axes


@dataclass(frozen=True)
class MergeAllAxes(ExactPass):
    """Merge dimensions of static sizes at all positions in kernels without contractions.

    The rows and columns of an image then are one axis, and the sum over them is one sum.
    """

    name = "te-merge-all-axes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        merge_axes(op, is_all=True)
