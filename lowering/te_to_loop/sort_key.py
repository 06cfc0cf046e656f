"""Integer keys that have the order of the elements of a sort, of scalars or of vectors.

Equal elements have equal keys, both zeros as well as all NaN; every NaN has the greatest key.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, f64, i8, i16, i32, i64
from xdsl.ir import Attribute, SSAValue

from ...dialects.dtypes import bit_width, compute_type, is_float
from ...dialects.loop import CastOp, lane_type, lanes_of, like, str_attr
from ...dialects.te.loops_builder import LoopsBuilder


def key_type(element: Attribute) -> IntegerType:
    """Return the integer type of the sort keys for elements of a type.

    It is i64 for f64, i32 for all other floats, i16 for i8, and an integer's own type otherwise.
    """
    if is_float(element):
        return i64 if element == f64 else i32
    assert isinstance(element, IntegerType), "elements that are sorted are numbers"
    return i16 if element == i8 else element


def sort_key(loops: LoopsBuilder, x: SSAValue, element: Attribute, *, descending: bool) -> SSAValue:
    """Return the sort keys of elements as signed integers of `key_type`.

    x: one element, or a vector of elements.
    descending: whether to reverse the order of the keys.
    """
    type_ = key_type(element)
    if is_float(element):
        key = _float_key(loops, widened(loops, x), type_)
    else:
        key = extended(loops, x, type_)
    return loops.bit_xor(key, filled(loops, -1, key)) if descending else key


def _float_key(loops: LoopsBuilder, x: SSAValue, type_: IntegerType) -> SSAValue:
    bits = loops.emit(arith.BitcastOp, [x], like(x.type, type_))
    is_zero = loops.compare("eq", x, filled(loops, 0.0, x))
    bits = loops.select(is_zero, filled(loops, 0, bits), bits)
    width = bit_width(type_)
    sign = loops.emit(arith.ShRSIOp, [bits, filled(loops, width - 1, bits)], bits.type)
    greatest = filled(loops, (1 << (width - 1)) - 1, bits)
    key = loops.bit_xor(bits, loops.bit_and(sign, greatest))
    return loops.select(loops.is_nan(x), greatest, key)


def widened(loops: LoopsBuilder, x: SSAValue) -> SSAValue:
    """Return floats that are narrower than f32, one or a vector, as f32; any other unchanged."""
    type_ = like(x.type, compute_type(lane_type(x.type)))
    return x if type_ == x.type else loops.emit(arith.ExtFOp, [x], type_)


def extended(loops: LoopsBuilder, x: SSAValue, type_: IntegerType) -> SSAValue:
    """Return signed integers, one or a vector, as integers of a type that is not narrower."""
    if lane_type(x.type) == type_:
        return x
    if lanes_of(x.type) == 1:
        return loops.emit(arith.ExtSIOp, [x], type_)
    return loops.emit(CastOp, [x], like(x.type, type_), {"kind": str_attr("extsi")})


def filled(loops: LoopsBuilder, number: int | float, x: SSAValue) -> SSAValue:
    """Return a constant of the type of ``x``: a scalar, or a vector of equal lanes."""
    scalar, lanes = loops.constant(number, lane_type(x.type)), lanes_of(x.type)
    return scalar if lanes == 1 else loops.splat(scalar, lanes)
