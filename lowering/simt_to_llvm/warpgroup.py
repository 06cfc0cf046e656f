"""Handlers of the products of warpgroups: wgmma of NVIDIA, which LLVM has no functions for.

A product is one piece of inline assembly. The accumulators of a product or of a wait are operands
and results of its assembly, so LLVM moves no use of the results before the assembly.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ...dialects import simt
from ...dialects.simt.warpgroup import ADDRESS_BITS, UNIT_BYTES
from ..loop_to_llvm.emitter import KernelEmitter
from ..loop_to_llvm.op_emitter import Handlers
from ..loop_to_llvm.types import LlvmType
from ..warpgroup_code import product_text, require_warpgroups, wait_text
from .dialect import DeviceEmitter


def emit_descriptor(e: DeviceEmitter, op: simt.MatrixDescriptorOp) -> None:
    """Emit simt.matrix_descriptor, which describes a tile in shared memory to wgmma.

    The value combines the address of the tile and constant fields.
    """
    require_warpgroups(op, e.dialect.barriers)
    shared = e.emit(f"addrspacecast ptr {e.address(op)} to ptr addrspace(3)")
    address = e.emit(f"ptrtoint ptr addrspace(3) {shared} to i32")
    units = e.emit(f"lshr i32 {address}, {UNIT_BYTES.bit_length() - 1}")
    field = e.emit(f"and i32 {units}, {(1 << ADDRESS_BITS) - 1}")
    wide = e.emit(f"zext i32 {field} to i64")
    e.define(op.res, e.emit(f"or disjoint i64 {wide}, {op.fields}"))


def emit_mma(e: DeviceEmitter, op: simt.WarpgroupMmaOp) -> None:
    """Emit simt.warpgroup_mma as one group of wgmma.mma_async instructions."""
    require_warpgroups(op, e.dialect.barriers)
    count = 4 * len(op.acc)
    # The results come first, then the accumulators, which are in the same registers.
    names = [f"${n}" for n in (*range(count), *range(2 * count, 2 * (count + len(op.lhs))))]
    descriptors = [e.values[value] for value in (*op.lhs, *op.rhs)]
    _emit_sums(e, product_text(op, names), op.acc, op.res, descriptors)


def emit_wait(e: DeviceEmitter, op: simt.WarpgroupWaitOp) -> None:
    """Emit simt.warpgroup_wait as wgmma.wait_group; the results are the accumulators."""
    require_warpgroups(op, e.dialect.barriers)
    _emit_sums(e, wait_text(op), op.values, op.res, ())


def _emit_sums(
    e: KernelEmitter,
    text: str,
    values: Sequence[SSAValue],
    results: Sequence[SSAValue],
    descriptors: Sequence[str],
) -> None:
    """Emit inline assembly that updates accumulators in their registers.

    text: the assembly.
    values: the accumulators before the assembly.
    results: the same accumulators after it.
    descriptors: the further operands of the assembly.
    """
    types = [e.type_of(value) for value in values]
    pairs = zip(types, (e.values[value] for value in values), strict=True)
    sums = [e.extract(type_, x, n) for type_, x in pairs for n in range(type_.lanes)]
    count, element = len(sums), "float"
    ties = [str(n) for n in range(count)]
    constraints = ",".join([*["=f"] * count, *ties, *["l"] * len(descriptors), "~{memory}"])
    operands = [f"{element} {x}" for x in sums] + [f"i64 {x}" for x in descriptors]
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


HANDLERS: Handlers = {
    simt.MatrixDescriptorOp: emit_descriptor,
    simt.WarpgroupMmaOp: emit_mma,
    simt.WarpgroupWaitOp: emit_wait,
}
