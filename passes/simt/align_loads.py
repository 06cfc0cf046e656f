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

    %v = loop.load %x[%t * 64] stride 8 : memref<1024xf16>, vector<8xf16>
    %w = loop.load %x[%t * 64 + 1] stride 8 : memref<1024xf16>, vector<8xf16>
==>
    %a = loop.load %x[%t * 64] : .., vector<8xf16>
    ..
    %h = loop.load %x[%t * 64 + 56] : .., vector<8xf16>
    %v = loop.pack of %a[0], .., %h[0]
    %w = loop.pack of %a[1], .., %h[1]

A GPU accesses several elements at once only at a multiple of their size.  The lanes of another
vector are loaded one by one, in instructions that each fetch the same lines of the cache.  The pass
replaces such a load of global memory if fewer aligned vectors, of at most 16 bytes, contain all of
its lanes.  A row of the buffer must consist of whole vectors, so that no vector leaves the row of
the lanes.  The vectors of a padded load must be entirely inside or outside of the row.  If the
distance of the lanes from the first aligned vector is known only at run time, it must be one of a
few numbers, and the same aligned vectors must contain the lanes at each distance.  Other strided
loads, of one block of statements and without padding, share aligned vectors if these are fewer than
the loads that they replace.

Before: kernels that simt-map-threads mapped.  After: no load is left that aligned loads can
replace.  Exact: each lane has the same element.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp, VectorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.strides import symbolic_strides
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
    near: dict[Hashable, list[LoadOp]] = {}
    for op in [op for op in function.walk() if isinstance(op, LoadOp)]:
        if _is_plain(op) and _is_constant(op.mem):
            vectors = _aligned_vectors(op)
            if vectors is not None:
                _replace(op, vectors, _load_parts(op, vectors))
            elif op.pad is None and op.step != 1:
                *outer, last = op.indices()
                key = op.parent_block(), op.mem, tuple(outer), last - last.const
                near.setdefault(key, []).append(op)
    for ops in near.values():
        if len(ops) > 1:
            _share_vectors(ops)


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
        vectors = _Vectors(size, first, shift, shifts, parts)
        if len(parts) < _load_count(op, vectors) and all(other == parts for other in others):
            return vectors
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


def _load_count(op: LoadOp, vectors: _Vectors) -> int:
    """Return how many loads of a GPU a vector has if it stays: of aligned parts, or elements."""
    shift = vectors.shifts[0]
    known = 1 if len(vectors.shifts) > 1 else shift & -shift or vectors.size
    return op.width // min(known, op.width) if op.step == 1 else op.width


def _share_vectors(ops: Sequence[LoadOp]) -> None:
    """Replace loads by aligned vectors that they share, if that makes the loads fewer.

    ops: the loads, in one block.  Their positions in one buffer differ by numbers, in the last
    dimension.
    """
    type_ = cast(MemRefType, ops[0].mem.type)
    row, best, fewest = dims_of(type_)[-1].value, list[_Vectors](), 0
    for size in (n for n in (16, 8, 4, 2) if n * bit_width(type_.element_type) <= _BITS):
        found = [_vectors_from_zero(op, size) for op in ops]
        if row is None or row % size or any(len(each.shifts) > 1 for each in found):
            continue
        count = len({part for each in found for part in each.parts})
        most = fewest or sum(map(_load_count, ops, found)) - 1
        # Of vectors that are equally many, the shortest read the fewest other elements.
        if count <= most:
            best, fewest = found, count
    if not best:
        return
    # All of these loads run if the first of them runs.
    parts = dict.fromkeys(part for each in best for part in each.parts)
    loaded = _load_parts(ops[0], replace(best[0], parts=list(parts)))
    for op, vectors in zip(ops, best, strict=True):
        _replace(op, vectors, loaded)


def _vectors_from_zero(op: LoadOp, size: int) -> _Vectors:
    """Return the aligned vectors of a load, counted from position 0 instead of from lane 0."""
    first, shift, shifts = _split(op.indices()[-1], size)
    parts = [first.const // size + n for n in _parts(op, shifts[0], size)]
    whole = shifts[0] + first.const
    return _Vectors(size, first - first.const, shift, range(whole, whole + len(shifts)), parts)


def _load_parts(op: LoadOp, vectors: _Vectors) -> dict[int, SSAValue]:
    """Insert loads of aligned vectors before a load; return the vectors by number."""
    size, mem = vectors.size, cast(MemRefType, op.mem.type)
    loads: dict[int, Operation] = {}
    for n in vectors.parts:
        at = _moved(op, vectors.first, n * size)
        loads[n] = LoadOp.make(op.mem, at, vector_type(size, mem.element_type), pad=op.pad)
        loads[n].location = op.location
    Rewriter.insert_op(list(loads.values()), InsertPoint.before(op))
    return {n: load.results[0] for n, load in loads.items()}


def _moved(op: LoadOp, first: Index, offset: int) -> list[Index]:
    """Return the indices of a load after a move by elements, from a position of its first row.

    first: the position in the last dimension.  Lanes that are rows apart move in other dimensions.
    """
    indices, dims = [*op.indices()[:-1], first], dims_of(cast(MemRefType, op.mem.type))
    row = dims[-1].value
    if row is None or op.step < row:
        return [*indices[:-1], first + offset]
    for number, pitch in enumerate(symbolic_strides(dims)):
        if pitch.value is not None:
            steps, offset = divmod(offset, pitch.value)
            indices[number] += steps
    return indices


def _replace(op: LoadOp, vectors: _Vectors, parts: Mapping[int, SSAValue]) -> None:
    """Replace a load by lanes of aligned vectors.

    parts: the vectors by number.
    """
    size = vectors.size
    made: list[Operation] = []

    def value(each: Operation) -> SSAValue:
        each.location = op.location
        made.append(each)
        return each.results[0]

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
