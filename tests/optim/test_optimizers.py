"""Optimizers agree with torch.optim in f64; schedules and clipping with closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright
from tilewright import optim

torch = pytest.importorskip("torch")

RNG = np.random.default_rng(0)
DECAYED = {"weight_decay": 0.1}
CASES = [
    (optim.sgd(0.1), torch.optim.SGD, {"lr": 0.1}),
    (optim.sgd(0.1, momentum=0.9), torch.optim.SGD, {"lr": 0.1, "momentum": 0.9}),
    (
        optim.sgd(0.1, momentum=0.9, nesterov=True, **DECAYED),
        torch.optim.SGD,
        {"lr": 0.1, "momentum": 0.9, "nesterov": True, **DECAYED},
    ),
    (optim.adam(0.1), torch.optim.Adam, {"lr": 0.1}),
    (
        optim.adam(0.1, betas=(0.5, 0.9), eps=1e-3, **DECAYED),
        torch.optim.Adam,
        {"lr": 0.1, "betas": (0.5, 0.9), "eps": 1e-3, **DECAYED},
    ),
    (optim.adamw(0.1), torch.optim.AdamW, {"lr": 0.1}),
]


def run(python, *args):
    return tilewright.function(python, target="interpreter")(*args)


@pytest.mark.parametrize(("mine", "theirs", "options"), CASES)
def test_updates_agree_with_torch(mine, theirs, options):
    params = {"w": RNG.standard_normal((3, 2)), "b": [RNG.standard_normal(2)]}
    state = mine.init(params)
    leaves = [torch.tensor(params["w"]), torch.tensor(params["b"][0])]
    reference = theirs(leaves, **options)
    update = tilewright.function(mine.update, target="interpreter")
    for _ in range(5):
        gradients = [RNG.standard_normal((3, 2)), RNG.standard_normal(2)]
        for leaf, gradient in zip(leaves, gradients, strict=True):
            leaf.grad = torch.tensor(gradient)
        reference.step()
        params, state = update(params, {"w": gradients[0], "b": [gradients[1]]}, state)
        np.testing.assert_allclose(params["w"], leaves[0], rtol=1e-13, atol=1e-14)
        np.testing.assert_allclose(params["b"][0], leaves[1], rtol=1e-13, atol=1e-14)
    assert int(state["count"]) == 5


def test_the_correction_of_adam_keeps_its_digits_in_f32():
    # With 1 - 0.999 ** 1 in f32, the first step would be wrong by 1e-4 of its size.
    adam = optim.adam(1.0, eps=1e-20)
    params, ones = np.zeros(1, np.float32), np.ones(1, np.float32)
    moved, _ = run(adam.update, params, ones, adam.init(params))
    np.testing.assert_allclose(moved.numpy(), [-1], rtol=1e-6)


@pytest.mark.parametrize(
    ("rate", "wanted"),
    [
        (optim.linear(1.0, 0.2, 4), [1, 0.8, 0.6, 0.4, 0.2, 0.2]),
        (optim.exponential(1.0, 0.5, every=2), [1, 1, 0.5, 0.5, 0.25, 0.25]),
        (optim.cosine(1.0, 4), [(1 + np.cos(np.pi * n / 4)) / 2 for n in (0, 1, 2, 3, 4, 4)]),
        (optim.cosine(1.0, 6, warmup=2, end=0.5), [0.5, 1, 1, 0.92677670, 0.75, 0.57322330]),
        (0.3, [0.3] * 6),
    ],
)
def test_schedules(rate, wanted):
    sgd = optim.sgd(rate)
    params, state = np.zeros(1), sgd.init(np.zeros(1))
    update = tilewright.function(sgd.update, target="interpreter")
    moves = []
    for _ in wanted:
        moved, state = update(params, np.ones(1), state)
        moves.append(-float(moved.numpy()[0]))
    np.testing.assert_allclose(moves, wanted, rtol=1e-7)


@pytest.mark.parametrize("size", [0.01, 3.0])
def test_clipped_gradients(size):
    tree = {"a": size * RNG.standard_normal((2, 3)), "b": size * RNG.standard_normal(4)}
    leaves = [torch.tensor(tree["a"]), torch.tensor(tree["b"])]
    for leaf in leaves:
        leaf.grad = leaf.clone()
    torch.nn.utils.clip_grad_norm_(leaves, 1.0)
    made = run(lambda g: optim.clip_norm(g, 1.0), tree)
    np.testing.assert_allclose(made["a"], leaves[0].grad, rtol=1e-12)
    np.testing.assert_allclose(made["b"], leaves[1].grad, rtol=1e-12)
    made = run(lambda g: optim.clip_value(g, 0.5), tree)
    np.testing.assert_allclose(made["a"], np.clip(tree["a"], -0.5, 0.5))
