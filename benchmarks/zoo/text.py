"""Language networks: BERT, GPT-2 with a cache, and Llama-style blocks with and without one.

Attention is torch's own operator, so that torch runs its best code; the ONNX files have products
and a softmax instead.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional


def split_heads(x: Tensor, heads: int) -> Tensor:
    """Reshape (batch, sequence, heads * width) to (batch, heads, sequence, width)."""
    return x.view(x.shape[0], x.shape[1], heads, -1).transpose(1, 2)


def merge_heads(x: Tensor) -> Tensor:
    """Reshape (batch, heads, sequence, width) to (batch, sequence, heads * width)."""
    return x.transpose(1, 2).flatten(2)


class Attention(nn.Module):
    """Self-attention of the whole sequence."""

    def __init__(self, hidden: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query, self.key = nn.Linear(hidden, hidden), nn.Linear(hidden, hidden)
        self.value, self.out = nn.Linear(hidden, hidden), nn.Linear(hidden, hidden)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        q, k, v = (split_heads(f(x), self.heads) for f in (self.query, self.key, self.value))
        mixed = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.out(merge_heads(mixed))


class BertLayer(nn.Module):
    """Attention and feed-forward, post-normalized, each with a residual."""

    def __init__(self, hidden: int, heads: int) -> None:
        super().__init__()
        self.attention = Attention(hidden, heads)
        self.inner, self.outer = nn.Linear(hidden, 4 * hidden), nn.Linear(4 * hidden, hidden)
        self.first = nn.LayerNorm(hidden, eps=1e-12)
        self.second = nn.LayerNorm(hidden, eps=1e-12)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        x = self.first(self.attention(x, mask) + x)
        return self.second(self.outer(functional.gelu(self.inner(x))) + x)


class Bert(nn.Module):
    """BERT: embeddings and layers.

    kinds: whether it has token types and a pooler.
    """

    def __init__(
        self,
        *,
        layers: int,
        kinds: bool,
        hidden: int = 768,
        heads: int = 12,
        vocabulary: int = 30522,
    ) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(vocabulary, hidden), nn.Embedding(512, hidden)
        self.kinds = nn.Embedding(2, hidden) if kinds else None
        self.norm = nn.LayerNorm(hidden, eps=1e-12)
        self.layers = nn.ModuleList(BertLayer(hidden, heads) for _ in range(layers))
        self.pooler = nn.Linear(hidden, hidden) if kinds else None

    def forward(
        self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor | None = None
    ) -> tuple[Tensor, ...]:
        x = self.words(input_ids) + self.places.weight[: input_ids.shape[1]]
        if self.kinds is not None:
            x = x + self.kinds(token_type_ids)
        x = self.norm(x)
        mask = attention_mask[:, None, None, :].to(x.dtype)
        mask = (1.0 - mask) * torch.finfo(x.dtype).min
        for layer in self.layers:
            x = layer(x, mask)
        return (x,) if self.pooler is None else (x, torch.tanh(self.pooler(x[:, 0])))


def visible(known: int, new: int) -> Tensor:
    """Return which keys each new token sees: those up to its own position.

    Shape: (new, known + new), bool.
    """
    places = torch.arange(known + new)
    return places[None, :] <= places[known:, None]


class Gpt2Layer(nn.Module):
    """Causal attention with a cache, and feed-forward, pre-normalized, each with a residual."""

    def __init__(self, hidden: int, heads: int) -> None:
        super().__init__()
        self.heads, self.hidden = heads, hidden
        self.first, self.second = nn.LayerNorm(hidden), nn.LayerNorm(hidden)
        self.qkv, self.out = nn.Linear(hidden, 3 * hidden), nn.Linear(hidden, hidden)
        self.inner, self.outer = nn.Linear(hidden, 4 * hidden), nn.Linear(4 * hidden, hidden)

    def forward(
        self, x: Tensor, past: tuple[Tensor, ...], mask: Tensor | None
    ) -> tuple[Tensor, ...]:
        parts = self.qkv(self.first(x)).split(self.hidden, 2)
        q, k, v = (split_heads(part, self.heads) for part in parts)
        if past:
            k, v = torch.cat([past[0], k], 2), torch.cat([past[1], v], 2)
        mixed = functional.scaled_dot_product_attention(q, k, v, mask, is_causal=not past)
        x = x + self.out(merge_heads(mixed))
        inner = functional.gelu(self.inner(self.second(x)), approximate="tanh")
        return x + self.outer(inner), k, v


class Gpt2(nn.Module):
    """GPT-2: the outputs are the logits of every position, and the keys and values of every layer.

    chunks: whether several new tokens may follow a cache, so that they need a mask.
    """

    def __init__(
        self,
        *,
        chunks: bool = False,
        layers: int = 12,
        hidden: int = 768,
        heads: int = 12,
        vocabulary: int = 50257,
        context: int = 1024,
    ) -> None:
        super().__init__()
        self.chunks = chunks
        self.words, self.places = nn.Embedding(vocabulary, hidden), nn.Embedding(context, hidden)
        self.layers = nn.ModuleList(Gpt2Layer(hidden, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(hidden)

    def forward(self, input_ids: Tensor, *past: Tensor) -> tuple[Tensor, ...]:
        known = past[0].shape[2] if past else 0
        x = self.words(input_ids) + self.places.weight[known : known + input_ids.shape[1]]
        mask = visible(known, input_ids.shape[1]) if self.chunks else None
        present: list[Tensor] = []
        for i, layer in enumerate(self.layers):
            x, k, v = layer(x, past[2 * i : 2 * i + 2], mask)
            present += [k, v]
        return functional.linear(self.norm(x), self.words.weight), *present


class RmsNorm(nn.Module):
    """x divided by its root mean square, as in Llama."""

    def __init__(self, hidden: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(hidden)), eps

    def forward(self, x: Tensor) -> Tensor:
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps))


def rotate_half(x: Tensor) -> Tensor:
    """Map (a, b) to (-b, a), the halves of the last axis."""
    first, second = x.chunk(2, -1)
    return torch.cat([-second, first], -1)


class LlamaLayer(nn.Module):
    """Rotary, causal, grouped-query attention and a gated feed-forward."""

    def __init__(self, hidden: int, heads: int, kv_heads: int, inner: int) -> None:
        super().__init__()
        self.heads, self.kv_heads = heads, kv_heads
        narrow = hidden // heads * kv_heads
        self.q, self.o = (nn.Linear(hidden, hidden, bias=False) for _ in range(2))
        self.k, self.v = (nn.Linear(hidden, narrow, bias=False) for _ in range(2))
        self.gate, self.up = (nn.Linear(hidden, inner, bias=False) for _ in range(2))
        self.down = nn.Linear(inner, hidden, bias=False)
        self.first, self.second = RmsNorm(hidden), RmsNorm(hidden)

    def forward(
        self,
        x: Tensor,
        cos: Tensor,
        sin: Tensor,
        past: tuple[Tensor, ...] = (),
        mask: Tensor | None = None,
    ) -> tuple[Tensor, ...]:
        normed = self.first(x)
        q, k = split_heads(self.q(normed), self.heads), split_heads(self.k(normed), self.kv_heads)
        v = split_heads(self.v(normed), self.kv_heads)
        q, k = q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin
        if past:
            k, v = torch.cat([past[0], k], 2), torch.cat([past[1], v], 2)
        group = self.heads // self.kv_heads
        keys, values = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
        mixed = functional.scaled_dot_product_attention(q, keys, values, mask, is_causal=not past)
        x = x + self.o(merge_heads(mixed))
        normed = self.second(x)
        return x + self.down(functional.silu(self.gate(normed)) * self.up(normed)), k, v


class LlamaBlocks(nn.Module):
    """The layers of a Llama-style decoder and its last normalization, without a vocabulary.

    rows: the number of positions of the rotary table, including those of the cache.  With a cache,
    keys and values of every layer are further outputs.  chunks: as for `Gpt2`.
    """

    def __init__(
        self,
        *,
        rows: int,
        chunks: bool = False,
        layers: int = 6,
        hidden: int = 1024,
        heads: int = 16,
        kv_heads: int = 4,
        inner: int = 2816,
    ) -> None:
        super().__init__()
        self.chunks = chunks
        self.layers = nn.ModuleList(
            LlamaLayer(hidden, heads, kv_heads, inner) for _ in range(layers)
        )
        self.norm = RmsNorm(hidden)
        width = hidden // heads
        speeds = 10000.0 ** (-torch.arange(0, width, 2, dtype=torch.float32) / width)
        angles = torch.arange(rows)[:, None] * torch.cat([speeds, speeds])
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def forward(self, x: Tensor, *past: Tensor) -> tuple[Tensor, ...]:
        known = past[0].shape[2] if past else 0
        tables = (self.get_buffer(name) for name in ("cos", "sin"))
        cos, sin = (table[known : known + x.shape[1]] for table in tables)
        mask = visible(known, x.shape[1]) if self.chunks else None
        present: list[Tensor] = []
        for i, layer in enumerate(self.layers):
            x, k, v = layer(x, cos, sin, past[2 * i : 2 * i + 2], mask)
            present += [k, v]
        return self.norm(x), *(present if past else [])
