"""vmap: a function for a batch agrees with the function for each element."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright
from tilewright import ops
from tilewright.dialects.graph import ScanOp

RNG = np.random.default_rng(0)


def array(*shape):
    return RNG.standard_normal(shape)


def attend(q, k):
    return ops.softmax(q @ k.T / 2, axis=-1) @ k


def image(x, w, b):
    return ops.max_pool2d(ops.relu(ops.conv2d(x, w, b, padding=1)), 2)


def guarded(x):
    grown = tilewright.while_loop(lambda h: (h * h).sum() < 50, lambda h: h * 1.5, x, most=12)
    return tilewright.cond(x.sum() > 0, lambda: grown.sum(), lambda: ops.exp(x).sum())


def scanned(x):
    h, stack = tilewright.scan(lambda h, v: (ops.tanh(h + v), h * v), x[0] * 0, x)
    return (h * h).sum() + stack.mean()


def kept(x):
    cube = tilewright.custom_vjp(lambda x: x * x * x, lambda g, y, x: (g * 3 * x * x,))
    return tilewright.checkpoint(lambda x: ops.sin(cube(x)) * x)(x).sum()


INDICES = RNG.integers(0, 5, (3, 4))
CASES = {
    "elementwise": (lambda x, y: x * y.sum() - x.mean(axis=0) / 2, 0, [array(3, 4, 5)] * 2),
    "product": (lambda x, w: x @ w, (None, 0), [array(2, 4, 5), array(3, 5, 2)]),
    "shared": (lambda w, x: x @ w, (None, 1), [array(5, 2), array(4, 3, 5)]),
    "attention": (attend, 0, [array(3, 4, 2), array(3, 5, 2)]),
    "image": (image, (0, None, None), [array(3, 2, 3, 6, 6), array(4, 3, 3, 3), array(4)]),
    "filters": (image, (None, 0, None), [array(2, 3, 6, 6), array(3, 4, 3, 3, 3), array(4)]),
    "rows": (lambda t, n: ops.gather(t, n, axis=0), (None, 0), [array(5, 2), INDICES]),
    "tables": (lambda t, n: ops.gather(t, n, axis=0), 0, [array(3, 5, 2), INDICES]),
    "norm": (lambda x: ops.layer_norm(ops.gelu(x), x[0]), 0, [array(3, 5, 4)]),
    "moved": (lambda x: x[1:, None].transpose(2, 0, 1).reshape(-1), 1, [array(4, 3, 2)]),
    "pooled": (tilewright.grad(lambda x: (ops.max_pool2d(x, 2) ** 2).sum()), 0,
               [array(3, 1, 2, 4, 4)]),
    "condition": (tilewright.grad(guarded), 0, [array(3, 4)]),
    "scan": (tilewright.grad(scanned), 0, [array(3, 4, 2)]),
    "checkpoint": (tilewright.grad(kept), 0, [array(3, 4)]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_batch_agrees_with_its_elements(name):
    python, axes, arrays = CASES[name]
    each = axes if isinstance(axes, tuple) else [axes] * len(arrays)
    made = tilewright.vmap(python, axes, target="interpreter")(*arrays)
    single = tilewright.function(python, target="interpreter")
    for n in range(3):
        given = [
            a if axis is None else np.take(a, n, axis) for a, axis in zip(arrays, each, strict=True)
        ]
        np.testing.assert_allclose(made[n], single(*given), rtol=1e-12, atol=1e-14)


def test_a_gradient_through_a_batch_has_no_loop():
    def loss(w, x):
        return (tilewright.vmap(lambda x: ops.tanh(x @ w))(x) ** 2).sum()

    def plain(w, x):
        return (ops.tanh(x @ w) ** 2).sum()

    w, x = array(3, 2), array(4, 3)
    slopes = [tilewright.grad(f, target="interpreter") for f in (loss, plain)]
    np.testing.assert_allclose(slopes[0](w, x), slopes[1](w, x), rtol=1e-12)
    assert not any(isinstance(op, ScanOp) for op in slopes[0].ir(w, x).walk())


def test_results_on_another_axis_and_a_named_batch():
    columns = tilewright.vmap(lambda x: x * x.sum(), in_axes=1, out_axis=1)
    module = tilewright.function(lambda x: columns(x), shapes={"x": (3, "n")}, target="interpreter")
    for n in (2, 4):
        x = array(3, n)
        np.testing.assert_allclose(module(x), x * x.sum(0), rtol=1e-12)
    assert len(module._programs) == 1
