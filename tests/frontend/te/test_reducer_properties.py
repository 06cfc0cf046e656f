"""te.comm_reducer: the properties of its function are tested; errors show failing numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright import te

from .invalid_reducers import CASES, SNAPSHOT, choosing, message, messages, norm, reduced, zeros

FLOAT, INTEGER = "float32", "int32"


def lowest(index: str, value: str) -> Any:
    return te.const(-1, index), te.min_value(value)


def in_order(x: Any, y: Any) -> Any:
    """Return whether x is before y: larger values first, equal values by index."""
    return (x[1] > y[1]) | ((x[1] == y[1]) & (x[0] < y[0]))


def rescaled(x: Any, y: Any) -> Any:
    """Combine maxima, and sums of exponentials relative to them."""
    most = te.maximum(x[0], y[0])
    return most, x[1] * te.exp(x[0] - most) + y[1] * te.exp(y[0] - most)


def moments(x: Any, y: Any) -> Any:
    """Combine counts, means and squared deviations."""
    count, apart = x[0] + y[0], y[1] - x[1]
    mean = x[1] + apart * (y[0] / count)
    return count, mean, x[2] + y[2] + apart * apart * (x[0] * y[0] / count)


def complex_product(x: Any, y: Any) -> Any:
    return x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]


VALID: dict[str, tuple[Any, ...]] = {
    "sum": (lambda x, y: x + y, zeros),
    "product": (lambda x, y: x * y, lambda t: 1),
    "maximum": (te.maximum, te.min_value),
    "a choice of the larger": (lambda x, y: te.if_then_else(x >= y, x, y), te.min_value),
    "union": (lambda x, y: x + y - x * y, zeros),
}


@pytest.mark.parametrize(
    "dtype", [FLOAT, INTEGER, "float64", "float16", "bfloat16", "int8", "uint8", "int64", "uint64"]
)
@pytest.mark.parametrize("name", VALID)
def test_valid_functions_are_accepted_in_every_type(name: str, dtype: str) -> None:
    reduced(te.comm_reducer(*VALID[name]), dtype)


@pytest.mark.parametrize("value", [FLOAT, INTEGER, "uint8", "float16", "bfloat16"])
@pytest.mark.parametrize(
    "is_first", [lambda x, y: x[1] >= y[1], lambda x, y: x[1] > y[1], in_order]
)
def test_equal_maxima_may_have_either_place(is_first: Any, value: str) -> None:
    reduced(te.comm_reducer(choosing(is_first), lowest), INTEGER, value)


def test_functions_of_tuples_are_taken() -> None:
    softmax = te.comm_reducer(rescaled, lambda most, total: (te.min_value(most), 0))
    reduced(softmax, FLOAT, FLOAT)
    reduced(te.comm_reducer(moments, zeros), FLOAT, FLOAT, FLOAT)
    reduced(te.comm_reducer(complex_product, lambda real, imaginary: (1, 0)), FLOAT, FLOAT)
    reduced(te.comm_reducer(lambda x, y: x & y, lambda t: True), "bool")


@pytest.mark.parametrize("title", CASES)
def test_what_fails_is_said_with_numbers(title: str) -> None:
    said = message(*CASES[title])
    assert f"# {title}\n{said}\n" in SNAPSHOT.read_text()


def test_the_snapshot_has_every_case() -> None:
    assert SNAPSHOT.read_text() == messages()


def test_samples_are_where_the_laws_shall_hold() -> None:
    length = te.comm_reducer(norm, zeros, samples=(0, 1, 2.5, 40))
    x = np.abs(np.random.default_rng(3).standard_normal((4, 8), np.float32))
    got = tilewright.build(reduced(length, FLOAT))(x)
    np.testing.assert_allclose(got, np.linalg.norm(x, axis=1), rtol=1e-5)
    assert "its identity 0 is not neutral" in message(norm, zeros, (FLOAT,), (-1, 0, 1))
    counted = te.comm_reducer(moments, zeros, samples=((1, 2, 3), (-1, 0.5), (0, 1, 4)))
    reduced(counted, FLOAT, FLOAT, FLOAT)


@pytest.mark.parametrize(
    ("dtypes", "samples", "expected"),
    [
        ((FLOAT,), ("a", "b"), "expected: numbers\n    got: ('a', 'b')"),
        ((FLOAT,), (), "expected: numbers\n    got: ()"),
        ((FLOAT,), ((1, 2), (3, 4)), "expected: numbers\n    got: ((1, 2), (3, 4))"),
        (("uint8",), (-1,), "expected: numbers\n    got: (-1,)"),
        ((FLOAT, FLOAT), (1, 2, 3), "expected: 2 lists of numbers\n    got: (1, 2, 3)"),
        ((FLOAT, FLOAT), 3, "expected: 2 lists of numbers\n    got: 3"),
        ((FLOAT, FLOAT), (1, 2), "expected: 2 lists of numbers\n    got: (1, 2)"),
    ],
)
def test_samples_are_numbers(dtypes: tuple[str, ...], samples: Any, expected: str) -> None:
    said = message(lambda x, y: x, zeros, dtypes, samples)
    assert f"f: samples are numbers that its values can be\n    {expected}" in said
