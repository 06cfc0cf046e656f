"""The C99 printer of kernels: folded expressions, parentheses, and names."""

from __future__ import annotations

import pytest

from tilewright.lowering.loop_to_c import c_name
from tilewright.lowering.loop_to_c.expressions import (
    ATOM,
    PRODUCT,
    UNARY,
    Temporary,
    fold,
    level_of,
    numbered,
)


def temporary(name: str, expression: str) -> Temporary:
    return Temporary.of(f"    float {name} = {expression};", name, expression)


@pytest.mark.parametrize(
    ("given", "use", "folded"),
    [
        ("x[i]", "y[i] = t1;", "y[i] = x[i];"),
        ("a * b", "sum = sum + t1;", "sum += a * b;"),
        ("a + b", "y = t1 * c;", "y = (a + b) * c;"),
        ("a + b", "y = c + t1;", "y = c + (a + b);"),
        ("a + b", "y = t1 + c;", "y = a + b + c;"),
        ("a - b", "y = c - t1;", "y = c - (a - b);"),
        ("a * b", "y = c / t1;", "y = c / (a * b);"),
        ("-a", "y = -t1;", "y = -(-a);"),
        ("a < b", "y = t1 ? c : d;", "y = a < b ? c : d;"),
        ("a ? b : c", "y = t1 ? c : d;", "y = (a ? b : c) ? c : d;"),
        ("a + b", "y = (float)t1;", "y = (float)(a + b);"),
        ("(float)a", "y = t1 * b;", "y = (float)a * b;"),
        ("a << b", "y = t1 + c;", "y = (a << b) + c;"),
        ("f(a + b)", "y = t1 * t1_;", "y = f(a + b) * t1_;"),
    ],
)
def test_a_temporary_becomes_a_part_of_its_use(given: str, use: str, folded: str) -> None:
    assert fold([temporary("t1", given), f"    {use}"]) == [f"    {folded}"]


@pytest.mark.parametrize(
    "between",
    ["    y[0] = 0.0f;", "    for (int32_t i = 0; i < 4; i++) {", "    }"],
)
def test_a_load_does_not_pass_a_store_or_the_end_of_a_block(between: str) -> None:
    lines = [temporary("t1", "x[i]"), between, "    z = t1;"]
    assert fold(lines) == [str(line) for line in lines]


def test_a_variable_is_read_before_it_changes() -> None:
    lines = [temporary("t1", "sum * a"), "    sum = b;", "    z = t1;"]
    assert fold(lines) == [str(line) for line in lines]
    lines[1] = "    other = b;"
    assert fold(lines) == ["    other = b;", "    z = sum * a;"]


def test_two_uses_keep_a_temporary_and_none_drops_it() -> None:
    lines = [temporary("t1", "a * b"), temporary("t2", "t1 + c"), "    y = t1 * t1;"]
    assert fold(lines) == ["    float t1 = a * b;", "    y = t1 * t1;"]


def test_long_lines_keep_their_temporaries() -> None:
    long = f"x[{' + '.join(['position'] * 9)}]"
    lines = [temporary("t1", long), "    y = t1;"]
    assert fold(lines) == [str(line) for line in lines]


def test_levels_of_expressions() -> None:
    assert level_of("a * b[c + d]") == PRODUCT
    assert level_of("(uint32_t)x[i]") == level_of("-a") == UNARY
    assert level_of("f(a + b)") == level_of("(a + b)") == level_of("1.5f") == ATOM


def test_numbers_follow_declarations() -> None:
    lines = ["float t7 = a;", "float t3 = t7;", "y = t3;"]
    assert numbered(lines) == ["float t1 = a;", "float t2 = t1;", "y = t2;"]


def test_names_of_models_become_identifiers() -> None:
    names = ["conv/weights:0", "3x", "int", "t5", "größe", "", "__main"]
    assert [c_name(name) for name in names] == [
        "conv_weights_0", "x3x", "int_", "t5_", "gr_e", "x", "main",
    ]  # fmt: skip
