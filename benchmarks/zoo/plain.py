"""An LSTM, a perceptron, and single operators."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional


class Lstm(nn.Module):
    """Layers of LSTM, and a classifier of every time step."""

    def __init__(self, size: int = 256, hidden: int = 512, layers: int = 2) -> None:
        super().__init__()
        self.layers = nn.LSTM(size, hidden, num_layers=layers, batch_first=True)
        self.head = nn.Linear(hidden, 40)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.layers(x)[0])


class Mlp(nn.Module):
    """Linear layers with ReLU between them."""

    def __init__(self, sizes: Sequence[int] = (784, 2048, 2048, 2048, 10)) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for inputs, outputs in pairwise(sizes):
            layers += [nn.Linear(inputs, outputs), nn.ReLU()]
        self.body = nn.Sequential(*layers[:-1])

    def forward(self, x: Tensor) -> Tensor:
        return self.body(x)


class Product(nn.Module):
    """A matrix product of two inputs."""

    def forward(self, lhs: Tensor, rhs: Tensor) -> Tensor:
        return torch.matmul(lhs, rhs)


class Softmax(nn.Module):
    """Softmax of rows."""

    def forward(self, x: Tensor) -> Tensor:
        return x.softmax(-1)


class Gelu(nn.Module):
    """An elementwise chain: GELU of a sum."""

    def forward(self, lhs: Tensor, rhs: Tensor) -> Tensor:
        return functional.gelu(lhs + rhs)


class SelfAttention(nn.Module):
    """Multi-head attention, without the projections."""

    def forward(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return functional.scaled_dot_product_attention(q, k, v)
