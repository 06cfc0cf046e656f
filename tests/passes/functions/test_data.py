"""Algebraic data types: recursion over trees and lists, as Python and differences say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest

import tilewright
from tilewright.analysis.entry import name_dynamic_sizes
from tilewright.interp.graph import EvaluationError
from tilewright.interp.program import interpret
from tilewright.runtime.errors import Error
from tilewright.support.diagnostics import TypeMismatch, UnsupportedOp
from tilewright.testing.pass_case import check_pass, parsed, run_passes

from ...gradient.differences import assert_gradients

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

TREE = """
graph.data @tree {leaf(tensor<3xf64>), node(tensor<f64>, @tree, @tree)}
func.func @weight(%w: tensor<3xf64>, %t: TREE) -> tensor<3xf64> {
  %s = graph.match %t {
  ^bb0(%x: tensor<3xf64>):
    %y = graph.mul %w, %x : tensor<3xf64>
    graph.yield %y : tensor<3xf64>
  } {
  ^bb0(%x: tensor<f64>, %l: TREE, %r: TREE):
    %a = graph.call @weight(%w, %l) : (tensor<3xf64>, TREE) -> tensor<3xf64>
    %b = graph.call @weight(%w, %r) : (tensor<3xf64>, TREE) -> tensor<3xf64>
    %m = graph.mul %a, %b : tensor<3xf64>
    %xs = graph.broadcast %x axes [] : tensor<f64> -> tensor<3xf64>
    %c = graph.add %m, %xs : tensor<3xf64>
    %d = graph.sin %c : tensor<3xf64>
    graph.yield %d : tensor<3xf64>
  } : TREE -> tensor<3xf64>
  func.return %s : tensor<3xf64>
}
func.func @main(%root: tensor<i64>, %tags: INTS, %a: ROWS, %b: FLOATS, %l: INTS, %r: INTS,
    %w: tensor<3xf64>) -> tensor<3xf64> {
  %t = graph.table @tree(%root, %tags, %a, %b, %l, %r)
      : (tensor<i64>, INTS, ROWS, FLOATS, INTS, INTS) -> TREE
  %s = graph.call @weight(%w, %t) : (tensor<3xf64>, TREE) -> tensor<3xf64>
  func.return %s : tensor<3xf64>
}"""

LIST = """
graph.data @list {nil(), cons(tensor<f64>, @list)}
func.func @sum(%t: L3) -> tensor<f64> {
  %s = graph.match %t {
    %z = graph.constant <[0.0] : tensor<f64>> : tensor<f64>
    graph.yield %z : tensor<f64>
  } {
  ^bb0(%x: tensor<f64>, %rest: L3):
    %a = graph.call @sum(%rest) : (L3) -> tensor<f64>
    %y = graph.mul %x, %a : tensor<f64>
    %b = graph.add %x, %y : tensor<f64>
    graph.yield %b : tensor<f64>
  } : L3 -> tensor<f64>
  func.return %s : tensor<f64>
}
func.func @first_above(%t: L3, %least: tensor<f64>) -> tensor<f64>
    attributes {tw.most_calls = 3 : i64} {
  %s = graph.match %t {
    graph.yield %least : tensor<f64>
  } {
  ^bb0(%x: tensor<f64>, %rest: L3):
    %found = graph.lt %least, %x : tensor<f64>
    %y = graph.if %found {
      graph.yield %x : tensor<f64>
    } else {
      %a = graph.call @first_above(%rest, %least) : (L3, tensor<f64>) -> tensor<f64>
      graph.yield %a : tensor<f64>
    } : tensor<i1> -> tensor<f64>
    graph.yield %y : tensor<f64>
  } : L3 -> tensor<f64>
  func.return %s : tensor<f64>
}
func.func @main(%x: tensor<f64>, %y: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
  %nil = graph.construct @list::@nil() : () -> !graph.data<@list, 1>
  %one = graph.construct @list::@cons(%x, %nil)
      : (tensor<f64>, !graph.data<@list, 1>) -> !graph.data<@list, 2>
  %two = graph.construct @list::@cons(%y, %one) : (tensor<f64>, !graph.data<@list, 2>) -> L3
  %s = graph.call @sum(%two) : (L3) -> tensor<f64>
  %least = graph.constant <[1.0] : tensor<f64>> : tensor<f64>
  %f = graph.call @first_above(%two, %least) : (L3, tensor<f64>) -> tensor<f64>
  func.return %s, %f : tensor<f64>, tensor<f64>
}""".replace("L3", "!graph.data<@list, 3>")


def tree(nodes: str, text: str = TREE) -> str:
    """Return the program for a number of nodes, or a name for it."""
    encoded = "" if nodes.isdigit() else f", #te.dims<{nodes}>"
    wide = "" if nodes.isdigit() else f", #te.dims<{nodes}, 3>"
    size = nodes if nodes.isdigit() else "?"
    types = {
        "TREE": f"!graph.data<@tree, {nodes}>",
        "INTS": f"tensor<{size}xi64{encoded}>",
        "ROWS": f"tensor<{size}x3xf64{wide}>",
        "FLOATS": f"tensor<{size}xf64{encoded}>",
    }
    for word, type_ in types.items():
        text = text.replace(word, type_)
    return text


TAGS = np.array([0, 0, 0, 1, 1])
LEFT, RIGHT = np.array([0, 0, 0, 1, 3]), np.array([0, 0, 0, 0, 2])
RNG = np.random.default_rng(0)
LEAVES, NODES, W = (
    RNG.uniform(0.5, 1.5, (5, 3)),
    RNG.uniform(0.5, 1.5, 5),
    np.array([1.0, 0.5, 2.0]),
)
ARGUMENTS = [np.array(4), TAGS, LEAVES, NODES, LEFT, RIGHT, W]


def weight(
    root: Array, tags: Array, a: Array, b: Array, left: Array, right: Array, w: Array
) -> Array:
    """Return the result of the program, by recursion."""
    if tags[root] == 0:
        return w * a[root]
    parts = (weight(child[root], tags, a, b, left, right, w) for child in (left, right))
    return np.sin(np.prod(list(parts), axis=0) + b[root])


@pytest.mark.parametrize("nodes", ["5", "n"])
def test_recursion_over_a_tree(nodes: str) -> None:
    module, expected = parsed(tree(nodes)), weight(*ARGUMENTS)
    name_dynamic_sizes(module)
    np.testing.assert_allclose(interpret(module, ARGUMENTS)[0], expected, rtol=1e-14)
    run = tilewright.compile_module(module)
    np.testing.assert_allclose(run(*ARGUMENTS), expected, rtol=1e-14)
    check_pass(module, "graph-tabulate-recursion", inputs=ARGUMENTS)
    check_pass(module, "graph-remove-functions", inputs=ARGUMENTS)


def test_gradients_of_a_recursion_equal_central_differences() -> None:
    made = run_passes(parsed(tree("5")), "graph-gradient{wrt=2,3,6}")
    _, leaves, nodes, w = interpret(made, ARGUMENTS)
    gradients = [None, None, leaves, nodes, None, None, w]
    assert_gradients(weight, ARGUMENTS, gradients, np.ones(3), tolerance=1e-8)
    _, *compiled = tilewright.compile_module(made)(*ARGUMENTS)
    for got, expected in zip(compiled, (leaves, nodes, w), strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-12)


def test_constructed_lists_are_matched() -> None:
    x, y = np.array(2.0), np.array(0.5)
    expected = y + y * (x + x * 0), x
    np.testing.assert_allclose(interpret(parsed(LIST), [x, y]), expected)
    np.testing.assert_allclose(list(tilewright.compile_module(LIST)(x, y)), expected)
    made = run_passes(parsed(LIST), "graph-gradient{wrt=0,1}")
    np.testing.assert_allclose(interpret(made, [x, y])[2:], (y, 1 + x))


@pytest.mark.parametrize(
    ("number", "wrong"),
    [(0, np.array(5)), (1, np.array([0, 0, 2, 1, 1])), (4, np.array([0, 0, 0, 3, 1]))],
)
def test_a_wrong_table_is_refused(number: int, wrong: Array) -> None:
    arguments = [*ARGUMENTS[:number], wrong, *ARGUMENTS[number + 1 :]]
    with pytest.raises(EvaluationError):
        interpret(parsed(tree("5")), arguments)
    with pytest.raises(Error, match=r"graph\.table"):
        tilewright.compile_module(tree("5"))(*arguments)


def _with_other_argument(text: str) -> str:
    """Let a recursive call pass another value than the function has."""
    return text.replace("@weight(%w, %l)", "@weight(%twice, %l)").replace(
        "    %a = graph.call", "    %twice = graph.add %w, %w : tensor<3xf64>\n    %a = graph.call"
    )


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (_with_other_argument, UnsupportedOp, "calls itself"),
        (lambda text: text.replace("@weight(%w, %t)", "@weigh(%w, %t)"), TypeMismatch, "@weight"),
        (lambda text: text.replace("data @tree", "data @bush"), TypeMismatch, "a field is neither"),
        (lambda text: text.replace("@tree(%root", "@bush(%root"), TypeMismatch, "no data type"),
        (lambda text: text.replace("leaf(tensor<3xf64>), ", ""), TypeMismatch, "the region"),
    ],
)
def test_a_wrong_program_is_refused(
    change: Callable[[str], str], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        run_passes(parsed(change(tree("5"))), "graph-remove-functions")


def test_a_node_that_a_branch_chooses_is_refused() -> None:
    text = """
    graph.data @list {nil(), cons(tensor<f32>, @list)}
    func.func @main(%c: tensor<i1>, %x: tensor<f32>) -> tensor<i64> {
      %n = graph.construct @list::@nil() : () -> !graph.data<@list, 1>
      %m = graph.construct @list::@nil() : () -> !graph.data<@list, 1>
      %t = graph.if %c {
        graph.yield %n : !graph.data<@list, 1>
      } else {
        graph.yield %m : !graph.data<@list, 1>
      } : tensor<i1> -> !graph.data<@list, 1>
      %k = graph.node_number %t : !graph.data<@list, 1> -> tensor<i64>
      func.return %k : tensor<i64>
    }"""
    arguments = [np.array(True), np.array(1, np.float32)]
    assert interpret(parsed(text), arguments)[0] == 0
    with pytest.raises(UnsupportedOp, match="the table of a node"):
        run_passes(parsed(text), "graph-remove-functions")
