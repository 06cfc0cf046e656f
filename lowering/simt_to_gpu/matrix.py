"""Handlers of matrix instructions; only NVIDIA's have ops in MLIR, in the dialect nvgpu.

    %d = "nvgpu.mma.sync"(%a, %b, %c) <{mmaShape = [16, 8, 16]}> : (vector<4x2xf16>, ..) -> ..

In nvgpu a thread's fragment is a matrix, with one row per register of 32 bits, or per pair of
accumulators.
"""

from __future__ import annotations

from itertools import product

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import VectorType, f32, i32
from xdsl.ir import SSAValue

from ...dialects import simt
from ...dialects.dtypes import bit_width
from ...dialects.nvgpu import LdMatrixOp, MmaSyncOp
from ...support.diagnostics import LoweringError
from ..loop_to_llvm.op_emitter import Handlers
from .builder import KernelBuilder, Lanes
from .memory import packed_vector

_REGISTER_BITS = 32
_SUMS = 2
_ROUNDING, _KEPT = 1 << 12, -(1 << 13)
"""Half of the last bit that tf32 keeps of f32, and the bits that tf32 keeps."""


def emit_mma(b: KernelBuilder, op: simt.MmaOp) -> None:
    """Emit simt.mma as nvgpu.mma.sync.

    Errors: LoweringError for a matrix unit of another vendor's GPU, or for unsigned bytes.
    """
    if op.unit_name != simt.MMA or op.lhs_unsigned or op.rhs_unsigned:
        kind = op.unit_name if op.unit_name != simt.MMA else "unsigned bytes"
        raise LoweringError(
            "no op of MLIR's own dialects stands for this matrix instruction",
            expected="that of NVIDIA's GPUs, with floats or signed bytes",
            got=f"{op.name} with {kind}",
            hint="schedule the kernel without sched.tensorize",
        ).at(op)
    is_tf32 = op.element_type == f32
    shape = op.shape
    operands = [b.lanes[value] for value in (op.lhs, op.rhs)]
    if is_tf32:
        operands = [[_rounded(b, lane) for lane in lanes] for lanes in operands]
    width = _REGISTER_BITS // bit_width(op.element_type)
    fragments = [packed_vector(b, lanes, len(lanes) // width) for lanes in operands]
    sums = b.lanes[op.acc]
    fragments.append(packed_vector(b, sums, len(sums) // _SUMS))
    sizes = shape.out.rows, shape.out.columns, shape.lhs.columns
    b.define(op.res, _unpacked(b, b.add(MmaSyncOp.make(fragments, sizes, is_tf32=is_tf32))))


def _rounded(b: KernelBuilder, x: SSAValue) -> SSAValue:
    """Append the rounding of an f32 to tf32; return it.

    It rounds to nearest, and ties away from zero; NaN stays NaN.
    """
    bits = b.add(arith.BitcastOp(x, i32))
    bits = b.add(arith.AddiOp(bits, b.number(i32, _ROUNDING)))
    bits = b.add(arith.AndIOp(bits, b.number(i32, _KEPT), i32))
    rounded = b.add(arith.BitcastOp(bits, f32))
    return b.add(arith.SelectOp(b.add(arith.CmpfOp(x, x, "uno")), x, rounded))


def _unpacked(b: KernelBuilder, matrix: SSAValue) -> Lanes:
    """Return the elements of a fragment in row-major order, as lanes.

    matrix: the fragment as nvgpu represents it, a vector of rank 2.
    """
    type_ = matrix.type
    assert isinstance(type_, VectorType), "a fragment"
    places = product(*map(range, type_.get_shape()))
    return [b.add(vector.ExtractOp(matrix, place, type_.element_type)) for place in places]


def emit_load_matrix(b: KernelBuilder, op: simt.LoadMatrixOp) -> None:
    """Emit simt.load_matrix as nvgpu.ldmatrix, whose result has a row per register."""
    (buffer,) = b.lanes[op.mem]
    place = [b.position(index) for index in b.indices(op)]
    element = op.res.type.element_type
    type_ = VectorType(element, [op.matrices, _REGISTER_BITS // bit_width(element)])
    made = LdMatrixOp.make(buffer, place, type_, transpose=op.transposed is not None)
    b.define(op.res, _unpacked(b, b.add(made)))


HANDLERS: Handlers = {
    simt.MmaOp: emit_mma,
    simt.LoadMatrixOp: emit_load_matrix,
}
