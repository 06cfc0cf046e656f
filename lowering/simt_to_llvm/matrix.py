"""Handlers of matrix instructions, which the back end of NVIDIA has: mma.sync and ldmatrix."""

from __future__ import annotations

from xdsl.dialects.builtin import f16, f32, i8
from xdsl.ir import Operation, SSAValue

from ...dialects import simt
from ...dialects.dtypes import bit_width
from ..loop_to_llvm.emitter import Handler, KernelEmitter


def emit_mma(e: KernelEmitter, op: Operation) -> None:
    """Emit simt.mma: one mma.sync, whose operands are elements in words of 32 bits."""
    assert isinstance(op, simt.MmaOp)
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


def emit_load_matrix(e: KernelEmitter, op: Operation) -> None:
    """Emit simt.load_matrix: one ldmatrix, whose results are pairs of elements in 32 bits.

    As assembly it has an address that other loads share, and an offset; LLVM's function has an
    address of its own, so that each load of a tile needs two more registers.
    """
    assert isinstance(op, simt.LoadMatrixOp)
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
    """Return the words of 32 bits of a vector."""
    type_ = e.type_of(value)
    count = type_.bits * type_.lanes // 32
    words = e.emit(f"bitcast {type_.text} {e.values[value]} to <{count} x i32>")
    found = [e.emit(f"extractelement <{count} x i32> {words}, i32 {r}") for r in range(count)]
    return [e.emit(f"bitcast i32 {word} to <2 x half>") for word in found] if is_half else found


HANDLERS: dict[type[Operation], Handler] = {
    simt.MmaOp: emit_mma,
    simt.LoadMatrixOp: emit_load_matrix,
}
