"""The combiners of reductions: their identities, and the padded reads that act as identities.

In: a combiner's name and a scalar type, or the read of a te.compute.  Out: the combiner's identity
as an attribute, or whether reads of the pad value leave every accumulator unchanged.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerAttr, IntegerType
from xdsl.ir import Attribute, SSAValue

from ...dialects.dtypes import is_float
from ...dialects.index_syntax import typed_scalar
from ...dialects.te import Access

_KEEPS_ZERO = (
    arith.ExtFOp, arith.TruncFOp, arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp, arith.SIToFPOp,
    arith.UIToFPOp, arith.NegfOp,
)  # fmt: skip


@cache
def identity(combiner: str, type_: Attribute) -> Attribute:
    """Return the identity of a combiner, as an attribute of a scalar type."""
    if is_float(type_):
        inf = float("inf")
        numbers = {"add": 0.0, "mul": 1.0, "max": -inf, "maxnum": -inf, "min": inf}
        return typed_scalar(numbers[combiner], type_)
    assert isinstance(type_, IntegerType | IndexType), f"not a scalar: {type_}"
    width = type_.width.data if isinstance(type_, IntegerType) else 64
    low, high = -(1 << (width - 1)), (1 << (width - 1)) - 1
    if width == 1:
        low, high = -1, 0
    values = {
        "add": 0, "mul": 1, "max": low, "min": high, "umax": 0, "umin": -1,
        "and": -1, "or": 0, "xor": 0,
    }  # fmt: skip
    value = values[combiner]
    if width == 1 and value == -1:
        value = 1
    return IntegerAttr(value, type_)


def annihilates(
    access: Access, argument: SSAValue, outputs: Sequence[Access], yielded: Sequence[SSAValue]
) -> bool:
    """Return whether reading an input's pad value leaves every accumulator unchanged.

    access: the read of the input.  argument: the body's argument for the input.  yielded: the
    values that the body yields, one per output.
    0 * inf and 0 * nan count as 0, as in every convolution with padding.
    """
    pad = access.pad
    return pad is not None and all(
        _leaves(output, value, argument, pad)
        for output, value in zip(outputs, yielded, strict=True)
    )


def vanishes(argument: SSAValue, outputs: Sequence[Access], yielded: Sequence[SSAValue]) -> bool:
    """Return whether all outputs are sums to which an input element of 0 adds nothing.

    argument: the body's argument for the input.  yielded: the values that the body yields, one per
    output.
    0 * inf and 0 * nan count as 0.
    """
    return all(
        output.combiner == "add" and _is_zero_with(value, argument)
        for output, value in zip(outputs, yielded, strict=True)
    )


def adds_zero(
    zeros: Collection[SSAValue], outputs: Sequence[Access], yielded: Sequence[SSAValue]
) -> bool:
    """Return whether all outputs are sums to which some input elements, all 0, add exactly 0.

    zeros: the body's arguments for these inputs.  Each factor of a product must be one of them,
    because 0 * inf is not 0.  yielded: the values that the body yields, one per output.
    """
    return all(
        output.combiner == "add" and _is_zero_from(value, zeros)
        for output, value in zip(outputs, yielded, strict=True)
    )


def _is_zero_from(value: SSAValue, zeros: Collection[SSAValue]) -> bool:
    if value in zeros:
        return True
    owner = value.owner
    is_linear = isinstance(owner, (arith.MulfOp, arith.MuliOp, *_KEEPS_ZERO))
    return is_linear and all(_is_zero_from(v, zeros) for v in owner.operands)


def _leaves(output: Access, value: SSAValue, argument: SSAValue, pad: Attribute) -> bool:
    if not output.reduces or output.combiner == "by":
        return False
    if output.combiner == "add" and is_zero(pad):
        return _is_zero_with(value, argument)
    return value is argument and pad == identity(output.combiner, value.type)


def is_zero(value: Attribute | None) -> bool:
    """Return whether an attribute is the number 0 of any type."""
    return isinstance(value, FloatAttr | IntegerAttr) and value.value.data == 0


def _is_zero_with(value: SSAValue, argument: SSAValue) -> bool:
    """Return whether a value is 0 whenever the argument is 0."""
    if value is argument:
        return True
    owner = value.owner
    if isinstance(owner, arith.MulfOp | arith.MuliOp):
        return any(_is_zero_with(v, argument) for v in owner.operands)
    if isinstance(owner, arith.SelectOp):
        rounded = _rounded(owner)
        return rounded is not None and _is_zero_with(rounded, argument)
    return isinstance(owner, _KEEPS_ZERO) and _is_zero_with(owner.operands[0], argument)


def _rounded(op: arith.SelectOp) -> SSAValue | None:
    """Return x if an op rounds x to fewer bits and leaves NaN unchanged; None for any other op.

    The rounded value is ``bitcast((bitcast(x) + half) & mask)``, where ``half`` and ``mask`` are
    integer constants.  Only constants with ``half & mask == 0`` match, because only then is 0
    rounded to 0.
    """
    cast_, number = op.rhs.owner, op.lhs
    masked = cast_.input.owner if isinstance(cast_, arith.BitcastOp) else None
    moved = masked.lhs.owner if isinstance(masked, arith.AndIOp) else None
    if not isinstance(masked, arith.AndIOp) or not isinstance(moved, arith.AddiOp):
        return None
    bits = moved.lhs.owner
    half, mask = _integer(moved.rhs), _integer(masked.rhs)
    if not isinstance(bits, arith.BitcastOp) or bits.input is not number:
        return None
    is_exact = half is not None and mask is not None and half & mask == 0
    return number if is_exact else None


def _integer(value: SSAValue) -> int | None:
    if not isinstance(value.owner, arith.ConstantOp):
        return None
    number = value.owner.value
    return number.value.data if isinstance(number, IntegerAttr) else None
