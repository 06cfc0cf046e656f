"""loop-drop-unread: remove the buffers of kernels that no operation reads.

    %b = loop.alloc "local" : memref<1024xf32>
    loop.for %i = 0 to 1024 {                       loop.for %i = 0 to 1024 {
      loop.store %value, %y[%i] ..          ==>       loop.store %value, %y[%i] ..
      loop.store %index, %b[%i] .. }                  }

A compute with several sums stores all of them, although its kernel may need one result only.

Before: loop programs.  After: each buffer that a kernel allocates has a reader.
Exact: the other stores have the same values.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.rewriter import Rewriter

from ...dialects.loop import AllocOp, StoreOp
from ...support.entry import kernel_functions
from ...support.passes import ExactPass
from ...support.rewriting import erase_dead_ops


class DropUnread(ExactPass):
    """Remove the allocations of kernels that are only written, and the stores to them."""

    name = "loop-drop-unread"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in kernel_functions(op):
            for alloc in [each for each in function.walk() if isinstance(each, AllocOp)]:
                users = {use.operation for use in alloc.res.uses}
                if users and all(isinstance(user, StoreOp) for user in users):
                    for each in (*users, alloc):
                        Rewriter.erase_op(each)
                    erase_dead_ops(function)
