"""c-serial-loops: make parallel loops serial, because a program of C source has one thread.

    loop.for parallel %i = 0 to 8      ==>      loop.for %i = 0 to 8

Before: kernels are functions of loop ops.  After: no loop is parallel.  Exact.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...dialects.loop import ForOp, str_attr
from ...support.passes import ExactPass


@dataclass(frozen=True)
class SerialLoops(ExactPass):
    """Turn the parallel loops of all kernels into serial loops."""

    name = "c-serial-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in op.walk():
            if isinstance(inner, ForOp) and inner.is_parallel:
                inner.properties["kind"] = str_attr("serial")
