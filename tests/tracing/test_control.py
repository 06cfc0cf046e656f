"""Control flow, checkpoints and custom gradients of traced functions: values and gradients."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright
from tilewright import ops
from tilewright.dialects.graph import ConcatOp, HoldOp, MatmulOp, PadOp, ScanOp
from tilewright.support.diagnostics import NoGradient, TypeMismatch

torch = pytest.importorskip("torch")

RNG = np.random.default_rng(0)


def array(*shape):
    return RNG.standard_normal(shape)


def interpreted(python):
    return tilewright.function(python, target="interpreter")


def assert_as_torch(mine, theirs, *arrays, target="interpreter"):
    """Compare a scalar function and its gradients with torch's, in f64."""
    every = tuple(range(len(arrays)))
    value, slopes = tilewright.value_and_grad(mine, every, target=target)(*arrays)
    leaves = [torch.tensor(a, requires_grad=True) for a in arrays]
    wanted = theirs(*leaves)
    np.testing.assert_allclose(float(value), wanted.item(), rtol=1e-12)
    for slope, other in zip(slopes, torch.autograd.grad(wanted, leaves), strict=True):
        np.testing.assert_allclose(slope, other, rtol=1e-9, atol=1e-12)


def recurrence(x, w):
    """Return a loss with a scan, in it a condition, and a loop that a condition ends."""

    def step(h, row):
        h = ops.tanh(row @ w + h)
        h = tilewright.cond(h.sum() > 0, lambda: h * 2, lambda: h * h)
        return h, h.sum()

    h, sums = tilewright.scan(step, x[0] * 0, x)
    z = tilewright.while_loop(lambda h: (h * h).sum() < 50, lambda h: h * 1.5 + w[0], h, most=20)
    return (z * z).sum() + (sums * sums).sum()


def torch_recurrence(x, w):
    h, total = x[0] * 0, 0
    for row in x:
        h = torch.tanh(row @ w + h)
        h = h * 2 if h.sum() > 0 else h * h
        total = total + h.sum() ** 2
    while (h * h).sum() < 50:
        h = h * 1.5 + w[0]
    return (h * h).sum() + total


@pytest.mark.parametrize("target", ["interpreter", pytest.param(None, marks=pytest.mark.nightly)])
def test_scan_cond_and_while_loop_agree_with_torch(target):
    assert_as_torch(recurrence, torch_recurrence, array(5, 3), array(3, 3), target=target)


def test_products_of_the_steps_of_a_scan_are_one_product():
    def loss(w, b, x):
        def step(h, row):
            return ops.tanh(h @ w.T + row @ w + b), None

        return (tilewright.scan(step, x[0] * 0, x)[0] ** 2).sum()

    def torch_loss(w, b, x):
        h = x[0] * 0
        for row in x:
            h = torch.tanh(h @ w.T + row @ w + b)
        return (h**2).sum()

    arrays = array(3, 3), array(3), array(4, 2, 3)
    assert_as_torch(loss, torch_loss, *arrays)
    traced = tilewright.grad(loss, (0, 1), target="interpreter").ir(*arrays)
    _, back = [op for op in traced.walk() if isinstance(op, ScanOp)]
    # Only the state has a cotangent that the scan carries.
    assert len(back.inits) == 1
    after = [op for op in back.parent.ops if isinstance(op, MatmulOp)]
    assert [op.lhs.type.get_shape() for op in after] == [(8, 3), (8, 3)]


def test_gradients_of_disjoint_slices_are_concatenated():
    def loss(x):
        return (x[:, :2] * x[:, 3:5]).sum() + (x[:, 5:] ** 3).sum()

    x = array(2, 7)
    slope = tilewright.grad(loss, target="interpreter")
    wanted = np.concatenate([x[:, 3:5], x[:, :1] * 0, x[:, :2], 3 * x[:, 5:] ** 2], axis=1)
    np.testing.assert_allclose(slope(x), wanted, rtol=1e-12)
    found = {type(op) for op in slope.ir(x).walk()}
    assert ConcatOp in found
    assert PadOp not in found
    both = tilewright.grad(lambda x: (x[:, :3] * x[:, 1:4]).sum(), target="interpreter")(x)
    wanted = np.pad(x[:, 1:4], ((0, 0), (0, 4))) + np.pad(x[:, :3], ((0, 0), (1, 3)))
    np.testing.assert_allclose(both, wanted, rtol=1e-12)


def test_a_product_of_a_branch_is_a_term_of_two_sums():
    """Of the sum over the steps for ``w``, and of that for ``u``, which has a further term."""
    flags = np.array([True, False, True])

    def mine(w, u, h, rows):
        def step(h, given):
            row, is_sum = given
            z = tilewright.cond(is_sum, lambda h: h @ (w + u), lambda h: h * 0.5, h)
            h = ops.tanh(z + row @ u)
            return h, h

        _, hs = tilewright.scan(step, h, (rows, flags))
        return (hs * hs).sum()

    def theirs(w, u, h, rows):
        total = 0
        for row, is_sum in zip(rows, flags, strict=True):
            h = torch.tanh((h @ (w + u) if is_sum else h * 0.5) + row @ u)
            total = total + (h * h).sum()
        return total

    assert_as_torch(mine, theirs, array(3, 3), array(3, 3), array(2, 3), array(3, 2, 3))


def test_second_order_through_a_scan():
    def loss(x):
        h, _ = tilewright.scan(lambda h, row: (ops.sin(h * row), None), x[0], x, reverse=True)
        return (h * h).sum()

    def torch_loss(x):
        h = x[0]
        for row in reversed(list(x)):
            h = torch.sin(h * row)
        return (h * h).sum()

    x, v = array(3, 2), array(3, 2)
    (made,) = interpreted(lambda x, v: tilewright.hvp(loss, [x], [v]))(x, v)
    _, wanted = torch.autograd.functional.hvp(torch_loss, torch.tensor(x), torch.tensor(v))
    np.testing.assert_allclose(made, wanted, rtol=1e-9)


def test_trees_and_numbers_are_carried():
    @interpreted
    def run(x):
        def step(carry, _):
            return {"x": carry["x"] * 2, "n": carry["n"] + 1}, carry["n"]

        last, counts = tilewright.scan(step, {"x": x, "n": 0}, length=3)
        mean = tilewright.scan(lambda total, v: (total + v / 3, None), 0, x)[0]
        return last, counts, mean, tilewright.cond(x.sum() > 1e9, lambda: x, lambda: x * 0 + 1)

    last, counts, mean, chosen = run(np.arange(3.0))
    assert last["x"].numpy().tolist() == [0, 8, 16]
    assert (int(last["n"]), counts.numpy().tolist()) == (3, [0, 1, 2])
    assert (float(mean), chosen.numpy().tolist()) == (pytest.approx(1), [1, 1, 1])


def test_a_checkpoint_computes_its_function_again():
    def layer(w, x):
        return ops.tanh(x @ w) * x

    def loss(w, x, layer=layer):
        for _ in range(2):
            x = layer(w, x)
        return (x * x).sum()

    def torch_loss(w, x):
        for _ in range(2):
            x = torch.tanh(x @ w) * x
        return (x * x).sum()

    kept = tilewright.checkpoint(layer)
    assert_as_torch(lambda w, x: loss(w, x, kept), torch_loss, array(3, 3), array(2, 3))
    traced = tilewright.grad(lambda w, x: loss(w, x, kept), target="interpreter").ir(
        array(3, 3), array(2, 3)
    )
    assert sum(isinstance(op, HoldOp) for op in traced.walk()) == 4
    np.testing.assert_allclose(kept(np.eye(3), np.ones((2, 3))), np.tanh(np.ones((2, 3))))


def test_a_checkpoint_saves_memory():
    def layer(w, x):
        return ops.tanh(ops.tanh(x @ w) @ w)

    def memory(layer):
        def loss(w, x):
            for _ in range(4):
                x = layer(w, x)
            return x.sum()

        module = tilewright.grad(loss).module(np.ones((64, 64)), np.ones((64, 64)))
        return module.memory().arena

    assert memory(tilewright.checkpoint(layer)) < 0.8 * memory(layer)


def test_gradients_of_ones_own_and_stopped_gradients():
    @interpreted
    def slopes(x, c):
        same = tilewright.custom_vjp(lambda x, n: x * n, lambda g, y, x, n: (g * y + c, None))
        first = tilewright.grad(lambda x: (same(x, 2) * x).sum())(x)
        second = tilewright.grad(lambda x: (tilewright.grad(lambda x: same(x, 2).sum())(x)).sum())(
            x
        )
        held = tilewright.grad(lambda x: (x * tilewright.stop_gradient(x * x)).sum())(x)
        return first, second, held

    x, c = array(3), array(3)
    first, second, held = slopes(x, c)
    # The function is 2x, and its gradient by definition g * 2x + c.
    np.testing.assert_allclose(first, x * 2 * x + c + 2 * x, rtol=1e-12)
    np.testing.assert_allclose(second, 2 * x + c, rtol=1e-12)
    np.testing.assert_allclose(held, x * x, rtol=1e-12)


@pytest.mark.parametrize(
    ("python", "error", "match"),
    [
        (lambda x: tilewright.cond(x[0] > 0, lambda: x, lambda: (x,)), TypeMismatch,
         "the branches return different trees"),
        (lambda x: tilewright.cond(x[0] > 0, lambda: x, lambda: x[:1]), TypeMismatch,
         "the branches yield different types"),
        (lambda x: tilewright.scan(lambda h, v: (x, v), x[0], x), TypeMismatch,
         "a carried value changes its type"),
        (lambda x: tilewright.scan(lambda h, v: h, x[0], x), TypeMismatch, "a step returns a pair"),
        (lambda x: tilewright.scan(lambda h, v: (h, v), x), TypeMismatch,
         "needs the number of its steps"),
        (lambda x: tilewright.custom_vjp(lambda x: x, lambda g, y, x: g)(x), TypeMismatch,
         "a tuple with the cotangent of each argument"),
        (lambda x: tilewright.custom_vjp(lambda x: x, lambda g, y, x: (g[0],))(x), TypeMismatch,
         "the cotangent of argument 0 does not fit"),
        (lambda x: tilewright.grad(lambda y: tilewright.custom_vjp(
            lambda x: x * y, lambda g, _, x: (g,))(x).sum())(x), NoGradient,
         "reads a differentiated value that is no argument"),
        (lambda x: tilewright.grad(lambda x: tilewright.while_loop(
            lambda x: x.sum() < 9, lambda x: x * 2, x).sum())(x), NoGradient,
         "without a constant limit"),
        (lambda x: tilewright.vmap(lambda x: x, in_axes=1)(x), TypeMismatch,
         "an array has no axis for the batch"),
        (lambda x: tilewright.vmap(lambda x, y: x)(x, x[:1]), TypeMismatch,
         "batches of different sizes"),
    ],
)  # fmt: skip
def test_errors(python, error, match):
    with pytest.raises(error, match=match):
        interpreted(python)(np.ones(3))
