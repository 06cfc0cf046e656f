"""verify_positions: prove that every access of a loop program lies inside its buffer, or refuse it.

The proof runs on the loops of a function or kernel, after lowering to loops and on parsed programs.
An access is inside if its first lane is inside in every dimension and its last lane is inside along
the last dimension.  Lanes that continue into the next row must be inside the whole buffer.
``analysis/bounds/loop_ranges.py`` computes the bounds of positions.

- ``loop.load .. pad`` reads nothing outside and needs no proof, nor does ``loop.prefetch``.
- The clip of ``loop.store .. clip`` bounds the store.
- The body of a loop that never runs is skipped.
- An index from a buffer that the host program checked has the range of the check
  (``analysis/bounds/checked_data.py``).

Plans and lowerings insert guards; this file never does: it only proves or refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import gcd, prod
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    MemRefType,
    ModuleOp,
    VectorType,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects import loop, simt
from ...dialects.gpu import FuncOp
from ...dialects.shape import Dim, dims_of, size_index
from ...dialects.sizes import recorded_not_negative
from ...dialects.spans import ranges_of
from ...support.affine import Index, Key, Range, RangeOf
from ...support.diagnostics import TilewrightError
from ..strides import flat_address, row_major_strides
from .checked_data import checked_ranges
from .loop_ranges import LoopRanges

_AccessOp: TypeAlias = loop.LoadOp | loop.StoreOp | simt.LoadMatrixOp | simt.MatrixDescriptorOp
_Moving: TypeAlias = tuple[Index, tuple[SSAValue, ...], SSAValue, int]
"""A cache key: a position without its constant, the values in it, the buffer and the dimension."""


class OutsideBuffer(TilewrightError):
    """The error for an access of a loop program that is not proved to lie inside its buffer."""


def is_inside(op: _AccessOp, ranges: LoopRanges) -> bool:
    """Return whether an access provably lies inside its buffer, so that it needs no guard.

    Only the ranges of its indices are used. The result is False for every buffer of dynamic size.
    ranges: the analysis; ``enter`` was called for all loops around the access.
    """
    access = _Access(op, op.value.type if isinstance(op, loop.StoreOp) else op.res.type)
    if DYNAMIC_INDEX in access.shape:
        return False
    return access.is_inside([ranges.range_of_index(ranges.expand(e)) for e in op.indices()])


def verify_positions(root: Operation) -> None:
    """Prove that all accesses of loop programs in a module or function lie inside their buffers.

    Errors: OutsideBuffer for the first access without a proof.

    Cost: about 5 us per access.
    """
    proof = _BoundsProof(checked_ranges(root) if isinstance(root, ModuleOp) else {})
    proof.regions(root)


class _BoundsProof:
    """The state of the bounds proof during a walk over a program.

    data: the ranges of the elements of buffers that the host program has checked.
    """

    def __init__(self, data: Mapping[SSAValue, Range]) -> None:
        self._ranges = LoopRanges(data)
        # The accesses of a register tile differ by constants, so one proof is valid for all.
        self._excesses: dict[_Moving, Range] = {}

    def regions(self, op: Operation) -> None:
        """Prove that the accesses in the regions of a module or function are in bounds.

        No size is negative: the program's main function refuses a call in which a size of a buffer,
        or a recorded size, is negative. A gpu.func is skipped: its buffers have no named sizes, and
        it has no accesses to prove.
        """
        if isinstance(op, FuncOp):
            return
        recorded = recorded_not_negative(op)
        for block in (block for region in op.regions for block in region.blocks):
            types = [a.type for a in block.args if isinstance(a.type, MemRefType)]
            dims = (dim for type_ in types for dim in dims_of(type_))
            with self._ranges.of_sizes((*dims, *recorded)):
                self.block(block)

    def block(self, block: Block) -> None:
        """Prove that all accesses of the ops of a block are in bounds."""
        for op in block.ops:
            rule = _RULES.get(type(op))
            if rule is not None:
                rule(self, op)
            elif op.regions:
                self.regions(op)

    def load(self, op: loop.LoadOp) -> None:
        """Prove that a load is in bounds; a padded load reads nothing outside, so it passes."""
        if len(op.properties) == 1 or op.pad is None:
            self._prove(op, op.res.type)

    def store(self, op: loop.StoreOp) -> None:
        self._prove(op, op.value.type)

    def load_matrix(self, op: simt.LoadMatrixOp) -> None:
        """Prove that the row that each thread loads for a simt.load_matrix is in bounds."""
        self._prove(op, VectorType(op.res.type.element_type, [simt.ROW]))

    def descriptor(self, op: simt.MatrixDescriptorOp) -> None:
        self._prove(op, cast(MemRefType, op.mem.type).element_type)

    def loop(self, op: loop.ForOp) -> None:
        """Prove that the accesses in a loop are in bounds, unless the loop never runs."""
        if self._ranges.enter(op):
            self.block(op.body.block)

    def branch(self, op: loop.IfOp) -> None:
        """Prove that the accesses in a loop.if are in bounds, assuming that its condition holds."""
        outside, self._excesses = self._excesses, {}
        with self._ranges.where(op.condition):
            self.block(op.body.block)
        self._excesses = outside

    def _prove(self, op: _AccessOp, type_: Attribute) -> None:
        """Prove that an access is in bounds, or raise OutsideBuffer.

        First use the ranges of the index operands.  If they do not suffice, express the indices in
        loop variables, whose bounds may cancel each other.

        type_: the type of the value that is loaded or stored at the position.
        """
        access, syms = _Access(op, type_), op.operands[2 if type(op) is loop.StoreOp else 1 :]
        of = self._ranges.of

        def range_of(key: Key) -> Range:
            return of(syms[cast(int, key)])

        indices = loop.map_results(op.map)
        if DYNAMIC_INDEX in access.shape:
            self._prove_symbolic(access, range_of, indices, syms)
            return
        if access.is_inside([e.range(range_of) for e in indices]):
            return
        exact = [self._ranges.expand(e) for e in op.indices()]
        found = [self._ranges.range_of_index(e) for e in exact]
        flat = flat_address(exact, access.shape)
        if access.is_inside(found) or access.fits_in_rows(found, self._ranges.range_of_index(flat)):
            return
        raise access.error(found)

    def _prove_symbolic(
        self,
        access: _Access,
        range_of: RangeOf,
        indices: Sequence[Index],
        syms: Sequence[SSAValue],
    ) -> None:
        """Prove, dimension by dimension, that an access to a buffer of symbolic sizes is in bounds.

        syms: the index operands of the access.  indices: the position, whose variables are the
        numbers of these operands.  range_of: returns the range of an operand, given its number.
        """
        mem, values = access.op.mem, tuple(syms)
        dims, last = dims_of(cast(MemRefType, mem.type)), len(access.shape) - 1
        for number, (dim, index) in enumerate(zip(dims, indices, strict=True)):
            down, up = access.span_in(number)
            if (size := dim.value) is not None:
                first, end = index.range(range_of)
                if first + down >= 0 and end + up < size:
                    continue
            key = Index(index.terms), values, mem, number
            found = self._excesses.get(key)
            if found is None:
                exact = self._ranges.expand(access.op.index(number)) - index.const
                found = self._excesses[key] = self._excess(exact, dim, (0, 0))
            low, excess = found[0] + index.const + down, found[1] + index.const + up
            if access.clip is not None:
                first, end = access.clip[number]
                low, room = max(low, first), (dim - end).lower_bound()
                excess = excess if room is None else min(excess, -1 - room)
            if low >= 0 and excess < 0:
                continue
            exact = [self._ranges.expand(e) for e in access.op.indices()]
            is_inside = number == last and self._fits_in_rows(exact, dims, access.flat_span)
            if not is_inside:
                raise access.error_of(number, dim, (low, excess))

    def _excess(self, index: Index, size: Dim, span: Range) -> Range:
        """Return the least position, and the largest position minus the size, in one dimension.

        index: the position of the first lane.  span: the smallest and the largest offset of a lane
        from the first lane.
        """
        low = self._ranges.lower(index) + span[0]
        return low, self._ranges.upper(index - size_index(size)) + span[1]

    def _fits_in_rows(self, indices: Sequence[Index], dims: Sequence[Dim], span: Range) -> bool:
        """Return whether lanes that continue in the next row of a buffer stay inside the buffer.

        The innermost dimensions of static size, and the next dimension outside them, are treated as
        one linear address.
        indices: the position of the first lane.  dims: the sizes of the buffer.  span: the smallest
        and the largest offset of a lane from the first lane.
        """
        low, excess = self._excess(indices[-1], dims[-1], (0, 0))
        if low < 0 or excess >= 0:
            return False
        flat, size = Index(), Dim.const(1)
        for index, dim in zip(reversed(indices), reversed(dims), strict=True):
            if size.value is None:
                break
            flat, size = flat + index * size.value, dim * size
        low, excess = self._excess(flat, size, span)
        return low >= 0 and excess < 0


def _last_below(end: int, index: Index) -> int:
    """Return the largest value below ``end`` that an index expression can have.

    Possible values are the constant of the expression plus multiples of the greatest common divisor
    of its coefficients.
    """
    step = gcd(*index.terms.values())
    return end - 1 - (end - 1 - index.const) % step if step else end - 1


_RULES: Mapping[type[Operation], Callable[[_BoundsProof, Any], None]] = {
    loop.LoadOp: _BoundsProof.load,
    loop.StoreOp: _BoundsProof.store,
    simt.LoadMatrixOp: _BoundsProof.load_matrix,
    simt.MatrixDescriptorOp: _BoundsProof.descriptor,
    loop.ForOp: _BoundsProof.loop,
    loop.IfOp: _BoundsProof.branch,
}


class _Access:
    """A load or store: its buffer and the offsets of its lanes.

    type_: the type of the loaded or stored value.
    span: the smallest and the largest offset of a lane from the first lane, in elements.
    rows: for a tile, the dimension along which its rows lie, and the offset of the last row; else
    None.
    clip: the bounds to which a store is clipped, or None.
    """

    def __init__(self, op: _AccessOp, type_: Attribute) -> None:
        self.op = op
        self.shape = cast(MemRefType, op.mem.type).get_shape()
        self.lanes = type_.get_shape()[-1] if isinstance(type_, VectorType) else 1
        reach, self.clip, self.rows = self.lanes - 1, None, None
        if len(op.properties) > 1 and isinstance(op, loop.LoadOp | loop.StoreOp):
            self.lanes = op.active_lanes
            self.rows = op.tile_rows()
            if self.rows is None:
                reach = (self.lanes - 1) * op.step
            self.clip = op.clip_spans() if isinstance(op, loop.StoreOp) else None
        self.span = (0, reach) if reach >= 0 else (reach, 0)

    def span_in(self, dimension: int, span: Range | None = None) -> Range:
        """Return the smallest and the largest offset of lanes and tile rows in one dimension.

        span: the smallest and the largest offset of the lanes; None for the lanes of this access.
        """
        if self.rows is not None and dimension == self.rows[0]:
            return min(self.rows[1], 0), max(self.rows[1], 0)
        is_last = dimension == len(self.shape) - 1
        return (self.span if span is None else span) if is_last else (0, 0)

    @property
    def flat_span(self) -> Range:
        """The smallest and the largest offset of a lane of any tile row from the first lane.

        Both are in elements of the row-major buffer.  Tile rows do not count if their dimension, or
        a dimension inside of it, has a dynamic size.
        """
        if self.rows is None:
            return self.span
        dimension, reach = self.rows
        inner = self.shape[dimension:]
        is_static = DYNAMIC_INDEX not in inner
        reach *= row_major_strides(inner)[0] if is_static else 0
        return self.span[0] + min(reach, 0), self.span[1] + max(reach, 0)

    def is_inside(self, found: Sequence[Range]) -> bool:
        """Return whether all lanes, which run along the last dimension, are in bounds.

        found: the range of the first lane's position in each dimension.
        """
        return self._wrong_dimension(found, self.span) is None

    def fits_in_rows(self, found: Sequence[Range], flat: Range) -> bool:
        """Return whether lane 0 is in bounds and all lanes lie inside the linearized buffer.

        found: the range of the first lane's position in each dimension.  flat: the range of the
        first lane's linear address.
        """
        if self._wrong_dimension(found, (0, 0)) is not None:
            return False
        low, high = flat
        strides = row_major_strides(self.shape)
        clipped = self._clipped(found)
        low = max(low, sum(r[0] * s for r, s in zip(clipped, strides, strict=True)))
        high = min(high, sum(r[1] * s for r, s in zip(clipped, strides, strict=True)))
        down, up = self.flat_span
        return low + down >= 0 and high + up < prod(self.shape)

    def _clipped(self, found: Sequence[Range]) -> Sequence[Range]:
        """Return the ranges of positions that remain after the store's clip, if it has one.

        found: the range of the first lane's position in each dimension.
        """
        if self.clip is None:
            return found
        return [
            (max(low, first), min(high, _last_below(end, index)))
            for (low, high), (first, end), index in zip(
                found, ranges_of(self.clip), self.op.indices(), strict=True
            )
        ]

    def _wrong_dimension(self, found: Sequence[Range], span: Range) -> int | None:
        """Return the first dimension in which the access may lie outside; None if it is inside.

        found: the range of the first lane's position in each dimension.  span: the smallest and the
        largest offset of a lane.  The result is -1 for several lanes in a buffer of rank 0.
        """
        if self.clip is not None:
            found = self._clipped(found)
            if any(low > high for low, high in found):
                return None  # nothing is written
        last = len(self.shape) - 1
        for number, ((low, high), size) in enumerate(zip(found, self.shape, strict=True)):
            down, up = self.span_in(number, span)
            if low + down < 0 or high + up >= size:
                return number
        return last if last < 0 and span != (0, 0) else None

    def error(self, found: Sequence[Range]) -> OutsideBuffer:
        """Return the error for the first dimension in which the access may lie outside.

        found: the range of the first lane's position in each dimension.
        """
        found = self._clipped(found)
        number = self._wrong_dimension(found, self.span)
        assert number is not None, "the access may lie outside"
        if number < 0:
            return self._outside("the one element", f"{self.lanes} lanes")
        (low, high), index = found[number], self.op.indices()[number]
        down, up = self.span_in(number)
        lanes = f", with its {self.lanes} lanes" if self.lanes > 1 and (down or up) else ""
        unbounded_sides = ["below"] * (low < -_UNKNOWN) + ["above"] * (high > _UNKNOWN)
        reached = f"in {low + down}..{high + up}{lanes}"
        if unbounded_sides:
            reached = f"is not bounded {' and '.join(unbounded_sides)}"
        expected = f"0..{self.shape[number] - 1} in dimension {number}"
        hint = _CLAMP if unbounded_sides else _GUARD
        return self._outside(expected, f"{index.show(_name)} {reached}", hint)

    def error_of(self, number: int, dim: Dim, found: Range) -> OutsideBuffer:
        """Return the error for a dimension of symbolic size.

        number, dim: the dimension and its size.
        found: the least position of the access, and its largest position minus the size.
        """
        low, excess = found
        reached = f"at least {low}" if low < 0 else f"at most {dim} + {excess}"
        is_unbounded = low < -_UNKNOWN or excess > _UNKNOWN
        return self._outside(
            f"0..{dim - 1} in dimension {number}",
            f"{self.op.indices()[number].show(_name)} is {'open' if is_unbounded else reached}",
            _CLAMP if is_unbounded else _GUARD,
        )

    def _outside(self, expected: str, got: str, hint: str = "") -> OutsideBuffer:
        return OutsideBuffer(
            "an access is not proved to lie inside its buffer",
            expected=f"{expected} of {_name(self.op.mem)}, {self.op.mem.type}",
            got=got,
            hint=hint,
        ).at(self.op)


_UNKNOWN = 1 << 40
"""Bounds of larger magnitude count as unknown."""

_GUARD = (
    "shorten the loop; of a remainder, access fewer `lanes`; or guard the access by `pad` (loads), "
    "`clip` (stores) or loop.if"
)
_CLAMP = (
    "clamp a position that comes from data by arith.minsi and arith.maxsi, or test it in a "
    "loop.if around the access"
)


def _name(value: Key) -> str:
    hint = value.name_hint if isinstance(value, SSAValue) else None
    return f"%{hint}" if hint else "%_"
