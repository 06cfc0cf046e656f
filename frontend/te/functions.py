"""Functions on values in a compute: conditionals and scalar functions."""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue

from ...dialects.dtypes import bit_width, is_bool, is_integer
from ...dialects.te.scalars import scalar_attr
from ...dialects.te.view import Access
from ...support.affine import Atom, Index
from .bounds import index_of, is_never_negative
from .expr import (
    Literal,
    Operand,
    Scalar,
    Value,
    accepts,
    apply,
    as_scalar,
    binary,
    compare,
    dtype_name,
)
from .recording import Recorder


def select(condition: Value, x: Value, y: Value) -> Scalar:
    """Return ``x`` if the condition holds, else ``y``.

    Both are evaluated, so the reads of both must be in bounds.
    """
    chosen = _condition(condition)
    lhs, rhs = _pair(x, y)
    made = chosen.recorder.scalars.select(chosen.value, lhs.value, rhs.value)
    return Scalar(chosen.recorder, made, lhs.element_type)


def if_then_else(condition: Value, x: Value, y: Value) -> Scalar:
    """Return ``x`` where the condition holds, else ``y``.

    A read in the operand that is not chosen may be out of bounds; it is never executed.  If ``y``
    is a number and ``x`` a read whose bounds check is exactly the condition, the result is one
    padded read.
    Errors: TypeMismatch if a condition on axes does not keep a read in bounds.
    """
    chosen = _condition(condition)
    lhs, rhs = _pair(x, y)
    padded = _padded_read(chosen, lhs, y)
    if padded is not None:
        return padded
    recorder, bounds = chosen.recorder, chosen.bounds
    _guard(recorder, lhs.value, bounds)
    otherwise = None if bounds is None or len(bounds) != 1 else (-bounds[0] - 1,)
    _guard(recorder, rhs.value, otherwise)
    recorder.guard(lhs.value, chosen.value, wanted=True)
    recorder.guard(rhs.value, chosen.value, wanted=False)
    made = recorder.scalars.select(chosen.value, lhs.value, rhs.value)
    return Scalar(recorder, made, lhs.element_type)


def _condition(condition: Value) -> Scalar:
    made = as_scalar(condition, i1 if isinstance(condition, bool) else None)
    if not is_bool(made.element_type):
        raise made.recorder.error(
            "a condition is a bool",
            got=dtype_name(made.element_type),
            hint="compare, as in x != 0",
        )
    return made


def _pair(x: Value, y: Value) -> tuple[Scalar, Scalar]:
    """Convert two operands to values of one type; a number takes the type of the other operand."""
    typed = [v for v in (x, y) if isinstance(v, Scalar | Literal)]
    like = typed[0].element_type if typed else None
    if like is None and isinstance(x, float) != isinstance(y, float):
        x, y = (float(v) if isinstance(v, int) else v for v in (x, y))
        like = as_scalar(x if isinstance(x, float) else y).element_type
    lhs, rhs = as_scalar(x, like), as_scalar(y, like)
    if lhs.element_type != rhs.element_type:
        raise lhs.recorder.error(
            "the choices differ in type",
            expected=dtype_name(lhs.element_type),
            got=dtype_name(rhs.element_type),
            hint=f'convert one, as in y.astype("{dtype_name(lhs.element_type)}")',
        )
    return lhs, rhs


def _sides(access: Access) -> list[Index]:
    """Return the expressions that must be non-negative for a read to be in bounds.

    Expressions that are provably non-negative are omitted.
    """
    found: list[Index] = []
    for index, size in zip(access.indices or (), access.dims, strict=True):
        sides = index, index_of(size - 1) - index
        found += [side for side in sides if not is_never_negative(side)]
    return found


def _padded_read(condition: Scalar, x: Scalar, y: Value) -> Scalar | None:
    """Return ``x`` as a read padded with ``y``, if the condition is exactly its bounds check.

    Return None if ``x`` is no read, ``y`` is no number, or the condition is another one.
    """
    recorder, bounds = condition.recorder, condition.bounds
    access = recorder.access_of(x.value)
    number = y.number if isinstance(y, Literal) else y
    if access is None or bounds is None or not isinstance(number, bool | int | float):
        return None
    if isinstance(y, Literal) and y.element_type != x.element_type:
        return None
    if access.value is None or access.indices is None or access.pad is not None:
        return None
    sides = _sides(access)
    unproven_bounds = [b for b in bounds if not is_never_negative(b)]
    if not sides or set(sides) != set(unproven_bounds):
        return None
    accepts(recorder, number, x.element_type)
    pad = scalar_attr(number, x.value.type)
    made = recorder.read(recorder.sources[access.value], access.indices, pad)
    return Scalar(recorder, made, x.element_type)


def _guard(recorder: Recorder, value: SSAValue, bounds: Sequence[Index] | None) -> None:
    """Pad the reads on which a value depends, if they are safe only where a condition holds.

    The caller selects the value only where the condition holds. So a padded read can be executed
    everywhere, and the select drops the padding.
    bounds: expressions that are non-negative where the condition holds; None if they are unknown,
    as for a condition on data.  A read is padded if the bounds imply that it is in bounds where the
    condition holds, or if ``bounds`` is None.  Any other read is reported as out of bounds later.
    """
    for read in recorder.unsafe_reads(value):
        access = recorder.access_of(read)
        assert access is not None, "an unsafe read is a read"
        if bounds is None or all(_implied(side, bounds) for side in _sides(access)):
            recorder.pad(read)


def _implied(side: Index, bounds: Sequence[Index]) -> bool:
    """Return whether an expression is non-negative wherever all the bounds are non-negative."""
    total = Index()
    for bound in bounds:
        total = total + bound
    wanted = _undivided(side)
    return any(is_never_negative(wanted - bound) for bound in (*bounds, total))


def _undivided(side: Index) -> Index:
    """Return an expression without division that is non-negative exactly where ``side`` is.

    The expressions ``n // d + c`` and ``-(n // d) + c`` are rewritten, all others are returned
    unchanged.
    """
    ((key, factor), *more) = side.terms.items() or [(None, 0)]
    if more or not isinstance(key, Atom) or key.kind != "floordiv" or factor not in (1, -1):
        return side
    if factor == 1:
        return key.operand + side.const * key.divisor
    return -key.operand + ((side.const + 1) * key.divisor - 1)


def power(x: Value, y: Value) -> Operand:
    """Return ``x`` to the power of ``y``."""
    return binary("pow", x, y)


def maximum(x: Value, y: Value) -> Operand:
    """Return the larger value; NaN if either value is NaN."""
    return binary("max", x, y)


def minimum(x: Value, y: Value) -> Operand:
    """Return the smaller value; NaN if either value is NaN."""
    return binary("min", x, y)


def truncdiv(x: Value, y: Value) -> Operand:
    """Return the quotient of integers, rounded toward zero; 0 if ``y`` is 0."""
    return binary("truncdiv", x, y)


def truncmod(x: Value, y: Value) -> Operand:
    """Return the remainder with the sign of ``x``; for integers, 0 if ``y`` is 0."""
    return binary("fmod", x, y)


def floordiv(x: Value, y: Value) -> Operand:
    """Return the quotient rounded toward minus infinity; for integers, 0 if ``y`` is 0."""
    return binary("floordiv", x, y)


def floormod(x: Value, y: Value) -> Operand:
    """Return the remainder with the sign of ``y``; for integers, 0 if ``y`` is 0."""
    return binary("floormod", x, y)


def equal(x: Value, y: Value) -> Operand:
    """Return ``x == y``."""
    return compare("eq", x, y)


def clip(x: Value, low: Value, high: Value) -> Operand:
    """Return ``x`` limited to the range from ``low`` to ``high``."""
    return minimum(maximum(x, low), high)


def exp(x: Value) -> Scalar:
    """Return e to the power of ``x``."""
    return apply("exp", x)


def expm1(x: Value) -> Scalar:
    """Return ``exp(x) - 1``, accurate near 0."""
    return apply("expm1", x)


def log(x: Value) -> Scalar:
    """Return the natural logarithm."""
    return apply("log", x)


def log1p(x: Value) -> Scalar:
    """Return ``log(1 + x)``, accurate near 0."""
    return apply("log1p", x)


def sqrt(x: Value) -> Scalar:
    """Return the square root."""
    return apply("sqrt", x)


def rsqrt(x: Value) -> Scalar:
    """Return ``1 / sqrt(x)``."""
    return apply("rsqrt", x)


def sin(x: Value) -> Scalar:
    """Return the sine of an angle in radians."""
    return apply("sin", x)


def cos(x: Value) -> Scalar:
    """Return the cosine of an angle in radians."""
    return apply("cos", x)


def tan(x: Value) -> Scalar:
    """Return the tangent of an angle in radians."""
    return apply("tan", x)


def asin(x: Value) -> Scalar:
    """Return the inverse sine, in radians."""
    return apply("asin", x)


def acos(x: Value) -> Scalar:
    """Return the inverse cosine, in radians."""
    return apply("acos", x)


def atan(x: Value) -> Scalar:
    """Return the inverse tangent, in radians."""
    return apply("atan", x)


def sinh(x: Value) -> Scalar:
    """Return the hyperbolic sine."""
    return apply("sinh", x)


def cosh(x: Value) -> Scalar:
    """Return the hyperbolic cosine."""
    return apply("cosh", x)


def tanh(x: Value) -> Scalar:
    """Return the hyperbolic tangent."""
    return apply("tanh", x)


def asinh(x: Value) -> Scalar:
    """Return the inverse of sinh."""
    return apply("asinh", x)


def acosh(x: Value) -> Scalar:
    """Return the inverse of cosh."""
    return apply("acosh", x)


def atanh(x: Value) -> Scalar:
    """Return the inverse of tanh."""
    return apply("atanh", x)


def erf(x: Value) -> Scalar:
    """Return the Gauss error function."""
    return apply("erf", x)


def sigmoid(x: Value) -> Scalar:
    """Return ``1 / (1 + exp(-x))``."""
    return apply("sigmoid", x)


def floor(x: Value) -> Scalar:
    """Return the largest integer <= ``x``, as a float."""
    return apply("floor", x)


def ceil(x: Value) -> Scalar:
    """Return the smallest integer >= ``x``, as a float."""
    return apply("ceil", x)


def trunc(x: Value) -> Scalar:
    """Return the integer part, as a float."""
    return apply("trunc", x)


def round(x: Value) -> Scalar:
    """Return the nearest integer as a float; ties go to even."""
    return apply("round_even", x)


def abs(x: Value) -> Scalar:
    """Return the absolute value; the smallest signed integer is returned unchanged."""
    return apply("abs", x)


def sign(x: Value) -> Scalar:
    """Return the sign: -1, 0 or 1."""
    return apply("sign", x)


def isnan(x: Value) -> Scalar:
    """Return whether a float is NaN."""
    return apply("is_nan", x)


def isinf(x: Value) -> Operand:
    """Return whether a float is infinite."""
    return compare("eq", abs(x), math.inf)


def isfinite(x: Value) -> Operand:
    """Return whether a float is neither infinite nor NaN."""
    return compare("lt", abs(x), math.inf)


def popcount(x: Value) -> Operand:
    """Return the number of 1 bits of an integer, sign bit included, in the same type.

    Errors: TypeMismatch for a value that is no integer.
    """
    bits = as_scalar(x)
    if not is_integer(bits.element_type):
        raise bits.recorder.error(
            "popcount is not defined for values that are no integers",
            got=dtype_name(bits.element_type),
        )
    width = bit_width(bits.element_type)
    pairs, quads, bytes_ = (_repeated((1 << n) - 1, 2 * n, width) for n in (1, 2, 4))
    made: Operand = bits - ((bits >> 1) & pairs)
    made = (made & quads) + ((made >> 2) & quads)
    made = (made + (made >> 4)) & bytes_
    shift = 8
    while shift < width:
        made, shift = made + (made >> shift), 2 * shift
    return made & (2 * width - 1)


def _repeated(pattern: int, every: int, width: int) -> int:
    return sum(pattern << at for at in range(0, width, every))
