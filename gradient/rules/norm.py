"""Gradients of softmax and normalization, as functions of their results."""

from __future__ import annotations

from math import prod

from xdsl.ir import SSAValue

from ...dialects.graph import LogSoftmaxOp, NormalizeOp, SoftmaxOp
from ...dialects.shape import dims_of, type_of
from ..builder import GradientBuilder
from ..rule import Cotangents, Gradient, only


def softmax(op: SoftmaxOp, gs: Cotangents, b: GradientBuilder) -> Cotangents:
    """Return the operand's cotangent ``y * (g - sum(g * y))``.

    y: the result of the softmax. g: its cotangent, the first of ``gs``.
    gs: the cotangents of the results of ``op``.
    b: appends the ops that compute the cotangents.
    """
    g, y = only(gs), op.out
    part = b.mul(g, y)
    return [b.sub(part, b.mul(y, b.spread(b.sum(part, [op.axis], keep=True), y)))]


def log_softmax(op: LogSoftmaxOp, gs: Cotangents, b: GradientBuilder) -> Cotangents:
    """Return the operand's cotangent ``g - exp(y) * sum(g)``.

    y: the result of the op. g: its cotangent, the first of ``gs``.
    gs: the cotangents of the results of ``op``.
    b: appends the ops that compute the cotangents.
    """
    g, y = only(gs), op.out
    total = b.spread(b.sum(g, [op.axis], keep=True), y)
    return [b.sub(g, b.mul(b.elementwise("exp", y), total))]


def normalize(op: NormalizeOp, gs: Cotangents, b: GradientBuilder) -> Cotangents | None:
    """Return the operand's cotangent ``inv_std * (g - mean(g) - y * mean(g * y))``.

    y: the normalized result. g: its cotangent, the first of ``gs``.
    Return None, so that the te definition is differentiated, if the mean or the standard deviation
    has a cotangent, if the statistics have another type than x (f16), or if a reduced size is
    symbolic.
    gs: the cotangents of the results of ``op``.
    b: appends the ops that compute the cotangents.
    """
    g, y, dims = gs[0], op.out, dims_of(type_of(op.x))
    sizes = [dims[axis].value for axis in op.axes]
    same_type = type_of(op.x).element_type == type_of(op.inv_std).element_type
    if g is None or any(each is not None for each in gs[1:]) or None in sizes or not same_type:
        return None
    count = prod(size for size in sizes if size is not None)

    def mean(x: SSAValue) -> SSAValue:
        return b.spread(b.mul(b.sum(x, op.axes, keep=True), 1 / count), y)

    inner = b.sub(g, b.mul(y, mean(b.mul(g, y))))
    if op.center:
        inner = b.sub(inner, mean(g))
    return [b.mul(inner, b.spread(op.inv_std, y))]


GRADIENTS: dict[type, Gradient] = {
    SoftmaxOp: softmax,
    LogSoftmaxOp: log_softmax,
    NormalizeOp: normalize,
}
"""The gradients of normalizing ops, by class."""
