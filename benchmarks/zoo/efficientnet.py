"""EfficientNet-B0 as published: inverted residuals with squeeze-and-excite."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor, nn
from torch.nn import functional

from .vision import conv_norm

# For each stage of EfficientNet-B0: expansion, channels, blocks, stride of the first, kernel.
STAGES = (
    (1, 16, 1, 1, 3), (6, 24, 2, 2, 3), (6, 40, 2, 2, 5), (6, 80, 3, 2, 3),
    (6, 112, 3, 1, 5), (6, 192, 4, 2, 5), (6, 320, 1, 1, 3),
)  # fmt: skip


class SqueezeExcite(nn.Module):
    """Scale each channel by a factor, which a small network computes from all channels' means."""

    def __init__(self, channels: int, squeezed: int) -> None:
        super().__init__()
        self.reduce = nn.Conv2d(channels, squeezed, 1)
        self.expand = nn.Conv2d(squeezed, channels, 1)

    def forward(self, x: Tensor) -> Tensor:
        scale = functional.silu(self.reduce(functional.adaptive_avg_pool2d(x, 1)))
        return x * self.expand(scale).sigmoid()


class Block(nn.Module):
    """An inverted residual: expansion, depthwise convolution, squeeze-and-excite, projection.

    The input is added if its shape equals that of the result.
    """

    branch_scale = 0.3

    def __init__(
        self, channels: int, filters: int, *, stride: int, expand: int, kernel: int
    ) -> None:
        super().__init__()
        inner = channels * expand
        layers: list[nn.Module] = []
        if expand > 1:
            layers += [conv_norm(channels, inner, 1), nn.SiLU()]
        layers += [conv_norm(inner, inner, kernel, stride=stride, groups=inner), nn.SiLU()]
        layers += [SqueezeExcite(inner, channels // 4), conv_norm(inner, filters, 1)]
        self.body = nn.Sequential(*layers)
        self.is_residual = stride == 1 and channels == filters
        self.branch = self.body[-1][1]

    def forward(self, x: Tensor) -> Tensor:
        return x + self.body(x) if self.is_residual else self.body(x)


class EfficientNet(nn.Module):
    """The stem, stages of blocks, and the classifier."""

    def __init__(self, stages: Sequence[tuple[int, int, int, int, int]] = STAGES) -> None:
        super().__init__()
        layers: list[nn.Module] = [conv_norm(3, 32, 3, stride=2), nn.SiLU()]
        channels = 32
        for expand, filters, depth, stride, kernel in stages:
            for index in range(depth):
                step = stride if index == 0 else 1
                layers.append(Block(channels, filters, stride=step, expand=expand, kernel=kernel))
                channels = filters
        self.features = nn.Sequential(*layers, conv_norm(channels, 1280, 1), nn.SiLU())
        self.classifier = nn.Linear(1280, 1000)

    def forward(self, x: Tensor) -> Tensor:
        x = functional.adaptive_avg_pool2d(self.features(x), 1)
        return self.classifier(x.flatten(1))
