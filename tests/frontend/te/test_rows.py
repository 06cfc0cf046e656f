"""te.var: one module for every number of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright import ops, te
from tilewright.frontend.te.program import make_program, signature_of
from tilewright.interp import te as interpreter
from tilewright.runtime.errors import ArgumentError
from tilewright.schedule.schedule import create_schedule
from tilewright.testing.pass_case import parsed

RNG = np.random.default_rng(5)
Array = np.ndarray[Any, Any]
SIZES = (1, 5, 8, 9, 63, 64, 100, 257, 2055)
TARGETS = (None, "llvm -mcpu=x86-64-v3")


def uniform(*shape: int) -> Array:
    return RNG.uniform(-1, 1, shape).astype(np.float32)


@pytest.mark.parametrize("target", TARGETS)
def test_vectors_of_any_length(target: str | None) -> None:
    n = te.var("n")
    A, B = te.placeholder((n,), name="A"), te.placeholder(n, name="B")
    C = te.compute((n,), lambda i: A[i] + B[i] * 2.0, name="C")
    mod = tilewright.build([C], [A, B, C], name="axpy", target=target)
    assert str(mod) == "<Module axpy(A: float32[n], B: float32[n]) -> (C: float32[n])>"
    for size in (*SIZES, 70_001):
        a, b, c = uniform(size), uniform(size), np.full(size, 7, np.float32)
        mod(a, b, c)
        np.testing.assert_array_equal(c, a + b * 2)
        np.testing.assert_array_equal(mod(a, b), c)
        c[:] = 7
        mod["axpy"](a, b, c)
        np.testing.assert_array_equal(c, a + b * 2)


def test_a_product_with_any_number_of_rows() -> None:
    m = te.var("m")
    A, W = te.placeholder((m, 48), name="A"), te.placeholder((48, 40), name="W")
    bias = te.placeholder((40,), name="bias")
    k = te.reduce_axis((0, 48), name="k")
    C = te.compute(
        (m, 40), lambda i, j: te.max(te.sum(A[i, k] * W[k, j], axis=k) + bias[j], 0.0), name="C"
    )
    mod = tilewright.build([A, W, bias, C])
    (kernel,) = mod.kernels
    assert "m" in str(kernel.tasks), "threads share chunks of rows"
    w, z = uniform(48, 40), uniform(40)
    for size in SIZES:
        a = uniform(size, 48)
        expected = np.maximum(a @ w + z, 0)
        one, two = (mod.run([a, w, z], threads=threads)[0] for threads in (1, 2))
        np.testing.assert_allclose(one, expected, atol=1e-5)
        np.testing.assert_array_equal(one, two)


def test_short_rows_are_shared_in_chunks() -> None:
    n = te.var("n")
    X = te.placeholder((n, 32), name="X")
    mod = tilewright.build([X, ops.softmax(X, axis=1)], target="llvm -mcpu=x86-64-v3")
    (kernel,) = mod.kernels
    assert str(kernel.tasks) == "floordiv(n + 63, 64)"
    for size in (1, 63, 64, 65, 5000):
        x = uniform(size, 32)
        one, two = (mod.run([x], threads=threads)[0] for threads in (1, 2))
        np.testing.assert_array_equal(one, two)
        e = np.exp(x - x.max(1, keepdims=True))
        np.testing.assert_allclose(one, e / e.sum(1, keepdims=True), rtol=1e-5)


def test_operators_that_work_row_by_row() -> None:
    n = te.var("n")
    X, W = te.placeholder((n, 32), name="X"), te.placeholder((16, 32), name="W")
    hidden = ops.gelu(ops.dense(ops.layer_norm(X), W))
    best = ops.argmax(hidden, axis=1)
    out = ops.softmax(hidden, axis=1, name="out")
    mod = tilewright.build([X, W, best, out])
    fixed_X = te.placeholder((100, 32), name="X")
    fixed_hidden = ops.gelu(ops.dense(ops.layer_norm(fixed_X), W))
    fixed = tilewright.build(
        [fixed_X, W, ops.argmax(fixed_hidden, axis=1), ops.softmax(fixed_hidden, axis=1)]
    )
    w = uniform(16, 32)
    for size in (1, 9, 100):
        x = np.zeros((100, 32), np.float32)
        x[:size] = uniform(size, 32)
        for got, expected in zip(mod(x[:size], w), fixed(x, w), strict=True):
            np.testing.assert_allclose(got, np.asarray(expected)[:size], atol=1e-6)


@pytest.mark.parametrize("rows", [1000, te.var("n")])
def test_a_schedule_of_rows(rows: Any) -> None:
    A, B = te.placeholder((rows,), name="A"), te.placeholder((rows,), name="B")
    C = te.compute((rows,), lambda i: A[i] + B[i], name="C")
    s = create_schedule(C.op)
    outer, inner = s[C].split(C.op.axis[0], factor=64)
    s[C].parallel(outer)
    s[C].vectorize(inner)
    mod = tilewright.build(s, [A, B, C], name="vecadd")
    assert "loop.for parallel" in mod.get_source("scheduled")
    for size in SIZES if isinstance(rows, te.Var) else (rows,):
        a, b, c = uniform(size), uniform(size), np.empty(size, np.float32)
        mod["vecadd"](a, b, c)
        np.testing.assert_array_equal(c, a + b)
        np.testing.assert_array_equal(mod(a, b), c)


def test_a_schedule_of_a_product_with_any_number_of_rows() -> None:
    m = te.var("m")
    A, B = te.placeholder((m, 40), name="A"), te.placeholder((40, 48), name="B")
    k = te.reduce_axis((0, 40), name="k")
    C = te.compute((m, 48), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")
    s = create_schedule(C.op)
    i, j = C.op.axis
    io, ii = s[C].split(i, factor=6)
    jo, ji = s[C].split(j, factor=32)
    s[C].reorder(io, jo, k, ii, ji)
    s[C].unroll(ii)
    s[C].vectorize(ji)
    s[C].parallel(io)
    mod = tilewright.build(s, [A, B, C])
    b = uniform(40, 48)
    for size in (1, 7, 65, 600):
        a = uniform(size, 40)
        np.testing.assert_allclose(mod(a, b), a @ b, atol=1e-5)


def test_the_program_of_any_number_of_rows_can_be_read_and_run() -> None:
    n = te.var("n")
    A = te.placeholder((n, 6), name="A")
    C = te.compute((n, 6), lambda i, j: A[i, 5 - j] * 3.0, name="C")
    module = make_program(signature_of([C], None), "main")
    assert "[i: n_from_0, j: 6]" in str(parsed(str(module)))
    for rows in (1, 7):
        a = uniform(rows, 6)
        (got,) = interpreter.run(module, a)
        np.testing.assert_array_equal(got, a[:, ::-1] * 3)


def test_a_call_says_which_rows_do_not_agree() -> None:
    n = te.var("n")
    A, B = te.placeholder((n, 4), name="A"), te.placeholder((n,), name="B")
    C = te.compute((n, 4), lambda i, j: A[i, j] * B[i], name="C")
    mod = tilewright.build([A, B, C])
    a, b, c = uniform(6, 4), uniform(5), uniform(6, 4)
    with pytest.raises(ArgumentError, match=r"argument 1 \(B\) has the wrong shape"):
        mod(a, b)
    with pytest.raises(ArgumentError, match=r"expected: float32\[n\](.|\n)*got: size 5"):
        mod["main"](a, b, c)
    with pytest.raises(ArgumentError, match="shares memory"):
        mod["main"](c, uniform(6), c)
    with pytest.raises(ArgumentError, match="wrong number of arguments"):
        mod()
