"""Costs: the computes and operations of each kernel, noted while passes run.

After te-deduplicate a kernel is what its schedule will compute; parts that loop-split-phases makes
of one are counted from their loops.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp, NameLoc
from xdsl.dialects.func import FuncOp

from ..analysis.cost import kernel_flops, statement_flops
from ..analysis.statements import statements_of
from ..dialects.te import TensorOp, kernels_of
from ..support.entry import kernel_functions

Cost = tuple[tuple[str, ...], int]
"""The names of the computes of a kernel, and its scalar operations."""


class Costs:
    """The cost of each kernel of one compilation, by name."""

    def __init__(self) -> None:
        self.of: dict[str, Cost] = {}
        self._whole: set[str] = set()

    @property
    def kernels(self) -> int:
        """The number of kernels, before they are split into phases."""
        return len(self._whole)

    def observe(self, pass_name: str, module: ModuleOp) -> None:
        """Note the costs of the kernels of a module after a pass."""
        if pass_name == "te-deduplicate":
            kernels = kernels_of(module)
            self._whole = {kernel.label for kernel in kernels}
            for kernel in kernels:
                ops = tuple(op.label for op in kernel.body.walk() if isinstance(op, TensorOp))
                self.of[kernel.label] = (ops, kernel_flops(kernel))
        elif pass_name == "loop-split-phases":
            for function in kernel_functions(module):
                name = function.sym_name.data
                if name not in self._whole:
                    self.of[name] = _phase_cost(function)


def _phase_cost(function: FuncOp) -> Cost:
    """Return the source names of a part of a kernel, and its scalar operations."""
    locations = (op.location for op in function.body.walk())
    names = dict.fromkeys(loc.desc.data for loc in locations if isinstance(loc, NameLoc))
    _, statements = statements_of(function.body.block)
    return tuple(names), sum(map(statement_flops, statements))
