"""graph-apply-closures: call the function of a known closure directly (beta reduction).

    %f = graph.closure @scale(%k) : (T) -> ((T) -> T)
    %y = graph.apply %f(%x) : (T) -> T
==>
    %y = graph.call @scale(%k, %x) : (T, T) -> T

Before: nothing.  After: no graph.apply has the result of a graph.closure as its function.
Exact: the same results.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...dialects.graph import ApplyOp, CallOp, ClosureOp
from ...support.passes import ExactPass
from ...support.rewriting import erase_dead_ops, swap_op


@dataclass(frozen=True)
class ApplyClosures(ExactPass):
    """Replace applications of known closures by calls."""

    name = "graph-apply-closures"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if apply_closures(op):
            erase_dead_ops(op)


def apply_closures(module: ModuleOp) -> bool:
    """Replace applications of known closures by calls; return whether there were any."""
    found = [op for op in module.walk() if isinstance(op, ApplyOp)]
    known = [(op, op.f.owner) for op in found if isinstance(op.f.owner, ClosureOp)]
    for op, made in known:
        args = [*made.args, *op.args]
        swap_op(op, CallOp(made.function_name, args, op.result_types))
    return bool(known)
