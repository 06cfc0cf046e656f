"""Gradient rules of data movement: cotangents move back to the positions of the operand.

The cotangents of repeated elements are summed.  A rule returns None for forms that it does not
cover; the te definition of the op is then differentiated.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from ...dialects.graph import (
    BroadcastOp,
    ConcatOp,
    PadOp,
    ReduceOp,
    ReshapeOp,
    SliceOp,
    TransposeOp,
)
from ...dialects.shape import Dim, dims_of, type_of
from ..builder import GradientBuilder
from ..rule import Cotangents, Gradient, only


def _dims(x: SSAValue) -> tuple[Dim, ...]:
    return dims_of(type_of(x))


def reshape(op: ReshapeOp, gs: Cotangents, b: GradientBuilder) -> Cotangents:
    """Return the operand's cotangent: the result's cotangent in the operand's shape.

    gs: the cotangents of the results of ``op``.
    b: appends the ops that compute the cotangents.
    """
    return [b.reshape(only(gs), _dims(op.x))]


def transpose(op: TransposeOp, gs: Cotangents, b: GradientBuilder) -> Cotangents:
    """Return the operand's cotangent: the result's cotangent under the inverse permutation.

    gs: the cotangents of the results of ``op``.
    b: appends the ops that compute the cotangents.
    """
    return [b.transpose(only(gs), [op.perm.index(n) for n in range(len(op.perm))])]


def broadcast(op: BroadcastOp, gs: Cotangents, b: GradientBuilder) -> Cotangents:
    """Return the operand's cotangent: the sum over the axes along which the op repeats elements.

    gs: the cotangents of the results of ``op``.
    b: appends the ops that compute the cotangents.
    """
    before, after = _dims(op.x), _dims(op.out)
    added = [axis for axis in range(len(after)) if axis not in op.axes]
    repeated = [
        axis
        for axis, dim in zip(op.axes, before, strict=True)
        if dim.value == 1 and after[axis].value != 1
    ]
    total = b.sum(only(gs), [*added, *repeated])
    return [b.reshape(total, before) if repeated else total]


def reduce(op: ReduceOp, gs: Cotangents, b: GradientBuilder) -> Cotangents | None:
    """Return the operand's cotangent for a sum: the result's cotangent, repeated along the axes.

    gs: the cotangents of the results of ``op``.
    b: appends the ops that compute the cotangents.
    Return None for other reductions.
    """
    if op.kind != "sum":
        return None
    g = only(gs)
    if op.keep:
        return [b.spread(g, op.x)]
    kept = [axis for axis in range(len(_dims(op.x))) if axis not in op.axes]
    return [b.value(BroadcastOp(g, _dims(op.x), kept))]


def slice_(op: SliceOp, gs: Cotangents, b: GradientBuilder) -> Cotangents | None:
    """Return the operand's cotangent: the result's cotangent, padded with zeros to the full size.

    gs: the cotangents of the results of ``op``.
    b: appends the ops that compute the cotangents.
    Return None for steps other than 1 and for symbolic sizes.
    """
    dims = (*op.starts, *_dims(op.x), *_dims(op.out))
    if set(op.steps) - {1} or any(dim.value is None for dim in dims):
        return None
    low = [int(start.value or 0) for start in op.starts]
    ends = zip(_dims(op.x), low, _dims(op.out), strict=True)
    high = [int(x.value or 0) - start - int(y.value or 0) for x, start, y in ends]
    return [b.value(PadOp(only(gs), low, high))]


def pad(op: PadOp, gs: Cotangents, b: GradientBuilder) -> Cotangents | None:
    """Return the operand's cotangent: the slice of the result's cotangent that is not padding.

    gs: the cotangents of the results of ``op``.
    b: appends the ops that compute the cotangents.
    Return None for negative padding, and for other modes than ``constant``.
    """
    if op.mode != "constant" or any(end < 0 for end in (*op.low, *op.high)):
        return None
    dims = _dims(op.x)
    return [b.value(SliceOp(only(gs), list(op.low), dims, [1] * len(dims)))]


def concat(op: ConcatOp, gs: Cotangents, b: GradientBuilder) -> Cotangents:
    """Return the cotangents of the operands: one slice of the result's cotangent for each.

    gs: the cotangents of the results of ``op``.
    b: appends the ops that compute the cotangents.
    """
    start, parts = Dim.const(0), list[SSAValue]()
    for x in op.xs:
        dims = _dims(x)
        starts = [start if axis == op.axis else Dim.const(0) for axis in range(len(dims))]
        parts.append(b.value(SliceOp(only(gs), starts, dims, [1] * len(dims))))
        start = start + dims[op.axis]
    return parts


GRADIENTS: dict[type, Gradient] = {
    ReshapeOp: reshape,
    TransposeOp: transpose,
    BroadcastOp: broadcast,
    ReduceOp: reduce,
    SliceOp: slice_,
    PadOp: pad,
    ConcatOp: concat,
}
"""The gradients of ops that move data, by class."""
