"""Lower kernel functions of the simt level to one LLVM IR module for a GPU back end.

    func.func @add(%x: memref<256xf32>, ..) attributes {tw.launch = #simt.launch<..>} { .. }
    =>
    define ptx_kernel void @add(ptr addrspace(1) noalias readonly align 16 %a0, ..) { .. }

The parameters of a kernel are a pointer per memref, then its symbolic sizes as i64.  LLVM fuses a
product with a sum only where the emitted IR has an fma.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func

from ...dialects.shape import size_parameters
from ...machines.target import Target
from ...support.precision import STRICT_MATH
from ..device_kernels import (
    DynamicShared,
    KernelArgument,
    buffers_of,
    dynamic_shared,
    required_launch,
)
from ..loop_to_llvm import kernel
from ..loop_to_llvm.op_emitter import Handlers
from . import shuffle
from .dialect import NVPTX, LlvmDialect
from .emitter import HANDLERS, MOST_ALIGNED_BYTES, GpuKernelEmitter

_ALL: Handlers = {**kernel.HANDLERS, **HANDLERS, **shuffle.HANDLERS}


def emit_module(
    kernels: Sequence[tuple[str, func.FuncOp]], target: Target, dialect: LlvmDialect = NVPTX
) -> str:
    """Return several kernels as one module of LLVM IR.

    kernels: the symbol and the function of each kernel.
    Errors: LoweringError for an op or type that LLVM IR for the target cannot express, or a
    function without a launch.
    """
    globals_, functions, declarations = list[str](), list[str](), set[str]()
    metadata = set(dialect.metadata)
    for symbol, function in kernels:
        e, text = _emit(function, symbol, target, dialect)
        globals_ += e.globals
        functions.append(text)
        declarations |= e.declarations
        metadata |= e.metadata
    head = [f'target datalayout = "{dialect.layout}"'] if dialect.layout else []
    head.append(f'target triple = "{dialect.triple}"')
    tail = ["!0 = !{}", *sorted(metadata), ""]
    return "\n".join([*head, *globals_, *functions, *sorted(declarations), *tail])


def _emit(
    function: func.FuncOp, symbol: str, target: Target, dialect: LlvmDialect
) -> tuple[GpuKernelEmitter, str]:
    launch = required_launch(function)
    is_strict = STRICT_MATH in function.attributes
    e = GpuKernelEmitter(target, _ALL, symbol, dialect, strict_math=is_strict)
    e.dynamic = dynamic_shared(function) if dialect.has_dynamic_shared else DynamicShared()
    e.survey(function.body.block, 0)
    parameters = _parameters(e, function)
    for op in function.body.block.ops:
        e.emit_op(op)
    head = f"define {dialect.convention} void @{symbol}({', '.join(parameters)})"
    bounds = dialect.attributes(function, launch, target)
    lines = [f"{head} nounwind {' '.join(bounds)} {{", "entry:", *e.entry, *e.lines]
    return e, "\n".join([*lines, " ret void", "}"])


def _parameters(e: GpuKernelEmitter, function: func.FuncOp) -> list[str]:
    texts = [_pointer(e, buffer, number) for number, buffer in enumerate(buffers_of(function))]
    sizes = {name: f"%n{number}" for number, name in enumerate(size_parameters(function))}
    e.name_sizes(sizes)
    return [*texts, *(f"i64 {text}" for text in sizes.values())]


def _pointer(e: GpuKernelEmitter, buffer: KernelArgument, number: int) -> str:
    name, readonly = f"%a{number}", "" if buffer.is_written else "readonly "
    e.values[buffer.value] = e.emit(f"addrspacecast ptr addrspace(1) {name} to ptr")
    return f"ptr addrspace(1) noalias {readonly}align {MOST_ALIGNED_BYTES} {name}"
