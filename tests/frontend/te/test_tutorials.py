"""Tensor expressions: the classic TVM tutorials in our spelling, against numpy."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tilewright
from tilewright import te
from tilewright.dialects.te.compute import ComputeOp
from tilewright.frontend.te.program import make_program, signature_of
from tilewright.frontend.te.recording import MOST_OPERATIONS
from tilewright.interp import te as interpreter
from tilewright.support.affine import MOST_NESTED
from tilewright.support.diagnostics import TilewrightError
from tilewright.testing.pass_case import parsed

from ...sweeps import examples

RNG = np.random.default_rng(7)
START = RNG.bit_generator.state


@pytest.fixture(autouse=True)
def same_numbers() -> None:
    """Seed the generator, so that every test draws the same numbers."""
    RNG.bit_generator.state = START


def interpreted(outputs: Any, *arrays: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], ...]:
    """Return the interpreter's results for the program, printed and parsed once."""
    tensors = list(outputs) if isinstance(outputs, tuple | list) else [outputs]
    module = make_program(signature_of(tensors, None), "main")
    module.verify()
    again = parsed(str(module))
    assert str(again) == str(module)
    return interpreter.run(again, *arrays)


def uniform(*shape: int) -> np.ndarray[Any, Any]:
    return RNG.uniform(-1, 1, shape).astype(np.float32)


def test_a_name_that_te_lacks_points_at_the_operators() -> None:
    with pytest.raises(AttributeError, match=r"te has no attribute 'relu'\n.*tilewright\.ops"):
        te.relu  # noqa: B018  # pyright: ignore
    assert not hasattr(te, "relu")


def test_an_unknown_dtype_lists_all() -> None:
    with pytest.raises(TilewrightError) as error:
        te.placeholder((4,), dtype="float")
    assert all(name in str(error.value) for name in ("bfloat16", "int8", "bool", "uint64"))


def test_vector_add_is_called_as_in_the_tutorial() -> None:
    n = 1000
    A, B = te.placeholder((n,), name="A"), te.placeholder((n,), name="B")
    C = te.compute((n,), lambda i: A[i] + B[i], name="C")
    mod = tilewright.build([C], [A, B, C], name="vecadd")
    a, b, c = uniform(n), uniform(n), np.empty(n, np.float32)
    assert mod(a, b, c) is None
    np.testing.assert_array_equal(c, a + b)
    c[:] = 0
    mod["vecadd"](a, b, c)
    np.testing.assert_array_equal(c, a + b)
    np.testing.assert_array_equal(mod(a, b), a + b)
    assert mod.name == "vecadd"
    assert str(mod) == "<Module vecadd(A: float32[1000], B: float32[1000]) -> (C: float32[1000])>"


def test_matmul_with_an_epilogue_is_one_compute() -> None:
    A, B = te.placeholder((33, 70), name="A"), te.placeholder((70, 50), name="B")
    bias = te.placeholder((50,), name="bias")
    k = te.reduce_axis((0, 70), name="k")
    C = te.compute(
        (33, 50), lambda m, n: te.tanh(bias[n] + te.sum(A[m, k] * B[k, n], axis=k) * 0.5), name="C"
    )
    assert isinstance(C.op.ir, ComputeOp)
    assert list(C.op.ir.view().axes) == ["m", "n", "k"]
    assert C.op.reduce_axis == (k,)
    assert [t.name for t in C.op.inputs] == ["A", "B", "bias"]
    a, b, z = uniform(33, 70), uniform(70, 50), uniform(50)
    expected = np.tanh(z + a @ b * 0.5)
    np.testing.assert_allclose(tilewright.build(C)(a, b, z), expected, atol=2e-6)
    np.testing.assert_allclose(interpreted(C, a, b, z)[0], expected, atol=2e-6)


def test_text_of_every_level_can_be_asked_for() -> None:
    A = te.placeholder((8,), name="A")
    mod = tilewright.build(te.compute((8,), lambda i: A[i] * 2.0, name="twice"))
    assert "te.compute @twice [i: 8]" in mod.get_source("te")
    assert "sched.script @twice" in mod.get_source("sched")
    assert "define" in mod.get_source("ll")
    with pytest.raises(LookupError, match="expected: te, sched"):
        mod.get_source("graph")


@pytest.mark.parametrize("last", [False, True])
def test_argmax_as_a_reducer_of_ones_own(last: bool) -> None:
    def combine(x: Any, y: Any) -> Any:
        better = (x[1] > y[1]) | ((x[1] == y[1]) & (x[0] >= y[0] if last else x[0] <= y[0]))
        return te.select(better, x[0], y[0]), te.select(better, x[1], y[1])

    argmax = te.comm_reducer(
        combine, lambda t0, t1: (te.const(-1, t0), te.min_value(t1)), name="argmax"
    )
    index = te.placeholder((6, 40), "int32", name="index")
    value = te.placeholder((6, 40), name="value")
    k = te.reduce_axis((0, 40))
    T0, T1 = te.compute((6,), lambda i: argmax((index[i, k], value[i, k]), axis=k), name="T")
    positions = np.tile(np.arange(40, dtype=np.int32), (6, 1))
    x = RNG.integers(0, 9, (6, 40)).astype(np.float32)
    best = 39 - x[:, ::-1].argmax(1) if last else x.argmax(1)
    for results in (tilewright.build([T0, T1])(positions, x), interpreted([T0, T1], positions, x)):
        np.testing.assert_array_equal(results[0], best)
        np.testing.assert_array_equal(results[1], x.max(1))


def test_reducers_of_the_language() -> None:
    A = te.placeholder((5, 4, 6), name="A")
    a = RNG.integers(-3, 4, (5, 4, 6)).astype(np.float32)
    for name, numpy in (
        ("sum", np.sum), ("prod", np.prod), ("max", np.max), ("min", np.min),
    ):  # fmt: skip
        reducer = getattr(te, name)
        j, k = te.reduce_axis((0, 4), "j"), te.reduce_axis((0, 6), "k")
        C = te.compute((5,), lambda i: reducer(A[i, j, k], axis=[j, k]), name=name)  # noqa: B023
        np.testing.assert_array_equal(interpreted(C, a)[0], numpy(a, (1, 2)))
    j, k = te.reduce_axis((0, 4), "j"), te.reduce_axis((0, 6), "k")
    tensors = [
        te.compute((5,), lambda i: te.argmax(A[i, j, k], axis=[j, k]), name="flat"),
        te.compute((5, 4), lambda i, j: te.argmin(A[i, j, k], axis=k), name="argmin"),
        te.compute((5,), lambda i: te.any(A[i, j, k] == 3.0, axis=[j, k]), name="any"),
        te.compute((5, 4), lambda i, j: te.all(A[i, j, k] < 3.0, axis=k), name="all"),
    ]
    expected = (
        a.reshape(5, 24).argmax(1), a.argmin(2), (a == 3).any((1, 2)), (a < 3).all(2)
    )  # fmt: skip
    for results in (tilewright.build(tensors)(a), interpreted(tensors, a)):
        for got, wanted in zip(results, expected, strict=True):
            np.testing.assert_array_equal(got, wanted)


def test_a_reduction_may_start_anywhere() -> None:
    A = te.placeholder((10,), name="A")
    k = te.reduce_axis((2, 9))
    C = te.compute((), lambda: te.argmax(A[k], axis=k), name="C")
    D = te.compute((1,), lambda _: te.sum(A[k] * k, axis=k), name="D")
    a = uniform(10)
    best, weighted = tilewright.build([C, D])(a)
    assert np.asarray(best) == a[2:9].argmax()
    np.testing.assert_allclose(weighted, [(a[2:9] * np.arange(2, 9)).sum()], rtol=1e-5)


def test_a_plain_function_becomes_a_combiner_with_a_name() -> None:
    A = te.placeholder((4, 8), "int32", name="A")
    k = te.reduce_axis((0, 8))
    rxor = te.comm_reducer(lambda x, y: x ^ y, lambda t: te.const(0, t), name="xor")
    C = te.compute((4,), lambda i: rxor(A[i, k], axis=k), name="C")
    assert isinstance(C.op.ir, ComputeOp)
    assert C.op.ir.view().outputs[0].combiner == "xor"
    a = RNG.integers(-99, 99, (4, 8)).astype(np.int32)
    np.testing.assert_array_equal(tilewright.build(C)(a), np.bitwise_xor.reduce(a, 1))


def test_several_outputs_of_one_compute() -> None:
    A = te.placeholder((7, 9), "int32", name="A")
    k = te.reduce_axis((0, 9))
    S, P = te.compute((7, 9), lambda i, j: (A[i, j] // 3, A[i, j] % 3), name="divmod")
    low, high = te.compute(
        (7,), lambda i: (te.min(A[i, k], axis=k), te.max(A[i, k], axis=k)), name="bounds"
    )
    mean = te.compute(
        (7,),
        lambda i: te.sum(A[i, k].astype("float32"), axis=k) / te.sum(te.const(1.0), axis=k),
        name="mean",
    )
    assert (S.name, P.name, S.op is P.op) == ("divmod.0", "divmod.1", True)
    a = RNG.integers(-50, 50, (7, 9)).astype(np.int32)
    expected = (a // 3, a % 3, a.min(1), a.max(1), a.mean(1, dtype=np.float32))
    tensors = [S, P, low, high, mean]
    for results in (tilewright.build(tensors)(a), interpreted(tensors, a)):
        for got, wanted in zip(results, expected, strict=True):
            np.testing.assert_allclose(got, wanted, rtol=1e-6)


def test_a_guarded_read_becomes_a_padded_one() -> None:
    A = te.placeholder((6, 8), name="A")
    C = te.compute(
        (8, 10),
        lambda i, j: te.if_then_else(te.all(i >= 1, i < 7, j >= 1, j <= 8), A[i - 1, j - 1], 0.0),
        name="pad",
    )
    assert isinstance(C.op.ir, ComputeOp)
    assert "%A[i - 1, j - 1] pad 0.0" in str(C.op.ir)
    assert "select" not in str(C.op.ir)
    shifted = te.compute(
        (6, 8), lambda i, j: te.if_then_else(j < 7, A[i, j + 1] * 2.0, A[i, j - 7]), name="shift"
    )
    a = uniform(6, 8)
    expected = np.pad(a, 1), np.concatenate([a[:, 1:] * 2, a[:, :1]], 1)
    for results in (tilewright.build([C, shifted])(a), interpreted([C, shifted], a)):
        for got, wanted in zip(results, expected, strict=True):
            np.testing.assert_array_equal(got, wanted)


def test_a_guard_may_be_on_what_is_divided() -> None:
    A = te.placeholder((5, 4), name="A")
    spread = te.compute(
        (15, 4),
        lambda i, j: te.if_then_else(
            te.all(i >= 3, i < 12, (i - 3) % 2 == 0), A[(i - 3) // 2, j], 0.0
        ),
        name="spread",
    )
    a = uniform(5, 4)
    expected = np.zeros((15, 4), np.float32)
    expected[3:12:2] = a
    for (got,) in ((tilewright.build([spread])(a),), interpreted(spread, a)):
        np.testing.assert_array_equal(got, expected)
    for low, high in ((2, 12), (3, 14)):
        with pytest.raises(TilewrightError, match="leaves A in dimension 0"):
            te.compute(
                (15, 4),
                lambda i, j, low=low, high=high: te.if_then_else(
                    te.all(i >= low, i < high, (i - 3) % 2 == 0), A[(i - 3) // 2, j], 0.0
                ),
            )


def test_reads_at_computed_positions_stay_inside() -> None:
    A = te.placeholder((5, 4), name="A")
    rows = te.placeholder((6,), "int64", name="rows")
    C = te.compute((6, 4), lambda i, j: A[rows[i], j], name="take")
    twice = te.compute((6,), lambda i: A[rows[i] // 2, rows[i] % 4], name="twice")
    a, r = uniform(5, 4), np.array([0, 4, 2, 2, -3, 99])
    inside = np.clip(r, 0, 4)
    expected = a[inside], a[np.clip(r // 2, 0, 4), r % 4]
    built = tilewright.build([A, rows, C, twice], unchecked_indices=True)
    checked, given = tilewright.build([A, rows, C, twice]), inside.astype(np.int64)
    wanted = a[inside], a[inside // 2, inside % 4]
    for results, right in (
        (built(a, r), expected),
        (checked(a, given), wanted),
        (interpreted([C, twice], given, a), wanted),
    ):
        for got, element in zip(results, right, strict=True):
            np.testing.assert_array_equal(got, element)


def test_axes_are_values_too() -> None:
    eye = te.compute((4, 5), lambda i, j: te.if_then_else(i == j, 1.0, 0.0), name="eye")
    ramp = te.compute((6,), lambda i: i * 3 - 2, name="ramp")
    halves = te.compute((6,), lambda i: i.astype("float32") / 2.0, name="halves")
    blocks = te.compute((12,), lambda i: (i // 5) * 10 + i % 5, name="blocks")
    lower = te.compute((4, 4), lambda i, j: (i >= j) & (i != 2), name="lower")
    tensors = [eye, ramp, halves, blocks, lower]
    i = np.arange(12)
    row, column = np.indices((4, 4))
    expected = [
        np.eye(4, 5, dtype=np.float32),
        np.arange(6, dtype=np.int32) * 3 - 2,
        np.arange(6, dtype=np.float32) / 2,
        (i // 5 * 10 + i % 5).astype(np.int32),
        (row >= column) & (row != 2),
    ]
    for results in (tilewright.build(tensors)(), interpreted(tensors)):
        for got, wanted in zip(results, expected, strict=True):
            assert np.asarray(got).dtype == wanted.dtype
            np.testing.assert_array_equal(got, wanted)


def test_a_constant_is_kept_with_the_code() -> None:
    table = np.arange(12, dtype=np.uint8).reshape(3, 4)
    A, T = te.placeholder((3, 4), "uint8", name="A"), te.constant(table, name="T")
    mod = tilewright.build(te.compute((3, 4), lambda i, j: A[i, j] + T[i, j] * 2, name="C"))
    a = RNG.integers(0, 255, (3, 4)).astype(np.uint8)
    np.testing.assert_array_equal(mod(a), a + table * 2)


UNARY: dict[str, Callable[..., Any]] = {
    "exp": np.exp, "expm1": np.expm1, "sqrt": lambda x: np.sqrt(np.abs(x)), "sin": np.sin,
    "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "asinh": np.arcsinh, "atanh": np.arctanh,
    "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "round": np.round, "abs": np.abs,
    "sign": np.sign, "isnan": np.isnan, "log": lambda x: np.log(np.abs(x)),
    "log1p": np.log1p, "rsqrt": lambda x: 1 / np.sqrt(np.abs(x)),
    "acosh": np.arccosh, "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
}  # fmt: skip
OF_ABSOLUTE = ("sqrt", "log", "rsqrt", "acosh")


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_scalar_functions(dtype: str) -> None:
    A = te.placeholder((64,), dtype, name="A")

    def body(i: Any) -> tuple[Any, ...]:
        x = {name: te.abs(A[i]) if name in OF_ABSOLUTE else A[i] for name in UNARY}
        x["acosh"] = x["acosh"] + 1.0
        return tuple(getattr(te, name)(x[name]) for name in UNARY)

    a = RNG.uniform(-0.99, 0.99, 64).astype(dtype)
    results = interpreted(te.compute((64,), body, name="C"), a)
    tolerance = 4 * np.finfo(dtype).eps
    for (name, reference), got in zip(UNARY.items(), results, strict=True):
        given = np.abs(a) + np.ones((), dtype) if name == "acosh" else a
        wanted = reference(given.astype(np.float64))
        np.testing.assert_allclose(got, wanted, rtol=tolerance, atol=tolerance, err_msg=name)


INTEGERS: dict[str, tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]] = {
    "floordiv": (lambda x, y: x // y, lambda x, y: x // y),
    "floormod": (lambda x, y: x % y, lambda x, y: x % y),
    "truncdiv": (te.truncdiv, lambda x, y: np.trunc(x / y)),
    "truncmod": (te.truncmod, np.fmod),
    "and": (lambda x, y: x & y, lambda x, y: x & y),
    "or": (lambda x, y: x | y, lambda x, y: x | y),
    "xor": (lambda x, y: x ^ y, lambda x, y: x ^ y),
    "shift": (lambda x, y: (x << 1) >> 1, lambda x, y: (x << np.int64(1)) >> np.int64(1)),
    "maximum": (te.maximum, np.maximum),
    "minimum": (te.min, np.minimum),
    "not": (lambda x, y: ~x, lambda x, y: ~x),
    "neg": (lambda x, y: -x + abs(y), lambda x, y: -x + abs(y)),
    "clip": (lambda x, y: te.clip(x, -7, 7), lambda x, y: np.clip(x, -7, 7)),
    "literal": (lambda x, y: 3 - x * 2 + 1 * y, lambda x, y: 3 - x * 2 + y),
}


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "uint32", "int64"])
def test_bits_are_counted(dtype: str) -> None:
    A = te.placeholder((200,), dtype, name="A")
    C = te.compute((200,), lambda i: te.popcount(A[i]), name="C")
    bits = np.iinfo(dtype)
    a = RNG.integers(bits.min, bits.max, 200, dtype, endpoint=True)
    a[:3] = bits.min, bits.max, np.asarray(-1).astype(dtype)
    wanted = [int(x) & ((1 << bits.bits) - 1) for x in a]
    for got in (interpreted(C, a)[0], tilewright.build(C)(a)):
        np.testing.assert_array_equal(got, [x.bit_count() for x in wanted])


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
def test_infinities_are_told(dtype: str) -> None:
    A = te.placeholder((6,), dtype, name="A")
    C = te.compute((6,), lambda i: (te.isinf(A[i]), te.isfinite(A[i])), name="C")
    a = np.array([0.0, -1.5, np.inf, -np.inf, np.nan, 6e4]).astype(
        getattr(np, dtype, ml_dtypes.bfloat16)
    )
    for infinite, finite in (interpreted(C, a), tilewright.build(C)(a)):
        np.testing.assert_array_equal(infinite, np.isinf(a.astype("f8")))
        np.testing.assert_array_equal(finite, np.isfinite(a.astype("f8")))


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64"])
def test_integer_operators(dtype: str) -> None:
    A, B = te.placeholder((99,), dtype, name="A"), te.placeholder((99,), dtype, name="B")
    C = te.compute((99,), lambda i: tuple(f(A[i], B[i]) for f, _ in INTEGERS.values()), name="C")
    a = RNG.integers(-20, 20, 99).astype(dtype)
    b = (RNG.integers(1, 20, 99) * RNG.choice([-1, 1], 99)).astype(dtype)
    for results in (interpreted(C, a, b), tilewright.build(C)(a, b)):
        for (name, (_, reference)), got in zip(INTEGERS.items(), results, strict=True):
            wanted = reference(a.astype(np.int64), b.astype(np.int64)).astype(dtype)
            np.testing.assert_array_equal(got, wanted, err_msg=name)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_remainders_of_floats_are_exact(dtype: str) -> None:
    """Compare with numpy: a remainder of 0 has the sign of x in fmod, and of y in mod."""
    special = [0.0, -0.0, 3.0, -3.0, np.inf, -np.inf, np.nan, 1.0, 0.1, -0.1, 6e4]
    exponents = RNG.uniform(-8, 8, (2, 200)) * (1 if dtype == "float16" else 15)
    x, y = RNG.choice([-1, 1], (2, 200)) * np.exp2(exponents)
    pairs = np.concatenate([np.array([(p, q) for p in special for q in special]).T, [x, y]], 1)
    a, b = pairs.astype(getattr(ml_dtypes, dtype, dtype))
    A, B = te.placeholder(a.shape, dtype, name="A"), te.placeholder(b.shape, dtype, name="B")
    C = te.compute(a.shape, lambda i: (te.truncmod(A[i], B[i]), A[i] % B[i]), name="C")
    wide = np.float64 if dtype == "float64" else np.float32
    with np.errstate(all="ignore"):
        wanted = [f(a.astype(wide), b.astype(wide)).astype(a.dtype) for f in (np.fmod, np.mod)]
    for results in (interpreted(C, a, b), tilewright.build(C)(a, b)):
        for got, want in zip(results, wanted, strict=True):
            got, want = np.asarray(got, wide), want.astype(wide)
            np.testing.assert_array_equal(got, want)
            is_zero = want == 0
            np.testing.assert_array_equal(np.signbit(got[is_zero]), np.signbit(want[is_zero]))


def test_unsigned_integers_are_that() -> None:
    A, B = te.placeholder((4,), "uint8", name="A"), te.placeholder((4,), "uint8", name="B")
    k = te.reduce_axis((0, 4))
    C = te.compute((4,), lambda i: (A[i] // B[i], te.max(A[i], B[i]), A[i] >> 1), name="C")
    D = te.compute((), lambda: te.max(A[k], axis=k), name="D")
    W = te.compute((4,), lambda i: A[i].astype("int32") - 256, name="W")
    a, b = np.array([200, 255, 7, 128], np.uint8), np.array([3, 254, 9, 127], np.uint8)
    expected = (a // b, np.maximum(a, b), a >> 1, a.max(), a.astype(np.int32) - 256)
    for got, wanted in zip(tilewright.build([*C, D, W])(a, b), expected, strict=True):
        np.testing.assert_array_equal(got, wanted)


@examples(25)
@given(
    shape=st.tuples(st.integers(1, 9), st.integers(1, 9), st.integers(1, 9)),
    dtype=st.sampled_from(["float32", "float64", "float16", "bfloat16", "int8", "int64", "uint16"]),
    transposed=st.booleans(),
    kind=st.sampled_from(["sum", "max", "min"]),
)
def test_products_of_any_shape_and_dtype(
    shape: tuple[int, int, int], dtype: str, transposed: bool, kind: str
) -> None:
    m, n, depth = shape
    A = te.placeholder((m, depth), dtype, name="A")
    B = te.placeholder((n, depth) if transposed else (depth, n), dtype, name="B")
    k = te.reduce_axis((0, depth))
    reducer = getattr(te, kind)
    C = te.compute(
        (m, n),
        lambda i, j: reducer(A[i, k] * (B[j, k] if transposed else B[k, j]), axis=k),
        name="C",
    )
    numpy = tilewright.runtime.abi.ndarray.numpy_dtype(dtype)
    a = RNG.integers(0, 5, (m, depth)).astype(numpy)
    b = RNG.integers(0, 5, B.shape).astype(numpy)
    terms = a[:, None, :].astype(np.int64) * (b if transposed else b.T)[None].astype(np.int64)
    expected = getattr(terms, kind)(axis=2).astype(numpy)
    np.testing.assert_array_equal(interpreted(C, a, b)[0], expected)


def test_a_program_is_described_once_and_built_often() -> None:
    A = te.placeholder((16,), name="A")
    C = te.compute((16,), lambda i: te.exp(A[i]), name="C")
    before = str(C.op.ir)
    first, second = tilewright.build(C), tilewright.build([C], target="llvm -mcpu=x86-64-v3")
    assert str(C.op.ir) == before
    a = uniform(16)
    np.testing.assert_allclose(first(a), second(a), rtol=1e-6)


def _matrix(*, rows: int = 4) -> Any:
    return te.placeholder((rows, 8), name="A")


def _reducer_types() -> Any:
    A, k = _matrix(), te.reduce_axis((0, 8))
    bad = te.comm_reducer(lambda x, y: x > y, lambda t: 0, name="bad")
    return te.compute((4,), lambda i: bad(A[i, k], axis=k))


def _reducer_identity() -> Any:
    A, k = _matrix(), te.reduce_axis((0, 8))
    bad = te.comm_reducer(lambda x, y: x + y, lambda t: (0, 1), name="bad")
    return te.compute((4,), lambda i: bad(A[i, k], axis=k))


def _leak() -> Any:
    A, kept = _matrix(), []
    te.compute((4, 8), lambda i, j: kept.append(A[i, j]) or A[i, j], name="first")
    return te.compute((4, 8), lambda i, j: kept[0] + A[i, j], name="second")


def _two_axes() -> Any:
    A, j, k = _matrix(), te.reduce_axis((0, 4), "j"), te.reduce_axis((0, 8), "k")
    return te.compute((1,), lambda _: te.sum(A[j, 0], axis=j) + te.sum(A[0, k], axis=k))


K = te.reduce_axis((0, 8), "k")


def _added(i: te.Axis, count: int) -> te.Scalar:
    total = te.cast(i, "float32")
    for _ in range(count):
        total = total + total
    return total


ERRORS: dict[str, tuple[Callable[[], Any], tuple[str, ...]]] = {
    "count": (
        lambda: te.compute((4,), lambda i: _matrix()[i], name="C"),
        ("te.compute @C: A is read at the wrong number of positions", "expected: 2", "got: 1"),
    ),
    "outside": (
        lambda: te.compute((4, 8), lambda i, j: _matrix()[i, j + 1], name="C"),
        (
            "te.compute @C: A[i, j + 1] leaves A in dimension 1",
            "expected: positions 0..7",
            "got: 1..8",
            "hint: guard it",
        ),
    ),
    "types": (
        lambda: te.compute((4, 8), lambda i, j: _matrix()[i, j] + te.const(1, "int32")),
        ("the operands of add differ in type", "got: float32 and int32", 'astype("int32")'),
    ),
    "literal": (
        lambda: te.compute((4,), lambda i: te.placeholder((4,), "int32", name="I")[i] + 1.5),
        ("1.5 is no int32", 'astype("float32")'),
    ),
    "range": (
        lambda: te.compute((4,), lambda i: te.placeholder((4,), "int8", name="I")[i] + 300),
        ("300 is no int8",),
    ),
    "division": (
        lambda: te.compute((4,), lambda i: te.placeholder((4,), "int32", name="I")[i] / 2),
        ("truediv is not defined for int32", "// or te.truncdiv"),
    ),
    "function": (
        lambda: te.compute((4,), lambda i: te.exp(te.placeholder((4,), "int32", name="I")[i])),
        ("exp is not defined for int32", "expected: floats"),
    ),
    "parameters": (
        lambda: te.compute((4, 8), lambda i: 0.0, name="C"),
        ("te.compute @C: its function does not take one axis per dimension", "got: 1 parameters"),
    ),
    "nothing": (
        lambda: te.compute((4,), lambda i: None, name="C"),
        ("te.compute @C: its function returns None",),
    ),
    "shape": (
        lambda: te.compute((4, -1), lambda i, j: 0.0, name="C"),
        ("te.compute @C: a size of the shape is not an integer of at least 0", "got: -1 in (4, -1"),
    ),
    "name": (
        lambda: te.placeholder((4,), name="my tensor"),
        ("te.placeholder my tensor: the name is no identifier",),
    ),
    "dtype": (lambda: te.placeholder((4,), "float31"), ("unknown dtype", "got: float31")),
    "reduced axis": (
        lambda: te.compute((4,), lambda i: _matrix()[i, K], name="C"),
        ("te.compute @C: axis k is read outside of a reduction over it", "te.sum(..., axis=k)"),
    ),
    "plain axis": (
        lambda: te.compute((4, 8), lambda i, j: te.sum(_matrix()[i, j], axis=j)),
        ("te.sum reduces over a te.reduce_axis", "got: axis(j: 0..7)"),
    ),
    "nested": (
        lambda: te.compute((1,), lambda _: te.sum(te.sum(_matrix()[0, K], axis=K), axis=K)),
        ("a reduction takes what another one combined", "te.compute of its own"),
    ),
    "two axes": (_two_axes, ("its reductions are over different axes", "expected: j", "got: k")),
    "more results": (
        lambda: te.compute(
            (4,), lambda i: (te.sum(_matrix()[i, K], axis=K), te.const(1.0)), name="C"
        ),
        ("it has more results than values that are reduced",),
    ),
    "truth": (
        lambda: te.compute((4,), lambda i: 1.0 if i > 2 else 0.0),
        ("neither true nor false", "te.if_then_else"),
    ),
    "numpy function": (
        lambda: te.compute((4,), lambda i: np.exp(_matrix()[i, 0])),
        ("np.exp takes arrays, not te values", "hint: use te.exp"),
    ),
    "math function": (
        lambda: te.compute((4,), lambda i: math.exp(_matrix()[i, 0])),
        ("a te value has no number", "te.exp"),
    ),
    "condition": (
        lambda: te.compute((4, 8), lambda i, j: te.select(_matrix()[i, j], 1.0, 0.0)),
        ("a condition is a bool", "got: float32"),
    ),
    "slice": (
        lambda: te.compute((4,), lambda i: _matrix()[i, 0:2]),
        ("position 1 of A is no integer", "te.compute(shape, lambda i: A[i + 1])"),
    ),
    "float position": (
        lambda: te.compute((4,), lambda i: _matrix()[i, _matrix()[i, 0]]),
        ("position 1 of A is no integer", "got: a float32"),
    ),
    "guard": (
        lambda: te.compute(
            (4, 8), lambda i, j: te.if_then_else(j < 7, _matrix()[i, j + 2], 0.0), name="C"
        ),
        ("A[i, j + 2] leaves A in dimension 1", "got: 2..9"),
    ),
    "leak": (_leak, ("te.compute @second: a value of te.compute @first is used",)),
    "outside of a compute": (lambda: te.exp(1.0), ("only inside the function of a te.compute",)),
    "tensor outside": (lambda: _matrix()[0, 0], ("A[...] has a meaning only inside",)),
    "whole tensor": (
        lambda: te.compute((4,), lambda i: _matrix() + 1.0),
        ("unsupported operand",),
    ),
    "tensor as value": (
        lambda: te.compute((4,), lambda i: _matrix(), name="C"),
        ("te.compute @C: this is no te value", "read a tensor by its positions"),
    ),
    "operations": (
        lambda: te.compute((2,), lambda i: _added(i, MOST_OPERATIONS), name="C"),
        ("te.compute @C: its function has too many operations", "expected: at most 8192"),
    ),
    "backward axis": (
        lambda: te.reduce_axis((3, 2), "k"),
        ("te.reduce_axis k: the range ends before its start", "got: (3, 2)"),
    ),
    "reducer types": (_reducer_types, ("te.comm_reducer bad: it gives a value of another type",)),
    "identity": (_reducer_identity, ("the identity of te.comm_reducer bad has one number",)),
    "missing argument": (
        lambda: tilewright.build([te.compute((4, 8), lambda i, j: _matrix()[i, j], name="C")] * 2),
        ("a tensor is an argument twice",),
    ),
    "build": (lambda: tilewright.build("model.onnx"), ("build takes te tensors", "compile")),
}


@pytest.mark.parametrize("case", ERRORS)
def test_misuse_is_named(case: str) -> None:
    run, parts = ERRORS[case]
    with pytest.raises((TilewrightError, TypeError)) as caught:
        run()
    for part in parts:
        assert part in str(caught.value)


def test_arguments_are_checked() -> None:
    A, B = te.placeholder((4,), name="A"), te.placeholder((4,), name="B")
    C = te.compute((4,), lambda i: A[i] + B[i], name="C")
    D = te.compute((4,), lambda i: C[i] * C[i], name="D")
    with pytest.raises(TilewrightError, match=r"some placeholders are not arguments(.|\n)*B"):
        tilewright.build(C, [A, C])
    with pytest.raises(TilewrightError, match="inputs, then the outputs"):
        tilewright.build(C, [C, A, B])
    with pytest.raises(TilewrightError, match="C is built but no argument"):
        tilewright.build([C, D], [A, B, D])
    a, b = uniform(4), uniform(4)
    c, d = tilewright.build([A, B, C, D])(a, b)
    np.testing.assert_array_equal(c, a + b)
    np.testing.assert_array_equal(d, np.asarray(c) ** 2)
    np.testing.assert_array_equal(tilewright.build(D, [B, A, D])(b, a), d)


def test_numpy_numbers_combine_with_values_on_either_side() -> None:
    a, three = uniform(4), np.float32(3)
    A = te.placeholder((4,), name="A")
    B = te.compute((4,), lambda i: (three - A[i]) * np.float32(2) / three, name="B")
    np.testing.assert_array_equal(interpreted(B, a)[0], (three - a) * np.float32(2) / three)


def test_a_chain_of_computes_may_be_longer_than_the_stack_of_python() -> None:
    x = placeholder = te.placeholder((2,), name="A")
    for number in range(1200):
        x = te.compute((2,), lambda i, x=x: x[i] + 1, name=f"step{number}")
    module = make_program(signature_of([x], [placeholder, x]), "main")
    assert sum(isinstance(op, ComputeOp) for op in module.walk()) == 1200


def scrambled(position: Any, times: int) -> Any:
    """Return a position that holds nested remainders; of te, and of numpy."""
    for number in range(times):
        position = (position * 3 + 1) % (97 - number % 5)
    return position


@pytest.mark.parametrize("times", [MOST_NESTED - 1, MOST_NESTED, 3 * MOST_NESTED])
def test_a_position_may_nest_any_number_of_remainders(times: int) -> None:
    A = te.placeholder((97,), name="A")
    B = te.compute((40,), lambda i: A[scrambled(i, times)], name="B")
    a = uniform(97)
    (b,) = interpreted(B, a)
    np.testing.assert_array_equal(b, a[scrambled(np.arange(40), times)])


def test_positions_of_a_chain_of_computes_nest_no_deeper_than_the_limit() -> None:
    last = first = te.placeholder((97,), name="A")
    for number in range(3 * MOST_NESTED):
        last = te.compute((97,), lambda i, x=last: x[(i * 3 + 1) % 97], name=f"step{number}")
    module, a = tilewright.build([first, last]), uniform(97)
    expected = a
    for _ in range(3 * MOST_NESTED):
        expected = expected[(np.arange(97) * 3 + 1) % 97]
    np.testing.assert_array_equal(module(a), expected)
    assert sum(kernel.calls for kernel in module.kernels) == 3
