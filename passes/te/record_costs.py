"""te-record-costs: set the cost of each kernel.

    te.kernel @relu(..) {
      te.compute @matmul [m: 4, n: 8, k: 8 red] ..
      te.compute @relu [m: 4, n: 8] ..
    }
==>
    te.kernel @relu(..) attributes {cost = #te.cost<flops = 544, computes = [matmul, relu]>} { .. }

The cost has the number of scalar operations of one call, and the names of the computes.  Later
passes do not change it: schedules may recompute values, but the cost describes the definition.

Before: kernels are merged (te-deduplicate) and have no schedule applied.
After: each kernel has a cost; a cost that a kernel already has is replaced.
Exact: only attributes change.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...analysis.cost import kernel_cost
from ...dialects.te import CostAttr, kernels_of
from ...support.passes import ExactPass


@dataclass(frozen=True)
class RecordCosts(ExactPass):
    """Set the cost of each kernel."""

    name = "te-record-costs"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in kernels_of(op):
            kernel.properties["cost"] = CostAttr(kernel_cost(kernel))
