"""Handlers of the products of warpgroups: wgmma of NVIDIA, which LLVM has no functions for.

A product is one piece of inline assembly: a fence, an instruction per step, and the commit of their
group.  Its accumulators are operands and results, and so are those of a wait, so no use of them
moves before it.  Source: PTX ISA 8.8, section 9.7.15.5.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import f16
from xdsl.ir import Operation, SSAValue

from ...dialects import simt
from ...dialects.simt.warpgroup import ADDRESS_BITS, UNIT_BYTES
from ...support.diagnostics import LoweringError
from ..loop_to_llvm.emitter import Handler, KernelEmitter
from ..loop_to_llvm.types import LlvmType
from .dialect import DeviceEmitter


def emit_descriptor(e: KernelEmitter, op: Operation) -> None:
    """Emit simt.matrix_descriptor as the address in shared memory with the constant fields."""
    assert isinstance(op, simt.MatrixDescriptorOp)
    _require(e, op)
    shared = e.emit(f"addrspacecast ptr {e.address(op)} to ptr addrspace(3)")
    address = e.emit(f"ptrtoint ptr addrspace(3) {shared} to i32")
    units = e.emit(f"lshr i32 {address}, {UNIT_BYTES.bit_length() - 1}")
    field = e.emit(f"and i32 {units}, {(1 << ADDRESS_BITS) - 1}")
    wide = e.emit(f"zext i32 {field} to i64")
    e.define(op.res, e.emit(f"or disjoint i64 {wide}, {op.fields}"))


def emit_mma(e: KernelEmitter, op: Operation) -> None:
    """Emit simt.warpgroup_mma as one group of wgmma.mma_async."""
    assert isinstance(op, simt.WarpgroupMmaOp)
    _require(e, op)
    count, steps = 4 * len(op.acc), len(op.lhs)
    sums = ", ".join(f"${n}" for n in range(count))
    element = "f16" if op.element == f16 else "bf16"
    name = f"m64n{op.columns}k{simt.GROUP_STEP}.f32.{element}.{element}"
    flags = f"1, 1, 1, {int(op.lhs_rows is not None)}, {int(op.rhs_rows is not None)}"
    lines = ["wgmma.fence.sync.aligned;"]
    for n in range(steps):
        lhs, rhs = 2 * count + n, 2 * count + steps + n
        lines.append(f"wgmma.mma_async.sync.aligned.{name} {{{sums}}}, ${lhs}, ${rhs}, {flags};")
    lines.append("wgmma.commit_group.sync.aligned;")
    descriptors = [e.values[value] for value in (*op.lhs, *op.rhs)]
    _emit_sums(e, " ".join(lines), op.acc, op.res, descriptors)


def emit_wait(e: KernelEmitter, op: Operation) -> None:
    """Emit simt.warpgroup_wait as wgmma.wait_group."""
    assert isinstance(op, simt.WarpgroupWaitOp)
    _require(e, op)
    _emit_sums(e, f"wgmma.wait_group.sync.aligned {op.pending.data};", op.values, op.res, ())


def _emit_sums(
    e: KernelEmitter,
    text: str,
    values: Sequence[SSAValue],
    results: Sequence[SSAValue],
    descriptors: Sequence[str],
) -> None:
    """Emit inline assembly that changes accumulators in their registers.

    values, results: the accumulators before and after it.  descriptors: its further operands.
    """
    types = [e.type_of(value) for value in values]
    sums = [(t, e.extract(t, e.values[v], n)) for t, v in zip(types, values, strict=True)
            for n in range(t.lanes)]  # fmt: skip
    count, element = len(sums), "float"
    ties = [str(n) for n in range(count)]
    constraints = ",".join([*["=f"] * count, *ties, *["l"] * len(descriptors), "~{memory}"])
    operands = [f"{element} {x}" for _, x in sums] + [f"i64 {x}" for x in descriptors]
    result = f"{{ {', '.join([element] * count)} }}" if count else "void"
    call = f'call {result} asm sideeffect "{text}", "{constraints}"({", ".join(operands)})'
    if not count:
        e.lines.append(f" {call} convergent nounwind")
        return
    made = e.emit(f"{call} convergent nounwind")
    place = 0
    for type_, value in zip(types, results, strict=True):
        e.define(value, _packed(e, type_, result, made, place))
        place += type_.lanes


def _packed(e: KernelEmitter, type_: LlvmType, struct: str, value: str, first: int) -> str:
    lanes = [e.emit(f"extractvalue {struct} {value}, {first + n}") for n in range(type_.lanes)]
    return e.pack(type_, lanes)


def _require(e: KernelEmitter, op: Operation) -> None:
    assert isinstance(e, DeviceEmitter), "the handlers of GPUs"
    if simt.ASYNC not in e.dialect.barriers:
        raise LoweringError(
            "the target has no warpgroups", got=op.name, hint="leave out simt-form-warpgroups"
        ).at(op)


HANDLERS: dict[type[Operation], Handler] = {
    simt.MatrixDescriptorOp: emit_descriptor,
    simt.WarpgroupMmaOp: emit_mma,
    simt.WarpgroupWaitOp: emit_wait,
}
