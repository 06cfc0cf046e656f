"""Reference semantics of all scalar functions in numpy, shared by the graph, te and loop levels.

Functions of floats narrower than f32 are computed in f32 and rounded; transcendental functions of
f32 are computed in f64 and rounded, so their error is at most 0.5 ulp. Integers wrap, integer
division by zero gives 0, a shift by the width or more equals repeated shifts by one, and NaN
propagates through max and min.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from ..dialects.dtypes import bit_width, element_type, is_bool, is_float, is_unsigned
from ..support.diagnostics import UnsupportedOp

Array: TypeAlias = NDArray[Any]
Dtype: TypeAlias = np.dtype[Any]


@lru_cache(maxsize=64)
def is_float_dtype(dtype: Dtype) -> bool:
    """Return whether a dtype is a real floating-point type, including those of ml_dtypes."""
    return is_float(element_type(dtype))


def random_array(shape: Sequence[int], dtype: Dtype, rng: np.random.Generator) -> NDArray[Any]:
    """Return random elements: integers 0 and 1, or normally distributed numbers.

    Zeros and ones are valid as indices, lengths and flags of nearly every model.
    """
    is_integer = not is_float_dtype(dtype) and np.dtype(dtype).kind != "c"
    return (rng.integers(0, 2, shape) if is_integer else rng.standard_normal(shape)).astype(dtype)


@lru_cache(maxsize=64)
def is_unsigned_dtype(dtype: Dtype) -> bool:
    """Return whether a dtype is an unsigned integer, including those of ml_dtypes."""
    return is_unsigned(element_type(dtype))


@lru_cache(maxsize=64)
def width_bits(dtype: Dtype) -> int:
    """Return the number of bits of an element of a dtype, such as 4 for int4."""
    return bit_width(element_type(dtype))


def cast(x: Array, dtype: Dtype, *, saturate: bool = True) -> Array:
    """Convert values to another dtype by the rules of ``graph.cast``.

    saturate: whether values beyond the range of a narrow float become its largest finite value; if
    false, they become NaN or inf.
    """
    x = np.asarray(x)
    if x.dtype == dtype:
        return x
    if is_bool(element_type(dtype)):
        return widened(x) != 0
    if is_float_dtype(dtype):
        return _to_float(widened(x), dtype, saturate=saturate)
    if is_float_dtype(x.dtype):
        return _float_to_int(x, dtype)
    return wrapped(x, dtype)


def widened(x: Array) -> Array:
    """Convert to a type in which numpy computes: f32 for narrow floats, 8 bits for int2 to int7."""
    if is_float_dtype(x.dtype):
        return x.astype(np.float32) if width_bits(x.dtype) < 32 else x
    if 1 < width_bits(x.dtype) < 8:
        return x.astype(np.uint8 if is_unsigned_dtype(x.dtype) else np.int8)
    return x


def _to_float(x: Array, dtype: Dtype, *, saturate: bool) -> Array:
    width = width_bits(dtype)
    if width >= 32:
        return x.astype(dtype)
    if not (width == 16 and dtype == np.float16 and x.dtype == np.float64):
        x = x.astype(np.float32)
    if saturate and width <= 8:
        largest = np.float32(ml_dtypes.finfo(dtype).max)
        x = np.where(np.isnan(x), x, np.clip(x, -largest, largest))
    return x.astype(dtype)


def _float_to_int(x: Array, dtype: Dtype) -> Array:
    bits, unsigned = width_bits(dtype), is_unsigned_dtype(dtype)
    low, high = (0, 2**bits - 1) if unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    values = np.trunc(np.asarray(x, np.float64))
    inside = (values > low) & (values < float(high))
    wide = np.uint64 if unsigned else np.int64
    exact = np.where(inside, values, 0).astype(wide)
    exact = np.where(values >= float(high), np.asarray(high, wide), exact)
    exact = np.where(values <= low, np.asarray(low, wide), exact)
    return exact.astype(dtype)


def wrapped(x: Array, dtype: Dtype) -> Array:
    """Convert integers or bools to a dtype by dropping high bits."""
    bits = width_bits(dtype)
    if bits >= 8:
        return widened(x).astype(dtype)
    low = widened(x).astype(np.uint8) & np.uint8(2**bits - 1)
    if is_unsigned_dtype(dtype):
        return low.astype(dtype)
    sign = np.uint8(2 ** (bits - 1))
    return ((low ^ sign).astype(np.int8) - sign.astype(np.int8)).astype(dtype)


def bitcast(x: Array, dtype: Dtype) -> Array:
    """Reinterpret the bits as another dtype; if the widths differ, the last axis is resized."""
    if x.ndim == 0:
        return np.ascontiguousarray(x).view(dtype).reshape(())
    return np.ascontiguousarray(x).view(dtype)


def _erf(x: Array) -> Array:
    return np.asarray(np.frompyfunc(math.erf, 1, 1)(x), np.float64)


def _sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def _sign(x: Array) -> Array:
    return np.where(x == 0, x, np.sign(x))


TRANSCENDENTAL: dict[str, Callable[[Array], Array]] = {
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "log": np.log,
    "log1p": np.log1p,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "erf": _erf,
    "sigmoid": _sigmoid,
}
"""Functions of floats that are computed in f64 and then rounded."""

UNARY: dict[str, Callable[[Array], Array]] = {
    "abs": np.abs,
    "neg": np.negative,
    "sign": _sign,
    "ceil": np.ceil,
    "floor": np.floor,
    "round_even": np.rint,
    "sqrt": np.sqrt,
    "not": np.invert,
}
"""Functions of one operand, computed in the operand's type, or in f32 for narrow floats."""


def maximum(a: Array, b: Array) -> Array:
    """Return the larger value; NaN if either value is NaN; +0 is larger than -0."""
    return _extremum(a, b, np.maximum(a, b), np.signbit)


def minimum(a: Array, b: Array) -> Array:
    """Return the smaller value; NaN if either value is NaN; -0 is smaller than +0."""
    return _extremum(a, b, np.minimum(a, b), lambda x: ~np.signbit(x))


def _extremum(a: Array, b: Array, result: Array, loses: Callable[[Array], Array]) -> Array:
    if not np.issubdtype(result.dtype, np.floating):
        return result
    return np.where((a == 0) & (b == 0), np.where(loses(a), b, a), result)


def _divide(a: Array, b: Array) -> Array:
    if np.issubdtype(a.dtype, np.floating):
        return a / b
    safe = np.where(b == 0, np.ones_like(b), b)
    quotient = a // safe
    rest = a - quotient * safe
    quotient = quotient + ((rest != 0) & ((a < 0) != (safe < 0))).astype(a.dtype)
    return np.where(b == 0, np.zeros_like(a), quotient)


def _fmod(a: Array, b: Array) -> Array:
    if np.issubdtype(a.dtype, np.floating):
        return np.fmod(a, b)
    safe = np.where((b == 0) | (b == _minus_one(b)), np.ones_like(b), b)
    return np.fmod(a, safe)


def _minus_one(b: Array) -> Array:
    # The remainder by -1 overflows for the smallest integer; unsigned divisors are never -1.
    return np.ones_like(b) if np.issubdtype(b.dtype, np.unsignedinteger) else -np.ones_like(b)


def _mod(a: Array, b: Array) -> Array:
    rest = _fmod(a, b)
    moved = np.where((rest != 0) & ((rest < 0) != (b < 0)), rest + b, rest)
    if not np.issubdtype(a.dtype, np.floating):
        return moved
    return np.where(rest == 0, np.copysign(np.zeros_like(b), b), moved)


def _power(a: Array, b: Array) -> Array:
    if np.issubdtype(a.dtype, np.floating):
        return np.power(a, b)
    result = np.power(a, np.maximum(b, 0))
    if np.issubdtype(a.dtype, np.unsignedinteger):
        return result
    parity = np.where(b % 2 == 0, np.ones_like(a), a)
    fraction = np.where(np.abs(a) == 1, parity, np.zeros_like(a))
    return np.where(b < 0, fraction, result)


def _shift_amount(b: Array) -> Array:
    return b.astype(f"u{b.dtype.itemsize}")  # negative amounts become too large


def _shift_left(a: Array, b: Array, bits: int) -> Array:
    amount = _shift_amount(b)
    inside = amount < bits
    return np.where(inside, a << np.where(inside, amount, 0).astype(a.dtype), np.zeros_like(a))


def _shift_right(a: Array, b: Array, bits: int) -> Array:
    amount = _shift_amount(b)
    shifted = a >> np.minimum(amount, bits - 1).astype(a.dtype)
    if np.issubdtype(a.dtype, np.unsignedinteger):
        return np.where(amount < bits, shifted, np.zeros_like(a))
    return shifted


BINARY: dict[str, Callable[[Array, Array], Array]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": _divide,
    "mod": _mod,
    "fmod": _fmod,
    "max": maximum,
    "maxnum": np.fmax,
    "min": minimum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}
"""Functions of two operands of one type, computed in this type, or in f32 for narrow floats."""

TESTS: dict[str, Callable[..., Array]] = {
    "eq": np.equal,
    "lt": np.less,
    "le": np.less_equal,
    "is_nan": np.isnan,
}
"""Predicates: functions that return a bool."""


def apply(name: str, *arrays: Array, dtype: Dtype | None = None) -> Array:
    """Apply a scalar function to broadcast arrays.

    name: a mnemonic of the graph dialect's elementwise table, ``select``, ``cast`` or ``bitcast``.
    dtype: the type of the result, which ``cast`` and ``bitcast`` require; None for the type of the
    operands, or bool for a predicate.
    Errors: UnsupportedOp for an unknown function.
    """
    operands = [np.asarray(array) for array in arrays]
    with np.errstate(all="ignore"):
        result = _apply(name, operands, dtype)
        return result if dtype is None else cast(result, dtype)


def _apply(name: str, operands: list[Array], dtype: Dtype | None) -> Array:
    own = operands[-1].dtype
    if name in ("cast", "bitcast"):
        assert dtype is not None, f"{name} needs a dtype"
        return (cast if name == "cast" else bitcast)(operands[0], dtype)
    if name == "select":
        return np.where(operands[0], operands[1], operands[2])
    if name in ("shl", "shr"):
        shift = _shift_left if name == "shl" else _shift_right
        wide = [widened(x) for x in operands]
        return wrapped(np.asarray(shift(wide[0], wide[1], width_bits(own))), own)
    wide = [widened(x) for x in operands]
    if name in TESTS:
        return np.asarray(TESTS[name](*wide))
    return _rounded(np.asarray(_compute(name, wide)), own)


def _compute(name: str, wide: list[Array]) -> Array:
    if name in TRANSCENDENTAL:
        exact = TRANSCENDENTAL[name](wide[0].astype(np.float64))
        return np.asarray(exact).astype(wide[0].dtype)
    if name == "pow":
        if np.issubdtype(wide[0].dtype, np.floating):
            exact = _power(*(x.astype(np.float64) for x in wide))
            return np.asarray(exact).astype(wide[0].dtype)
        return _power(*wide)
    if name in UNARY:
        return UNARY[name](*wide)
    if name in BINARY:
        return BINARY[name](*wide)
    known = sorted({*TRANSCENDENTAL, *UNARY, *BINARY, *TESTS, "pow", "shl", "shr", "select"})
    raise UnsupportedOp(
        "unknown scalar function",
        expected=", ".join(known),
        got=name,
        hint="compose it from these functions",
    )


def _rounded(result: Array, dtype: Dtype) -> Array:
    if result.dtype == dtype:
        return result
    if is_float_dtype(dtype):
        return _to_float(result, dtype, saturate=False)
    return wrapped(result, dtype)


def identity(kind: str, dtype: Dtype) -> Array:
    """Return the identity of ``sum``, ``prod``, ``max`` or ``min``."""
    if kind in ("sum", "prod"):
        return np.asarray(0 if kind == "sum" else 1).astype(dtype)
    if is_float_dtype(dtype):
        return _to_float(np.asarray(-np.inf if kind == "max" else np.inf), dtype, saturate=True)
    bits = width_bits(dtype)
    if is_unsigned_dtype(dtype):
        return np.asarray(0 if kind == "max" else 2**bits - 1).astype(dtype)
    return np.asarray(-(2 ** (bits - 1)) if kind == "max" else 2 ** (bits - 1) - 1).astype(dtype)


def accumulator(x: Array) -> Array:
    """Convert an array to its accumulator type: f64 for floats, 64-bit integers for integers."""
    if is_float_dtype(x.dtype):
        return x.astype(np.float64)
    return x.astype(np.uint64 if is_unsigned_dtype(x.dtype) else np.int64)


def rounded(x: Array, dtype: Dtype) -> Array:
    """Round accumulated values once, to their final dtype; integers wrap."""
    with np.errstate(all="ignore"):
        return _rounded(np.asarray(x), dtype)
