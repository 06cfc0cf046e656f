"""Ten models in jax, with weights of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, nn

from .programs import Case

IMAGE = ("NHWC", "HWIO", "NHWC")


class _Weights:
    """Random weights, scaled so that values stay near 1."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def __call__(self, *shape: int) -> Any:
        fan = max(1, int(np.prod(shape[:-1])))
        return (self.rng.standard_normal(shape) / np.sqrt(fan)).astype("float32")

    def inputs(self, *shape: int) -> np.ndarray:
        return self.rng.standard_normal(shape).astype("float32")


def _conv(x: Any, w: Any, stride: int = 1) -> Any:
    return lax.conv_general_dilated(x, w, (stride,) * 2, "SAME", dimension_numbers=IMAGE)


def _norm(x: Any, g: Any, b: Any) -> Any:
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * g + b


def _max_pool(x: Any) -> Any:
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME")


def _mean_pool(x: Any) -> Any:
    return lax.reduce_window(x, np.float32(0), lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4


def mlp(s: int) -> Case:
    """Three dense layers."""
    w = _Weights(1)
    a, b, c, bias = w(8 * s, 16 * s), w(16 * s, 16 * s), w(16 * s, 4), w(16 * s)
    return Case(
        "mlp",
        lambda x: nn.relu(nn.relu(x @ a + bias) @ b) @ c,
        (w.inputs(4, 8 * s),),
    )


def convnet(s: int) -> Case:
    """Convolutions, pools and a dense layer."""
    w = _Weights(2)
    a, b, c = w(3, 3, 3, 4 * s), w(3, 3, 4 * s, 8 * s), w(4 * 4 * 8 * s, 10)

    def run(x: Any) -> Any:
        x = _max_pool(nn.relu(_conv(x, a)))
        x = _mean_pool(nn.relu(_conv(x, b)))
        return x.reshape(x.shape[0], -1) @ c

    return Case("convnet", run, (w.inputs(2, 16, 16, 3),))


def resnet_block(s: int) -> Case:
    """A residual block with normalization by constants and a strided shortcut."""
    w = _Weights(3)
    a, b, c = w(3, 3, 4 * s, 8 * s), w(3, 3, 8 * s, 8 * s), w(1, 1, 4 * s, 8 * s)
    mean, var, g = w(8 * s), np.abs(w(8 * s)) + 1, w(8 * s)

    def scaled(x: Any) -> Any:
        return (x - mean) / jnp.sqrt(var + 1e-5) * g

    return Case(
        "resnet_block",
        lambda x: nn.relu(scaled(_conv(nn.relu(scaled(_conv(x, a, 2))), b)) + _conv(x, c, 2)),
        (w.inputs(1, 8, 8, 4 * s),),
    )


def _attention(x: Any, qkv: Any, out: Any, heads: int, mask: Any = None) -> Any:
    batch, length, width = x.shape
    q, k, v = (y.reshape(batch, length, heads, -1) for y in jnp.split(x @ qkv, 3, -1))
    scores = jnp.einsum("bthd,bshd->bhts", q, k) / np.float32(np.sqrt(width // heads))
    if mask is not None:
        scores = jnp.where(mask, scores, np.float32(-1e9))
    mixed = jnp.einsum("bhts,bshd->bthd", nn.softmax(scores), v)
    return mixed.reshape(batch, length, width) @ out


def encoder_layer(s: int) -> Case:
    """A layer of a transformer's encoder."""
    w = _Weights(4)
    d = 16 * s
    qkv, out, up, down, g, b = w(d, 3 * d), w(d, d), w(d, 4 * d), w(4 * d, d), w(d), w(d)

    def run(x: Any) -> Any:
        x = x + _attention(_norm(x, g, b), qkv, out, 4)
        return x + nn.gelu(_norm(x, b, g) @ up) @ down

    return Case("encoder_layer", run, (w.inputs(2, 6, d),))


def masked_attention(s: int) -> Case:
    """Causal attention with a mask of the padding."""
    w = _Weights(5)
    d = 8 * s
    qkv, out = w(d, 3 * d), w(d, d)

    def run(x: Any, lengths: Any) -> Any:
        places = jnp.arange(x.shape[1])
        causal = places[:, None] >= places[None, :]
        mask = causal[None, None] & (places < lengths[:, None])[:, None, None]
        return _attention(x, qkv, out, 2, mask)

    return Case("masked_attention", run, (w.inputs(2, 7, d), np.array([7, 3], "int32")))


def lstm(s: int) -> Case:
    """An LSTM along the time axis, as lax.scan."""
    w = _Weights(6)
    h, n = 8 * s, 4 * s
    wx, wh, b = w(n, 4 * h), w(h, 4 * h), w(4 * h)

    def run(x: Any) -> Any:
        def step(carry: Any, x_t: Any) -> Any:
            c, hidden = carry
            i, f, g, o = jnp.split(x_t @ wx + hidden @ wh + b, 4, -1)
            c = nn.sigmoid(f) * c + nn.sigmoid(i) * jnp.tanh(g)
            hidden = nn.sigmoid(o) * jnp.tanh(c)
            return (c, hidden), hidden

        zeros = jnp.zeros((x.shape[1], h), "float32")
        return lax.scan(step, (zeros, zeros), x)

    return Case("lstm", run, (w.inputs(9, 2, n),))


def gru(s: int) -> Case:
    """A GRU in both directions."""
    w = _Weights(7)
    h, n = 6 * s, 4 * s
    wx, wh, b = w(n, 3 * h), w(h, 3 * h), w(3 * h)

    def step(hidden: Any, x_t: Any) -> Any:
        rx, zx, nx = jnp.split(x_t @ wx + b, 3, -1)
        rh, zh, nh = jnp.split(hidden @ wh, 3, -1)
        z = nn.sigmoid(zx + zh)
        new = jnp.tanh(nx + nn.sigmoid(rx + rh) * nh)
        hidden = (1 - z) * new + z * hidden
        return hidden, hidden

    def run(x: Any) -> Any:
        first = jnp.zeros((x.shape[1], h), "float32")
        forward = lax.scan(step, first, x)[1]
        return jnp.concatenate([forward, lax.scan(step, first, x, reverse=True)[1]], -1)

    return Case("gru", run, (w.inputs(7, 2, n),))


def norm_mlp(s: int) -> Case:
    """Layer normalization, and a dense layer with an exact GELU."""
    w = _Weights(8)
    d = 16 * s
    g, b, up, down = w(d), w(d), w(d, 2 * d), w(2 * d, d)
    return Case(
        "norm_mlp",
        lambda x: x + nn.gelu(_norm(x, g, b) @ up, approximate=False) @ down,
        (w.inputs(5, d),),
    )


def classifier(s: int) -> Case:
    """A softmax classifier with its class as a number and as a one-hot vector."""
    w = _Weights(9)
    a, b = w(8 * s, 10), w(10)

    def run(x: Any) -> Any:
        logits = x @ a + b
        best = jnp.argmax(logits, -1)
        return nn.softmax(logits), best, nn.one_hot(best, 10, dtype="float32"), lax.top_k(logits, 3)

    return Case("classifier", run, (w.inputs(6, 8 * s),))


def embedding(s: int) -> Case:
    """Rows of a table by number, summed by segment."""
    w = _Weights(10)
    table, a = w(50, 4 * s), w(4 * s, 3)

    def run(tokens: Any, segments: Any) -> Any:
        return jax.ops.segment_sum(jnp.asarray(table)[tokens], segments, 4) @ a

    tokens, segments = w.rng.integers(0, 50, 11), np.sort(w.rng.integers(0, 4, 11))
    return Case("embedding", run, (tokens.astype("int32"), segments.astype("int32")))


def unet(s: int) -> Case:
    """A small U-Net: a pool, a resize and a transposed convolution."""
    w = _Weights(11)
    a, b, c = w(3, 3, 2, 4 * s), w(3, 3, 4 * s, 8 * s), w(3, 3, 12 * s, 2)
    up = w(2, 2, 2, 2)

    def run(x: Any) -> Any:
        first = nn.relu(_conv(x, a))
        low = nn.relu(_conv(_max_pool(first), b))
        wide = jax.image.resize(low, (*first.shape[:3], low.shape[-1]), "bilinear")
        y = _conv(jnp.concatenate([first, wide], -1), c)
        return lax.conv_transpose(y, up, (2, 2), "SAME", dimension_numbers=IMAGE)

    return Case("unet", run, (w.inputs(1, 8, 8, 2),))


MODELS = (
    mlp,
    convnet,
    resnet_block,
    encoder_layer,
    masked_attention,
    lstm,
    gru,
    norm_mlp,
    classifier,
    embedding,
    unet,
)


def models(scale: int = 1) -> Iterator[Case]:
    """Yield the models, with widths that are multiples of a scale."""
    return (model(scale) for model in MODELS)


def dynamic() -> Iterator[Case]:
    """Yield models of dynamic sizes."""
    r = _Weights(12)
    w = r(16, 8)
    x = r.inputs(3, 16)
    yield Case("batch", lambda x: nn.softmax(nn.gelu(x @ w)) + jnp.arange(8.0), (x,), ("b, 16",))
    yield Case(
        "shared",
        lambda x, y: jnp.concatenate([x, y], 0).reshape(-1).sum() + x.shape[0],
        (x, x + 1),
        ("b, 16", "b, 16"),
    )
    q = r.inputs(2, 5, 8)
    yield Case(
        "attention",
        lambda q, k: jnp.einsum("bts,bsd->btd", nn.softmax(jnp.einsum("btd,bsd->bts", q, k)), k),
        (q, q + 1),
        ("b, t, 8", "b, t, 8"),
    )
    yield Case("even", lambda x, y: x.reshape(-1, 2).sum(1) + y, (x[0], x[1, :8]), ("2*b", "b"))
    yield Case("cut", lambda x: x[1:-1] * jnp.arange(x.shape[0] - 2), (x[0],), ("b",))
    yield Case("padded", lambda x: jnp.pad(x, ((1, 2), (0, 0))), (x,), ("b, 16",))
    yield Case("rows", lambda t, i: t[i], (x, np.array([1, 2, -1], "int32")), ("n, 16", "m"))
    yield Case("order", lambda x: (jnp.argmax(x, 1), jnp.sort(x, 0)), (x,), ("b, n",))
    yield Case(
        "growing_scan",
        lambda x: lax.scan(lambda h, e: (jnp.tanh(h + e), h * 2), jnp.zeros(x.shape[1:]), x),
        (x.astype("float64"),),
        ("t, n",),
    )
