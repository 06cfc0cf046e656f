"""Numbers in tensor expressions: integers that a type lacks are refused, floats are rounded."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright import te
from tilewright.frontend.te.program import make_program, signature_of
from tilewright.interp import te as interpreter
from tilewright.support.diagnostics import TypeMismatch

from ...sweeps import examples

FLOATS = ["float16", "bfloat16", "float32", "float64", "float8_e4m3fn", "float8_e5m2"]
INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]


def value_of(tensor: Any, *arrays: np.ndarray[Any, Any]) -> Any:
    """Return the first element of a tensor, by the interpreter."""
    return interpreter.run(make_program(signature_of([tensor], None), "main"), *arrays)[0][0]


@examples(60)
@given(st.floats(allow_nan=False) | st.integers(-(10**400), 10**400), st.sampled_from(FLOATS))
def test_a_float_is_rounded_as_numpy_does(number: float, dtype: str) -> None:
    kind = np.dtype(getattr(ml_dtypes, dtype, dtype))
    try:
        plain = float(number)
    except OverflowError:
        plain = np.inf if number > 0 else -np.inf
    with np.errstate(all="ignore"):
        # The small types of ml_dtypes convert from f32.
        source = np.float32(plain) if kind.itemsize == 1 else np.float64(plain)
        wanted = source.astype(kind)
    got = value_of(te.compute((1,), lambda i: te.const(number, dtype), name="C"))
    np.testing.assert_array_equal(np.float64(got), np.float64(wanted))


@examples(60)
@given(st.integers(-(2**65), 2**65) | st.integers(-300, 300), st.sampled_from(INTEGERS))
def test_an_integer_is_that_number_or_refused(number: int, dtype: str) -> None:
    info = np.iinfo(dtype)
    if info.min <= number <= info.max:
        assert value_of(te.compute((1,), lambda i: te.const(number, dtype), name="C")) == number
    else:
        with pytest.raises(TypeMismatch, match=rf"te\.const: {number} is no {dtype}"):
            te.const(number, dtype)


@pytest.mark.parametrize("number", [np.inf, np.nan, 1.5, 2**31, -(2**31) - 1])
def test_a_number_that_is_no_integer_of_32_bits_is_refused(number: float) -> None:
    with pytest.raises(TypeMismatch, match="is no int32"):
        te.const(number, "int32")


@pytest.mark.parametrize("number", ["1", None, 1j])
def test_a_constant_is_a_number(number: Any) -> None:
    with pytest.raises(TypeMismatch, match=r"te\.const takes a number"):
        te.const(number)


def test_numbers_beside_an_element_follow_the_same_rule() -> None:
    A = te.placeholder((4,), "float16", name="A")
    C = te.compute((4,), lambda i: A[i] + 70000.0, name="C")
    assert value_of(C, np.ones(4, np.float16)) == np.inf
    U = te.placeholder((4,), "uint8", name="U")
    for body in (
        lambda i: U[i] + 300,
        lambda i: te.if_then_else(i < 3, U[i + 1], 300),
        lambda i: te.if_then_else(i < 3, U[i + 1], 1.5),
        lambda i: te.if_then_else(i < 3, U[i + 1], te.const(300, "int32")),
        lambda i: te.max(U[i], -1),
    ):
        with pytest.raises(TypeMismatch):
            te.compute((4,), body, name="D")
