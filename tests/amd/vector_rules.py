"""What vector instructions compute, each with the types of its result and operands.

Types are those of the names of instructions: f32, u32, i32, b32 and so on. Functions take and
return numpy arrays. Source: AMD, RDNA3 and CDNA3 Instruction Set Architecture.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

DTYPES: dict[str, Any] = {
    "f64": np.float64, "f32": np.float32, "f16": np.float16,
    "i64": np.int64, "i32": np.int32, "i16": np.int16,
    "u64": np.uint64, "u32": np.uint32, "u16": np.uint16,
    "b64": np.uint64, "b32": np.uint32, "b16": np.uint16,
}  # fmt: skip


@dataclass(frozen=True)
class Rule:
    """The types of an instruction, and its function of the operands."""

    result: str
    operands: tuple[str, ...]
    compute: Callable[..., Any]


RULES: dict[str, Rule] = {}


def _rule(names: str, types: str, compute: Callable[..., Any]) -> None:
    result, *operands = types.split()
    for name in names.split():
        RULES[name] = Rule(result, tuple(operands), compute)


def fma(x: Any, y: Any, z: Any) -> Any:
    """Return x * y + z with one rounding."""
    dtype = np.result_type(x, y, z)
    wide = np.asarray(x, np.longdouble) * np.asarray(y, np.longdouble)
    return (wide + np.asarray(z, np.longdouble)).astype(dtype)


@dataclass(frozen=True)
class _Division:
    """The constants of a division: bits of the exponent, scales, and limits of exponents."""

    unsigned: Any
    first: int
    exponents: int
    scale: int
    distance: int
    least: int


_DIVISIONS = {
    np.dtype(np.float32): _Division(np.uint32, 23, 255, 64, 96, 23),
    np.dtype(np.float64): _Division(np.uint64, 52, 2047, 128, 768, 53),
}


def _exponent(x: Any) -> Any:
    kind = _DIVISIONS[x.dtype]
    return (x.view(kind.unsigned) >> kind.unsigned(kind.first)).astype(np.int64) & kind.exponents


def is_denormal(x: Any) -> Any:
    """Return which values are denormal."""
    return (x != 0) & (np.abs(x) < np.finfo(x.dtype).tiny)


def div_scale(x: Any, denominator: Any, numerator: Any) -> tuple[Any, Any]:
    """Return the scaled operand of a division, and which quotients to scale back."""
    kind = _DIVISIONS[x.dtype]
    distance = _exponent(numerator) - _exponent(denominator)
    reciprocal, quotient = 1 / denominator.astype(np.float64), numerator / denominator
    up, down = np.ldexp(x, kind.scale), np.ldexp(x, -kind.scale)
    is_tiny = (reciprocal != 0) & (np.abs(reciprocal) < np.finfo(np.float64).tiny)
    cases = [
        ((numerator == 0) | (denominator == 0), np.full_like(x, np.nan), False),
        (distance >= kind.distance, np.where(x == denominator, up, x), True),
        (is_denormal(denominator), up, False),
        (is_tiny & is_denormal(quotient), np.where(x == denominator, up, x), True),
        (is_tiny, down, False),
        (is_denormal(quotient), np.where(x == numerator, up, x), True),
        (_exponent(numerator) <= kind.least, up, False),
    ]
    tests = [test for test, _, _ in cases]
    flags = [np.full(x.shape, flag) for _, _, flag in cases]
    return np.select(tests, [made for _, made, _ in cases], x), np.select(tests, flags, False)


def div_fixup(x: Any, denominator: Any, numerator: Any) -> Any:
    """Return a quotient with the results of special operands."""
    sign = np.signbit(denominator) ^ np.signbit(numerator)
    infinite, zero = np.isinf, lambda value: value == 0

    def signed(value: Any) -> Any:
        return np.where(sign, -np.abs(value), np.abs(value)).astype(x.dtype)

    nan = np.full_like(x, np.nan)
    both = (zero(denominator) & zero(numerator)) | (infinite(denominator) & infinite(numerator))
    tests = [
        np.isnan(numerator) | np.isnan(denominator) | both,
        zero(denominator) | infinite(numerator),
        infinite(denominator) | zero(numerator),
    ]
    return np.select(tests, [nan, signed(nan * 0 + np.inf), signed(np.zeros_like(x))], signed(x))


def _shift(x: Any, y: Any, left: bool) -> Any:
    count = (y & (8 * x.dtype.itemsize - 1)).astype(x.dtype)
    return x << count if left else x >> count


def _to_integer(dtype: Any) -> Callable[[Any], Any]:
    bounds = np.iinfo(dtype)

    def convert(x: Any) -> Any:
        known = np.nan_to_num(np.trunc(x.astype(np.float64)), nan=0.0)
        return np.clip(known, bounds.min, bounds.max).astype(dtype)

    return convert


def _leading_zeros(x: Any) -> Any:
    _, exponent = np.frexp(x.astype(np.float64))
    return np.where(x == 0, np.uint32(0xFFFFFFFF), (32 - exponent).astype(np.uint32))


def _trailing_zeros(x: Any) -> Any:
    _, exponent = np.frexp((x & -x.astype(np.int64)).astype(np.float64))
    return np.where(x == 0, np.uint32(0xFFFFFFFF), (exponent - 1).astype(np.uint32))


def _sign_bits(x: Any) -> Any:
    """Return the leading bits that equal the sign; -1 for 0 and -1."""
    return _leading_zeros(np.where(x < 0, ~x, x).astype(np.uint32))


def _field(x: Any, offset: Any, width: Any) -> Any:
    """Return bits of a word, with the sign of the last one for signed words."""
    offset, width = offset & 31, (width & 31).astype(np.int64)
    moved = x.astype(np.int64) >> offset.astype(np.int64)
    found = moved & ((1 << width) - 1)
    if x.dtype == np.int32:
        found = np.where((width > 0) & (found >> np.maximum(width - 1, 0) & 1 > 0),
                         found - (1 << width), found)  # fmt: skip
    return found.astype(x.dtype)


def _permute(high: Any, low: Any, selector: Any) -> Any:
    """Return four bytes of eight; other numbers select a sign or a constant."""
    data = high.astype(np.uint64) << np.uint64(32) | low.astype(np.uint64)
    made = np.zeros(np.broadcast(high, low, selector).shape, np.uint32)
    for byte in range(4):
        number = (selector >> np.uint32(8 * byte) & np.uint32(255)).astype(np.int64)
        plain = data >> (np.minimum(number, 7) * 8).astype(np.uint64) & np.uint64(255)
        sign = data >> (np.clip(number - 8, 0, 3) * 16 + 15).astype(np.uint64) & np.uint64(1)
        value = np.where(number < 8, plain, np.where(number < 12, sign * np.uint64(255), 0))
        value = np.where(number > 12, 255, value)
        made |= value.astype(np.uint32) << np.uint32(8 * byte)
    return made


def _reversed_bits(x: Any) -> Any:
    bits = np.unpackbits(np.ascontiguousarray(x).view(np.uint8).reshape(-1, 4), axis=1)
    return np.packbits(bits[:, ::-1], axis=1).view(np.uint32)[:, 0]


def _median(x: Any, y: Any, z: Any) -> Any:
    return np.maximum(np.minimum(x, y), np.minimum(np.maximum(x, y), z))


def _float_rules(t: str) -> None:
    """Rules that f16, f32 and f64 have in common."""
    name, two, three = t.upper(), f"{t} {t} {t}", f"{t} {t} {t} {t}"
    _rule(f"V_ADD_{name}", two, lambda x, y: x + y)
    _rule(f"V_SUB_{name}", two, lambda x, y: x - y)
    _rule(f"V_SUBREV_{name}", two, lambda x, y: y - x)
    _rule(f"V_MUL_{name}", two, lambda x, y: x * y)
    _rule(f"V_MIN_{name}", two, np.fmin)
    _rule(f"V_MAX_{name}", two, np.fmax)
    _rule(f"V_FMA_{name}", three, fma)
    _rule(f"V_LDEXP_{name}", f"{t} {t} i32", np.ldexp)
    for kind, compute in (("TRUNC", np.trunc), ("CEIL", np.ceil), ("FLOOR", np.floor),
                          ("RNDNE", np.rint), ("SQRT", np.sqrt)):  # fmt: skip
        _rule(f"V_{kind}_{name}", f"{t} {t}", compute)
    _rule(f"V_RCP_{name}", f"{t} {t}", lambda x: (1 / x).astype(x.dtype))
    _rule(f"V_RSQ_{name}", f"{t} {t}", lambda x: (1 / np.sqrt(x)).astype(x.dtype))
    _rule(f"V_FRACT_{name}", f"{t} {t}", lambda x: x - np.floor(x))
    _rule(f"V_FREXP_MANT_{name}", f"{t} {t}", lambda x: np.frexp(x)[0])
    _rule(f"V_FREXP_EXP_I32_{name}", f"i32 {t}", lambda x: np.frexp(x)[1].astype(np.int32))


for _type in ("f16", "f32", "f64"):
    _float_rules(_type)
_rule("V_EXP_F32", "f32 f32", np.exp2)
_rule("V_LOG_F32", "f32 f32", np.log2)
_rule("V_MED3_F32", "f32 f32 f32 f32", _median)
_rule("V_MAX3_F32", "f32 f32 f32 f32", lambda x, y, z: np.fmax(np.fmax(x, y), z))
_rule("V_MIN3_F32", "f32 f32 f32 f32", lambda x, y, z: np.fmin(np.fmin(x, y), z))
for _type in ("f16", "f32", "f64"):
    _rule(f"V_DIV_FIXUP_{_type.upper()}", f"{_type} " * 4, div_fixup)

_rule("V_ADD_U32 V_ADD_NC_U32", "u32 u32 u32", lambda x, y: x + y)
_rule("V_SUB_U32 V_SUB_NC_U32", "u32 u32 u32", lambda x, y: x - y)
_rule("V_SUBREV_U32 V_SUBREV_NC_U32", "u32 u32 u32", lambda x, y: y - x)
_rule("V_ADD_NC_I32 V_ADD_I32", "i32 i32 i32", lambda x, y: x + y)
_rule("V_SUB_NC_I32 V_SUB_I32", "i32 i32 i32", lambda x, y: x - y)
_rule("V_MUL_LO_U32", "u32 u32 u32", lambda x, y: x * y)
_rule(
    "V_MUL_HI_U32",
    "u32 u32 u32",
    lambda x, y: (x.astype(np.uint64) * y.astype(np.uint64) >> np.uint64(32)).astype(np.uint32),
)
_rule(
    "V_MUL_HI_I32",
    "i32 i32 i32",
    lambda x, y: (x.astype(np.int64) * y.astype(np.int64) >> np.int64(32)).astype(np.int32),
)
_rule("V_MUL_U32_U24", "u32 u32 u32", lambda x, y: (x & 0xFFFFFF) * (y & 0xFFFFFF))
_rule(
    "V_MUL_HI_U32_U24",
    "u32 u32 u32",
    lambda x, y: ((x & 0xFFFFFF).astype(np.uint64) * (y & 0xFFFFFF) >> np.uint64(32)).astype(
        np.uint32
    ),
)
_rule("V_BFREV_B32", "b32 b32", _reversed_bits)
_rule(
    "V_MUL_HI_I32_I24",
    "i32 i32 i32",
    lambda x, y: ((x << 8 >> 8).astype(np.int64) * (y << 8 >> 8) >> 32).astype(np.int32),
)
_rule("V_MUL_I32_I24", "i32 i32 i32", lambda x, y: (x << 8 >> 8) * (y << 8 >> 8))
_rule("V_MAD_U32_U24", "u32 u32 u32 u32", lambda x, y, z: (x & 0xFFFFFF) * (y & 0xFFFFFF) + z)
_rule("V_MAD_I32_I24", "i32 i32 i32 i32", lambda x, y, z: (x << 8 >> 8) * (y << 8 >> 8) + z)
_rule("V_AND_B32", "b32 b32 b32", np.bitwise_and)
_rule("V_OR_B32", "b32 b32 b32", np.bitwise_or)
_rule("V_XOR_B32", "b32 b32 b32", np.bitwise_xor)
_rule("V_XNOR_B32", "b32 b32 b32", lambda x, y: ~(x ^ y))
_rule("V_NOT_B32", "b32 b32", np.invert)
_rule("V_RCP_IFLAG_F32", "f32 f32", lambda x: (1 / x).astype(x.dtype))
_rule("V_MOV_B32", "b32 b32", lambda x: x)
_rule("V_MOV_B64", "b64 b64", lambda x: x)
_rule("V_LSHLREV_B32", "b32 b32 b32", lambda x, y: _shift(y, x, left=True))
_rule("V_LSHRREV_B32", "b32 b32 b32", lambda x, y: _shift(y, x, left=False))
_rule("V_ASHRREV_I32", "i32 i32 i32", lambda x, y: _shift(y, x, left=False))
_rule("V_LSHLREV_B64", "b64 b32 b64", lambda x, y: _shift(y, x, left=True))
_rule("V_LSHRREV_B64", "b64 b32 b64", lambda x, y: _shift(y, x, left=False))
_rule("V_ASHRREV_I64", "i64 i32 i64", lambda x, y: _shift(y, x, left=False))
_rule("V_BFE_U32", "u32 u32 u32 u32", _field)
_rule("V_BFE_I32", "i32 i32 u32 u32", _field)
_rule("V_BFI_B32", "b32 b32 b32 b32", lambda x, y, z: (x & y) | (~x & z))
_rule("V_PERM_B32", "b32 b32 b32 b32", _permute)
_rule(
    "V_ALIGNBIT_B32",
    "b32 b32 b32 b32",
    lambda x, y, z: (
        (x.astype(np.uint64) << np.uint64(32) | y) >> (z & 31).astype(np.uint64)
    ).astype(np.uint32),
)
_rule("V_LSHL_ADD_U32", "u32 u32 u32 u32", lambda x, y, z: _shift(x, y, left=True) + z)
_rule("V_ADD_LSHL_U32", "u32 u32 u32 u32", lambda x, y, z: _shift(x + y, z, left=True))
_rule("V_LSHL_OR_B32", "b32 b32 b32 b32", lambda x, y, z: _shift(x, y, left=True) | z)
_rule("V_AND_OR_B32", "b32 b32 b32 b32", lambda x, y, z: (x & y) | z)
_rule("V_OR3_B32", "b32 b32 b32 b32", lambda x, y, z: x | y | z)
_rule("V_XOR3_B32", "b32 b32 b32 b32", lambda x, y, z: x ^ y ^ z)
_rule("V_XAD_U32", "u32 u32 u32 u32", lambda x, y, z: (x ^ y) + z)
_rule("V_ADD3_U32", "u32 u32 u32 u32", lambda x, y, z: x + y + z)
_rule("V_LSHL_ADD_U64", "u64 u64 u32 u64", lambda x, y, z: (x << (y & 7).astype(np.uint64)) + z)
for _type in ("i32", "u32"):
    _name, _two, _three = _type.upper(), f"{_type} " * 3, f"{_type} " * 4
    _rule(f"V_MIN_{_name}", _two, np.minimum)
    _rule(f"V_MAX_{_name}", _two, np.maximum)
    _rule(f"V_MED3_{_name}", _three, _median)
    _rule(f"V_MIN3_{_name}", _three, lambda x, y, z: np.minimum(np.minimum(x, y), z))
    _rule(f"V_MAX3_{_name}", _three, lambda x, y, z: np.maximum(np.maximum(x, y), z))
for _type in ("i16", "u16"):
    _name, _two, _three = _type.upper(), f"{_type} " * 3, f"{_type} " * 4
    _rule(f"V_MIN_{_name}", _two, np.minimum)
    _rule(f"V_MAX_{_name}", _two, np.maximum)
    _rule(f"V_ADD_{_name} V_ADD_NC_{_name}", _two, lambda x, y: x + y)
    _rule(f"V_SUB_{_name} V_SUB_NC_{_name}", _two, lambda x, y: x - y)
    _rule(f"V_SUBREV_{_name}", _two, lambda x, y: y - x)
    _rule(f"V_MUL_LO_{_name}", _two, lambda x, y: x * y)
    _rule(f"V_MAD_{_name}", _three, lambda x, y, z: x * y + z)
    _rule(f"V_MED3_{_name}", _three, _median)
_rule("V_MOV_B16", "b16 b16", lambda x: x)
_rule("V_NOT_B16", "b16 b16", np.invert)
_rule("V_AND_B16", "b16 b16 b16", np.bitwise_and)
_rule("V_OR_B16", "b16 b16 b16", np.bitwise_or)
_rule("V_XOR_B16", "b16 b16 b16", np.bitwise_xor)
_rule("V_LSHLREV_B16", "b16 b16 b16", lambda x, y: _shift(y, x, left=True))
_rule("V_LSHRREV_B16", "b16 b16 b16", lambda x, y: _shift(y, x, left=False))
_rule("V_ASHRREV_I16", "i16 i16 i16", lambda x, y: _shift(y, x, left=False))
_rule("V_CVT_F32_F16", "f32 f16", lambda x: x.astype(np.float32))
_rule("V_CVT_F16_F32", "f16 f32", lambda x: x.astype(np.float16))
_rule("V_CVT_I32_I16", "i32 i16", lambda x: x.astype(np.int32))
_rule("V_CVT_U32_U16", "u32 u16", lambda x: x.astype(np.uint32))
_rule("V_FFBH_U32 V_CLZ_I32_U32", "u32 u32", _leading_zeros)

_rule("V_FFBH_I32 V_CLS_I32", "u32 i32", _sign_bits)
_rule("V_FFBL_B32 V_CTZ_I32_B32", "u32 u32", _trailing_zeros)

_rule("V_CVT_F32_I32", "f32 i32", lambda x: x.astype(np.float32))
_rule("V_CVT_F32_U32", "f32 u32", lambda x: x.astype(np.float32))
_rule("V_CVT_F64_I32", "f64 i32", lambda x: x.astype(np.float64))
_rule("V_CVT_F64_U32", "f64 u32", lambda x: x.astype(np.float64))
_rule("V_CVT_F64_F32", "f64 f32", lambda x: x.astype(np.float64))
_rule("V_CVT_F32_F64", "f32 f64", lambda x: x.astype(np.float32))
_rule("V_CVT_I32_F32", "i32 f32", _to_integer(np.int32))
_rule("V_CVT_U32_F32", "u32 f32", _to_integer(np.uint32))
_rule("V_CVT_I32_F64", "i32 f64", _to_integer(np.int32))
_rule("V_CVT_U32_F64", "u32 f64", _to_integer(np.uint32))
for _byte in range(4):
    _rule(
        f"V_CVT_F32_UBYTE{_byte}",
        "f32 u32",
        lambda x, at=8 * _byte: (x >> np.uint32(at) & np.uint32(255)).astype(np.float32),
    )

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "F": lambda x, y: np.zeros(np.broadcast(x, y).shape, bool),
    "LT": np.less, "EQ": np.equal, "LE": np.less_equal, "GT": np.greater,
    "LG": lambda x, y: (x < y) | (x > y), "NE": np.not_equal, "GE": np.greater_equal,
    "O": lambda x, y: ~(np.isnan(x) | np.isnan(y)), "U": lambda x, y: np.isnan(x) | np.isnan(y),
    "NGE": lambda x, y: ~(x >= y), "NLG": lambda x, y: ~((x < y) | (x > y)),
    "NGT": lambda x, y: ~(x > y), "NLE": lambda x, y: ~(x <= y),
    "NEQ": lambda x, y: ~(x == y), "NLT": lambda x, y: ~(x < y),
    "TRU": lambda x, y: np.ones(np.broadcast(x, y).shape, bool),
    "T": lambda x, y: np.ones(np.broadcast(x, y).shape, bool),
}  # fmt: skip


def is_of_class(x: Any, mask: Any) -> Any:
    """Return which values are of a class whose bit is set, as V_CMP_CLASS does."""
    sign, tiny = np.signbit(x), is_denormal(x)
    normal = np.isfinite(x) & (x != 0) & ~tiny
    classes = [
        (np.isnan(x), 0b11), (sign & np.isinf(x), 1 << 2), (sign & normal, 1 << 3),
        (sign & tiny, 1 << 4), (sign & (x == 0), 1 << 5), (~sign & (x == 0), 1 << 6),
        (~sign & tiny, 1 << 7), (~sign & normal, 1 << 8), (~sign & np.isinf(x), 1 << 9),
    ]  # fmt: skip
    return np.any([test & (mask & bit > 0) for test, bit in classes], axis=0)
