"""Lower ops whose result has a data-dependent size: number the elements to keep, then move them."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i1, i64
from xdsl.ir import SSAValue

from ....dialects import packed
from ....dialects.graph import NonZeroOp
from ....dialects.index_syntax import INDEX
from ....dialects.shape import Dim, Extent, dims_of, element_count, extent_of, tensor_type, type_of
from ....dialects.te.build import ComputeResult, position, read, scatter, whole
from ....dialects.te.scalars import Scalars, signless
from ....dialects.te.view import Access
from ..builder import Lowered, Rule, TeBuilder, element_of, shape_of
from ..move import reshape_positions
from .data_rules import Sizes, masked, size_like


def lower_non_zero(op: NonZeroOp, builder: TeBuilder) -> Sequence[SSAValue]:
    """Lower to a running count of nonzero elements, by which their positions are ordered."""
    shape = dims_of(type_of(op.x))
    running = _running_count(op, builder)
    builder.bind(op.symbol, _last(running, builder))
    if not shape:
        return [builder.full(type_of(op.out), 0)]
    places = _places(op, running, builder)
    return [decoded_places("non_zero", places, shape, ("r", "k"), _size(op), builder)]


def decoded_places(
    name: str,
    places: SSAValue,
    shape: Sequence[Dim],
    order: Sequence[str],
    count: Extent,
    builder: TeBuilder,
) -> SSAValue:
    """Append a compute that converts row-major positions to one index per dimension.

    places: a tensor of row-major positions in ``shape``; the first ``count`` are converted.
    order: the order of the result's two axes: "r" is the axis over the dimensions of ``shape``, "k"
    the axis over the positions.
    Returns the result of the compute.
    """
    last = len(shape) - 1
    strides = [element_count(shape[axis + 1 :]) for axis in range(last)]
    sizes = Sizes([*shape, *strides], builder)

    def body(s: Scalars, place: SSAValue, row: SSAValue, *given: SSAValue) -> SSAValue:
        numbers = [size_like(s, size, place) for size in sizes.numbers(s, given)]
        made = s.rem(place, numbers[last])
        for axis in reversed(range(last)):
            at = s.rem(s.div(place, numbers[last + 1 + axis]), numbers[axis])
            made = s.select(s.compare("eq", row, s.constant(axis, INDEX)), at, made)
        return made

    inputs = [read(places, ("k",)), position("r"), *sizes.inputs]
    axes = {name: {"r": len(shape), "k": count}[name] for name in order}
    return builder.compute(name, axes, inputs, ComputeResult(tuple(order), i64), body)


def _running_count(op: NonZeroOp, builder: TeBuilder) -> SSAValue:
    """Return, per element in row-major order, how many elements so far are nonzero."""
    axes = {"t": extent_of(element_count(dims_of(type_of(op.x))))}

    def body(s: Scalars, x: SSAValue) -> SSAValue:
        return s.cast(s.compare("ne", x, s.like(0, x)), i1, i64)

    inputs = [_in_order(op.x, axes["t"], builder)]
    result = ComputeResult(("t",), i64, "add", 0, i64)
    return builder.compute("non_zero_count", axes, inputs, result, body, scan="t")


def _in_order(x: SSAValue, count: Extent, builder: TeBuilder) -> Access:
    """Return an access to the elements of x in row-major order, along the axis ``t`` of a compute.

    count: the number of elements.
    """
    if isinstance(count, int):
        return read(builder.value(x), reshape_positions({"t": count}, shape_of(x)))
    flat = tensor_type(signless(element_of(x)), (Dim.of(count),))
    return read(builder.append(packed.ViewOp(builder.value(x), flat)).results[0], ("t",))


def _last(running: SSAValue, builder: TeBuilder) -> SSAValue:
    """Return the last item of a running count as a tensor<1xi64>; 0 if there are no items."""
    (size,) = dims_of(type_of(running))
    sizes = Sizes([size], builder)

    def body(s: Scalars, counts: SSAValue, *given: SSAValue) -> SSAValue:
        (length,) = sizes.values(s, given)
        return s.at(counts, [s.sub(length, s.constant(1, INDEX))], 0)

    inputs = [whole(running), *sizes.inputs]
    return builder.pointwise("non_zero_size", {"i": 1}, inputs, i64, body)


def _size(op: NonZeroOp) -> Extent:
    """Return the number of columns of the result; in a region of control flow, its upper bound."""
    return extent_of(dims_of(type_of(op.out))[1])


def _places(op: NonZeroOp, running: SSAValue, builder: TeBuilder) -> SSAValue:
    """Return the row-major positions of the nonzero elements, in order; unused items are 0.

    running: the running count of nonzero elements. A nonzero element with running count c writes
    its position to item c - 1.
    """
    (dim,) = dims_of(type_of(running))
    axes = {"t": extent_of(dim)}

    def body(s: Scalars, x: SSAValue, count: SSAValue, place: SSAValue) -> list[SSAValue]:
        number = s.sub(s.cast(count, i64, INDEX), s.constant(1, INDEX))
        found = s.compare("ne", x, s.like(0, x))
        # te.scatter skips position -1.
        return [s.select(found, number, s.constant(-1, INDEX)), s.cast(place, INDEX, i64)]

    inputs = [_in_order(op.x, axes["t"], builder), read(running, ("t",)), position("t")]
    base = builder.full(tensor_type(i64, (Dim.of(_size(op)),)), 0)
    made = scatter("non_zero_place", axes, base, inputs, body, unique=True)
    return builder.append(made).results[0]


def lower_dynamic_non_zero(op: NonZeroOp, builder: TeBuilder) -> Lowered:
    """Lower a non_zero of a value with data-dependent sizes: elements beyond the sizes count as 0.

    The row-major positions in the lowering are those of the largest shape.
    """
    kept = builder.value(op.x)
    builder.values[op.x] = masked(op.x, builder.data.dynamic_axes(op.x), 0, builder)
    made = lower_non_zero(op, builder)
    builder.values[op.x] = kept
    return made


RULES: dict[type, Rule] = {NonZeroOp: lower_non_zero}

DATA_RULES: dict[type, Rule] = {NonZeroOp: lower_dynamic_non_zero}
"""The lowering of ops with a data-dependent size in an operand or result."""
