"""References are replaced by values, with the results of cells that change."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright.interp.program import interpret
from tilewright.support.diagnostics import TypeMismatch, UnsupportedOp
from tilewright.testing.pass_case import check_pass, parsed, run_passes

from ...gradient.differences import assert_gradients

HEAD = """
func.func @count(%r: R, %n: N, %x: T) -> T
    attributes {tw.most_calls = 4 : i64, tw.total_calls = 7 : i64} {
  %one = graph.constant <[1] : N> : N
  %end = graph.lt %n, %one : N
  %old = graph.read %r : R -> T
  %new = graph.add %old, %x : T
  graph.write %new, %r : T, R
  %y = graph.if %end {
    graph.yield %old : T
  } else {
    %m = graph.sub %n, %one : N
    %a = graph.call @count(%r, %m, %new) : (R, N, T) -> T
    %s = graph.sin %a : T
    %b = graph.call @count(%r, %m, %s) : (R, N, T) -> T
    %c = graph.mul %a, %b : T
    graph.yield %c : T
  } : tensor<i1> -> T
  func.return %y : T
}
func.func @square(%r: R) -> () {
  %v = graph.read %r : R -> T
  %w = graph.mul %v, %v : T
  graph.write %w, %r : T, R
  func.return
}"""

PROGRAM = """
func.func @main(%n: N, %x: T, %xs: tensor<3xf64>) -> (T, T, tensor<3xf64>) {
  %r = graph.ref %x : T -> R
  %q = graph.ref %x : T -> R
  %f = graph.closure @square(%q) : (R) -> (() -> ())
  %one = graph.constant <[1] : N> : N
  %small = graph.lt %n, %one : N
  graph.if %small {
    %t = graph.exp %x : T
    graph.write %t, %r : T, R
    graph.apply %f() : () -> ()
    graph.yield
  } else {
    graph.yield
  } : tensor<i1> ->
  %k = graph.constant <[2] : N> : N
  %z = graph.loop to %k : N (%i) carry(%a = %x : T) {
    %v = graph.read %r : R -> T
    %w = graph.sin %v : T
    graph.write %w, %r : T, R
    %own = graph.ref %w : T -> R
    graph.call @square(%own) : (R) -> ()
    %u = graph.read %own : R -> T
    %b = graph.add %a, %u : T
    graph.yield %b : T
  }
  %h, %ys = graph.scan <3> carry(%a = %z : T) over(%e = %xs : tensor<3xf64>) {
    %v = graph.read %q : R -> T
    %w = graph.mul %v, %e : T
    graph.write %w, %q : T, R
    %b = graph.add %a, %w : T
    graph.yield %b, %v : T, T
  }
  %y = graph.call @count(%r, %n, %h) : (R, N, T) -> T
  %last = graph.read %r : R -> T
  func.return %y, %last, %ys : T, T, tensor<3xf64>
}"""


def _full(text: str) -> str:
    """Return a program in which R, N and T stand for types."""
    types = {"R": "!graph.ref<tensor<f64>>", "N": "tensor<i64>", "T": "tensor<f64>"}
    return re.sub(r"(?<![\w%@.])([RNT])\b", lambda found: types[found[1]], text)


class _Cell:
    def __init__(self, value: Any) -> None:
        self.value = value


def _count(r: _Cell, n: int, x: Any) -> Any:
    old = r.value
    r.value = new = old + x
    if n < 1:
        return old
    a = _count(r, n - 1, new)
    return a * _count(r, n - 1, np.sin(a))


def _expected(n: Any, x: Any, xs: Any) -> tuple[Any, Any, Any]:
    r, q, z, ys = _Cell(x), _Cell(x), x, []
    if n < 1:
        r.value, q.value = np.exp(x), q.value * q.value
    for _ in range(2):
        r.value = np.sin(r.value)
        z = z + r.value * r.value
    for e in xs:
        ys.append(q.value)
        q.value = q.value * e
        z = z + q.value
    return _count(r, int(n), z), r.value, np.array(ys)


TEXT = _full(HEAD + PROGRAM)


@pytest.mark.parametrize("n", [0, 2])
def test_results_and_gradients(n: int) -> None:
    given = [np.asarray(n), np.asarray(0.3), np.array([0.5, 1.5, 0.25])]
    expected = _expected(*given)
    after = check_pass(TEXT, "graph-remove-functions", inputs=given)
    for level in (parsed(TEXT), after):
        for got, wanted in zip(interpret(level, given), expected, strict=True):
            np.testing.assert_allclose(got, wanted, rtol=1e-14)
    made = interpret(run_passes(parsed(TEXT), "graph-gradient{wrt=1,2}"), given)[-2:]
    function = lambda *args: _expected(*args)[0]  # noqa: E731
    assert_gradients(function, given, [None, *made], np.ones(()), tolerance=1e-7)


def test_machine_code() -> None:
    given = [np.asarray(2), np.asarray(0.3), np.array([0.5, 1.5, 0.25])]
    results = tilewright.compile_module(TEXT)(*given)
    for got, wanted in zip(results, _expected(*given), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-13)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            """%c = graph.lt %x, %x : T
  %s = graph.if %c {
    graph.yield %r : R
  } else {
    graph.yield %r : R
  } : tensor<i1> -> R
  %y = graph.read %s : R -> T""",
            "graph.yield takes a reference",
        ),
        ("%y = graph.call @both(%r, %r) : (R, R) -> T", "passes one reference twice"),
    ],
)
def test_references_that_escape_are_refused(body: str, message: str) -> None:
    both = """
func.func @both(%a: R, %b: R) -> T attributes {tw.most_calls = 4 : i64} {
  %y = graph.call @both(%b, %a) : (R, R) -> T
  %z = graph.exp %y : T
  func.return %z : T
}
func.func @main(%x: T) -> T {
  %r = graph.ref %x : T -> R
"""
    text = _full(f"{both}  {body}\n  func.return %y : T\n}}")
    with pytest.raises(UnsupportedOp, match=message):
        run_passes(parsed(text), "graph-remove-functions")


def test_main_takes_no_reference() -> None:
    text = "func.func @main(%r: R) -> T {\n  %y = graph.read %r : R -> T\n  func.return %y : T\n}"
    with pytest.raises(UnsupportedOp, match="called from outside takes a reference"):
        run_passes(parsed(_full(text)), "graph-remove-functions")


def test_a_reference_keeps_its_type() -> None:
    text = """func.func @main(%x: T, %z: tensor<2xf64>) -> T {
  %r = graph.ref %x : T -> R
  graph.write %z, %r : tensor<2xf64>, R
  func.return %x : T
}"""
    with pytest.raises(TypeMismatch, match="a reference keeps its type"):
        parsed(_full(text))
