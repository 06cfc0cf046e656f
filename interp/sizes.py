"""Kernels of symbolic sizes, bound to the shapes of the arrays on which they run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import func
from xdsl.ir import Operation

from ..dialects.shape import size_parameters
from ..dialects.sizes import bound_kernel, sizes_of_shapes
from ..dialects.te.kernel import KernelOp
from .memory import Array


def with_shapes(
    kernel: KernelOp | func.FuncOp, arrays: Sequence[Array], sizes: Mapping[str, int] | None
) -> Operation:
    """Return a kernel for the shapes of its arguments: itself, or a copy with numbers as sizes."""
    if not size_parameters(kernel):
        return kernel
    named = [
        (f"argument {n}", argument.type, array.shape)
        for n, (argument, array) in enumerate(zip(kernel.body.block.args, arrays, strict=True))
    ]
    return bound_kernel(kernel, sizes_of_shapes(named, sizes))


__all__ = ["with_shapes"]
