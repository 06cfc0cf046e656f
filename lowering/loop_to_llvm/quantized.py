"""Emit quantization: the conversion of rounded floats to narrow integers.

    %r = math.roundeven %y : vector<16xf32>
    %s = arith.addf %r, %zero : vector<16xf32>            (or without a zero point)
    %q = loop.cast fptoui %s : vector<16xf32> to vector<16xi8>

One x86 instruction rounds and converts to i32.  So y is first clamped to the limits minus the zero
point, which keeps it in the range of i32, then converted, and the zero point is added in i32.  This
takes one instruction less than separate steps, and two less without a zero point.
Exact: rounding to integers commutes with clamping to integers.
"""

from __future__ import annotations

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.ir import Operation, SSAValue

from ...dialects import loop
from . import integers
from .op_emitter import OpEmitter

_LARGEST_ZERO = 1 << 16
"""Larger zero points would make the limits inexact in f32."""


def emit_rounded(e: OpEmitter, op: Operation, *, signed: bool) -> bool:
    """Emit the conversion of a rounded f32 plus a zero point to an integer, as one sequence.

    Returns False, and emits nothing, if the op is no such conversion.
    signed: whether the integer is signed.
    """
    source, target = e.type_of(op.operands[0]), e.type_of(op.results[0])
    if not e.rounds_to_integer or source.format != "f32" or not 1 < target.bits <= 16:
        return False
    found = _rounded(op.operands[0])
    if found is None:
        return False
    y, zero = found
    low, high = integers.limits(target, signed=signed)
    shifted = low - zero, high - zero
    x = integers.clamped(e, e.values[y], source, shifted, nan=-zero)
    middle = source.of("i32")
    whole = e.round_to_integer(x, source, middle)
    if zero:
        whole = e.binary("add", middle, whole, middle.const(zero))
    e.define(op.results[0], e.cast("trunc", whole, middle, target))
    return True


def _rounded(value: SSAValue) -> tuple[SSAValue, int] | None:
    """Match ``roundeven(y) + z`` with a constant integer z; return y and z.

    z is 0 if nothing is added.  Returns None without a match.
    """
    owner = value.owner
    if isinstance(owner, math.RoundEvenOp):
        return owner.operands[0], 0
    if not isinstance(owner, arith.AddfOp):
        return None
    for rounded, zero in ((owner.lhs, owner.rhs), (owner.rhs, owner.lhs)):
        number = _integer(zero)
        if isinstance(rounded.owner, math.RoundEvenOp) and number is not None:
            return rounded.owner.operands[0], number
    return None


def _integer(value: SSAValue) -> int | None:
    """Return the value of a constant that was converted from an integer to a float; else None.

    The constant may be broadcast.
    """
    owner = value.owner
    if isinstance(owner, loop.BroadcastOp):
        owner = owner.value.owner
    if not isinstance(owner, arith.UIToFPOp | arith.SIToFPOp):
        return None
    source = owner.operands[0]
    constant = source.owner.value if isinstance(source.owner, arith.ConstantOp) else None
    if not isinstance(constant, IntegerAttr) or not isinstance(source.type, IntegerType):
        return None
    number = constant.value.data
    if isinstance(owner, arith.UIToFPOp):
        number %= 1 << source.type.width.data
    return number if abs(number) < _LARGEST_ZERO else None
