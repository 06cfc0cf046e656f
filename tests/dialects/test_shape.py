"""Dimension expressions are canonical, exact, and print and parse back equal."""

from __future__ import annotations

import operator

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, f32
from xdsl.utils.exceptions import ParseError

from tilewright.dialects.equal_shapes import broadcast_dims
from tilewright.dialects.shape import (
    Dim,
    DimsAttr,
    dims_of,
    element_count,
    normalize_axis,
    static_shape,
    tensor_type,
)
from tilewright.dialects.size_syntax import MOST_NESTED
from tilewright.dialects.window_sizes import conv_output_dim, pool_output_dim
from tilewright.support.diagnostics import TypeMismatch

NAMES = ("a", "b", "u0")

MONOMIALS = ("1", "a", "b", "a * b", "a * a", "b * floordiv(a, 2)")

OPERATORS = {
    "+": (operator.add, operator.add),
    "-": (operator.sub, operator.sub),
    "*": (operator.mul, operator.mul),
    "min": (lambda a, b: a.min(b), min),
    "max": (lambda a, b: a.max(b), max),
}

Expression = tuple[Dim, str]


@st.composite
def expressions(draw: st.DrawFn) -> tuple[Dim, str]:
    """Return a Dim and Python text of the same meaning."""
    leaf = st.one_of(
        st.integers(-6, 6).map(lambda n: (Dim.const(n), f"({n})")),
        st.sampled_from(NAMES).map(lambda n: (Dim.sym(n), n)),
    )

    def extend(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
        def combine(parts: tuple[str, Expression, Expression]) -> Expression:
            name, (a, x), (b, y) = parts
            text = f"{name}({x}, {y})" if name in ("min", "max") else f"({x} {name} {y})"
            return OPERATORS[name][0](a, b), text

        def divide(parts: tuple[bool, Expression, int]) -> Expression:
            is_mod, (a, x), n = parts
            return (a % n, f"({x} % {n})") if is_mod else (a // n, f"({x} // {n})")

        return st.one_of(
            st.tuples(st.sampled_from(sorted(OPERATORS)), inner, inner).map(combine),
            st.tuples(st.booleans(), inner, st.integers(1, 5)).map(divide),
        )

    return draw(st.recursive(leaf, extend, max_leaves=8))


@given(expressions(), st.tuples(st.integers(1, 9), st.integers(1, 9), st.integers(0, 9)))
def test_arithmetic_means_integer_arithmetic(pair: Expression, values: tuple[int, ...]) -> None:
    dim, text = pair
    sizes = dict(zip(NAMES, values, strict=True))
    expected = eval(text, {"min": min, "max": max}, sizes)
    assert dim.evaluate(sizes) == expected
    low = dim.lower_bound()
    assert low is None or low <= expected


@given(expressions())
def test_print_and_parse_back_equal(pair: Expression) -> None:
    dim, _ = pair
    assert Dim.parse(str(dim)) == dim
    assert hash(Dim.parse(str(dim))) == hash(dim)


@given(expressions(), expressions(), expressions())
def test_equal_polynomials_are_one_object(p: Expression, q: Expression, r: Expression) -> None:
    a, b, c = p[0], q[0], r[0]
    assert a + b == b + a
    assert a * b == b * a
    assert (a + b) * c == a * c + b * c
    assert a - a == Dim.const(0)


def test_results_of_arithmetic_are_kept() -> None:
    n, m = Dim.sym("kept_n"), Dim.sym("kept_m")
    again = Dim.sym("kept_n"), Dim.sym("kept_m")
    for apply, _ in OPERATORS.values():
        assert apply(n, m) is apply(*again)
    assert (n + 1) // 2 is (again[0] + 1) // 2
    assert (n + 1) * 3 != (n + 1) * 2


def test_division_pulls_out_what_is_exact() -> None:
    b, s = Dim.sym("b"), Dim.sym("s")
    assert (b * s * 64) // (b * s) == Dim.const(64)
    assert (4 * b + 3) // 4 == b
    assert (4 * b + 7) % 4 == Dim.const(3)
    assert (b * s) % s == Dim.const(0)
    assert str((s + 1) // 2) == "floordiv(s + 1, 2)"
    assert s.ceildiv(2) == (s + 1) // 2
    assert (768 * b + 768 * s) // (64 * b + 64 * s) == Dim.const(12)


def test_division_by_a_larger_size_is_decided_by_bounds() -> None:
    h = Dim.sym("h")
    rows = 4 * h.ceildiv(4)
    assert (Dim.const(2) % rows, Dim.const(2) // rows) == (Dim.const(2), Dim.const(0))
    assert (Dim.const(-2) % rows, Dim.const(-2) // rows) == (rows - 2, Dim.const(-1))
    assert (h % (h + 1), -h % (h + 1)) == (h, Dim.const(1))
    assert str(Dim.const(4) % rows) == "mod(4, 4 * floordiv(h + 3, 4))"


def test_a_size_padded_to_a_multiple_is_a_product() -> None:
    b, s = Dim.sym("b"), Dim.sym("s")
    for padding in (-s % 8, (8 - s % 8) % 8):
        padded = s + padding
        assert padded == 8 * s.ceildiv(8)
        assert padded // 8 * 8 == padded
        assert padded - padding == s
        assert padding.lower_bound() == 0
        assert padded.is_at_least(s)
    assert str(s % 16 % 8) == "mod(mod(s, 16), 8)"
    assert (b * s + -(b * s) % 6) // 6 == (b * s).ceildiv(6)


@given(*([st.lists(st.tuples(st.integers(-3, 3), st.sampled_from(MONOMIALS)), max_size=4)] * 2))
def test_a_product_divided_by_a_factor_is_the_other(
    lhs: list[tuple[int, str]], rhs: list[tuple[int, str]]
) -> None:
    a, b = (sum((c * Dim.parse(m) for c, m in terms), Dim.const(0)) for terms in (lhs, rhs))
    assume(b != Dim.const(0))
    assert (a * b) // b == a
    assert (a * b) % b == Dim.const(0)


@pytest.mark.parametrize("shift", [-7, -1, 0, 1, 5])
@pytest.mark.parametrize(("inner", "outer"), [(2, 2), (5, 3), (3, 4)])
def test_quotient_of_a_quotient_is_one_quotient(inner: int, outer: int, shift: int) -> None:
    s = Dim.sym("s")
    dim = ((s + 1) // inner + shift).quotient(outer)
    assert str(dim).count("floordiv") == 1
    for number in range(50):
        assert dim.evaluate({"s": number}) == ((number + 1) // inner + shift) // outer


def test_bounds_decide_extrema() -> None:
    s, u = Dim.sym("s"), Dim.sym("u0")
    assert s.min(1) == Dim.const(1)
    assert s.max(1) == s
    assert u.max(0) == u
    assert str(u.min(1)) == "min(1, u0)"
    assert Dim.sym("user").min(1) == Dim.const(1)


def test_substitution_and_missing_symbols() -> None:
    dim = Dim.parse("b * s + floordiv(s, 2)")
    assert dim.substitute({"s": 5}) == 5 * Dim.sym("b") + 2
    assert dim.symbols() == {"b", "s"}
    with pytest.raises(KeyError, match="b"):
        dim.evaluate({"s": 3})


def test_division_by_zero_is_refused() -> None:
    with pytest.raises(TypeMismatch, match="divided by zero"):
        _ = Dim.sym("s") // 0


def test_tensor_types_carry_names_only_where_needed() -> None:
    assert tensor_type(f32, (2, 3)) == TensorType(f32, (2, 3))
    symbolic = tensor_type(f32, ("b", 3))
    assert symbolic.get_shape() == (DYNAMIC_INDEX, 3)
    assert str(symbolic) == "tensor<?x3xf32, #te.dims<b, 3>>"
    assert dims_of(symbolic) == (Dim.sym("b"), Dim.const(3))


def test_tensor_types_that_are_refused() -> None:
    with pytest.raises(TypeMismatch, match="has no name"):
        dims_of(TensorType(f32, (DYNAMIC_INDEX,)))
    with pytest.raises(TypeMismatch, match="contradicts"):
        dims_of(TensorType(f32, (DYNAMIC_INDEX,), DimsAttr.of([3])))
    with pytest.raises(TypeMismatch, match="negative"):
        tensor_type(f32, (-1,))
    with pytest.raises(TypeMismatch, match=r"shapes=\{"):
        static_shape(tensor_type(f32, ("b",)))


def test_broadcasting_is_numpys() -> None:
    b, one, three = Dim.sym("b"), Dim.const(1), Dim.const(3)
    assert broadcast_dims((b, one), (three,)) == (b, three)
    assert broadcast_dims((), (b,)) == (b,)
    with pytest.raises(TypeMismatch, match="do not broadcast"):
        broadcast_dims((b,), (three,))


def test_windows() -> None:
    assert conv_output_dim(Dim.const(8), 3, stride=2, dilation=1, low=1, high=1) == Dim.const(4)
    sizes = [
        pool_output_dim(Dim.const(n), 3, stride=2, dilation=1, low=0, high=0, ceil=True).value
        for n in (5, 6, 7)
    ]
    assert sizes == [2, 3, 3]
    last_starts_in_padding = pool_output_dim(
        Dim.const(2), 1, stride=2, dilation=1, low=0, high=1, ceil=True
    )
    assert last_starts_in_padding == Dim.const(1)


def test_axes_and_counts() -> None:
    assert normalize_axis(-1, 3) == 2
    with pytest.raises(TypeMismatch, match="outside the rank"):
        normalize_axis(3, 3)
    assert element_count((Dim.sym("b"), Dim.const(4))) == 4 * Dim.sym("b")


def test_sizes_nest_within_the_budget() -> None:
    """Sizes of the most nested calls evaluate, print and parse; deeper ones are refused."""
    size, number = Dim.sym("n"), 5
    for step in range(MOST_NESTED):
        size, number = (size + 7 + step) // 3, (number + 7 + step) // 3
    assert size.depth() == MOST_NESTED
    assert size.evaluate({"n": 5}) == number
    assert size.substitute({"n": 5}) == Dim.const(number)
    assert Dim.parse(str(size)) == size
    with pytest.raises(TypeMismatch, match="a size is nested too deeply"):
        _ = (size + 1) // 3


@pytest.mark.parametrize("depth", [MOST_NESTED + 1, 100_000])
def test_texts_of_sizes_nest_within_the_budget(depth: int) -> None:
    with pytest.raises(ParseError, match=r"more than 100 nested parentheses"):
        Dim.parse("(" * depth + "n" + ")" * depth)
