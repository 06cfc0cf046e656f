"""Lower a kernel function of the loop level to a C99 function that a person can read.

    func.func @matmul(%x0: memref<1x8xf32>, %w1: memref<8x4xf32>, %out: memref<1x4xf32>) { .. }
    =>
    static void matmul(const float *mean, const float *v, float *scores)
    {
        for (int32_t n = 0; n < 4; n++) {
            float sum = 0.0f;
            for (int32_t k = 0; k < 8; k++) {
                sum += mean[k] * v[k * 4 + n];
    ..

The arithmetic is that of loop_to_llvm/, with the same polynomials.

Before: the kernel has static sizes, no parallel loops, and no vectors but those of intrinsics.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...dialects import loop
from ...dialects.functions import WORKSPACE_BYTES, recorded_bytes
from ...support.precision import STRICT_MATH
from ..device_kernels import KernelArgument, buffers_of
from ..lane_lists import LANE_HANDLERS
from ..loop_to_llvm.op_emitter import Handlers
from ..loop_to_llvm.types import memory_type
from . import acle, control
from .dialect import LANGUAGES, C99Type, Language
from .emitter import CKernelEmitter

HANDLERS: Handlers = {**LANE_HANDLERS, **control.HANDLERS, **acle.HANDLERS}


@dataclass(frozen=True)
class CKernel:
    """A kernel as a C function.

    name: the name of the function.
    parameters: the C type of each parameter; all are pointers.
    text: the definition of the function.
    """

    name: str
    parameters: tuple[str, ...]
    text: str


def emit_kernel(
    function: FuncOp,
    name: str,
    arguments: Sequence[str],
    functions: dict[str, str],
    taken: Collection[str] = (),
    language: Language = LANGUAGES["c"],
) -> CKernel:
    """Return a kernel function as a C function.

    name: the name of the C function.
    arguments: a wanted name for each parameter.
    functions: the helper functions of the program, by name; those that the kernel needs are added.
    taken: the names that helper functions cannot have.
    language: C99, or a language made from its text.
    Errors: LoweringError for an op or type that C99 cannot express.
    """
    is_strict = STRICT_MATH in function.attributes
    e = CKernelEmitter(HANDLERS, functions, taken, language, strict_math=is_strict)
    heads: list[str] = []
    types: list[str] = []
    for buffer, wanted in zip(buffers_of(function), arguments, strict=True):
        chosen = e.values[buffer.value] = e.unique(wanted)
        type_, is_signed = _element(e, buffer)
        if is_signed:
            e.signed.add(chosen)
        const = "" if buffer.is_written else "const "
        types.append(f"{const}{type_} *")
        heads.append(f"{const}{type_} *restrict {chosen}")
    if recorded_bytes(function, WORKSPACE_BYTES):
        types.append("unsigned char *")
        heads.append(f"unsigned char *{e.unique(control.WORKSPACE_NAME)}")
    e.depth = 1
    e.emit_block(function.body.block)
    text = f"{_head(name, heads)}\n{{\n{e.finished()}\n}}"
    return CKernel(name, tuple(types), text)


def _head(name: str, parameters: Sequence[str]) -> str:
    """Return the head of a function definition; a long one has one parameter per line.

    parameters: the declarations of the parameters.
    """
    line = f"static void {name}({', '.join(parameters)})"
    if len(line) <= 96:
        return line
    return f"static void {name}(\n    " + ",\n    ".join(parameters) + ")"


def _element(e: CKernelEmitter, buffer: KernelArgument) -> tuple[str, bool]:
    held = memory_type(buffer.type)
    type_ = C99Type.made(held.format).held
    name = e.type_name(type_)
    is_integer = held.format[0] == "i" and held.format != "i1"
    is_signed = is_integer and (held.bits > 16 or _is_signed(buffer.value))
    return (name.removeprefix("u"), True) if is_signed else (name, False)


_UNSIGNED = (arith.ExtUIOp, arith.UIToFPOp, arith.DivUIOp, arith.RemUIOp, arith.ShRUIOp)


def _is_signed(buffer: SSAValue) -> bool:
    """Return whether the elements of a buffer are signed integers, as a kernel uses them.

    This is so if the kernel converts some elements as signed integers, and uses none as unsigned
    ones.
    """
    users = [use.operation for use in buffer.uses]
    loads = [op for op in users if isinstance(op, loop.LoadOp)]
    readers = [use.operation for op in loads for use in op.res.uses]
    kinds = {op.kind.data if isinstance(op, loop.CastOp) else op.name for op in readers}
    return bool(kinds & {"arith.extsi", "arith.sitofp", "extsi", "sitofp"}) and not any(
        isinstance(op, _UNSIGNED) for op in readers
    )
