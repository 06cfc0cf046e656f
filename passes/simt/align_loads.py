"""simt-align-loads: load shifted and strided vectors by aligned vectors.

    %v = loop.load %x[%t * 8 + 3] : memref<1024xf16>, vector<8xf16>
==>
    %a = loop.load %x[%t * 8] : .., vector<8xf16>
    %b = loop.load %x[%t * 8 + 8] : .., vector<8xf16>
    %v = loop.pack of %a[3], .., %a[7], %b[0], .., %b[2]

A GPU accesses several elements at once only at a multiple of their size.  The lanes of another
vector are loaded one by one, in instructions that each fetch the same lines of the cache.  The pass
replaces such a load of global memory if fewer aligned vectors, of at most 16 bytes, contain all of
its lanes.  A row of the buffer must consist of whole vectors, so that no vector leaves the row of
the lanes.  The vectors of a padded load must be entirely inside or outside of the row.

Before: kernels that simt-map-threads mapped.  After: no load is left that aligned loads can
replace.  Exact: each lane has the same element.
"""

from __future__ import annotations

from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp, VectorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.dtypes import bit_width
from ...dialects.loop import ExtractOp, LoadOp, PackOp, are_together, vector_type
from ...dialects.shape import dims_of
from ...machines.gpu import VECTOR_ACCESS
from ...machines.target_passes import TargetedPass
from ...support.passes import ExactPass
from .kernels import mapped_kernels

_BITS = 128
"""The bits of the widest access."""


class AlignLoads(TargetedPass, ExactPass):
    """Load vectors from aligned vectors in all mapped kernels of a module."""

    name = "simt-align-loads"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.target.has(VECTOR_ACCESS):
            for function in mapped_kernels(op):
                align_loads(function)


def align_loads(function: FuncOp) -> None:
    """Replace loads of one kernel whose vectors are not aligned."""
    for op in [op for op in function.walk() if isinstance(op, LoadOp)]:
        if _is_plain(op) and _is_constant(op.mem):
            size = _aligned_size(op)
            if size is not None:
                _replace(op, size)


def _is_plain(op: LoadOp) -> bool:
    type_ = op.res.type
    is_vector = isinstance(type_, VectorType) and len(type_.get_shape()) == 1
    return is_vector and op.lanes is None and op.step >= 1


def _is_constant(mem: SSAValue) -> bool:
    """Return whether a buffer is an argument of the kernel that the kernel only reads."""
    return isinstance(mem, BlockArgument) and all(
        isinstance(use.operation, LoadOp) for use in mem.uses
    )


def _aligned_size(op: LoadOp) -> int | None:
    """Return the elements of the aligned vectors that replace a load; None if it stays."""
    type_ = cast(MemRefType, op.mem.type)
    most = _BITS // bit_width(type_.element_type)
    row, last = dims_of(type_)[-1], op.indices()[-1]
    divisor = (last - last.const).divisor()
    for size in (n for n in (16, 8, 4, 2) if n <= most):
        shift = last.const % size
        if divisor % size or row.value is None or row.value % size:
            continue
        if op.pad is not None and not are_together(last - shift, row, size):
            continue
        known = size if shift == 0 else shift & -shift
        loads = op.width // min(known, op.width) if op.step == 1 else op.width
        if len(_parts(op, shift, size)) < loads:
            return size
        return None
    return None


def _parts(op: LoadOp, shift: int, size: int) -> dict[int, None]:
    """Return the numbers of the aligned vectors that contain the lanes of a load, in order.

    shift: the distance of lane 0 from the start of vector 0.  size: the elements of a vector.
    """
    return dict.fromkeys((shift + lane * op.step) // size for lane in range(op.width))


def _replace(op: LoadOp, size: int) -> None:
    *outer, last = op.indices()
    shift = last.const % size
    element = cast(MemRefType, op.mem.type).element_type
    type_ = vector_type(size, element)
    parts = {
        n: LoadOp.make(op.mem, [*outer, last - shift + n * size], type_, pad=op.pad)
        for n in _parts(op, shift, size)
    }
    lanes: list[Operation] = []
    for lane in range(op.width):
        n, place = divmod(shift + lane * op.step, size)
        lanes.append(ExtractOp.make(parts[n].res, place))
    pack = PackOp.make([lane.results[0] for lane in lanes])
    made = [*parts.values(), *lanes, pack]
    for each in made:
        each.location = op.location
    Rewriter.insert_op(made, InsertPoint.before(op))
    op.res.replace_all_uses_with(pack.res)
    Rewriter.erase_op(op)
