"""Kernels of a module by name, and calls of kernels of any level on arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..dialects.simt import launch_of
from ..dialects.te.kernel import KernelOp
from . import loop, simt, te
from .memory import Array

Kernel: TypeAlias = KernelOp | FuncOp


def call_kernel(kernel: Kernel, arrays: Sequence[Array]) -> None:
    """Run a te, loop or simt kernel, which writes its results to some of the arrays.

    arrays: one per argument of the kernel. A te.kernel must be in buffer form: its last arguments
    are the results.
    """
    if isinstance(kernel, KernelOp):
        te.run_kernel(kernel, *arrays)
    elif launch_of(kernel) is not None:
        simt.run_kernel(kernel, *arrays)
    else:
        loop.run_function(kernel, *arrays)


def symbols(module: ModuleOp) -> dict[str, Kernel]:
    """Return the functions and kernels of a module, main included, by their symbol names."""
    return {
        op.sym_name.data: op for op in module.body.block.ops if isinstance(op, FuncOp | KernelOp)
    }
