"""simt-align-loads: load shifted, strided and reversed vectors by aligned vectors.

    %v = loop.load %x[%t * 8 + 3] : memref<1024xf16>, vector<8xf16>
==>
    %a = loop.load %x[%t * 8] : .., vector<8xf16>
    %b = loop.load %x[%t * 8 + 8] : .., vector<8xf16>
    %v = loop.pack of %a[3], .., %a[7], %b[0], .., %b[2]

    %v = loop.load %x[%t * 16 + %b mod 2] stride 2 : memref<1024xf16>, vector<8xf16>
==>
    %a = loop.load %x[%t * 16] : .., vector<8xf16>
    %b = loop.load %x[%t * 16 + 8] : .., vector<8xf16>
    %v = loop.pack of %b mod 2 == 1 ? %a[1] : %a[0], .., %b mod 2 == 1 ? %b[7] : %b[6]

    %v = loop.load %x[%t * 8 + 7] stride -1 : memref<1024xf16>, vector<8xf16>
==>
    %a = loop.load %x[%t * 8] : .., vector<8xf16>
    %v = loop.pack of %a[7], .., %a[0]

A GPU accesses several elements at once only at a multiple of their size.  The lanes of another
vector are loaded one by one, in instructions that each fetch the same lines of the cache.  The pass
replaces such a load of global memory if fewer aligned vectors, of at most 16 bytes, contain all of
its lanes.  A row of the buffer must consist of whole vectors, so that no vector leaves the row of
the lanes.  The vectors of a padded load must be entirely inside or outside of the row.  If the
distance of the lanes from the first aligned vector is known only at run time, it must be one of a
few numbers, and the same aligned vectors must contain the lanes at each distance.

Before: kernels that simt-map-threads mapped.  After: no load is left that aligned loads can
replace.  Exact: each lane has the same element.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp, VectorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.dtypes import bit_width
from ...dialects.loop import (
    CompareOp,
    ExtractOp,
    IndexOp,
    LoadOp,
    PackOp,
    SelectOp,
    are_together,
    vector_type,
)
from ...dialects.shape import dims_of
from ...machines.gpu import VECTOR_ACCESS
from ...machines.target_passes import TargetedPass
from ...support.affine import Index, constant, unknown_range
from ...support.passes import ExactPass
from .kernels import mapped_kernels

_BITS = 128
"""The bits of the widest access."""

_MOST_SHIFTS = 4
"""The most distances of lanes from aligned vectors among which a thread selects."""


class AlignLoads(TargetedPass, ExactPass):
    """Load vectors from aligned vectors in all mapped kernels of a module."""

    name = "simt-align-loads"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.target.has(VECTOR_ACCESS):
            for function in mapped_kernels(op):
                align_loads(function)


@dataclass(frozen=True)
class _Vectors:
    """The aligned vectors that contain the lanes of a load.

    size: the elements of a vector.
    first: the position of the first vector in the last dimension.
    shift: the distance of lane 0 from this position, if it is known only at run time.
    shifts: all values of the distance.
    parts: the numbers of the vectors, counted from the first.
    """

    size: int
    first: Index
    shift: Index
    shifts: range
    parts: Sequence[int]


def align_loads(function: FuncOp) -> None:
    """Replace loads of one kernel whose vectors are not aligned."""
    for op in [op for op in function.walk() if isinstance(op, LoadOp)]:
        if _is_plain(op) and _is_constant(op.mem):
            vectors = _aligned_vectors(op)
            if vectors is not None:
                _replace(op, vectors)


def _is_plain(op: LoadOp) -> bool:
    type_ = op.res.type
    is_vector = isinstance(type_, VectorType) and len(type_.get_shape()) == 1
    return is_vector and op.lanes is None and op.step != 0


def _is_constant(mem: SSAValue) -> bool:
    """Return whether a buffer is an argument of the kernel that the kernel only reads."""
    return isinstance(mem, BlockArgument) and all(
        isinstance(use.operation, LoadOp) for use in mem.uses
    )


def _aligned_vectors(op: LoadOp) -> _Vectors | None:
    """Return the aligned vectors that replace a load; None if it stays."""
    type_ = cast(MemRefType, op.mem.type)
    most = _BITS // bit_width(type_.element_type)
    row = dims_of(type_)[-1]
    for size in (n for n in (16, 8, 4, 2) if n <= most):
        first, shift, shifts = _split(op.indices()[-1], size)
        is_wide = shifts.stop - shifts.start > _MOST_SHIFTS
        if is_wide or row.value is None or row.value % size:
            continue
        if op.pad is not None and not (len(shifts) == 1 and are_together(first, row, size)):
            continue
        parts, *others = (_parts(op, each, size) for each in shifts)
        known = 1 if others else shifts[0] & -shifts[0] or size
        loads = op.width // min(known, op.width) if op.step == 1 else op.width
        if len(parts) < loads and all(other == parts for other in others):
            return _Vectors(size, first, shift, shifts, parts)
        return None
    return None


def _split(last: Index, size: int) -> tuple[Index, Index, range]:
    """Split a position into that of an aligned vector and a distance from it.

    Return the position of the vector, the distance, and the values that the distance can have.
    """
    terms = {k: c for k, c in last.terms.items() if Index({k: c}).divisor() % size}
    shift = Index(terms, last.const)
    low, high = shift.range(unknown_range)
    whole = low - low % size
    return last - shift + whole, shift - whole, range(low - whole, high - whole + 1)


def _parts(op: LoadOp, shift: int, size: int) -> list[int]:
    """Return the numbers of the aligned vectors that contain the lanes of a load, in order.

    shift: the distance of lane 0 from the start of vector 0.  size: the elements of a vector.
    """
    return list(dict.fromkeys((shift + lane * op.step) // size for lane in range(op.width)))


def _replace(op: LoadOp, vectors: _Vectors) -> None:
    *outer, _ = op.indices()
    size, first = vectors.size, vectors.first
    type_ = vector_type(size, cast(MemRefType, op.mem.type).element_type)
    made: list[Operation] = []

    def value(each: Operation) -> SSAValue:
        each.location = op.location
        made.append(each)
        return each.results[0]

    parts = {
        n: value(LoadOp.make(op.mem, [*outer, first + n * size], type_, pad=op.pad))
        for n in vectors.parts
    }

    def lanes_at(shift: int) -> list[SSAValue]:
        places = (divmod(shift + lane * op.step, size) for lane in range(op.width))
        return [value(ExtractOp.make(parts[n], place)) for n, place in places]

    lanes = lanes_at(vectors.shifts[0])
    for shift in vectors.shifts[1:]:
        given, wanted = (value(IndexOp.make(i)) for i in (vectors.shift, constant(shift)))
        is_equal = value(CompareOp.make("eq", given, wanted))
        pairs = zip(lanes_at(shift), lanes, strict=True)
        lanes = [
            value(SelectOp.create(operands=[is_equal, *pair], result_types=[pair[0].type]))
            for pair in pairs
        ]
    pack = value(PackOp.make(lanes))
    Rewriter.insert_op(made, InsertPoint.before(op))
    op.res.replace_all_uses_with(pack)
    Rewriter.erase_op(op)
