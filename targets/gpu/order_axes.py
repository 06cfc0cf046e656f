"""gpu-order-axes: order the axes of each compute as the dimensions of its result.

    te.compute @add [n: 8, c: 64, h: 56] .. outs(%y[n, h, c] : memref<8x56x64xf16>)
==>
    te.compute @add [n: 8, h: 56, c: 64] .. outs(%y[n, h, c] : memref<8x56x64xf16>)

gpu-bufferize stores some results channels last, with other dimensions than their axes.  The plan
gives adjacent threads adjacent points of the last axis.  Reduced axes keep their order.

Before: kernels in buffer form, without loops.  After: the axes of a compute with one result, whose
indices are axes, have the order of these indices.  Exact: points of parallel axes are independent.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...dialects.te import ComputeOp, ComputeView, kernels_of
from ...support.passes import ExactPass


@dataclass(frozen=True)
class GpuOrderAxes(ExactPass):
    """Order the axes of all computes as the dimensions of their results."""

    name = "gpu-order-axes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in kernels_of(op):
            for compute in kernel.body.block.ops:
                if isinstance(compute, ComputeOp):
                    view = compute.view()
                    stored = _stored(view)
                    if stored and stored != view.parallel_axes():
                        order = [*stored, *view.reduced_axes()]
                        axes = {axis: view.axes[axis] for axis in order}
                        compute.update(replace(view, axes=axes))


def _stored(view: ComputeView) -> list[str]:
    """Return the axes in the order of the result's dimensions; none if an index is no axis."""
    if len(view.outputs) != 1 or view.scan is not None:
        return []
    axes = [e.variable() for e in view.outputs[0].indices or () if not e.is_constant]
    names = [axis for axis in axes if isinstance(axis, str)]
    return names if len(names) == len(axes) and {*names} == {*view.parallel_axes()} else []


__all__ = ["GpuOrderAxes"]
