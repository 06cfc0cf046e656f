"""c-workspace: loop-workspace with a smaller limit, because a microcontroller has little stack.

    %t = loop.alloc "local" : memref<16x16xf32>   ==>   %t = loop.alloc "workspace" at 0 : ..

Before: kernels are functions of loop ops.  After: as loop-workspace; buffers of more than 256 bytes
are in the workspace, which is a part of the static arena.  Exact.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...passes.loop.workspace import Workspace

STACK_BYTES = 256
"""The largest buffer of a kernel on the stack."""


@dataclass(frozen=True)
class CWorkspace(Workspace):
    """Move the local buffers of kernels to the arena, except small ones.

    stack_bytes: the size up to which a buffer stays on the stack.
    """

    name = "c-workspace"
    stack_bytes: int = STACK_BYTES
