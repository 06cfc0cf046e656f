"""Accuracy of the emitted math functions, in ulp of the exact result, and special values."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tilewright.lowering.loop_to_llvm import emit_kernel
from tilewright.machines.target import Target
from tilewright.support.accuracy import FUNCTIONS, TWICE_ROUNDED_ULP

from ..sweeps import in_turn
from .native import AVX2, AVX512, RUNNABLE, SSE2, Kernel, assembly, calls, only_function

VECTOR_TARGETS = [SSE2, AVX2, AVX512]

F32, F64 = np.float32, np.float64
INF, NAN = math.inf, math.nan
_vectorize = np.vectorize


def unary_text(
    op: str, dtype: str, lanes: int, size: int, arity: int = 1, *, strict: bool = False
) -> str:
    """Return a kernel that applies an op of some operands to every element of vectors."""
    attributes = "attributes {tw.strict_math} " if strict else ""
    vector = f"vector<{lanes}x{dtype}>" if lanes > 1 else dtype
    names = [f"%x{i}" for i in range(arity)]
    memref = f"memref<{size}x{dtype}>"
    arguments = ", ".join(f"{n}: {memref}" for n in [*names, "%y"])
    loads = "\n".join(
        f"%v{i} = loop.load {n}[%i * {lanes}] : {memref}, {vector}" for i, n in enumerate(names)
    )
    operands = ", ".join(f"%v{i}" for i in range(arity))
    return f"""
    func.func @k({arguments}) {attributes}{{
      loop.for %i = 0 to {size // lanes} {{
        {loads}
        %r = {op} {operands} : {vector}
        loop.store %r, %y[%i * {lanes}] : {memref}, {vector}
      }}
      func.return
    }}"""


def evaluate(
    op: str,
    *x: np.ndarray,
    target: Target,
    lanes: int | None = None,
    strict: bool = False,
    attributes: str = "",
) -> np.ndarray:
    """Run a math op natively on arrays; attributes: the text of the attributes of the op."""
    dtype = "f32" if x[0].dtype == F32 else "f64"
    lanes = lanes or target.lanes(32 if dtype == "f32" else 64)
    size = -(-len(x[0]) // lanes) * lanes
    padded = [np.resize(a, size) for a in x]
    out = np.empty(size, x[0].dtype)
    text = unary_text(op, dtype, lanes, size, len(x), strict=strict)
    last = f"%v{len(x) - 1}"
    text = text.replace(f"{last} :", f"{last} {attributes} :") if attributes else text
    Kernel(text, target)(*padded, out)
    return out[: len(x[0])]


def ulps(got: np.ndarray, want: np.ndarray) -> float:
    """Return the largest error in units of the last place; inf and NaN must agree."""
    with np.errstate(all="ignore"):
        rounded = want.astype(got.dtype)
    special = ~np.isfinite(rounded) | ~np.isfinite(got)
    np.testing.assert_array_equal(got[special], rounded[special])
    ok = ~special
    error = np.abs(got[ok].astype(np.longdouble) - want[ok])
    return float((error / np.abs(np.spacing(rounded[ok]))).max())


def _cast(x: np.ndarray, dtype: type) -> np.ndarray:
    with np.errstate(all="ignore"):
        return x.astype(dtype)


def exact(name: str):
    """Return a reference in longdouble, more accurate than f64 if numpy has the function."""
    table = {"erf": _vectorize(math.erf, otypes=[F64]), "rsqrt": lambda x: 1 / np.sqrt(x)}
    return table.get(name) or getattr(np, RENAMED.get(name, name))


RENAMED = {
    "asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh", "acosh": "arccosh",
    "atanh": "arctanh", "roundeven": "rint", "absf": "abs",
}  # fmt: skip


def samples(low: float, high: float, dtype: type, tiny: bool = True) -> np.ndarray:
    """Return dense samples of an interval; if it contains zero, also geometric ones to tiny."""
    parts = [np.linspace(low, high, 60001)]
    if tiny:
        floor = 1e-44 if dtype is F32 else 1e-320
        for bound in (low, high):
            if bound:
                size = np.geomspace(floor, abs(bound), 20001)
                parts.append(np.copysign(size, bound))
    x = np.concatenate(parts).astype(dtype)
    return x[(x >= dtype(low)) & (x <= dtype(high))]


CASES = [
    ("exp", (-110, 100)),
    ("exp2", (-155, 130)),
    ("expm1", (-100, 95)),
    ("log", (0, 3e38)),
    ("log", (0.5, 2)),
    ("log2", (0, 3e38)),
    ("log2", (0.5, 2)),
    ("log10", (0.5, 2)),
    ("log1p", (-0.999, 5)),
    ("tanh", (-12, 12)),
    ("sinh", (-95, 95)),
    ("cosh", (-95, 95)),
    ("erf", (-6, 6)),
    ("sin", (-1e5, 1e5)),
    ("sin", (-10, 10)),
    ("cos", (-1e5, 1e5)),
    ("tan", (-1e5, 1e5)),
    ("asin", (-1, 1)),
    ("acos", (-1, 1)),
    ("atan", (-100, 100)),
    ("asinh", (-1e6, 1e6)),
    ("asinh", (-3, 3)),
    ("acosh", (1, 10)),
    ("atanh", (-0.999, 0.999)),
    ("sqrt", (0, 3e38)),
    ("rsqrt", (1e-30, 3e30)),
]
"""Functions and intervals of operands."""


@pytest.mark.parametrize("target", RUNNABLE, ids=lambda t: t.cpu)
@pytest.mark.parametrize(("name", "interval"), CASES)
def test_error_is_within_the_documented_bound(name, interval, target):
    accuracy = FUNCTIONS[name]
    for dtype, bound in ((F32, accuracy.f32), (F64, accuracy.f64)):
        x = samples(*interval, dtype)
        with np.errstate(all="ignore"):
            wide = x.astype(np.longdouble) if name != "erf" else x.astype(F64)
            want = exact(name)(wide)
        got = evaluate(f"math.{name}", x, target=target)
        error = ulps(got, want)
        assert error <= bound + 0.01, f"{name} {dtype.__name__}: {error:.2f} ulp"


@pytest.mark.parametrize(("name", "interval"), CASES)
def test_strict_functions_are_within_one_ulp(name, interval):
    x = samples(*interval, F32)
    with np.errstate(all="ignore"):
        want = exact(name)(x.astype(np.longdouble) if name != "erf" else x.astype(F64))
    assert (
        ulps(evaluate(f"math.{name}", x, target=RUNNABLE[-1], strict=True), want)
        <= TWICE_ROUNDED_ULP
    )


def test_a_strict_exp_keeps_subnormal_results():
    x = np.linspace(-103, -87, 1024, dtype=F32)
    got = np.empty_like(x)
    text = unary_text("math.exp", "f32", 8, len(x), strict=True)
    Kernel(text.replace("%v0 :", "%v0 fastmath<afn> :"), RUNNABLE[-1])(x, got)
    assert ulps(got, np.exp(x.astype(np.longdouble))) <= TWICE_ROUNDED_ULP


@pytest.mark.parametrize("target", RUNNABLE, ids=lambda t: t.cpu)
@pytest.mark.parametrize("dtype", [F32, F64])
def test_pow(dtype, target):
    x = np.array([0, -0.0, 1, -1, 2, -2, 0.5, -0.5, INF, -INF, NAN, 3, 1e-30], dtype)
    y = np.array([0, -0.0, 1, -1, 2, 3, -3, 0.5, -0.5, INF, -INF, NAN, 1e10], dtype)
    a, b = (v.ravel().astype(dtype) for v in np.meshgrid(x, y))
    with np.errstate(all="ignore"):
        want = np.power(a.astype(np.longdouble), b)
    np.testing.assert_array_equal(
        np.isnan(evaluate("math.powf", a, b, target=target)), np.isnan(_cast(want, dtype))
    )
    assert ulps(evaluate("math.powf", a, b, target=target), want) <= (1 if dtype is F32 else 100)
    rng = np.random.default_rng(0)
    a, b = rng.uniform(0, 20, 20000).astype(dtype), rng.uniform(-8, 8, 20000).astype(dtype)
    want = np.power(a.astype(np.longdouble), b)
    assert ulps(evaluate("math.powf", a, b, target=target), want) <= (1 if dtype is F32 else 30)


@pytest.mark.parametrize("target", RUNNABLE, ids=lambda t: t.cpu)
@pytest.mark.parametrize("dtype", [F32, F64])
def test_atan2(dtype, target):
    v = np.array([0, -0.0, 1, -1, 1e-30, 5, -7, INF, -INF, NAN], dtype)
    y, x = (g.ravel() for g in np.meshgrid(v, v))
    got = evaluate("math.atan2", y, x, target=target)
    want = np.arctan2(y.astype(np.longdouble), x)
    assert ulps(got, want) <= FUNCTIONS["atan2"].f32
    np.testing.assert_array_equal(np.signbit(got), np.signbit(_cast(want, dtype)))


SPECIAL = np.array([0.0, -0.0, INF, -INF, NAN, 1.0, -1.0, 1e-45, -1e-45, 3.4e38, -3.4e38, 2, -2])


@pytest.mark.parametrize("target", RUNNABLE, ids=lambda t: t.cpu)
@pytest.mark.parametrize("name", sorted({c[0] for c in CASES}))
def test_special_values(name, target):
    large = np.abs(SPECIAL) > 1e9
    x = SPECIAL[~large | np.isinf(SPECIAL)] if name in ("sin", "cos", "tan") else SPECIAL
    if name in ("acosh", "asinh"):
        x = x[np.abs(x) != 3.4e38]
    for dtype in (F32, F64):
        a = x.astype(dtype)
        with np.errstate(all="ignore"):
            want = exact(name)(a if name == "erf" else a.astype(np.longdouble))
        got = evaluate(f"math.{name}", a, target=target)
        np.testing.assert_array_equal(np.isnan(got), np.isnan(want))
        assert ulps(got, want) <= 6


@pytest.mark.parametrize("target", RUNNABLE, ids=lambda t: t.cpu)
@pytest.mark.parametrize("name", ["floor", "ceil", "trunc", "roundeven", "absf"])
@pytest.mark.parametrize("dtype", [F32, F64])
def test_rounding_is_exact(name, dtype, target):
    big = 2.0 ** (23 if dtype is F32 else 52)
    x = np.array([0, 0.5, 1.5, 2.5, 0.49999997, 1.0, 7.7, big - 0.5, big, big * 4, INF], dtype)
    x = np.concatenate([x, -x, np.array([NAN], dtype), np.linspace(-9, 9, 999).astype(dtype)])
    got = evaluate(f"math.{name}", x, target=target)
    want = getattr(np, RENAMED.get(name, name))(x)
    np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(np.signbit(got), np.signbit(want))


@pytest.mark.parametrize("target", RUNNABLE, ids=lambda t: t.cpu)
@pytest.mark.parametrize("dtype", [F32, F64])
def test_remainders_are_exact(dtype, target):
    """Draw all bit patterns, and quotients next to a whole number, with random exponents."""
    bits = np.dtype(dtype).itemsize * 8
    rng = np.random.default_rng(0)
    words = rng.integers(0, 1 << 32, (2, 4000, bits // 32), dtype=np.uint32)
    x, y = words.view(dtype).reshape(2, -1)
    special = np.array([0, -0.0, 1, -3, 0.1, 1e-40, INF, -INF, NAN], dtype)
    with np.errstate(all="ignore"):
        x[:2000] = y[:2000] * np.floor(np.exp2(rng.uniform(0, 60, 2000))).astype(dtype)
        x = np.concatenate([x, np.repeat(special, len(special)), dtype([1, 3e38, 1e20])])
        y = np.concatenate([y, np.tile(special, len(special)), dtype([0.1, 1e-3, 7])])
        want = np.fmod(x, y)
    for lanes in (None, 1):
        got = evaluate("arith.remf", x, y, target=target, lanes=lanes)
        np.testing.assert_array_equal(got, want)
        is_number = ~np.isnan(want)
        np.testing.assert_array_equal(np.signbit(got[is_number]), np.signbit(want[is_number]))


def test_round_goes_away_from_zero():
    x = np.array([0.5, -0.5, 1.5, 2.5, 0.49999997, -2.4, 0.0], F32)
    got = evaluate("math.round", x, target=RUNNABLE[-1])
    np.testing.assert_array_equal(got, np.array([1, -1, 2, 3, 0, -2, 0], F32))


@pytest.mark.parametrize("lanes", [1, 2, 16])
def test_any_number_of_lanes_gives_the_same_bits(lanes):
    x = np.linspace(-20, 20, 4001).astype(F32)
    for name in ("exp", "erf", "tanh", "sin", "log1p"):
        got = evaluate(f"math.{name}", x, target=RUNNABLE[-1], lanes=lanes)
        np.testing.assert_array_equal(got, evaluate(f"math.{name}", x, target=RUNNABLE[-1]))


@pytest.mark.parametrize(
    ("dtype", "cpu"), in_turn(["f64", "f32", "f16", "bf16"], [(t.cpu,) for t in VECTOR_TARGETS])
)
def test_no_assembly_calls_a_library(dtype: str, cpu: str) -> None:
    (target,) = (each for each in VECTOR_TARGETS if each.cpu == cpu)
    names = sorted({c[0] for c in CASES} | {"floor", "ceil", "trunc", "roundeven", "absf", "round"})
    for lanes in (1, target.lanes(32)):
        binary = ["math.powf", "math.atan2", "math.copysign", "arith.remf"]
        for name in [*(f"math.{name}" for name in names), *binary]:
            text = unary_text(name, dtype, lanes, lanes * 4, 2 if name in binary else 1)
            asm = assembly(emit_kernel(only_function(text), target), target)
            assert not calls(asm), f"{name} {dtype} {lanes}: {calls(asm)}"


@pytest.mark.parametrize("target", RUNNABLE, ids=lambda t: t.cpu)
def test_exp_of_normals(target):
    x = np.concatenate([samples(-86.9, 88.7, F32), F32([-INF, -1e4, -88, INF, NAN])])
    x = np.resize(x, -(-len(x) // 16) * 16).astype(F32)
    text = unary_text("math.exp", "f32", target.lanes(32), len(x))
    y = np.empty_like(x)
    Kernel(text.replace("%v0 :", "%v0 fastmath<afn> :"), target)(x, y)
    with np.errstate(all="ignore"):
        want = np.exp(x.astype(np.longdouble))
    assert ulps(y[x >= -86.9], want[x >= -86.9]) <= 1.51
    assert (y[x <= -88] == 0).all()
    assert np.isnan(y[np.isnan(x)]).all()


def test_exp_is_short():
    text = unary_text("math.exp", "f32", 8, 8)
    lines = emit_kernel(only_function(text), AVX2).splitlines()
    start, end = (next(i for i, s in enumerate(lines) if w in s) for w in (" load <8", " store <8"))
    # Each of two limits is a comparison and a select.
    assert end - start - 1 <= 26
