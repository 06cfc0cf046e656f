"""The networks of the training benchmark have torch's losses and gradients in f64."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright

torch = pytest.importorskip("torch")

from networks import NETWORKS, Ours, Torch  # noqa: E402 - needs torch

SLOW = {
    "CNN with batch norm",
    "ResNet-18, widths 16-128",
    "U-Net, widths 16-64",
    "transformer encoder, 2 layers of 64",
}
"""Networks for which the interpreter takes seconds; the decoder is like the encoder."""


@pytest.mark.parametrize(
    "network",
    [
        pytest.param(each, marks=[pytest.mark.nightly] if each.name in SLOW else [], id=each.name)
        for each in NETWORKS
    ],
)
def test_gradients_agree_with_torch(network):
    params = network.params("float64")
    batch = network.batch(np.random.default_rng(1), "float64")
    loss = tilewright.value_and_grad(
        lambda params, *batch: network.loss(Ours, params, *batch), target="interpreter"
    )
    value, gradients = loss(params, *batch)
    theirs = {name: torch.tensor(array, requires_grad=True) for name, array in params.items()}
    wanted = network.loss(Torch, theirs, *map(torch.tensor, batch))
    wanted.backward()
    np.testing.assert_allclose(float(value), wanted.item(), rtol=1e-12)
    for name, leaf in theirs.items():
        np.testing.assert_allclose(gradients[name], leaf.grad, rtol=1e-9, atol=1e-13)
