"""Handlers of the products of warpgroups, as inline assembly in CUDA C++ only.

    unsigned long long d1 = (unsigned)__cvta_generic_to_shared(s1 + ..) >> 4 & 16383 | ..;
    asm volatile("wgmma.fence.sync.aligned; wgmma.mma_async.. wgmma.commit_group.sync.aligned;"
        : "+f"(v1), .. : "l"(d1), ..  : "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" : "+f"(v1), .. :: "memory");

For other languages these ops are errors.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ...dialects import simt
from ...dialects.simt.warpgroup import ADDRESS_BITS, UNIT_BYTES
from ..lane_lists import joined, lanes_of
from ..loop_to_llvm.op_emitter import Handlers
from ..warpgroup_code import product_text, require_warpgroups, wait_text
from .emitter import CEmitter
from .types import c_type


def emit_descriptor(e: CEmitter, op: simt.MatrixDescriptorOp) -> None:
    """Emit simt.matrix_descriptor, which describes a tile in shared memory to wgmma.

    The value combines the address of the tile and constant fields.
    """
    require_warpgroups(op, e.dialect.barriers)
    word = e.dialect.types["i32"]
    address = f"({word})__cvta_generic_to_shared({e.values[op.mem]} + ({e.address_text(op)}))"
    units = f"({address} / {UNIT_BYTES} & {(1 << ADDRESS_BITS) - 1})"
    e.define(op.res, e.variable(c_type("i64"), f"{units} | {op.fields}ull"))


def emit_mma(e: CEmitter, op: simt.WarpgroupMmaOp) -> None:
    """Emit simt.warpgroup_mma as one group of wgmma.mma_async instructions."""
    require_warpgroups(op, e.dialect.barriers)
    count = 4 * len(op.acc)
    text = product_text(op, [f"%{n}" for n in range(count + 2 * len(op.lhs))])
    _emit_sums(e, text, op.acc, op.res, [e.values[value] for value in (*op.lhs, *op.rhs)])


def emit_wait(e: CEmitter, op: simt.WarpgroupWaitOp) -> None:
    """Emit simt.warpgroup_wait as wgmma.wait_group; the results are the accumulators."""
    require_warpgroups(op, e.dialect.barriers)
    _emit_sums(e, wait_text(op), op.values, op.res, ())


def _emit_sums(
    e: CEmitter,
    text: str,
    values: Sequence[SSAValue],
    results: Sequence[SSAValue],
    descriptors: Sequence[str],
) -> None:
    """Emit inline assembly that updates accumulators, after copying them to new variables.

    text: the assembly.
    values: the accumulators before the assembly.
    results: the same accumulators after it.
    descriptors: the further operands of the assembly.
    """
    copies = [[e.variable(c_type("f32"), x) for x in lanes_of(e.values[v])] for v in values]
    outs = ", ".join(f'"+f"({name})' for lanes in copies for name in lanes)
    ins = ", ".join(f'"l"({name})' for name in descriptors)
    e.line(f'asm volatile("{text}" : {outs} : {ins} : "memory");')
    for result, lanes in zip(results, copies, strict=True):
        e.define(result, joined(lanes))


HANDLERS: Handlers = {
    simt.MatrixDescriptorOp: emit_descriptor,
    simt.WarpgroupMmaOp: emit_mma,
    simt.WarpgroupWaitOp: emit_wait,
}
