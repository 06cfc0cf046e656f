"""Lower kernel functions of the simt level to one file of WGSL.

    func.func @add(%x: memref<256xf32>, ..) attributes {tw.launch = #simt.launch<..>} { .. }
    =>
    @group(0) @binding(0) var<storage, read_write> add_p0: array<f32>;
    ..
    @compute @workgroup_size(64, 1, 1)
    fn add(@builtin(workgroup_id) group_id: vec3<u32>, ..) { .. }

The variables declared before a kernel are its parameters: a storage buffer per memref, then one
structure of the sizes that a launch passes, if there are any.  All buffers are declared writable:
buffers of a memory plan can share memory, and WebGPU does not allow both a writable and a read-only
binding of the same memory.  A grid of more than 65535 blocks is folded into two dimensions, from
which the kernel computes its block index.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from xdsl.dialects import func

from ...dialects import simt
from ...dialects.shape import Dim
from ...support.precision import STRICT_MATH
from ..device_kernels import KernelArgument, buffers_of, errors_name, folds_grid, required_launch
from ..lane_lists import NARROW_HANDLERS
from ..loop_to_llvm.op_emitter import Handlers
from ..loop_to_llvm.types import memory_type
from . import control, memory
from .emitter import WgslEmitter
from .types import INFINITE, NAN, type_name, wgsl_type

HANDLERS: Handlers = {**NARROW_HANDLERS, **memory.HANDLERS, **control.HANDLERS}
SHARED_BYTES = 16384
"""The shared memory of a block that all devices allow."""

_BITS = {NAN: "0x7fc00000u", INFINITE: "0x7f800000u"}
_IDS = (
    "@builtin(workgroup_id) group_id: vec3<u32>",
    "@builtin(local_invocation_id) thread_id: vec3<u32>",
)
_COUNT = "@builtin(num_workgroups) group_count: vec3<u32>"


def emit_kernel(
    function: func.FuncOp, symbol: str, *, shared_bytes: int = SHARED_BYTES
) -> WgslEmitter:
    """Emit one kernel function; return its emitter, which holds declarations, lines and helpers.

    symbol: the name of the kernel, an identifier of WGSL.
    shared_bytes: the most shared memory that a block may use.
    Errors: LoweringError for an op or type that WGSL cannot express, too much shared memory, or a
    function without a launch configuration.
    """
    launch = required_launch(function)
    e = WgslEmitter(symbol, HANDLERS, strict_math=STRICT_MATH in function.attributes)
    e.folds_grid = folds_grid(launch)
    with errors_name(function):
        _emit(e, function, launch)
        # Each element of a shared array takes one or two words.
        e.check_shared(
            shared_bytes, "a block has too much shared memory in WGSL, whose elements are words"
        )
    return e


def _emit(e: WgslEmitter, function: func.FuncOp, launch: simt.LaunchSizes) -> None:
    buffers = list(buffers_of(function))
    for number, buffer in enumerate(buffers):
        _declare(e, buffer, number)
    x, y, z = launch.block
    parameters = ", ".join([*_IDS, *([_COUNT] if e.folds_grid else [])])
    e.line(f"@compute @workgroup_size({x}, {y}, {z})")
    with e.braces(f"fn {e.symbol}({parameters})"):
        e.emit_block(function.body.block)
    if e.numbers:
        fields = ", ".join(f"{name}: i32" for name in e.numbers.values())
        e.declarations.append(f"struct {e.symbol}_Sizes {{ {fields} }}")
        place = f"@group(0) @binding({len(buffers)}) var<uniform>"
        e.declarations.append(f"{place} {e.symbol}_sizes: {e.symbol}_Sizes;")


def _declare(e: WgslEmitter, buffer: KernelArgument, number: int) -> None:
    e.values[buffer.value] = name = f"{e.symbol}_p{number}"
    held = wgsl_type(memory_type(buffer.type).format).held
    element = type_name(held)
    if held.bits < 32:
        e.packed[buffer.value] = buffer.is_written
        element = "atomic<u32>" if buffer.is_written else "u32"
    place = f"@group(0) @binding({number}) var<storage, read_write>"
    e.declarations.append(f"{place} {name}: array<{element}>;")


def numbers_of(function: func.FuncOp) -> list[Dim]:
    """Return the symbolic sizes whose values a launch must pass to a kernel, in order.

    Errors: as for `emit_kernel`.
    """
    e = emit_kernel(function, "k", shared_bytes=sys.maxsize)
    return [Dim.of(extent) for extent in e.numbers]


def emit_program(
    kernels: Sequence[tuple[str, func.FuncOp]], *, shared_bytes: int = SHARED_BYTES
) -> str:
    """Return the source of several kernels as one WGSL file.

    kernels: the symbol and the function of each kernel.  shared_bytes: the most shared memory that
    a block may use.
    Errors: as for `emit_kernel`.
    """
    emitted = [
        emit_kernel(function, symbol, shared_bytes=shared_bytes) for symbol, function in kernels
    ]
    helpers: dict[str, str] = {}
    for e in emitted:
        helpers |= e.helpers
    texts = ["\n".join([*e.declarations, *e.lines]) for e in emitted]
    bits = [
        f"var<private> {name}: u32 = {value};"
        for name, value in _BITS.items()
        if any(name in text for text in texts)
    ]
    return "\n\n".join([*bits, *helpers.values(), *texts]) + "\n"
