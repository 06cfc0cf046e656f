"""Handlers of matrix instructions: mma.sync and ldmatrix of NVIDIA, MFMA and WMMA of AMD."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import bf16, f16, f32, i8
from xdsl.ir import Attribute, SSAValue

from ...dialects import simt
from ...dialects.dtypes import bit_width
from ...support.diagnostics import LoweringError
from ..loop_to_llvm.emitter import KernelEmitter
from ..loop_to_llvm.op_emitter import Handlers
from .dialect import DeviceEmitter


def emit_mma(e: DeviceEmitter, op: simt.MmaOp) -> None:
    """Emit simt.mma: for NVIDIA as one mma.sync, whose operands are words of 32 bits.

    Errors: LoweringError for a matrix unit that the back end does not have.
    """
    if op.unit_name not in e.dialect.units:
        raise LoweringError(
            f"no code for the unit {op.unit_name} of a matrix instruction",
            expected=", ".join(e.dialect.units),
            got=op.unit_name,
            hint="schedule the kernel with an intrinsic of the target",
        ).at(op)
    if op.unit_name != simt.MMA:
        _emit_amd(e, op)
        return
    is_half, is_bytes = op.element_type == f16, op.element_type == i8
    is_tf32 = op.element_type == f32
    words = [*_words(e, op.lhs, is_half=is_half), *_words(e, op.rhs, is_half=is_half)]
    if is_tf32:
        words = [_tf32(e, word) for word in words]
    acc, count = e.values[op.acc], simt.OUT.registers
    sums = [e.emit(f"extractelement {e.type_of(op.acc).text} {acc}, i32 {r}") for r in range(count)]
    sum_type, word = e.type_of(op.acc).scalar.text, "<2 x half>" if is_half else "i32"
    signs = dict.fromkeys("u8" if sign else "s8" for sign in (op.lhs_unsigned, op.rhs_unsigned))
    steps = simt.SHAPES[op.element_type].lhs.columns
    name = ".".join(signs) if is_bytes else "f32.f32" if is_half else "tf32" if is_tf32 else "bf16"
    kind = f"k{steps}.row.col.{name}"
    function = f"@llvm.nvvm.mma.m16n8{kind}"
    result = f"{{ {', '.join([sum_type] * count)} }}"
    types = [*[word] * len(words), *[sum_type] * count]
    e.declarations.add(f"declare {result} {function}({', '.join(types)})")
    operands = zip(types, [*words, *sums], strict=True)
    made = e.emit(f"call {result} {function}({', '.join(f'{t} {v}' for t, v in operands)})")
    lanes = [e.emit(f"extractvalue {result} {made}, {r}") for r in range(count)]
    e.define(op.res, e.pack(e.type_of(op.res), lanes))


_AMD: Mapping[tuple[str, Attribute], tuple[str, str]] = {
    (simt.MFMA, f16): ("mfma.f32.16x16x16f16", "<4 x half>"),
    (simt.MFMA, bf16): ("mfma.f32.16x16x16bf16.1k", "<4 x i16>"),
    (simt.MFMA, i8): ("mfma.i32.16x16x32.i8", "i64"),
    (simt.WMMA, f16): ("wmma.f32.16x16x16.f16.v8f32.v16f16", "<16 x half>"),
    (simt.WMMA, bf16): ("wmma.f32.16x16x16.bf16.v8f32.v16i16", "<16 x i16>"),
    (simt.WMMA, i8): ("wmma.i32.16x16x16.iu8.v8i32.v4i32", "<4 x i32>"),
}
"""The functions of AMD's units after ``llvm.amdgcn``, and the types of their operands."""


def _emit_amd(e: KernelEmitter, op: simt.MmaOp) -> None:
    """Emit simt.mma as an instruction of AMD's GPUs, MFMA or WMMA, whose operands are vectors.

    After the operands, MFMA takes three integers that permute them.  WMMA of bytes takes the
    signedness before each operand, and at the end whether the accumulators saturate.
    """
    name, type_ = _AMD[op.unit_name, op.element_type]
    lhs, rhs = (
        (type_, e.emit(f"bitcast {e.type_of(v).text} {e.values[v]} to {type_}"))
        for v in (op.lhs, op.rhs)
    )
    sums = e.type_of(op.acc).text, e.values[op.acc]
    operands = [lhs, rhs, sums]
    if op.unit_name == simt.MFMA:
        operands += [("i32", "0")] * 3
    elif op.element_type == i8:
        signs = (("i1", str(int(u is None))) for u in (op.lhs_unsigned, op.rhs_unsigned))
        operands = [next(signs), lhs, next(signs), rhs, sums, ("i1", "0")]
    function = f"@llvm.amdgcn.{name}"
    types = ", ".join(t for t, _ in operands)
    e.declarations.add(f"declare {sums[0]} {function}({types})")
    values = ", ".join(f"{t} {v}" for t, v in operands)
    e.define(op.res, e.emit(f"call {sums[0]} {function}({values})"))


def emit_load_matrix(e: KernelEmitter, op: simt.LoadMatrixOp) -> None:
    """Emit simt.load_matrix as one ldmatrix, which loads 32-bit words of two elements.

    The address in the inline assembly consists of a register, which other loads share, and a
    constant offset. With LLVM's intrinsic, each load of a tile would compute its own address and
    need two more registers.
    """
    count, order = op.matrices, ".trans" if op.transposed else ""
    pointer, offset = e.address_and_offset(op)
    assert isinstance(offset, int), "shared buffers have static sizes"
    shared = e.emit(f"addrspacecast ptr {pointer} to ptr addrspace(3)")
    address = e.emit(f"ptrtoint ptr addrspace(3) {shared} to i32")
    results = ", ".join(f"${n}" for n in range(count))
    offset_bytes = offset * bit_width(op.res.type.element_type) // 8
    text = f"ldmatrix.sync.aligned.m8n8.x{count}{order}.shared.b16"
    text = f"{text} {{{results}}}, [${count}+{offset_bytes}];"
    result = "i32" if count == 1 else f"{{ {', '.join(['i32'] * count)} }}"
    constraints = ",".join([*["=r"] * count, "r", "~{memory}"])
    call = f'call {result} asm sideeffect "{text}", "{constraints}"(i32 {address})'
    made = e.emit(f"{call} convergent nounwind")
    words, vector = f"<{count} x i32>", "poison"
    for n in range(count):
        word = made if count == 1 else e.emit(f"extractvalue {result} {made}, {n}")
        vector = e.emit(f"insertelement {words} {vector}, i32 {word}, i32 {n}")
    e.define(op.res, e.emit(f"bitcast {words} {vector} to {e.type_of(op.res).text}"))


def _tf32(e: KernelEmitter, word: str) -> str:
    function = "@llvm.nvvm.f2tf32.rna"
    e.declarations.add(f"declare i32 {function}(float)")
    return e.emit(f"call i32 {function}(float {e.emit(f'bitcast i32 {word} to float')})")


def _words(e: KernelEmitter, value: SSAValue, *, is_half: bool) -> list[str]:
    """Append instructions that divide a vector into 32-bit words; return the words.

    is_half: whether the type of a word is <2 x half>; otherwise, it is i32.
    """
    type_ = e.type_of(value)
    count = type_.bits * type_.lanes // 32
    words = e.emit(f"bitcast {type_.text} {e.values[value]} to <{count} x i32>")
    found = [e.emit(f"extractelement <{count} x i32> {words}, i32 {r}") for r in range(count)]
    return [e.emit(f"bitcast i32 {word} to <2 x half>") for word in found] if is_half else found


HANDLERS: Handlers = {
    simt.MmaOp: emit_mma,
    simt.LoadMatrixOp: emit_load_matrix,
}
