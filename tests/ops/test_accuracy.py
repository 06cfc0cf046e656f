"""The bounds of support/accuracy.py at the extremes of each type, compared with longdouble."""

import math
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp, bf16
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation

import tilewright
from tilewright.dialects.dtypes import element_type
from tilewright.dialects.graph import ELEMENTWISE, BinaryOp, CastOp, MatmulOp, ReduceOp, SoftmaxOp
from tilewright.dialects.shape import tensor_type
from tilewright.interp.compare import relative_bound
from tilewright.support.accuracy import FLUSHED_BELOW, FUNCTIONS
from tilewright.testing.op_case import Array, np_dtype

Exact = np.longdouble
DTYPES = ["float32", "bfloat16"]
DTYPES += [pytest.param(name, marks=pytest.mark.nightly) for name in ("float64", "float16")]


def _pow_ulp(exponent_of_e: float) -> float:
    """Return the bound of pow for f64, whose relative error grows with ``|y log x|``.

    exponent_of_e: ``y log x`` of the result.
    """
    return FUNCTIONS["pow"].f64 + 2.0 * abs(exponent_of_e)


def _function_table() -> str:
    """Return the Markdown table of `FUNCTIONS` for docs/accuracy.md."""
    lines = ["| operator | f32 | f64 | f32, approximated | remark |", "|---|---|---|---|---|"]
    for name, accuracy in FUNCTIONS.items():
        rough = "" if accuracy.approximated is None else f"{accuracy.approximated:g}"
        remark = f"up to {accuracy.largest:g}; " if accuracy.largest < float("inf") else ""
        remark += "results below 2^-125 may be 0" if accuracy.flushes else accuracy.note
        lines.append(f"| {name} | {accuracy.f32:g} | {accuracy.f64:g} | {rough} | {remark} |")
    return "\n".join(lines)


def _erf(x: Array) -> Array:
    return np.vectorize(math.erf, otypes=[np.float64])(x.astype(np.float64)).astype(Exact)


def _sigmoid(x: Array) -> Array:
    e = np.exp(-np.abs(x))
    return np.where(x < 0, e, Exact(1)) / (1 + e)


REFERENCES = {
    "abs": np.abs, "neg": np.negative, "sign": np.sign, "ceil": np.ceil, "floor": np.floor,
    "round_even": np.rint, "sqrt": np.sqrt, "exp": np.exp, "expm1": np.expm1, "log": np.log,
    "log1p": np.log1p, "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin,
    "acos": np.arccos, "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh,
    "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh, "erf": _erf,
    "sigmoid": _sigmoid, "add": np.add, "sub": np.subtract, "mul": np.multiply,
    "div": np.divide, "mod": np.mod, "fmod": np.fmod, "pow": np.power, "max": np.maximum,
    "min": np.minimum,
}  # fmt: skip


def extremes(dtype: np.dtype) -> Array:
    """Return infinities, NaN, the ends of the type's range, and numbers of all magnitudes."""
    info = ml_dtypes.finfo(dtype)
    largest, tiny, least = (float(x) for x in (info.max, info.tiny, info.smallest_subnormal))
    special = [0, least, tiny, 1.5 * tiny, 1e-3, 0.5, 0.9999, 1, 1.0001, 1.5, 2.5, 3, 20]
    special += [87, 88.5, 700, 1e4, 1e6, largest / 2, largest, math.inf]
    rng = np.random.default_rng(0)
    drawn = [rng.uniform(-r, r, 300) for r in (1, 5, 90)]
    ends = np.log(least), np.log(largest)
    sizes = np.exp(rng.uniform(*ends, 300)) * rng.choice([-1, 1], 300)
    with np.errstate(all="ignore"):
        values = np.concatenate([special, np.negative(special), [math.nan], *drawn, sizes])
        return values.astype(dtype)


def ulps(got: Array, want: Array) -> Array:
    """Return the errors in ulp of the exact results; 0 where both round to the same special value.

    want: in longdouble.
    """
    info = ml_dtypes.finfo(got.dtype)
    with np.errstate(all="ignore"):
        rounded = want.astype(got.dtype).astype(Exact)
        size = np.maximum(np.abs(rounded), Exact(info.tiny))
        unit = np.exp2(np.floor(np.log2(size))) * Exact(info.eps)
        wide = got.astype(Exact)
        errors = np.abs(wide - want) / unit
    same = (wide == rounded) | (np.isnan(wide) & np.isnan(rounded))
    return np.where(same & ~np.isfinite(rounded), 0, np.where(np.isnan(errors), np.inf, errors))


def run(ops: list[Operation], func: FuncOp, inputs: list[Array], precision: str) -> list[Array]:
    """Compile a function that returns the results of some ops, and run it."""
    func.body.block.add_ops([*ops, ReturnOp(*(op.results[0] for op in ops))])
    func.update_function_type()
    module = tilewright.compile_module(ModuleOp([func]), cache=False, precision=precision)
    return [np.asarray(result) for result in module.run(inputs)]


def function_of(inputs: list[Array]) -> FuncOp:
    types = [tensor_type(element_type(x.dtype), x.shape) for x in inputs]
    return FuncOp("main", (types, []))


@pytest.mark.parametrize(
    ("dtype", "precision"),
    [(name, "default") for name in ("float32", "bfloat16")]
    + [
        pytest.param(*row, marks=pytest.mark.nightly)
        for row in [("float64", "default"), ("float16", "default"), ("float32", "strict")]
    ],
)
def test_elementwise_operators_are_within_their_bounds(dtype: str, precision: str) -> None:
    x = extremes(np_dtype(dtype))
    y = np.roll(x, 37)
    func = function_of([x, y])
    operands = {name: (x, y) if issubclass(ELEMENTWISE[name], BinaryOp) else (x,)
                for name in REFERENCES}  # fmt: skip
    ops = [ELEMENTWISE[name](*func.body.block.args[: len(operands[name])]) for name in REFERENCES]
    results = run(ops, func, [x, y], precision)
    for name, got in zip(REFERENCES, results, strict=True):
        accuracy = FUNCTIONS[name]
        with np.errstate(all="ignore"):
            want = REFERENCES[name](*(a.astype(Exact) for a in operands[name])).astype(Exact)
            bound = np.full(x.shape, accuracy.ulp(dtype, strict=precision == "strict"))
            if name == "pow" and dtype == "float64":
                bound = np.nan_to_num(_pow_ulp(np.log(np.abs(want))), posinf=1e9).astype(float)
        is_inside = ~(np.abs(x.astype(np.float64)) > accuracy.largest) | np.isinf(x)
        if accuracy.flushes:
            is_inside &= ~((np.abs(want) < FLUSHED_BELOW) & (got == 0))
        errors = np.where(is_inside, ulps(got, want), 0)
        worst = int(np.argmax(errors - bound))
        assert errors[worst] <= bound[worst] + 1e-3, f"{name} of {x[worst]}, {y[worst]}"


@pytest.mark.parametrize("dtype", DTYPES)
def test_sums_are_within_their_bounds(dtype: str) -> None:
    """Draw terms whose magnitudes differ by 2^20 and cancel, and a softmax of extreme scores."""
    rng = np.random.default_rng(1)
    x = np.ldexp(rng.choice([-1.0, 1.0], (3, 1031)), rng.integers(-10, 10, (3, 1031)))
    x[:, 515:1030] = -x[:, :515] * (1 + 2.0**-6)
    w = rng.standard_normal((1031, 5))
    scores = np.array([[-1e4, -100, 80, 88, 88.5], [3e4, 3e4, 3e4, -3e4, 0], [0, 0, 1, -1, 1e-4]])
    inputs = [a.astype(np_dtype(dtype)) for a in (x, w, scores)]
    func = function_of(inputs)
    a, b, c = func.body.block.args
    ops = [ReduceOp(a, kind="sum", axes=[1]), MatmulOp(a, b), SoftmaxOp(c, 1)]
    got = run(ops, func, inputs, "default")
    x, w, scores = (each.astype(Exact) for each in inputs)
    e = np.exp(scores - scores.max(1, keepdims=True))
    soft = e / e.sum(1, keepdims=True)
    exact = [x.sum(1, keepdims=got[0].ndim == 2), x @ w, soft]
    sizes = [np.abs(x).sum(1, keepdims=got[0].ndim == 2), np.abs(x) @ np.abs(w), soft]
    for result, want, size in zip(got, exact, sizes, strict=True):
        error = np.abs(result.astype(Exact) - want)
        assert (error <= relative_bound(result.dtype) * size + FLUSHED_BELOW).all()
    assert (got[2].astype(np.float64).sum(1) > 0.99).all()


def test_every_float_operator_has_a_bound_and_the_documents_show_it() -> None:
    exact = {"is_nan", "eq", "lt", "le"}
    floats = {name for name, op in ELEMENTWISE.items() if op.KIND in ("float", "number", "any")}
    assert floats - exact <= FUNCTIONS.keys()
    assert floats - exact <= REFERENCES.keys()
    assert _function_table() in (Path(__file__).parents[2] / "docs" / "accuracy.md").read_text()


def test_conversions_round_ties_to_even() -> None:
    """x86-64-v3 converts bfloat16 by integer instructions."""
    bits = np.arange(0x3F7F4000, 0x3F7F4000 + (64 << 14), 1 << 14, dtype=np.uint32)
    x = np.concatenate([bits.view(np.float32), -bits.view(np.float32)])
    func = function_of([x])
    func.body.block.add_ops([op := CastOp(func.body.block.args[0], bf16), ReturnOp(op.out)])
    func.update_function_type()
    module = tilewright.compile_module(ModuleOp([func]), target="x86-64-v3", cache=False)
    (got,) = (np.asarray(result) for result in module.run([x]))
    np.testing.assert_array_equal(got, x.astype(ml_dtypes.bfloat16))
