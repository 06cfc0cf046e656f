"""Resize, GridSample, RoiAlign, DeformConv."""

from __future__ import annotations

from math import prod

import numpy as np

from ..graph_builder import GraphBuilder
from .layers import WORK, conv

_ELEMENTS = WORK / 400


def resize(g: GraphBuilder) -> None:
    """Draw Resize by scales or to sizes, between convolutions or alone."""
    d = g.draw
    rank = d.one(1, 2, 2, 2, 3)
    most = {1: 500, 2: 60, 3: 16}[rank]
    shape = d.fitting(
        lambda: (d.one(1, 2), d.size(100), *(d.size(most) for _ in range(rank))),
        lambda s: float(prod(s)),
        _ELEMENTS / 16,
    )
    y = g.input(*shape)
    y = conv(g, y, d.one(16, 32, 7), 1) if d.chance(0.4) else y
    mode = d.one("nearest", "linear", "cubic") if rank == 2 else d.one("nearest", "linear")
    how = d.one("half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel")
    more: dict[str, object] = {"mode": mode, "coordinate_transformation_mode": how}
    if mode == "nearest":
        more["nearest_mode"] = d.one("floor", "round_prefer_floor", "ceil")
    if d.chance(0.5):
        scales = [d.one(2.0, 2.0, 3.0, 0.5, 1.5, 4.0) for _ in range(rank)]
        scales = [s if n * s >= 1 else 2.0 for s, n in zip(scales, shape[2:], strict=True)]
        by = g.constant(np.array([1, 1, *scales], np.float32))
        y = g.op("Resize", y, None, by, **more)
    else:
        sizes = [d.size(2 * most) for _ in range(rank)]
        y = g.op("Resize", y, None, None, g.ints(*y.shape[:2], *sizes), **more)
    if d.chance(0.4) and y.elements < 2e5:
        y = conv(g, y, d.one(8, 16, 5), 3)
    g.output(y)


def sample(g: GraphBuilder) -> None:
    """Draw reads at computed positions of a map."""
    d = g.draw
    kind = d.one("GridSample", "RoiAlign", "DeformConv")
    batch, channels, height, width = d.one(1, 2), d.size(64), d.size(40, 3), d.size(40, 3)
    x = g.input(batch, channels, height, width)
    if kind == "GridSample":
        grid = d.uniform((batch, d.size(40), d.size(40), 2), -1.2, 1.2)
        padding, corners = d.one("zeros", "border", "reflection"), d.integer(0, 1)
        mode = d.one("linear", "nearest")
        more = {"mode": mode, "padding_mode": padding, "align_corners": corners}
        g.output(g.op(kind, x, g.feed(grid.astype(g.dtype)), **more))
    elif kind == "RoiAlign":
        rois = d.size(20)
        corner = d.uniform((rois, 2), 0, 0.5) * np.array([width, height], np.float32)
        reach = d.uniform((rois, 2), 0.05, 0.5) * np.array([width, height], np.float32)
        boxes = np.concatenate([corner, corner + reach], 1).astype(g.dtype)
        more = {
            "output_height": d.integer(1, 8),
            "output_width": d.integer(1, 8),
            "sampling_ratio": d.integer(1, 3),
            "mode": d.one("avg", "max"),
        }
        g.output(g.op(kind, x, g.feed(boxes), g.feed(d.integers((rois,), 0, batch - 1)), **more))
    else:
        offsets = d.uniform((batch, 18, height, width), -1.2, 1.2).astype(g.dtype)
        weights = g.weight(d.one(4, 8, 16, 7), channels, 3, 3, fan_in=9 * channels)
        more = {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}
        g.output(g.op(kind, x, weights, g.feed(offsets), **more))
