"""The verifier of kernel calls: each packed.call has the sizes and types of its kernel."""

from __future__ import annotations

from xdsl.dialects.builtin import FunctionType, ModuleOp

from ..dialects.packed import CallOp
from ..dialects.shape import size_parameters
from ..dialects.sizes import with_sizes
from ..dialects.te import kernels_of
from ..support.diagnostics import ModelError
from ..support.entry import kernel_functions


def verify_calls(module: ModuleOp) -> None:
    """Refuse calls of missing kernels, and calls whose types differ from those of the kernel.

    Errors: ModelError.
    """
    callees = (*kernel_functions(module), *kernels_of(module))
    kernels = {op.sym_name.data: op for op in callees}
    for call in (op for op in module.walk() if isinstance(op, CallOp)):
        kernel = kernels.get(call.kernel_name)
        if kernel is None:
            raise ModelError(
                "the called kernel is not in the module",
                expected=f"one of {', '.join(kernels)}",
                got=call.kernel_name,
            ).at(call)
        names = size_parameters(kernel)
        if len(names) != len(call.sizes):
            raise ModelError(
                f"@{call.kernel_name} is called with the wrong number of sizes",
                expected=", ".join(names) or "no sizes",
                got=", ".join(map(str, call.sizes)) or "no sizes",
                hint="give each size of the kernel a value: sizes [..]",
            ).at(call)
        given = FunctionType.from_lists(call.operand_types, call.result_types)
        expected = with_sizes(kernel.function_type, dict(zip(names, call.sizes, strict=True)))
        if given != expected:
            raise ModelError(
                f"@{call.kernel_name} is called with wrong types",
                expected=str(expected),
                got=str(given),
            ).at(call)
