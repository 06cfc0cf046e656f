"""loop-workspace: move large local buffers of kernels from the stack to the worker's workspace.

    func.func @k(..) {
      loop.for parallel %i = 0 to 8 {
        %t = loop.alloc "local" : memref<64x64xf32> .. } }
==>
    func.func @k(..) attributes {tw.workspace_bytes = 16384 : i64} {
      loop.for parallel %i = 0 to 8 {
        %t = loop.alloc "workspace" at 0 : memref<64x64xf32> .. } }

Before: kernels are functions of loop ops.  After: buffers of more than 4096 bytes have an offset,
a multiple of 64, into the workspace of tw.workspace_bytes per worker; buffers of sibling loops
share memory.
Exact.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block

from ...dialects.dtypes import buffer_bytes
from ...dialects.functions import WORKSPACE_BYTES, record_bytes
from ...dialects.loop import OWN_SCOPES, AllocOp
from ...dialects.packed.arena import aligned
from ...dialects.shape import dims_of
from ...support.diagnostics import SymbolicSize
from ...support.entry import defined_functions
from ...support.passes import ExactPass

STACK_LIMIT_BYTES = 4096


@dataclass(frozen=True)
class Workspace(ExactPass):
    """Move every large local buffer to the workspace of its kernel.

    stack_bytes: the largest buffer that stays on the stack.
    """

    name = "loop-workspace"
    stack_bytes: int = STACK_LIMIT_BYTES

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in defined_functions(op):
            size = _place(function.body.block, 0, self.stack_bytes)
            if size:
                record_bytes(function, WORKSPACE_BYTES, size)


def _require_static(op: AllocOp) -> None:
    if any(dim.value is None for dim in dims_of(op.res.type)):
        raise SymbolicSize(
            "a local buffer has a size known only at run time",
            expected="integers",
            got=op.res.type,
            hint="compute it in blocks of constant size, or in a kernel of its own",
        ).at(op)


def _place(block: Block, start: int, stack_bytes: int) -> int:
    """Give the buffers of a block offsets in the workspace from ``start`` on; return their end.

    The buffers of nested blocks follow all buffers of this block.
    stack_bytes: the size up to which a buffer stays on the stack.
    """
    end = start
    for op in block.ops:
        if isinstance(op, AllocOp) and op.scope.data in OWN_SCOPES:
            _require_static(op)
            size = buffer_bytes(op.res.type)
            if size > stack_bytes:
                op.place(end)
                end += aligned(size)
    blocks = (b for op in block.ops for region in op.regions for b in region.blocks)
    inner = [_place(b, end, stack_bytes) for b in blocks]
    return max([end, *inner])
