"""nvgpu dialect of MLIR: the matrix instructions of NVIDIA's GPUs, which `simt-to-gpu` emits.

    %a = nvgpu.ldmatrix %s[%i, %j] .. : memref<16x32xf16, ..> -> vector<4x2xf16>
    %d = nvgpu.mma.sync (%a, %b, %c) .. : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> ..

A fragment is a matrix with one row per 32-bit register of operands, or per pair of accumulators.
xDSL does not define this dialect; the ops print in the generic form, which MLIR parses.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    UnitAttr,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Dialect, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, Pure


@irdl_op_definition
class MmaSyncOp(IRDLOperation):
    """Matrix product of two fragments, added to a third fragment, by all threads of a warp."""

    name = "nvgpu.mma.sync"
    lhs = operand_def(VectorType)
    rhs = operand_def(VectorType)
    acc = operand_def(VectorType)
    shape = prop_def(ArrayAttr[IntegerAttr], prop_name="mmaShape")
    is_tf32 = opt_prop_def(UnitAttr, prop_name="tf32Enabled")
    res = result_def(VectorType)
    traits = traits_def(Pure())

    @staticmethod
    def make(
        operands: Sequence[SSAValue], shape: Sequence[int], *, is_tf32: bool = False
    ) -> MmaSyncOp:
        """Return a matrix product of shape (m, n, k) of two fragments, added to the third operand.

        is_tf32: the elements of f32 operands are read as tf32.
        """
        properties: dict[str, Attribute] = {
            "mmaShape": ArrayAttr([IntegerAttr(size, i64) for size in shape])
        }
        if is_tf32:
            properties["tf32Enabled"] = UnitAttr()
        return MmaSyncOp.create(
            operands=operands, result_types=[operands[-1].type], properties=properties
        )


@irdl_op_definition
class LdMatrixOp(IRDLOperation):
    """Load of matrices of 8 x 8 elements from shared memory by all threads of a warp."""

    name = "nvgpu.ldmatrix"
    mem = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    transpose = prop_def(BoolAttr)
    count = prop_def(IntegerAttr, prop_name="numTiles")
    res = result_def(VectorType)
    traits = traits_def(MemoryReadEffect())

    @staticmethod
    def make(
        mem: SSAValue, indices: Sequence[SSAValue], type_: VectorType, *, transpose: bool
    ) -> LdMatrixOp:
        """Return a load of matrices of 8 x 8 elements, one per row of the result type.

        mem, indices: the buffer in shared memory, and the position of the row whose address the
        thread provides.  transpose: whether the threads receive the elements of the transposed
        matrices.
        """
        return LdMatrixOp.create(
            operands=[mem, *indices],
            result_types=[type_],
            properties={
                "transpose": IntegerAttr(int(transpose), i1),
                "numTiles": IntegerAttr(type_.get_shape()[0], i32),
            },
        )


NVGPU = Dialect("nvgpu", [MmaSyncOp, LdMatrixOp], [])
