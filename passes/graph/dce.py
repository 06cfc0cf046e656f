"""graph-dce: erase ops without side effects whose results are unused.

    %y = graph.exp %x      (unused)
    return %x
==>
    return %x

Before: nothing.  After: every op without side effects has a used result; arguments stay.
Exact: the same results.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...support.passes import ExactPass
from ...support.rewriting import erase_dead_ops


@dataclass(frozen=True)
class Dce(ExactPass):
    """Erase ops without side effects whose results are unused."""

    name = "graph-dce"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        erase_dead_ops(op)
