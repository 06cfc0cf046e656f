"""Lower quantization to elementwise computes, which fuse with their producers and consumers."""

from __future__ import annotations

from xdsl.dialects.builtin import f64, i32
from xdsl.ir import Attribute, SSAValue

from ...dialects.dtypes import compute_type, is_float
from ...dialects.graph import BroadcastOp, ConstantOp, DequantizeOp, QuantizeOp
from ...dialects.te.build import read
from ...dialects.te.scalars import Scalars
from .builder import Rule, TeBuilder, axes_of, element_of


def lower_quantize(op: QuantizeOp, builder: TeBuilder) -> SSAValue:
    """Lower to ``saturate(round_even(x / scale) + zero)``; a scale of 1 needs no division."""
    axes, source, target = axes_of(op.x), element_of(op.x), op.to
    wide = compute_type(source)
    saturate = op.saturate
    operands = [op.x, *([] if _is_one(op.scale) else [op.scale])]

    def body(s: Scalars, x: SSAValue, *rest: SSAValue) -> SSAValue:
        quotient, zero = s.widen(x), rest[len(operands) - 1 :]
        if len(operands) > 1:
            quotient = s.div(quotient, s.widen(rest[0]))
            quotient = s.cast(s.cast(quotient, wide, source), source, wide)
        if not is_float(target):
            quotient = s.math("roundeven", quotient)
        if zero:
            quotient = s.add(quotient, _number(s, zero[0], target, wide))
        # The conversion to an integer saturates.
        return s.cast(quotient, wide, target, saturate=saturate)

    zero = [] if op.zero is None else [op.zero]
    inputs = [read(builder.value(v), tuple(axes)) for v in (*operands, *zero)]
    return builder.pointwise("quantize", axes, inputs, target, body)


def _is_one(scale: SSAValue) -> bool:
    source = scale.owner.x.owner if isinstance(scale.owner, BroadcastOp) else scale.owner
    if not isinstance(source, ConstantOp) or source.value.stored.size != 1:
        return False
    return bool(source.value.stored.flat[0] == 1 and source.array.flat[0] == 1)


def lower_dequantize(op: DequantizeOp, builder: TeBuilder) -> SSAValue:
    """Lower to ``(x - zero) * scale``."""
    axes, source, target = axes_of(op.x), element_of(op.x), op.to
    wide = compute_type(element_of(op.scale))

    def body(s: Scalars, x: SSAValue, scale: SSAValue, *zero: SSAValue) -> SSAValue:
        inner = compute_type(source) if is_float(source) else i32
        value = s.cast(x, source, inner)
        if zero:
            value = s.sub(value, s.cast(zero[0], source, inner))
        product = s.mul(s.cast(value, inner, wide), s.widen(scale))
        return s.cast(product, wide, target)

    inputs = [read(builder.value(v), tuple(axes)) for v in op.operands]
    return builder.pointwise("dequantize", axes, inputs, target, body)


def _number(s: Scalars, x: SSAValue, stored: Attribute, wide: Attribute) -> SSAValue:
    """Convert a stored value x, of the type ``stored``, to the float type ``wide``."""
    if is_float(stored) and wide == f64:
        return s.cast(s.widen(x), compute_type(stored), f64)
    return s.cast(x, stored, wide)


RULES: dict[type, Rule] = {QuantizeOp: lower_quantize, DequantizeOp: lower_dequantize}

SUB_BYTE_OPS: tuple[type, ...] = (*RULES,)
"""Ops that move or convert integers narrower than 8 bits."""
