"""Conversions between f32 and narrower floats, whose bits are held in integers.

f16 uses conversion instructions if the target has F16C; all other conversions use integer
arithmetic on every target.  Rounding is to nearest even; NaN stays NaN if the type has one.  Exact.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...support.diagnostics import LoweringError
from .lane_code import LaneCode
from .math_builder import MathBuilder
from .types import LlvmType


def widen(text: LaneCode, x: str, source: LlvmType) -> str:
    """Append the extension of a narrow float to f32; return it.

    x: the bits of the float, of at most 16 bits.
    source: the type of x.
    """
    wide = source.of("f32")
    bits = source.of("i32")
    if source.format in _SMALL:
        return _widen_small(MathBuilder(text, wide), _zext(text, x, source), source)
    if source.format == "f8E8M0FNU":
        return _widen_power(MathBuilder(text, wide), _zext(text, x, source))
    if source.format == "bf16" and text.converts_bfloat:
        return text.from_bfloat(source, x)
    if source.format == "bf16":
        raised = text.binary("shl", bits, _zext(text, x, source), bits.const(16))
        return text.cast("bitcast", raised, bits, wide)
    if text.converts_half:
        return text.from_half(source, x)
    return _widen_f16(MathBuilder(text, wide), _zext(text, x, source))


def narrow(text: LaneCode, x: str, target: LlvmType) -> str:
    """Append the rounding of an f32 to a narrow float of at most 16 bits; return its bits."""
    wide = target.of("f32")
    m = MathBuilder(text, wide)
    if target.format in _SMALL:
        return text.cast("trunc", _to_small_bits(m, x, _SMALL[target.format]), m.integer, target)
    if target.format == "f8E8M0FNU":
        raise LoweringError("float8e8m0 is made of bits, not by rounding", got=target.format)
    if target.format == "bf16" and text.converts_bfloat:
        return text.to_bfloat(target, x)
    if target.format == "bf16":
        return text.cast("trunc", _to_bf16_bits(m, x), m.integer, target)
    if text.converts_half:
        return text.to_half(target, x)
    return text.cast("trunc", _to_f16_bits(m, x), m.integer, target)


def narrow_f64(text: LaneCode, x: str, target: LlvmType) -> str:
    """Append the rounding of an f64 to f32, f16 or bf16, with a single rounding error; return it.

    For 16 bits, x is first rounded to f32 such that the last bit records inexact results (round to
    odd), which makes the second rounding correct.
    """
    source, wide = target.of("f64"), target.of("f32")
    nearest = text.cast("fptrunc", x, source, wide)
    if not target.is_narrow:
        return nearest
    d, m = MathBuilder(text, source), MathBuilder(text, wide)
    back = text.cast("fpext", nearest, wide, source)
    above = d.compare("ogt", d.abs(back), d.abs(x))
    inexact = d.compare("one", back, x)
    bits = m.to_bits(nearest)
    bits = m.int_op("sub", bits, text.cast("zext", above, wide.mask, m.integer))
    bits = m.int_op("or", bits, text.cast("zext", inexact, wide.mask, m.integer))
    return narrow(text, m.from_bits(bits), target)


def _zext(text: LaneCode, x: str, source: LlvmType) -> str:
    return text.cast("zext", x, source, source.of("i32"))


def _to_bf16_bits(m: MathBuilder, x: str) -> str:
    bits = m.to_bits(x)
    high = m.int_op("lshr", bits, 16)
    raised = m.int_op("add", bits, m.int_op("add", m.int_op("and", high, 1), 0x7FFF))
    quiet = m.int_op("or", high, 0x40)
    nan = m.compare("uno", x, x)
    return m.text.select(nan, m.integer, quiet, m.int_op("lshr", raised, 16))


def _widen_f16(m: MathBuilder, half: str) -> str:
    """Emit f16 bits as f32: shift, multiply by 2^112, and fix infinity and NaN.

    The multiplication is correct for subnormals, too.
    """
    body = m.int_op("shl", m.int_op("and", half, 0x7FFF), 13)
    scaled = m.to_bits(m.mul(m.from_bits(body), m.const(2.0**112)))
    special = m.int_compare("uge", body, 0x7C00 << 13)
    ones = m.text.select(special, m.integer, m.integer.const(0x7F800000), m.integer.const(0))
    sign = m.int_op("shl", m.int_op("and", half, 0x8000), 16)
    return m.from_bits(m.int_op("or", m.int_op("or", scaled, ones), sign))


def _to_f16_bits(m: MathBuilder, x: str) -> str:
    """Emit the bits of f32 values rounded to f16; adding 0.5 rounds subnormal results."""
    bits = m.to_bits(x)
    a = m.int_op("and", bits, 0x7FFFFFFF)
    odd = m.int_op("and", m.int_op("lshr", a, 13), 1)
    raised = m.int_op("add", m.int_op("add", a, odd), 0xFFF - (112 << 23))
    out = m.int_op("lshr", raised, 13)
    small = m.to_bits(m.add(m.from_bits(a), m.const(0.5)))
    subnormal = m.int_op("sub", small, 0x3F000000)
    out = _choose(m, m.int_compare("ult", a, 0x38800000), subnormal, out)
    out = _choose(m, m.int_compare("uge", a, 0x47800000), m.integer.const(0x7C00), out)
    out = _choose(m, m.int_compare("ugt", a, 0x7F800000), m.integer.const(0x7E00), out)
    return m.int_op("or", out, m.int_op("and", m.int_op("lshr", bits, 16), 0x8000))


def _choose(m: MathBuilder, condition: str, yes: str, no: str) -> str:
    return m.text.select(condition, m.integer, yes, no)


@dataclass(frozen=True)
class _Small:
    """The layout of a float of at most 8 bits, and its special codes.

    A code is the bits of a value without the sign bit.
    bits, mantissa, bias: the number of bits in total and of the mantissa, and the exponent's bias.
    largest: the code of the largest finite value.
    overflow: the code of values beyond the range.
    nan: the code of NaN.
    not_finite: the first code of NaN or infinity; None if all values are finite.
    fnuz: whether the type has no negative zero and uses its code for NaN.
    """

    bits: int
    mantissa: int
    bias: int
    largest: int
    overflow: int
    nan: int
    not_finite: int | None = None
    fnuz: bool = False


_SMALL = {
    "f8E4M3FN": _Small(8, 3, 7, 0x7E, 0x7F, 0x7F, not_finite=0x7F),
    "f8E4M3FNUZ": _Small(8, 3, 8, 0x7F, 0x80, 0x80, fnuz=True),
    "f8E4M3": _Small(8, 3, 7, 0x77, 0x78, 0x7C, not_finite=0x78),
    "f8E3M4": _Small(8, 4, 3, 0x6F, 0x70, 0x78, not_finite=0x70),
    "f8E5M2": _Small(8, 2, 15, 0x7B, 0x7C, 0x7E, not_finite=0x7C),
    "f8E5M2FNUZ": _Small(8, 2, 16, 0x7F, 0x80, 0x80, fnuz=True),
    "f6E2M3FN": _Small(6, 3, 1, 0x1F, 0x1F, 0x20),
    "f6E3M2FN": _Small(6, 2, 3, 0x1F, 0x1F, 0x20),
    "f4E2M1FN": _Small(4, 1, 1, 0x07, 0x07, 0x08),
}
"""Source: OCP 8-bit floating point and microscaling formats; conversions as in ml_dtypes."""


def _widen_small(m: MathBuilder, code: str, source: LlvmType) -> str:
    """Emit the f32 values of small floats.

    A shift and a multiplication by a power of 2 are correct for finite values, including
    subnormals; then infinity and NaN are fixed.
    code: the bits of the floats.
    source: the type of the floats.
    """
    f = _SMALL[source.format]
    sign_bit = 1 << (f.bits - 1)
    low = m.int_op("and", code, sign_bit - 1)
    body = m.int_op("shl", low, 23 - f.mantissa)
    scaled = m.to_bits(m.mul(m.from_bits(body), m.const(2.0 ** (127 - f.bias))))
    if f.not_finite is not None:
        # inf keeps its zero mantissa, NaN its nonzero one; e4m3fn has one NaN and no inf.
        special = m.int_op("or", body, 0x7FC00000 if source.format == "f8E4M3FN" else 0x7F800000)
        is_special = m.int_compare("uge", low, f.not_finite)
        scaled = _choose(m, is_special, special, scaled)
    sign = m.int_op("shl", m.int_op("and", code, sign_bit), 32 - f.bits)
    out = m.int_op("or", scaled, sign)
    if f.fnuz:
        is_nan = m.int_compare("eq", code, sign_bit)
        out = _choose(m, is_nan, m.integer.const(0x7FC00000), out)
    return m.from_bits(out)


def _widen_power(m: MathBuilder, code: str) -> str:
    """Emit the f32 values of the type f8E8M0FNU: ``2 ** (code - 127)``, and NaN for 255."""
    power = _choose(
        m,
        m.int_compare("eq", code, 0),
        m.integer.const(0x00400000),
        m.int_op("shl", code, 23),
    )
    is_nan = m.int_compare("eq", code, 0xFF)
    return m.from_bits(_choose(m, is_nan, m.integer.const(0x7FC00000), power))


def _to_small_bits(m: MathBuilder, x: str, f: _Small) -> str:
    """Emit the bits of f32 values rounded to a small float type; an addition rounds subnormals.

    f: the layout of the type.
    """
    bits = m.to_bits(x)
    a = m.int_op("and", bits, 0x7FFFFFFF)
    drop = 23 - f.mantissa
    odd = m.int_op("and", m.int_op("lshr", a, drop), 1)
    half = (1 << (drop - 1)) - 1 - ((127 - f.bias) << 23)
    out = m.int_op("lshr", m.int_op("add", m.int_op("add", a, odd), half), drop)
    magic = 2.0 ** (24 - f.mantissa - f.bias)
    magic_bits = (127 + 24 - f.mantissa - f.bias) << 23
    small = m.to_bits(m.add(m.from_bits(a), m.const(magic)))
    is_small = m.int_compare("ult", a, (128 - f.bias) << 23)
    out = _choose(m, is_small, m.int_op("sub", small, magic_bits), out)
    out = _choose(m, m.int_compare("ugt", out, f.largest), m.integer.const(f.overflow), out)
    nan = m.int_compare("ugt", a, 0x7F800000)
    sign = m.int_op("and", m.int_op("lshr", bits, 32 - f.bits), 1 << (f.bits - 1))
    if f.fnuz:
        # Zero has no sign, and the code of negative zero is NaN for either sign.
        sign = _choose(m, m.int_compare("eq", out, 0), m.integer.const(0), sign)
        signed = m.int_op("or", out, sign)
        return _choose(m, nan, m.integer.const(f.nan), signed)
    if f.nan > f.overflow and f.not_finite is None:
        return _choose(m, nan, m.integer.const(f.nan), m.int_op("or", out, sign))
    return m.int_op("or", _choose(m, nan, m.integer.const(f.nan), out), sign)
