"""The Attention operator, and attention written out; encoder and decoder blocks."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from ..draw import Draw
from ..graph_builder import GraphBuilder, GraphTensor
from .layers import (
    WORK,
    activation,
    layer_norm,
    linear,
    lowest,
    reshape,
    rms_norm,
    transpose,
    turned,
)

LENGTHS = (
    1, 2, 7, 49, 50, 64, 77, 100, 125, 128, 196, 197, 200, 250, 256, 300, 333, 375, 400, 448, 500,
    512, 577, 600, 625, 640, 750, 768, 800, 900, 1000, 1024, 1025, 1100, 1250, 1280, 1300, 1370,
    1400, 1500, 1536, 1600, 1800, 1999, 2000, 2047, 2048, 2250, 2304, 2500, 2560, 2750, 3000,
)  # fmt: skip
"""Numbers of keys that occur in networks."""

FEATURES = (8, 20, 32, 48, 64, 64, 64, 80, 96, 128, 160, 256)


@dataclass(frozen=True)
class _Sizes:
    """The sizes of an attention.

    heads: the number of heads of queries.  own: the number of heads of keys and values.  rows: the
    number of queries.  keys: the number of keys.  features: the size of a head.
    """

    batch: int
    heads: int
    own: int
    rows: int
    keys: int
    features: int

    def cost(self) -> float:
        """Return the cost of a test: its operations, or more if drawing operands takes longer."""
        pairs = self.batch * self.heads * self.rows * self.keys
        data = self.batch * self.heads * (self.rows + self.keys) * self.features
        return max(4.0 * pairs * self.features, 40.0 * pairs, 60.0 * data)


def _drawn(d: Draw) -> _Sizes:
    heads = d.one(1, 1, 2, 3, 4, 6, 8, 12, 16)
    group = d.one(1, 1, 1, 2, 4) if heads % 4 == 0 else 1
    keys = d.one(*LENGTHS) if d.chance(0.6) else d.integer(1, 3000)
    rows = d.one(keys, keys, keys, 1, 2, 3, 4, 5, 8, 16, 17, 33, 64, d.integer(1, 2000))
    features = d.integer(1, 130) if d.chance(0.1) else d.one(*FEATURES)
    return _Sizes(d.one(1, 1, 1, 2, 3), heads, heads // group, rows, keys, features)


def attention(g: GraphBuilder) -> None:
    """Draw attention that consists of several ops, in the forms that exporters write."""
    d = g.draw
    s = d.fitting(lambda: _drawn(d), _Sizes.cost, WORK)
    layout = d.one("heads", "heads", "flat", "export", "export", "turned")
    if layout == "export":
        q, k, v = (
            _split_heads(g, g.input(s.batch, n, h * s.features), h)
            for n, h in ((s.rows, s.heads), (s.keys, s.own), (s.keys, s.own))
        )
    elif layout == "flat":
        many = s.batch * s.heads
        s = _Sizes(many, 1, 1, s.rows, s.keys, s.features)
        q, k, v = (g.input(many, n, s.features) for n in (s.rows, s.keys, s.keys))
    else:
        q = g.input(s.batch, s.heads, s.rows, s.features)
        k, v = (g.input(s.batch, s.own, s.keys, s.features) for _ in range(2))
    k, v = _repeated(g, k, s), _repeated(g, v, s)
    if layout == "turned":
        k = turned(g, g.input(*k.shape[:-2], k.shape[-1], k.shape[-2]))
    y = _attend(g, q, k, v, d.one(*MASKS), s)
    if layout == "export":
        y = _joined_heads(g, y)
        y = linear(g, y, d.one(64, 77, 128)) if d.chance(0.4) else y
    g.output(y)


def attention_op(g: GraphBuilder) -> None:
    """Draw an Attention op: with or without masks, causality, grouped heads and a cache."""
    d = g.draw
    s = d.fitting(lambda: _drawn(d), _Sizes.cost, WORK)
    more: dict[str, object] = {}
    past = d.chance(0.2) and s.keys > 1
    keys = d.integer(1, s.keys - 1) if past else s.keys
    if d.chance(0.4) and not past:
        more = {"q_num_heads": s.heads, "kv_num_heads": s.own}
        shapes = [(s.rows, s.heads), (keys, s.own), (keys, s.own)]
        operands = [g.input(s.batch, n, h * s.features) for n, h in shapes]
    else:
        shapes = [(s.heads, s.rows), (s.own, keys), (s.own, keys)]
        operands = [g.input(s.batch, h, n, s.features) for h, n in shapes]
    mask = d.one("none", "none", "float", "bool")
    if mask == "float":
        lead = d.one((), (s.batch, 1), (s.batch, s.heads))
        operands.append(g.input(*lead, s.rows, s.keys))
    if mask == "bool":
        shown = d.integers((s.rows, s.keys), 0, 9) < 7
        shown[:, 0] = True
        operands.append(g.feed(shown))
    if d.chance(0.2):
        more["softcap"] = 30.0
    if s.rows == s.keys and not past and d.chance(0.5):
        more["is_causal"] = 1
    if past:
        old = (s.batch, s.own, s.keys - keys, s.features)
        given: list[GraphTensor | None] = [*operands, *([None] if mask == "none" else [])]
        g.output(*g.ops("Attention", *given, g.input(*old), g.input(*old), count=3, **more))
    else:
        g.output(g.op("Attention", *operands, **more))


MASKS = ("none", "none", "causal", "causal", "range", "window", "padding", "full", "slopes")


def _split_heads(g: GraphBuilder, x: GraphTensor, heads: int) -> GraphTensor:
    batch, rows, width = x.shape
    return transpose(g, reshape(g, x, batch, rows, heads, width // heads), 0, 2, 1, 3)


def _joined_heads(g: GraphBuilder, x: GraphTensor) -> GraphTensor:
    batch, heads, rows, features = x.shape
    return reshape(g, transpose(g, x, 0, 2, 1, 3), batch, rows, heads * features)


def _repeated(g: GraphBuilder, x: GraphTensor, s: _Sizes) -> GraphTensor:
    """Repeat each key head for the query heads that share it."""
    if s.heads == s.own:
        return x
    batch, own, rows, features = x.shape
    wide = g.ints(1, 1, s.heads // own, 1, 1)
    x = g.op("Expand", g.op("Unsqueeze", x, g.ints(2)), wide)
    return reshape(g, x, batch, s.heads, rows, features)


def _attend(
    g: GraphBuilder, q: GraphTensor, k: GraphTensor, v: GraphTensor, mask: str, s: _Sizes
) -> GraphTensor:
    """Apply attention: scale, product, mask, Softmax and product.

    mask: one of `MASKS`.
    """
    d, root = g.draw, sqrt(q.shape[-1])
    scale = d.one("div", "mul", "query", "both")
    if scale == "query":
        q = g.op("Mul", q, g.number(1 / root))
    if scale == "both":
        q, k = (g.op("Mul", x, g.number(root**-0.5)) for x in (q, k))
    scores = g.op("MatMul", q, turned(g, k))
    if scale in ("div", "mul"):
        by = g.number(root if scale == "div" else 1 / root)
        scores = g.op("Div" if scale == "div" else "Mul", scores, by)
    if mask != "none":
        scores = _masked(g, scores, mask, s)
    return g.op("MatMul", g.op("Softmax", scores, axis=-1), v)


def _masked(g: GraphBuilder, scores: GraphTensor, mask: str, s: _Sizes) -> GraphTensor:
    rows, keys = scores.shape[-2:]
    low = lowest(g)
    ends = np.arange(rows)[:, None] + max(0, keys - rows)
    at = np.arange(keys)[None, :]
    if mask == "padding":
        added = np.zeros((s.batch, *[1] * (scores.rank - 2), keys))
        added[..., keys - keys // 3 :] = -10000.0
        return g.op("Add", scores, g.feed(added.astype(g.dtype)))
    if mask == "full":
        lead = [n if g.draw.chance(0.5) else 1 for n in scores.shape[:-2]]
        return g.op("Add", scores, g.input(*lead, rows, keys))
    if mask == "slopes":
        distance = -np.abs(at - ends) * 2.0**-4
        return g.op("Add", scores, g.constant(distance.astype(g.dtype)))
    if mask == "range":
        return _masked_by_range(g, scores, low)
    hidden = at > ends
    if mask == "window":
        hidden |= (at < ends - max(1, keys // 3)) & (at > 0)
    if g.draw.chance(0.2):
        return g.op("Where", g.constant(hidden), g.number(low), scores)
    return g.op("Add", scores, g.constant(np.where(hidden, low, 0.0).astype(g.dtype)))


def _masked_by_range(g: GraphBuilder, scores: GraphTensor, low: float) -> GraphTensor:
    """Mask later keys by comparing positions, as exports of decoders do; return the masked scores.

    low: the number that stands for minus infinity in the mask.
    """
    rows, keys = scores.shape[-2:]
    step = g.index(1)
    query = g.op("Range", g.index(0), g.index(rows), step)
    query = g.op("Add", query, g.index(max(0, keys - rows)))
    key = g.op("Range", g.index(0), g.index(keys), step)
    later = g.op("Greater", g.op("Unsqueeze", key, g.ints(0)), g.op("Unsqueeze", query, g.ints(1)))
    if g.draw.chance(0.5):
        return g.op("Where", later, g.number(low), scores)
    return g.op("Add", scores, g.op("Where", later, g.number(low), g.number(0.0)))


def _rotated(g: GraphBuilder, x: GraphTensor, start: int = 0) -> GraphTensor:
    """Apply rotary position embeddings to batch x heads x rows x features.

    start: the position of the first row.
    """
    rows, features = x.shape[-2:]
    angle = np.outer(np.arange(start, start + rows), 0.1 ** np.arange(features // 2))
    cos, sin = (
        g.constant(np.concatenate([f(angle)] * 2, -1).astype(g.dtype)) for f in (np.cos, np.sin)
    )
    low, high = g.ops("Split", x, axis=-1, num_outputs=2, count=2)
    swapped = g.op("Concat", g.op("Neg", high), low, axis=-1)
    return g.op("Add", g.op("Mul", x, cos), g.op("Mul", swapped, sin))


def encoder(g: GraphBuilder) -> None:
    """Draw a transformer encoder block: attention and feed-forward, each after a normalization."""
    d = g.draw

    def make() -> tuple[int, int, int, int]:
        rows = d.integer(1, 1200) if d.chance(0.3) else d.one(*(n for n in LENGTHS if n < 1600))
        return d.one(1, 1, 2), rows, d.one(1, 2, 3, 4, 6), d.one(16, 20, 32, 48, 64)

    def cost(sizes: tuple[int, int, int, int]) -> float:
        batch, rows, heads, features = sizes
        width = heads * features
        return 2.0 * batch * rows * width * (12 * width + 2 * rows)

    batch, rows, heads, features = d.fitting(make, cost, WORK)
    width = heads * features
    x = g.input(batch, rows, width)
    y = layer_norm(g, x) if d.chance(0.7) else x
    q, k, v = _projected(g, y, heads)
    if d.chance(0.25) and features % 2 == 0:
        q, k = _rotated(g, q), _rotated(g, k)
    sizes = _Sizes(batch, heads, heads, rows, rows, features)
    y = _joined_heads(g, _attend(g, q, k, v, d.one("none", "causal", "range", "padding"), sizes))
    x = g.op("Add", x, linear(g, y, width))
    y = linear(g, layer_norm(g, x), width * d.one(1, 2, 4))
    g.output(g.op("Add", x, linear(g, activation(g, y), width)))


def _projected(
    g: GraphBuilder, x: GraphTensor, heads: int
) -> tuple[GraphTensor, GraphTensor, GraphTensor]:
    """Return queries, keys and values: three products, or slices of one product."""
    d, (batch, rows, width) = g.draw, x.shape
    kind = d.one("three", "three", "split", "gather")
    if kind == "three":
        q, k, v = (_split_heads(g, linear(g, x, width), heads) for _ in range(3))
        return q, k, v
    joined = linear(g, x, 3 * width)
    if kind == "split":
        parts = g.ops("Split", joined, g.ints(width, width, width), axis=-1, count=3)
        q, k, v = (_split_heads(g, part, heads) for part in parts)
        return q, k, v
    joined = reshape(g, joined, batch, rows, 3, heads, width // heads)
    joined = transpose(g, joined, 2, 0, 3, 1, 4)
    q, k, v = (g.op("Gather", joined, g.index(n), axis=0) for n in range(3))
    return q, k, v


def decoder(g: GraphBuilder) -> None:
    """Draw a decoder block: few new rows, a cache, grouped heads, and gates in the feed-forward."""
    d = g.draw

    def make() -> tuple[int, int, int, int, int]:
        old = d.one(d.integer(1, 2000), d.one(*LENGTHS))
        return d.one(1, 1, 1, 2, 7), old, d.one(2, 4, 8, 16), d.one(1, 1, 2), d.one(16, 32, 64, 80)

    def cost(sizes: tuple[int, int, int, int, int]) -> float:
        rows, old, heads, _, features = sizes
        width = heads * features
        return 2.0 * rows * width * 12 * width + 60.0 * width * (12 * width / 4 + 2 * old)

    rows, old, heads, group, features = d.fitting(make, cost, WORK)
    own, width = heads // group, heads * features
    x = g.input(1, rows, width)
    y = rms_norm(g, x)
    q = _split_heads(g, linear(g, y, width, bias=0.2), heads)
    k, v = (_split_heads(g, linear(g, y, own * features, bias=0.2), own) for _ in range(2))
    if d.chance(0.7):
        q, k = _rotated(g, q, old), _rotated(g, k, old)
    keys, values = (g.op("Concat", g.input(1, own, old, features), new, axis=2) for new in (k, v))
    if d.chance(0.7):
        g.output(keys, values)
    sizes = _Sizes(1, heads, own, rows, old + rows, features)
    mask = "none" if rows == 1 else d.one("causal", "range")
    y = _attend(g, q, _repeated(g, keys, sizes), _repeated(g, values, sizes), mask, sizes)
    x = g.op("Add", x, linear(g, _joined_heads(g, y), width, bias=0.2))
    y, hidden = rms_norm(g, x), width * d.one(1, 2, 3)
    gate = activation(g, linear(g, y, hidden, bias=0.1), "silu")
    y = linear(g, g.op("Mul", gate, linear(g, y, hidden, bias=0.1)), width, bias=0.1)
    g.output(g.op("Add", x, y))
