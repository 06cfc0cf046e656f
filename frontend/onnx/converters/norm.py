"""Convert normalizations: softmax, layer, batch, instance, group, RMS, Lp, local response."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import f32

from ....dialects.graph import ArgReduceOp, LogSoftmaxOp, LrnOp, NormalizeOp, SoftmaxOp
from ....dialects.shape import Dim, element_count, normalize_axis
from ....support.diagnostics import ModelError, UnsupportedOp
from ..builder import Builder, Tensor
from ..node import Converter, Node, OpConverter
from .index import one_hot_mask

AlongAxis = Callable[[Builder, Tensor, int], Tensor]


def softmax(b: Builder, x: Tensor, axis: int) -> Tensor:
    """Compute the softmax along an axis."""
    return b.emit(SoftmaxOp(b.ssa(x), axis))


def log_softmax(b: Builder, x: Tensor, axis: int) -> Tensor:
    """Compute the logarithm of softmax."""
    return b.emit(LogSoftmaxOp(b.ssa(x), axis))


def hardmax(b: Builder, x: Tensor, axis: int) -> Tensor:
    """Return 1 at the first maximum along an axis and 0 elsewhere."""
    if x.dims[axis] == Dim.const(0):  # an empty axis has no maximum
        return x
    top = b.emit(ArgReduceOp(b.ssa(x), kind="max", axis=axis, keep=True, last=False))
    return b.select(one_hot_mask(b, top, x.dims, axis), b.scalar(1, x.dtype), 0.0)


def _along(rule: AlongAxis) -> Converter:
    return lambda node, b: rule(b, node[0], node.axis("axis", -1, node[0].rank))


def _flattened(rule: AlongAxis) -> Converter:
    """Return the converter of a softmax-like operator for opset < 13.

    These opsets apply the function along one axis, into which all axes from ``axis`` on are merged.
    rule: computes the function along one axis.
    """

    def convert(node: Node, b: Builder) -> Tensor:
        x, axis = node[0], node.axis("axis", 1, node[0].rank)
        rows, columns = element_count(x.dims[:axis]), element_count(x.dims[axis:])
        return b.reshape(rule(b, b.reshape(x, (rows, columns)), 1), x.dims)

    return convert


def normalized(
    b: Builder, x: Tensor, axes: Sequence[int], eps: float, *, center: bool = True
) -> tuple[Tensor, Tensor, Tensor]:
    """Return x normalized over axes, the means, and the reciprocal standard deviations.

    The last two are f32, the type in which ONNX computes statistics.
    eps: the addend of the variance.  center: whether to subtract the mean.
    """
    op = NormalizeOp(b.ssa(x), axes=tuple(axes), eps=eps, center=center)
    out, mean, inverse = b.emit_all(op)
    return out, b.cast(mean, f32), b.cast(inverse, f32)


def _affine(b: Builder, x: Tensor, scale: Tensor, bias: Tensor | None) -> Tensor:
    out = b.apply("mul", x, b.cast(scale, x.dtype))
    return out if bias is None else b.apply("add", out, b.cast(bias, x.dtype))


def _per_axis(b: Builder, x: Tensor, scale: Tensor, bias: Tensor) -> Tensor:
    """Scale and shift by vectors along axis 1, which is the axis of channels or groups."""
    return _affine(b, x, *(b.broadcast_to(v, x.dims, 1) for v in (scale, bias)))


def layer_normalization(node: Node, b: Builder) -> tuple[Tensor, ...]:
    """Normalize over the axes from ``axis`` on, then scale and shift.

    Results: the normalized input, the means and the reciprocal standard deviations.
    """
    x, axis = node[0], node.axis("axis", -1, node[0].rank)
    out, mean, inverse = normalized(b, x, range(axis, x.rank), node.number("epsilon", 1e-5))
    return _affine(b, out, node[1], node.get(2)), mean, inverse


def rms_normalization(node: Node, b: Builder) -> Tensor:
    """Divide by the root of the mean square over the axes from ``axis`` on, then scale."""
    x, axis = node[0], node.axis("axis", -1, node[0].rank)
    axes, eps = range(axis, x.rank), node.number("epsilon", 1e-5)
    return _affine(b, normalized(b, x, axes, eps, center=False)[0], node[1], None)


def batch_normalization(node: Node, b: Builder) -> Tensor | tuple[Tensor, ...]:
    """Normalize each channel by given statistics: multiply by a factor and add an addend.

    Later passes can fold the factor and the addend into a convolution. In training mode, use the
    statistics of the batch instead, and also return the new running mean and variance.
    """
    x = node[0]
    scale, bias, mean, variance = (b.widen(node[i]) for i in range(1, 5))
    running: tuple[Tensor, ...] = ()
    if node.integer("training_mode", 0):
        old_mean, old_variance = mean, variance
        mean, variance = statistics(b, b.widen(x), (0, *range(2, x.rank)))
        running = _running(node, b, old_mean, mean), _running(node, b, old_variance, variance)
    epsilon = node.number("epsilon", 1e-5)
    factor, addend = batch_factors(b, scale, bias, mean, variance, epsilon)
    wide = b.cast(x, factor.dtype)
    if node.integer("spatial", 1):
        return b.cast(_per_axis(b, wide, factor, addend), x.dtype), *running
    # Before opset 9, factor and addend may also vary by position.
    if scale.rank != x.rank - 1:
        raise ModelError(
            "statistics have a wrong rank for spatial = 0", expected=x.rank - 1, got=scale.rank
        )
    return b.cast(_affine(b, wide, factor, addend), x.dtype)


def batch_factors(
    b: Builder, scale: Tensor, shift: Tensor, mean: Tensor, variance: Tensor, eps: float
) -> tuple[Tensor, Tensor]:
    """Return the factor and the addend per channel that normalize, scale and shift elements."""
    deviation = b.apply("sqrt", b.apply("add", variance, eps))
    factor = b.apply("div", scale, deviation)
    return factor, b.apply("sub", shift, b.apply("mul", mean, factor))


def statistics(b: Builder, x: Tensor, axes: Sequence[int]) -> tuple[Tensor, Tensor]:
    """Return the mean and the variance over axes; both results lack these axes."""
    mean = b.mean(x, axes)
    centered = b.apply("sub", x, mean)
    variance = b.mean(b.apply("mul", centered, centered), axes, keep=False)
    return b.reshape(mean, variance.dims), variance


def _running(node: Node, b: Builder, old: Tensor, new: Tensor) -> Tensor:
    momentum = node.number("momentum", 0.9)
    kept, added = b.apply("mul", old, momentum), b.apply("mul", new, 1 - momentum)
    return b.cast(b.apply("add", kept, added), node[3].dtype)


def instance_normalization(node: Node, b: Builder) -> Tensor:
    """Normalize each channel of each batch entry, then scale and shift per channel."""
    x = node[0]
    out = normalized(b, x, range(2, x.rank), node.number("epsilon", 1e-5))[0]
    return _per_axis(b, out, node[1], node[2])


def _groups(node: Node, b: Builder) -> Tensor:
    x, groups = node.ranked(0, 2, more=True), Dim.of(node.integer("num_groups"))
    grouped = b.reshape(x, (x.dims[0], groups, x.dims[1] // groups, *x.dims[2:]))
    return normalized(b, grouped, range(2, grouped.rank), node.number("epsilon", 1e-5))[0]


def group_normalization_by_group(node: Node, b: Builder) -> Tensor:
    """Normalize by group; scale and bias have one number per group (opset < 21)."""
    return b.reshape(_per_axis(b, _groups(node, b), node[1], node[2]), node[0].dims)


def group_normalization(node: Node, b: Builder) -> Tensor:
    """Normalize by group; scale and bias have one number per channel."""
    out = b.reshape(_groups(node, b), node[0].dims)
    return _per_axis(b, out, node[1], node[2])


def mean_variance_normalization(node: Node, b: Builder) -> Tensor:
    """Compute ``(x - mean) / (deviation + 1e-9)`` over the axes in the attribute ``axes``."""
    x = node[0]
    axes = [normalize_axis(axis, x.rank) for axis in node.ints("axes", (0, 2, 3))]
    centered = b.apply("sub", x, b.mean(x, axes))
    deviation = b.apply("sqrt", b.mean(b.apply("mul", centered, centered), axes))
    return b.apply("div", centered, b.apply("add", deviation, 1e-9))


def lp_normalization(node: Node, b: Builder) -> Tensor:
    """Divide by the 1-norm or 2-norm along an axis; return 0 where the norm is 0."""
    x, p, axis = node[0], node.integer("p", 2), node.axis("axis", -1, node[0].rank)
    if p not in (1, 2):
        raise UnsupportedOp("norm is not supported", expected="p = 1 or 2", got=p)
    terms = b.apply("abs", x) if p == 1 else b.apply("mul", x, x)
    total = b.reduce(terms, "sum", [axis])
    norm = total if p == 1 else b.apply("sqrt", total)
    return b.select(b.apply("eq", norm, 0.0), 0.0, b.apply("div", x, norm))


def lrn(node: Node, b: Builder) -> Tensor:
    """Convert local response normalization across channels."""
    op = LrnOp(
        b.ssa(node[0]),
        size=node.integer("size"),
        alpha=node.number("alpha", 1e-4),
        beta=node.number("beta", 0.75),
        bias=node.number("bias", 1.0),
    )
    return b.emit(op)


CONVERTERS = (
    OpConverter("Softmax", _flattened(softmax), until=12),
    OpConverter("Softmax", _along(softmax), since=13),
    OpConverter("LogSoftmax", _flattened(log_softmax), until=12),
    OpConverter("LogSoftmax", _along(log_softmax), since=13),
    OpConverter("Hardmax", _flattened(hardmax), until=12),
    OpConverter("Hardmax", _along(hardmax), since=13),
    OpConverter("LayerNormalization", layer_normalization),
    OpConverter("RMSNormalization", rms_normalization),
    OpConverter("BatchNormalization", batch_normalization),
    OpConverter("InstanceNormalization", instance_normalization),
    OpConverter("GroupNormalization", group_normalization_by_group, until=20),
    OpConverter("GroupNormalization", group_normalization, since=21),
    OpConverter("MeanVarianceNormalization", mean_variance_normalization),
    OpConverter("LpNormalization", lp_normalization),
    OpConverter("LRN", lrn),
)
