"""Lower pooling to a compute ``[n, c, h, w, r red, s red]``; padding reads a neutral element."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np
from xdsl.dialects.builtin import i1, i64
from xdsl.ir import SSAValue

from ...dialects.dtypes import is_unsigned
from ...dialects.graph import MaxPoolIndicesOp, PoolOp
from ...dialects.index_syntax import INDEX
from ...dialects.shape import MOST, Extent, dims_of, element_count, extent_of, type_of
from ...dialects.te.build import BodyFunction, ComputeResult, position, read
from ...dialects.te.reductions import better
from ...dialects.te.scalars import Scalars, lowest, signless, wide_type
from ...dialects.te.view import Access
from ...support.affine import ZERO, Index, variable
from .builder import Rule, TeBuilder, element_of, numbers_of, sizes_of
from .conv import spatial_names, window_leaves, window_positions
from .data.data_rules import Sizes, all_axes, over_numbers, size_like

_MOST_TAPS = 2
"""A maximum is split by dimension if the window has more than this times k + k taps."""


def lower_pool(op: PoolOp, builder: TeBuilder) -> SSAValue:
    """Lower to a combination of ``x[n, c, p * stride + k * dilation - low]`` over the window k."""
    if op.kind == "max":
        return _lower_maximum(op, builder)
    shape, element = sizes_of(op.out), element_of(op.x)
    outer, inner = spatial_names(len(shape) - 2)
    stored = dict(zip(("n", "c", *outer), shape, strict=True))
    axes: dict[str, Extent] = {**stored, **dict(zip(inner, op.kernel, strict=True))}
    window = window_positions(outer, inner, op.strides, op.dilations, op.pads)
    inputs = [read(builder.value(op.x), ("n", "c", *window), 0 if _leaves_operand(op) else None)]
    result = ComputeResult(tuple(stored), signless(element), "add", 0, wide_type(element))

    def body(s: Scalars, x: SSAValue) -> SSAValue:
        x = s.widen(x)
        return _power(s, s.abs(x), op.p) if op.kind == "lp" else x

    post, then = _finish(op, builder, outer)
    return builder.compute(f"pool_{op.kind}", axes, inputs, result, body, post=post, then=then)


def _lower_maximum(op: PoolOp, builder: TeBuilder) -> SSAValue:
    """Lower the maximum over a large window to maxima along one dimension at a time.

    Exact.  A k x k window takes k + k taps instead of k * k; a maximum that preserves NaN takes
    three instructions.
    """
    x, all_dims = builder.value(op.x), range(len(op.kernel))
    wide = [d for d in all_dims if op.kernel[d] > 1]
    if len(wide) < 2 or math.prod(op.kernel) <= _MOST_TAPS * sum(op.kernel[d] for d in wide):
        return _maximum(op, x, all_dims, builder)
    for number, dim in enumerate(reversed(wide)):
        narrow = [d for d in all_dims if number == 0 and d not in wide]
        x = _maximum(op, x, [*narrow, dim], builder)
    return x


def _maximum(op: PoolOp, x: SSAValue, dims: Sequence[int], builder: TeBuilder) -> SSAValue:
    """Append a compute of the maximum of x over some dimensions of the window; return it."""
    element, sizes = element_of(op.x), list(sizes_of(x))
    outer, inner = spatial_names(len(op.kernel))
    outside = False
    window = [variable(y) for y in outer]
    for d in dims:
        outside |= _leaves_operand(op, d)
        sizes[2 + d] = sizes_of(op.out)[2 + d]
        tap = variable(inner[d]) * op.dilations[d]
        window[d] = window[d] * op.strides[d] + tap - op.pads[d]
    stored = dict(zip(("n", "c", *outer), sizes, strict=True))
    axes: dict[str, Extent] = {**stored, **{inner[d]: op.kernel[d] for d in sorted(dims)}}
    neutral, layout = lowest(element), op.layout
    result = ComputeResult(
        tuple(stored),
        signless(element),
        "umax" if is_unsigned(element) else "max",
        neutral,
        wide_type(element),
        layout,
    )
    inputs = [read(x, ("n", "c", *window), neutral if outside else None)]
    return builder.compute("pool_max", axes, inputs, result, lambda s, e: s.widen(e))


def _leaves_operand(op: PoolOp | MaxPoolIndicesOp, d: int | None = None) -> bool:
    """Return whether some window may reach outside of x.

    d: the only spatial dimension to check; None to check all.
    """
    part = slice(None) if d is None else slice(d, d + 1)
    sizes, counts = dims_of(type_of(op.x))[2:], sizes_of(op.out)[2:]
    return window_leaves(
        sizes[part], counts[part], op.kernel[part], op.strides[part], op.dilations[part],
        op.pads[: len(sizes)][part],
    )  # fmt: skip


def _power(s: Scalars, x: SSAValue, p: float) -> SSAValue:
    if p == 1:
        return x
    return s.mul(x, x) if p == 2 else s.math("powf", x, s.like(p, x))


def _finish(
    op: PoolOp, builder: TeBuilder, outer: Sequence[str]
) -> tuple[list[Access], BodyFunction | None]:
    """Return how a pool turns combined values into results: the arguments ``post`` and ``then``.

    The first result are the reads whose elements the region takes; the second is the region, which
    computes the mean or the p-norm, or None for a maximum or a sum.
    outer: the axes of the result.
    """
    element = element_of(op.x)
    wide = wide_type(element)
    if op.kind == "lp" and op.p != 1:

        def root(s: Scalars, total: SSAValue) -> SSAValue:
            square = op.p == 2
            made = s.math("sqrt", total) if square else _power(s, total, 1 / op.p)
            return s.cast(made, wide, element)

        return [], root
    if op.kind != "avg":
        return [], None
    if not all(isinstance(size, int) for size in sizes_of(op.x)[2:]):
        return _computed_counts(op, builder, outer)
    counts = _tap_counts(op)
    varies = counts.min() != counts.max()

    def divide(s: Scalars, total: SSAValue, *count: SSAValue) -> SSAValue:
        divisor = count[0] if varies else s.like(float(counts.flat[0]), total)
        return s.cast(s.div(total, s.cast(divisor, divisor.type, wide)), wide, element)

    table = [read(builder.constant(counts.astype(np.float32)), tuple(outer))] if varies else []
    return table, divide


def _computed_counts(
    op: PoolOp, builder: TeBuilder, outer: Sequence[str]
) -> tuple[list[Access], BodyFunction]:
    """Return the arguments ``post`` and ``then`` of a mean whose divisors are computed at run time.

    The region computes the number of elements of a window from its position, and divides by it.
    outer: the axes of the result.
    """
    element, rank = element_of(op.x), len(op.kernel)
    wide = wide_type(element)
    sizes = Sizes(dims_of(type_of(op.x))[2:], builder)
    starts = window_positions(outer, [0] * rank, op.strides, op.dilations, op.pads)

    def divide(s: Scalars, total: SSAValue, *rest: SSAValue) -> SSAValue:
        count = s.constant(1, i64)
        for n, size in enumerate(sizes.numbers(s, rest[rank:])):
            start, high = s.cast(rest[n], INDEX, i64), op.pads[rank + n]
            first = s.constant(-op.pads[n] if op.count_pad else 0, i64)
            end = s.add(size_like(s, size, start), s.constant(high if op.count_pad else 0, i64))
            count = s.mul(count, _taps_between(s, op, n, start, first, end))
        return s.cast(s.div(total, s.cast(count, i64, wide)), wide, element)

    return [*map(position, starts), *sizes.inputs], divide


def _taps_between(
    s: Scalars, op: PoolOp, n: int, start: SSAValue, first: SSAValue, end: SSAValue
) -> SSAValue:
    """Return how many taps of a window are at positions from ``first`` to ``end`` - 1 of x.

    n: the spatial dimension.  start: the position of the window's first tap.
    """
    count = s.constant(0, i64)
    for k in range(op.kernel[n]):
        at = s.add(start, s.constant(k * op.dilations[n], i64))
        inside = s.bit_and(s.compare("ge", at, first), s.compare("lt", at, end))
        count = s.add(count, s.cast(inside, i1, i64))
    return count


def _tap_counts(op: PoolOp) -> np.ndarray[Any, Any]:
    """Return the divisor of each window's sum, as an array in the shape of the result.

    The divisor is the number of taps inside x, or, if padding counts, inside padded x.
    """
    rank = len(op.kernel)
    per_axis: list[np.ndarray[Any, Any]] = []
    sizes, outputs = (numbers_of(sizes_of(v)[2:], "spatial sizes") for v in (op.x, op.out))
    for n, (size, count) in enumerate(zip(sizes, outputs, strict=True)):
        low, high = op.pads[n], op.pads[rank + n]
        taps = np.arange(op.kernel[n]) * op.dilations[n]
        positions = np.arange(count)[:, None] * op.strides[n] + taps - low
        first, last = (-low, size + high) if op.count_pad else (0, size)
        per_axis.append(((positions >= first) & (positions < last)).sum(axis=1))
    counts = reduce(np.multiply.outer, per_axis)
    assert math.prod(counts.shape) > 0, "pool without results"
    return counts


def lower_max_pool_indices(op: MaxPoolIndicesOp, builder: TeBuilder) -> Sequence[SSAValue]:
    """Lower to a reduction of (value, position) pairs; taps outside of x lose every tie."""
    shape, element, dims = sizes_of(op.out), element_of(op.x), dims_of(type_of(op.x))
    outer, inner = spatial_names(len(op.kernel))
    stored = dict(zip(("n", "c", *outer), shape, strict=True))
    axes: dict[str, Extent] = {**stored, **dict(zip(inner, op.kernel, strict=True))}
    window = window_positions(outer, inner, op.strides, op.dilations, op.pads)
    leaves = _leaves_operand(op)
    image = extent_of(element_count(dims[2:]))
    nowhere = image if isinstance(image, int) else MOST
    flat = _flat_position(window, sizes_of(op.x)[2:])
    sizes = Sizes(dims[1:], builder)
    wide = wide_type(element)

    def body(s: Scalars, x: SSAValue, *rest: SSAValue) -> list[SSAValue]:
        numbers = sizes.numbers(s, rest[len(places) :])[1:]
        if flat is None:
            found = s.cast(_row_major(s, rest[: len(places)], numbers), INDEX, i64)
        else:
            found = s.cast(rest[0], INDEX, i64)
        tested = rest[flat is not None : len(places)] if leaves else ()
        for place, size in zip(tested, numbers, strict=bool(tested)):
            inside = s.bit_and(
                s.compare("ge", place, s.like(0, place)),
                s.compare("lt", place, size_like(s, size, place)),
            )
            found = s.select(inside, found, s.like(nowhere, found))
        return [s.widen(x), found]

    def then(s: Scalars, value: SSAValue, at: SSAValue, *rest: SSAValue) -> list[SSAValue]:
        numbers = sizes.numbers(s, rest[len(images) :])
        if op.column_major:
            at = _column_major(s, at, numbers[1:])
        if op.in_channel:
            return [s.cast(value, wide, element), at]
        number = rest[0] if len(images) == 1 else _row_major(s, rest[:2], [0, numbers[0]])
        size = _product_like(s, numbers[1:], at)
        base = s.mul(s.cast(number, INDEX, i64), size)
        return [s.cast(value, wide, element), s.add(base, at)]

    places = [*([] if flat is None else [flat]), *(window if leaves or flat is None else ())]
    reads = [
        read(builder.value(op.x), ("n", "c", *window), lowest(element) if leaves else None),
        *map(position, places),
        *sizes.inputs,
    ]
    results = [
        ComputeResult(tuple(stored), signless(element), "by", lowest(element), wide),
        ComputeResult(tuple(stored), i64, "by", nowhere),
    ]
    channels = shape[1]
    images = [variable("n"), variable("c")]
    if isinstance(channels, int):
        images = [variable("n") * channels + variable("c")]
    combine = better("max", element, last=False)
    post = [*map(position, images), *sizes.inputs]
    return builder.computes(
        "max_pool_indices", axes, reads, results, body, post=post, then=then, combine=combine
    )


def _flat_position(window: Sequence[Index], sizes: Sequence[Extent]) -> Index | None:
    """Return the row-major number of a position as an index expression.

    Returns None if a symbolic size would be a factor, which an index expression cannot contain.
    window: the position along each axis.  sizes: the extent of each axis.
    """
    flat = ZERO
    for n, (at, size) in enumerate(zip(window, sizes, strict=True)):
        if n and not isinstance(size, int):
            return None
        flat = flat * (size if isinstance(size, int) else 1) + at
    return flat


def _row_major(s: Scalars, places: Sequence[SSAValue], sizes: Sequence[int | SSAValue]) -> SSAValue:
    """Return the row-major number of a position, computed in the body of a compute.

    places: the position along each axis.  sizes: the extent of each axis.
    """
    first, *rest = places
    for place, size in zip(rest, sizes[1:], strict=True):
        first = s.add(s.mul(first, size_like(s, size, first)), place)
    return first


def _product_like(s: Scalars, sizes: Sequence[int | SSAValue], x: SSAValue) -> SSAValue:
    """Return the product of sizes as an integer of the type of x."""
    numbers = [size for size in sizes if isinstance(size, int)]
    made = s.like(math.prod(numbers), x)
    for size in sizes:
        if not isinstance(size, int):
            made = s.mul(made, size_like(s, size, x))
    return made


def _column_major(s: Scalars, at: SSAValue, sizes: Sequence[int | SSAValue]) -> SSAValue:
    """Convert the row-major number ``at`` of a position to its column-major number.

    sizes: the extent of each axis.
    """
    total = s.like(0, at)
    for d in reversed(range(len(sizes))):
        size = size_like(s, sizes[d], at)
        total = s.add(total, s.mul(s.rem(at, size), _product_like(s, sizes[:d], at)))
        at = s.div(at, size)
    return total


RULES: dict[type, Rule] = {PoolOp: lower_pool, MaxPoolIndicesOp: lower_max_pool_indices}

DATA_RULES: dict[type, Rule] = {PoolOp: over_numbers(lower_pool, lambda op: [all_axes(op.x, 2)])}
"""The lowering of ops with a data-dependent size in an operand or result."""
