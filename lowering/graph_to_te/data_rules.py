"""Lowering of ops on values with data-dependent sizes (data_sizes.py), and their restrictions.

If each valid element depends only on valid elements at the same place, the ordinary definition
applies to the maximum sizes. Ops that combine elements along such an axis get an operand masked
with a neutral element beyond the size. Reshapes, concats and slices whose positions depend on a
size read at computed positions. All other cases raise UnsupportedOp, by op and axis.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from math import prod
from typing import Any, TypeAlias

from xdsl.dialects.builtin import i1, i64
from xdsl.ir import Operation, SSAValue

from ...dialects import packed
from ...dialects.dtypes import bit_width
from ...dialects.graph import (
    ELEMENTWISE,
    ArgReduceOp,
    BitcastOp,
    BroadcastOp,
    CastOp,
    CheckIndicesOp,
    ConcatOp,
    ConvOp,
    CumulativeOp,
    IotaOp,
    LogSoftmaxOp,
    LrnOp,
    MatmulOp,
    NmsOp,
    NonZeroOp,
    NormalizeOp,
    PadOp,
    PoolOp,
    ReduceOp,
    ReshapeOp,
    SelectOp,
    SizeOp,
    SliceOp,
    SoftmaxOp,
    TransposeOp,
    UniqueOp,
)
from ...dialects.index_syntax import INDEX
from ...dialects.shape import Call, Dim
from ...dialects.te.build import BodyFunction, Result, position, read, whole
from ...dialects.te.scalars import Scalars, highest, lowest, signless
from ...dialects.te.view import Access
from ...support.diagnostics import UnsupportedOp
from . import conv, elementwise, index, matmul, move, nms, norm, pool, reduce, selection, unique
from .builder import Builder, Lowered, Rule, axes_of, element_of, shape_of

Fixed: TypeAlias = tuple[SSAValue, Sequence[int]]
"""A value, and its axes whose sizes must be static."""


def sizes_value(dims: Sequence[Dim], builder: Builder) -> SSAValue:
    """Return the values of size expressions as an i64 tensor."""
    symbols = sorted(frozenset[str]().union(*(dim.symbols() for dim in dims)))
    if len(dims) == 1 and dims[0] == Dim.sym(symbols[0]):
        return builder.data.counts[symbols[0]]

    def body(s: Scalars, at: SSAValue, *counts: SSAValue) -> SSAValue:
        values = dict(zip(symbols, counts, strict=True))
        made = [evaluate(s, dim, values) for dim in dims]
        chosen = made[-1]
        for n, value in reversed(list(enumerate(made[:-1]))):
            chosen = s.select(s.compare("eq", at, s.constant(n, INDEX)), value, chosen)
        return chosen

    inputs = [position("i"), *(read(builder.data.counts[name], (0,)) for name in symbols)]
    return builder.compute("sizes", {"i": len(dims)}, inputs, Result(("i",), i64), body)


def evaluate(s: Scalars, dim: Dim, values: dict[str, SSAValue]) -> SSAValue:
    """Return the i64 value of a size expression for the values of its symbols."""
    total = s.constant(0, i64)
    for monomial, coefficient in dim.terms:
        product = s.constant(coefficient, i64)
        for atom in monomial:
            factor = values[atom] if isinstance(atom, str) else _call(s, atom, values)
            product = s.mul(product, factor)
        total = s.add(total, product)
    return total


def _call(s: Scalars, call: Call, values: dict[str, SSAValue]) -> SSAValue:
    lhs, rhs = evaluate(s, call.lhs, values), evaluate(s, call.rhs, values)
    match call.function:
        case "min":
            return s.min(lhs, rhs)
        case "max":
            return s.max(lhs, rhs)
        case _:
            zero = s.constant(0, i64)
            rest = s.rem(lhs, rhs)
            other_sign = s.bit_xor(s.compare("lt", rest, zero), s.compare("lt", rhs, zero))
            down = s.bit_and(s.compare("ne", rest, zero), other_sign)
            if call.function == "mod":
                return s.add(rest, s.select(down, rhs, zero))
            return s.sub(s.div(lhs, rhs), s.cast(down, i1, i64))


def _require_numbers(op: Operation, builder: Builder, x: SSAValue, axes: Sequence[int]) -> None:
    """Raise UnsupportedOp if the size of an axis is data-dependent."""
    dims = builder.data.dims_of(x)
    for axis in axes:
        if dims[axis].value is None:
            raise UnsupportedOp(
                f"{op.name} needs the size of axis {axis} of operand {list(op.operands).index(x)}, "
                "which depends on data",
                expected="a number",
                got=dims[axis],
            )


def masked(x: SSAValue, axes: Sequence[int], neutral: int | float, builder: Builder) -> SSAValue:
    """Return a te value of x with a neutral element beyond the sizes of the given axes."""
    dims = builder.data.dims_of(x)
    cut = [axis for axis in axes if dims[axis].value is None]
    if not cut:
        return builder.value(x)
    named = axes_of(x)
    names = list(named)

    def body(s: Scalars, element: SSAValue, *rest: SSAValue) -> SSAValue:
        inside = s.constant(1, i1)
        for place, size in zip(rest[: len(cut)], rest[len(cut) :], strict=True):
            inside = s.bit_and(inside, s.compare("lt", s.cast(place, INDEX, i64), size))
        return s.select(inside, element, s.like(neutral, element))

    inputs = [
        read(builder.value(x), names),
        *(position(names[axis]) for axis in cut),
        *(read(sizes_value([dims[axis]], builder), (0,)) for axis in cut),
    ]
    result = Result(names, signless(element_of(x)))
    return builder.compute("mask", named, inputs, result, body)


def _with_masked(
    op: Operation, rule: Rule, builder: Builder, operands: Sequence[tuple[SSAValue, int, float]]
) -> Lowered:
    """Lower an op with operands masked by (value, axis, neutral element)."""
    kept = {x: builder.value(x) for x, _, _ in operands}
    for x, axis, neutral in operands:
        builder.values[x] = masked(x, (axis,), neutral, builder)
    made = rule(op, builder)
    builder.values.update(kept)
    return made


def lower_reduce(op: ReduceOp, builder: Builder) -> Lowered:
    """Mask elements beyond the sizes with the identity of the reduction."""
    kept = builder.value(op.x)
    neutral = reduce.identity_of(op.kind, element_of(op.x))
    builder.values[op.x] = masked(op.x, op.axes, neutral, builder)
    made = reduce.lower_reduce(op, builder)
    builder.values[op.x] = kept
    return made


def lower_arg_reduce(op: ArgReduceOp, builder: Builder) -> Lowered:
    """Mask elements beyond the size with the worst value; the first of equal elements wins."""
    if op.last:
        _require_numbers(op, builder, op.x, (op.axis,))
    element = element_of(op.x)
    worst = lowest(element) if op.kind == "max" else highest(element)
    return _with_masked(op, reduce.lower_arg_reduce, builder, [(op.x, op.axis, worst)])


def lower_softmax(op: SoftmaxOp | LogSoftmaxOp, builder: Builder) -> Lowered:
    """Mask elements beyond the size with the lowest value: their exponential is 0."""
    rule = norm.RULES[type(op)]
    worst = lowest(element_of(op.x))
    return _with_masked(op, rule, builder, [(op.x, op.axis, worst)])


def lower_matmul(op: MatmulOp, builder: Builder) -> Lowered:
    """Mask both operands with zeros beyond the size of the contraction."""
    rank = len(shape_of(op.lhs))
    left = rank - 2 if op.transpose_lhs else rank - 1
    right = rank - 1 if op.transpose_rhs else rank - 2
    operands = [(op.lhs, left, 0), (op.rhs, right, 0)]
    return _with_masked(op, matmul.lower_matmul, builder, operands)


def lower_non_zero(op: NonZeroOp, builder: Builder) -> Lowered:
    """Mask elements beyond the sizes with zeros; positions refer to the maximum shape."""
    kept = builder.value(op.x)
    builder.values[op.x] = masked(op.x, builder.data.open_axes(op.x), 0, builder)
    made = selection.lower_non_zero(op, builder)
    builder.values[op.x] = kept
    return made


def lower_unique(op: UniqueOp, builder: Builder) -> Lowered:
    """Ignore elements or slices beyond the size."""
    axis = op.axis or 0
    others = [n for n in range(len(shape_of(op.x))) if n != axis]
    _require_numbers(op, builder, op.x, others)
    (size,) = builder.data.dims_of(op.inverse)
    given = sizes_value([size], builder) if size.value is None else None
    return unique.lower_unique(op, builder, given)


def lower_size(op: SizeOp, builder: Builder) -> SSAValue:
    """Return the values of sizes, some of them data-dependent."""
    return sizes_value(op.dims, builder)


class _Sizes:
    """Sizes as operands of a compute: static ones become constants of the body, others are read."""

    def __init__(self, dims: Sequence[Dim], builder: Builder) -> None:
        self.dims = dims
        unknown = [dim for dim in dims if dim.value is None]
        values = sizes_value(unknown, builder) if unknown else None
        self.inputs: list[Access] = (
            [] if values is None else [read(values, (n,)) for n in range(len(unknown))]
        )

    def values(self, s: Scalars, given: Sequence[SSAValue]) -> list[SSAValue]:
        """Return the sizes as index values in a body; ``given``: the elements of ``inputs``."""
        left = iter(given)
        return [
            s.cast(next(left), i64, INDEX) if dim.value is None else s.constant(dim.value, INDEX)
            for dim in self.dims
        ]


def lower_reshape(op: ReshapeOp, builder: Builder) -> SSAValue:
    """Reshape the maximum shape if that keeps all places, else compute the positions."""
    if _keeps_places(op, builder):
        return move.lower_reshape(op, builder)
    return _moved_reshape(op, builder)


def _keeps_places(op: ReshapeOp, builder: Builder) -> bool:
    """Return whether row-major places are equal for the actual and the maximum sizes.

    They are if, of the dimensions that the reshape changes, only the first one may be dynamic.
    """
    old, new = ([dim for dim in builder.data.dims_of(x) if dim.value != 1] for x in (op.x, op.out))
    while old and new and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    inner_are_numbers = all(dim.value is not None for dim in (*old[1:], *new[1:]))
    return inner_are_numbers and prod(shape_of(op.x)) == prod(shape_of(op.out))


def _moved_reshape(op: ReshapeOp, builder: Builder) -> SSAValue:
    """Linearize the point in the sizes of out, then delinearize it in the sizes of x."""
    rank = len(shape_of(op.out))
    dims = [*builder.data.dims_of(op.out), *builder.data.dims_of(op.x)]
    sizes = _Sizes(dims, builder)

    def body(s: Scalars, x: SSAValue, *arguments: SSAValue) -> SSAValue:
        extents = sizes.values(s, arguments[rank:])
        number = s.constant(0, INDEX)
        for place, extent in zip(arguments[:rank], extents, strict=False):
            number = s.add(s.mul(number, extent), place)
        places: list[SSAValue] = []
        for extent in reversed(extents[rank:]):
            places.insert(0, s.rem(number, extent))
            number = s.div(number, extent)
        return s.at(x, places, 0)

    return _computed_read("reshape", op.x, op.out, sizes, body, builder)


def _computed_read(
    name: str, x: SSAValue, out: SSAValue, sizes: _Sizes, body: BodyFunction, builder: Builder
) -> SSAValue:
    """Return a compute over out whose body takes x, the point and the sizes."""
    axes = axes_of(out)
    inputs = [whole(builder.value(x)), *map(position, axes), *sizes.inputs]
    result = Result(tuple(axes), signless(element_of(out)))
    return builder.compute(name, axes, inputs, result, body)


def lower_slice(op: SliceOp, builder: Builder) -> SSAValue:
    """Compute the positions if reads may leave x or the starts are data-dependent."""
    if all(start.value is not None for start in op.starts) and _stays_inside(op):
        return move.lower_slice(op, builder)
    sizes = _Sizes(op.starts, builder)
    rank = len(op.starts)

    def body(s: Scalars, x: SSAValue, *arguments: SSAValue) -> SSAValue:
        starts = sizes.values(s, arguments[rank:])
        steps = [s.constant(step, INDEX) for step in op.steps]
        moves = [s.mul(at, step) for at, step in zip(arguments, steps, strict=False)]
        return s.at(x, [s.add(a, b) for a, b in zip(starts, moves, strict=True)], 0)

    return _computed_read("slice", op.x, op.out, sizes, body, builder)


def _stays_inside(op: SliceOp) -> bool:
    rows = zip(op.starts, op.steps, shape_of(op.x), shape_of(op.out), strict=True)
    ends = [(start.value or 0, step * (n - 1), size) for start, step, size, n in rows]
    return all(0 <= start < size and 0 <= start + move < size for start, move, size in ends)


def lower_concat(op: ConcatOp, builder: Builder) -> SSAValue:
    """Read each operand at an offset: the sum of the dynamic sizes of the operands before it."""
    along = [builder.data.dims_of(x)[op.axis] for x in op.xs]
    if all(dim.value is not None for dim in along):
        return move.lower_concat(op, builder)
    axes, count = axes_of(op.out), len(op.xs)
    ends = list(accumulate(along))
    sizes = _Sizes(ends[:-1], builder)

    def body(s: Scalars, *arguments: SSAValue) -> SSAValue:
        xs, places = arguments[:count], list(arguments[count : count + len(axes)])
        stops = sizes.values(s, arguments[count + len(axes) :])
        starts = [s.constant(0, INDEX), *stops]
        parts: list[SSAValue] = []
        for x, start in zip(xs, starts, strict=True):
            moved = s.sub(places[op.axis], start)
            parts.append(s.at(x, [*places[: op.axis], moved, *places[op.axis + 1 :]], 0))
        chosen = parts[-1]
        for part, stop in zip(parts[-2::-1], stops[::-1], strict=True):
            chosen = s.select(s.compare("lt", places[op.axis], stop), part, chosen)
        return chosen

    inputs = [*(whole(builder.value(x)) for x in op.xs), *map(position, axes), *sizes.inputs]
    result = Result(tuple(axes), signless(element_of(op.out)))
    return builder.compute("concat", axes, inputs, result, body)


def lower_check_indices(op: CheckIndicesOp, builder: Builder) -> Sequence[SSAValue]:
    """Mask elements beyond the number of indices so that they pass; dynamic sizes are a tensor.

    An empty axis counts as one element, because masked indices are 0.
    """
    x = masked(op.x, range(len(shape_of(op.x))), 0, builder)
    sizes = [max(builder.data.most(size), 1) for size in op.sizes]
    bounds = None
    if any(size.value is None for size in op.sizes):
        bounds = sizes_value([size.max(1) for size in op.sizes], builder)
    builder.append(packed.CheckIndicesOp(x, sizes, op.place, wraps=op.wraps, bounds=bounds))
    return ()


def _over_numbers(rule: Rule, operands: Callable[[Any], Sequence[Fixed]]) -> Rule:
    """Return a rule that rejects dynamic sizes of some axes of operands."""

    def lower(op: Operation, builder: Builder) -> Lowered:
        for x, axes in operands(op):
            _require_numbers(op, builder, x, axes)
        return rule(op, builder)

    return lower


def _all_axes(x: SSAValue, first: int = 0) -> Fixed:
    return x, range(first, len(shape_of(x)))


def _conv_operands(op: ConvOp) -> list[Fixed]:
    rest = [op.w] if op.b is None else [op.w, op.b]
    return [_all_axes(op.x, 1), *map(_all_axes, rest)]


def _padded_axes(op: PadOp) -> list[Fixed]:
    pads = zip(op.low, op.high, strict=True)
    return [(op.x, [axis for axis, (low, high) in enumerate(pads) if low or high])]


def _regrouped_axis(op: BitcastOp) -> list[Fixed]:
    same = bit_width(element_of(op.x)) == bit_width(op.to)
    return [] if same else [(op.x, (len(shape_of(op.x)) - 1,))]


def _against_the_order(op: CumulativeOp) -> list[Fixed]:
    return [(op.x, (op.axis,))] if op.reverse else []


DATA_RULES: dict[type, Rule] = {
    **{op: elementwise.RULES[op] for op in (*ELEMENTWISE.values(), SelectOp, CastOp)},
    **{op: move.RULES[op] for op in (TransposeOp, BroadcastOp, IotaOp)},
    **index.RULES,
    CheckIndicesOp: lower_check_indices,
    ArgReduceOp: lower_arg_reduce,
    BitcastOp: _over_numbers(elementwise.lower_bitcast, _regrouped_axis),
    ConcatOp: lower_concat,
    ConvOp: _over_numbers(conv.lower_conv, _conv_operands),
    CumulativeOp: _over_numbers(reduce.lower_cumulative, _against_the_order),
    LogSoftmaxOp: lower_softmax,
    LrnOp: _over_numbers(norm.RULES[LrnOp], lambda op: [(op.x, (1,))]),
    MatmulOp: lower_matmul,
    NmsOp: _over_numbers(nms.lower_nms, lambda op: list(map(_all_axes, op.operands))),
    NonZeroOp: lower_non_zero,
    NormalizeOp: _over_numbers(norm.RULES[NormalizeOp], lambda op: [(op.x, op.axes)]),
    PadOp: _over_numbers(move.lower_pad, _padded_axes),
    PoolOp: _over_numbers(pool.RULES[PoolOp], lambda op: [_all_axes(op.x, 2)]),
    ReduceOp: lower_reduce,
    ReshapeOp: lower_reshape,
    SizeOp: lower_size,
    SliceOp: lower_slice,
    SoftmaxOp: lower_softmax,
    UniqueOp: lower_unique,
}
"""The lowering of ops with a dynamic size in an operand or result, by class."""
