"""Find the kernels of a module for a GPU, before and after simt-map-threads.

Kernels without bound loops are not returned: the backend decides how those run.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...dialects.loop import ForOp
from ...dialects.simt import LAUNCH
from ...support.entry import kernel_functions


def fork_join_kernels(module: ModuleOp) -> list[FuncOp]:
    """Return the kernels with loops bound to threads or blocks."""
    return [f for f in kernel_functions(module) if f.body.blocks and has_bound_loops(f)]


def has_bound_loops(function: FuncOp) -> bool:
    """Return whether a kernel has loops bound to threads or blocks."""
    return any(isinstance(op, ForOp) and op.thread is not None for op in function.walk())


def mapped_kernels(module: ModuleOp) -> list[FuncOp]:
    """Return the kernels that simt-map-threads gave a launch."""
    return [f for f in kernel_functions(module) if LAUNCH in f.attributes]
