"""Handlers of matrix instructions, as inline assembly in CUDA C++ only.

    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, ..}, ..;"
        : "=f"(v1), .. : "r"(v5), ..);

Operands are passed as 32-bit words that contain several elements.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.dialects.builtin import bf16, f16, f32, i8
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import simt
from ..lane_lists import joined, lanes_of
from ..loop_to_llvm.op_emitter import Handlers
from .emitter import CEmitter
from .types import c_type

_NAMES: Mapping[Attribute, str] = {f16: "f16", bf16: "bf16", f32: "tf32"}


def emit_mma(e: CEmitter, op: simt.MmaOp) -> None:
    """Emit simt.mma as one mma.sync instruction."""
    _require(e, op, is_known=op.unit_name == simt.MMA)
    steps, is_bytes = op.shape.lhs.columns, op.element_type == i8
    if is_bytes:
        lhs, rhs = ("u8" if sign else "s8" for sign in (op.lhs_unsigned, op.rhs_unsigned))
    else:
        lhs = rhs = _NAMES[op.element_type]
    total, constraint = ("s32", "r") if is_bytes else ("f32", "f")
    operands = [list(_words(e, value)) for value in (op.lhs, op.rhs)]
    sums = lanes_of(e.values[op.acc])
    results = [_declare(e, e.type_of(op.res).element) for _ in sums]
    sizes = [len(results), *(len(words) for words in operands), len(sums)]
    name = f"mma.sync.aligned.m16n8k{steps}.row.col.{total}.{lhs}.{rhs}.{total}"
    inputs = [*(("r", word) for words in operands for word in words)]
    inputs += [(constraint, value) for value in sums]
    _assembly(e, f"{name} {_groups(sizes)};", [(f"={constraint}", r) for r in results], inputs)
    e.define(op.res, joined(results))


def emit_load_matrix(e: CEmitter, op: simt.LoadMatrixOp) -> None:
    """Emit simt.load_matrix as one ldmatrix, which loads 32-bit words of two elements."""
    _require(e, op)
    word, element = e.dialect.types["i32"], e.type_of(op.res)
    pointer = f"{e.values[op.mem]} + ({e.address_text(op)})"
    address = e.variable(c_type("i32"), f"({word})__cvta_generic_to_shared({pointer})")
    words = [_declare(e, "i32") for _ in range(op.matrices)]
    order = ".trans" if op.transposed else ""
    name = f"ldmatrix.sync.aligned.m8n8.x{op.matrices}{order}.shared.b16"
    text = f"{name} {_groups([op.matrices])}, [%{op.matrices}];"
    _assembly(e, text, [("=r", w) for w in words], [("r", address)], is_memory=True)
    held = e.dialect.types[element.element]
    lanes = [f"({held})({w} >> {shift})" for w in words for shift in (0, 16)]
    e.define(op.res, joined([e.variable(element.scalar, lane) for lane in lanes]))


def _require(e: CEmitter, op: Operation, *, is_known: bool = True) -> None:
    if not e.dialect.has_matrices or not is_known:
        raise e.unsupported(op)


def _words(e: CEmitter, value: SSAValue) -> Iterator[str]:
    """Yield the 32-bit words that hold the lanes of a matrix operand; append code that packs them.

    Elements of f32 are rounded to tf32, one per word.
    """
    type_, lanes = e.type_of(value), lanes_of(e.values[value])
    word = e.dialect.types["i32"]
    if type_.bits == 32:
        for lane in lanes:
            rounded = _declare(e, "i32")
            _assembly(e, "cvt.rna.tf32.f32 %0, %1;", [("=r", rounded)], [("f", lane)])
            yield rounded
        return
    count = 32 // type_.bits
    for first in range(0, len(lanes), count):
        part = lanes[first : first + count]
        texts = (f"({word}){lane} << {n * type_.bits}" for n, lane in enumerate(part))
        yield e.variable(c_type("i32"), " | ".join(texts))


def _declare(e: CEmitter, element: str) -> str:
    name = e.name("v")
    e.line(f"{e.dialect.types[element]} {name};")
    return name


def _groups(sizes: list[int]) -> str:
    """Return the operands %0, %1, … of inline assembly in groups, such as ``{%0, %1}, {%2}``.

    sizes: the number of operands of each group.
    """
    groups: list[str] = []
    first = 0
    for size in sizes:
        groups.append(f"{{{', '.join(f'%{n}' for n in range(first, first + size))}}}")
        first += size
    return ", ".join(groups)


def _assembly(
    e: CEmitter,
    text: str,
    results: list[tuple[str, str]],
    inputs: list[tuple[str, str]],
    *,
    is_memory: bool = False,
) -> None:
    outs, ins = (", ".join(f'"{c}"({v})' for c, v in part) for part in (results, inputs))
    if is_memory:
        e.line(f'asm volatile("{text}" : {outs} : {ins} : "memory");')
    else:
        e.line(f'asm("{text}" : {outs} : {ins});')


HANDLERS: Handlers = {
    simt.MmaOp: emit_mma,
    simt.LoadMatrixOp: emit_load_matrix,
}
