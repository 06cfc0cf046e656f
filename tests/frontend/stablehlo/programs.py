"""Functions in jax whose texts and values the tests read: every imported op, and ten models.

A case has a name, a function and its inputs. `make_texts.py` writes the texts; where jax is
installed, the tests also export and run the functions themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_include_full_tracebacks_in_locations", False)


@dataclass(frozen=True)
class Case:
    """A function with inputs. shapes: symbolic shapes of the inputs, if any are dynamic."""

    name: str
    function: Callable[..., Any]
    inputs: tuple[np.ndarray, ...]
    shapes: tuple[str, ...] = ()

    def text(self) -> str:
        """Return the text that jax.export writes."""
        scope = jax.export.SymbolicScope()
        specs = [
            jax.ShapeDtypeStruct(jax.export.symbolic_shape(shape, scope=scope), x.dtype)
            for shape, x in zip(self.shapes, self.inputs, strict=bool(self.shapes))
        ]
        given = specs or [jax.ShapeDtypeStruct(x.shape, x.dtype) for x in self.inputs]
        return jax.export.export(jax.jit(self.function, keep_unused=True))(*given).mlir_module()

    def values(self) -> list[np.ndarray]:
        """Return the outputs that jax computes."""
        made = jax.jit(self.function)(*map(jnp.asarray, self.inputs))
        return [np.asarray(x) for x in jax.tree.leaves(made)]


class _Random:
    """Random inputs of a case."""

    def __init__(self, name: str) -> None:
        self.rng = np.random.default_rng([*name.encode()])

    def __call__(self, *shape: int, dtype: Any = "float32", low: int = -20, high: int = 20) -> Any:
        kind = np.dtype(dtype)
        if kind.kind == "b":
            return self.rng.integers(0, 2, shape).astype(bool)
        if kind.kind in "iu":
            return self.rng.integers(0 if kind.kind == "u" else low, high, shape).astype(kind)
        return self.rng.standard_normal(shape).astype(kind)


UNARY = {
    "abs": jnp.abs,
    "cbrt": lax.cbrt,
    "ceil": jnp.ceil,
    "cosine": lax.cos,
    "exponential": lax.exp,
    "exponential_minus_one": lax.expm1,
    "floor": jnp.floor,
    "is_finite": lax.is_finite,
    "log": lambda x: lax.log(jnp.abs(x) + 1e-2),
    "log_plus_one": lambda x: lax.log1p(jnp.abs(x)),
    "logistic": lax.logistic,
    "negate": jnp.negative,
    "round_nearest_afz": lambda x: lax.round(x * 2, lax.RoundingMethod.AWAY_FROM_ZERO),
    "round_nearest_even": lambda x: lax.round(x * 2, lax.RoundingMethod.TO_NEAREST_EVEN),
    "rsqrt": lambda x: lax.rsqrt(jnp.abs(x) + 1e-2),
    "sign": lax.sign,
    "sine": lax.sin,
    "sqrt": lambda x: lax.sqrt(jnp.abs(x)),
    "tan": lax.tan,
    "tanh": lax.tanh,
    "erf": lax.erf,
    "erf_inv": lambda x: lax.erf_inv(jnp.tanh(x)),
    "lgamma": lax.lgamma,
    "hyperbolic": lambda x: (jnp.sinh(x), jnp.cosh(x), jnp.arcsinh(x), jnp.arctanh(jnp.tanh(x))),
    "angles": lambda x: (jnp.arcsin(jnp.tanh(x)), jnp.arccos(jnp.tanh(x)), jnp.arctan(x)),
    "reduce_precision": lambda x: (lax.reduce_precision(x, 5, 10), lax.reduce_precision(x, 8, 7)),
}
BINARY = {
    "add": lax.add,
    "atan2": lax.atan2,
    "divide": lambda x, y: lax.div(x, y),
    "maximum": lax.max,
    "minimum": lax.min,
    "multiply": lax.mul,
    "power": lambda x, y: lax.pow(jnp.abs(x), y),
    "remainder": lax.rem,
    "subtract": lax.sub,
    "compare": lambda x, y: (x < y, x <= y, x == y, x != y, x > y, x >= y),
}
INTEGER = {
    "divide": lambda x, y: lax.div(x, y),
    "remainder": lambda x, y: lax.rem(x, y),
    "multiply": lax.mul,
    "subtract": lax.sub,
    "and": lax.bitwise_and,
    "or": lax.bitwise_or,
    "xor": lax.bitwise_xor,
    "not": lambda x, _: lax.bitwise_not(x),
    "shifts": lambda x, y: (
        lax.shift_left(x, y),
        lax.shift_right_logical(x, y),
        lax.shift_right_arithmetic(x, y),
    ),
    "bits": lambda x, y: (lax.population_count(x), lax.clz(y)),
    "clamp": lambda x, _: lax.clamp(x.dtype.type(2), x, x.dtype.type(9)),
    "compare": lambda x, y: (x < y, x <= y, x == y, x != y, x > y, x >= y),
    "maximum": lambda x, y: (lax.max(x, y), lax.min(x, y), lax.sign(x), jnp.abs(x)),
}
FLOATS = ("float32", "float16", jnp.bfloat16)
INTEGERS = ("int32", "int64", "uint8", "uint32", "int8")


def elementwise() -> Iterator[Case]:
    """Yield a case for each elementwise op, of several types in one function."""
    for name, function in UNARY.items():
        r = _Random(name)
        yield Case(f"unary_{name}", lambda *xs, f=function: [f(x) for x in xs], _of(r, FLOATS))
    for name, function in BINARY.items():
        r = _Random(name)
        pairs = _of(r, FLOATS) + _of(r, FLOATS)
        yield Case(f"binary_{name}", _pairs(function), pairs)
    for name, function in INTEGER.items():
        r = _Random(name)
        second = tuple(r(3, 5, dtype=d, low=1, high=7) | np.array(1, d) for d in INTEGERS)
        yield Case(f"integer_{name}", _pairs(function), _of(r, INTEGERS) + second)


def _of(r: _Random, dtypes: tuple[Any, ...]) -> tuple[np.ndarray, ...]:
    return tuple(r(3, 5, dtype=dtype) for dtype in dtypes)


def _pairs(function: Callable[..., Any]) -> Callable[..., Any]:
    def of_pairs(*xs: Any) -> Any:
        half = len(xs) // 2
        return [function(x, y) for x, y in zip(xs[:half], xs[half:], strict=True)]

    return of_pairs


def _special(x: Any, y: Any) -> Any:
    whole = [jnp.abs, lax.sign, jnp.floor, lax.is_finite, lax.tanh, lax.exp, lax.cbrt, lax.rsqrt]
    ties = lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO)
    order = [lax.max(x, y), lax.min(x, y), x < y, x == y, x != y, lax.atan2(x, y)]
    return [f(x) for f in whole], ties, order


def _special_values() -> tuple[np.ndarray, ...]:
    inf, nan = np.inf, np.nan
    numbers = np.array([inf, -inf, nan, 0.0, -0.0, 0.5, -0.5, 2.5, 0.49999997, 1e30], "float32")
    xs, ys = np.meshgrid(numbers, numbers)
    return xs.reshape(-1), ys.reshape(-1)


def bools_and_conversions() -> Iterator[Case]:
    """Yield cases of booleans, special numbers and conversions."""
    r = _Random("bools")
    yield Case(
        "bools",
        lambda x, y: (x & y, x | y, x ^ y, ~x, x == y, x != y, x.any(1), x.all(0), x.sum(1)),
        (r(4, 6, dtype=bool), r(4, 6, dtype=bool)),
    )
    yield Case("special_values", _special, _special_values())
    targets = ("int32", "int8", "uint8", "float16", "bfloat16", "float32", "bool", "int64")
    yield Case(
        "convert",
        lambda *xs: [[x.astype(t) for t in targets] for x in xs],
        (r(3, 5), r(3, 5, dtype="int32"), r(3, 5, dtype="uint8"), r(3, 5, dtype=bool)),
    )
    yield Case(
        "bitcast_convert",
        lambda x, y: (
            lax.bitcast_convert_type(x, jnp.int32),
            lax.bitcast_convert_type(x, jnp.uint8),
            lax.bitcast_convert_type(y, jnp.float32),
        ),
        (r(3, 4), r(3, 4, dtype="uint8", high=60)),
    )
    yield Case(
        "select",
        lambda p, q, x, y: (
            jnp.where(p, x, y),
            lax.select(q, x, y),
            lax.clamp(np.float32(-0.5), x, np.float32(0.5)),
        ),
        (r(3, 5, dtype=bool), np.array(True), r(3, 5), r(3, 5)),
    )


def moves() -> Iterator[Case]:
    """Yield cases of ops that create and move elements."""
    r = _Random("moves")
    pads = ((1, 2, 0), (0, -1, 2), (-1, 3, 1))
    yield Case(
        "pad",
        lambda x, v: (
            lax.pad(x, np.float32(1.5), pads),
            lax.pad(x, v, pads),
            lax.pad(x > 0, True, pads),
        ),
        (r(3, 4, 5), np.array(0.25, "float32")),
    )
    yield Case(
        "slice",
        lambda x: (x[1:, ::2], lax.slice(x, (0, 1), (4, 6), (2, 3)), lax.rev(x, (0, 1)), x[::-1]),
        (r(5, 7),),
    )
    yield Case(
        "shapes",
        lambda x: (
            x.reshape(4, 6),
            x.transpose(2, 0, 1),
            x[:, None, :, :],
            jnp.broadcast_to(x, (5, 2, 3, 4)),
            jnp.concatenate([x, x * 2, x[:, :1]], 1),
            lax.broadcast_in_dim(x[0, 0], (4, 3), (0,)),
            jnp.tile(x, (1, 2, 1)),
            jnp.stack([x, x], 1),
        ),
        (r(2, 3, 4),),
    )
    yield Case(
        "create",
        lambda x: (
            jnp.arange(5) + x.astype(int),
            lax.iota(jnp.bfloat16, 4),
            jnp.eye(3),
            jnp.tri(4, dtype=bool),
            jnp.full((2, 3), 7, jnp.uint8),
            jnp.asarray(np.arange(300) % 7 == 0),
            jnp.asarray(np.arange(300, dtype="float16")),
            jnp.zeros((0, 3)),
        ),
        (np.array(2.0, "float32"),),
    )


def products() -> Iterator[Case]:
    """Yield cases of matrix products."""
    r = _Random("products")
    specs = (
        "ij,jk->ik",
        "ij,kj->ik",
        "ji,jk->ik",
        "bij,bjk->bik",
        "bij,bkj->kbi",
        "bhid,bjhd->bhij",
    )
    sizes = dict(zip("bhijkd", (2, 3, 4, 5, 6, 7), strict=True))
    arrays = [
        r(*(sizes[c] for c in part)) for s in specs for part in s.partition("->")[0].split(",")
    ]
    yield Case(
        "einsum",
        lambda *xs: [jnp.einsum(s, *xs[2 * n : 2 * n + 2]) for n, s in enumerate(specs)],
        tuple(arrays),
    )
    yield Case(
        "dot_general",
        lambda x, y, v: (
            x @ v,
            v @ v,
            jnp.outer(v, v),
            jnp.tensordot(x, y, 2),
            lax.dot_general(x, x, (((1,), (1,)), ((0,), (0,)))),
            lax.dot(
                x.astype(jnp.bfloat16), v.astype(jnp.bfloat16), preferred_element_type="float32"
            ),
            lax.dot(x.astype("int8"), x.T.astype("int8"), preferred_element_type="int32"),
        ),
        (r(3, 4), r(3, 4), r(4)),
    )


def convolutions() -> Iterator[Case]:
    """Yield cases of convolutions."""
    r = _Random("convolutions")
    x, w = r(2, 9, 10, 4), r(3, 2, 4, 6)
    names = ("NHWC", "HWIO", "NHWC")
    options: list[dict[str, Any]] = [
        {"window_strides": (1, 1), "padding": "SAME"},
        {"window_strides": (2, 3), "padding": ((2, 0), (0, 1))},
        {"window_strides": (1, 1), "padding": "VALID", "rhs_dilation": (2, 1)},
        {"window_strides": (1, 1), "padding": ((1, 2), (1, 0)), "lhs_dilation": (2, 3)},
        {"window_strides": (2, 1), "padding": ((1, 1), (0, 0)), "lhs_dilation": (2, 1)},
        {"window_strides": (1, 1), "padding": ((-1, 0), (0, -2))},
    ]
    yield Case(
        "convolution",
        lambda x, w: [
            lax.conv_general_dilated(x, w, dimension_numbers=names, **each) for each in options
        ],
        (x, w),
    )
    yield Case(
        "convolution_groups",
        lambda x, w, d, t: (
            lax.conv_general_dilated(
                x, w, (1, 1), "SAME", dimension_numbers=names, feature_group_count=2
            ),
            lax.conv_general_dilated(
                x, d, (1, 1), "SAME", dimension_numbers=names, feature_group_count=4
            ),
            lax.conv_general_dilated(
                x,
                w,
                (1, 1),
                ((2, 2), (1, 1)),
                lhs_dilation=(2, 2),
                dimension_numbers=names,
                feature_group_count=2,
            ),
            lax.conv_transpose(x, t, (2, 2), "SAME", dimension_numbers=names),
            lax.conv_transpose(
                x, t, (2, 2), "SAME", dimension_numbers=names, transpose_kernel=True
            ),
        ),
        (r(2, 6, 7, 4), r(3, 3, 2, 6), r(3, 3, 1, 8), r(3, 3, 4, 4)),
    )
    yield Case(
        "convolution_ranks",
        lambda x, w, y, v: (
            lax.conv(x, w, (1,), "SAME"),
            lax.conv(y, v, (1, 2, 1), "VALID"),
            lax.conv_general_dilated(
                x,
                w,
                (1,),
                "SAME",
                dimension_numbers=lax.ConvDimensionNumbers((0, 1, 2), (0, 1, 2), (2, 0, 1)),
            ),
        ),
        (r(2, 3, 9), r(4, 3, 3), r(1, 2, 4, 5, 6), r(3, 2, 2, 3, 2)),
    )


def reductions() -> Iterator[Case]:
    """Yield cases of reductions over axes and windows."""
    r = _Random("reductions")
    x, n = r(3, 4, 5), r(3, 4, 5, dtype="int32")
    yield Case(
        "reduce",
        lambda x, n: [
            (v.sum((0, 2)), v.prod(1), v.max(), v.min(0), jnp.argmax(v, 1), jnp.argmin(v, 2))
            for v in (x, n)
        ],
        (x, n),
    )
    yield Case(
        "reduce_init",
        lambda x, n: (
            lax.reduce(x, np.float32(2.5), lax.add, (1,)),
            lax.reduce(x, np.float32(0.1), lax.max, (0, 1)),
            lax.reduce(n, np.int32(3), lax.min, (2,)),
        ),
        (x, n),
    )
    yield Case(
        "reduce_general",
        lambda x, n: (
            lax.reduce((x, n), (np.float32(0), np.int32(1)), _larger_size, (1,)),
            lax.reduce(x, np.float32(1), lambda a, b: jnp.maximum(a, -b) * 0.5 + a * 0, (0,)),
            lax.reduce(n, np.int32(0), lax.bitwise_xor, (1,)),
        ),
        (x, n),
    )
    yield Case(
        "reduce_window",
        lambda x, n: (
            lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2), (1, 1, 2), "SAME"),
            lax.reduce_window(x, np.float32(0), lax.add, (2, 1, 3), (1, 2, 1), "VALID"),
            lax.reduce_window(x, np.float32(1), lax.add, (2, 2, 2), (1, 1, 1), "SAME"),
            lax.reduce_window(
                x, jnp.inf, lax.min, (1, 3, 2), (1, 1, 1), "SAME", window_dilation=(1, 1, 2)
            ),
            lax.reduce_window(n, np.int32(1), lax.mul, (1, 1, 3), (1, 1, 2), "VALID"),
            lax.reduce_window(n, np.int32(2**31 - 1), lax.min, (2, 1, 2), (1, 1, 1), "SAME"),
            lax.reduce_window(
                x, -jnp.inf, lax.max, (1, 1, 2), (1, 1, 1), "VALID", base_dilation=(1, 1, 2)
            ),
            lax.reduce_window(x > 0, False, lax.bitwise_or, (1, 2, 1), (1, 1, 1), "VALID"),
        ),
        (x, n),
    )
    yield Case(
        "cumulative",
        lambda x, n: (
            jnp.cumsum(x, 1),
            lax.cumsum(n, 0, reverse=True),
            lax.cummax(x, 2),
            lax.cumprod(x, 1),
            lax.cummin(n, 1, reverse=True),
            lax.cumlogsumexp(x, 1),
        ),
        (x, n),
    )


def _larger_size(a: Any, b: Any) -> Any:
    return jnp.where(jnp.abs(a[0]) > jnp.abs(b[0]), a[0], b[0]), a[1] * 3 + b[1]


def indexing() -> Iterator[Case]:
    """Yield cases of gathers, scatters, dynamic slices and sorts."""
    r = _Random("indexing")
    t = r(6, 5, 4)
    i, j = r(3, 2, dtype="int32", low=-9, high=9), r(3, 2, dtype="int32", low=-9, high=9)
    yield Case(
        "gather",
        lambda t, i, j: (
            t[i],
            t[:, i],
            t[i, j],
            t[i, :, j],
            t[i, 1:3],
            jnp.take(t, i, 1, mode="clip"),
            jnp.take(t, i, 0, mode="wrap"),
            jnp.take_along_axis(t, jnp.abs(i)[:, :1, None] % 4, 0, mode="clip"),
            jnp.take_along_axis(t[:3, :2], jnp.abs(i)[:, :, None] % 4, 2),
            jax.vmap(lambda x, k: lax.dynamic_slice(x, (k, np.int32(1)), (2, 3)))(t[:3], i[:, 0]),
            jax.vmap(lambda k: lax.dynamic_slice(t, (k, np.int32(0), np.int32(1)), (2, 5, 2)))(
                i[:, 1]
            ),
        ),
        (t, i, j),
    )
    yield Case(
        "scatter",
        lambda t, i, j, u: (
            t.at[i[:, 0]].set(u),
            t.at[i].add(1.0),
            t.at[:, i].multiply(2.0),
            t.at[i, j].max(u[0, 0]),
            t.at[i, j, 1].min(u[:, :2, 0]),
            t.at[i[0], 1:3].add(u[:2, :2]),
            jax.ops.segment_sum(u, jnp.abs(i[:, 0]) % 4, 5),
            jax.vmap(lambda x, k, v: x.at[k].add(v))(t[:3], i, u[:, :2]),
            jax.vmap(lambda x, k, v: lax.dynamic_update_slice(x, v, (k, np.int32(1))))(
                t[:3], i[:, 0], u[:, :2, :2]
            ),
        ),
        (t, i + np.arange(6, dtype="int32").reshape(3, 2) * 20 % 13, j, r(3, 5, 4)),
    )
    yield Case(
        "dynamic_slice",
        lambda t, a, b, u: (
            lax.dynamic_slice(t, (a, b, np.int32(0)), (2, 3, 4)),
            lax.dynamic_slice(t, (a, np.int32(1), b), (1, 4, 4)),
            lax.dynamic_update_slice(t, u, (a, b, np.int32(0))),
            lax.dynamic_update_slice(t, u, (1, 2, 3)),
            lax.dynamic_update_slice(t, u[:, :, :1], (a, b, a)),
            lax.dynamic_index_in_dim(t, b, 1),
        ),
        (t, np.array(2, "int32"), np.array(-1, "int32"), r(2, 3, 4)),
    )
    x = r(4, 7)
    x[1, 2], x[2, 3], x[0, 0], x[0, 1], x[3, 3] = np.nan, -np.inf, 0.0, -0.0, x[3, 2]
    yield Case(
        "sort",
        lambda x, n: (
            jnp.sort(x, 1),
            jnp.sort(x, 0, descending=True),
            jnp.argsort(x, 1),
            lax.sort((n, x), dimension=1, num_keys=1),
            lax.top_k(x[2:], 3),
            jnp.sort(n > 3, 1),
            jnp.median(x[2:], 1),
        ),
        (x, r(4, 7, dtype="int32")),
    )


def complex_numbers() -> Iterator[Case]:
    """Yield cases of Fourier transforms, and of complex values between real ones."""
    r = _Random("complex_numbers")
    x, y = r(2, 12), r(2, 12)
    yield Case(
        "fourier",
        lambda x, y: (
            jnp.abs(jnp.fft.rfft(x)),
            jnp.fft.irfft(jnp.fft.rfft(x) * jnp.exp(-1j * jnp.arange(7)).astype("complex64")),
            jnp.real(jnp.fft.ifft2(jnp.fft.fft2(lax.complex(x, y)) * 2j)),
            jnp.fft.irfftn(jnp.fft.rfftn(x)),
            jnp.fft.irfft(jnp.fft.rfft(x[:, :11]), n=11),
        ),
        (x, y),
    )
    yield Case(
        "complex",
        _parts(
            lambda c, d: (
                *(c + d, c - d, c * d, c / (d + 1), -c, jnp.conj(c), c == d, c != d, jnp.abs(c)),
                *(c[:, ::2], c.T, jnp.concatenate([c, d]), jnp.where(c.real > 0, c, d)),
                *(c.reshape(4, 6), jnp.flip(c, 1), jnp.pad(c, 1), c @ d.T, jnp.sum(c, 1)),
                c * np.array([[1 + 2j] * 12, [3 - 1j] * 12], np.complex64),
                jnp.abs(c * 0),
            )
        ),
        (x, y),
    )
    yield Case(
        "complex_control",
        _parts(
            lambda c, d: (
                lax.fori_loop(0, 3, lambda _, v: v * d + 1, c),
                lax.cond(c[0, 0].real > 0, lambda v: v * 2j, lambda v: v + 1j, c),
                *lax.scan(lambda s, v: (s * v, s + v), c[0], d),
            )
        ),
        (x, y),
    )


def _parts(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of two complex values as one of real values, with all parts."""

    def of_parts(x: Any, y: Any) -> Any:
        made = function(lax.complex(x, y), lax.complex(y + 1, jnp.where(x > 0, x, y)))
        return [p for v in made for p in ((v.real, v.imag) if jnp.iscomplexobj(v) else (v,))]

    return of_parts


def control() -> Iterator[Case]:
    """Yield cases of control flow and of calls."""
    r = _Random("control")
    x, h = r(5, 4), r(4)
    yield Case(
        "scan",
        lambda x, h: (
            lax.scan(lambda c, e: (jnp.tanh(c + e), c * 2), h, x),
            lax.scan(lambda c, e: (jnp.tanh(c + e), c * 2), h, x, reverse=True),
            lax.map(lambda e: e.sum(), x),
            lax.scan(lambda c, _: (c * 0.5, None), h, None, length=3)[0],
            lax.scan(lambda c, e: (c + e, c), h, x, unroll=2),
        ),
        (x, h),
    )
    yield Case(
        "loops",
        lambda x, h: (
            lax.fori_loop(0, 5, lambda n, s: s + x[n] * n, h),
            lax.fori_loop(2, 4, lambda n, s: s.at[n].add(x[-n].sum()), h),
            lax.while_loop(
                lambda s: s[0].sum() < 100, lambda s: (s[0] * 2, s[1] + 1), (h**2 + 1, 0)
            ),
            lax.while_loop(lambda s: s < 0, lambda s: s + 1, 3),
            lax.fori_loop(0, 3, lambda n, s: lax.fori_loop(0, 2, lambda m, u: u + n * m, s), h),
        ),
        (x, h),
    )
    yield Case(
        "branches",
        lambda n, x: (
            lax.cond(n > 1, lambda v: v * 2, lambda v: v - 1, x),
            lax.switch(n, [lambda v: v * 2, lambda v: v - 1, lambda v: jnp.sin(v)], x),
            lax.switch(n + 7, [lambda v: v, lambda v: v + 5], x),
            lax.cond(True, lambda v: v + 1, lambda v: v, x),
        ),
        (np.array(1, "int32"), h),
    )
    yield Case(
        "random",
        lambda k: (
            jax.random.normal(k, (5,), "float32"),
            jax.random.uniform(k, (4,), "float32"),
            jax.random.randint(k, (6,), 0, 9),
            jax.random.split(k, 3),
        ),
        (np.array([3, 5], "uint32"),),
    )
