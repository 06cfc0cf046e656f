"""Attributes of functions that passes and lowerings write and read.

    func.func @relu(..) attributes {tw.cost = #te.cost<flops = 512, computes = [matmul, relu]>} ..

- ``tw.cost``: of a kernel: its work, copied from te.kernel or counted by loop-split-phases.

``dialects/results.py`` lists the attributes of the entry that describe its arguments and results.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp

from .te.cost import Cost, CostAttr

COST = "tw.cost"


def record_cost(function: FuncOp, cost: Cost) -> None:
    """Set the cost of a kernel function."""
    function.attributes[COST] = CostAttr(cost)


def recorded_cost(function: FuncOp) -> Cost | None:
    """Return the cost of a kernel function; None if it has none."""
    cost = function.attributes.get(COST)
    return cost.data if isinstance(cost, CostAttr) else None


__all__ = ["COST", "record_cost", "recorded_cost"]
