"""Lower normalizations to chains of computes; statistics are f32, or f64 for f64 operands."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from ...dialects.graph import LogSoftmaxOp, LrnOp, NormalizeOp, SoftmaxOp
from ...dialects.index_syntax import INDEX
from ...dialects.shape import Dim, element_count, extent_of, type_of
from ...dialects.te.build import ComputeResult, Position, position, read
from ...dialects.te.scalars import Scalars, lowest, wide_type
from ...support.affine import variable
from .builder import Lowered, Rule, TeBuilder, axes_of, element_of
from .data.data_rules import over_numbers, with_masked
from .reduce import split_axes


def lower_softmax(op: SoftmaxOp, builder: TeBuilder) -> SSAValue:
    """Lower to ``exp(x - max) * (1 / sum(exp(x - max)))``."""
    axes, element = axes_of(op.x), element_of(op.x)
    wide, every = wide_type(element), tuple(axes_of(op.x))
    ordered, rows = split_axes(axes, (op.axis,), keep=False)
    largest = _largest(op, builder, "softmax_max")

    def exponential(s: Scalars, x: SSAValue, top: SSAValue) -> SSAValue:
        return s.exp_of_normals(s.sub(s.widen(x), top))

    size = Dim.of(axes[every[op.axis]])
    sizes = [] if size.is_at_least(1) else [position(builder.size(size))]

    def reciprocal(s: Scalars, total: SSAValue, *count: SSAValue) -> SSAValue:
        inverse = s.div(s.like(1, total), total)
        if not count:
            return inverse
        # An empty sum is 0, and attention may still scale it. A sum of 0 does not show that the
        # axis is empty: online softmax sums exponentials of -inf to 0, and the result is NaN.
        is_empty = s.compare("eq", count[0], s.constant(0, INDEX))
        return s.select(is_empty, s.like(0, total), inverse)

    def scale(s: Scalars, e: SSAValue, factor: SSAValue) -> SSAValue:
        return s.cast(s.mul(e, factor), wide, element)

    inputs = [read(builder.value(op.x), every), read(largest, rows)]
    exps = builder.pointwise("softmax_exp", axes, inputs, wide, exponential)
    total = builder.compute(
        "softmax_sum", ordered, [read(exps, every)], ComputeResult(rows, wide, "add", 0),
        lambda _, e: e, post=sizes, then=reciprocal,
    )  # fmt: skip
    inputs = [read(exps, every), read(total, rows)]
    return builder.pointwise("softmax", axes, inputs, element, scale)


def lower_log_softmax(op: LogSoftmaxOp, builder: TeBuilder) -> SSAValue:
    """Lower to ``x - max - log(sum(exp(x - max)))``."""
    axes, element = axes_of(op.x), element_of(op.x)
    wide, every = wide_type(element), tuple(axes_of(op.x))
    ordered, rows = split_axes(axes, (op.axis,), keep=False)
    largest = _largest(op, builder, "log_softmax_max")

    def exponential(s: Scalars, x: SSAValue, top: SSAValue) -> SSAValue:
        return s.exp_of_normals(s.sub(s.widen(x), top))

    def subtract(s: Scalars, x: SSAValue, top: SSAValue, log: SSAValue) -> SSAValue:
        return s.cast(s.sub(s.sub(s.widen(x), top), log), wide, element)

    inputs = [read(builder.value(op.x), every), read(largest, rows)]
    log = builder.compute(
        "log_softmax_sum", ordered, inputs, ComputeResult(rows, wide, "add", 0), exponential,
        then=lambda s, total: s.math("log", total),
    )  # fmt: skip
    inputs = [*inputs, read(log, rows)]
    return builder.pointwise("log_softmax", axes, inputs, element, subtract)


def _largest(op: SoftmaxOp | LogSoftmaxOp, builder: TeBuilder, name: str) -> SSAValue:
    """Append a compute of the maximum of x along the op's axis; return its result.

    The result does not have this axis. The maximum may skip NaN: the exponential of a NaN element
    minus the maximum is NaN anyway.
    name: the name of the compute.
    """
    element = element_of(op.x)
    wide = wide_type(element)
    ordered, rows = split_axes(axes_of(op.x), (op.axis,), keep=False)
    inputs = [read(builder.value(op.x), tuple(axes_of(op.x)))]
    result = ComputeResult(rows, wide, "maxnum", lowest(element))
    return builder.compute(name, ordered, inputs, result, lambda s, x: s.widen(x))


def lower_normalize(op: NormalizeOp, builder: TeBuilder) -> Sequence[SSAValue]:
    """Lower to the mean, ``inv_std = 1 / sqrt(variance + eps)``, and ``(x - mean) * inv_std``."""
    axes, element = axes_of(op.x), element_of(op.x)
    wide, every = wide_type(element), tuple(axes_of(op.x))
    ordered, kept = split_axes(axes, op.axes, keep=True)
    rows = [0 if n in op.axes else a for n, a in enumerate(axes)]
    count = extent_of(element_count(Dim.of(axes[every[n]]) for n in op.axes))
    counts = [] if isinstance(count, int) else [position(builder.size(count))]
    x = read(builder.value(op.x), every)

    def divide(s: Scalars, total: SSAValue, *number: SSAValue) -> SSAValue:
        if isinstance(count, int):
            return s.div(total, s.like(count, total))
        return s.div(total, s.cast(s.cast(number[0], INDEX, i64), i64, wide))

    means: list[SSAValue] = []
    if op.center:
        result = ComputeResult(kept, wide, "add", 0)
        means = [
            builder.compute(
                "normalize_mean",
                ordered,
                [x],
                result,
                lambda s, x: s.widen(x),
                post=counts,
                then=divide,
            )
        ]
    reads = [x, *(read(m, rows) for m in means)]

    def inverse(s: Scalars, total: SSAValue, *number: SSAValue) -> SSAValue:
        variance = s.add(divide(s, total, *number), s.like(op.eps, total))
        return s.div(s.like(1, total), s.math("sqrt", variance))

    def square(s: Scalars, x: SSAValue, *mean: SSAValue) -> SSAValue:
        centered = _centered(s, x, mean)
        return s.mul(centered, centered)

    inv_std = builder.compute(
        "normalize_inv_std", ordered, reads, ComputeResult(kept, wide, "add", 0), square,
        post=counts, then=inverse,
    )  # fmt: skip

    def normalize(s: Scalars, x: SSAValue, *stats: SSAValue) -> SSAValue:
        *mean, factor = stats
        return s.cast(s.mul(_centered(s, x, mean), factor), wide, element)

    out = builder.pointwise("normalize", axes, [*reads, read(inv_std, rows)], element, normalize)
    return [out, _mean_result(op, builder, means), inv_std]


def _centered(s: Scalars, x: SSAValue, mean: Sequence[SSAValue]) -> SSAValue:
    return s.sub(s.widen(x), mean[0]) if mean else s.widen(x)


def _mean_result(op: NormalizeOp, builder: TeBuilder, means: Sequence[SSAValue]) -> SSAValue:
    if means:
        return means[0]
    return builder.full(type_of(op.mean), 0)


def lower_lrn(op: LrnOp, builder: TeBuilder) -> SSAValue:
    """Lower to ``x / (bias + alpha / size * sum of squares over nearby channels) ** beta``."""
    axes, element = axes_of(op.x), element_of(op.x)
    wide, every = wide_type(element), tuple(axes_of(op.x))
    channel = every[1]
    near = variable(channel) + variable("k") - (op.size - 1) // 2
    nearby: list[Position] = [near if a == channel else a for a in every]
    x = builder.value(op.x)

    def square(s: Scalars, x: SSAValue) -> SSAValue:
        x = s.widen(x)
        return s.mul(x, x)

    def scale(s: Scalars, total: SSAValue, x: SSAValue) -> SSAValue:
        inner = s.add(s.mul(total, s.like(op.alpha / op.size, total)), s.like(op.bias, total))
        made = s.div(s.widen(x), s.math("powf", inner, s.like(op.beta, total)))
        return s.cast(made, wide, element)

    return builder.compute(
        "lrn", {**axes, "k": op.size}, [read(x, nearby, 0)],
        ComputeResult(every, element, "add", 0, wide), square, post=[read(x, every)], then=scale,
    )  # fmt: skip


def lower_dynamic_softmax(op: SoftmaxOp | LogSoftmaxOp, builder: TeBuilder) -> Lowered:
    """Lower a softmax along an axis of data-dependent size.

    Elements beyond the size are replaced by the lowest value, so that their exponential is 0.
    """
    rule = RULES[type(op)]
    worst = lowest(element_of(op.x))
    return with_masked(op, rule, builder, [(op.x, (op.axis,), worst)])


RULES: dict[type, Rule] = {
    SoftmaxOp: lower_softmax,
    LogSoftmaxOp: lower_log_softmax,
    NormalizeOp: lower_normalize,
    LrnOp: lower_lrn,
}

DATA_RULES: dict[type, Rule] = {
    SoftmaxOp: lower_dynamic_softmax,
    LogSoftmaxOp: lower_dynamic_softmax,
    NormalizeOp: over_numbers(lower_normalize, lambda op: [(op.x, op.axes)]),
    LrnOp: over_numbers(lower_lrn, lambda op: [(op.x, (1,))]),
}
"""The lowering of ops with a data-dependent size in an operand or result."""
