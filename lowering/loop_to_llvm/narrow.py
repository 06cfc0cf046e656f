"""Conversions between f32 and the 16-bit floats, held as integers.

bf16 is converted by integer arithmetic on every target; f16 by instruction where the target has
F16C.  Rounding is to nearest even; NaN stays NaN.  Exact.
"""

from __future__ import annotations

from .math_builder import MathBuilder
from .text import Text
from .types import LlvmType


def widen(text: Text, x: str, source: LlvmType) -> str:
    """Emit an f16 or bf16 value as f32."""
    wide = source.of("f32")
    bits = source.of("i32")
    if source.format == "bf16":
        raised = text.binary("shl", bits, _zext(text, x, source), bits.const(16))
        return text.cast("bitcast", raised, bits, wide)
    if text.target.has("f16c"):
        half = _half_text(source)
        return text.emit(
            f"fpext {half} {text.emit(f'bitcast {source.text} {x} to {half}')} to {wide.text}"
        )
    return _widen_f16(MathBuilder(text, wide), _zext(text, x, source))


def narrow(text: Text, x: str, target: LlvmType) -> str:
    """Emit an f32 value rounded to f16 or bf16."""
    wide = target.of("f32")
    m = MathBuilder(text, wide)
    if target.format == "bf16":
        return text.cast("trunc", _to_bf16_bits(m, x), m.integer, target)
    if text.target.has("f16c"):
        half = _half_text(target)
        rounded = text.emit(f"fptrunc {wide.text} {x} to {half}")
        return text.emit(f"bitcast {half} {rounded} to {target.text}")
    return text.cast("trunc", _to_f16_bits(m, x), m.integer, target)


def narrow_f64(text: Text, x: str, target: LlvmType) -> str:
    """Emit an f64 value rounded once to f32, f16 or bf16.

    On the way to 16 bits it is rounded to odd in f32, so the second rounding is right.
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


def _half_text(type_: LlvmType) -> str:
    return f"<{type_.lanes} x half>" if type_.lanes > 1 else "half"


def _zext(text: Text, x: str, source: LlvmType) -> str:
    return text.cast("zext", x, source, source.of("i32"))


def _to_bf16_bits(m: MathBuilder, x: str) -> str:
    bits = m.to_bits(x)
    high = m.int_op("lshr", bits, 16)
    raised = m.int_op("add", bits, m.int_op("add", m.int_op("and", high, 1), 0x7FFF))
    quiet = m.int_op("or", high, 0x40)
    nan = m.compare("uno", x, x)
    return m.text.select(nan, m.integer, quiet, m.int_op("lshr", raised, 16))


def _widen_f16(m: MathBuilder, half: str) -> str:
    """Return f32 of f16 bits: shift, multiply by 2^112 (subnormals too), mend inf and NaN."""
    body = m.int_op("shl", m.int_op("and", half, 0x7FFF), 13)
    scaled = m.to_bits(m.mul(m.from_bits(body), m.const(2.0**112)))
    special = m.int_compare("uge", body, 0x7C00 << 13)
    ones = m.text.select(special, m.integer, m.integer.const(0x7F800000), m.integer.const(0))
    sign = m.int_op("shl", m.int_op("and", half, 0x8000), 16)
    return m.from_bits(m.int_op("or", m.int_op("or", scaled, ones), sign))


def _to_f16_bits(m: MathBuilder, x: str) -> str:
    """Return f16 bits of f32; the subnormal case is an addition of 0.5, which rounds."""
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
