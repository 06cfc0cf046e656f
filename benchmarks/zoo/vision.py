"""Image networks: ResNet, MobileNetV2, VGG-16, a U-Net and ViT, as published; a small detector."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

from .text import Attention


def conv_norm(
    channels: int, filters: int, kernel: int, *, stride: int = 1, groups: int = 1
) -> nn.Sequential:
    """Return a padded convolution without bias, and its normalization."""
    conv = nn.Conv2d(channels, filters, kernel, stride, kernel // 2, groups=groups, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(filters))


class Residual(nn.Module):
    """Two 3x3 convolutions, or 1x1, 3x3, 1x1 with four times the channels, and the sum."""

    # The branch of a block is smaller than its input, as in trained networks.
    branch_scale = 0.3

    def __init__(self, channels: int, width: int, *, stride: int, bottleneck: bool) -> None:
        super().__init__()
        filters = 4 * width if bottleneck else width
        if bottleneck:
            parts = [
                conv_norm(channels, width, 1),
                nn.ReLU(),
                conv_norm(width, width, 3, stride=stride),
                nn.ReLU(),
                conv_norm(width, filters, 1),
            ]
        else:
            parts = [
                conv_norm(channels, width, 3, stride=stride),
                nn.ReLU(),
                conv_norm(width, width, 3),
            ]
        self.body = nn.Sequential(*parts)
        self.branch = self.body[-1][1]
        is_same = stride == 1 and channels == filters
        self.skip = nn.Identity() if is_same else conv_norm(channels, filters, 1, stride=stride)

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(self.body(x) + self.skip(x))


class ResNet(nn.Module):
    """ResNet: the first convolution, four stages of residual blocks, and the classifier."""

    def __init__(self, depths: Sequence[int], *, bottleneck: bool, width: int = 64) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            conv_norm(3, width, 7, stride=2), nn.ReLU(), nn.MaxPool2d(3, 2, padding=1)
        )
        channels = width
        blocks: list[nn.Module] = []
        for stage, depth in enumerate(depths):
            for index in range(depth):
                stride = 2 if stage > 0 and index == 0 else 1
                inner = width << stage
                blocks.append(Residual(channels, inner, stride=stride, bottleneck=bottleneck))
                channels = 4 * inner if bottleneck else inner
        self.blocks = nn.Sequential(*blocks)
        self.classifier = nn.Linear(channels, 1000)

    def forward(self, x: Tensor) -> Tensor:
        x = self.blocks(self.stem(x))
        return self.classifier(functional.adaptive_avg_pool2d(x, 1).flatten(1))


class InvertedResidual(nn.Module):
    """An inverted residual: expansion, depthwise convolution, projection.

    The input is added if its shape equals that of the result.
    """

    branch_scale = 0.3

    def __init__(self, channels: int, filters: int, *, stride: int, expand: int) -> None:
        super().__init__()
        inner = channels * expand
        layers: list[nn.Module] = []
        if expand > 1:
            layers += [conv_norm(channels, inner, 1), nn.ReLU6()]
        layers += [conv_norm(inner, inner, 3, stride=stride, groups=inner), nn.ReLU6()]
        self.body = nn.Sequential(*layers, conv_norm(inner, filters, 1))
        self.is_residual = stride == 1 and channels == filters
        self.branch = self.body[-1][1]

    def forward(self, x: Tensor) -> Tensor:
        return x + self.body(x) if self.is_residual else self.body(x)


# For each stage of MobileNetV2: expansion, channels, blocks, stride of the first.
MOBILE_STAGES = (
    (1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2),
    (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1),
)  # fmt: skip


class MobileNetV2(nn.Module):
    """MobileNetV2: the first convolution, stages of inverted residuals, and the classifier."""

    def __init__(self, stages: Sequence[tuple[int, int, int, int]] = MOBILE_STAGES) -> None:
        super().__init__()
        layers: list[nn.Module] = [conv_norm(3, 32, 3, stride=2), nn.ReLU6()]
        channels = 32
        for expand, filters, depth, stride in stages:
            for index in range(depth):
                step = stride if index == 0 else 1
                layers.append(InvertedResidual(channels, filters, stride=step, expand=expand))
                channels = filters
        self.features = nn.Sequential(*layers, conv_norm(channels, 1280, 1), nn.ReLU6())
        self.classifier = nn.Linear(1280, 1000)

    def forward(self, x: Tensor) -> Tensor:
        x = functional.adaptive_avg_pool2d(self.features(x), 1)
        return self.classifier(x.flatten(1))


class Vgg(nn.Module):
    """VGG-16: thirteen 3x3 convolutions, five max pools, three linear layers."""

    def __init__(self, depths: Sequence[int] = (2, 2, 3, 3, 3), hidden: int = 4096) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        channels = 3
        for stage, depth in enumerate(depths):
            for _ in range(depth):
                filters = min(512, 64 << stage)
                layers += [nn.Conv2d(channels, filters, 3, padding=1), nn.ReLU()]
                channels = filters
            layers.append(nn.MaxPool2d(2))
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Sequential(
            nn.Linear(channels * 49, hidden),
            nn.ReLU(),
            nn.Linear(hidden, hidden),
            nn.ReLU(),
            nn.Linear(hidden, 1000),
        )

    def forward(self, x: Tensor) -> Tensor:
        return self.classifier(self.features(x).flatten(1))


def double_conv(channels: int, filters: int) -> nn.Sequential:
    """Return two 3x3 convolutions, each normalized and rectified."""
    first, second = conv_norm(channels, filters, 3), conv_norm(filters, filters, 3)
    return nn.Sequential(first, nn.ReLU(), second, nn.ReLU())


class UNet(nn.Module):
    """Levels down by max pooling and up by transposed convolutions, joined level by level."""

    def __init__(self, width: int = 32, levels: int = 4, classes: int = 4) -> None:
        super().__init__()
        widths = [width << level for level in range(levels + 1)]
        self.enter = double_conv(3, width)
        self.down = nn.ModuleList(double_conv(fine, coarse) for fine, coarse in pairwise(widths))
        steps = list(reversed(list(pairwise(widths))))
        self.up = nn.ModuleList(
            nn.ConvTranspose2d(coarse, fine, 2, stride=2) for fine, coarse in steps
        )
        self.merge = nn.ModuleList(double_conv(2 * fine, fine) for fine, _ in steps)
        self.head = nn.Conv2d(width, classes, 1)

    def forward(self, x: Tensor) -> Tensor:
        x = self.enter(x)
        skips: list[Tensor] = []
        for down in self.down:
            skips.append(x)
            x = down(functional.max_pool2d(x, 2))
        for up, merge in zip(self.up, self.merge, strict=True):
            x = merge(torch.cat([up(x), skips.pop()], 1))
        return self.head(x)


class Detector(nn.Module):
    """A detector of boxes and scores at three strides: residual backbone and feature pyramid.

    In: images whose height and width are multiples of 32.  Out: corners (1, n, 4) in the order y,
    x, y, x, and scores (1, classes, n), as NonMaxSuppression reads them.
    """

    def __init__(self, width: int = 32, classes: int = 4) -> None:
        super().__init__()
        widths = [width << level for level in range(4)]
        self.enter = nn.Sequential(conv_norm(3, width, 3, stride=2), nn.ReLU())
        self.down = nn.ModuleList(
            Residual(coarse, fine, stride=2, bottleneck=False)
            for coarse, fine in pairwise([width, *widths])
        )
        self.side = nn.ModuleList(nn.Conv2d(channels, 2 * width, 1) for channels in widths[1:])
        self.smooth = nn.ModuleList(conv_norm(2 * width, 2 * width, 3) for _ in widths[1:])
        self.head = nn.ModuleList(nn.Conv2d(2 * width, 4 + classes, 1) for _ in widths[1:])

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        x = self.enter(x)
        maps: list[Tensor] = []
        for down in self.down:
            x = down(x)
            maps.append(x)
        boxes: list[Tensor] = []
        scores: list[Tensor] = []
        above: Tensor | None = None
        for level in (2, 1, 0):
            here = self.side[level](maps[level + 1])
            if above is not None:
                here = here + functional.interpolate(above, scale_factor=2.0)
            above = functional.relu(self.smooth[level](here))
            made = self.head[level](above)
            boxes.append(self._corners(made[:, :4], 8 << level))
            scores.append(torch.sigmoid(made[:, 4:].flatten(2)))
        return torch.cat(boxes, 1), torch.cat(scores, 2)

    def _corners(self, made: Tensor, stride: int) -> Tensor:
        """Return the corners of boxes from offsets of their centers and logarithms of sizes."""
        rows = torch.arange(made.shape[2]).to(made.dtype)
        columns = torch.arange(made.shape[3]).to(made.dtype)
        y = (rows[:, None] + torch.sigmoid(made[:, 0])) * stride
        x = (columns[None, :] + torch.sigmoid(made[:, 1])) * stride
        height, width = (torch.exp(made[:, axis].clamp(-2, 2)) * stride for axis in (2, 3))
        corners = (y - height / 2, x - width / 2, y + height / 2, x + width / 2)
        return torch.stack(corners, -1).flatten(1, 2)


class VisionBlock(nn.Module):
    """Attention and feed-forward, pre-normalized, each with a residual."""

    def __init__(self, hidden: int, heads: int) -> None:
        super().__init__()
        self.first = nn.LayerNorm(hidden, eps=1e-6)
        self.second = nn.LayerNorm(hidden, eps=1e-6)
        self.attention = Attention(hidden, heads)
        self.inner = nn.Linear(hidden, 4 * hidden)
        self.outer = nn.Linear(4 * hidden, hidden)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attention(self.first(x))
        return x + self.outer(functional.gelu(self.inner(self.second(x))))


class VisionTransformer(nn.Module):
    """ViT: patches of 16x16, a class token, position embeddings, blocks and the classifier."""

    def __init__(
        self, size: int = 224, hidden: int = 768, heads: int = 12, layers: int = 12
    ) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, hidden, 16, stride=16)
        self.token = nn.Parameter(torch.randn(1, 1, hidden))
        self.positions = nn.Parameter(torch.randn(1, (size // 16) ** 2 + 1, hidden))
        self.blocks = nn.Sequential(*(VisionBlock(hidden, heads) for _ in range(layers)))
        self.norm = nn.LayerNorm(hidden, eps=1e-6)
        self.head = nn.Linear(hidden, 1000)

    def forward(self, x: Tensor) -> Tensor:
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1) + self.positions
        return self.head(self.norm(self.blocks(x))[:, 0])
