"""te.gradient and te.jvp agree with central differences, and with closed forms."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright import te
from tilewright.dialects.te.derivatives import DERIVATIVES, REFUSED, STEPS
from tilewright.interp.program import interpret
from tilewright.lowering.loop_to_llvm.arithmetic import FLOAT_BINARY
from tilewright.lowering.loop_to_llvm.math_table import MATH
from tilewright.support.diagnostics import NoGradient, TypeMismatch

from .differences import Array, assert_gradients

RNG = np.random.default_rng(0)


def placeholder(*shape: Any, name: str = "X") -> te.Tensor:
    return te.placeholder(shape, "float64", name)


def program(inputs: Sequence[te.Tensor], *outputs: te.Tensor) -> Callable[..., list[Array]]:
    """Return the interpreted program of some tensors."""
    from tilewright.frontend.te.program import make_program, signature_of

    module = make_program(signature_of(outputs, [*inputs, *outputs]), "main")
    module.verify()
    return lambda *arrays: [np.asarray(a) for a in interpret(module, list(arrays))]


def check(y: te.Tensor, inputs: Sequence[te.Tensor], arrays: Sequence[Array]) -> list[Array]:
    """Compare te.gradient of y with differences; return the gradients."""
    head = te.placeholder(y.shape, y.dtype, "head")
    gradients = te.gradient(y, inputs, head=head)
    forward = program(inputs, y)
    ones = forward(*arrays)[0]
    cotangent = np.random.default_rng(1).uniform(0.5, 1.5, ones.shape)
    made = program([*inputs, head], *gradients)(*arrays, cotangent)
    assert_gradients(lambda *a: forward(*a)[0], arrays, made, cotangent)
    return made


def test_matrix_product_in_machine_code() -> None:
    x, w = placeholder(8, 4, name="X"), placeholder(4, 3, name="W")
    k = te.reduce_axis((0, 4), name="k")
    y = te.compute((8, 3), lambda i, j: te.sum(x[i, k] * w[k, j], axis=k), name="Y")
    dx, dw = te.gradient(y, [x, w])
    schedule = te.create_schedule([dx.op, dw.op])
    schedule[dx].parallel(dx.op.axis[0])
    a, b = RNG.standard_normal((8, 4)), RNG.standard_normal((4, 3))
    made_x, made_w = tilewright.build(schedule, [x, w, dx, dw])(a, b)
    np.testing.assert_allclose(made_x, np.ones((8, 3)) @ b.T, rtol=1e-13)
    np.testing.assert_allclose(made_w, a.T @ np.ones((8, 3)), rtol=1e-13)


MAPS: dict[str, tuple[tuple[int, ...], tuple[int, ...], int, Callable[..., tuple[Any, ...]]]] = {
    "transposed": ((4, 6), (6, 4), 1, lambda i, j, r: (j, i)),
    "window": ((8,), (6,), 3, lambda i, r: (i + r,)),
    "strided": ((9,), (4,), 3, lambda i, r: (2 * i + r,)),
    "dilated": ((12,), (3,), 3, lambda i, r: (3 * i + 2 * r,)),
    "sparse": ((12,), (3,), 2, lambda i, r: (4 * i + r,)),
    "gaps": ((12,), (3,), 2, lambda i, r: (4 * i + 2 * r,)),
    "reversed": ((5,), (5,), 1, lambda i, r: (4 - i,)),
    "falling": ((8,), (6,), 3, lambda i, r: (5 - i + r,)),
    "halved": ((4,), (8,), 1, lambda i, r: (i // 2,)),
    "digits": ((3, 4), (12,), 1, lambda i, r: (i // 4, i % 4)),
    "shuffled": ((2, 3, 2), (4, 3), 1, lambda i, j, r: (i % 2, j, i // 2)),
    "diagonal": ((5, 5), (5,), 1, lambda i, r: (i, i)),
    "one row": ((5, 3), (3,), 1, lambda i, r: (2, i)),
    "summed": ((6, 6), (3, 3), 4, lambda i, j, r: (i + r, j + r)),
    "indivisible": ((4, 4), (3, 5), 1, lambda i, j, r: ((5 * i + j) // 4, (5 * i + j) % 4)),
    "overlapping": ((9,), (3, 3), 2, lambda i, j, r: (2 * i + j + r,)),
}


@pytest.mark.parametrize("name", MAPS)
def test_map(name: str) -> None:
    """The body has a product, an exponential and a position, so a wrong point shows."""
    shape, out, window, place = MAPS[name]
    x, w = placeholder(*shape), placeholder(*out, window, name="W")
    r = te.reduce_axis((0, window), name="r")

    def element(*axes: Any) -> Any:
        value = te.exp(x[place(*axes, r)]) * w[(*axes, r)]
        return te.sum(value + x[place(*axes, r)] * (axes[0] + 1).astype("float64"), axis=r)

    names = ("i", "j")[: len(out)]
    y = te.compute(out, eval(f"lambda {', '.join(names)}: element({', '.join(names)})", locals()))
    check(y, [x, w], [RNG.standard_normal(shape), RNG.standard_normal((*out, window))])


@pytest.mark.parametrize("size", [7, 10])
def test_symbolic_size(size: int) -> None:
    n = te.var("n")
    x, w = placeholder(n, 3), placeholder(3, name="W")
    r = te.reduce_axis((0, 3), name="r")
    y = te.compute(((n - 1) // 2, 3), lambda i, j: te.sum(te.exp(x[2 * i + r, j]) * w[r], axis=r))
    z = te.compute((n,), lambda i: x[n - 1 - i, 0] * x[i, 1])
    arrays = [RNG.standard_normal((size, 3)), RNG.standard_normal(3)]
    head = te.placeholder(y.shape, "float64", "head")
    dx, dw = te.gradient(y, [x, w], head=head)
    dz = te.gradient(z, x)
    forward = program([x, w], y)
    cotangent = RNG.standard_normal(((size - 1) // 2, 3))
    made = program([x, w, head], dx, dw)(*arrays, cotangent)
    assert_gradients(lambda *a: forward(*a)[0], arrays, made, cotangent)
    flipped = program([x], z)
    ones = np.ones(size)
    assert_gradients(lambda a: flipped(a)[0], arrays[:1], program([x], dz)(arrays[0]), ones)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: getattr(te, name) for name in (
        "asin", "acos", "atan", "asinh", "atanh", "sin", "cos", "tan", "sinh", "cosh", "tanh",
        "exp", "expm1", "log", "log1p", "sqrt", "erf", "abs", "maximum", "minimum", "power",
        "sigmoid", "rsqrt",
    )},
    "acosh": lambda x: te.acosh(x + 2.0),
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "neg": lambda x: -x,
    "remainder": lambda x, y: te.truncmod(x * 3.0, y),
    "select": lambda x, y: te.select(x > y, x * x, y),
    "steps": lambda x: te.floor(x * 5.0) * x + te.round(x) + te.ceil(x),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_scalar_function(name: str) -> None:
    function = FUNCTIONS[name]
    count = len(inspect.signature(function).parameters)
    inputs = [placeholder(9, name=f"x{n}") for n in range(count)]
    y = te.compute((9,), lambda i: function(*(x[i] for x in inputs)))
    check(y, inputs, [np.linspace(0.16, 0.87, 9), np.linspace(0.9, 0.11, 9)][:count])


def test_every_scalar_op_on_floats_has_a_derivative_or_a_reason() -> None:
    of_floats = {op.name for op in (*MATH, *FLOAT_BINARY)}
    assert of_floats - {"arith.remf"} <= DERIVATIVES.keys() | STEPS | REFUSED.keys()
    assert not DERIVATIVES.keys() & (STEPS | REFUSED.keys())


def test_equal_maxima_share_the_cotangent() -> None:
    x = placeholder(2, 3)
    k = te.reduce_axis((0, 3), name="k")
    y = te.compute((2,), lambda i: te.max(x[i, k], axis=k))
    (made,) = program([x], te.gradient(y, x))(np.array([[1.0, 2.0, 2.0], [3.0, 0.0, 1.0]]))
    assert made.tolist() == [[0, 0.5, 0.5], [1, 0, 0]]


def test_the_first_maximum_of_a_window_receives_the_cotangent() -> None:
    x = placeholder(6)
    r = te.reduce_axis((0, 3), name="r")
    y = te.compute((2,), lambda i: te.max(x[3 * i + r], axis=r))
    (made,) = program([x], te.gradient(y, x))(np.array([0.0, 0.0, 0.0, 1.0, 2.0, 2.0]))
    assert made.tolist() == [1, 0, 0, 0, 1, 0]


def test_product_with_zeros() -> None:
    x = placeholder(3, 3)
    k = te.reduce_axis((0, 3), name="k")
    y = te.compute((3,), lambda i: te.prod(x[i, k], axis=k))
    values = np.array([[2.0, 3.0, 4.0], [0.0, 3.0, 4.0], [0.0, 3.0, 0.0]])
    (made,) = program([x], te.gradient(y, x))(values)
    assert made.tolist() == [[12, 8, 6], [12, 0, 0], [0, 0, 0]]


def test_selected_value_of_a_reducer() -> None:
    x, w = placeholder(3, 5), placeholder(3, 5, name="W")
    k = te.reduce_axis((0, 5), name="k")
    best = te.comm_reducer(
        lambda a, b: (te.select(b[0] > a[0], b[0], a[0]), te.select(b[0] > a[0], b[1], a[1]),
                      te.select(b[0] > a[0], b[2], a[2])),
        lambda value, other, at: (te.min_value(value), te.const(0, other), te.const(-1, at)),
    )  # fmt: skip
    y = te.compute(
        (3,), lambda i: best((x[i, k] * 2.0, w[i, k], (k * 1).astype("int64")), axis=k), name="best"
    )
    arrays = [RNG.standard_normal((3, 5)), RNG.standard_normal((3, 5))]
    check(y[1], [x, w], arrays)


def test_computed_positions() -> None:
    x, rows = placeholder(5, 2), te.placeholder((4,), "int64", "rows")
    y = te.compute((4, 2), lambda i, j: te.exp(x[rows[i], j]))
    values, picked = RNG.standard_normal((5, 2)), np.array([1, 3, 1, 0])
    (made,) = program([x, rows], te.gradient(y, x))(values, picked)
    expected = np.zeros((5, 2))
    np.add.at(expected, picked, np.exp(values[picked]))
    np.testing.assert_allclose(made, expected, rtol=1e-14)
    module = tilewright.build([x, rows, te.gradient(y, x)], target="interpreter")
    with pytest.raises(tilewright.Error, match="5"):
        module(values, np.array([1, 5, 0, 0]))


def test_second_order_and_forward_mode() -> None:
    x, v = placeholder(4, 3), placeholder(4, 3, name="V")
    k = te.reduce_axis((0, 3), name="k")
    total = te.compute((4,), lambda i: te.sum(te.exp(x[i, k]) * x[i, k], axis=k))
    y = te.compute((4,), lambda i: total[i] * total[i])
    dx = te.gradient(y, x)
    product, tangent = te.gradient(dx, x, head=v), te.jvp(y, x, v)
    a, b = RNG.standard_normal((4, 3)), RNG.standard_normal((4, 3))
    first = program([x], dx)
    assert_gradients(lambda z: first(z)[0], [a], program([x, v], product)(a, b), b)
    (along,) = program([x, v], tangent)(a, b)
    np.testing.assert_allclose(along.sum(), np.sum(first(a)[0] * b), rtol=1e-12)


def test_gradient_of_itself_and_of_an_unused_tensor() -> None:
    x, z = placeholder(3), placeholder(2, name="Z")
    y = te.compute((3,), lambda i: x[i] * 2.0)
    d_y, d_z, d_x = te.gradient(y, [y, z, x])
    made = program([x, z], d_y, d_z, d_x)(np.ones(3), np.ones(2))
    assert [m.tolist() for m in made] == [[1, 1, 1], [0, 0], [2, 2, 2]]


def test_errors() -> None:
    x, n = placeholder(3), te.placeholder((3,), "int32", "n")
    y = te.compute((3,), lambda i: x[i] * 2.0)
    with pytest.raises(TypeMismatch, match="floats"):
        te.gradient(y, n)
    with pytest.raises(TypeMismatch, match="head"):
        te.gradient(y, x, head=placeholder(4, name="H"))
    out = te.extern((3,), [x], lambda a, b: te.call_packed("tests.f", a[0], b[0]), dtype="float64")
    with pytest.raises(NoGradient, match="external function") as caught:
        te.gradient(out, x)
    assert "te.gradient" in str(caught.value)
