"""The verifier of kernel calls: each packed.call has the sizes and types of its kernel."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import AffineMapAttr, FunctionType, MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from ..dialects.packed import CallOp
from ..dialects.shape import size_parameters
from ..dialects.sizes import with_sizes
from ..dialects.te import KernelOp, kernels_of
from ..dialects.te.layout import layout_shape
from ..support.diagnostics import ModelError
from ..support.entry import kernel_functions


def verify_calls(module: ModuleOp) -> None:
    """Refuse calls whose types differ from those of a kernel in the module.

    A weight that a kernel reads in another layout (``packs``) has its own type in a call, until
    packed-pack-constants stores it in that layout.
    Errors: ModelError.
    """
    kernels = _kernels_of(module)
    for call in _calls_in(module):
        kernel = kernels.get(call.kernel_name)
        if kernel is None:
            continue
        names = size_parameters(kernel)
        if len(names) != len(call.sizes):
            raise ModelError(
                f"@{call.kernel_name} is called with the wrong number of sizes",
                expected=", ".join(names) or "no sizes",
                got=", ".join(map(str, call.sizes)) or "no sizes",
                hint="give each size of the kernel a value: sizes [..]",
            ).at(call)
        packs = kernel.pack_maps if isinstance(kernel, KernelOp) else {}
        types = [
            _stored_type(type_, packs[n]) if n in packs else type_
            for n, type_ in enumerate(call.operand_types)
        ]
        given = FunctionType.from_lists(types, call.result_types)
        expected = with_sizes(kernel.function_type, dict(zip(names, call.sizes, strict=True)))
        if given != expected:
            raise ModelError(
                f"@{call.kernel_name} is called with wrong types",
                expected=str(expected),
                got=str(given),
            ).at(call)


def verify_callees(module: ModuleOp) -> None:
    """Refuse calls of kernels that are not in the module, as in a part of a program.

    Errors: ModelError.
    """
    kernels = _kernels_of(module)
    for call in _calls_in(module):
        if call.kernel_name not in kernels:
            raise ModelError(
                "the called kernel is not in the module",
                expected=f"one of {', '.join(kernels)}",
                got=call.kernel_name,
            ).at(call)


def _calls_in(module: ModuleOp) -> Iterator[CallOp]:
    return (op for op in module.walk() if isinstance(op, CallOp))


def _kernels_of(module: ModuleOp) -> dict[str, FuncOp | KernelOp]:
    callees = (*kernel_functions(module), *kernels_of(module))
    return {op.sym_name.data: op for op in callees}


def _stored_type(type_: Attribute, layout: AffineMapAttr) -> Attribute:
    """Return the type of a buffer whose elements are stored in a layout."""
    if not isinstance(type_, MemRefType) or layout.data.num_dims != type_.get_num_dims():
        return type_
    return MemRefType(type_.element_type, layout_shape(layout, type_.get_shape()))
