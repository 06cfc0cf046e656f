"""Conv in 1, 2 and 3 dimensions, ConvTranspose, chains of 3x3, pooling."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from ..draw import Draw
from ..graph_builder import GraphBuilder, GraphTensor
from .layers import WORK, activation, batch_norm, conv, conv_work

_SIZES = {1: 2048, 2: 130, 3: 28}
_CHANNELS = {1: 1024, 2: 520, 3: 130}


@dataclass(frozen=True)
class _Conv:
    shape: tuple[int, ...]
    channels: int
    group: int
    kernel: list[int]
    stride: list[int]
    dilation: list[int]
    pads: list[int]

    def out(self) -> list[int]:
        rank = len(self.kernel)
        return [
            (
                self.shape[2 + i]
                + self.pads[i]
                + self.pads[i + rank]
                - (self.kernel[i] - 1) * self.dilation[i]
                - 1
            )
            // self.stride[i]
            + 1
            for i in range(rank)
        ]

    def cost(self) -> float:
        """Return the cost of a test: its operations, or more if drawing the data takes longer."""
        out = self.out()
        if min(out) < 1:
            return float("inf")
        fan_in = self.shape[1] // self.group * prod(self.kernel)
        work = 2.0 * self.shape[0] * self.channels * prod(out) * fan_in
        moved = 60.0 * (prod(self.shape) + self.shape[0] * self.channels * prod(out))
        return max(work, moved, 20.0 * self.channels * fan_in)


def conv1d(g: GraphBuilder) -> None:
    """Draw a convolution over one dimension."""
    _conv(g, 1)


def conv2d(g: GraphBuilder) -> None:
    """Draw a convolution over two dimensions."""
    _conv(g, 2)


def conv3d(g: GraphBuilder) -> None:
    """Draw a convolution over three dimensions."""
    _conv(g, 3)


def _conv(g: GraphBuilder, rank: int) -> None:
    d = g.draw
    drawn = d.fitting(lambda: _drawn_conv(d, rank), _Conv.cost, WORK)
    x = g.input(*drawn.shape)
    if d.chance(0.4):
        x = _blocked(g, drawn.shape)
    y = conv(
        g,
        x,
        drawn.channels,
        drawn.kernel,
        stride=drawn.stride,
        dilation=drawn.dilation,
        group=drawn.group,
        pads=drawn.pads,
        is_constant=d.chance(0.9),
    )
    y = batch_norm(g, y) if d.chance(0.3) else y
    if d.chance(0.2):
        y = g.op("Add", y, g.input(*y.shape))
    y = activation(g, y) if d.chance(0.5) else y
    if d.chance(0.15):
        y = g.op("Transpose", y, perm=[0, *range(2, y.rank), 1])
    g.output(y)


def _drawn_conv(d: Draw, rank: int) -> _Conv:
    group, into, channels = _drawn_channels(d, _CHANNELS[rank])
    most = 7 if rank < 3 else 5
    kernel = [d.one(1, 1, 2, 3, 3, 3, 4, 5, 7, 8, 11)] * rank
    if rank == 3 or d.chance(0.3):
        kernel = [d.integer(1, most) for _ in range(rank)]
    stride = [d.one(1, 1, 1, 2, 2, 3, 4)] * rank
    stride = stride if d.chance(0.8) else [d.integer(1, 3) for _ in range(rank)]
    dilation = [d.one(1, 1, 1, 1, 2, 3, 6, 12)] * rank
    dilation = dilation if d.chance(0.8) else [d.integer(1, 3) for _ in range(rank)]
    sizes = [d.size(_SIZES[rank])] * rank
    sizes = sizes if d.chance(0.5) else [d.size(_SIZES[rank]) for _ in range(rank)]
    same = [(k - 1) * q // 2 for k, q in zip(kernel, dilation, strict=True)] * 2
    pads = d.one([0] * 2 * rank, same, same, [d.integer(0, 3) for _ in range(2 * rank)])
    batch = d.one(1, 1, 1, 2, 3, 8)
    return _Conv((batch, into, *sizes), channels, group, kernel, stride, dilation, pads)


def _drawn_channels(d: Draw, most: int) -> tuple[int, int, int]:
    """Draw the groups, input channels and output channels of a convolution."""
    kind = d.one("plain", "plain", "plain", "depthwise", "grouped", "multiplier", "few")
    if kind == "depthwise":
        group = d.size(most)
        return group, group, group
    if kind == "multiplier":
        group = d.size(most // 4)
        return group, group, group * d.integer(2, 4)
    if kind == "grouped":
        group = d.one(2, 3, 4, 8, 32)
        return group, group * d.size(most // group), group * d.size(most // group)
    few = d.one(1, 2, 3, 4)
    if kind == "few":
        return (1, *d.one((few, d.size(most)), (d.size(most), few)))
    return 1, d.size(most), d.size(most)


def _blocked(g: GraphBuilder, shape: tuple[int, ...]) -> GraphTensor:
    """Return the result of a 1x1 convolution, which the compiler may give a blocked layout."""
    first = g.draw.one(16, 32, 24, 12, 7)
    x = g.input(shape[0], first, *shape[2:])
    return activation(g, conv(g, x, shape[1], 1), "relu")


def conv_chain(g: GraphBuilder) -> None:
    """Draw one to three 3x3 convolutions with many channels, some with residuals."""
    d = g.draw

    def start() -> tuple[int, int, int, int]:
        channels = d.one(32, 33, 36, 40, 48, 64, 67, 80, 96, 112, 128, 160, 192, 256, 320, 512)
        return d.one(1, 1, 2, 5), channels, d.size(112, 3), d.size(112, 3)

    shape = d.fitting(start, lambda s: conv_work(s, s[1], (3, 3)), WORK / 2)
    y = g.input(*shape)
    for _ in range(d.integer(1, 3)):
        channels = d.one(shape[1], shape[1], 32, 37, 48, 64, 72, 96, 128, 144, 255, 256)
        if conv_work(y.shape, channels, (3, 3)) > WORK:
            channels = 24
        pads = d.one(None, None, [0, 0, 0, 0], [2, 0, 1, 1], [2, 2, 2, 2])
        z = conv(g, y, channels, 3, pads=pads if min(y.shape[2:]) > 2 else None)
        z = activation(g, z, "relu") if d.chance(0.6) else z
        y = g.op("Add", z, y) if z.shape == y.shape and d.chance(0.5) else z
    g.output(y)


def conv_transpose(g: GraphBuilder) -> None:
    """Draw a transposed convolution in 1 to 3 dimensions, sometimes grouped."""
    d = g.draw
    rank = d.one(1, 2, 2, 2, 3)
    most, channels = {1: 1024, 2: 64, 3: 14}[rank], {1: 520, 2: 260, 3: 70}[rank]

    def cost(drawn: _Conv) -> float:
        fan_in = drawn.channels // drawn.group * prod(drawn.kernel)
        out = prod(s * n for s, n in zip(drawn.stride, drawn.shape[2:], strict=True))
        work = 2.0 * prod(drawn.shape) * fan_in
        return max(work, 20.0 * drawn.shape[1] * fan_in, 60.0 * drawn.channels * out)

    def make() -> _Conv:
        group, into, out = _drawn_channels(d, channels)
        kernel = [d.integer(1, 9 if rank == 1 else 6 - rank // 3 * 3) for _ in range(rank)]
        kernel = kernel if d.chance(0.4) else [d.one(2, 3, 4, 5)] * rank
        stride = [d.integer(1, 4 if rank < 3 else 2) for _ in range(rank)]
        stride = stride if d.chance(0.4) else [stride[0]] * rank
        dilation = [d.one(1, 1, 1, 1, 2)] * rank
        sizes = [d.size(most, 2) for _ in range(rank)]
        pads = [d.integer(0, min(2, k - 1)) for k in kernel] * 2
        shape = (d.one(1, 1, 2), into, *sizes)
        return _Conv(shape, out, group, kernel, stride, dilation, pads)

    drawn = d.fitting(make, cost, WORK / 2)
    more = [d.integer(0, s - 1) if d.chance(0.4) else 0 for s in drawn.stride]
    grown = [k + s for k, s in zip(drawn.kernel, drawn.stride, strict=True)]
    pads = drawn.pads if min(grown) > 4 else [0] * 2 * rank
    fan_in = drawn.shape[1] // drawn.group * prod(drawn.kernel)
    weights = g.weight(drawn.shape[1], drawn.channels // drawn.group, *drawn.kernel, fan_in=fan_in)
    y = g.op(
        "ConvTranspose",
        g.input(*drawn.shape),
        weights,
        *([g.weight(drawn.channels)] if d.chance(0.6) else []),
        group=drawn.group,
        kernel_shape=drawn.kernel,
        strides=drawn.stride,
        dilations=drawn.dilation,
        pads=pads,
        output_padding=more,
    )
    g.output(activation(g, y) if d.chance(0.4) else y)


def pool(g: GraphBuilder) -> None:
    """Draw a pooling operator of any kind, sometimes after a convolution."""
    d = g.draw
    rank = d.one(1, 2, 2, 2, 3)
    most = {1: 2048, 2: 130, 3: 30}[rank]

    def make() -> tuple[tuple[int, ...], list[int]]:
        sizes = [d.size(most) for _ in range(rank)]
        kernel = [min(s, d.one(1, 2, 2, 3, 3, 5, 7, 13)) for s in sizes]
        return (d.one(1, 1, 2, 5), d.size(300), *sizes), kernel

    shape, kernel = d.fitting(make, lambda s: float(prod(s[0]) * prod(s[1])), WORK / 20)
    stride = [d.integer(1, 3) for _ in range(rank)]
    pads = [d.integer(0, k // 2) for k in kernel] * 2
    y = _blocked(g, shape) if d.chance(0.4) else g.input(*shape)
    kind = d.one(
        "MaxPool", "MaxPool", "AveragePool", "AveragePool", "LpPool",
        "GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool",
    )  # fmt: skip
    more: dict[str, int | list[int]] = {}
    if not kind.startswith("Global"):
        more = {"kernel_shape": kernel, "strides": stride, "pads": pads}
    if kind == "MaxPool":
        fits = all((k - 1) * 2 < s for k, s in zip(kernel, shape[2:], strict=True))
        more["dilations"] = [d.one(1, 1, 2) if fits else 1] * rank
        more["ceil_mode"] = d.integer(0, 1)
    if kind == "AveragePool":
        more["count_include_pad"] = d.integer(0, 1)
    if kind == "LpPool":
        more["p"] = d.one(1, 2, 3)
    g.output(g.op(kind, y, **more))
