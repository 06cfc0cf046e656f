"""Move data before dequantization: reshapes, transposes and the like move bytes, not floats.

    %x = graph.dequantize %q, %s zero %z         %b = graph.transpose %q [1, 0]
    %y = graph.transpose %x [1, 0]          ==>  %y = graph.dequantize %b, %s' zero %z'
    %r = graph.quantize %y, %s zero %z           %r is %b

With one scale per tensor, the dequantization moves after all such ops, maximum pooling included;
with a scale per axis, only after transposes. A quantization of dequantized bytes with the same
scale and zero point gives the bytes back.
Exact: an element is dequantized after it moved, instead of before; a positive scale keeps order.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects.graph import (
    BroadcastOp,
    ConcatOp,
    ConstantOp,
    DequantizeOp,
    GatherOp,
    PadOp,
    PoolOp,
    QuantizeOp,
    ReshapeOp,
    SliceOp,
    TransposeOp,
)
from ...dialects.shape import dims_of, type_of
from ...support.rewriting import replace_op, rewrites
from .constant_values import uniform_value
from .inserted_ops import InsertedOps
from .quantized_values import is_byte, same_parameters, scalar_of
from .simplify import replace_by_value

_SMALLEST_SCALE, _LARGEST_SCALE = 2.0**-100, 2.0**100
"""Between them, (n * scale) / scale rounds to n for every stored integer n."""


class DropRoundTrip(RewritePattern):
    """Replace ``quantize(dequantize(x))`` by x, if both have the same scale and zero point."""

    @rewrites(QuantizeOp)
    def match_and_rewrite(self, op: QuantizeOp, rewriter: PatternRewriter) -> None:
        inner = op.x.owner
        if not isinstance(inner, DequantizeOp) or type_of(inner.x) != type_of(op.out):
            return
        if is_byte(inner.x) and same_parameters(op, inner) and _is_ordinary(op.scale):
            replace_by_value(rewriter, op, inner.x)


def _is_ordinary(scale: SSAValue) -> bool:
    number = uniform_value(scale)
    return number is not None and _SMALLEST_SCALE < float(number) < _LARGEST_SCALE


class MoveBeforeDequantize(RewritePattern):
    """Replace ``move(dequantize(x))`` by ``dequantize(move(x))`` for movement such as a reshape.

    The scale and the zero point must be one number per tensor; with a scale per axis, only
    transposes move.
    """

    @rewrites(ReshapeOp, TransposeOp, BroadcastOp, SliceOp, PadOp, PoolOp, GatherOp)
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        inner = op.operands[0].owner
        if not isinstance(inner, DequantizeOp) or not _moves(op, inner):
            return
        scalars = _scalars(inner)
        ops = InsertedOps(rewriter, op)
        if scalars is not None:
            moved = ops.add(_again(op, inner.x, inner))
            parameters = [None if s is None else ops.along(ops.flat(s), moved, 0) for s in scalars]
        elif isinstance(op, TransposeOp):
            moved = ops.add(TransposeOp(inner.x, op.perm))
            given = (inner.scale, inner.zero)
            parameters = [None if p is None else ops.add(TransposeOp(p, op.perm)) for p in given]
        else:
            return
        scale, zero = parameters
        assert scale is not None, "only a zero point may be absent"
        replace_op(rewriter, op, DequantizeOp(moved, scale, zero, inner.to))


def _scalars(op: DequantizeOp) -> tuple[SSAValue, SSAValue | None] | None:
    """Return the scale and zero point of a tensor; None if one of them varies along an axis."""
    scale = scalar_of(op.scale)
    zero = None if op.zero is None else scalar_of(op.zero)
    if scale is None or (op.zero is not None and zero is None):
        return None
    return scale, zero


def _moves(op: Operation, inner: DequantizeOp) -> bool:
    """Return whether a data movement gives the same result before a dequantization as after it.

    op: the movement, a user of the result of ``inner``.
    inner: the dequantization.
    """
    match op:
        case BroadcastOp():
            return not isinstance(inner.x.owner, ConstantOp)
        case PadOp():
            zero = None if inner.zero is None else uniform_value(inner.zero)
            is_known = inner.zero is None or zero is not None
            return op.mode != "constant" or (op.value == 0 and is_known)
        case PoolOp():
            return op.kind == "max" and _is_ordinary(inner.scale) and _windows_overlap(op)
        case _:
            return True


def _windows_overlap(op: PoolOp) -> bool:
    """Return whether each pooling window provably contains an element of x, not only padding.

    The maximum of a window of padding alone differs between bytes and floats.
    """
    rank = len(op.kernel)
    reach = [d * (k - 1) for d, k in zip(op.dilations, op.kernel, strict=True)]
    no_gaps = all(d == 1 for d in op.dilations) or not any(op.pads)
    return (
        no_gaps
        and not op.ceil
        and all(pad <= far for pad, far in zip(op.pads, [*reach, *reach], strict=True))
        and all(dim.is_at_least(1) for dim in dims_of(type_of(op.x))[2 : 2 + rank])
    )


def _again(op: Operation, x: SSAValue, inner: DequantizeOp) -> Operation:
    """Return a copy of an op that moves the bytes ``x`` instead of their dequantized values.

    inner: the dequantization; its zero point replaces a pad value of 0.
    """
    if isinstance(op, PadOp):
        zero = 0 if inner.zero is None else int(uniform_value(inner.zero) or 0)
        return PadOp(x, op.low, op.high, op.mode, zero if op.mode == "constant" else 0)
    if isinstance(op, GatherOp):
        return GatherOp(x, op.indices, op.axis)
    element = type_of(x).element_type
    out = type_of(op.results[0])
    moved = type(out)(element, out.shape, out.encoding)
    return type(op).create(operands=[x], result_types=[moved], properties=dict(op.properties))


class ConcatBytes(RewritePattern):
    """Replace a concat of dequantized tensors by the dequantization of one concat of bytes.

    All tensors must have the same scale and zero point.
    """

    @rewrites(ConcatOp)
    def match_and_rewrite(self, op: ConcatOp, rewriter: PatternRewriter) -> None:
        parts = [x.owner for x in op.xs if isinstance(x.owner, DequantizeOp)]
        if len(parts) < len(op.xs) or not _agree(parts):
            return
        first = parts[0]
        scalars = _scalars(first)
        if scalars is None:
            return
        ops = InsertedOps(rewriter, op)
        moved = ops.add(ConcatOp([part.x for part in parts], op.axis))
        scale, zero = (None if s is None else ops.along(ops.flat(s), moved, 0) for s in scalars)
        assert scale is not None, "only a zero point may be absent"
        replace_op(rewriter, op, DequantizeOp(moved, scale, zero, first.to))


def _agree(parts: Sequence[DequantizeOp]) -> bool:
    first = parts[0]
    return all(
        type_of(part.x).element_type == type_of(first.x).element_type
        and part.to == first.to
        and same_parameters(part, first)
        for part in parts[1:]
    )
