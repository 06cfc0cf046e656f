"""Schedules with dependent stages, some of them parallel, become kernels called in order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tilewright
from tilewright import te
from tilewright.driver.passes.check import validate_pipeline
from tilewright.interp import packed
from tilewright.machines.target import Target
from tilewright.testing.pass_case import parsed

Array = np.ndarray[Any, Any]
SMALL, LARGE = (6, 5), (200, 160)
"""Sizes for the interpreter, and sizes with enough work for two threads."""


def uniform(*shape: int) -> Array:
    return np.random.default_rng(len(shape)).uniform(-1, 1, shape).astype(np.float32)


def check(
    make: Callable[[int, int], te.Schedule], want: Callable[..., Array], *kernels: str
) -> None:
    """Check the kernels of programs for m and n, and their results.

    The interpreter runs the printed program; machine code gives the same bits with one thread and
    with two.
    """
    for size in (SMALL, LARGE):
        mod = tilewright.build(make(*size), cache=False)
        assert [kernel.name for kernel in mod.kernels] == list(kernels)
        inputs = [uniform(*spec.shape) for spec in mod.inputs]
        (one,), (two,) = (mod.run(inputs, threads=threads) for threads in (1, 2))
        np.testing.assert_array_equal(one, two)
        np.testing.assert_allclose(one, want(*inputs), rtol=1e-4, atol=1e-4)
        if size == SMALL:
            program = parsed(str(mod.get_source("packed")))
            (read,) = packed.run(program, *inputs)
            np.testing.assert_allclose(one, read, rtol=1e-5, atol=1e-6)


def parallel(schedule: te.Schedule, *stages: Any) -> te.Schedule:
    for stage in stages:
        schedule[stage].parallel(schedule[stage].op.axis[0])
    return schedule


def mirrored(m: int, n: int) -> tuple[Any, Any]:
    A = te.placeholder((m, n), name="A")
    B = te.compute((m, n), lambda i, j: A[i, j] * 2.0, name="B")
    return B, te.compute((n, m), lambda i, j: B[j, i] + 1.0, name="C")


def mirror(a: Array) -> Array:
    return a.T * 2 + 1


def test_two_parallel_stages() -> None:
    def make(m: int, n: int) -> te.Schedule:
        B, C = mirrored(m, n)
        return parallel(te.create_schedule(C), B, C)

    check(make, mirror, "B_phase0", "B_phase1")


def test_one_parallel_stage() -> None:
    for which in (0, 1):

        def make(m: int, n: int, which: int = which) -> te.Schedule:
            stages = mirrored(m, n)
            return parallel(te.create_schedule(stages[1]), stages[which])

        check(make, mirror, "B_phase0", "B_phase1")


def test_no_parallel_stage_is_one_kernel() -> None:
    def make(m: int, n: int) -> te.Schedule:
        _, C = mirrored(m, n)
        s = te.create_schedule(C)
        s[C].reorder(*reversed(s[C].op.axis))
        return s

    check(make, mirror, "B")


def softmax(m: int, n: int) -> tuple[Any, ...]:
    X = te.placeholder((m, n), name="X")
    k, r = te.reduce_axis((0, n), name="k"), te.reduce_axis((0, n), name="r")
    top = te.compute((m,), lambda i: te.max(X[i, k], axis=k), name="M")
    e = te.compute((m, n), lambda i, j: te.exp(X[i, j] - top[i]), name="E")
    total = te.compute((m,), lambda i: te.sum(e[i, r], axis=r), name="S")
    return top, e, total, te.compute((m, n), lambda i, j: e[i, j] / total[i], name="O")


def softmax_of(x: Array) -> Array:
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def test_softmax_of_parallel_stages() -> None:
    def make(m: int, n: int) -> te.Schedule:
        stages = softmax(m, n)
        return parallel(te.create_schedule(stages[-1]), *stages)

    check(make, softmax_of, *(f"M_phase{number}" for number in range(4)))


def test_serial_stages_stay_together_where_none_is_parallel() -> None:
    def make(m: int, n: int) -> te.Schedule:
        stages = softmax(m, n)
        return parallel(te.create_schedule(stages[-1]), stages[-1])

    check(make, softmax_of, "M_phase0", "M_phase1")


def test_stages_inside_a_parallel_loop_stay_in_it() -> None:
    def make(m: int, n: int) -> te.Schedule:
        *stages, out = softmax(m, n)
        s = parallel(te.create_schedule(out), out)
        for stage in reversed(stages):
            s[stage].compute_at(s[out], s[out].op.axis[0])
        return s

    check(make, softmax_of, "M")


def test_a_rolling_buffer_inside_a_parallel_loop_stays_in_it() -> None:
    def make(m: int, n: int) -> te.Schedule:
        X = te.placeholder((m + 2, n), name="X")
        T = te.compute((m + 2, n), lambda i, j: X[i, j] * 2.0, name="T")
        B = te.compute((m, n), lambda i, j: T[i, j] + T[i + 2, j], name="B")
        s = te.create_schedule(B)
        outer, inner = s[B].split(s[B].op.axis[0], factor=3)
        s[B].parallel(outer)
        s[T].compute_at(s[B], inner)
        s[T].rolling_buffer()
        return s

    check(make, lambda x: 2 * x[:-2] + 2 * x[2:], "T")


def test_a_total_that_all_rows_are_divided_by() -> None:
    def make(m: int, n: int) -> te.Schedule:
        X = te.placeholder((m, n), name="X")
        a, b = te.reduce_axis((0, m), name="a"), te.reduce_axis((0, n), name="b")
        S = te.compute((1,), lambda i: te.sum(te.abs(X[a, b]), axis=[a, b]), name="S")
        Y = te.compute((m, n), lambda i, j: X[i, j] / S[0], name="Y")
        return parallel(te.create_schedule(Y), Y)

    check(make, lambda x: x / np.abs(x).sum(), "S_phase0", "S_phase1")


def test_an_independent_total_is_a_task_beside_the_rows() -> None:
    X = te.placeholder(LARGE, name="X")
    k = te.reduce_axis((0, LARGE[1]), name="k")
    S = te.compute((1,), lambda i: te.sum(X[0, k], axis=k), name="S")
    Y = te.compute(LARGE, lambda i, j: X[i, j] * 2.0, name="Y")
    mod = tilewright.build(parallel(te.create_schedule([S, Y]), Y), cache=False)
    assert [(k.name, k.tasks) for k in mod.kernels] == [("S", 1 + LARGE[0])]
    x = uniform(*LARGE)
    total, y = mod.run([x], threads=2)
    np.testing.assert_allclose(total, [x[0].sum()], rtol=1e-4)
    np.testing.assert_array_equal(y, x * 2)


def test_a_parallel_reduction_and_its_parallel_consumer() -> None:
    def make(m: int, n: int) -> te.Schedule:
        A, B = te.placeholder((m, 24), name="A"), te.placeholder((24, n), name="B")
        k = te.reduce_axis((0, 24), name="k")
        P = te.compute((m, n), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="P")
        Q = te.compute((n, m), lambda i, j: te.max(P[j, i], 0.0), name="Q")
        s = te.create_schedule(Q)
        outer, _ = s[P].split(s[P].op.axis[0], factor=4)
        s[P].parallel(outer)
        s[P].vectorize(s[P].op.axis[1], 16)
        return parallel(s, Q)

    check(make, lambda a, b: np.maximum(a @ b, 0).T, "P_phase0", "P_phase1")


def window_sum(image: Array) -> Array:
    m, n = image.shape
    padded = np.pad(image, 1)
    return sum(padded[p : p + m, q : q + n] for p in range(3) for q in range(3))


def test_a_border_that_is_filled_apart() -> None:
    def make(m: int, n: int) -> te.Schedule:
        X = te.placeholder((m, n), name="X")
        inside = lambda i, j: te.all(i >= 1, i <= m, j >= 1, j <= n)  # noqa: E731
        T = te.compute(
            (m + 2, n + 2),
            lambda i, j: te.if_then_else(inside(i, j), X[i - 1, j - 1], 0.0),
            name="T",
        )
        y, x = te.reduce_axis((0, 3), name="y"), te.reduce_axis((0, 3), name="x")
        B = te.compute((m, n), lambda i, j: te.sum(T[i + y, j + x], axis=[y, x]), name="B")
        return parallel(te.create_schedule(B), T, B)

    check(make, window_sum, "T_phase0", "T_phase1")


def test_a_recurrence_with_parallel_stages() -> None:
    def make(steps: int, n: int) -> te.Schedule:
        X, W = te.placeholder((steps, n), name="X"), te.placeholder((n, n), name="W")
        state = te.state((steps, n), name="state")
        k = te.reduce_axis((0, n), name="k")
        first = te.compute((1, n), lambda t, i: X[0, i], name="first")
        mixed = te.compute(
            (steps, n),
            lambda t, i: te.sum(state[t - 1, k] * W[k, i] * (1.0 / n), axis=k),
            name="mixed",
        )
        step = te.compute((steps, n), lambda t, i: mixed[t, n - 1 - i] + X[t, i], name="step")
        s = te.create_schedule(te.scan(first, step, state, name="S"))
        return parallel(s, mixed, step)

    def want(x: Array, w: Array) -> Array:
        rows = [x[0]]
        for row in x[1:]:
            rows.append((rows[-1] @ w / len(w))[::-1] + row)
        return np.stack(rows)

    check(make, want, "mixed_phase0", "mixed_phase1", "first", "S")


def test_every_pass_keeps_what_is_computed() -> None:
    top, e, total, out = softmax(*SMALL)
    s = parallel(te.create_schedule(out), top, e, total, out)
    text = str(tilewright.build(s, cache=False).get_source("scheduled"))
    module = parsed(text)
    validate_pipeline(module, Target.native(), [uniform(*SMALL)], start="lower-kernels")
    assert "@M_phase3" in str(module)


def test_any_number_of_rows() -> None:
    n = te.var("n")
    X = te.placeholder((n, 64), name="X")
    k = te.reduce_axis((0, 64), name="k")
    S = te.compute((n,), lambda i: te.sum(X[i, k], axis=k), name="S")
    Y = te.compute((n, 64), lambda i, j: X[i, 63 - j] - S[i], name="Y")
    mod = tilewright.build(parallel(te.create_schedule(Y), S, Y), [X, Y], cache=False)
    kernels = {kernel.name: kernel for kernel in mod.kernels}
    assert [(name, kernel.tasks) for name, kernel in kernels.items()] == [
        ("S_phase0", "n"),
        ("S_phase1", "n"),
    ]
    for rows in (1, 9, 300):
        x = uniform(rows, 64)
        one, two = (mod.run([x], threads=threads)[0] for threads in (1, 2))
        np.testing.assert_array_equal(one, two)
        np.testing.assert_allclose(one, x[:, ::-1] - x.sum(1, keepdims=True), atol=1e-4)


def test_what_is_told_of_the_kernels() -> None:
    B, C = mirrored(*LARGE)
    kernels = tilewright.build(parallel(te.create_schedule(C), B, C), cache=False).kernels
    (m, n), each = LARGE, LARGE[0] * LARGE[1]
    told = [(k.name, k.ops, k.flops, k.tasks, k.calls) for k in kernels]
    assert told == [("B_phase0", ("B",), each, m, 1), ("B_phase1", ("C",), each, n, 1)]
