"""Results of data-dependent size: compaction by running counts."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from xdsl.dialects.builtin import i1, i64
from xdsl.ir import SSAValue

from ...dialects.graph import NonZeroOp
from ...dialects.index_syntax import INDEX
from ...dialects.shape import static_shape, type_of
from ...dialects.te.build import Result, position, read, whole
from ...dialects.te.scalars import Scalars
from .builder import Builder, Lowered, Rule, shape_of
from .data_rules import masked
from .move import reshape_positions


def lower_non_zero(op: NonZeroOp, builder: Builder) -> Sequence[SSAValue]:
    """Number the nonzero elements by a running count, then search for each number."""
    shape = shape_of(op.x)
    running = _running_count(op, builder)
    builder.data.counts[op.symbol] = _last(running, builder)
    if not shape:
        return [builder.constant(np.zeros((0, 1), np.int64))]
    places = _places(running, builder)
    strides = [prod(shape[axis + 1 :]) for axis in range(len(shape))]

    def body(s: Scalars, place: SSAValue, row: SSAValue) -> SSAValue:
        made = s.rem(place, s.like(shape[-1], place))
        for axis, (stride, size) in reversed(list(enumerate(zip(strides, shape, strict=True)))):
            if axis < len(shape) - 1:
                at = s.rem(s.div(place, s.like(stride, place)), s.like(size, place))
                made = s.select(s.compare("eq", row, s.constant(axis, INDEX)), at, made)
        return made

    inputs = [read(places, ("k",)), position("r")]
    axes = {"r": len(shape), "k": prod(shape)}
    return [builder.compute("non_zero", axes, inputs, Result(("r", "k"), i64), body)]


def _running_count(op: NonZeroOp, builder: Builder) -> SSAValue:
    """Return the running count of nonzero elements in row-major order."""
    shape = shape_of(op.x)
    axes = {"t": prod(shape)}

    def body(s: Scalars, x: SSAValue) -> SSAValue:
        return s.cast(s.compare("ne", x, s.like(0, x)), i1, i64)

    inputs = [read(builder.value(op.x), reshape_positions(axes, shape))]
    result = Result(("t",), i64, "add", 0, i64)
    return builder.compute("non_zero_count", axes, inputs, result, body, scan="t")


def _last(running: SSAValue, builder: Builder) -> SSAValue:
    """Return the last running count, as a tensor of one element."""
    (size,) = static_shape(type_of(running))
    inputs = [read(running, (size - 1,))]
    return builder.compute("non_zero_size", {"i": 1}, inputs, Result(("i",), i64), lambda _, x: x)


def _places(running: SSAValue, builder: Builder) -> SSAValue:
    """Return, by number k, the place of nonzero element k; 0 if there is none.

    A binary search finds the place: the number of running counts that are at most k.
    """
    (size,) = static_shape(type_of(running))

    def body(s: Scalars, counts: SSAValue, k: SSAValue, total: SSAValue) -> SSAValue:
        wanted = s.cast(k, INDEX, i64)
        found = s.constant(0, INDEX)
        for bit in reversed(range(size.bit_length())):
            tried = s.add(found, s.constant(1 << bit, INDEX))
            last = s.min(s.sub(tried, s.constant(1, INDEX)), s.constant(size - 1, INDEX))
            before = s.compare("le", s.at(counts, [last]), wanted)
            inside = s.compare("le", tried, s.constant(size, INDEX))
            found = s.select(s.bit_and(before, inside), tried, found)
        place = s.cast(found, INDEX, i64)
        return s.select(s.compare("lt", wanted, total), place, s.constant(0, i64))

    inputs = [whole(running), position("k"), read(running, (size - 1,))]
    return builder.compute("non_zero_place", {"k": size}, inputs, Result(("k",), i64), body)


def lower_open_non_zero(op: NonZeroOp, builder: Builder) -> Lowered:
    """Mask elements beyond the sizes with zeros; positions refer to the maximum shape."""
    kept = builder.value(op.x)
    builder.values[op.x] = masked(op.x, builder.data.open_axes(op.x), 0, builder)
    made = lower_non_zero(op, builder)
    builder.values[op.x] = kept
    return made


RULES: dict[type, Rule] = {NonZeroOp: lower_non_zero}

DATA_RULES: dict[type, Rule] = {NonZeroOp: lower_open_non_zero}
"""The lowering of those with a data-dependent size in an operand or result."""
