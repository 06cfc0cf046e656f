"""The kernels of a compiled module as they are launched: resources, sizes and traffic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.parser import Parser

from tilewright.dialects import simt
from tilewright.support.entry import kernel_functions
from tilewright.support.registry import new_context

from .gpu_model import Bound, Gpu, Plan, bound
from .gpu_traffic import traffic_of


def plans_of(mod: Any) -> list[Plan]:
    """Return the kernels of a compiled module, each with its launch, resources and traffic."""
    module = Parser(new_context(), mod.get_source("packed")).parse_module()
    functions = {f.sym_name.data: f for f in kernel_functions(module)}
    resources, made = mod.kernel_resources(), []
    for record in mod.kernels:
        function = functions[record.name]
        launch = simt.launch_of(function)
        assert launch is not None, "a kernel of the last level"
        grid = tuple(cast(int, blocks.value) for blocks in launch.grid)
        found = resources[record.name]
        made.append(Plan(record, found, grid, launch.block, traffic_of(function)))
    return made


def bounds_of(gpu: Gpu, plans: Sequence[Plan], flops: int) -> list[Bound]:
    """Return the lower bound of the time of one call, for each kernel.

    flops: the operations of all kernels together; 0: the number that the compiler counts, which
    includes conversions.
    """
    counted = sum(plan.record.calls * plan.record.flops for plan in plans)
    scale = (flops or counted) / max(counted, 1)
    return [bound(gpu, plan, plan.record.flops * scale) for plan in plans]


__all__ = ["bounds_of", "plans_of"]
