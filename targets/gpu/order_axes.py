"""gpu-order-axes: order the axes of each compute as the dimensions of its result.

    te.compute @add [n: 8, c: 64, h: 56] .. outs(%y[n, h, c] : memref<8x56x64xf16>)
==>
    te.compute @add [n: 8, h: 56, c: 64] .. outs(%y[n, h, c] : memref<8x56x64xf16>)

gpu-plan-layouts stores some results of 16-bit floats channels last, so their dimensions have
another order than the axes.  The plan gives adjacent threads adjacent points of the last axis.
Reduced axes keep their order.

Before: kernels in buffer form, without loops.  After: on targets with asynchronous copies, the axes
of a compute with one result of 16-bit floats, whose indices are axes plus constants, have the order
of these indices.  Exact: points of parallel axes are independent.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...analysis.patterns.bodies import is_narrow
from ...dialects.te import ComputeOp, ComputeView, kernels_of
from ...machines.target_passes import TargetedPass
from ...support.passes import ExactPass
from .plan.async_stages import ASYNC_COPY


@dataclass(frozen=True)
class GpuOrderAxes(TargetedPass, ExactPass):
    """Order the axes of computes as the dimensions of their results."""

    name = "gpu-order-axes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        kernels = kernels_of(op) if self.target.has(ASYNC_COPY) else ()
        for kernel in kernels:
            for compute in kernel.body.block.ops:
                if isinstance(compute, ComputeOp):
                    view = compute.view()
                    stored = _stored(view)
                    if stored and stored != view.parallel_axes():
                        order = [*stored, *view.reduced_axes()]
                        axes = {axis: view.axes[axis] for axis in order}
                        compute.update(replace(view, axes=axes))


def _stored(view: ComputeView) -> list[str]:
    """Return the parallel axes in the order of the result's dimensions.

    Empty if some index is not an axis plus a constant, as in a part of a concatenation, or if
    gpu-plan-layouts leaves the result row-major.
    """
    if len(view.outputs) != 1 or view.scan is not None:
        return []
    if not is_narrow(view.outputs[0].element_type):
        return []
    axes = [(e - e.const).variable() for e in view.outputs[0].indices or () if not e.is_constant]
    names = [axis for axis in axes if isinstance(axis, str)]
    return names if len(names) == len(axes) and {*names} == {*view.parallel_axes()} else []
