"""Programs with recursion that is no tail recursion, with their results in numpy."""

from __future__ import annotations

import numpy as np

from .programs import Array, K, Program, X, full

FIBONACCI = """
func.func @main(%n: N, %k: T, %x: T) -> T {
  %y = graph.call @fib(%k, %n, %x) : (T, N, T) -> T
  func.return %y : T
}
func.func @fib(%k: T, %n: N, %x: T) -> T
    attributes {tw.most_calls = 6 : i64, tw.total_calls = 25 : i64} {
  %one = graph.constant <[1] : N> : N
  %two = graph.constant <[2] : N> : N
  %small = graph.lt %n, %two : N
  %r = graph.if %small {
    %z = graph.mul %k, %x : T
    graph.yield %z : T
  } else {
    %m = graph.sub %n, %one : N
    %s = graph.sin %x : T
    %a = graph.call @fib(%k, %m, %s) : (T, N, T) -> T
    %l = graph.sub %n, %two : N
    %b = graph.call @fib(%k, %l, %a) : (T, N, T) -> T
    %c = graph.mul %a, %b : T
    graph.yield %c : T
  } : tensor<i1> -> T
  func.return %r : T
}"""

ACKERMANN = """
func.func @main(%m: N, %n: N) -> N {
  %y = graph.call @ackermann(%m, %n) : (N, N) -> N
  func.return %y : N
}
func.func @ackermann(%m: N, %n: N) -> N attributes {tw.most_calls = 12 : i64} {
  %zero = graph.constant <[0] : N> : N
  %one = graph.constant <[1] : N> : N
  %first = graph.eq %m, %zero : N
  %r = graph.if %first {
    %y = graph.add %n, %one : N
    graph.yield %y : N
  } else {
    %k = graph.sub %m, %one : N
    %last = graph.eq %n, %zero : N
    %inner = graph.if %last {
      graph.yield %one : N
    } else {
      %j = graph.sub %n, %one : N
      %a = graph.call @ackermann(%m, %j) : (N, N) -> N
      graph.yield %a : N
    } : tensor<i1> -> N
    %b = graph.call @ackermann(%k, %inner) : (N, N) -> N
    graph.yield %b : N
  } : tensor<i1> -> N
  func.return %r : N
}"""

# Each function calls itself and the other one; @g has two results.
MUTUAL = """
func.func @main(%n: N, %k: T, %x: T) -> T {
  %y = graph.call @f(%n, %k, %x) : (N, T, T) -> T
  %a, %b = graph.call @g(%x, %n) : (T, N) -> (T, T)
  %c = graph.mul %a, %b : T
  %z = graph.add %y, %c : T
  func.return %z : T
}
func.func @f(%n: N, %k: T, %x: T) -> T
    attributes {tw.most_calls = 8 : i64, tw.total_calls = 60 : i64} {
  %one = graph.constant <[1] : N> : N
  %end = graph.lt %n, %one : N
  %r = graph.if %end {
    graph.yield %x : T
  } else {
    %m = graph.sub %n, %one : N
    %a = graph.call @f(%m, %x, %k) : (N, T, T) -> T
    %b, %c = graph.call @g(%a, %m) : (T, N) -> (T, T)
    %d = graph.mul %b, %k : T
    %e = graph.add %d, %c : T
    graph.yield %e : T
  } : tensor<i1> -> T
  func.return %r : T
}
func.func @g(%x: T, %n: N) -> (T, T) {
  %one = graph.constant <[1] : N> : N
  %end = graph.lt %n, %one : N
  %r, %q = graph.if %end {
    %y = graph.cos %x : T
    graph.yield %x, %y : T, T
  } else {
    %m = graph.sub %n, %one : N
    %s = graph.sin %x : T
    %a = graph.call @f(%m, %s, %x) : (N, T, T) -> T
    %b, %c = graph.call @g(%s, %m) : (T, N) -> (T, T)
    %d = graph.add %a, %c : T
    graph.yield %b, %d : T, T
  } : tensor<i1> -> T, T
  func.return %r, %q : T, T
}"""

# A closure per call: calls in both branches, and more ops after them.
CLOSURE = """
func.func @main(%n: N, %k: T, %x: T) -> T {
  %f = graph.closure @scale(%k) : (T) -> (F)
  %y = graph.call @fold(%f, %n, %x) : (F, N, T) -> T
  func.return %y : T
}
func.func @fold(%f: F, %n: N, %x: T) -> T
    attributes {tw.most_calls = 9 : i64, tw.total_calls = 9 : i64} {
  %one = graph.constant <[1] : N> : N
  %two = graph.constant <[2] : N> : N
  %more = graph.lt %one, %n : N
  %end = graph.lt %n, %one : N
  %m = graph.sub %n, %one : N
  %y = graph.apply %f(%x) : F
  %r = graph.if %more {
    %s = graph.sin %y : T
    %l = graph.sub %n, %two : N
    %u = graph.call @fold(%f, %l, %s) : (F, N, T) -> T
    %v = graph.apply %f(%u) : F
    graph.yield %v : T
  } else {
    %w = graph.if %end {
      graph.yield %x : T
    } else {
      %u = graph.call @fold(%f, %m, %y) : (F, N, T) -> T
      graph.yield %u : T
    } : tensor<i1> -> T
    %e = graph.exp %w : T
    graph.yield %e : T
  } : tensor<i1> -> T
  %z = graph.mul %r, %y : T
  func.return %z : T
}"""

# Each call passes another weight, so the sum is no table.
TREE = """
graph.data @tree {leaf(tensor<4xf64>), node(@tree, @tree)}
func.func @main(%root: N, %w: T, %x: tensor<7x4xf64>) -> T {
  %tags = graph.constant <[0, 0, 0, 0, 1, 1, 1] : tensor<7xi64>> : tensor<7xi64>
  %l = graph.constant <[0, 0, 0, 0, 0, 2, 4] : tensor<7xi64>> : tensor<7xi64>
  %r = graph.constant <[0, 0, 0, 0, 1, 3, 5] : tensor<7xi64>> : tensor<7xi64>
  %t = graph.table @tree(%root, %tags, %x, %l, %r) :
    (N, tensor<7xi64>, tensor<7x4xf64>, tensor<7xi64>, tensor<7xi64>) -> D
  %f = graph.closure @scale(%w) : (T) -> (F)
  %s = graph.call @sum(%f, %t, %w) : (F, D, T) -> T
  func.return %s : T
}
func.func @sum(%f: F, %t: D, %w: T) -> T
    attributes {tw.most_calls = 3 : i64, tw.total_calls = 7 : i64} {
  %s = graph.match %t {
  ^bb0(%x: T):
    %y = graph.mul %x, %w : T
    %z = graph.apply %f(%y) : F
    graph.yield %z : T
  } {
  ^bb0(%l: D, %r: D):
    %v = graph.sin %w : T
    %a = graph.call @sum(%f, %l, %v) : (F, D, T) -> T
    %b = graph.call @sum(%f, %r, %w) : (F, D, T) -> T
    %c = graph.add %a, %b : T
    graph.yield %c : T
  } : D -> T
  func.return %s : T
}""".replace("D", "!graph.data<@tree, 7>")


def _number(n: int) -> Array:
    return np.asarray(n, np.int64)


def _fibonacci(n: Array, k: Array, x: Array) -> Array:
    if n < 2:
        return k * x
    a = _fibonacci(n - 1, k, np.sin(x))
    return a * _fibonacci(n - 2, k, a)


def _ackermann(m: Array, n: Array) -> Array:
    if m == 0:
        return n + 1
    return _ackermann(m - 1, _number(1) if n == 0 else _ackermann(m, n - 1))


def _f(n: Array, k: Array, x: Array) -> Array:
    if n < 1:
        return x
    b, c = _g(_f(n - 1, x, k), n - 1)
    return b * k + c


def _g(x: Array, n: Array) -> tuple[Array, Array]:
    if n < 1:
        return x, np.cos(x)
    a = _f(n - 1, np.sin(x), x)
    b, c = _g(np.sin(x), n - 1)
    return b, a + c


def _mutual(n: Array, k: Array, x: Array) -> Array:
    a, b = _g(x, n)
    return _f(n, k, x) + a * b


def _fold(n: Array, k: Array, x: Array) -> Array:
    if n > 1:
        r = k * _fold(n - 2, k, np.sin(k * x))
    else:
        r = np.exp(x if n < 1 else _fold(n - 1, k, k * x))
    return r * k * x


def _tree(root: Array, w: Array, x: Array) -> Array:
    left, right = (0, 0, 0, 0, 0, 2, 4), (0, 0, 0, 0, 1, 3, 5)

    def summed(node: int, v: Array) -> Array:
        if node < 4:
            return w * x[node] * v
        return summed(left[node], np.sin(v)) + summed(right[node], v)

    return summed(int(root), w)


_LEAVES = np.random.default_rng(1).uniform(0.5, 1.5, (7, 4))

RECURSIONS = {
    **{
        f"fibonacci {n}": Program(full(FIBONACCI), [_number(n), K, X], _fibonacci, (1, 2))
        for n in (0, 6)
    },
    "ackermann": Program(full(ACKERMANN), [_number(2), _number(3)], _ackermann, ()),
    "mutual": Program(full(MUTUAL), [_number(3), K, X], _mutual, (1, 2)),
    "closure": Program(full(CLOSURE), [_number(5), K, X], _fold, (1, 2)),
    "tree": Program(
        full(TREE).replace("D", "!graph.data<@tree, 7>"), [_number(6), K, _LEAVES], _tree, (1, 2)
    ),
}


class RandomRecursion:
    """The text of a random function @f(n, a, b, k) that calls itself, and of a main that calls it.

    Calls stand between other ops and in nested branches; some are tail calls.
    """

    def __init__(self, seed: int) -> None:
        self.rng, self.count, self.calls = np.random.default_rng(seed), 0, 0
        body = "\n".join(self.block(["%a", "%b", "%k"], 0, "func.return"))
        self.text = f"""
func.func @main(%n: tensor<i64>, %a: tensor<f64>, %b: tensor<f64>) -> tensor<f64> {{
  %y = graph.call @f(%n, %a, %b, %b) : {_F_TYPE}
  func.return %y : tensor<f64>
}}
func.func @f(%n: tensor<i64>, %a: tensor<f64>, %b: tensor<f64>, %k: tensor<f64>) -> tensor<f64>
    attributes {{tw.most_calls = 5 : i64, tw.total_calls = 90 : i64}} {{
  %one = graph.constant <[1] : tensor<i64>> : tensor<i64>
  %half = graph.constant <[0.5] : tensor<f64>> : tensor<f64>
  %m = graph.sub %n, %one : tensor<i64>
  %end = graph.lt %n, %one : tensor<i64>
  %result = graph.if %end {{
    %base = graph.mul %a, %b : tensor<f64>
    graph.yield %base : tensor<f64>
  }} else {{
{body.replace("func.return", "graph.yield")}
  }} : tensor<i1> -> tensor<f64>
  func.return %result : tensor<f64>
}}"""

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def block(self, values: list[str], depth: int, end: str) -> list[str]:
        """Return the lines of a block with random statements, and its terminator."""
        values, lines = list(values), list[str]()
        for _ in range(self.rng.integers(1, 4)):
            made, new = self.statement(values, depth)
            lines += made
            values.append(new)
        return [*lines, f"{end} {values[-1]} : tensor<f64>"]

    def statement(self, values: list[str], depth: int) -> tuple[list[str], str]:
        kind, new = self.rng.integers(0, 6), self.name()
        x, y = (self.rng.choice(values[-3:]) for _ in range(2))
        if kind < 2 and self.calls < 4:
            self.calls += 1
            k = "%k" if self.calls % 2 else y
            return [f"{new} = graph.call @f(%m, {x}, {y}, {k}) : {_F_TYPE}"], new
        if kind < 5 and depth < 3:
            then = self.block(values, depth + 1, "graph.yield")
            other = self.block(values, depth + 1, "graph.yield")
            test = f"{new}c"
            head = [f"{test} = graph.lt {x}, {y} : tensor<f64>", f"{new} = graph.if {test} {{"]
            tail = ["} : tensor<i1> -> tensor<f64>"]
            return [*head, *then, "} else {", *other, *tail], new
        one, other = self.name(), self.name()
        lines = [f"{one} = graph.add {x}, {y} : tensor<f64>"]
        lines += [f"{other} = graph.mul {one}, %half : tensor<f64>"]
        return [*lines, f"{new} = graph.sin {other} : tensor<f64>"], new


_F_TYPE = "(tensor<i64>, tensor<f64>, tensor<f64>, tensor<f64>) -> tensor<f64>"
