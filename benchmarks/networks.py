"""Eight networks for training, written once for tilewright and for torch.

A network is a function of a library (`Ours` or `Torch`), parameters and a batch; it returns a loss.
The sizes are small, so that 100 steps in f64 take seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch.nn import functional

import tilewright
from tilewright import ops

Sizes = Mapping[str, tuple[int, ...]]


class Ours:
    """The operators of the networks in tilewright."""

    relu, gelu, tanh, exp = ops.relu, ops.gelu, ops.tanh, ops.exp
    cross_entropy, bce = ops.cross_entropy, ops.binary_cross_entropy

    @staticmethod
    def conv(x, w, b=None, stride=1):
        return ops.conv2d(x, w, b, strides=stride, padding=w.shape[-1] // 2)

    @staticmethod
    def max_pool(x):
        return ops.max_pool2d(x, 2)

    @staticmethod
    def permute(x, *perm):
        return x.transpose(perm)

    @staticmethod
    def softmax(x):
        return ops.softmax(x, axis=x.ndim - 1)

    @staticmethod
    def embed(table, ids):
        return ops.gather(table, ids, axis=0)

    @staticmethod
    def concat(x, y):
        return ops.concat([x, y], axis=1)

    @staticmethod
    def norm(x, axes):
        centered = x - x.mean(axes, keepdims=True)
        return centered / ops.sqrt((centered * centered).mean(axes, keepdims=True) + 1e-5)

    @staticmethod
    def doubled(x):
        n, c, h, w = x.shape
        wide = ops.broadcast(x, [n, c, h, 2, w, 2], [0, 1, 2, 4])
        return wide.reshape(n, c, 2 * h, 2 * w)

    @staticmethod
    def lstm(x, h, w_x, w_h, b):
        """Return all states of an LSTM; x (steps, batch, inputs), h (batch, width)."""
        width = h.shape[-1]

        def step(carry, gates):
            h, c = carry
            z = gates + h @ w_h.T
            i, f, o = (ops.sigmoid(z[:, n * width : (n + 1) * width]) for n in (0, 1, 3))
            c = f * c + i * ops.tanh(z[:, 2 * width : 3 * width])
            h = o * ops.tanh(c)
            return (h, c), h

        return tilewright.scan(step, (h, h), x @ w_x.T + b)[1]


class Torch:
    """The operators of the networks in torch."""

    relu, tanh, exp = torch.relu, torch.tanh, torch.exp
    gelu, cross_entropy = functional.gelu, functional.cross_entropy
    bce = functional.binary_cross_entropy_with_logits

    @staticmethod
    def conv(x, w, b=None, stride=1):
        return functional.conv2d(x, w, b, stride=stride, padding=w.shape[-1] // 2)

    @staticmethod
    def max_pool(x):
        return functional.max_pool2d(x, 2)

    @staticmethod
    def permute(x, *perm):
        return x.permute(perm)

    @staticmethod
    def softmax(x):
        return x.softmax(-1)

    @staticmethod
    def embed(table, ids):
        return functional.embedding(ids, table)

    @staticmethod
    def concat(x, y):
        return torch.cat([x, y], 1)

    @staticmethod
    def norm(x, axes):
        if axes == -1:
            return functional.layer_norm(x, x.shape[-1:])
        return functional.batch_norm(x, None, None, training=True)

    @staticmethod
    def doubled(x):
        return functional.interpolate(x, scale_factor=2)

    @staticmethod
    def lstm(x, h, w_x, w_h, b):
        zero = torch.zeros_like(b)
        # The function that torch.nn.LSTM calls.
        return torch._VF.lstm(
            x, (h[None], h[None]), [w_x, w_h, b, zero], True, 1, 0.0, True, False, False
        )[0]


@dataclass(frozen=True)
class Network:
    """A network: the shapes of its parameters, its loss, and a maker of batches.

    batch: makes the arrays of a batch from a random generator and a dtype.
    """

    name: str
    sizes: Sizes
    loss: Callable[..., Any] = field(repr=False)
    batch: Callable[[np.random.Generator, str], tuple[np.ndarray, ...]] = field(repr=False)

    def params(self, dtype: str) -> dict[str, np.ndarray]:
        """Return the initial parameters: zeros for vectors, scaled normal numbers for others.

        The name of a vector of ones begins with ``s``.
        """
        rng = np.random.default_rng(0)
        made = {}
        for name, size in self.sizes.items():
            fan_in = np.prod(size[1:])
            values = rng.standard_normal(size) / np.sqrt(max(fan_in, 1))
            constant = np.ones(size) if name.startswith("s") else np.zeros(size)
            made[name] = (values if len(size) > 1 else constant).astype(dtype)
        return made


def images(n: int, channels: int, side: int, classes: int):
    """Return a maker of noisy images of random prototypes, with their labels."""
    prototypes = np.random.default_rng(2).standard_normal((classes, channels, side, side))

    def made(rng: np.random.Generator, dtype: str):
        labels = rng.integers(0, classes, n)
        noise = rng.standard_normal((n, channels, side, side))
        return (prototypes[labels] + 1.5 * noise).astype(dtype), labels

    return made


def words(n: int, length: int, vocabulary: int):
    """Return a maker of random sequences of words, and the next word of each."""

    def made(rng: np.random.Generator, dtype: str):
        ids = rng.integers(0, vocabulary, (n, length + 1))
        return ids[:, :-1].copy(), ids[:, 1:].copy()

    return made


def mlp(m, p, x, labels):
    x = m.relu(x.reshape(x.shape[0], 784) @ p["w1"].T + p["b1"])
    return m.cross_entropy(x @ p["w2"].T + p["b2"], labels)


def cnn(m, p, x, labels):
    for n in (1, 2):
        x = m.norm(m.conv(x, p[f"c{n}"], p[f"b{n}"]), (0, 2, 3))
        x = m.max_pool(m.relu(x))
    return m.cross_entropy(x.reshape(x.shape[0], -1) @ p["w"].T + p["b"], labels)


WIDTHS = (16, 32, 64, 128)


def resnet_sizes() -> Sizes:
    made = {"c": (16, 3, 3, 3), "w": (10, 128), "b": (10,)}
    before = 16
    for stage, width in enumerate(WIDTHS):
        for block in range(2):
            made[f"c{stage}{block}0"] = (width, before, 3, 3)
            made[f"c{stage}{block}1"] = (width, width, 3, 3)
            if before != width:
                made[f"d{stage}"] = (width, before, 1, 1)
            before = width
    return made


def resnet(m, p, x, labels):
    """ResNet-18 with narrow layers: eight blocks of two convolutions."""
    over = (0, 2, 3)
    x = m.relu(m.norm(m.conv(x, p["c"]), over))
    for stage in range(len(WIDTHS)):
        for block in range(2):
            stride = 2 if stage and not block else 1
            y = m.relu(m.norm(m.conv(x, p[f"c{stage}{block}0"], stride=stride), over))
            y = m.norm(m.conv(y, p[f"c{stage}{block}1"]), over)
            if stride == 2:
                x = m.norm(m.conv(x, p[f"d{stage}"], stride=2), over)
            x = m.relu(x + y)
    return m.cross_entropy(x.mean((2, 3)) @ p["w"].T + p["b"], labels)


def lstm(m, p, ids, following):
    x = m.permute(m.embed(p["e"], ids), 1, 0, 2)
    y = m.lstm(x, x[0, :, :1] * 0 + p["h"], p["wx"], p["wh"], p["b"])
    logits = m.permute(y, 1, 0, 2) @ p["w"].T
    return m.cross_entropy(logits.reshape(-1, 200), following.reshape(-1))


def attention(m, x, w, out, heads, mask):
    n, length, width = x.shape
    q, k, v = (
        m.permute((x @ each.T).reshape(n, length, heads, width // heads), 0, 2, 1, 3) for each in w
    )
    scores = q @ m.permute(k, 0, 1, 3, 2) / (width // heads) ** 0.5
    if mask is not None:
        scores = scores + mask
    y = m.permute(m.softmax(scores) @ v, 0, 2, 1, 3)
    return y.reshape(n, length, width) @ out.T


def layers_sizes(width: int, layers: int) -> dict[str, tuple[int, ...]]:
    made = {}
    for n in range(layers):
        made |= {f"{each}{n}": (width, width) for each in "qkvo"}
        made |= {f"u{n}": (4 * width, width), f"d{n}": (width, 4 * width)}
        made |= {f"s{n}{k}": (width,) for k in "ab"} | {f"b{n}{k}": (width,) for k in "ab"}
    return made


def layer(m, p, n, x, mask):
    """A layer of a transformer with norms before its two parts."""
    normed = m.norm(x, -1) * p[f"s{n}a"] + p[f"b{n}a"]
    x = x + attention(m, normed, [p[f"{k}{n}"] for k in "qkv"], p[f"o{n}"], 4, mask)
    normed = m.norm(x, -1) * p[f"s{n}b"] + p[f"b{n}b"]
    return x + m.gelu(normed @ p[f"u{n}"].T) @ p[f"d{n}"].T


def encoder(m, p, ids, labels):
    x = m.embed(p["e"], ids) + p["position"]
    for n in range(2):
        x = layer(m, p, n, x, None)
    return m.cross_entropy(x.reshape(-1, 64) @ p["w"].T, labels.reshape(-1))


def decoder(m, p, ids, following):
    """A decoder like GPT-2, with the embedding as last product."""
    x = m.embed(p["e"], ids) + p["position"]
    length = ids.shape[1]
    mask = np.triu(np.full((length, length), -1e9), 1).astype(x.dtype if m is Ours else "float64")
    mask = np.broadcast_to(mask, (ids.shape[0], 4, length, length)).copy()
    mask = mask if m is Ours else torch.tensor(mask, dtype=x.dtype)
    for n in range(2):
        x = layer(m, p, n, x, mask)
    return m.cross_entropy(m.norm(x, -1).reshape(-1, 64) @ p["e"].T, following.reshape(-1))


def unet(m, p, x, labels):
    """A U-Net of three levels, which classifies each pixel."""
    kept = []
    for n in range(2):
        x = m.relu(m.conv(x, p[f"c{n}"], p[f"b{n}"]))
        kept.append(x)
        x = m.max_pool(x)
    x = m.relu(m.conv(x, p["m"], p["bm"]))
    for n in (1, 0):
        x = m.concat(m.doubled(x), kept[n])
        x = m.relu(m.conv(x, p[f"d{n}"], p[f"e{n}"]))
    logits = m.permute(m.conv(x, p["o"]), 0, 2, 3, 1)
    return m.cross_entropy(logits.reshape(-1, 4), labels.reshape(-1))


def vae(m, p, x, noise):
    """A variational autoencoder; the noise is an argument."""
    h = m.relu(x @ p["w1"].T + p["b1"])
    mean, spread = h @ p["wm"].T + p["bm"], h @ p["ws"].T + p["bs0"]
    z = mean + m.exp(spread * 0.5) * noise
    logits = m.relu(z @ p["w2"].T + p["b2"]) @ p["w3"].T + p["b3"]
    divergence = (mean * mean + m.exp(spread) - spread - 1).mean() * 0.5
    return m.bce(logits, x) + divergence


def _segments(rng: np.random.Generator, dtype: str):
    return (
        rng.standard_normal((4, 3, 32, 32)).astype(dtype),
        rng.integers(0, 4, (4, 32, 32)),
    )


def _digits(rng: np.random.Generator, dtype: str):
    return rng.uniform(size=(32, 784)).astype(dtype), rng.standard_normal((32, 16)).astype(dtype)


LAYERS = {**layers_sizes(64, 2), "e": (200, 64), "position": (32, 64)}

NETWORKS = [
    Network("MLP 784-128-10", {"w1": (128, 784), "b1": (128,), "w2": (10, 128), "b2": (10,)},
            mlp, images(32, 1, 28, 10)),
    Network("CNN with batch norm",
            {"c1": (16, 1, 3, 3), "b1": (16,), "c2": (32, 16, 3, 3), "b2": (32,),
             "w": (10, 1568), "b": (10,)}, cnn, images(32, 1, 28, 10)),
    Network("ResNet-18, widths 16-128", resnet_sizes(), resnet, images(8, 3, 32, 10)),
    Network("LSTM language model, width 64",
            {"e": (200, 64), "h": (64,), "wx": (256, 64), "wh": (256, 64), "b": (256,),
             "w": (200, 64)}, lstm, words(16, 20, 200)),
    Network("transformer encoder, 2 layers of 64", {**LAYERS, "w": (200, 64)}, encoder,
            words(8, 32, 200)),
    Network("GPT-2-shaped decoder, 2 layers of 64", LAYERS, decoder, words(8, 32, 200)),
    Network("U-Net, widths 16-64",
            {"c0": (16, 3, 3, 3), "b0": (16,), "c1": (32, 16, 3, 3), "b1": (32,),
             "m": (64, 32, 3, 3), "bm": (64,), "d1": (32, 96, 3, 3), "e1": (32,),
             "d0": (16, 48, 3, 3), "e0": (16,), "o": (4, 16, 1, 1)}, unet, _segments),
    Network("VAE 784-128-16",
            {"w1": (128, 784), "b1": (128,), "wm": (16, 128), "bm": (16,), "ws": (16, 128),
             "bs0": (16,), "w2": (128, 16), "b2": (128,), "w3": (784, 128), "b3": (784,)},
            vae, _digits),
]  # fmt: skip
"""All networks."""
