"""Emit loads and stores of vectors whose positions are index expressions over the lane number.

An access with a constant stride between lanes is one vector load or store; for stride 0, it is one
scalar access.  Every other access (with the lane number inside a floordiv or mod, or at a computed
position) is emitted lane by lane.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal, TypeAlias, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType, VectorType
from xdsl.ir import Attribute, SSAValue

from ...analysis.strides import flat_address, row_major_strides, symbolic_strides
from ...dialects import loop
from ...dialects.index_syntax import INDEX, typed_scalar
from ...dialects.shape import Dim, Extent, dims_of, extent_of
from ...dialects.spans import Span
from ...support.affine import ZERO, Index, RangeOf, constant, variable
from ...support.diagnostics import LoweringError
from .body import position_of
from .emitter import LANE, LoopEmitter


class Verdict(Enum):
    """Whether an access is always inside its buffer, always outside, or neither is known."""

    INSIDE = "inside"
    OUTSIDE = "outside"
    UNSURE = "unsure"


OUTSIDE: Final = Verdict.OUTSIDE
Read: TypeAlias = SSAValue | Literal[Verdict.OUTSIDE]
"""The result of a padded read: a value, or OUTSIDE."""


@dataclass(frozen=True, slots=True)
class LaneAddresses:
    """The position of lane 0 of a vector access, and the distance between its lanes.

    indices: the indices of lane 0 in the buffer.
    stride: the distance between adjacent lanes in elements; 0 if all lanes access the same element,
    None if the distances differ or are symbolic.
    """

    indices: list[Index]
    stride: int | None


@dataclass(frozen=True, slots=True)
class Lanes:
    """The lanes of a vector access.

    width: the number of lanes of the vector.
    active: the number of lanes that access memory; the first ones of the vector.
    range_of: returns the range of a variable, or of the lane number.
    """

    width: int
    active: int
    range_of: RangeOf

    @property
    def tail(self) -> int | None:
        """The number of active lanes; None if all lanes of the vector are active."""
        return self.active if self.active < self.width else None


def shape_of(mem: SSAValue) -> tuple[Extent, ...]:
    """Return the sizes of a buffer: integers, or Dim for symbolic sizes."""
    assert isinstance(mem.type, MemRefType), f"not a buffer: {mem.type}"
    shape = mem.type.get_shape()
    return shape if DYNAMIC_INDEX not in shape else tuple(map(extent_of, dims_of(mem.type)))


def element_type_of(mem: SSAValue) -> Attribute:
    """Return the element type of a buffer."""
    assert isinstance(mem.type, MemRefType), f"not a buffer: {mem.type}"
    return mem.type.get_element_type()


def classify(
    indices: Sequence[Index],
    shape: Sequence[Extent],
    range_of: RangeOf,
    inside: Sequence[int] | frozenset[int] = (),
) -> Verdict:
    """Return whether an access is always inside its buffer, always outside, or neither is known.

    indices: the index expressions of the access.
    shape: the sizes of the buffer.
    range_of: returns the range of a variable.
    inside: the dimensions whose indices the caller knows to be inside.
    """
    verdict = Verdict.INSIDE
    for dimension, (index, size) in enumerate(zip(indices, shape, strict=True)):
        if dimension in inside:
            continue
        low, high = index.range(range_of)
        if high < 0 or (isinstance(size, int) and low >= size):
            return Verdict.OUTSIDE
        if low < 0 or isinstance(size, Dim) or high >= size:
            verdict = Verdict.UNSURE
    return verdict


def mentions_lane(index: Index) -> bool:
    """Return whether the lane number occurs in an index, also inside a floordiv or mod."""
    return LANE in index.terms or index.is_divided(LANE)


def _stride(indices: Sequence[Index], shape: tuple[Extent, ...]) -> int | None:
    """Return the distance in elements between adjacent lanes; None if it is symbolic.

    The indices must be linear in the lane number.
    """
    lanes = [e.coefficient(LANE) for e in indices]
    if not any(lanes[:-1]):
        return lanes[-1] if lanes else 0
    if any(isinstance(size, Dim) for size in shape):
        terms = (s * n for n, s in zip(lanes, symbolic_strides(shape), strict=True))
        return sum(terms, Dim.const(0)).value
    strides = row_major_strides(cast("tuple[int, ...]", shape))
    return sum(n * s for n, s in zip(lanes, strides, strict=True))


def place(indices: list[Index], shape: tuple[Extent, ...], range_of: RangeOf) -> LaneAddresses:
    """Split the indices of a vector access into the indices of lane 0 and a stride.

    indices: the index expressions of the access, which may contain the lane number.
    shape: the sizes of the buffer.
    range_of: returns the range of a variable.
    """
    if not any(mentions_lane(e) for e in indices):
        return LaneAddresses(indices, 0)
    if not any(e.is_divided(LANE) for e in indices):
        return LaneAddresses([e.without(LANE) for e in indices], _stride(indices, shape))
    if any(isinstance(size, Dim) for size in shape):
        return LaneAddresses([e.substitute({LANE: ZERO}, range_of) for e in indices], None)
    flat = flat_address(indices, cast("tuple[int, ...]", shape))
    linear = LANE in flat.terms and not mentions_lane(flat.without(LANE))
    first = [e.substitute({LANE: ZERO}, range_of) for e in indices]
    return LaneAddresses(first, flat.coefficient(LANE) if linear else None)


def load(
    emitter: LoopEmitter,
    mem: SSAValue,
    indices: list[Index],
    lanes: Lanes,
    pad: Attribute | None = None,
) -> SSAValue:
    """Emit the loads that read one element per lane; return the vector.

    If all lanes read the same element, the result is a scalar.
    pad: the value of elements outside of the buffer; None if no lane is outside.
    """
    where = place(indices, shape_of(mem), lanes.range_of)
    element = element_type_of(mem)
    same = where.stride == 0
    if same and not any(mentions_lane(e) for e in indices):
        return emitter.value(loop.LoadOp.make(mem, where.indices, element, pad=pad))
    # A guard is per lane only along the last dimension; see loop.load.
    guarded = pad is not None and where.stride != indices[-1].coefficient(LANE)
    if where.stride is None or same or guarded:
        return _load_lanes(emitter, mem, indices, lanes, pad)
    type_ = loop.vector_type(lanes.width, element)
    return emitter.value(
        loop.LoadOp.make(mem, where.indices, type_, lanes=lanes.tail, stride=where.stride, pad=pad)
    )


def at_lane(indices: Sequence[Index], lane: int, range_of: RangeOf) -> list[Index]:
    """Replace the lane number in index expressions by the number of one lane."""
    values = {LANE: constant(lane)}
    return [e.substitute(values, range_of) for e in indices]


def _load_lanes(
    emitter: LoopEmitter, mem: SSAValue, indices: list[Index], lanes: Lanes, pad: Attribute | None
) -> SSAValue:
    element = element_type_of(mem)
    loaded: dict[tuple[Index, ...], SSAValue] = {}
    values: list[SSAValue] = []
    for lane in range(lanes.active):
        exact = at_lane(indices, lane, lanes.range_of)
        key = tuple(exact)
        if key not in loaded:
            loaded[key] = emitter.value(loop.LoadOp.make(mem, exact, element, pad=pad))
        values.append(loaded[key])
    return pack(emitter, values, lanes.width)


def pack(emitter: LoopEmitter, values: list[SSAValue], width: int) -> SSAValue:
    """Emit a vector of ``width`` lanes from scalars, which become its first lanes; others are 0."""
    type_ = values[0].type
    if len(values) < width:
        zero = emitter.constant(typed_scalar(0, type_))
        values = [*values, *[zero] * (width - len(values))]
    return emitter.value(loop.PackOp.make(values))


def extract(emitter: LoopEmitter, vector: SSAValue, lane: int) -> SSAValue:
    """Emit the extraction of one lane of a vector; return it."""
    return emitter.value(loop.ExtractOp.make(vector, lane))


def clip_inside(
    indices: Sequence[Index], clip: Sequence[Span], lanes: Lanes
) -> tuple[Verdict, Sequence[Span] | None]:
    """Decide whether a clipped store is always inside its clip, always outside, or neither.

    A clip restricts a store to a range of positions per dimension.
    clip: per dimension, the first position to write and the position after the last one.
    Returns the verdict, and the clip to test at run time; None as the clip if no test is needed.
    Errors: LoweringError if the lanes of a vector would need different tests.
    """
    is_inside = True
    for index, (first, end) in zip(indices, clip, strict=True):
        low, high = index.range(lanes.range_of)
        if high < first or (isinstance(end, int) and low >= end):
            return Verdict.OUTSIDE, None
        if low < first or isinstance(end, Dim) or high >= end:
            is_inside = False
            if mentions_lane(index) and not _are_together(index, (first, end), lanes):
                raise LoweringError(
                    "a clipped dimension depends on the lane", hint="vectorize another axis"
                )
    return (Verdict.INSIDE, None) if is_inside else (Verdict.UNSURE, clip)


def _are_together(index: Index, span: Span, lanes: Lanes) -> bool:
    """Return whether all lanes of an index are inside a span, or all lanes are outside of it.

    span: the first position and the position after the last one.
    """
    width = lanes.active
    start, last = (at_lane([index], lane, lanes.range_of)[0] for lane in (0, width - 1))
    numbers = [start.const, *start.terms.values(), span[0]]
    is_adjacent = last - start == constant(width - 1) and lanes.tail is None
    is_multiple = isinstance(span[1], int) and span[1] % width == 0
    return is_adjacent and is_multiple and not any(number % width for number in numbers)


def store(
    emitter: LoopEmitter,
    value: SSAValue,
    mem: SSAValue,
    indices: list[Index],
    lanes: Lanes,
    clip: Sequence[Span] | None = None,
) -> None:
    """Emit the stores that write one element per lane.

    value: the vector to store; a scalar is written in every lane.
    clip: per dimension, the first position to write and the position after the last one; None to
    write all positions.
    """
    if clip is not None:
        verdict, clip = clip_inside(indices, clip, lanes)
        if verdict is Verdict.OUTSIDE:
            return
    where = place(indices, shape_of(mem), lanes.range_of)
    if where.stride == 0:
        assert not isinstance(value.type, VectorType), "lanes write one element"
        emitter.add(loop.StoreOp.make(value, mem, where.indices, clip=clip))
        return
    value = emitter.splat(value, lanes.width)
    if where.stride is not None:
        emitter.add(
            loop.StoreOp.make(
                value, mem, where.indices, lanes=lanes.tail, stride=where.stride, clip=clip
            )
        )
        return
    for lane in range(lanes.active):
        scalar = extract(emitter, value, lane)
        exact = at_lane(indices, lane, lanes.range_of)
        emitter.add(loop.StoreOp.make(scalar, mem, exact, clip=clip))


def read_at(
    emitter: LoopEmitter,
    mem: SSAValue,
    positions: Sequence[SSAValue],
    other: Attribute | None,
    lanes: Lanes,
) -> SSAValue:
    """Emit the loads of a te.at, which reads a buffer at computed positions; return the value.

    positions: the position in each dimension: index scalars, or vectors with a position per lane.
    other: the result for positions outside of the buffer; if it is None, positions are clamped to
    the buffer.
    """
    if other is None:
        positions = [
            v if _is_clamped_by_lane(v, n) else _inside(emitter, v, n)
            for v, n in zip(positions, shape_of(mem), strict=True)
        ]
    known = [_position(emitter, v) for v in positions]
    indices = [e for e in known if e is not None]
    if len(indices) == len(known):
        return _read_known(emitter, mem, indices, other, lanes)
    element = element_type_of(mem)
    values: list[SSAValue] = []
    for lane in range(lanes.active):
        exact: list[Index] = []
        for index, value, size in zip(known, positions, shape_of(mem), strict=True):
            if index is not None:
                exact.append(at_lane([index], lane, lanes.range_of)[0])
                continue
            number = extract(emitter, value, lane)
            if other is None and _is_clamped_by_lane(value, size):
                number = _inside(emitter, number, size)
            exact.append(variable(number))
        values.append(emitter.value(loop.LoadOp.make(mem, exact, element, pad=other)))
    return pack(emitter, values, lanes.width)


def _is_clamped_by_lane(position: SSAValue, size: Extent) -> bool:
    """Return whether each lane of a position is clamped separately.

    This is so for vectors of positions in a dimension of symbolic size.
    """
    return isinstance(size, Dim) and isinstance(position.type, VectorType)


def _inside(emitter: LoopEmitter, position: SSAValue, size: Extent) -> SSAValue:
    """Clamp a computed position to 0..size-1.

    Positions are compared as unsigned numbers, so a negative position becomes size-1, too.
    """
    if position_of(emitter, position) is not None:
        return position
    low, high = emitter.integers.of(position)
    if isinstance(size, int) and low >= 0 and high < size:
        return position
    memo, key = emitter.scope.memo, ("inside", position, size)
    if key not in memo:
        lanes = loop.lanes_of(position.type)
        if isinstance(size, int):
            last = emitter.constant(IntegerAttr(size - 1, INDEX), lanes)
        else:
            last = emitter.value(loop.IndexOp.make(emitter.extent(size) - 1))
            last = emitter.splat(last, lanes)
        memo[key] = emitter.value(
            arith.MinUIOp.create(operands=[position, last], result_types=[position.type])
        )
    return memo[key]


def _read_known(
    emitter: LoopEmitter, mem: SSAValue, indices: list[Index], other: Attribute | None, lanes: Lanes
) -> SSAValue:
    if other is not None:
        verdict = classify(indices, shape_of(mem), lanes.range_of)
        if verdict is OUTSIDE:
            return emitter.constant(other)
        if verdict is Verdict.INSIDE:
            other = None
    return load(emitter, mem, indices, lanes, other)


def _position(emitter: LoopEmitter, value: SSAValue) -> Index | None:
    known = position_of(emitter, value)
    if known is not None:
        return known
    return None if isinstance(value.type, VectorType) else variable(value)


def position(emitter: LoopEmitter, index: Index, lanes: Lanes) -> SSAValue:
    """Emit the value of an index expression, a vector if it contains the lane number."""
    if not mentions_lane(index):
        made = emitter.value(loop.IndexOp.make(index))
    elif index.coefficient(LANE) and not mentions_lane(index.without(LANE)):
        type_ = loop.vector_type(lanes.width, INDEX)
        step = index.coefficient(LANE)
        made = emitter.value(loop.IndexOp.make(index.without(LANE), type_, step=step))
    else:
        exact = [at_lane([index], lane, lanes.range_of)[0] for lane in range(lanes.active)]
        values = [emitter.value(loop.IndexOp.make(e)) for e in exact]
        emitter.positions.update(zip(values, exact, strict=True))
        made = pack(emitter, values, lanes.width)
    emitter.positions[made] = index
    return made
