"""Lower kernel functions of the simt level to one source file.

    func.func @add(%x: memref<256xf32>, ..) attributes {tw.launch = #simt.launch<..>} { .. }
    =>
    __kernel __attribute__((reqd_work_group_size(64, 1, 1)))
    void add(const __global float *restrict p0, ..) { .. }

A kernel takes a pointer per memref, then its symbolic sizes. The arithmetic is the same as in
loop_to_llvm/, with the same polynomials, so results equal those of a CPU with fused multiply-adds
bit by bit.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func

from ...dialects.shape import size_parameters
from ...support.precision import STRICT_MATH
from ..device_kernels import (
    DynamicShared,
    KernelArgument,
    buffers_of,
    dynamic_shared,
    required_launch,
)
from ..lane_lists import LANE_HANDLERS
from ..loop_to_llvm.op_emitter import Handlers
from ..loop_to_llvm.types import memory_type
from . import async_copy, control, matrix, memory, shuffle, warpgroup
from .dialect import CDialect
from .emitter import CEmitter
from .types import c_type

HANDLERS: Handlers = {
    **LANE_HANDLERS,
    **memory.HANDLERS,
    **control.HANDLERS,
    **matrix.HANDLERS,
    **warpgroup.HANDLERS,
    **async_copy.HANDLERS,
    **shuffle.HANDLERS,
}


def emit_kernel(function: func.FuncOp, dialect: CDialect, symbol: str) -> CEmitter:
    """Emit one kernel function; return its emitter, which holds the lines and helper functions.

    symbol: the name of the kernel, an identifier of C.
    Errors: LoweringError for an op or type that the language does not support, and for a function
    without a launch configuration.
    """
    launch = required_launch(function)
    e = CEmitter(dialect, HANDLERS, strict_math=STRICT_MATH in function.attributes)
    e.dynamic = dynamic_shared(function) if dialect.dynamic else DynamicShared()
    parameters = _parameters(e, function)
    x, y, z = launch.block
    head = dialect.kernel.format(x=x, y=y, z=z, threads=launch.threads, name=symbol)
    e.line(f"{head}({', '.join(parameters)}) {{")
    if e.dynamic.size_bytes:
        e.line(dialect.dynamic.format(alignment=e.dynamic.alignment))
    e.depth = 1
    e.emit_block(function.body.block)
    e.depth = 0
    e.line("}")
    return e


def _parameters(e: CEmitter, function: func.FuncOp) -> list[str]:
    texts = [_pointer(e, buffer, number) for number, buffer in enumerate(buffers_of(function))]
    for number, name in enumerate(size_parameters(function)):
        e.sizes[name] = f"size{number}"
        texts.append(e.dialect.size.format(name=f"size{number}", position=len(texts)))
    if e.dialect.parameters_have_ids:
        texts.append("uint3 block [[threadgroup_position_in_grid]]")
        texts.append("uint3 thread_ [[thread_position_in_threadgroup]]")
    return texts


def _pointer(e: CEmitter, buffer: KernelArgument, number: int) -> str:
    e.values[buffer.value] = name = f"p{number}"
    type_ = c_type(memory_type(buffer.type).format).held
    const = "" if buffer.is_written else "const "
    return e.dialect.pointer.format(
        const=const, type=e.type_name(type_), name=name, position=number
    )


def emit_program(kernels: Sequence[tuple[str, func.FuncOp]], dialect: CDialect) -> str:
    """Return the source of several kernels as one file.

    kernels: the symbol and the function of each kernel.
    Errors: as for `emit_kernel`.
    """
    emitted = [emit_kernel(function, dialect, symbol) for symbol, function in kernels]
    helpers: dict[str, str] = {}
    for e in emitted:
        helpers |= e.helpers
    texts = [*helpers.values(), *("\n".join(e.lines) for e in emitted)]
    named = dialect.definitions.items()
    defined = [line for name, line in named if any(name in text for text in texts)]
    parts = ["\n".join(dialect.prologue), *defined, *texts]
    return "\n\n".join(parts) + "\n"
