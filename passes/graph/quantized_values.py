"""Read scales and zero points: find the scalar, or the vector along an axis, that is broadcast."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import i16
from xdsl.ir import SSAValue

from ...dialects.dtypes import bit_width, is_integer
from ...dialects.graph import (
    BroadcastOp,
    CastOp,
    ConstantOp,
    DequantizeOp,
    ElementwiseOp,
    QuantizeOp,
    SelectOp,
    SubOp,
)
from ...dialects.shape import dims_of, type_of
from .constant_values import known_weight, uniform_value

POINTWISE = (ElementwiseOp, SelectOp, CastOp, QuantizeOp, DequantizeOp)
"""The ops that compute each element of the result from the same element of their operands."""


def scalar_of(value: SSAValue) -> SSAValue | None:
    """Return the one number that all elements of a value have, as a tensor of one element, or None.

    The result is the value itself, or the operand of the graph.broadcast that computes it. It may
    have several axes of size 1; `InsertedOps.flat` drops them.
    """
    if is_single(value):
        return value
    op = value.owner
    return op.x if isinstance(op, BroadcastOp) and is_single(op.x) else None


def is_single(value: SSAValue) -> bool:
    """Return whether a tensor has one element for all values of its dynamic sizes."""
    return all(dim.value == 1 for dim in dims_of(type_of(value)))


def scale_of(value: SSAValue, axis: int) -> SSAValue | None:
    """Return the scalar, or the vector along ``axis``, that a broadcast repeats.

    A value that is itself a scalar or such a vector is returned unchanged; None for other values.
    The result may have further axes of size 1; `InsertedOps.flat` drops them.
    """
    scalar, op = scalar_of(value), value.owner
    dims = dims_of(type_of(value))
    if scalar is not None:
        return scalar
    if all(dim.value == 1 for n, dim in enumerate(dims) if n != axis):
        return value
    if not isinstance(op, BroadcastOp) or tuple(op.axes) != (axis,):
        return None
    return op.x if dims_of(type_of(op.x)) == (dims[axis],) else None


def is_byte(value: SSAValue) -> bool:
    """Return whether a tensor has elements of an 8-bit integer type."""
    element = type_of(value).element_type
    return is_integer(element) and bit_width(element) == 8


def dequantized(value: SSAValue) -> DequantizeOp | None:
    """Return the graph.dequantize of 8-bit integers that defines a value, or None."""
    op = value.owner
    return op if isinstance(op, DequantizeOp) and is_byte(op.x) else None


def is_zero(value: SSAValue | None) -> bool:
    """Return whether a zero point is absent, or known to be 0."""
    known = None if value is None else known_weight(value)
    return value is None or (known is not None and not np.any(known.stored.array))


def same_numbers(lhs: SSAValue | None, rhs: SSAValue | None) -> bool:
    """Return whether two scales or zero points provably are the same number.

    Both may be None, which counts as the same; a tensor of several numbers never does.
    """
    if lhs is None or rhs is None:
        return lhs is rhs
    left, right = scalar_of(lhs), scalar_of(rhs)
    if left is None or left is right:
        return left is not None
    numbers = [uniform_value(v) if v is not None else None for v in (left, right)]
    return numbers[0] is not None and numbers[0] == numbers[1]


def same_parameters(first: Any, second: Any) -> bool:
    """Return whether two quantizing or dequantizing ops have the same scale and zero point.

    Both must be provably equal, and one value per tensor.
    """
    return same_numbers(first.scale, second.scale) and same_numbers(first.zero, second.zero)


@dataclass(frozen=True)
class Centered:
    """The difference ``x - zero`` in i16, of bytes x and a scalar zero point.

    zero: None for a zero point of 0.
    """

    x: SSAValue
    zero: SSAValue | None


def centered(value: SSAValue) -> Centered:
    """Split a value ``i16(x) - zero`` into x and zero; zero is None for ``i16(x)``, or if it is 0.

    Any other value is returned as x, with zero None.
    """
    op = value.owner
    if isinstance(op, CastOp) and is_byte(op.x) and type_of(value).element_type == i16:
        return Centered(op.x, None)
    if not isinstance(op, SubOp) or not isinstance(op.lhs.owner, CastOp):
        return Centered(value, None)
    x, zero = op.lhs.owner.x, scalar_of(op.rhs)
    if zero is None or not is_byte(x) or type_of(value).element_type != i16:
        return Centered(value, None)
    return Centered(x, None if is_zero(zero) else zero)


def constant_of(value: SSAValue) -> Any:
    """Return the elements of a graph.constant; None for other values.

    The caller may generate code that depends on them: load_params can no longer replace them.
    """
    return value.owner.array if isinstance(value.owner, ConstantOp) else None
