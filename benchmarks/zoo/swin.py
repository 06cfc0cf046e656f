"""Swin-T as published: attention in windows, alternately unshifted and shifted."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

WINDOW = 7
"""Rows and columns of a window."""


def split_windows(x: Tensor) -> Tensor:
    """Return ``[n, h, w, c]`` as ``[windows, WINDOW * WINDOW, c]``."""
    n, height, width, channels = x.shape
    x = x.reshape(n, height // WINDOW, WINDOW, width // WINDOW, WINDOW, channels)
    return x.permute(0, 1, 3, 2, 4, 5).reshape(-1, WINDOW * WINDOW, channels)


def join_windows(x: Tensor, size: int) -> Tensor:
    """Return windows joined to an image of ``size`` rows and columns."""
    count = size // WINDOW
    x = x.reshape(-1, count, count, WINDOW, WINDOW, x.shape[-1])
    return x.permute(0, 1, 3, 2, 4, 5).reshape(-1, size, size, x.shape[-1])


def relative_positions() -> Tensor:
    """Return the row of the bias table by query and key of a window."""
    at = torch.stack(torch.meshgrid(*[torch.arange(WINDOW)] * 2, indexing="ij")).flatten(1)
    away = at[:, :, None] - at[:, None, :] + WINDOW - 1
    return away[0] * (2 * WINDOW - 1) + away[1]


def shifted_mask(size: int, shift: int) -> Tensor:
    """Return the additive mask of each window, so that only neighbours attend to each other."""
    parts = torch.zeros(1, size, size, 1)
    cuts = (slice(0, -WINDOW), slice(-WINDOW, -shift), slice(-shift, None))
    for number, (rows, columns) in enumerate((r, c) for r in cuts for c in cuts):
        parts[:, rows, columns] = number
    windows = split_windows(parts).squeeze(-1)
    return (windows[:, None] != windows[:, :, None]).float() * -100.0


class WindowAttention(nn.Module):
    """Attention within each window, with a bias by relative position."""

    def __init__(self, hidden: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.projections = nn.Linear(hidden, 3 * hidden)
        self.output = nn.Linear(hidden, hidden)
        self.table = nn.Parameter(torch.randn((2 * WINDOW - 1) ** 2, heads) * 0.02)
        self.register_buffer("positions", relative_positions(), persistent=False)

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        windows, tokens, hidden = x.shape
        parts = self.projections(x).reshape(windows, tokens, 3, self.heads, hidden // self.heads)
        q, k, v = parts.permute(2, 0, 3, 1, 4).unbind(0)
        scores = (q * (hidden // self.heads) ** -0.5) @ k.transpose(-2, -1)
        scores = scores + self.table[self.positions].permute(2, 0, 1).unsqueeze(0)
        if mask is not None:
            grouped = scores.reshape(-1, mask.shape[0], self.heads, tokens, tokens)
            scores = (grouped + mask[None, :, None]).reshape(windows, self.heads, tokens, tokens)
        mixed = (scores.softmax(-1) @ v).transpose(1, 2).reshape(windows, tokens, hidden)
        return self.output(mixed)


class Block(nn.Module):
    """Window attention and feed-forward, pre-normalized, each with a residual."""

    def __init__(self, hidden: int, heads: int, size: int, shift: int) -> None:
        super().__init__()
        self.size, self.shift = size, shift
        self.first = nn.LayerNorm(hidden)
        self.second = nn.LayerNorm(hidden)
        self.attention = WindowAttention(hidden, heads)
        self.inner = nn.Linear(hidden, 4 * hidden)
        self.outer = nn.Linear(4 * hidden, hidden)
        mask = shifted_mask(size, shift) if shift else None
        self.register_buffer("mask", mask, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        shift = self.shift
        moved = self.first(x)
        if shift:
            moved = moved.roll((-shift, -shift), (1, 2))
        moved = join_windows(self.attention(split_windows(moved), self.mask), self.size)
        if shift:
            moved = moved.roll((shift, shift), (1, 2))
        x = x + moved
        return x + self.outer(functional.gelu(self.inner(self.second(x))))


class Merge(nn.Module):
    """Patch merging: half the rows and columns, twice the channels."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(4 * hidden)
        self.reduction = nn.Linear(4 * hidden, 2 * hidden, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        parts = [x[:, row::2, column::2] for column in (0, 1) for row in (0, 1)]
        return self.reduction(self.norm(torch.cat(parts, -1)))


class Swin(nn.Module):
    """Patches of 4x4, four stages of blocks with fewer and fewer patches, and the head."""

    def __init__(
        self,
        image: int = 224,
        hidden: int = 96,
        depths: Sequence[int] = (2, 2, 6, 2),
        heads: Sequence[int] = (3, 6, 12, 24),
    ) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, hidden, 4, stride=4)
        self.norm = nn.LayerNorm(hidden)
        layers: list[nn.Module] = []
        size = image // 4
        for stage, (depth, count) in enumerate(zip(depths, heads, strict=True)):
            if stage:
                layers.append(Merge(hidden))
                hidden, size = 2 * hidden, size // 2
            # A map of a single window is not shifted.
            shift = WINDOW // 2 if size > WINDOW else 0
            layers += [Block(hidden, count, size, shift * (n % 2)) for n in range(depth)]
        self.stages = nn.Sequential(*layers)
        self.last = nn.LayerNorm(hidden)
        self.head = nn.Linear(hidden, 1000)

    def forward(self, x: Tensor) -> Tensor:
        x = self.norm(self.patches(x).permute(0, 2, 3, 1))
        return self.head(self.last(self.stages(x)).mean((1, 2)))
