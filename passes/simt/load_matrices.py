"""simt-load-matrices: load operands of matrix instructions by ldmatrix instructions.

    %x = loop.load %s[%tx floordiv 4, %tx mod 4 * 2] : .., vector<2xf16>     (and three more)
    %a = loop.pack ..
==>
    %a = simt.load_matrix %s[%tx mod 16, %tx floordiv 16 * 8] : .., vector<8xf16>

An operand of ``simt.mma`` that a warp reads from shared memory is loaded by one op if its 8 x 8
matrices have rows, or columns, of eight adjacent elements that start at multiples of 16 bytes. The
pass evaluates the positions of all 32 threads, so any index expression with these positions
qualifies.

Two loads of two matrices each become one load of four matrices if the distance between them is
constant, and nothing is stored between them.

Before: kernels that simt-map-threads mapped, without loop.intrinsic.
After: no operand that simt.load_matrix can load is packed from loads.
Exact: each thread gets the same elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp, VectorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.strides import row_major_strides
from ...dialects.dtypes import bit_width
from ...dialects.loop import AllocOp, ExtractOp, PackOp, StoreOp
from ...dialects.shape import static_shape
from ...dialects.simt import ROW, WARP, BarrierOp, LoadMatrixOp, MmaOp, ThreadIdOp, launch_of
from ...machines.target_passes import TargetedPass
from ...support.affine import Index, divide, variable
from .fragments import LoadedFragment, replace_pack
from .kernels import mapped_kernels

_FEATURE = "mma"
"""Targets with matrix instructions load matrices, too."""

_MOST_MATRICES = 4
"""The matrices of the largest load."""


@dataclass(frozen=True)
class LoadMatrices(TargetedPass):
    """Load matrices in all mapped kernels of a module."""

    name = "simt-load-matrices"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.target.has(_FEATURE):
            for function in mapped_kernels(op):
                load_matrices(function)


def load_matrices(function: FuncOp) -> None:
    """Load the operands of matrix instructions by simt.load_matrix in one kernel."""
    launch = launch_of(function)
    assert launch is not None, "a mapped kernel"
    ids = [op for op in function.body.block.ops if isinstance(op, ThreadIdOp)]
    lanes = [op.res for op in ids if op.dimension.data == "x"]
    if launch.block[0] != WARP or not lanes:
        return
    uses = [op for op in function.walk() if isinstance(op, MmaOp)]
    packs = dict.fromkeys(v.owner for op in uses for v in (op.lhs, op.rhs))
    for pack in packs:
        if isinstance(pack, PackOp):
            _replace(pack, lanes[0])
    for block in dict.fromkeys(op.parent for op in function.walk() if isinstance(op, LoadMatrixOp)):
        assert block is not None, "a load stands in a kernel"
        _load_pairs(block, lanes[0])


def _load_pairs(block: Block, lane: SSAValue) -> None:
    """Join pairs of loads of two matrices in a block.

    lane: the number of the thread in its warp.
    """
    waiting: LoadMatrixOp | None = None
    for op in list(block.ops):
        if isinstance(op, StoreOp | BarrierOp) or op.regions:
            is_other = isinstance(op, StoreOp) and waiting is not None and op.mem is not waiting.mem
            waiting = waiting if is_other else None
        elif isinstance(op, LoadMatrixOp) and op.matrices == _MOST_MATRICES // 2:
            distance = None if waiting is None else _distance(waiting, op)
            if waiting is None or distance is None:
                waiting = op
                continue
            _join(waiting, op, distance, lane)
            waiting = None


def _distance(first: LoadMatrixOp, second: LoadMatrixOp) -> list[Index] | None:
    """Return the constant distance between two loads, per dimension.

    None if the distance is not constant, if the buffers differ, or if only one of the loads
    transposes its matrices.
    """
    if first.mem is not second.mem or bool(first.transposed) != bool(second.transposed):
        return None
    pairs = zip(first.indices(), second.indices(), strict=True)
    distance = [other - own for own, other in pairs]
    return distance if all(each.is_constant for each in distance) else None


def _join(
    first: LoadMatrixOp, second: LoadMatrixOp, distance: Sequence[Index], lane: SSAValue
) -> None:
    """Load the matrices of two loads at once; the upper half of the warp addresses the second.

    distance: the constant distance from the first load to the second, per dimension.  lane: the
    number of the thread in its warp.
    """
    half = divide("floordiv", variable(lane), WARP // 2, lambda _: (0, WARP - 1))
    indices = [e + half * d.const for e, d in zip(first.indices(), distance, strict=True)]
    type_ = first.res.type
    count = type_.get_shape()[0]
    wide = VectorType(type_.element_type, [2 * count])
    made = LoadMatrixOp.make(first.mem, indices, wide, transposed=first.transposed is not None)
    made.location = first.location
    ops: list[Operation] = [made]
    for number, op in enumerate((first, second)):
        lanes = [ExtractOp.make(made.res, number * count + n) for n in range(count)]
        pack = PackOp.make([each.res for each in lanes])
        ops += [*lanes, pack]
        op.res.replace_all_uses_with(pack.res)
    Rewriter.insert_op(ops, InsertPoint.before(first))
    for op in (first, second):
        Rewriter.erase_op(op)


def _replace(pack: PackOp, lane: SSAValue) -> None:
    """Replace a vector packed from loads by a matrix load, if its elements form whole matrices.

    lane: the number of the thread in its warp.
    """
    fragment = LoadedFragment.of(pack, lane)
    if fragment is None or not _is_shared(fragment.mem):
        return
    for transposed in (False, True):
        rows = fragment.rows(transposed=transposed)
        indices = None if rows is None else fragment.indices(rows)
        if indices is not None and _is_aligned(fragment.mem, indices):
            made = LoadMatrixOp.make(fragment.mem, indices, pack.res.type, transposed=transposed)
            replace_pack(pack, made)
            return


def _is_shared(mem: SSAValue) -> bool:
    is_alloc = isinstance(mem.owner, AllocOp) and mem.owner.scope.data == "shared"
    return is_alloc and bit_width(cast(MemRefType, mem.type).element_type) == 16


def _is_aligned(mem: SSAValue, indices: Sequence[Index]) -> bool:
    """Return whether each matrix row starts at a multiple of the row's size."""
    strides = row_major_strides(static_shape(cast(MemRefType, mem.type)))
    pairs = list(zip(indices, strides, strict=True))
    factors = [factor * stride for e, stride in pairs for factor in e.terms.values()]
    offset = sum(e.const * stride for e, stride in pairs)
    return all(n % ROW == 0 for n in (*factors, offset))
