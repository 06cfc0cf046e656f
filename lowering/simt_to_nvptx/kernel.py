"""Lower kernel functions of the simt level to one LLVM IR module for NVPTX.

    func.func @add(%x: memref<256xf32>, ..) attributes {tw.launch = #simt.launch<..>} { .. }
    =>
    define ptx_kernel void @add(ptr addrspace(1) noalias readonly align 16 %a0, ..) { .. }

A kernel takes a pointer per memref, then its symbolic sizes as i64. Products and sums stay apart,
as LLVM contracts none that the text does not fuse.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from types import MappingProxyType

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType, VectorType
from xdsl.ir import Attribute, Operation

from ...dialects.dtypes import bit_width
from ...dialects.loop import AllocOp, ForOp
from ...dialects.shape import size_parameters
from ...dialects.simt import MmaOp
from ...support.precision import STRICT_MATH
from ...support.target import Target
from ..device_kernels import Buffer, buffers_of, required_launch
from ..loop_to_llvm import kernel
from ..loop_to_llvm.emitter import Handler
from .emitter import HANDLERS, MOST_ALIGNED_BYTES, NvptxEmitter

TRIPLE = "nvptx64-nvidia-cuda"
_REGISTERS, _MOST_REGISTERS, _MOST_BLOCKS, _WARP, _WARPS = 1 << 16, 255, 16, 32, 4
"""Registers of a multiprocessor and of a thread, blocks that all multiprocessors hold, threads of a
warp, and the warps that have registers together.  Source: CUDA C++ Programming Guide, table of
compute capabilities 8.0 to 12.0; occupancy calculator."""

_MATRIX_REGISTERS = 128
"""Registers of a thread of a kernel with matrix instructions: 64 sums, two steps of fragments, and
addresses."""
_OPERANDS, _ADDRESS, _SIZE, _LEAST_SUMS = 38, 2, 24, 2
"""Registers of a thread besides its sums: two steps of operands and what computes them; per buffer;
and per symbolic size, which is i64, as are its products and bounds.  A bound of a loop that varies
is one more.  The fewest sums that make a bound of the blocks.  Source: with 16 per size, or without
those of bounds, ptxas 12.9 spills in tests/targets/test_spills.py."""
_ALL: Mapping[type[Operation], Handler] = MappingProxyType({**kernel.HANDLERS, **HANDLERS})


def emit_module(kernels: Sequence[tuple[str, func.FuncOp]], target: Target) -> str:
    """Return the LLVM IR of kernels, each with its symbol, as one module.

    Errors: LoweringError for an op or type without machine code, or a function without a launch.
    """
    globals_, functions, declarations = list[str](), list[str](), set[str]()
    for symbol, function in kernels:
        e, text = _emit(function, symbol, target)
        globals_ += e.globals
        functions.append(text)
        declarations |= e.declarations
    head = f'target triple = "{TRIPLE}"'
    return "\n".join([head, *globals_, *functions, *sorted(declarations), "!0 = !{}", ""])


def _emit(function: func.FuncOp, symbol: str, target: Target) -> tuple[NvptxEmitter, str]:
    """Return the emitter of a kernel and the text of its function."""
    launch = required_launch(function)
    e = NvptxEmitter(target, _ALL, symbol, strict_math=STRICT_MATH in function.attributes)
    e.survey(function.body.block, 0)
    parameters = _parameters(e, function)
    for op in function.body.block.ops:
        e.emit_op(op)
    x, y, z = launch.block
    head = f"define ptx_kernel void @{symbol}({', '.join(parameters)})"
    bounds = [f'"nvvm.maxntid"="{x},{y},{z}"']
    if (blocks := _least_blocks(function, launch.threads)) is not None:
        bounds.append(f'"nvvm.minctasm"="{blocks}"')
    lines = [f"{head} nounwind {' '.join(bounds)} {{", "entry:", *e.entry, *e.lines]
    return e, "\n".join([*lines, " ret void", "}"])


def _least_blocks(function: func.FuncOp, threads: int) -> int | None:
    """Return how many blocks a multiprocessor is to hold, None where ptxas chooses.

    By its own choice ptxas takes as few as 48 or 64 registers for some architectures, and spills
    sums.  A bound on the blocks is a bound on the registers, from below as well as from above.
    """
    if any(isinstance(op, MmaOp) for op in function.walk()):
        registers = _MATRIX_REGISTERS
    elif (sums := _sums(function)) >= _LEAST_SUMS:
        registers = sums + _OPERANDS + _addresses(function)
    else:
        return None
    if registers > _MOST_REGISTERS:
        return None
    # A warp has a multiple of 256 registers.
    warps = _REGISTERS // (-(-registers // 8) * 8 * _WARP) // _WARPS * _WARPS
    return max(1, min(warps // -(-threads // _WARP), _MOST_BLOCKS))


def _addresses(function: func.FuncOp) -> int:
    """Return the registers of a thread for buffers, symbolic sizes, and bounds that vary."""
    buffers, bounds = len(list(buffers_of(function))), 0
    for op in function.walk():
        if isinstance(op, AllocOp):
            buffers += op.scope.data == "shared"
        elif isinstance(op, ForOp):
            bounds += sum(not end.is_constant for ends in op.bounds() for end in ends)
    return _ADDRESS * buffers + bounds + _SIZE * len(size_parameters(function))


def _sums(function: func.FuncOp) -> int:
    """Return the registers of a thread for its local buffers, and for the sums of a loop."""
    local, carried = 0, 0
    for op in function.walk():
        if isinstance(op, AllocOp) and op.scope.data == "local":
            local += _words(op.res.type)
        elif isinstance(op, ForOp):
            carried = max(carried, sum(_words(result.type) for result in op.results))
    return local + carried


def _words(type_: Attribute) -> int:
    """Return the registers of a value, or of a buffer of constant sizes in registers."""
    count = 1
    if isinstance(type_, MemRefType | VectorType):
        count = prod(type_.get_shape())
        type_ = type_.get_element_type()
    return count * max(1, bit_width(type_) // 32)


def _parameters(e: NvptxEmitter, function: func.FuncOp) -> list[str]:
    texts = [_pointer(e, buffer, number) for number, buffer in enumerate(buffers_of(function))]
    sizes = {name: f"%n{number}" for number, name in enumerate(size_parameters(function))}
    e.name_sizes(sizes)
    return [*texts, *(f"i64 {text}" for text in sizes.values())]


def _pointer(e: NvptxEmitter, buffer: Buffer, number: int) -> str:
    name, readonly = f"%a{number}", "" if buffer.is_written else "readonly "
    e.values[buffer.value] = e.emit(f"addrspacecast ptr addrspace(1) {name} to ptr")
    return f"ptr addrspace(1) noalias {readonly}align {MOST_ALIGNED_BYTES} {name}"
