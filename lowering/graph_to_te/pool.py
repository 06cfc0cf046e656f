"""Pooling: one compute ``[n, c, h, w, r red, s red]``; padding reads the combiner's identity."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.dtypes import is_unsigned
from ...dialects.graph import PoolOp
from ...dialects.te.build import BodyFunction, Result, read
from ...dialects.te.scalars import Scalars, lowest, signless, wide_type
from ...dialects.te.view import Access
from .builder import Builder, Rule, element_of, shape_of
from .conv import spatial_names, window_positions


def lower_pool(op: PoolOp, builder: Builder) -> SSAValue:
    """Combine ``x[n, c, p * stride + k * dilation - low]`` over the window k."""
    shape, element = shape_of(op.out), element_of(op.x)
    outer, inner = spatial_names(len(shape) - 2)
    stored = dict(zip(("n", "c", *outer), shape, strict=True))
    axes = {**stored, **dict(zip(inner, op.kernel, strict=True))}
    wide = wide_type(element)
    neutral = lowest(element) if op.kind == "max" else 0
    window = window_positions(outer, inner, op.strides, op.dilations, op.pads)
    pad = neutral if _leaves_operand(op) else None
    inputs = [read(builder.value(op.x), ("n", "c", *window), pad)]
    combiner = "add" if op.kind != "max" else "umax" if is_unsigned(element) else "max"
    result = Result(tuple(stored), signless(element), combiner, neutral, wide)

    def body(s: Scalars, x: SSAValue) -> SSAValue:
        x = s.widen(x)
        return _power(s, s.abs(x), op.p) if op.kind == "lp" else x

    post, then = _finish(op, builder, outer)
    return builder.compute(f"pool_{op.kind}", axes, inputs, result, body, post=post, then=then)


def _leaves_operand(op: PoolOp) -> bool:
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
    """Return how many elements each window averages over: its taps inside x (and its padding)."""
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


RULES: dict[type, Rule] = {PoolOp: lower_pool}
