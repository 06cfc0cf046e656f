"""Pooling: one compute ``[n, c, h, w, r red, s red]``; padding reads the combiner's identity."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from ...dialects.dtypes import is_unsigned
from ...dialects.graph import MaxPoolIndicesOp, PoolOp
from ...dialects.index_syntax import INDEX
from ...dialects.shape import static_shape, type_of
from ...dialects.te.build import BodyFunction, Result, position, read
from ...dialects.te.reductions import better
from ...dialects.te.scalars import Scalars, lowest, signless, wide_type
from ...dialects.te.view import Access
from ...support.affine import ZERO, variable
from .builder import Builder, Rule, element_of, shape_of
from .conv import spatial_names, window_positions
from .data_rules import all_axes, over_numbers

_MOST_TAPS = 2
"""A maximum over more than this many times the sum of its kernel sizes is split by dimension."""


def lower_pool(op: PoolOp, builder: Builder) -> SSAValue:
    """Combine ``x[n, c, p * stride + k * dilation - low]`` over the window k."""
    if op.kind == "max":
        return _lower_maximum(op, builder)
    shape, element = shape_of(op.out), element_of(op.x)
    outer, inner = spatial_names(len(shape) - 2)
    stored = dict(zip(("n", "c", *outer), shape, strict=True))
    axes = {**stored, **dict(zip(inner, op.kernel, strict=True))}
    window = window_positions(outer, inner, op.strides, op.dilations, op.pads)
    inputs = [read(builder.value(op.x), ("n", "c", *window), 0 if _leaves_operand(op) else None)]
    result = Result(tuple(stored), signless(element), "add", 0, wide_type(element))

    def body(s: Scalars, x: SSAValue) -> SSAValue:
        x = s.widen(x)
        return _power(s, s.abs(x), op.p) if op.kind == "lp" else x

    post, then = _finish(op, builder, outer)
    return builder.compute(f"pool_{op.kind}", axes, inputs, result, body, post=post, then=then)


def _lower_maximum(op: PoolOp, builder: Builder) -> SSAValue:
    """Split the maximum over a large window into one over its rows, then one over its columns.

    Exact.  It takes k + k taps instead of k * k; a NaN-preserving maximum takes three instructions.
    """
    x, all_dims = builder.value(op.x), range(len(op.kernel))
    wide = [d for d in all_dims if op.kernel[d] > 1]
    if len(wide) < 2 or math.prod(op.kernel) <= _MOST_TAPS * sum(op.kernel[d] for d in wide):
        return _maximum(op, x, all_dims, builder)
    for number, dim in enumerate(reversed(wide)):
        narrow = [d for d in all_dims if number == 0 and d not in wide]
        x = _maximum(op, x, [*narrow, dim], builder)
    return x


def _maximum(op: PoolOp, x: SSAValue, dims: Sequence[int], builder: Builder) -> SSAValue:
    """Return the maximum of x over some dimensions of the window."""
    element, sizes = element_of(op.x), list(static_shape(type_of(x)))
    outer, inner = spatial_names(len(op.kernel))
    outside = False
    window = [variable(y) for y in outer]
    for d in dims:
        last = (shape_of(op.out)[2 + d] - 1) * op.strides[d] + (op.kernel[d] - 1) * op.dilations[d]
        outside |= op.pads[d] > 0 or last - op.pads[d] >= sizes[2 + d]
        sizes[2 + d] = shape_of(op.out)[2 + d]
        tap = variable(inner[d]) * op.dilations[d]
        window[d] = window[d] * op.strides[d] + tap - op.pads[d]
    stored = dict(zip(("n", "c", *outer), sizes, strict=True))
    axes = {**stored, **{inner[d]: op.kernel[d] for d in sorted(dims)}}
    neutral, layout = lowest(element), op.layout
    result = Result(
        tuple(stored),
        signless(element),
        "umax" if is_unsigned(element) else "max",
        neutral,
        wide_type(element),
        layout,
    )
    inputs = [read(x, ("n", "c", *window), neutral if outside else None)]
    return builder.compute("pool_max", axes, inputs, result, lambda s, e: s.widen(e))


def _leaves_operand(op: PoolOp | MaxPoolIndicesOp) -> bool:
    for size, count, kernel, stride, dilation, low in zip(
        shape_of(op.x)[2:], shape_of(op.out)[2:], op.kernel, op.strides, op.dilations, op.pads,
        strict=False,
    ):  # fmt: skip
        last = (count - 1) * stride + (kernel - 1) * dilation - low
        if low > 0 or last >= size:
            return True
    return False


def _power(s: Scalars, x: SSAValue, p: float) -> SSAValue:
    if p == 1:
        return x
    return s.mul(x, x) if p == 2 else s.math("powf", x, s.like(p, x))


def _finish(
    op: PoolOp, builder: Builder, outer: Sequence[str]
) -> tuple[list[Access], BodyFunction | None]:
    """Return the post operands and the ``then`` function of a kind."""
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
    counts = _tap_counts(op)
    varies = counts.min() != counts.max()

    def divide(s: Scalars, total: SSAValue, *count: SSAValue) -> SSAValue:
        divisor = count[0] if varies else s.like(float(counts.flat[0]), total)
        return s.cast(s.div(total, s.cast(divisor, divisor.type, wide)), wide, element)

    table = [read(builder.constant(counts.astype(np.float32)), tuple(outer))] if varies else []
    return table, divide


def _tap_counts(op: PoolOp) -> np.ndarray[Any, Any]:
    """Return the number of elements averaged per window: taps inside x (and its padding)."""
    rank = len(op.kernel)
    per_axis: list[np.ndarray[Any, Any]] = []
    for n, (size, count) in enumerate(zip(shape_of(op.x)[2:], shape_of(op.out)[2:], strict=True)):
        low, high = op.pads[n], op.pads[rank + n]
        taps = np.arange(op.kernel[n]) * op.dilations[n]
        positions = np.arange(count)[:, None] * op.strides[n] + taps - low
        first, last = (-low, size + high) if op.count_pad else (0, size)
        per_axis.append(((positions >= first) & (positions < last)).sum(axis=1))
    counts = reduce(np.multiply.outer, per_axis)
    assert math.prod(counts.shape) > 0, "pool without results"
    return np.maximum(counts, 1)


def lower_max_pool_indices(op: MaxPoolIndicesOp, builder: Builder) -> Sequence[SSAValue]:
    """Fold (value, position) pairs; taps outside x lose every tie."""
    shape, element, sizes = shape_of(op.out), element_of(op.x), shape_of(op.x)[2:]
    outer, inner = spatial_names(len(sizes))
    stored = dict(zip(("n", "c", *outer), shape, strict=True))
    axes = {**stored, **dict(zip(inner, op.kernel, strict=True))}
    window = window_positions(outer, inner, op.strides, op.dilations, op.pads)
    flat = ZERO
    for at, size in zip(window, sizes, strict=True):
        flat = flat * size + at
    leaves = _leaves_operand(op)
    nowhere = math.prod(sizes)
    wide = wide_type(element)

    def body(s: Scalars, x: SSAValue, at: SSAValue, *places: SSAValue) -> list[SSAValue]:
        found = s.cast(at, INDEX, i64)
        for place, size in zip(places, sizes, strict=bool(places)):
            inside = s.bit_and(
                s.compare("ge", place, s.like(0, place)),
                s.compare("lt", place, s.like(size, place)),
            )
            found = s.select(inside, found, s.like(nowhere, found))
        return [s.widen(x), found]

    def then(s: Scalars, value: SSAValue, at: SSAValue, image: SSAValue) -> list[SSAValue]:
        if op.column_major:
            at = _column_major(s, at, sizes)
        base = s.mul(s.cast(image, INDEX, i64), s.like(nowhere, at))
        return [s.cast(value, wide, element), s.add(base, at)]

    reads = [
        read(builder.value(op.x), ("n", "c", *window), lowest(element) if leaves else None),
        position(flat),
        *((position(at) for at in window) if leaves else ()),
    ]
    results = [
        Result(tuple(stored), signless(element), "by", lowest(element), wide),
        Result(tuple(stored), i64, "by", nowhere),
    ]
    image = position(variable("n") * shape[1] + variable("c"))
    combine = better("max", element, last=False)
    return builder.computes(
        "max_pool_indices", axes, reads, results, body, post=[image], then=then, combine=combine
    )


def _column_major(s: Scalars, at: SSAValue, sizes: Sequence[int]) -> SSAValue:
    """Convert a row-major position to column-major order: the first dimension varies fastest."""
    total = s.like(0, at)
    for d in reversed(range(len(sizes))):
        size = s.like(sizes[d], at)
        total = s.add(total, s.mul(s.rem(at, size), s.like(math.prod(sizes[:d]), at)))
        at = s.div(at, size)
    return total


RULES: dict[type, Rule] = {PoolOp: lower_pool, MaxPoolIndicesOp: lower_max_pool_indices}

DATA_RULES: dict[type, Rule] = {PoolOp: over_numbers(lower_pool, lambda op: [all_axes(op.x, 2)])}
"""The lowering of those with a data-dependent size in an operand or result."""
