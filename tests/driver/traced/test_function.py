"""tilewright.function: traced functions agree with numpy, and derivatives with closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

import tilewright
from tilewright import ops
from tilewright.runtime.errors import ArgumentError
from tilewright.support.diagnostics import NoGradient, TypeMismatch

from ...gradient.differences import assert_gradients

RNG = np.random.default_rng(0)
HERE = "test_function.py"


def interpreted(python=None, **options):
    """Return a function that the interpreter runs, so that tests do not wait for code."""
    return tilewright.function(python, target="interpreter", **options)


def array(*shape, dtype=np.float64):
    return RNG.standard_normal(shape).astype(dtype)


def test_operators_agree_with_numpy():
    def compute(m, x, y):
        z = x * 2 - y / 3 + 1 / (m.exp(x) if m is np else ops.exp(x)) + abs(y) ** 2 - (-x)
        part = z[1:, None, ::2, 1:4][:, 0] @ z[:-1, :, :5]
        flags = (z < 0) == (x >= y)
        kept = (z.T.reshape(-1, 2).transpose((1, 0)), flags != (x <= 1))
        return [z, part, z.sum(), z.mean(axis=0), z.max(axis=(0, -1)), *kept, 2 - x[2], x[-1, 1]]

    x, y = array(4, 3, 6), array(3, 6)
    made = interpreted(lambda x, y: compute(None, x, y))(x, y)
    for mine, wanted in zip(made, compute(np, x, y), strict=True):
        np.testing.assert_allclose(mine.numpy(), wanted, rtol=1e-13)
        assert mine.shape == wanted.shape


def test_numbers_take_the_dtype_of_arrays_and_are_inputs():
    scale = interpreted(lambda x, factor=2.0: (x * factor, factor * 2))
    for dtype in (np.float32, np.float64, np.int32):
        made, number = scale(np.ones(2, dtype), factor=3)
        assert (made.dtype, number.dtype) == (dtype, np.int64)
        assert made.numpy().tolist() == [3, 3]
    assert scale(np.ones(2))[0].numpy().tolist() == [2, 2]
    scale(np.ones(2), 7.5)
    assert len(scale._programs) == 4


def test_trees_and_constants_of_arguments():
    @interpreted
    def apply(params, x, *rest, activation, **more):
        made = x @ params["layers"][0] + params["bias"]
        made = ops.tanh(made) if activation == "tanh" else made
        return {"y": made, "rest": (rest[0] * 2, None), "more": more["z"]}

    w, b, x = array(3, 2), array(2), array(4, 3)
    params = {"layers": [w], "bias": b}
    made = apply(params, x, 1.5, activation="tanh", z=b)
    np.testing.assert_allclose(made["y"].numpy(), np.tanh(x @ w + b), rtol=1e-12)
    assert float(made["rest"][0]) == 3
    assert made["rest"][1] is None
    plain = apply(params, x, 1.5, activation="none", z=b)
    np.testing.assert_allclose(plain["y"].numpy(), x @ w + b, rtol=1e-12)
    assert len(apply._programs) == 2


def test_named_sizes_share_one_program():
    @interpreted(shapes={"x": ("n", 3), "y": ("n", 1)})
    def loss(w, x, y):
        e = x @ w - y
        return (e * e).mean()

    both, w = tilewright.value_and_grad(loss, target="interpreter"), array(3, 1)
    for n in (2, 5):
        x, y = array(n, 3), array(n, 1)
        value, slope = both(w, x, y)
        e = x @ w - y
        np.testing.assert_allclose(value, (e * e).mean(), rtol=1e-12)
        np.testing.assert_allclose(slope, 2 / n * x.T @ e, rtol=1e-12)
    assert len(both._programs) == 1
    with pytest.raises(ArgumentError, match=r"x has another shape than shapes= says"):
        both(w, array(2, 4), array(2, 1))


def test_gradients_of_trees_agree_with_differences():
    def loss(params, x):
        h = ops.layer_norm(ops.gelu(x @ params["w"] + params["b"]), params["s"])
        return ops.mean(ops.log_softmax(h, axis=-1)[:, 1])

    params = {"w": array(3, 4), "b": array(4), "s": array(4)}
    x = array(5, 3)
    names = list(params)
    value = interpreted(loss)
    (slope, slope_x) = tilewright.grad(loss, wrt=(0, 1), target="interpreter")(params, x)

    def plain(*arrays):
        return np.asarray(value(dict(zip(names, arrays[:-1], strict=True)), arrays[-1]))

    arrays = [*params.values(), x]
    made = [slope[name].numpy() for name in names] + [slope_x.numpy()]
    assert_gradients(plain, arrays, made, np.ones(()))


def test_derivatives_nest_and_read_values_around_them():
    @interpreted
    def third(x, c):
        y = x * c
        # The inner functions read y and c, which belong to the trace around them.
        inner = tilewright.grad(lambda a: (a * a * a * y * c).sum())
        return tilewright.grad(lambda a: (inner(a) * a).sum())(x)

    x, c = array(3), array(3)
    np.testing.assert_allclose(third(x, c), 9 * x**2 * x * c * c, rtol=1e-12)


def test_vjp_jvp_and_hvp():
    @interpreted
    def all_three(x, v):
        value, pull = tilewright.vjp(ops.sin, x)
        _, slope = tilewright.jvp(ops.sin, [x], [v])
        (product,) = tilewright.hvp(lambda x: ops.sin(x).sum(), [x], [v])
        return value, pull(v)[0], slope, product

    x, v = array(4), array(4)
    wanted = [np.sin(x), np.cos(x) * v, np.cos(x) * v, -np.sin(x) * v]
    for mine, expected in zip(all_three(x, v), wanted, strict=True):
        np.testing.assert_allclose(mine.numpy(), expected, rtol=1e-12)


def test_other_results_have_no_gradient():
    def loss(x):
        return (x * x).sum(), {"half": x / 2}

    both = tilewright.value_and_grad(loss, has_aux=True, target="interpreter")
    (value, more), slope = both(np.array([1.0, 2.0]))
    assert (float(value), slope.numpy().tolist()) == (5, [2, 4])
    assert more["half"].numpy().tolist() == [0.5, 1]
    slope, more = tilewright.grad(loss, has_aux=True, target="interpreter")(np.array([3.0]))
    assert (slope.numpy().tolist(), more["half"].numpy().tolist()) == ([6], [1.5])


def test_losses():
    @interpreted
    def losses(x, labels, t):
        return (
            ops.cross_entropy(x, labels),
            ops.binary_cross_entropy(x, t),
            ops.mean_squared_error(x, t),
        )

    x, labels, t = 3 * array(5, 3), RNG.integers(0, 3, 5), RNG.uniform(size=(5, 3))
    rows = np.log(np.exp(x - x.max(1, keepdims=True)).sum(1)) + x.max(1)
    p = 1 / (1 + np.exp(-x))
    wanted = [
        (rows - x[np.arange(5), labels]).mean(),
        -(t * np.log(p) + (1 - t) * np.log1p(-p)).mean(),
        ((x - t) ** 2).mean(),
    ]
    np.testing.assert_allclose([float(v) for v in losses(x, labels, t)], wanted, rtol=1e-6)


@pytest.mark.parametrize(
    ("python", "match"),
    [
        (lambda x: x @ x[:1], rf"graph.matmul at {HERE}:\d+: contraction sizes differ"),
        (lambda x: x + x[:, :2], rf"graph.add at {HERE}:\d+: the shapes do not broadcast"),
        (lambda x: x + ops.cast(x, "float64"), rf"graph.add at {HERE}:\d+: operand types differ"),
        (lambda x: 1 if x[0, 0] > 0 else 2, rf"{HERE}:\d+: the elements of an array are not known"),
        (lambda x: x[5], rf"{HERE}:\d+: axis 0 of Array\(float32\[3, 3\]\) has no such part"),
        (lambda x: x + "1", rf"{HERE}:\d+: the operand is no array"),
        (lambda x: ops.softmax(x, axis=2), rf"graph.softmax at {HERE}:\d+: "),
        (lambda x: tilewright.grad(lambda x: x)(x), "does not return a float scalar"),
        (lambda x: tilewright.grad(lambda x: x.sum(), wrt=1)(x), "an argument that the call lacks"),
    ],
)
def test_errors_name_the_line(python, match):
    with pytest.raises(TypeMismatch, match=match):
        interpreted(python)(np.ones((3, 3), np.float32))


def test_an_op_without_a_gradient_names_the_line():
    def loss(x):
        return ops.unique(x)[0].sum()

    with pytest.raises(NoGradient, match=rf"{HERE}:\d+"):
        tilewright.grad(loss, target="interpreter")(np.ones((3, 3), np.float32))


def test_arrays_do_not_leave_their_function():
    found = []
    interpreted(lambda x: found.append(x) or x)(np.ones(2))
    with pytest.raises(TypeMismatch, match="outside of the function that computed it"):
        interpreted(lambda x: x + found[0])(np.ones(2))
    with pytest.raises(TypeMismatch, match="only inside of a traced function"):
        found[0] + 1


def test_wrong_arguments():
    total = interpreted(lambda x, y: x + y)
    with pytest.raises(ArgumentError, match="missing a required argument: 'y'"):
        total(np.ones(2))
    with pytest.raises(ArgumentError, match="neither an array nor a constant"):
        total(np.ones(2), {1, 2})


def test_a_called_function_is_a_function_of_the_module():
    @tilewright.function
    def layer(w, x, scale):
        assert isinstance(scale, int)
        return ops.tanh(x @ w) * scale, scale

    @tilewright.function(target="interpreter")
    def network(v, w, x):
        h, scale = layer(v, x, 2)

        @tilewright.function
        def joined(y):
            return y * h + w.sum()

        return layer(w, joined(h), scale)[0].sum()

    v, w, x, direction = np.random.default_rng(0).uniform(-0.5, 0.5, (4, 3, 3))
    module = network.ir(v, w, x)
    names = [op.sym_name.data for op in module.ops if isinstance(op, FuncOp)]
    assert names == ["main", "layer", "joined", "layer_2"]

    def expected(v):
        h = 2 * np.tanh(x @ v)
        return 2 * np.tanh((h * h + w.sum()) @ w).sum()

    np.testing.assert_allclose(float(network(v, w, x)), expected(v), rtol=1e-13)
    gradient = tilewright.grad(network, target="interpreter")(v, w, x).numpy()
    difference = (expected(v + 1e-6 * direction) - expected(v - 1e-6 * direction)) / 2e-6
    np.testing.assert_allclose((gradient * direction).sum(), difference, rtol=1e-7)
