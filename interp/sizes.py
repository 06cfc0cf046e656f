"""Binding of symbolic sizes to the shapes of the arrays on which a program is interpreted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar, cast

from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ..dialects.packed import BindOp, CallOp, LoopOp
from ..dialects.shape import Dim, dims_of, size_parameters, symbols_of
from ..dialects.sizes import (
    bind_sizes,
    bound_kernel,
    computed_sizes,
    recorded_bounds,
    recorded_limits,
    sizes_of_shapes,
)
from ..dialects.te.kernel import KernelOp
from ..support.diagnostics import TypeMismatch
from .memory import Array

Kernel = TypeVar("Kernel", bound=KernelOp | FuncOp)


class Shaped(Protocol):
    """Protocol of arrays: objects with a shape."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the dimensions."""
        ...


def with_shapes(
    kernel: KernelOp | FuncOp, arrays: Sequence[Shaped], sizes: Mapping[str, int] | None
) -> Operation:
    """Return a copy of a function in which its symbolic sizes are integers.

    arrays: its arguments, or only the first ones; the integers follow from their shapes.  sizes:
    the values of symbols that no shape determines.
    A function without symbolic sizes is returned itself. Sizes that the function computes remain
    symbols; see ``bind_computed``.
    """
    if not size_parameters(kernel):
        return kernel
    computed = computed_sizes(kernel)
    named = [
        (f"argument {n}", argument.type, array.shape)
        for n, (argument, array) in enumerate(zip(kernel.body.block.args, arrays, strict=False))
        if symbols_of(argument.type).isdisjoint(computed)
    ]
    return bound_kernel(kernel, sizes_of_shapes(named, sizes))


def with_call_sizes(kernel: Kernel, call: CallOp) -> Kernel:
    """Return a copy of a kernel in which the integers of a call replace its size parameters."""
    sizes = zip(size_parameters(kernel), map(number_of, call.sizes), strict=True)
    return cast("Kernel", bound_kernel(kernel, dict(sizes)))


def number_of(size: Dim | int) -> int:
    """Convert a size of a program without symbolic sizes to an integer."""
    value = Dim.of(size).value
    assert value is not None, f"a program runs with numbers as sizes: {size}"
    return value


def output_sizes(
    main: FuncOp, names: Sequence[str], shapes: Sequence[tuple[int, ...]]
) -> list[int]:
    """Return the sizes of all dimensions of all outputs of main, one output after the other.

    names: the names of the inputs, for messages.  shapes: the shapes of the inputs.
    Sizes that main computes have their largest values.
    Errors: TypeMismatch if a symbol would have two values, or if a size differs from its
    expression.
    """
    types = [argument.type for argument in main.body.block.args]
    sizes = sizes_of_shapes(zip(names, types, shapes, strict=False))
    for name, bound in recorded_bounds(main).items():
        sizes[name] = bound.evaluate(sizes)
    outputs = (cast(MemRefType, type_) for type_ in types[len(shapes) :])
    return [dim.evaluate(sizes) for type_ in outputs for dim in dims_of(type_)]


def bind_computed(op: BindOp, values: Array) -> None:
    """Replace, in the whole program, the symbols of a packed.bind by the computed values.

    Errors: TypeMismatch for a size that is negative, or outside of a recorded limit.
    """
    main = op.parent_op()
    assert main is not None, "main binds sizes"
    names = [str(dim) for dim in op.dims]
    sizes = dict(zip(names, map(int, values.reshape(-1)), strict=True))
    for name, size in sizes.items():
        if size < 0:
            raise TypeMismatch(
                "the inputs lead to a size that is not valid",
                expected=f"{name} of at least 0",
                got=size,
                hint="check the inputs that it follows from",
            ).at(op)
    bind_sizes(main, sizes)
    for dim, (least, most) in recorded_limits(cast("FuncOp", main)).items():
        if dim.value is not None and not least <= dim.value <= most:
            raise TypeMismatch(
                "a size is outside of its range",
                expected=f"{least}..{most}",
                got=dim,
                hint="check the inputs that it follows from",
            ).at(op)


def iteration(op: LoopOp, number: int) -> LoopOp:
    """Return a copy of a loop in which ``number`` replaces the symbol of its iteration number.

    A loop without such a symbol is returned itself.
    """
    if op.symbol is None:
        return op
    copy = op.clone()
    bind_sizes(copy, {op.symbol: number})
    copy.drop_all_references()  # values outside the loop get no further uses
    return copy
