"""Programs with functions: closures, recursion, choices; their results in numpy."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

TENSOR = "tensor<4xf64>"
SCALAR = "tensor<i64>"
FUNCTION = f"({TENSOR}) -> {TENSOR}"

FUNCTIONS = """
func.func @scale(%k: T, %x: T) -> T {
  %y = graph.mul %k, %x : T
  func.return %y : T
}
func.func @shift(%d: T, %x: T) -> T {
  %y = graph.add %d, %x : T
  func.return %y : T
}
func.func @twice(%f: F, %x: T) -> T {
  %a = graph.apply %f(%x) : F
  %b = graph.apply %f(%a) : F
  func.return %b : T
}
func.func @sine(%x: T) -> T {
  %y = graph.sin %x : T
  func.return %y : T
}
"""

LET = """
func.func @main(%x: T, %y: T) -> (T, T) {
  %q, %r = graph.call @parts(%x, %y) : (T, T) -> (T, T)
  %s = graph.mul %q, %r : T
  func.return %s, %q : T, T
}
func.func @parts(%x: T, %y: T) -> (T, T) {
  %q = graph.div %x, %y : T
  %e = graph.exp %q : T
  func.return %q, %e : T, T
}"""

CLOSURES = """
func.func @main(%k: T, %x: T) -> T {
  %f = graph.closure @scale(%k) : (T) -> (F)
  %g = graph.closure @twice(%f) : (F) -> (F)
  %h = graph.call @compose(%g, %f) : (F, F) -> (F)
  %y = graph.apply %h(%x) : F
  func.return %y : T
}
func.func @compose(%f: F, %g: F) -> (F) {
  %h = graph.closure @both(%f, %g) : (F, F) -> (F)
  func.return %h : F
}
func.func @both(%f: F, %g: F, %x: T) -> T {
  %a = graph.apply %f(%x) : F
  %s = graph.sin %a : T
  %b = graph.apply %g(%s) : F
  func.return %b : T
}"""

CHOICE = """
func.func @main(%n: N, %k: T, %x: T) -> T {
  %one = graph.constant <[1] : N> : N
  %c = graph.lt %n, %one : N
  %d = graph.lt %one, %n : N
  %f = graph.if %c {
    %a = graph.exp %k : T
    %g = graph.closure @scale(%a) : (T) -> (F)
    graph.yield %g : F
  } else {
    %h = graph.if %d {
      %g = graph.closure @shift(%k) : (T) -> (F)
      graph.yield %g : F
    } else {
      %g = graph.closure @sine() : () -> (F)
      graph.yield %g : F
    } : tensor<i1> -> F
    graph.yield %h : F
  } : tensor<i1> -> F
  %y = graph.call @twice(%f, %x) : (F, T) -> T
  func.return %y : T
}"""

NESTED = """
func.func @main(%c: tensor<i1>, %k: T, %x: T) -> T {
  %f = graph.closure @scale(%k) : (T) -> (F)
  %y = graph.call @pick(%c, %f, %x) : (tensor<i1>, F, T) -> T
  func.return %y : T
}
func.func @pick(%c: tensor<i1>, %f: F, %x: T) -> T {
  %g = graph.if %c {
    %t = graph.closure @twice(%f) : (F) -> (F)
    graph.yield %t : F
  } else {
    %s = graph.closure @sine() : () -> (F)
    graph.yield %s : F
  } : tensor<i1> -> F
  %y = graph.apply %g(%x) : F
  func.return %y : T
}"""

TAIL = """
func.func @main(%n: N, %k: T, %x: T) -> T {
  %f = graph.closure @scale(%k) : (T) -> (F)
  %y = graph.call @repeat(%f, %n, %x) : (F, N, T) -> T
  func.return %y : T
}
func.func @repeat(%f: F, %n: N, %x: T) -> T attributes {tw.most_calls = 8 : i64} {
  %zero = graph.constant <[0] : N> : N
  %one = graph.constant <[1] : N> : N
  %more = graph.lt %zero, %n : N
  %r = graph.if %more {
    %m = graph.sub %n, %one : N
    %y = graph.apply %f(%x) : F
    %s = graph.sin %y : T
    %u = graph.call @repeat(%f, %m, %s) : (F, N, T) -> T
    graph.yield %u : T
  } else {
    graph.yield %x : T
  } : tensor<i1> -> T
  func.return %r : T
}"""

MUTUAL = """
func.func @main(%n: N, %k: T, %x: T) -> T {
  %y = graph.call @even(%n, %k, %x) : (N, T, T) -> T
  func.return %y : T
}
func.func @even(%n: N, %k: T, %x: T) -> T attributes {tw.most_calls = 8 : i64} {
  %zero = graph.constant <[0] : N> : N
  %one = graph.constant <[1] : N> : N
  %more = graph.lt %zero, %n : N
  %r = graph.if %more {
    %m = graph.sub %n, %one : N
    %y = graph.mul %k, %x : T
    %u = graph.call @odd(%m, %k, %y) : (N, T, T) -> T
    graph.yield %u : T
  } else {
    graph.yield %x : T
  } : tensor<i1> -> T
  func.return %r : T
}
func.func @odd(%n: N, %k: T, %x: T) -> T {
  %zero = graph.constant <[0] : N> : N
  %one = graph.constant <[1] : N> : N
  %more = graph.lt %zero, %n : N
  %r = graph.if %more {
    %m = graph.sub %n, %one : N
    %y = graph.sin %x : T
    %u = graph.call @even(%m, %k, %y) : (N, T, T) -> T
    graph.yield %u : T
  } else {
    %z = graph.exp %x : T
    graph.yield %z : T
  } : tensor<i1> -> T
  func.return %r : T
}"""


def full(text: str) -> str:
    """Return a program in which T, N and F stand for types."""
    types = {"T": TENSOR, "N": SCALAR, "F": FUNCTION}
    return re.sub(r"(?<![\w%@.])([TNF])\b", lambda found: types[found[1]], FUNCTIONS + text)


@dataclass(frozen=True)
class Program:
    """A program, its arguments, and its first result in numpy.

    wrt: the numbers of the arguments that are differentiated.
    """

    text: str
    arguments: Sequence[Array]
    function: Callable[..., Array]
    wrt: tuple[int, ...]


_RNG = np.random.default_rng(0)
K, X = _RNG.uniform(0.5, 1.5, (2, 4))


def _number(n: int) -> Array:
    return np.asarray(n, np.int64)


def _let(x: Array, y: Array) -> Array:
    return x / y * np.exp(x / y)


def _closures(k: Array, x: Array) -> Array:
    return k * np.sin(k * k * x)


def _choice(n: Array, k: Array, x: Array) -> Array:
    if n < 1:
        return np.exp(k) * np.exp(k) * x
    return k + k + x if n > 1 else np.sin(np.sin(x))


def _nested(c: Array, k: Array, x: Array) -> Array:
    return k * k * x if c else np.sin(x)


def _repeat(n: Array, k: Array, x: Array) -> Array:
    for _ in range(int(n)):
        x = np.sin(k * x)
    return x


def _mutual(n: Array, k: Array, x: Array) -> Array:
    for step in range(int(n)):
        x = np.sin(x) if step % 2 else k * x
    return np.exp(x) if n % 2 else x


PROGRAMS = {
    "let": Program(full(LET), [K, X], _let, (0, 1)),
    "closures": Program(full(CLOSURES), [K, X], _closures, (0, 1)),
    **{f"choice {n}": Program(full(CHOICE), [_number(n), K, X], _choice, (1, 2)) for n in range(3)},
    **{
        f"nested {c}": Program(full(NESTED), [np.asarray(c), K, X], _nested, (1, 2))
        for c in (False, True)
    },
    **{f"tail {n}": Program(full(TAIL), [_number(n), K, X], _repeat, (1, 2)) for n in (0, 5)},
    **{f"mutual {n}": Program(full(MUTUAL), [_number(n), K, X], _mutual, (1, 2)) for n in (2, 3)},
}
