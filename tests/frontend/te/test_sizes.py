"""te.var in any place: programs that are compiled once, for all sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.lib.stride_tricks import sliding_window_view

import tilewright
from tilewright import ops, te
from tilewright.runtime.errors import ArgumentError
from tilewright.support.diagnostics import ScheduleError, TilewrightError

from ...sweeps import examples

Array = np.ndarray[Any, Any]
RNG = np.random.default_rng(7)
n, m, k_size = te.var("n"), te.size_var("m"), te.var("l", dtype="int64")


def uniform(*shape: int) -> Array:
    return RNG.uniform(-1, 1, shape).astype(np.float32)


def matches(mod: Any, expected: Callable[..., Any], shapes: Sequence[tuple[int, ...]]) -> None:
    """Compare a call with numpy, on one thread and on two."""
    arrays = [uniform(*shape) for shape in shapes]
    one, two = (mod.run(arrays, threads=threads) for threads in (1, 2))
    wanted = expected(*arrays)
    wanted = wanted if isinstance(wanted, tuple) else (wanted,)
    for got, other, want in zip(one, two, wanted, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-4)
        np.testing.assert_array_equal(got, other)


def vectors(*bodies: tuple[Any, Callable[[te.Tensor, Any], Any]]) -> Any:
    """Build vectors of several sizes from a vector of n elements."""
    A = te.placeholder((n,), name="A")
    made = [
        te.compute((size,), lambda i, body=body: body(A, i), name=f"C{number}")
        for number, (size, body) in enumerate(bodies)
    ]
    return tilewright.build([A, *made])


def product() -> tuple[te.Tensor, te.Tensor, te.Tensor]:
    A, B = te.placeholder((n, k_size), name="A"), te.placeholder((k_size, m), name="B")
    k = te.reduce_axis((0, k_size), name="k")
    return A, B, te.compute((n, m), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")


# ---- programs


def test_a_sum_of_two_matrices_is_called_in_every_way() -> None:
    A, B = te.placeholder((n, m), name="A"), te.placeholder((n, m), name="B")
    C = te.compute(A.shape, lambda i, j: A[i, j] + B[i, j], name="C")
    mod = tilewright.build([A, B, C], name="madd")
    assert {kernel.name.partition("_phase")[0] for kernel in mod.kernels} == {"C"}
    for shape in ((3, 5), (1, 1), (17, 40)):
        a, b, c = uniform(*shape), uniform(*shape), np.full(shape, 7, np.float32)
        np.testing.assert_array_equal(mod(a, b), a + b)
        assert mod(a, b, c) is None
        np.testing.assert_array_equal(c, a + b)
        c[...] = 7
        mod["madd"](a, b, c)
        np.testing.assert_array_equal(c, a + b)
    assert "[i: n_from_0, j: m_from_0]" in mod.get_source("te")


@examples(6)
@given(st.integers(1, 40), st.integers(1, 70), st.integers(1, 20))
def test_a_product_of_any_sizes(rows: int, columns: int, depth: int) -> None:
    matches(PRODUCT, np.matmul, [(rows, depth), (depth, columns)])


PRODUCT = tilewright.build(product())

WITHIN: dict[str, tuple[Any, Callable[[Array], Any]]] = {
    "reversed": (lambda: vectors((n, lambda A, i: A[n - 1 - i])), lambda a: a[::-1]),
    "shifted": (
        lambda: vectors((n, lambda A, i: te.if_then_else(i < n - 1, A[i + 1], 0.0))),
        lambda a: np.append(a[1:], np.zeros(min(1, len(a)), np.float32)),
    ),
    "clamped": (
        lambda: vectors((n, lambda A, i: A[te.min(i + 1, n - 1)] - A[te.max(i - 1, 0)])),
        lambda a: np.append(a[1:], a[-1:]) - np.append(a[:1], a[:-1]),
    ),
    "rolled": (
        lambda: vectors((n, lambda A, i: A[(i + n // 2) % n])),
        lambda a: np.roll(a, -(len(a) // 2)),
    ),
    "sizes": (
        lambda: vectors(
            (n + 1, lambda A, i: te.if_then_else(i > 0, A[i - 1], 0.0)),
            (n // 2, lambda A, i: A[2 * i]),
            (2 * n, lambda A, i: A[i // 2]),
            ((n + 3) // 4, lambda A, i: A[i]),
            (te.max(n - 1, 1), lambda A, i: i * n),
            (n * n, lambda A, i: A[i // n] * A[i % n]),
        ),
        lambda a: (
            np.append(np.float32(0), a),
            a[: len(a) // 2 * 2 : 2],
            np.repeat(a, 2),
            a[: (len(a) + 3) // 4],
            np.arange(max(len(a) - 1, 1)) * len(a),
            np.outer(a, a).reshape(-1),
        ),
    ),
    "numbers": (
        lambda: vectors((n, lambda A, i: A[i] * n + te.const(n, "float32") / (n + 1) - i)),
        lambda a: a * len(a) + len(a) / (len(a) + 1) - np.arange(len(a)),
    ),
    "branches": (
        lambda: vectors((n, lambda A, i: te.if_then_else(n > 5, A[i], A[i] * n + n % 3))),
        lambda a: a if len(a) > 5 else a * len(a) + len(a) % 3,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WITHIN)
def test_a_size_stands_in_expressions(name: str) -> None:
    build, expected = WITHIN[name]
    mod = build()
    for size in (1, 2, 7, 33):
        matches(mod, expected, [(size,)])


def test_rows_are_reduced_and_turned() -> None:
    A, F = te.placeholder((n, m), name="A"), te.placeholder((50,), name="F")
    i, j = te.reduce_axis((0, n), name="i"), te.reduce_axis((m // 2, m), name="j")
    total = te.compute((m,), lambda c: te.sum(A[i, c], axis=i) / n, name="mean")
    half = te.compute((n,), lambda r: te.max(A[r, j] * F[r], axis=j), name="half")
    turned = te.compute((m, n), lambda c, r: A[r, c] + F[n - 1 - r], name="turned")
    first = te.compute((n,), lambda r: te.argmax(A[r, j], axis=j), name="first")
    mod = tilewright.build([A, F, total, half, turned, first])

    def expected(a: Array, f: Array) -> tuple[Array, ...]:
        right, own = a[:, a.shape[1] // 2 :], f[: len(a)]
        last = own[::-1]
        return (
            a.mean(0),
            (right * own[:, None]).max(1),
            a.T + last,
            right.argmax(1),
        )

    for rows, columns in ((1, 1), (3, 8), (50, 33)):
        matches(mod, expected, [(rows, columns), (50,)])


def test_what_is_reduced_over_nothing_is_the_identity() -> None:
    A = te.placeholder((n, m), name="A")
    k = te.reduce_axis((0, m), name="k")
    first = te.comm_reducer(
        lambda x, y: (te.select(x[1] <= y[1], x[0], y[0]), te.select(x[1] <= y[1], x[1], y[1])),
        lambda index, value: (te.const(-1, index), te.max_value(value)),
    )
    least = te.compute((n,), lambda i: first((k.astype("int32"), A[i, k]), axis=k), name="least")
    total = te.compute((n,), lambda i: te.sum(A[i, k], axis=k) + 1.0, name="total")
    mod = tilewright.build([A, *least, total])

    def expected(a: Array) -> tuple[Any, ...]:
        empty = not a.shape[1]
        where = np.full(len(a), -1) if empty else a.argmin(1)
        return where, a.min(1, initial=np.inf), a.sum(1) + 1

    for shape in ((3, 1), (2, 5)):
        matches(mod, expected, [shape])


def test_softmax_and_a_convolution() -> None:
    A, K = te.placeholder((n, m), name="A"), te.placeholder((3, 3), name="K")
    k, q = te.reduce_axis((0, m), name="k"), te.reduce_axis((0, m), name="q")
    largest = te.compute((n,), lambda i: te.max(A[i, k], axis=k), name="largest")
    grown = te.compute((n, m), lambda i, j: te.exp(A[i, j] - largest[i]), name="grown")
    total = te.compute((n,), lambda i: te.sum(grown[i, q], axis=q), name="total")
    softmax = te.compute((n, m), lambda i, j: grown[i, j] / total[i], name="softmax")
    y, x = te.reduce_axis((0, 3), name="y"), te.reduce_axis((0, 3), name="x")
    conv = te.compute(
        (n - 2, m - 2), lambda i, j: te.sum(A[i + y, j + x] * K[y, x], axis=[y, x]), name="conv"
    )
    mod = tilewright.build([A, K, softmax, conv])

    def expected(a: Array, kernel: Array) -> tuple[Array, Array]:
        e = np.exp(a - a.max(1, keepdims=True))
        windows = sliding_window_view(a, (3, 3))
        return e / e.sum(1, keepdims=True), np.einsum("ijyx,yx->ij", windows, kernel)

    for shape in ((3, 3), (4, 19)):
        matches(mod, expected, [shape, (3, 3)])


def test_a_scan_over_any_number_of_steps() -> None:
    X, W = te.placeholder((m, n), name="X"), te.placeholder((n, n), name="W")
    h, c = te.state((m, n), name="h"), te.state((m, n), name="c")
    k = te.reduce_axis((0, n), name="k")
    zeros = [te.compute((1, n), lambda t, i: 0.0, name=f"{name}0") for name in "hc"]
    gate = te.compute(
        (m, n), lambda t, i: te.sum(h[t - 1, k] * W[k, i], axis=k) + X[t, i], name="gate"
    )
    cell = te.compute((m, n), lambda t, i: c[t - 1, i] * 0.5 + te.tanh(gate[t, i]), name="cell")
    out = te.compute((m, n), lambda t, i: te.sigmoid(gate[t, i]) * te.tanh(cell[t, i]), name="out")
    H, C = te.scan(zeros, [out, cell], [h, c], name="S")
    mod = tilewright.build([X, W, H, C])

    def expected(x: Array, w: Array) -> tuple[Array, Array]:
        outs, cells = np.zeros_like(x), np.zeros_like(x)
        for t in range(1, len(x)):
            g = outs[t - 1] @ w + x[t]
            cells[t] = cells[t - 1] * 0.5 + np.tanh(g)
            outs[t] = np.tanh(cells[t]) / (1 + np.exp(-g))
        return outs, cells

    for steps, width in ((6, 5), (1, 3), (2, 1)):
        matches(mod, expected, [(steps, width), (width, width)])


def test_a_running_sum_of_any_shape() -> None:
    X, s = te.placeholder((m, n), name="X"), te.state((m, n), name="s")
    first = te.compute((1, n), lambda t, i: X[0, i], name="first")
    step = te.compute((m, n), lambda t, i: s[t - 1, i] + X[t, i], name="step")
    mod = tilewright.build(te.scan(first, step, s, name="S"))
    for shape in ((5, 3), (1, 2)):
        matches(mod, lambda x: x.cumsum(0), [shape])


def test_a_long_chain_of_computes() -> None:
    A = te.placeholder((n, m), name="A")
    last = A
    for number in range(150):
        last = te.compute((n, m), lambda i, j: last[i, j] + 1.0, name=f"C{number}")  # noqa: B023
    matches(tilewright.build([A, last]), lambda a: a + 150, [(2, 3)])


def test_a_function_from_outside_gets_a_size() -> None:
    @tilewright.register_func("test_te_sizes.scaled")
    def scaled(x: Any, factor: int, out: Any) -> None:
        np.asarray(out)[...] = np.asarray(x) * factor

    A = te.placeholder((n, m), name="A")
    E = te.extern(
        (n, m),
        [A],
        lambda ins, outs: te.call_packed("test_te_sizes.scaled", ins[0], n + 1, outs[0]),
        name="E",
    )
    mod = tilewright.build(te.compute((n,), lambda i: E[i, m - 1], name="last"))
    for shape in ((3, 4), (1, 1)):
        matches(mod, lambda a: a[:, -1] * (len(a) + 1), [shape])
    tilewright.remove_global_func("test_te_sizes.scaled")


def test_operators_of_any_sizes_know_theirs() -> None:
    A, B = te.placeholder((n, m), name="A"), te.placeholder((m, n), name="B")
    soft = ops.softmax(ops.matmul(A, B), axis=-1)
    wide = ops.concat([A, A], axis=1)
    assert str(soft) == "Tensor(softmax: float32[n, n])"
    assert wide.shape == (n, 2 * m)
    flat = ops.flatten(te.placeholder((n, m, k_size)))
    assert flat.shape == (n, m * k_size)
    twice = te.compute(wide.shape, lambda i, j: wide[i, j] * 2.0, name="twice")
    mod = tilewright.build([A, B, soft, ops.mean(soft, axis=0), twice])

    def expected(a: Array, b: Array) -> tuple[Array, ...]:
        e = np.exp(a @ b)
        s = e / e.sum(1, keepdims=True)
        return s, s.mean(0), np.concatenate([a, a], 1) * 2

    for rows, columns in ((1, 1), (5, 3)):
        matches(mod, expected, [(rows, columns), (columns, rows)])


def test_an_operator_may_broadcast_to_a_size() -> None:
    A, x = te.placeholder((n,), name="A"), te.placeholder((), name="x")
    spread = ops.broadcast(x, [te.max(n, 7)], [])
    assert str(spread) == "Tensor(broadcast: float32[max(7, n)])"
    mod = tilewright.build([A, x, te.compute((n,), lambda i: A[i] + spread[i] * n, name="C")])
    for size in (3, 8):
        matches(mod, lambda a, x: a + x * len(a), [(size,), ()])


# ---- schedules


def _tiled(s: te.Schedule, C: te.Tensor) -> None:
    i, j = C.op.axis
    io, jo, ii, ji = s[C].tile(i, j, 6, 32)
    ko, ki = s[C].split(C.op.reduce_axis[0], factor=4)
    s[C].reorder(io, jo, ko, ki, ii, ji)
    s[C].unroll(ii)
    s[C].vectorize(ji)
    s[C].parallel(io)


def _vectors(s: te.Schedule, C: te.Tensor) -> None:
    io, _ = s[C].split(C.op.axis[0], factor=5)
    s[C].parallel(io)
    s[C].vectorize(C.op.axis[1])


def _cached(s: te.Schedule, C: te.Tensor) -> None:
    local = s.cache_write(C)
    _, yo, _, _ = s[C].tile(*C.op.axis, 8, 16)
    local.compute_at(s[C], yo)


def _fused(s: te.Schedule, C: te.Tensor) -> None:
    i, j = C.op.axis
    jo, ji = s[C].split(j, factor=16)
    s[C].reorder(jo, i, ji)
    s[C].parallel(s[C].fuse(i, ji))


@pytest.mark.parametrize("steps", [_tiled, _vectors, _cached, _fused])
def test_a_schedule_holds_for_all_sizes(steps: Callable[[te.Schedule, te.Tensor], None]) -> None:
    A, B, C = product()
    s = te.create_schedule(C.op)
    steps(s, C)
    mod = tilewright.build(s, [A, B, C])
    for rows, columns, depth in ((1, 1, 1), (7, 33, 9), (12, 64, 8), (29, 17, 2)):
        matches(mod, np.matmul, [(rows, depth), (depth, columns)])


def test_steps_after_the_build_are_not_part_of_it() -> None:
    A, B, C = product()
    s = te.create_schedule(C.op)
    s[C].parallel(C.op.axis[0])
    mod = tilewright.build(s, [A, B, C])
    s[C].split(C.op.axis[1], factor=2)
    assert "sched.split" not in mod.get_source("sched")
    assert "sched.parallel_axis" in mod.get_source("sched")


SYMBOLIC_STEPS: dict[str, tuple[Callable[[te.Schedule, te.Tensor], Any], str]] = {
    "parts": (
        lambda s, C: s[C].split(C.op.axis[0], nparts=4),
        """\
sched.split in @C: loop i of @C has a symbolic extent, n
    expected: factor = ..
    got: nparts""",
    ),
    "fused": (
        lambda s, C: s[C].fuse(*C.op.axis),
        """\
sched.fuse in @C: loop j of @C has a symbolic extent, m
    expected: integers as extents of all fused loops but the first""",
    ),
    "unrolled": (
        lambda s, C: s[C].unroll(C.op.reduce_axis[0]),
        """\
sched.unroll in @C: loop k of @C has a symbolic extent, l
    expected: a loop with an integer as extent
    hint: split it by a factor, and unroll the inner loop""",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SYMBOLIC_STEPS)
def test_a_step_that_needs_a_number_says_so(name: str) -> None:
    steps, message = SYMBOLIC_STEPS[name]
    *_, C = product()
    s = te.create_schedule(C.op)
    with pytest.raises(ScheduleError) as caught:
        steps(s, C)
    assert str(caught.value) == message
    assert s.script == "sched.script @C {\n}" or not s.scripts


def test_a_producer_in_a_loop_of_its_consumer() -> None:
    A = te.placeholder((n, m), name="A")
    B = te.compute((n, m), lambda i, j: A[i, j] * 2.0, name="B")
    C = te.compute(
        (n, m),
        lambda i, j: te.if_then_else(te.all(i >= 1, i < n - 1), B[i - 1, j] + B[i + 1, j], B[i, j]),
        name="C",
    )
    s = te.create_schedule(C.op)
    _, outer, _, inner = s[C].tile(*C.op.axis, 8, 16)
    s[B].compute_at(s[C], outer)
    s[C].vectorize(inner)
    mod = tilewright.build(s, [A, C])

    def expected(a: Array) -> Array:
        out = a * 2
        out[1:-1] = a[:-2] * 2 + a[2:] * 2
        return out

    for shape in ((1, 1), (2, 3), (21, 18)):
        matches(mod, expected, [shape])


def test_steps_are_validated_on_small_sizes() -> None:
    *_, C = product()
    s = te.create_schedule(C.op, validate=True)
    _fused(s, C)
    assert "parallel" in str(s)


# ---- outside of a build


def test_a_size_can_be_printed_and_reckoned_with() -> None:
    A = te.placeholder((n, m + 1), name="A")
    C = te.compute((2 * A.shape[0], A.shape[1]), lambda i, j: A[i // 2, j], name="C")
    assert str(C) == "Tensor(C: float32[2 * n, m + 1])"
    assert A.shape == (n, m + 1)
    assert (n + 1 == 1 + n, n * m == m * n, n == m, n == 4) == (True, True, False, False)
    assert n == te.var("n")
    assert [axis.extent for axis in C.op.axis] == [2 * n, m + 1]
    assert repr(te.reduce_axis((n // 2, n), name="k")) == "reduce_axis(k: floordiv(n, 2)..n - 1)"
    k = te.reduce_axis((0, n), name="k")
    back, B = n - 1 - k, te.placeholder((n, m), name="B")
    D = te.compute((m,), lambda j: te.sum(B[k, j] * B[back, 0], axis=k), name="D")
    matches(tilewright.build(D), lambda b: b[::-1, 0] @ b, [(4, 6)])


def test_a_function_keeps_what_it_read_when_it_was_described() -> None:
    made = []
    for factor in (2.0, 3.0):
        A = te.placeholder((n, m), name="A")
        made.append(
            te.compute(
                (m, n),
                lambda i, j: sum(A[j, i] for _ in "12") * factor,  # noqa: B023 - the test is of it
                name="C",
            )
        )
    A = te.placeholder((m,), name="A")
    factor = 5.0
    mods = [tilewright.build(C) for C in made]
    for mod, times in zip(mods, (4, 6), strict=True):
        matches(mod, lambda a, times=times: a.T * times, [(3, 4)])


def test_functions_that_it_calls_and_reducers_are_kept_too() -> None:
    A, k = te.placeholder((n, m), name="A"), te.reduce_axis((0, m), name="k")
    mods: list[Any] = []
    for bound in (0.25, 0.5):

        def halved(x: Any, depth: int) -> Any:
            return halved(x * bound, depth - 1) if depth else x  # noqa: B023

        least = te.comm_reducer(
            lambda x, y: te.minimum(te.minimum(x, y), bound),  # noqa: B023
            lambda dtype: bound,  # noqa: B023
            samples=[-1.0, 0.0, 0.125, 0.25],
        )
        C = te.compute(
            (n,),
            lambda i: least(A[n - 1 - i, k], axis=k) + halved(A[i, 0], 2),  # noqa: B023
            name="C",
        )
        mods.append(tilewright.build([A, C]))
    a = np.full((2, 3), 8, np.float32)
    for mod, bound in zip(mods, (0.25, 0.5), strict=True):
        np.testing.assert_array_equal(mod(a), np.full(2, bound + 8 * bound * bound, np.float32))


def test_a_constant_is_as_it_was_when_it_was_described() -> None:
    A, numbers = te.placeholder((n, m), name="A"), np.ones(2, np.float32)
    W = te.constant(numbers, name="W")
    mod = tilewright.build([A, te.compute((m, n), lambda j, i: A[i, j] * W[1], name="C")])
    numbers[:] = 7
    matches(mod, np.transpose, [(2, 3)])


def test_arguments_of_one_name_are_distinguished() -> None:
    A, B = te.placeholder((n,), name="A"), te.placeholder((m,), name="A")
    C = te.compute((n, m), lambda i, j: A[i] - B[j], name="A")
    mod = tilewright.build([A, B, C])
    assert "main(A: float32[n], A_1: float32[m]) -> (A_2: float32[n, m])" in str(mod)
    matches(mod, np.subtract.outer, [(3,), (2,)])
    x, y = np.ones(2, np.float32), np.zeros(3, np.float32)
    np.testing.assert_array_equal(mod(x, A_1=y), np.ones((2, 3), np.float32))


def test_tensors_of_fixed_sizes_do_not_remember_calls() -> None:
    F, s = te.placeholder((4, 4), name="F"), te.state((m, 4), name="s")
    G = te.compute((4, 4), lambda i, j: F[i, j] * 2.0, name="G")
    first = te.compute((1, 4), lambda t, i: G[0, i], name="first")
    step = te.compute((m, 4), lambda t, i: s[t - 1, i] + G[i, i], name="step")
    mod = tilewright.build([F, te.scan(first, step, s, name="S")])
    users = []
    for steps in (2, 3, 4):
        mod(uniform(4, 4), np.empty((steps, 4), np.float32))
        users.append(len(list(G.value.uses)))
    assert users == users[:1] * 3


def test_threads_may_call_one_module_for_the_first_time() -> None:
    A = te.placeholder((n, m), name="A")
    mod = tilewright.build([A, te.compute((m, n), lambda i, j: A[j, i] + n, name="C")])
    arrays = [uniform(size % 3 + 1, 5) for size in range(12)]
    with ThreadPoolExecutor(4) as pool:
        for array, made in zip(arrays, pool.map(mod, arrays), strict=True):
            np.testing.assert_array_equal(made, array.T + len(array))


# ---- errors


A, B = te.placeholder((n, m), name="A"), te.placeholder((m, n), name="B")


def _shortened() -> Any:
    return tilewright.build([A, te.compute((n - 5,), lambda i: A[i, 0], name="C")])


SQUARE = te.placeholder((n * n + 1, m), name="G")


def _summed() -> Any:
    C = te.compute((n, m), lambda i, j: A[i, j] + B[j, i], name="C")
    return tilewright.build([A, B, C], name="sum")


def _lengthened() -> Any:
    return tilewright.build([A, te.compute((n + 1, m), lambda i, j: A[i, j], name="C")])


def _never_placed() -> Any:
    C = te.compute((n, m), lambda i, j: A[i, j] * 2.0, name="C")
    D = te.compute((n, m), lambda i, j: C[i, j] + 1.0, name="D")
    s = te.create_schedule(D.op)
    s.cache_write(D)
    s[C].compute_at(s[D], D.op.axis[1])
    return tilewright.build(s, [A, D])


NEVER_PLACED = """\
sched.compute_at in @C: nothing in loop j of @D reads @C
    expected: one of i, j of @D_local"""


def _numbered() -> Any:
    return tilewright.build(te.compute((n,), lambda i: i + n, name="C"))


@pytest.mark.parametrize(
    ("run", "message"),
    [
        (
            lambda: _summed()(uniform(3, 4), uniform(4, 5)),
            """\
sum: argument 1 (B) has the wrong shape
    expected: float32[m, n], dimension 1: n, where n = 3 (dimension 0 of A)
    got: size 5 in dimension 1
    signature: sum(A: float32[n, m], B: float32[m, n]) -> (C: float32[n, m])""",
        ),
        (
            lambda: _summed()["sum"](uniform(3, 4), uniform(4, 3)),
            """\
sum: wrong number of arguments
    expected: 3 (2 inputs, 1 outputs)
    got: 2
    signature: sum(A: float32[n, m], B: float32[m, n]) -> (C: float32[n, m])""",
        ),
        (
            lambda: _summed()["other"],
            "module sum has no function 'other'; it has default, main, sum",
        ),
        (
            lambda: _lengthened(),
            """\
te.compute @C: A[i, j] leaves A in dimension 0
    expected: positions 0..n - 1
    got: 0..n
    hint: guard it: te.if_then_else(te.all(0 <= p, p < n), x[p], 0)""",
        ),
        (
            lambda: tilewright.build(te.compute((m,), lambda j: SQUARE[n, j], name="C")),
            """\
size n does not follow from the arguments
    expected: an argument with a dimension that is n, or a multiple of it
    got: Tensor(G: float32[n * n + 1, m]), Tensor(C: float32[m])
    hint: a placeholder of that shape may be an argument without being read""",
        ),
        (
            lambda: _numbered()(),
            """\
main: the sizes of the outputs do not follow from the inputs
    expected: a call with arrays for the outputs, the first is argument 0""",
        ),
        (
            lambda: te.var("x", "float32"),
            """\
te.var: a size is an integer
    expected: int32 or int64
    got: float32
    hint: a number that is an argument is a te.placeholder of shape ()""",
        ),
        (
            lambda: te.var("two words"),
            "te.var: the name is no identifier\n    got: 'two words'",
        ),
        (
            lambda: te.var("u0"),
            "te.var: u0, u1, … are sizes that depend on data\n    got: 'u0'",
        ),
        (
            lambda: tilewright.build(te.compute((n, m), lambda i, j: A[i, j]), name="a b"),
            "the name is no identifier\n    got: 'a b'",
        ),
        (_never_placed, NEVER_PLACED),
        (
            lambda: range(n + 1),
            """\
size n + 1 is known only at a call
    hint: te.reduce_axis((0, n)) runs over a size, te.if_then_else chooses by it""",
        ),
        (
            lambda: te.placeholder((n / 2,)),
            """\
truediv is not defined for sizes
    expected: add, sub, mul, floordiv, floormod, min, max
    got: n and 2
    hint: a size is divided with //; inside of a te.compute it is a value""",
        ),
        (
            lambda: _shortened()(uniform(3, 4)),
            """\
main: the inputs are too small: C would have a negative size
    expected: float32[n - 5], with sizes of 0 or more
    got: [-2]
    hint: pass larger inputs""",
        ),
        (
            lambda: n < m,
            """\
sizes n and m are known only at a call
    hint: compare them inside of the function of a te.compute""",
        ),
    ],
)
def test_messages(run: Callable[[], Any], message: str) -> None:
    with pytest.raises((TilewrightError, ArgumentError, LookupError)) as caught:
        run()
    assert str(caught.value) == message


def test_an_output_tells_a_size_that_no_input_tells() -> None:
    out = np.empty(5, np.int32)
    _numbered()(out)
    np.testing.assert_array_equal(out, np.arange(5) + 5)
