"""Speech networks: the encoder of Whisper."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from .text import Attention


class WhisperLayer(nn.Module):
    """Attention and feed-forward, pre-normalized, each with a residual."""

    def __init__(self, hidden: int, heads: int) -> None:
        super().__init__()
        self.attention = Attention(hidden, heads)
        self.first, self.second = nn.LayerNorm(hidden), nn.LayerNorm(hidden)
        self.inner, self.outer = nn.Linear(hidden, 4 * hidden), nn.Linear(4 * hidden, hidden)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attention(self.first(x))
        return x + self.outer(functional.gelu(self.inner(self.second(x))))


class WhisperEncoder(nn.Module):
    """The encoder of Whisper: two convolutions over time, then attention layers over all frames.

    The second convolution has stride 2.  frames: the number of frames after the convolutions; 1500
    for thirty seconds of sound.  The default sizes are those of Whisper base.
    """

    def __init__(
        self, *, frames: int = 1500, bands: int = 80, hidden: int = 512, heads: int = 8
    ) -> None:
        super().__init__()
        self.stem = nn.Conv1d(bands, hidden, 3, padding=1)
        self.halve = nn.Conv1d(hidden, hidden, 3, stride=2, padding=1)
        self.places = nn.Parameter(torch.zeros(frames, hidden))
        self.layers = nn.ModuleList(WhisperLayer(hidden, heads) for _ in range(6))
        self.norm = nn.LayerNorm(hidden)

    def forward(self, x: Tensor) -> Tensor:
        x = functional.gelu(self.halve(functional.gelu(self.stem(x))))
        x = x.transpose(1, 2)
        x = x + self.places[: x.shape[1]]
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)
