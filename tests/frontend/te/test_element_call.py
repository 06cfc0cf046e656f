"""te.call_packed in te.compute: a function of the process for each element, for debugging."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright import te
from tilewright.support.diagnostics import TypeMismatch


@pytest.fixture
def seen() -> Iterator[list[Any]]:
    calls: list[Any] = []

    def show(*values: Any) -> float:
        calls.append(values)
        return 2 * values[0]

    tilewright.register_func("tests.element.show", show, override=True)
    yield calls
    tilewright.remove_global_func("tests.element.show")


@pytest.mark.parametrize("target", [None, "interpreter"])
def test_a_function_sees_each_element_in_order(seen: list[Any], target: str | None) -> None:
    a = te.placeholder((2, 3), name="A")
    b = te.compute(
        (2, 3), lambda i, j: te.call_packed("tests.element.show", a[i, j] + 1, j, "x"), name="B"
    )
    c = te.compute((2, 3), lambda i, j: b[i, j] - 1, name="C")
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    mod = tilewright.build([a, c], target=target)
    np.testing.assert_array_equal(mod(x), 2 * (x + 1) - 1)
    assert seen == [(float(x[i, j] + 1), j, "x") for i in range(2) for j in range(3)]


def test_sizes_may_be_symbolic_and_results_of_another_type(seen: list[Any]) -> None:
    n = te.var("n")
    a = te.placeholder((n,), name="A")
    b = te.compute(
        (n,), lambda i: te.call_packed("tests.element.show", i, a[i], dtype="int64"), name="B"
    )
    mod = tilewright.build([a, b])
    for rows in (1, 4):
        got = np.asarray(mod(np.ones(rows, np.float32)))
        assert got.dtype == np.int64
        np.testing.assert_array_equal(got, 2 * np.arange(rows))


def test_an_exception_of_the_function_is_that_of_the_call() -> None:
    def fail(value: float) -> None:
        raise ValueError(f"saw {value}")

    tilewright.register_func("tests.element.fail", fail, override=True)
    a = te.placeholder((3,), name="A")
    b = te.compute((3,), lambda i: te.call_packed("tests.element.fail", a[i]), name="B")
    with pytest.raises(ValueError, match=r"saw 1\.0"):
        tilewright.build([a, b])(np.ones(3, np.float32))
    tilewright.remove_global_func("tests.element.fail")


def test_a_function_that_is_not_there_is_named() -> None:
    a = te.placeholder((3,), name="A")
    b = te.compute((3,), lambda i: te.call_packed("tests.element.none", a[i]), name="B")
    with pytest.raises(KeyError, match=r"no global function 'tests\.element\.none'"):
        tilewright.build([a, b])(np.ones(3, np.float32))


def test_calls_without_elements_and_elements_of_whole_tensors_are_refused() -> None:
    a = te.placeholder((3,), name="A")
    with pytest.raises(TypeMismatch, match="no element of the compute"):
        te.compute((3,), lambda i: te.call_packed("tests.element.show", 2), name="B")
    with pytest.raises(TypeMismatch, match="cannot be passed"):
        te.call_packed("tests.element.show", object())  # pyright: ignore[reportArgumentType]
    i = te.reduce_axis((0, 3), name="k")
    with pytest.raises(TypeMismatch, match=r"a te\.extern passes whole tensors"):
        te.extern((3,), [a], lambda ins, outs: te.call_packed("f", i, outs[0]), name="E")
