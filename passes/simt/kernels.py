"""The kernels of a module, before and after simt-map-threads."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...dialects.simt import LAUNCH
from ...support.entry import kernel_functions


def fork_join_kernels(module: ModuleOp) -> list[FuncOp]:
    """Return the kernels that are not mapped to threads yet."""
    return [f for f in kernel_functions(module) if f.body.blocks and LAUNCH not in f.attributes]


def mapped_kernels(module: ModuleOp) -> list[FuncOp]:
    """Return the kernels that have a launch."""
    return [f for f in kernel_functions(module) if LAUNCH in f.attributes]


__all__ = ["fork_join_kernels", "mapped_kernels"]
