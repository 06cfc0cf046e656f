"""te.scan and te.extern, which become control flow and calls of the host program."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright import te
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.frontend.te.program import make_program, signature_of
from tilewright.interp import packed as packed_level
from tilewright.interp import te as te_level
from tilewright.machines.target import Target
from tilewright.runtime.abi.library import LoadError
from tilewright.runtime.abi.objects import object_table
from tilewright.support.diagnostics import TilewrightError
from tilewright.support.registry import new_context
from tilewright.testing.pass_case import parsed

RNG = np.random.default_rng(11)
START = RNG.bit_generator.state
Array = np.ndarray[Any, Any]


@pytest.fixture(autouse=True)
def same_numbers() -> None:
    """Seed the generator, so that every test draws the same numbers."""
    RNG.bit_generator.state = START


def uniform(*shape: int) -> Array:
    return RNG.uniform(-1, 1, shape).astype(np.float32)


def all_results(
    outputs: list[Any],
    *arrays: Array,
    functions: dict[str, Callable[..., object]] | None = None,
) -> Iterator[tuple[Array, ...]]:
    """Yield the results of both interpreters (of printed and parsed text) and of the module."""
    module = make_program(signature_of(outputs, None), "main")
    module.verify()
    assert str(parsed(str(module))) == str(module)
    yield te_level.run(module, *arrays, functions=functions)
    run_pipeline(module, new_context(), Target.native(), start="form-kernels", to="scheduled")
    assert str(parsed(str(module))) == str(module)
    yield packed_level.run(module, *arrays, functions=functions)
    yield tilewright.build(outputs).run(arrays)


def test_running_sum() -> None:
    steps, n = 12, 20
    X = te.placeholder((steps, n), name="X")
    s = te.state((steps, n), name="s")
    first = te.compute((1, n), lambda t, i: X[0, i], name="first")
    step = te.compute((steps, n), lambda t, i: s[t - 1, i] + X[t, i], name="step")
    S = te.scan(first, step, s, name="S")
    x = uniform(steps, n)
    for (got,) in all_results([S], x):
        np.testing.assert_allclose(got, np.cumsum(x, 0), rtol=1e-6, atol=1e-6)


def test_a_recurrence_may_look_back_further() -> None:
    s = te.state((15,), "int64", name="s")
    first = te.compute((2,), lambda t: te.const(1, "int64"), name="first")
    step = te.compute((15,), lambda t: s[t - 1] + s[t - 2], name="step")
    expected = [1, 1]
    while len(expected) < 15:
        expected.append(expected[-1] + expected[-2])
    for (got,) in all_results([te.scan(first, step, s)]):
        np.testing.assert_array_equal(got, expected)


def test_steps_read_what_does_not_depend_on_the_state_anywhere() -> None:
    steps, n = 9, 5
    X, Y = te.placeholder((steps, n), name="X"), te.placeholder((n, steps), name="Y")
    s = te.state((steps, n), name="s")
    first = te.compute((1, n), lambda t, i: Y[i, t], name="first")
    middle = te.compute(
        (steps, n), lambda t, i: s[t - 1, i] * 0.5 + Y[i, t] * t.astype("float32"), name="middle"
    )
    last = te.compute(
        (steps, n),
        lambda t, i: middle[t, i] + te.if_then_else(t < steps - 2, X[t + 2, i], 0.0) + X[t // 2, i],
        name="last",
    )
    x, y = uniform(steps, n), uniform(n, steps)
    expected = np.zeros((steps, n), np.float32)
    expected[0] = y[:, 0]
    for t in range(1, steps):
        expected[t] = expected[t - 1] * 0.5 + y[:, t] * t + x[t // 2]
        expected[t] += x[t + 2] if t < steps - 2 else 0
    tensors = [te.scan(first, last, s)]
    for (got,) in all_results(tensors, y, x):
        np.testing.assert_allclose(got, expected, atol=1e-5)


def test_computes_of_a_step_are_stages_of_one_kernel() -> None:
    X, s = te.placeholder((5, 9), name="X"), te.state((5, 9), name="s")
    first = te.compute((1, 9), lambda t, i: X[0, i], name="first")
    twice = te.compute((5, 9), lambda t, i: s[t - 1, i] * 2.0, name="twice")
    last = te.compute((5, 9), lambda t, i: twice[t, i] + X[t, i], name="last")
    scanned = te.scan(first, last, s, name="S")
    schedule = te.create_schedule(scanned.op, validate=True)
    outer, inner = schedule[last].split(last.op.axis[1], factor=4)
    schedule[last].vectorize(inner)
    schedule[twice].compute_at(schedule[last], outer)
    x = np.random.default_rng(0).integers(-3, 4, (5, 9)).astype(np.float32)
    rows = [x[0]]
    for row in x[1:]:
        rows.append(rows[-1] * 2 + row)
    np.testing.assert_array_equal(tilewright.build(schedule, [X, scanned])(x), np.stack(rows))


def test_an_lstm_cell() -> None:
    steps, batch, inputs, hidden = 6, 3, 10, 8
    X = te.placeholder((steps, batch, inputs), name="X")
    W = te.placeholder((4, hidden, inputs), name="W")
    R = te.placeholder((4, hidden, hidden), name="R")
    i, k = te.reduce_axis((0, inputs), "i"), te.reduce_axis((0, hidden), "k")
    gate_shape = (steps, 4, batch, hidden)
    of_input = te.compute(
        gate_shape, lambda t, g, b, j: te.sum(X[t, b, i] * W[g, j, i], axis=i), name="of_input"
    )
    h, c = (te.state((steps, batch, hidden), name=name) for name in "hc")
    zero = te.compute((1, batch, hidden), lambda t, b, j: 0.0, name="zero")
    gates = te.compute(
        gate_shape,
        lambda t, g, b, j: te.sum(h[t - 1, b, k] * R[g, j, k], axis=k) + of_input[t, g, b, j],
        name="gates",
    )
    next_c = te.compute(
        (steps, batch, hidden),
        lambda t, b, j: (
            te.sigmoid(gates[t, 1, b, j]) * c[t - 1, b, j]
            + te.sigmoid(gates[t, 0, b, j]) * te.tanh(gates[t, 2, b, j])
        ),
        name="next_c",
    )
    next_h = te.compute(
        (steps, batch, hidden),
        lambda t, b, j: te.sigmoid(gates[t, 3, b, j]) * te.tanh(next_c[t, b, j]),
        name="next_h",
    )
    H, C = te.scan([zero, zero], [next_h, next_c], [h, c], name="lstm")
    x, w, r = uniform(steps, batch, inputs), uniform(4, hidden, inputs), uniform(4, hidden, hidden)

    def sigmoid(z: Array) -> Array:
        return 1 / (1 + np.exp(-z))

    hs, cs = (np.zeros((steps, batch, hidden), np.float32) for _ in range(2))
    for t in range(1, steps):
        g = np.einsum("bi,gji->gbj", x[t], w) + np.einsum("bk,gjk->gbj", hs[t - 1], r)
        cs[t] = sigmoid(g[1]) * cs[t - 1] + sigmoid(g[0]) * np.tanh(g[2])
        hs[t] = sigmoid(g[3]) * np.tanh(cs[t])
    module = make_program(signature_of([X, W, R, H, C], [X, W, R, H, C]), "lstm")
    assert str(module).count("@of_input") == 1
    for got in (te_level.run(module, x, w, r), tilewright.build([X, W, R, H, C])(x, w, r)):
        np.testing.assert_allclose(got[0], hs, atol=2e-6)
        np.testing.assert_allclose(got[1], cs, atol=2e-6)


def _scan(back: int, *, depth: int = 1, rows: int = 4) -> Any:
    s = te.state((8, 4), name="s")
    first = te.compute((depth, rows), lambda t, i: 0.0, name="first")
    step = te.compute((8, 4), lambda t, i: s[t - back, i] + 1.0, name="step")
    return te.scan(first, step, s, name="S")


def _independent() -> Any:
    s = te.state((8, 4), name="s")
    first = te.compute((1, 4), lambda t, i: 0.0, name="first")
    return te.scan(first, te.compute((8, 4), lambda t, i: 1.0, name="step"), s, name="S")


def _placeholder() -> Any:
    s = te.placeholder((8, 4), name="s")
    first = te.compute((1, 4), lambda t, i: 0.0, name="first")
    return te.scan(first, te.compute((8, 4), lambda t, i: s[t, i], name="step"), s)  # type: ignore


def _left_over() -> Any:
    s = te.state((8, 4), name="s")
    return tilewright.build(te.compute((8, 4), lambda t, i: s[t - 1, i], name="step"))


ERRORS: dict[str, tuple[Callable[[], Any], tuple[str, ...]]] = {
    "too far back": (
        lambda: _scan(2),
        ("te.scan @S: s is read at a step that is not known yet", "s[t - 1, …]", "s[t - 2, i]"),
    ),
    "now": (lambda: _scan(0), ("s is read at a step that is not known yet", "got: s[t, i]")),
    "shapes": (
        lambda: _scan(1, rows=3),
        ("te.scan @S: init, update and state s do not agree", "init Tensor(first: float32[1, 3])"),
    ),
    "steps": (lambda: _scan(1, depth=8), ("init holds the first steps", "1 to 7", "got: 8")),
    "independent": (_independent, ("te.scan @S: step does not depend on the state",)),
    "placeholder": (_placeholder, ("s is no state", "te.state(shape, dtype, name)")),
    "left over": (_left_over, ("te.state s is used, but no te.scan of it",)),
    "call": (
        lambda: te.extern((4,), [], lambda ins, outs: 3, name="E", dtype="float32"),  # type: ignore
        ("te.extern @E: its function gives the call of a packed function", "te.call_packed"),
    ),
    "dtype": (
        lambda: te.extern((4,), [], lambda ins, outs: te.call_packed("f", outs[0]), name="E"),
        ("the dtype of the outputs does not follow from the inputs",),
    ),
    "argument": (
        lambda: te.call_packed("f", np.zeros(3)),  # type: ignore
        ("te.call_packed f: argument 0 cannot be passed",),
    ),
}


@pytest.mark.parametrize("case", ERRORS)
def test_misuse_is_named(case: str) -> None:
    run, parts = ERRORS[case]
    with pytest.raises(TilewrightError) as caught:
        run()
    for part in parts:
        assert part in str(caught.value)


# -- te.extern -----------------------------------------------------------------------------------


@pytest.fixture
def register() -> Iterator[Callable[[str, Callable[..., object]], None]]:
    """Yield a function that registers functions for the duration of a test."""
    names: list[str] = []

    def add(name: str, function: Callable[..., object]) -> None:
        tilewright.register_func(name, function)
        names.append(name)

    yield add
    for name in names:
        tilewright.remove_global_func(name)


Register = Callable[[str, Callable[..., object]], None]


def numpy_matmul(a: Any, b: Any, out: Any, transposed: bool, factor: float) -> Any:
    np.matmul(np.asarray(a), np.asarray(b).T if transposed else np.asarray(b), out=np.asarray(out))
    np.asarray(out)[...] *= factor
    return out


def test_a_function_of_numpy_between_two_computes(register: Register) -> None:
    register("test.matmul", numpy_matmul)
    A, B = te.placeholder((9, 12), name="A"), te.placeholder((5, 12), name="B")
    more = te.compute((9, 12), lambda i, j: A[i, j] + 1.0, name="more")
    C = te.extern(
        (9, 5),
        [more, B],
        lambda ins, outs: te.call_packed("test.matmul", ins[0], ins[1], outs[0], True, 0.5),
        name="C",
    )
    less = te.compute((9, 5), lambda i, j: C[i, j] - 1.0, name="less")
    a, b = uniform(9, 12), uniform(5, 12)
    expected = ((a + 1) @ b.T) * 0.5
    for got in all_results([C, less], a, b, functions={"test.matmul": numpy_matmul}):
        np.testing.assert_allclose(got[0], expected, rtol=1e-5)
        np.testing.assert_allclose(got[1], expected - 1, rtol=1e-5, atol=1e-6)


def test_what_a_function_gives_is_dropped(register: Register) -> None:
    def fill(text: str, number: int, *outs: Any) -> Any:
        assert (text, number) == ("fünf", -5)
        for position, out in enumerate(outs):
            np.asarray(out)[...] = position
        return outs[0]

    register("test.fill", fill)
    P, Q = te.extern(
        [(3,), (2, 2)],
        [],
        lambda ins, outs: te.call_packed("test.fill", "fünf", -5, *outs),
        name="F",
        dtype=["uint8", "float64"],
    )
    mod = tilewright.build([P, Q])
    before = len(object_table())
    for _ in range(5):
        p, q = mod()
    assert len(object_table()) == before
    assert np.asarray(p).dtype == np.uint8
    np.testing.assert_array_equal(p, [0] * 3)
    np.testing.assert_array_equal(q, np.ones((2, 2)))


def test_an_exception_of_a_function_comes_out_of_the_call(register: Register) -> None:
    def refuse(out: Any) -> None:
        raise LookupError(f"nothing for {np.asarray(out).shape}")

    register("test.refuse", refuse)
    C = te.extern((4,), [], lambda ins, outs: te.call_packed("test.refuse", *outs), dtype="int8")
    mod = tilewright.build(C)
    with pytest.raises(LookupError, match=r"nothing for \(4,\)"):
        mod()
    with pytest.raises(LookupError, match=r"nothing for \(4,\)"):
        mod["main"](np.empty(4, np.int8))


def test_a_function_that_is_not_there() -> None:
    C = te.extern((4,), [], lambda ins, outs: te.call_packed("test.gone", *outs), dtype="int8")
    with pytest.raises(LoadError, match="main calls a function that is not there"):
        tilewright.build(C)


def openblas() -> Any:
    """Return the sgemm of the OpenBLAS that numpy brings, or skip."""
    folder = Path(np.__file__).parent.parent / "numpy.libs"
    for path in sorted(folder.glob("*openblas*")):
        found = getattr(ctypes.CDLL(str(path)), "scipy_cblas_sgemm64_", None)
        if found is not None:
            return found
    pytest.skip(f"no scipy_cblas_sgemm64_ in {folder}")
    return None


def test_cblas(register: Register) -> None:
    sgemm = openblas()

    def matmul(a: Any, b: Any, c: Any) -> None:
        x, y, z = np.asarray(a), np.asarray(b), np.asarray(c)
        (m, k), n = x.shape, y.shape[1]
        sizes = [ctypes.c_int64(size) for size in (m, n, k)]
        pointers = [ctypes.c_void_p(array.ctypes.data) for array in (x, y, z)]
        strides = [ctypes.c_int64(size) for size in (k, n, n)]
        one, zero = ctypes.c_float(1), ctypes.c_float(0)
        sgemm(
            101, 111, 111, *sizes, one, pointers[0], strides[0], pointers[1], strides[1], zero,
            pointers[2], strides[2],
        )  # fmt: skip

    register("test.cblas.matmul", matmul)
    A, B = te.placeholder((17, 30), name="A"), te.placeholder((30, 8), name="B")
    C = te.extern(
        (17, 8),
        [A, B],
        lambda ins, outs: te.call_packed("test.cblas.matmul", *ins, *outs),
        name="C",
    )
    D = te.compute((17, 8), lambda i, j: te.max(C[i, j], 0.0), name="D")
    a, b = uniform(17, 30), uniform(30, 8)
    np.testing.assert_allclose(tilewright.build(D)(a, b), np.maximum(a @ b, 0), atol=1e-5)
