"""Numbers in texts: hexadecimal ones of float types are bit patterns, and large ones infinite."""

from __future__ import annotations

import sys
from typing import Any, cast

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import ArrayAttr, DenseIntOrFPElementsAttr, FloatAttr
from xdsl.ir import Attribute
from xdsl.utils.exceptions import ParseError

from tilewright.dialects.index_syntax import parse_number, typed_scalar
from tilewright.dialects.weights import WeightAttr
from tilewright.support.diagnostics import TypeMismatch
from tilewright.support.ir_parser import IrParser
from tilewright.support.registry import new_context

from ..sweeps import examples

TYPES: dict[str, np.dtype[Any]] = {
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
}
SPECIAL = {"f16": 0x7C00, "bf16": 0x7F80, "f32": 0x7F800000, "f64": 0x7FF0000000000000}


def attribute(text: str) -> Attribute:
    return IrParser(new_context(), text).parse_attribute()


def bits_of(values: Any, dtype: np.dtype[Any]) -> list[int]:
    return np.asarray(values, dtype).view(f"u{dtype.itemsize}").ravel().tolist()


@st.composite
def patterns(draw: st.DrawFn) -> tuple[str, int]:
    """Draw a type and a bit pattern: any, or next to 0, -0 and infinity."""
    name = draw(st.sampled_from(sorted(TYPES)))
    bits = 8 * TYPES[name].itemsize
    near = [0, 1, 1 << (bits - 1), SPECIAL[name], SPECIAL[name] | 1 << (bits - 1)]
    return name, draw(st.integers(0, (1 << bits) - 1) | st.sampled_from(near))


@examples(300)
@given(patterns())
def test_hexadecimal_numbers_are_bit_patterns_everywhere(drawn: tuple[str, int]) -> None:
    name, bits = drawn
    dtype = TYPES[name]
    weight = cast(WeightAttr, attribute(f"#graph.weight<[{bits:#x}, 1.0] : tensor<2x{name}>>"))
    assert bits_of(weight.stored, dtype) == [bits, *bits_of([1.0], dtype)]
    splat = cast(WeightAttr, attribute(f"#graph.weight<splat 0x{bits:X} : tensor<70x{name}>>"))
    assert set(bits_of(splat.stored, dtype)) == {bits}
    with np.errstate(invalid="ignore"):  # a signalling NaN
        is_nan = bool(np.isnan(np.array([bits], f"u{dtype.itemsize}").view(dtype))[0])
    scalar = cast(FloatAttr, attribute(f"{bits:#x} : {name}"))
    dense = cast(DenseIntOrFPElementsAttr, attribute(f"dense<[{bits:#x}, 0.5]> : vector<2x{name}>"))
    parsed = typed_scalar(parse_number(IrParser(new_context(), f"{bits:#x}")), scalar.type)
    first = next(iter(dense.get_values()))
    for number in (scalar.value.data, first, cast(FloatAttr, parsed).value.data):
        if is_nan:
            assert np.isnan(number)  # Python keeps no payload of NaN in 16 bits
        else:
            assert bits_of([number], dtype) == [bits]
    for made in (scalar, dense, weight, ArrayAttr([scalar])):
        assert str(attribute(str(made))) == str(made)


@examples(100)
@given(st.sampled_from(sorted(TYPES)), st.floats(1.0, 1e308), st.booleans())
def test_decimal_numbers_round_as_numpy_does(name: str, number: float, negative: bool) -> None:
    number = -number if negative else number
    text = f"{number:.17e}"
    with np.errstate(over="ignore"):
        wanted = bits_of([number], TYPES[name])
    weight = cast(WeightAttr, attribute(f"#graph.weight<[{text}] : tensor<1x{name}>>"))
    scalar = cast(FloatAttr, attribute(f"{text} : {name}"))
    dense = cast(DenseIntOrFPElementsAttr, attribute(f"dense<{text}> : vector<2x{name}>"))
    assert bits_of(weight.stored, TYPES[name]) == wanted
    assert bits_of([scalar.value.data], TYPES[name]) == wanted
    assert bits_of(list(dense.get_values())[:1], TYPES[name]) == wanted


def test_hexadecimal_integers_are_integers() -> None:
    assert str(attribute("0x10 : i32")) == "16 : i32"
    assert (
        str(attribute("dense<[0x10, -0x1]> : vector<2xi32>")) == "dense<[16, -1]> : vector<2xi32>"
    )
    assert str(attribute("#graph.weight<[0x10] : tensor<1xi8>>")).endswith("<[16] : tensor<1xi8>>")
    assert str(attribute("0x10")) == "16 : i64"


@pytest.mark.parametrize(
    "text",
    [
        "0x1FFFF : f16",
        "-0x1 : f32",
        "dense<0x1FFFFFFFF> : vector<2xf32>",
        "dense<-0x1> : vector<2xf32>",
        "#graph.weight<[0x1FFFF] : tensor<1xbf16>>",
        "#graph.weight<[-0x1] : tensor<1xf32>>",
        "1.0 : f80",
        "1.0 : i32",
    ],
)
def test_a_number_that_its_type_lacks_is_an_error_of_the_text(text: str) -> None:
    with pytest.raises(ParseError):
        attribute(text)


def test_a_bit_pattern_in_an_op_fits_its_type() -> None:
    element = cast(FloatAttr, attribute("1.0 : f16")).type
    with pytest.raises(TypeMismatch, match="0x1ffff is no bit pattern of f16"):
        typed_scalar(parse_number(IrParser(new_context(), "0x1ffff")), element)


def test_a_text_that_nests_too_deep_is_refused_at_a_place() -> None:
    position = "(" * 2000 + "d0" + " + 1)" * 2000
    text = f'"test.op"() {{map = affine_map<(d0) -> ({position})>}} : () -> ()'
    limit = sys.getrecursionlimit()  # other packages raise it
    sys.setrecursionlimit(1000)
    try:
        with pytest.raises(ParseError, match="nested parentheses") as raised:
            IrParser(new_context(), text).parse_module()
    finally:
        sys.setrecursionlimit(limit)
    assert 0 < raised.value.span.start < len(text)


def test_a_string_without_an_end_takes_linear_time() -> None:
    with pytest.raises(ParseError, match="closing string literal"):
        IrParser(new_context(), '"' + "a" * 2000)
