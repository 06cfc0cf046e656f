"""Lower data movement to computes that yield their operand; index maps describe the movement."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from math import prod

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import SSAValue

from ...dialects import packed
from ...dialects.graph import (
    AppendOp,
    BroadcastOp,
    ConcatOp,
    IotaOp,
    PadOp,
    ReshapeOp,
    SliceOp,
    TransposeOp,
)
from ...dialects.index_syntax import INDEX
from ...dialects.shape import Dim, Extent, dims_of, element_count, type_of
from ...dialects.te.build import ComputeResult, Position, position, read, whole
from ...dialects.te.role import Concat
from ...dialects.te.scalars import Scalars
from ...dialects.te.view import Access, axis_ranges
from ...support.affine import ZERO, Index, divide, variable
from .builder import (
    Rule,
    TeBuilder,
    axes_of,
    element_of,
    is_empty,
    named_axes,
    sizes_of,
    te_type,
)
from .data.data_rules import Fixed, Sizes, computed_read, last_like, over_numbers, size_like

MOST_PARTS = 32
"""Most parts of a concat per kernel; compile time grows superlinearly with their number."""

MOST_KERNEL_PARTS = 128
"""Most parts of a concat in kernels; for more parts, main copies, since each costs a loop nest."""


def _copy(
    name: str, axes: Mapping[str, Extent], source: Access, op_result: SSAValue, builder: TeBuilder
) -> SSAValue:
    return builder.pointwise(name, axes, [source], element_of(op_result), lambda _, x: x)


def lower_reshape(op: ReshapeOp, builder: TeBuilder) -> SSAValue:
    """Lower to a compute that reads x in row-major order, or to a view.

    Results of control flow are row-major in memory, so their reshape is a view. A reshape that
    splits or merges symbolic sizes is a view, too, because an index has no products of sizes. With
    several symbolic axes, such as batch and length, only a view lets te-merge-axes make one axis of
    rows for a matrix product. The reshape of a broadcast is not a view, because a view would store
    repeated elements.
    """
    if dims_of(type_of(op.x)) == dims_of(type_of(op.out)):
        return builder.value(op.x)
    axes = axes_of(op.out)
    is_view = sum(isinstance(size, Dim) for size in axes.values()) > 1
    is_view = is_view and not isinstance(op.x.owner, BroadcastOp)
    positions = None if is_view else _matched_positions(axes, sizes_of(op.x))
    if positions is None or isinstance(builder.value(op.x).owner, packed.IfOp | packed.LoopOp):
        return builder.append(packed.ViewOp(builder.value(op.x), te_type(op.out.type))).results[0]
    return _copy("reshape", axes, read(builder.value(op.x), positions), op.out, builder)


def _matched_positions(axes: Mapping[str, Extent], source: Sequence[Extent]) -> list[Index] | None:
    """Return the position in x of each element of a reshape that keeps all symbolic dimensions.

    Returns one index expression per dimension of x, or None if the reshape splits or merges a
    symbolic dimension.
    axes: the axes of the result.  source: the sizes of x.
    """
    names = [name for name, size in axes.items() if isinstance(size, Dim)]
    places = [place for place, size in enumerate(source) if isinstance(size, Dim)]
    if [axes[name] for name in names] != [source[place] for place in places]:
        return None
    order, positions, left, first = list(axes), list[Index](), 0, 0
    for name, place in [*zip(names, places, strict=True), (None, len(source))]:
        right = order.index(name) if name else len(order)
        part = {a: size for a in order[left:right] if isinstance(size := axes[a], int)}
        sizes = [size for size in source[first:place] if isinstance(size, int)]
        if prod(part.values()) != prod(sizes):
            return None
        positions += reshape_positions(part, sizes)
        positions += [variable(name)] if name else []
        left, first = right + 1, place + 1
    return positions


def reshape_positions(axes: Mapping[str, int], source: Sequence[int]) -> list[Index]:
    """Return the position in x of each element of a reshape, as one index expression per dimension.

    axes: the axes of the result with their extents.  source: the shape of x.
    The dimensions of x are matched with the axes in the smallest groups of equal size, so that a
    split or merge of some dimensions does not involve others.
    """
    positions: list[Index] = []
    names, sizes, left = list(axes), list(source), 0
    while len(positions) < len(sizes):
        first = len(positions)
        stop, right = _group(axes, names, sizes, left, first)
        positions += _unflatten({a: axes[a] for a in names[left:right]}, sizes[first:stop])
        left = right
    return positions


def _group(
    axes: Mapping[str, int], names: Sequence[str], sizes: Sequence[int], left: int, first: int
) -> tuple[int, int]:
    """Find the smallest group of sizes and the smallest group of axes that have equal products.

    left: the position in ``names`` where the group of axes starts.  first: the position in
    ``sizes`` where the group of sizes starts.
    Returns the end of the group of sizes, then the end of the group of axes.
    """
    stop, right, product, points = first + 1, left, sizes[first], 1
    while product != points:
        if points < product:
            points *= axes[names[right]]
            right += 1
        else:
            product *= sizes[stop]
            stop += 1
    return stop, right


def _unflatten(axes: Mapping[str, int], sizes: Sequence[int]) -> list[Index]:
    """Return the indices in a tensor of shape ``sizes`` that have the row-major number of a point.

    axes: the axes of the point with their extents, which define its row-major number.
    """
    left, range_of = ZERO, axis_ranges(axes)
    for name, extent in axes.items():
        left = left * extent + (variable(name) if extent > 1 else 0)
    positions: list[Index] = []
    for size in reversed(sizes):
        positions.append(divide("mod", left, size, range_of))
        left = divide("floordiv", left, size, range_of)
    return positions[::-1]


def lower_transpose(op: TransposeOp, builder: TeBuilder) -> SSAValue:
    """Lower to a compute in which dimension ``perm[i]`` of x is dimension i of the result."""
    axes = axes_of(op.out)
    names: list[Position] = [0] * len(axes)
    for name, dimension in zip(axes, op.perm, strict=True):
        names[dimension] = name
    return _copy("transpose", axes, read(builder.value(op.x), names), op.out, builder)


def lower_broadcast(op: BroadcastOp, builder: TeBuilder) -> SSAValue:
    """Lower to ``out[p] = x[p[axes]]``, where the index is 0 along dimensions of x of size 1."""
    axes, sizes = axes_of(op.out), dims_of(type_of(op.x))
    if sizes == dims_of(type_of(op.out)):
        return builder.value(op.x)
    names = list(axes)
    positions: list[Position] = [
        0 if size.value == 1 else names[axis] for size, axis in zip(sizes, op.axes, strict=True)
    ]
    return _copy("broadcast", axes, read(builder.value(op.x), positions), op.out, builder)


def lower_slice(op: SliceOp, builder: TeBuilder) -> SSAValue:
    """Lower to ``out[i] = x[start + i * step]`` per dimension."""
    axes = axes_of(op.out)
    starts = [builder.size(start) for start in op.starts]
    positions: list[Position] = [
        variable(a) * step + start for a, start, step in zip(axes, starts, op.steps, strict=True)
    ]
    # Only for invalid symbolic sizes is a position outside x; the read is still in bounds.
    pad = None if all(map(_is_inside, op.starts, op.sizes, op.steps, dims_of(type_of(op.x)))) else 0
    return _copy("slice", axes, read(builder.value(op.x), positions, pad), op.out, builder)


def _is_inside(start: Dim, count: Dim, step: int, size: Dim) -> bool:
    """Return whether a slice is inside a dimension for all values of the symbols.

    start, count, step: the first position, the number of elements and the step of the slice.
    size: the size of the dimension.
    """
    end = start + (count - 1) * step
    first, last = (start, end) if step > 0 else (end, start)
    return count.value == 0 or (first.is_at_least(0) and size.is_at_least(last + 1))


def lower_concat(op: ConcatOp, builder: TeBuilder) -> SSAValue:
    """Lower to a compute that selects, by position, among padded reads of all operands.

    A concat of very many operands becomes a packed.concat, which the host program runs.
    """
    parts = [builder.value(x) for x in op.xs if not is_empty(x)]
    if len(parts) > MOST_KERNEL_PARTS:
        return builder.append(packed.ConcatOp(parts, op.axis, te_type(op.out.type))).results[0]
    return concatenate(parts, op.axis, builder)


def lower_append(op: AppendOp, builder: TeBuilder) -> SSAValue:
    """Lower to a packed.concat that appends rows.

    If the past rows already are at the start of the result's buffer, the host program copies only
    the new rows.
    """
    rows = [builder.value(op.past), builder.value(op.new)]
    type_ = te_type(op.out.type)
    return builder.append(packed.ConcatOp(rows, 0, type_, appends=True)).results[0]


def concatenate(
    parts: Sequence[SSAValue], axis: int, builder: TeBuilder, layout: AffineMapAttr | None = None
) -> SSAValue:
    """Concatenate te values along an axis; return the result.

    layout: the layout of the result; None for row-major.  The compute has the role ``concat axis``;
    te-bufferize may write the operands into slices of the result instead. Many parts are
    concatenated in groups, whose equal kernels compile once; the groups then become slices of the
    result.
    """
    if len(parts) == 1:
        return parts[0]
    if len(parts) > MOST_PARTS and layout is None:
        groups = [parts[i : i + MOST_PARTS] for i in range(0, len(parts), MOST_PARTS)]
        return concatenate([concatenate(g, axis, builder) for g in groups], axis, builder)
    dims = [*dims_of(type_of(parts[0]))]
    ends = list(accumulate(dims_of(type_of(x))[axis] for x in parts))
    dims[axis] = ends[-1]
    axes = named_axes(dims)
    along = list(axes)[axis]
    inputs: list[Access] = []
    for x, start in zip(parts, [Dim.const(0), *ends], strict=False):
        positions = [variable(a) - builder.size(start) if a == along else a for a in axes]
        inputs.append(read(x, positions, 0))
    sizes = Sizes(ends[:-1], builder)

    def choose(s: Scalars, *arguments: SSAValue) -> SSAValue:
        elements, (at, *given) = arguments[: len(parts)], arguments[len(parts) :]
        made = elements[-1]
        known = sizes.numbers(s, given)
        for element, end in zip(elements[-2::-1], known[::-1], strict=True):
            made = s.select(s.compare("lt", at, size_like(s, end, at)), element, made)
        return made

    result = ComputeResult(tuple(axes), type_of(parts[0]).element_type, layout=layout)
    inputs += [position(along), *sizes.inputs]
    return builder.compute("concat", axes, inputs, result, choose, role=Concat(axis))


def lower_pad(op: PadOp, builder: TeBuilder) -> SSAValue:
    """Lower constant and static wrap padding by index maps, other modes by computed positions."""
    if is_empty(op.x):
        return builder.full(type_of(op.out), op.value)
    axes, sizes = axes_of(op.out), sizes_of(op.x)
    shifted = [variable(a) - low for a, low in zip(axes, op.low, strict=True)]
    x = builder.value(op.x)
    if op.mode == "constant":
        return _copy("pad", axes, read(x, shifted, op.value), op.out, builder)
    numbers = [size for size in sizes if isinstance(size, int)]
    if op.mode == "wrap" and len(numbers) == len(sizes):
        wrapped = [
            divide("mod", e, n, axis_ranges(axes)) for e, n in zip(shifted, numbers, strict=True)
        ]
        return _copy("pad", axes, read(x, wrapped), op.out, builder)
    return _pad_inside(op, builder, axes, shifted)


_INSIDE: dict[str, Callable[[Scalars, SSAValue, int | SSAValue], SSAValue]] = {
    "edge": lambda s, at, size: s.max(s.min(at, last_like(s, size, at)), s.like(0, at)),
    "wrap": lambda s, at, size: _wrapped(s, at, size_like(s, size, at)),
    "reflect": lambda s, at, size: _mirrored(s, at, size),
}
"""Positions inside a dimension of a size, by mode of a pad."""


def _pad_inside(
    op: PadOp, builder: TeBuilder, axes: Mapping[str, Extent], shifted: Sequence[Index]
) -> SSAValue:
    """Append a compute that pads x with elements of x; return its result.

    Positions outside of x are moved inside: to the nearest end (edge), to the mirror image
    (reflect), or by whole periods (wrap).
    axes: the axes of the result with their extents.  shifted: the position in x per dimension,
    which may be outside.
    """
    dims = dims_of(type_of(op.x))
    padded = [before + after > 0 for before, after in zip(op.low, op.high, strict=True)]
    sizes = Sizes(dims, builder)
    starts = [
        divide("mod", e, max(2 * (size.value - 1), 1), axis_ranges(axes))
        if op.mode == "reflect" and outside and size.value is not None
        else e
        for e, size, outside in zip(shifted, dims, padded, strict=True)
    ]

    def body(s: Scalars, x: SSAValue, *arguments: SSAValue) -> SSAValue:
        at, given = arguments[: len(dims)], arguments[len(dims) :]
        inside = [
            _INSIDE[op.mode](s, p, size) if outside else p
            for p, size, outside in zip(at, sizes.numbers(s, given), padded, strict=True)
        ]
        return s.at(x, inside)

    inputs = [whole(builder.value(op.x)), *(position(e) for e in starts), *sizes.inputs]
    return builder.pointwise("pad", axes, inputs, element_of(op.out), body)


def _mirrored(s: Scalars, at: SSAValue, size: int | SSAValue) -> SSAValue:
    """Return the mirror image of a position; a position inside of the dimension does not change.

    size: the size of the dimension. If it is an integer, the caller has already reduced the
    position modulo the period of the reflections.
    """
    if isinstance(size, int):
        return s.min(at, s.sub(s.like(max(2 * (size - 1), 1), at), at))
    last = last_like(s, size, at)
    period = s.max(s.add(last, last), s.like(1, at))
    within = _wrapped(s, at, period)
    return s.min(within, s.sub(period, within))


def _wrapped(s: Scalars, at: SSAValue, size: SSAValue) -> SSAValue:
    """Return the non-negative remainder of a position modulo a size."""
    rest = s.rem(at, size)
    return s.select(s.compare("lt", rest, s.like(0, rest)), s.add(rest, size), rest)


def lower_iota(op: IotaOp, builder: TeBuilder) -> SSAValue:
    """Lower to ``out[p] = p[axis]``."""
    axes, element = axes_of(op.out), element_of(op.out)

    def body(s: Scalars, at: SSAValue) -> SSAValue:
        return s.cast(at, INDEX, element)

    return builder.pointwise("iota", axes, [position(list(axes)[op.axis])], element, body)


def lower_dynamic_reshape(op: ReshapeOp, builder: TeBuilder) -> SSAValue:
    """Lower to a view of the largest sizes if no element moves, else to computed reads."""
    if _keeps_places(op, builder):
        return lower_reshape(op, builder)
    return _moved_reshape(op, builder)


def _keeps_places(op: ReshapeOp, builder: TeBuilder) -> bool:
    """Return whether elements have the same row-major position for actual and for largest sizes.

    In both shapes of the reshape, this is so if at most the first of the dimensions that it changes
    may be data-dependent.
    """
    old, new = ([dim for dim in builder.data.dims_of(x) if dim.value != 1] for x in (op.x, op.out))
    while old and new and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    if any(map(builder.data.is_data, (*old[1:], *new[1:]))):
        return False
    most, others = (element_count(dims_of(type_of(x))) for x in (op.x, op.out))
    return most == others


def _moved_reshape(op: ReshapeOp, builder: TeBuilder) -> SSAValue:
    """Lower a reshape whose elements move in memory, because buffers have the largest sizes.

    The compute reads x at the position that has, for the actual sizes, the same row-major number as
    the element of the result.
    """
    rank = len(sizes_of(op.out))
    dims = [*builder.data.dims_of(op.out), *builder.data.dims_of(op.x)]
    sizes = Sizes(dims, builder)

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

    return computed_read("reshape", op.x, op.out, sizes, body, builder)


def lower_dynamic_slice(op: SliceOp, builder: TeBuilder) -> SSAValue:
    """Lower a slice with data-dependent sizes, to computed reads if necessary.

    Computed reads are necessary if the starts are data-dependent, or if an affine index map might
    leave x.
    """
    if not any(map(builder.data.is_data, op.starts)) and _stays_inside(op):
        return lower_slice(op, builder)
    sizes = Sizes(op.starts, builder)
    rank = len(op.starts)

    def body(s: Scalars, x: SSAValue, *arguments: SSAValue) -> SSAValue:
        starts = sizes.values(s, arguments[rank:])
        steps = [s.constant(step, INDEX) for step in op.steps]
        moves = [s.mul(at, step) for at, step in zip(arguments, steps, strict=False)]
        return s.at(x, [s.add(a, b) for a, b in zip(starts, moves, strict=True)], 0)

    return computed_read("slice", op.x, op.out, sizes, body, builder)


def _stays_inside(op: SliceOp) -> bool:
    counts, sizes = dims_of(type_of(op.out)), dims_of(type_of(op.x))
    return all(map(_is_inside, op.starts, counts, op.steps, sizes))


def lower_dynamic_concat(op: ConcatOp, builder: TeBuilder) -> SSAValue:
    """Lower a concat along a data-dependent axis: read each operand at an offset.

    The offset is the sum of the sizes of the operands before it.
    """
    along = [builder.data.dims_of(x)[op.axis] for x in op.xs]
    if not any(map(builder.data.is_data, along)):
        return lower_concat(op, builder)
    axes, count = axes_of(op.out), len(op.xs)
    ends = list(accumulate(along))
    sizes = Sizes(ends[:-1], builder)

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
    return builder.pointwise("concat", axes, inputs, element_of(op.out), body)


def _padded_axes(op: PadOp) -> list[Fixed]:
    pads = zip(op.low, op.high, strict=True)
    return [(op.x, [axis for axis, (low, high) in enumerate(pads) if low or high])]


RULES: dict[type, Rule] = {
    ReshapeOp: lower_reshape,
    TransposeOp: lower_transpose,
    BroadcastOp: lower_broadcast,
    SliceOp: lower_slice,
    ConcatOp: lower_concat,
    AppendOp: lower_append,
    PadOp: lower_pad,
    IotaOp: lower_iota,
}

DATA_RULES: dict[type, Rule] = {
    **{op: RULES[op] for op in (TransposeOp, BroadcastOp, IotaOp)},
    ReshapeOp: lower_dynamic_reshape,
    SliceOp: lower_dynamic_slice,
    ConcatOp: lower_dynamic_concat,
    PadOp: over_numbers(lower_pad, _padded_axes),
}
"""The lowering of ops with a data-dependent size in an operand or result."""

SUB_BYTE_OPS: tuple[type, ...] = tuple(op for op in RULES if op is not IotaOp)
"""Ops that move or convert integers narrower than 8 bits."""
