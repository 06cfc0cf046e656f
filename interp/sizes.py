"""Programs of symbolic sizes, bound to the shapes of the arrays on which they run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar, cast

from xdsl.dialects import func
from xdsl.ir import Operation

from ..dialects.packed import BindOp, CallOp
from ..dialects.shape import Dim, size_parameters
from ..dialects.sizes import bound_kernel, sizes_of_shapes
from ..dialects.te.kernel import KernelOp
from ..support.diagnostics import TypeMismatch
from .memory import Array

Kernel = TypeVar("Kernel", bound=KernelOp | func.FuncOp)


def with_shapes(
    kernel: KernelOp | func.FuncOp, arrays: Sequence[Array], sizes: Mapping[str, int] | None
) -> Operation:
    """Return a function for the shapes of its arguments: itself, or a copy with numbers as sizes.

    arrays: for the first arguments, or for all.
    """
    if not size_parameters(kernel):
        return kernel
    named = [
        (f"argument {n}", argument.type, array.shape)
        for n, (argument, array) in enumerate(zip(kernel.body.block.args, arrays, strict=False))
    ]
    return bound_kernel(kernel, sizes_of_shapes(named, sizes))


def with_call_sizes(kernel: Kernel, call: CallOp) -> Kernel:
    """Return a kernel with the sizes of a call whose sizes are numbers."""
    sizes = zip(size_parameters(kernel), map(number_of, call.sizes), strict=True)
    return cast("Kernel", bound_kernel(kernel, dict(sizes)))


def number_of(size: Dim | int) -> int:
    """Return a size of a program whose sizes are numbers."""
    value = Dim.of(size).value
    assert value is not None, f"a program runs with numbers as sizes: {size}"
    return value


def check_bound(op: BindOp, values: Array) -> None:
    """Raise TypeMismatch if the program computes other sizes than it runs with."""
    assumed = [number_of(dim) for dim in op.dims]
    if values.reshape(-1).tolist() != assumed:
        raise TypeMismatch(
            "the program computes other sizes than it runs with",
            expected=values.reshape(-1).tolist(),
            got=assumed,
            hint="run it with these sizes",
        ).at(op)


__all__ = ["check_bound", "number_of", "with_call_sizes", "with_shapes"]
